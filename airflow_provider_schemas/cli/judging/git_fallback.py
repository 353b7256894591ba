"""Lines that say nothing of a base: whether git has one for their files. Two files of one table are OLD and NEW."""

from argparse import Namespace
from collections.abc import Sequence

from airflow_provider_schemas.cli.arguments.table_name import STDIN, looks_like_a_file
from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.files.file_kinds import FileKind, kind_of_text, table_in
from airflow_provider_schemas.cli.files.schema_folders import SUFFIXES, is_chain, table_files
from airflow_provider_schemas.errors import SchemaError

_UNKNOWN = ""


def stands_for(args: Namespace) -> bool:
    """Return whether a line without --git and without a base is compared with git: table files that lie in a work tree."""
    names = args.objects
    if not names or not all(_may_lie_in_git(name) for name in names) or _is_pair(names):
        return False
    # Loading what runs git takes as long as judging two files.
    from airflow_provider_schemas.cli.git import selection

    return all(selection.repository_of(name) is not None for name in names)


def _may_lie_in_git(name: str) -> bool:
    """Return whether an argument is a folder, or the name of a file that is, or was, a table file or the file of a job."""
    if name == STDIN:
        return False
    if local_io.is_folder(name):
        return not is_chain(name)
    if not name.lower().endswith(SUFFIXES):
        return False
    if not local_io.exists(name):
        return looks_like_a_file(name)
    return _kind_on_disk(name) in (FileKind.TABLE, FileKind.CONTRACT)


def _kind_on_disk(name: str) -> FileKind:
    try:
        return kind_of_text(local_io.read(name), name)
    except SchemaError:
        return FileKind.OTHER


def _is_pair(names: Sequence[str]) -> bool:
    """Return whether a line names OLD and NEW: two arguments with files about one table, or about any that cannot be told."""
    if len(names) != 2:
        return False
    first, second = (_tables_of(name) for name in names)
    return _UNKNOWN in first | second or not first.isdisjoint(second)


def _tables_of(name: str) -> set[str]:
    """Return the tables of the files of an argument, as far as they can be told."""
    files = table_files([name])[0] if local_io.exists(name) else ()
    tables: set[str] = set()
    for file in files:
        try:
            data = local_io.read(file)
        except SchemaError:
            return {_UNKNOWN}
        if kind_of_text(data, file) is FileKind.TABLE:
            tables.add(table_in(data))
    return tables
