"""What a job is asked, as frozen values: the same whether it runs inside a task or is submitted. The words of its command line are theirs.

The members of this folder have long names on purpose: spark-submit puts the folder of a job's file in front of all libraries.
"""

from collections.abc import Mapping
from typing import Annotated, Final

from msgspec import Meta, Struct

PARQUET: Final = "parquet"


class StoreRequest(Struct, frozen=True, kw_only=True):
    """Where the schemas are, and where the answer goes."""

    store: Annotated[str, Meta(description="The address of the warehouse.")] = ""
    registry: Annotated[str, Meta(description="The address of its registry, if that lies elsewhere.")] = ""
    registry_id: Annotated[str, Meta(description="The id that the registry has to have, if one is named.")] = ""
    layout: Annotated[str, Meta(description="How it keeps schemas: paimon, mini-paimon or registry; found out, if nothing is said.")] = ""
    result: Annotated[str, Meta(description="The file for the answer, as JSON: a path, or an address that Spark writes to.")] = ""
    app_name: Annotated[str, Meta(description="How the application is called in Spark.")] = ""
    end_with_zero: Annotated[bool, Meta(description="End with 0 whatever was found, because whoever asks reads the answer.")] = False


class DataRequest(Struct, frozen=True, kw_only=True):
    """Which rows are meant: files, a query, or those of the table itself."""

    table: Annotated[str, Meta(description="The table as db.table.")] = ""
    branch: Annotated[str, Meta(description="Its branch.")] = ""
    path: Annotated[str, Meta(description="The files, or their folder.")] = ""
    file_format: Annotated[str, Meta(description="The format of the files; parquet, if nothing is said.")] = ""
    options: Annotated[Mapping[str, str], Meta(description="Options of spark.read, as JSON.")] = {}
    sql: Annotated[str, Meta(description="A query whose rows are meant, instead of files.")] = ""


class ValidateRequest(DataRequest, frozen=True, kw_only=True):
    """Rows against a version of a table, or against a contract."""

    version: Annotated[int | None, Meta(description="The number of the version; the newest, if nothing is said.")] = None
    digest: Annotated[str, Meta(description="The digest that this version must have.")] = ""
    contract: Annotated[str, Meta(description="A contract as JSON, instead of the schema of the table.")] = ""
    samples: Annotated[int, Meta(description="How many rows are shown of each finding.")] = 5
    unique: Annotated[bool, Meta(description="Ask whether the primary key is one.")] = True
    min_rows: Annotated[int, Meta(description="Fewer rows than this break.")] = 0
    quarantine: Annotated[str, Meta(description="The folder that bad rows are written to.")] = ""
    run: Annotated[str, Meta(description="A folder below it that belongs to this run: written over, should it be there.")] = ""


class InferRequest(DataRequest, frozen=True, kw_only=True):
    """The schema of rows."""

    evidence: Annotated[bool, Meta(description="Look at all rows; without it only at their types.")] = True


class AuditRequest(Struct, frozen=True, kw_only=True):
    """What is wrong with the tables of a warehouse."""

    databases: Annotated[tuple[str, ...], Meta(description="Names or patterns; all, if nothing is said.")] = ()
    tables: Annotated[tuple[str, ...], Meta(description="Names or patterns; all, if nothing is said.")] = ()
    data: Annotated[bool, Meta(description="Look at data files, and not at schema files alone.")] = True
    branches: Annotated[bool, Meta(description="Look at branches, too.")] = False
    parallel: Annotated[int | None, Meta(description="So many tables at once.")] = None
    save: Annotated[str, Meta(description="The folder that all findings are written to, as Parquet.")] = ""
    run: Annotated[str, Meta(description="A folder below it that belongs to this run: written over, should it be there.")] = ""
