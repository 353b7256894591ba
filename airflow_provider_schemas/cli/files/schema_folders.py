"""Folders of table files: the files in them, as if each had been named."""

import os
from collections.abc import Sequence
from pathlib import Path

from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.files.schema_files import kind_of, may_be_table_file
from airflow_provider_schemas.errors import Fault, SchemaError

SUFFIXES = (".yaml", ".yml")
_MAX_PATHS = 10_000
# The code of a folder without table files.
NO_FILES = "cli.folder"


def table_files(names: Sequence[str], left_out: Sequence[str] = ()) -> tuple[list[str], list[Fault]]:
    """Return the names, those of folders replaced by the table files in them; and faults of folders that have none.

    Folders that are left out, and what is below them, belong to others; they are absolute.
    """
    files: list[str] = []
    faults: list[Fault] = []
    for name in names:
        if not local_io.is_folder(name) or is_chain(name):
            files.append(name)
            continue
        try:
            files += _files_in(name, left_out)
        except SchemaError as error:
            faults += error.faults
    return files, faults


def is_chain(folder: str) -> bool:
    """Return whether a folder is the chain of a dataset of ODF."""
    from airflow_provider_schemas.cli.files import odf_files

    return odf_files.is_chain(folder)


def _files_in(folder: str, left_out: Sequence[str]) -> list[str]:
    """Return the table files of a folder, and the files that cannot be read: those may be table files."""
    try:
        paths = _yaml_files_in(folder, left_out)
    except OSError as error:
        message = f"the folder cannot be read: {error.strerror or error}."
        raise SchemaError(message, code="cli.unreadable", path=folder, fix="Check the path and its rights.") from None
    files = [str(path) for path in paths if path.is_file() and _may_be_table_file(str(path))]
    if not files:
        message = "there is no table file in this folder."
        fix = "Name a folder with table files (*.yaml), the files themselves, or a warehouse with --store."
        raise SchemaError(message, code=NO_FILES, path=folder, fix=fix)
    return files


def _yaml_files_in(folder: str, left_out: Sequence[str]) -> list[Path]:
    """Return the YAML files that are not hidden, and in no hidden folder, by path; refuse more than anyone keeps by hand."""
    paths: list[Path] = []
    for top, folders, names in os.walk(folder, onerror=_raise):
        folders[:] = [name for name in folders if not name.startswith(".") and _place(top, name) not in left_out]
        paths += [Path(top, name) for name in names if name.lower().endswith(SUFFIXES) and not name.startswith(".")]
        if len(paths) > _MAX_PATHS:
            message = f"there are more than {_MAX_PATHS:,} files *.yaml in it, and none was looked at."
            raise SchemaError(message, code="cli.too-large", path=folder, fix="Name the folders of table files.")
    return sorted(paths)


def _place(top: str, name: str) -> str:
    return os.path.abspath(f"{top}/{name}")  # noqa: PTH100  # Path.absolute keeps what `..` leads out of


def _raise(error: OSError) -> None:
    raise error


def _may_be_table_file(name: str) -> bool:
    try:
        data = local_io.read(name)
    except SchemaError:
        return True
    return kind_of(data, name) == "table-file" and may_be_table_file(data)
