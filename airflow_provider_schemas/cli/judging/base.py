"""What a table file is compared with: its table in the store; nothing only where the line says so, by --alone or --new."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.judging import missing_tables
from airflow_provider_schemas.cli.judging.compared import by_itself, store_url
from airflow_provider_schemas.errors import AlreadyThereError, NotThereError, SchemaError, StorageError
from airflow_provider_schemas.formats.table_file.model import TableFile

if TYPE_CHECKING:
    from airflow_provider_schemas.store.table import Table

ALONE = "judged by itself: whether it fits what is there, and who reads that, was not looked at"
# What a storage says of a root that is not there.
_NO_ROOT = "storage.no-root"
_WAYS = "--alone to judge the file by itself, or --new where there is no such table yet"


def add(parser: ArgumentParser) -> None:
    """Let a parser know the options that say that there is no base."""
    parser.add_argument("--alone", action="store_true", help="judge a file by itself, whatever is in the store")
    parser.add_argument("--new", action="store_true", help="the tables of these files are not there yet; it is an error if they are")


def check_options(args: Namespace) -> None:
    """Refuse --alone and --new together."""
    if args.alone and args.new:
        raise SchemaError("--alone and --new exclude each other.", code="cli.base", fix="Keep one of them.")


def table_of(file: TableFile, source: str, args: Namespace) -> "Table | None":
    """Return the table that a file is compared with; None where the line says that there is none."""
    if args.alone:
        return None
    if not open_store.named(args):
        if args.new:
            return None
        raise _no_store(file, source, args)
    table = open_store.store(args).table(file.table, branch=args.branch)
    if _exists(table, file, source, args):
        if args.new:
            fix = "Leave --new out to compare the file with it."
            raise AlreadyThereError(f"{file.table} is in {store_url(args)} already.", code="cli.not-new", path=source, fix=fix)
        return table
    if not args.new:
        raise _no_table(file, source, args)
    return None


def _exists(table: "Table", file: TableFile, source: str, args: Namespace) -> bool:
    """Whether the table is there; a root that is not there has no table, which is fine for a new one only."""
    try:
        return table.exists()
    except StorageError as error:
        if error.code != _NO_ROOT:
            raise
        if args.new:
            return False
        raise _no_warehouse(file, source, args) from None


def compared_with_nothing(file: TableFile, source: str, args: Namespace) -> str:
    """Say that a file has no base, and on whose word."""
    if args.alone:
        return by_itself(source)
    where = _without(file, args) if open_store.named(args) else f"no store was asked for {file.table}"
    return f"{source} with nothing: it is --new, and {where}"


def _without(file: TableFile, args: Namespace) -> str:
    """Say that the store has no such table, or that there is no store at all."""
    try:
        open_store.store(args).databases()
    except StorageError as error:
        if error.code != _NO_ROOT:
            raise
        return f"{store_url(args)} is not there"
    return f"{store_url(args)} has no {file.table}"


def note_of(args: Namespace) -> str:
    """Return the note of a report without a base."""
    return ALONE if args.alone else "judged as a new table: nothing was compared"


def _no_store(file: TableFile, source: str, args: Namespace) -> NotThereError:
    message = f"no store is named, so there is nothing to compare {file.table} with."
    other = "--base FILE to compare it with a file" if args.command == "plan" else "OLD and NEW to compare two files"
    fix = f"Pass --store URL or --conn ID to compare it with its table, {other}, {_WAYS}."
    return NotThereError(message, code="cli.no-base", path=source, fix=fix)


def _no_table(file: TableFile, source: str, args: Namespace) -> NotThereError:
    store = open_store.store(args)
    if not any(store.tables(database) for database in store.databases()):
        return _no_tables(file, source, args)
    message = f"there is no table {file.table} in {store_url(args)}."
    known = missing_tables.hint(store, file.table)
    fix = " ".join(part for part in (known, f"Mend the name in the file if it is misspelled; else pass {_WAYS}.") if part)
    return NotThereError(message, code="table.not-there", path=source, fix=fix)


def _no_tables(file: TableFile, source: str, args: Namespace) -> NotThereError:
    message = f"there are no tables in {store_url(args)}, so there is nothing to compare {file.table} with."
    fix = f"Pass the address of the store with --store URL or --conn ID if it is another one; else pass {_WAYS}."
    return NotThereError(message, code="cli.no-base", path=source, fix=fix)


def _no_warehouse(file: TableFile, source: str, args: Namespace) -> NotThereError:
    message = f"{store_url(args)} is not there, so there is nothing to compare {file.table} with."
    fix = f"Mount it, or pass another address with --store URL or --conn ID. Else pass {_WAYS}."
    return NotThereError(message, code="cli.no-base", path=source, fix=fix)
