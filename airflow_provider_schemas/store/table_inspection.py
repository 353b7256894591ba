"""Inspect many tables at once, those of mounted databases among them: histories that do not fit together, ids that mean two things.

Schema files and metadata are read, and no data. Whatever cannot be read is a finding, so that one table never hides the others.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import msgspec

from airflow_provider_schemas.core.common.advice import did_you_mean
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.report import Finding, Report
from airflow_provider_schemas.core.validation.validity import validity
from airflow_provider_schemas.errors import Fault, NotThereError, SchemaError
from airflow_provider_schemas.store.common.table_findings import of_table, weighed
from airflow_provider_schemas.store.layout.identifiers import table_name
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.store.table import Table

_UNREAD: Final = "TABLE_UNREAD"
_MAX_THREADS: Final = 16
# The code of a folder without a schema: another program's, and no table.
_NO_TABLE: Final = "table.not-there"


def inspect_tables(
    store: SchemaStore, names: Iterable[str] = (), *, progress: Callable[[int, int], None] | None = None
) -> tuple[Report, ...]:
    """Return a report about each table of these databases, or of these names `db.table`; of all databases, if none is named.

    Findings about the metadata of mounted tables count as the policy of their table says. Progress is called with how many tables were
    looked at, and how many there are.
    """
    wanted = tuple(names)
    tables: dict[str, bool] = {}
    reports: list[Report] = []
    for name in wanted or _databases(store, reports):
        if "." in name:
            tables[str(table_name(name))] = True
        else:
            found, unread = _tables_of(store, name, is_named=bool(wanted))
            tables |= dict.fromkeys(found, False) | tables
            reports += unread
    with ThreadPoolExecutor(_MAX_THREADS, "schemas-inspect") as pool:
        inspected = pool.map(lambda name: inspect_table(store, name, is_named=tables[name]), tables)
        for number, report in enumerate(inspected, 1):
            if report is not None:
                reports.append(report)
            if progress is not None:
                progress(number, len(tables))
    return tuple(sorted(reports, key=lambda report: report.table))


def _databases(store: SchemaStore, reports: list[Report]) -> Sequence[str]:
    """Return all databases; those that are mounted, where the warehouse cannot be listed, which is a finding."""
    try:
        return store.databases()
    except SchemaError as error:
        reports.append(_unread("*", error.faults))
        return sorted(store.mounts)


def _tables_of(store: SchemaStore, database: str, *, is_named: bool) -> tuple[list[str], list[Report]]:
    """Return the names of the tables of a database, and reports about what of it cannot be looked at."""
    try:
        found = [f"{database}.{table}" for table in store.tables(database)]
        unaddressable = store.unaddressable(database)
        if is_named and not found and not unaddressable and database not in store.databases():
            message = f"there is no database {shown(database)} in {store.url}."
            raise NotThereError(message, code="store.no-database", path=database, fix=did_you_mean(database, store.databases()))
    except SchemaError as error:
        return [], [_unread(f"{database}.*", error.faults)]
    return found, [_unread(f"{database}.{name}", (no_name(database, name),)) for name in unaddressable]


def no_name(database: str, name: str) -> Fault:
    """Return the fault of a table of a mounted database that nobody can ask for."""
    message = f"the source of {database} has a table {shown(name)}, whose name cannot be written as db.table: nobody looked at it."
    return Fault("mount.unaddressable", name, message, "Rename the table at its source, or look at it with an engine of its own.")


def inspect_table(store: SchemaStore, name: str, *, is_named: bool = True) -> Report | None:
    """Return a report about one table. What cannot be read is a finding in it; None for a folder that is no table."""
    try:
        table = store.table(name)
        report = table.inspect()
        return _weighed(table, msgspec.structs.replace(report, findings=(*report.findings, *_validity(table, report))))
    except SchemaError as error:
        if not is_named and error.code == _NO_TABLE:
            return None
        return _unread(name, error.faults)


def _validity(table: Table, report: Report) -> Iterator[Finding]:
    """Yield what is wrong with the newest schema of a table of ours by itself: a mounted table need not be one that Paimon takes."""
    if table.subject.is_mounted:
        return
    known = {(finding.rule, finding.path) for finding in report.findings}
    for finding in validity(table.schema()).findings:
        if (finding.rule, finding.path) not in known:
            yield finding


def _weighed(table: Table, report: Report) -> Report:
    """Return the report as the policy of the table weighs it; as the rules do, where nobody can read the policy."""
    try:
        policy = table.policy()
    except SchemaError as error:
        known = {finding.fault for finding in report.findings}
        unread = tuple(_unread_findings(fault for fault in error.faults if fault.code not in known))
        return msgspec.structs.replace(report, findings=(*report.findings, *unread))
    return msgspec.structs.replace(report, findings=weighed(report.findings, policy))


def _unread(table: str, faults: Iterable[Fault]) -> Report:
    return Report(tuple(_unread_findings(faults)), table=table)


def _unread_findings(faults: Iterable[Fault]) -> Iterator[Finding]:
    for fault in faults:
        yield msgspec.structs.replace(of_table(_UNREAD, fault.path or "table", fault.message, fault.fix), fault=fault.code)
