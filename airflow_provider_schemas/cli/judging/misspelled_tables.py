"""Tables that are declared new under a name that is nearly that of a table: the file may be about that one, which was not looked at."""

import re
from argparse import Namespace
from collections.abc import Collection

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.judging import missing_tables
from airflow_provider_schemas.core.report import Finding, Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.render.wording import listed

_DIGITS = re.compile(r"\d+")


def findings(file: TableFile, args: Namespace, judged: Collection[str] = ()) -> tuple[Finding, ...]:
    """Return a warning about the tables that may be meant; not about those that other files of the line are about."""
    if args.alone or not open_store.named(args):
        return ()
    near = [name for name in _near(file.table, args) if name not in judged]
    if not near:
        return ()
    rule, names = RULES["TABLE_MISSING"], listed(near, len(near))
    reason = f"there is no table {file.table}, and {names} was not looked at, whose name is nearly the same."
    fix = f"Did you mean {' or '.join(near)}? Then mend the name in the file, and leave --new out. Go on, if it is another table."
    warn = Verdict.WARN
    return (Finding(rule.id, "table", reason, fix, warn, verdicts=rule.answers(), data=warn, jobs=warn, writers=warn),)


def _near(table: str, args: Namespace) -> list[str]:
    """Return the tables whose names are like that of the file; one that differs in its number alone is another on purpose."""
    store, database = open_store.store(args), table.partition(".")[0]
    try:
        is_known = database in store.databases()
        names = missing_tables.near_names(store, table)
    except SchemaError:  # the first line says that the store is not there
        return []
    plain = _DIGITS.sub("0", table)
    return [name for name in names if _DIGITS.sub("0", name) != plain and (name.startswith(f"{database}.") or not is_known)]
