"""Audit: what is wrong with the tables of a warehouse, one finding a row.

findings = audit(spark, "s3://lake/warehouse")
print(summarize(findings))
"""

from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from typing import TYPE_CHECKING

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import SparkError
from airflow_provider_schemas.spark.auditing.data_files import DataAudit
from airflow_provider_schemas.spark.auditing.discovery import find_targets
from airflow_provider_schemas.spark.auditing.executor import audit_changed_tables, audit_data_with_spark, find_reach
from airflow_provider_schemas.spark.auditing.facts import FactCache, facts_folder
from airflow_provider_schemas.spark.auditing.frames import Counts, make_frame
from airflow_provider_schemas.spark.auditing.mounted import audit_mounted
from airflow_provider_schemas.spark.auditing.old_files import CHAIN
from airflow_provider_schemas.spark.auditing.registry import list_registry
from airflow_provider_schemas.spark.auditing.rows import Row
from airflow_provider_schemas.spark.auditing.summary import Summary, summarize
from airflow_provider_schemas.spark.auditing.table import Scope, TableAudit
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
    """Return the findings about the tables of a warehouse, a SchemaStore or its address, as a DataFrame: rows.COLUMNS.

    Databases and tables are names or patterns such as "shop", "shop.*", "*_raw". Without data, only the schema files
    are read; of mounted tables, only the metadata. A table that cannot be read is a finding. All is read now: the frame holds what was
    found, and reads nothing again.
    That files are sound is kept in a cache: in the user's folder of caches, in a folder that is named, or, if it is False, nowhere.
    """
    session = checked(spark)
    store = _open_store(warehouse)
    _check_parallel(parallel)
    _check_cache(cache)
    targets = find_targets(store, databases, tables, session)
    registry, unlisted = list_registry(store.registry)
    has_facts = not (unlisted or branches or isinstance(store.warehouse, SparkFiles))
    facts = FactCache(facts_folder(cache) if has_facts else None, store)
    scope = Scope(registry, branches=branches, reach=find_reach(session, store) if data else None, remembers=facts.remembers)
    audits = audit_changed_tables(session, store, targets.tables, scope, parallel, facts=facts.facts)
    facts.remember({str(target.name): audit.fact for target, audit in zip(targets.tables, audits, strict=True)})
    data_audits = [audit.data for audit in audits if audit.data is not None]
    if data:
        left = [target for target, audit in zip(targets.tables, audits, strict=True) if audit.versions and audit.data is None]
        data_audits += audit_data_with_spark(session, store, left, scope, parallel)
    audits += audit_mounted(store, targets.mounted, parallel)
    rows = [*targets.unread, *unlisted, *_rows(audits, data_audits)]
    return make_frame(session, rows, _count(audits, data_audits))


def _rows(audits: Sequence[TableAudit], data_audits: Sequence[DataAudit]) -> Iterator[Row]:
    """Yield the rows; of two that say that files cannot be turned into what a column is now, the one that names a file."""
    with_files: set[tuple[str, str, str]] = set()
    for data_audit in data_audits:
        with_files.update(_subject(row) for row in data_audit.rows if row.rule == CHAIN)
        yield from data_audit.rows
    for audit in audits:
        yield from (row for row in audit.rows if row.rule != CHAIN or _subject(row) not in with_files)


def _subject(row: Row) -> tuple[str, str, str]:
    return row.table, row.branch, row.path


def _count(audits: Sequence[TableAudit], data_audits: Sequence[DataAudit]) -> Counts:
    tables = sum(audit.tables for audit in audits)
    versions = sum(audit.versions for audit in audits)
    return Counts(tables, versions, sum(audit.files for audit in data_audits))


def _open_store(warehouse: SchemaStore | str | PathLike[str]) -> SchemaStore:
    if isinstance(warehouse, SchemaStore):
        return warehouse
    if isinstance(warehouse, str | PathLike):
        return SchemaStore(warehouse)
    message = f"a {type(warehouse).__name__} is no warehouse."
    raise SparkError(message, code="audit.warehouse", path="warehouse", fix="Pass a SchemaStore, or the address of a warehouse.")


def _check_parallel(parallel: int | None) -> None:
    if parallel is not None and (type(parallel) is not int or parallel < 1):
        message = f"parallel is a number of tasks or threads, and {shown(str(parallel))} is none."
        raise SparkError(message, code="audit.parallel", path="parallel", fix="Pass a whole number from 1, or leave it out.")


def _check_cache(cache: object) -> None:
    if not isinstance(cache, bool | str | PathLike) or not str(cache).strip():
        message = f"cache is a folder, True or False, and {shown(str(cache))} is none."
        raise SparkError(message, code="audit.cache", path="cache", fix="Pass the path of a folder of your own, or leave it out.")
