"""Stamping: the ids of a table's fields as metadata of a frame's columns, from where Spark's own writer puts them into Parquet.

So a job keeps its writer. Stamping is the last step before the write: a `withColumn` behind it takes the id off its column again. In a
folder that holds files without ids too, plain Spark stops at these as soon as its columns bear ids, unless it is told to pass over ids that
are missing (`spark.sql.parquet.fieldId.read.ignoreMissing`); `read_table` reads both.
"""

import logging
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from airflow_provider_schemas.core.projection.projection import project
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.nested import RowType
from airflow_provider_schemas.errors import IncompatibleSchemaError, SparkError
from airflow_provider_schemas.spark.files.data_file import DataFile
from airflow_provider_schemas.spark.files.footers import read_footers
from airflow_provider_schemas.spark.files.kept_folders import PLAIN, check_write
from airflow_provider_schemas.spark.reading.field_id_metadata import with_field_ids
from airflow_provider_schemas.spark.reading.project_columns import apply_projection
from airflow_provider_schemas.spark.session import catalog_schema, checked, needs_classic, session_of_frame, set_catalog_schema
from airflow_provider_schemas.spark.sql import name as quoted
from airflow_provider_schemas.spark.struct_types import with_ids
from airflow_provider_schemas.spark.writing.frame_check import Fit, fit
from airflow_provider_schemas.store.footers.described import described
from airflow_provider_schemas.store.table import Table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_log = logging.getLogger("airflow_provider_schemas.spark")
_WRITES_IDS: Final = "spark.sql.parquet.fieldId.write.enabled"
_MISSING_IDS: Final = "spark.sql.parquet.fieldId.read.ignoreMissing"
_SHOWN: Final = 20
_BY_WRITING: Final = "Create it there with stamp(df, table).write.saveAsTable(name), which keeps the ids."


def stamp(df: "DataFrame", table: Table | TableSchema) -> "DataFrame":
    """The same rows as the newest version has its columns: in its order, with its field ids as metadata, nested ones too.

    Names and types are checked against it, all at once: IncompatibleSchemaError. What loses nothing is converted and told in the log:
    a narrower number, a column that may be NULL and is not in the frame.
    """
    name, head = head_of(table)
    _check_location(session_of_frame(df), table, head)
    return stamped(df, name, head)


def stamped(df: "DataFrame", name: str, head: TableSchema) -> "DataFrame":
    """The same for a version that is known already."""
    check_ids_are_written(session_of_frame(df))
    found = _checked(fit(df.schema.jsonValue(), head), name)
    names = [one.name for one in found.wanted]
    if not found.same:
        df = apply_projection(df, project(RowType(found.written), RowType(found.wanted)), casts="checked", bad_values="error")
    elif df.columns != names:
        df = df.select(*map(quoted, names))
    return with_field_ids(df, found.wanted)


def stamp_catalog_table(spark: "SparkSession", name: str, table: Table | TableSchema) -> None:
    """Put the field ids into the catalog's own word about a table, so that a plain `insertInto` writes them. Nothing else of it changes."""
    needs_classic(checked(spark), "stamp_catalog_table", _BY_WRITING)
    check_ids_are_written(spark)
    about, head = head_of(table)
    _check_location(spark, table, head)
    struct = catalog_schema(spark, name)
    found = _checked(fit(struct, head), about or name)
    _check_files(spark, name)
    set_catalog_schema(spark, name, with_ids(struct, found.written))


def _check_location(spark: "SparkSession", table: Table | TableSchema, head: TableSchema) -> None:
    """SparkError if a format of tables keeps the folder that is described as plain files: what is stamped would be put among those."""
    about = described(head, table.place.layout) if isinstance(table, Table) else None
    if about is not None and about.format in PLAIN:
        check_write(spark, about.location, "table")


def head_of(table: Table | TableSchema) -> tuple[str, TableSchema]:
    """The name of a table and the schema of its newest version; a schema alone has no name."""
    if isinstance(table, TableSchema):
        return "", table
    found = checked_table(table)
    return found.name, found.schema()


def checked_table(table: object) -> Table:
    """The table, if it is one; else SparkError."""
    if isinstance(table, Table):
        return table
    message = f"a {type(table).__name__} is no table of a store, and no schema."
    raise SparkError(message, code="spark.no-table", path="table", fix="Pass SchemaStore(...).table('db.t').")


def check_ids_are_written(spark: "SparkSession") -> None:
    """SparkError if this session was told to leave field ids out of the files it writes."""
    if str(spark.conf.get(_WRITES_IDS, "true")).lower() == "false":
        message = "this session leaves field ids out of the files it writes."
        raise SparkError(message, code="spark.no-ids", path=_WRITES_IDS, fix="Set it to true.")


def _check_files(spark: "SparkSession", name: str) -> None:
    """SparkError if the table has files without ids: Spark does not read them under columns with ids, unless a setting says so."""
    if str(spark.conf.get(_MISSING_IDS, "false")).lower() == "true":
        return
    paths = [unquote(one) for one in spark.table(name).inputFiles()]
    files = [DataFile(path=one, size=0, version=None) for one in paths]
    without = [one.path for one, said in zip(files, read_footers(spark, files, name), strict=True) if not said.stamped]
    if without:
        message = (
            f"{len(without):,} of its {len(files):,} files have no field ids, such as {without[0]}, and Spark would not read them any more."
        )
        fix = f"Write it anew with stamp(df, table); or set {_MISSING_IDS} to true here and wherever plain Spark reads it."
        raise SparkError(message, code="spark.without-ids", path=name, fix=fix)


def _checked(found: Fit, name: str) -> Fit:
    if found.faults:
        raise IncompatibleSchemaError.of(found.faults)
    lost = [f"{path} had lost its id and has it again: stamp last, behind every withColumn" for path in found.unmarked]
    told = [*found.told, *lost]
    if told:
        more = [f"and {len(told) - _SHOWN} more"] if len(told) > _SHOWN else []
        _log.warning("%s: %s", name or "the frame", "; ".join([*told[:_SHOWN], *more]))
    return found
