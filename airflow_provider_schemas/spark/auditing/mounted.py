"""The audit of tables that others keep: their metadata, read by the driver. Their data files are not looked at."""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

from airflow_provider_schemas.core.report import Report, Verdict
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.spark.auditing.rows import Row, make_row
from airflow_provider_schemas.spark.auditing.table import TableAudit
from airflow_provider_schemas.store.layout.identifiers import MAIN
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.store.table_inspection import inspect_table

_AT_ONCE: Final = 16


def audit_mounted(store: SchemaStore, names: Iterable[str], parallel: int | None) -> list[TableAudit]:
    """Return what came out for each of these tables."""
    with ThreadPoolExecutor(parallel or _AT_ONCE, "schemas-audit") as pool:
        return list(pool.map(partial(_audit, store), names))


def _audit(store: SchemaStore, name: str) -> TableAudit:
    report = inspect_table(store, name)
    if report is None:  # it went away since it was listed
        return TableAudit()
    return TableAudit(tuple(_rows(name, report)), 1, _count_versions(store, name))


def _rows(name: str, report: Report) -> Iterator[Row]:
    for finding in report.findings:
        if finding.verdict is not Verdict.OK:
            yield make_row(finding, name, MAIN, version=report.new)


def _count_versions(store: SchemaStore, name: str) -> int:
    """Return how many schemas the metadata hold; none, where they cannot be read."""
    try:
        return len(store.table(name).numbers())
    except SchemaError:
        return 0
