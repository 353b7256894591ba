"""A table that is not there: the names that may have been meant, and the folder that is there without a schema."""

import re
from argparse import Namespace
from collections.abc import Collection, Iterable, Iterator
from shlex import quote
from typing import TYPE_CHECKING

from msgspec.structs import replace

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.arguments.table_name import looks_like_a_file
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.core.report import Finding, Report, Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.errors import Fault, SchemaError
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.render.wording import listed

if TYPE_CHECKING:
    from airflow_provider_schemas.store.schema_store import SchemaStore

CODE = "table.not-there"
# Errors about a table that may not be there, besides: about what hangs on it.
_CODES = (CODE, "contract.no-table", "contract.not-there", "plan.not-there")
_UNREAD = "TABLE_UNREAD"
_MAX_NAMES = 3
# How alike two names are that may be the same, misspelled.
_CUTOFF = 0.7
_MAX_BRANCHES = 10
# So many databases are searched for a table of the same name.
_MAX_DATABASES = 20
_DIGITS = re.compile(r"\d+")


def explained(faults: Iterable[Fault], args: Namespace) -> list[Fault]:
    """Add to each fault about a table that is not there which names are near, and what is there instead."""
    return [_explained(fault, args) if fault.code in _CODES else fault for fault in faults]


def _explained(fault: Fault, args: Namespace) -> Fault:
    if not open_store.is_named(args) or fault.path.count(".") != 1 or "Did you mean" in fault.fix:
        return fault
    if local_io.exists(fault.path):
        return fault  # it is about the table in that file
    store = open_store.store(args)
    if fault.code != CODE:
        return _with_near_table(fault, store)
    if looks_like_a_file(fault.path):
        message = f"there is no such file, and no table of this name in {store.url}."
        return fault._replace(message=message, fix="Check the path.")
    return _not_mounted(store, fault.path) or _with_hint(fault, store)


def _with_hint(fault: Fault, store: "SchemaStore") -> Fault:
    try:
        fix = hint(store, fault.path)
    except SchemaError:  # the fault about the missing table is reported in any case
        return fault
    return fault._replace(fix=fix or fault.fix)


def _with_near_table(fault: Fault, store: "SchemaStore") -> Fault:
    """Return a fault about what hangs on a table, with the table that may be meant, where there is none of that name."""
    try:
        near = [] if store.table(fault.path).exists() else near_names(store, fault.path)
    except SchemaError:
        return fault
    return fault._replace(fix=f"Did you mean {' or '.join(near)}? {fault.fix}") if near else fault


def with_hint(report: Report, store: "SchemaStore") -> Report:
    """Return the report with the tables that may be meant, where it is about one that is not there."""
    if all(finding.rule != _UNREAD for finding in report.findings):
        return report
    fix = _near_fix(report.table, store)
    findings = tuple(replace(finding, fix=fix or finding.fix) for finding in report.findings)
    return replace(report, findings=findings)


def _near_fix(table: str, store: "SchemaStore") -> str:
    try:
        return "" if table.count(".") != 1 or store.table(table).exists() else hint(store, table)
    except SchemaError:
        return ""


def _not_mounted(store: "SchemaStore", table: str) -> Fault | None:
    """Return the fault about a named registry that is empty and may not be mounted: a table that is made there begins another one."""
    from airflow_provider_schemas.store.commit import new_warehouse
    from airflow_provider_schemas.store.registry import registry_id

    try:
        roots = store.table(table).subject.roots
        new_warehouse.check_not_empty(roots, registry_id.read(roots.registry))
    except SchemaError as error:
        return error.faults[0]
    return None


def hint(store: "SchemaStore", table: str) -> str:
    """Write what is near a name without a table; empty where nothing is."""
    database, _, name = table.partition(".")
    databases = store.databases()
    if store.table(table).exists():
        branches = store.table(table).branches() or ("none",)
        there = f"The table is there, and no such branch of it: it has {listed(branches, _MAX_BRANCHES)}."
        return f"{there} A version stands behind a colon: {table}:0."
    if database in databases and name in store.tables(database):
        return (
            f"{store.url} has a folder of this name without a schema file: data that no schema was written down for. "
            f"Give it a schema: airflow-schemas create {quote(table)} COLUMNS --location FOLDER."
        )
    names = near_names(store, table)
    if not names:
        return ""
    return f"Did you mean {' or '.join(names)}?"


def near_names(store: "SchemaStore", table: str) -> list[str]:
    """Return the tables of the store whose names are nearly the same."""
    database, _, name = table.partition(".")
    return list(_near_tables(store, database, name, store.databases()))[:_MAX_NAMES]


def _near_tables(store: "SchemaStore", database: str, name: str, databases: tuple[str, ...]) -> Iterator[str]:
    """Yield tables with a near name: in the database or in databases with a near name, then tables of the same name in others."""
    from difflib import get_close_matches

    alike = [database]
    if database not in databases:
        alike = get_close_matches(database, databases, _MAX_NAMES, _CUTOFF)
    for near in alike:
        folded = {table.lower(): table for table in store.tables(near)}
        for match in get_close_matches(name.lower(), folded, _MAX_NAMES, _CUTOFF):
            table = f"{near}.{folded[match]}"
            if store.table(table).exists():
                yield table
    for other in databases[:_MAX_DATABASES]:
        if other not in alike and name in store.tables(other) and store.table(f"{other}.{name}").exists():
            yield f"{other}.{name}"


# ---------------------------------------------------------------- tables that are declared new


def misspelled(file: TableFile, args: Namespace, judged: Collection[str] = ()) -> tuple[Finding, ...]:
    """Return a warning about tables with nearly the name of a new one: the file may be about them, and they were not looked at.

    Tables that other files of the line are about are left out.
    """
    if args.alone or not open_store.is_named(args):
        return ()
    near = [name for name in _nearly_same(file.table, args) if name not in judged]
    if not near:
        return ()
    rule = RULES["TABLE_MISSING"]
    names = listed(near, len(near))
    reason = f"there is no table {file.table}, and {names} was not looked at, whose name is nearly the same."
    fix = f"Did you mean {' or '.join(near)}? Then mend the name in the file, and leave --new out. Go on, if it is another table."
    warn = Verdict.WARN
    return (Finding(rule.id, "table", reason, fix, warn, verdicts=rule.answers(), data=warn, jobs=warn, writers=warn),)


def _nearly_same(table: str, args: Namespace) -> list[str]:
    """Return the tables whose names are like that of a new one; one that differs in its number alone is another on purpose."""
    store = open_store.store(args)
    database = table.partition(".")[0]
    try:
        is_known = database in store.databases()
        names = near_names(store, table)
    except SchemaError:  # the first line of the answer reports a store that is not there
        return []
    plain = _DIGITS.sub("0", table)
    return [name for name in names if _DIGITS.sub("0", name) != plain and (name.startswith(f"{database}.") or not is_known)]
