"""The base of a table file: its table in the store; nothing only where the line says so, by --alone or --new.

For `check`, --new is about all files of the line, or names a table, a file or a folder: the others are compared with the store.
"""

import shlex
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from airflow_provider_schemas.cli import open_store
from airflow_provider_schemas.cli.arguments import options
from airflow_provider_schemas.cli.arguments.table_name import looks_like_a_file
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.judging import missing_tables
from airflow_provider_schemas.cli.judging.compared import by_itself, store_url
from airflow_provider_schemas.errors import AlreadyThereError, Fault, NotThereError, SchemaError, StorageError
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.render.wording import listed

if TYPE_CHECKING:
    from airflow_provider_schemas.store.table import Table

ALONE = "judged by itself: whether it fits what is there, and who reads that, was not looked at"
# The code of the error about a root that is not there.
_NO_ROOT = "storage.no-root"


def add(parser: ArgumentParser, *, several: bool = False) -> None:
    """Add the options for files without a base to a parser; `several` is for a command that takes more than one file."""
    parser.add_argument("--alone", action="store_true", help="judge a file by itself, whatever is in the store")
    if not several:
        parser.add_argument("--new", action="store_true", help="the table of this file is not there yet; it is an error if it is")
        return
    help_text = "the tables of these files are not there yet, or that of one file or folder; it is an error if they are; repeatable"
    parser.add_argument(
        "--new", nargs="?", const=True, action="append", default=[], type=options.text, metavar="TABLE|FILE", help=help_text
    )


def check_options(args: Namespace) -> None:
    """Refuse --alone and --new together."""
    if args.alone and args.new:
        raise SchemaError("--alone and --new exclude each other.", code="cli.base", fix="Keep one of them.")


# ---------------------------------------------------------------- which tables are new


def all_are_new(args: Namespace) -> bool:
    """Return whether --new stands on the line without a name."""
    return args.new is True or (isinstance(args.new, list) and True in args.new)


def is_new(file: TableFile, source: str, args: Namespace) -> bool:
    """Return whether the line says that the table of a file is not there yet."""
    return all_are_new(args) or any(_means(name, file, source) for name in args.new or ())


def _means(name: str, file: TableFile, source: str) -> bool:
    """Return whether a name behind --new is that of the table, of its file, or of a folder around it."""
    if name == file.table or local_io.label(name) == source:
        return True
    if not local_io.exists(name) or not local_io.exists(source):
        return False
    return Path(source).resolve().is_relative_to(Path(name).resolve())


def files_behind_new(args: Namespace) -> list[str]:
    """Return the files that stand behind --new and nowhere else on the line: they are to be judged as well."""
    on_line = [Path(name).resolve() for name in args.objects if local_io.exists(name)]
    files = [name for name in args.new if name is not True and name not in args.objects and _is_file(name)]
    return [file for file in files if not any(map(Path(file).resolve().is_relative_to, on_line))]


def _is_file(name: str) -> bool:
    return looks_like_a_file(name) or local_io.exists(name)


def unmatched_new(files: Iterable[tuple[TableFile, str]], args: Namespace) -> list[Fault]:
    """Return a fault for each name behind --new that no file of the line is about: it may be misspelled.

    A file that is there and was left out of a folder, as the file of a job is, hides nothing.
    """
    known = list(files)
    names = [name for name in args.new if name is not True and not local_io.exists(name)]
    names = [name for name in names if not any(_means(name, file, source) for file, source in known)]
    fix = "Mend the name; or leave it out, if its file is gone."
    return [Fault("cli.not-new", f"--new {name}", "no table file of this line is about it.", fix) for name in names]


# ---------------------------------------------------------------- the base


def table_of(file: TableFile, source: str, args: Namespace) -> "Table | None":
    """Return the table that a file is compared with; None where the line says that there is none."""
    if args.alone:
        return None
    new = is_new(file, source, args)
    if not open_store.is_named(args):
        if new:
            return None
        raise _no_store(file, source, args)
    table = open_store.store(args).table(file.table, branch=args.branch)
    exists = _exists(table, file, source, args)
    if exists and new:
        raise _not_new(file, source, args)
    if not exists and not new:
        raise _no_table(file, source, args)
    return table if exists else None


