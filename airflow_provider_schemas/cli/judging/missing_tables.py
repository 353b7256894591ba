"""A table that is not there: the names that may have been meant, and the folder that is there without a schema."""

import re
from argparse import Namespace
from collections.abc import Collection, Iterable, Iterator
from shlex import quote
from typing import TYPE_CHECKING

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.arguments.table_name import looks_like_a_file
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.core.report import Finding, Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.errors import Fault, SchemaError
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.render.wording import listed

if TYPE_CHECKING:
    from airflow_provider_schemas.store.schema_store import SchemaStore

CODE = "table.not-there"
_NAMES = 3
_LIKE = 0.7
_BRANCHES = 10
# So many databases are searched for a table of the same name.
_DATABASES = 20
_DIGITS = re.compile(r"\d+")


def explained(faults: Iterable[Fault], args: Namespace) -> list[Fault]:
    """Add to each fault about a table that is not there which names are near, and what is there instead."""
    return [_explained(fault, args) if fault.code == CODE else fault for fault in faults]


def _explained(fault: Fault, args: Namespace) -> Fault:
    if not open_store.named(args) or fault.path.count(".") != 1 or "Did you mean" in fault.fix:
        return fault
    if local_io.exists(fault.path):
        return fault  # it is about the table in that file
    if looks_like_a_file(fault.path):
        return fault._replace(
            message=f"there is no such file, and no table of this name in {open_store.store(args).url}.", fix="Check the path."
        )
    if (unmounted := _not_mounted(open_store.store(args), fault.path)) is not None:
        return unmounted
    try:
        known = hint(open_store.store(args), fault.path)
    except SchemaError:  # that the table is not there is said in any case
        return fault
    return fault._replace(fix=known) if known else fault


def _not_mounted(store: "SchemaStore", table: str) -> Fault | None:
    """Return what is wrong where the registry that was named holds nothing: a table that is made there begins another one."""
    from airflow_provider_schemas.store.commit import new_warehouse
    from airflow_provider_schemas.store.registry import registry_id

    try:
        roots = store.table(table).subject.roots
        new_warehouse.check_not_empty(roots, registry_id.read(roots.registry))
    except SchemaError as error:
        return error.faults[0]
    return None


def hint(store: "SchemaStore", table: str) -> str:
    """Say what is near a name that is no table; empty where nothing is."""
    database, _, name = table.partition(".")
    databases = store.databases()
    if store.table(table).exists():
        return f"The table is there, and no such branch of it: it has {listed(store.table(table).branches() or ('none',), _BRANCHES)}."
    if database in databases and name in store.tables(database):
        return (
            f"{store.url} has a folder of this name without a schema file: data that no schema was written down for. "
            f"Give it a schema: airflow-schemas create {quote(table)} COLUMNS --location FOLDER."
        )
    names = near_names(store, table)
    return f"Did you mean {' or '.join(names)}?" if names else ""


def near_names(store: "SchemaStore", table: str) -> list[str]:
    """Return the tables of the store that are called nearly so."""
    database, _, name = table.partition(".")
    return list(_near(store, database, name, store.databases()))[:_NAMES]


def _near(store: "SchemaStore", database: str, name: str, databases: tuple[str, ...]) -> Iterator[str]:
    """Yield the tables with a name like it: of the database, of those that are called like it, then of the same name in others."""
    from difflib import get_close_matches

    alike = [database] if database in databases else get_close_matches(database, databases, _NAMES, _LIKE)
    for near in alike:
        tables = store.tables(near)
        folded = {table.lower(): table for table in tables}
        matches = get_close_matches(name.lower(), folded, _NAMES, _LIKE)
        yield from (full for match in matches if store.table(full := f"{near}.{folded[match]}").exists())
    for other in databases[:_DATABASES]:
        if other not in alike and name in store.tables(other) and store.table(f"{other}.{name}").exists():
            yield f"{other}.{name}"


# ---------------------------------------------------------------- tables that are declared new


def misspelled(file: TableFile, args: Namespace, judged: Collection[str] = ()) -> tuple[Finding, ...]:
    """Return a warning about tables of nearly the name of a new one: the file may be about them, and they were not looked at.

    Not about those that other files of the line are about.
    """
    if args.alone or not open_store.named(args):
        return ()
    near = [name for name in _nearly_same(file.table, args) if name not in judged]
    if not near:
        return ()
    rule, names = RULES["TABLE_MISSING"], listed(near, len(near))
    reason = f"there is no table {file.table}, and {names} was not looked at, whose name is nearly the same."
    fix = f"Did you mean {' or '.join(near)}? Then mend the name in the file, and leave --new out. Go on, if it is another table."
    warn = Verdict.WARN
    return (Finding(rule.id, "table", reason, fix, warn, verdicts=rule.answers(), data=warn, jobs=warn, writers=warn),)


def _nearly_same(table: str, args: Namespace) -> list[str]:
    """Return the tables whose names are like that of a new one; one that differs in its number alone is another on purpose."""
    store, database = open_store.store(args), table.partition(".")[0]
    try:
        is_known = database in store.databases()
        names = near_names(store, table)
    except SchemaError:  # the first line says that the store is not there
        return []
    plain = _DIGITS.sub("0", table)
    return [name for name in names if _DIGITS.sub("0", name) != plain and (name.startswith(f"{database}.") or not is_known)]
