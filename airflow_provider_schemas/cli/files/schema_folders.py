"""Folders of table files: the files in them, as if each had been named."""

from collections.abc import Sequence
from pathlib import Path

from airflow_provider_schemas.cli.files import local_io
from airflow_provider_schemas.cli.files.schema_files import kind_of, may_be_table_file
from airflow_provider_schemas.errors import Fault, SchemaError

_SUFFIXES = (".yaml", ".yml")
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
        if not local_io.is_folder(name) or _is_chain(name):
            files.append(name)
            continue
        try:
            files += _files_in(name, left_out)
        except SchemaError as error:
            faults += error.faults
    return files, faults


def _is_chain(folder: str) -> bool:
    from airflow_provider_schemas.cli.files.odf_files import is_chain

    return is_chain(folder)


def _files_in(folder: str, left_out: Sequence[str]) -> list[str]:
    """Return the table files of a folder, and the files that cannot be read: those may be table files."""
    try:
        paths = [
            path for path in sorted(Path(folder).rglob("*"))[:_MAX_PATHS] if path.suffix.lower() in _SUFFIXES and _is_seen(path, folder)
        ]
    except OSError as error:
        message = f"the folder cannot be read: {error.strerror or error}."
        raise SchemaError(message, code="cli.unreadable", path=folder, fix="Check the path and its rights.") from None
    if left_out:
        paths = [path for path in paths if not any(map(path.absolute().is_relative_to, left_out))]
    files = [str(path) for path in paths if path.is_file() and _may_be_table_file(str(path))]
    if not files:
        message = "there is no table file in this folder."
        fix = "Name a folder with table files (*.yaml), the files themselves, or a warehouse with --store."
        raise SchemaError(message, code=NO_FILES, path=folder, fix=fix)
    return files


def _is_seen(path: Path, folder: str) -> bool:
    """Return whether neither the file nor a folder above it is hidden."""
    return not any(part.startswith(".") for part in path.relative_to(folder).parts)


def _may_be_table_file(name: str) -> bool:
    try:
        data = local_io.read(name)
    except SchemaError:
        return True
    return kind_of(data, name) == "table-file" and may_be_table_file(data)