def _exists(table: "Table", file: TableFile, source: str, args: Namespace) -> bool:
    """Return whether the table is there; a root that is not there has no table, which is fine for a new one only."""
    try:
        return table.exists()
    except StorageError as error:
        if error.code != _NO_ROOT:
            raise
        if is_new(file, source, args):
            return False
        raise _no_warehouse(file, source, args) from None


def compared_with_nothing(file: TableFile, source: str, args: Namespace) -> str:
    """Write that a file has no base, and which option says so."""
    if args.alone:
        return by_itself(source)
    return f"{source} with nothing: it is --new, and {_reason_without_base(file, args)}"


def _reason_without_base(file: TableFile, args: Namespace) -> str:
    """Write that the store has no such table, and which names are near; or that there is no store at all."""
    if not open_store.is_named(args):
        return f"no store was asked for {file.table}"
    try:
        near = missing_tables.near_names(open_store.store(args), file.table)
    except StorageError as error:
        if error.code != _NO_ROOT:
            raise
        return f"{store_url(args)} is not there"
    if near:
        return f"{store_url(args)} has no {file.table}, but {listed(near, len(near))}"
    return f"{store_url(args)} has no {file.table}"


def note_of(args: Namespace) -> str:
    """Return the note of a report without a base."""
    if args.alone:
        return ALONE
    return "judged as a new table: nothing was compared"


# ---------------------------------------------------------------- refusals


def _ways(file: TableFile, args: Namespace) -> str:
    """Write the options by which a line goes on without a base; of several files, for this one."""
    return f"--alone to judge the file by itself, or {new_option(file, args)} where there is no such table yet"


def new_option(file: TableFile, args: Namespace) -> str:
    """Return --new as it is typed for one file of a line."""
    if _is_one_file(args):
        return "--new"
    return f"--new {shlex.quote(file.table)}"


def _is_one_file(args: Namespace) -> bool:
    """Return whether a line names one file, and no folder."""
    objects = getattr(args, "objects", ())
    return len(objects) <= 1 and not any(map(local_io.is_folder, objects))


def _not_new(file: TableFile, source: str, args: Namespace) -> AlreadyThereError:
    fix = "Leave --new out to compare the file with it."
    if all_are_new(args) and not _is_one_file(args):
        fix = "Leave --new out to compare the file with it; name the tables that are new one by one, --new TABLE."
    return AlreadyThereError(f"{file.table} is in {store_url(args)} already.", code="cli.not-new", path=source, fix=fix)


def _no_store(file: TableFile, source: str, args: Namespace) -> NotThereError:
    message = f"no store is named, so there is nothing to compare {file.table} with."
    files = "--base FILE to compare it with a file" if args.command == "plan" else "OLD and NEW to compare two files"
    fix = f"Pass --store URL or --conn ID to compare it with its table, {files}, {_ways(file, args)}."
    return NotThereError(message, code="cli.no-base", path=source, fix=fix)


def _no_table(file: TableFile, source: str, args: Namespace) -> NotThereError:
    store = open_store.store(args)
    if not any(store.tables(database) for database in store.databases()):
        return _no_tables(file, source, args)
    message = f"there is no table {file.table} in {store_url(args)}."
    hint = missing_tables.hint(store, file.table)
    fix = f"{hint} Mend the name in the file if it is misspelled; else pass {_ways(file, args)}.".lstrip()
    return NotThereError(message, code="table.not-there", path=source, fix=fix)


def _no_tables(file: TableFile, source: str, args: Namespace) -> NotThereError:
    message = f"there are no tables in {store_url(args)}, so there is nothing to compare {file.table} with."
    fix = f"Pass the address of the store with --store URL or --conn ID if it is another one; else pass {_ways(file, args)}."
    return NotThereError(message, code="cli.no-base", path=source, fix=fix)


def _no_warehouse(file: TableFile, source: str, args: Namespace) -> NotThereError:
    message = f"{store_url(args)} is not there, so there is nothing to compare {file.table} with."
    fix = f"Mount it, or pass another address with --store URL or --conn ID. Else pass {_ways(file, args)}."
    return NotThereError(message, code="cli.no-base", path=source, fix=fix)
