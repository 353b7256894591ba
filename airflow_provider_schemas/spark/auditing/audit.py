"""Audit: what is wrong with the tables of a warehouse, one finding a row.

findings = audit(spark, "s3://lake/warehouse")
print(summarize(findings))
"""

from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import SparkError
from airflow_provider_schemas.spark.auditing.data_files import Looked
from airflow_provider_schemas.spark.auditing.discovery import spots
from airflow_provider_schemas.spark.auditing.executor import reach, run_again, run_data
from airflow_provider_schemas.spark.auditing.facts import Memory, folder_of
from airflow_provider_schemas.spark.auditing.frames import Counts, frame_of
from airflow_provider_schemas.spark.auditing.old_files import CHAIN
from airflow_provider_schemas.spark.auditing.registry import kept
from airflow_provider_schemas.spark.auditing.rows import Row
from airflow_provider_schemas.spark.auditing.summary import Summary, summarize
from airflow_provider_schemas.spark.auditing.table import Audited, Scope
from airflow_provider_schemas.spark.session import checked
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.store.spark.files import SparkFiles

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["Summary", "audit", "summarize"]


def audit(
    spark: "SparkSession",
    warehouse: SchemaStore | str | PathLike[str],
    *,
    databases: str | Iterable[str] = "*",
    tables: str | Iterable[str] = "*",
    data: bool = True,
    branches: bool = False,
    parallel: int | None = None,
    cache: bool | str | PathLike[str] = True,
) -> "DataFrame":
    """The findings about the tables of a warehouse, a SchemaStore or its address, as a DataFrame: rows.COLUMNS.

    Databases and tables are names or patterns such as "shop", "shop.*", "*_raw". Without data, only the schema files
    are read. A table that cannot be read is a finding. All is read now: the frame holds what was found, and reads nothing again.
    That files are sound is kept in a cache: in the user's folder of caches, in a folder that is named, or, if it is False, nowhere.
    """
    session, store = checked(spark), _store(warehouse)
    _check_parallel(parallel)
    _check_cache(cache)
    found, (known, lacking) = spots(store, databases, tables, session), kept(store.registry)
    memory = Memory(None if lacking or branches or isinstance(store.warehouse, SparkFiles) else folder_of(cache), store)
    scope = Scope(known, branches=branches, reach=reach(session, store) if data else None, remembers=memory.remembers)
    answers = run_again(session, store, found.tables, scope, parallel, facts=memory.facts)
    memory.remember({str(spot.name): answer.fact for spot, answer in zip(found.tables, answers, strict=True)})
    left = [spot for spot, answer in zip(found.tables, answers, strict=True) if data and answer.versions and answer.data is None]
    looked = [*(answer.data for answer in answers if answer.data is not None), *run_data(session, store, left, scope, parallel)]
    rows = [*found.unread, *lacking, *_told(answers, looked)]
    return frame_of(session, rows, _counts(answers, looked))


def _told(answers: Sequence[Audited], looked: Sequence[Looked]) -> Iterator[Row]:
    """The rows; of two that say that files cannot be turned into what a column is now, the one that names a file."""
    with_files = {(row.table, row.branch, row.path) for one in looked for row in one.rows if row.rule == CHAIN}
    yield from (row for one in looked for row in one.rows)
    for row in (row for one in answers for row in one.rows):
        if row.rule != CHAIN or (row.table, row.branch, row.path) not in with_files:
            yield row


def _store(warehouse: Any) -> SchemaStore:
    if isinstance(warehouse, SchemaStore):
        return warehouse
    if isinstance(warehouse, str | PathLike):
        return SchemaStore(warehouse)
    message = f"a {type(warehouse).__name__} is no warehouse."
    raise SparkError(message, code="audit.warehouse", path="warehouse", fix="Pass a SchemaStore, or the address of a warehouse.")


def _check_parallel(parallel: object) -> None:
    if parallel is not None and (type(parallel) is not int or parallel < 1):
        message = f"parallel is a number of tasks or threads, and {shown(str(parallel))} is none."
        raise SparkError(message, code="audit.parallel", path="parallel", fix="Pass a whole number from 1, or leave it out.")


def _check_cache(cache: object) -> None:
    if not isinstance(cache, bool | str | PathLike) or not str(cache).strip():
        message = f"cache is a folder, True or False, and {shown(str(cache))} is none."
        raise SparkError(message, code="audit.cache", path="cache", fix="Pass the path of a folder of your own, or leave it out.")


def _counts(answers: Sequence[Audited], looked: Sequence[Looked]) -> Counts:
    return Counts(sum(one.tables for one in answers), sum(one.versions for one in answers), sum(one.files for one in looked))
