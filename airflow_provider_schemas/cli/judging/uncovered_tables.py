"""Tables of the store that no file of a checked folder is about: a table file that was deleted is noticed by them."""

from argparse import Namespace
from collections.abc import Iterable, Sequence

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.judging import base
from airflow_provider_schemas.cli.judging.compared import table_version
from airflow_provider_schemas.cli.judging.verdicts import Verdicts
from airflow_provider_schemas.cli.operands import Thing


def verdicts(operands: Sequence[Thing], args: Namespace) -> Verdicts:
    """Name the tables of the same databases that no file is about, where a folder of files was named."""
    folders = [name for name in args.objects if local_io.is_folder(name)]
    if not folders or args.alone or base.all_are_new(args) or not open_store.named(args):
        return Verdicts()
    known = {operand.name for operand in operands}
    missing = (table for table in _tables({name.partition(".")[0] for name in known}, args) if table not in known)
    return Verdicts(unmatched=[f"nothing in {', '.join(folders)} with {table_version(table, None, args)}" for table in missing])


def _tables(databases: Iterable[str], args: Namespace) -> Iterable[str]:
    """Yield the tables of databases; folders without a schema are none."""
    store = open_store.store(args)
    for database in sorted(databases):
        for name in store.tables(database):
            table = f"{database}.{name}"
            if store.table(table, branch=args.branch).exists():
                yield table
