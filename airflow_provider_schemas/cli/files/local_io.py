"""Plain files of this machine, and standard input: read and written whole, with sentences for what goes wrong."""

import sys
from pathlib import Path

from airflow_provider_schemas.cli.arguments.table_name import STDIN
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import NotThereError, SchemaError, StorageError

MAX_BYTES = 64 * 1024 * 1024
STANDARD_INPUT = "standard input"
_PIPE = "Pipe a file into the command, or name the file."


def label(name: str) -> str:
    """What people call a file: its name, or standard input."""
    return STANDARD_INPUT if name == STDIN else name


def read(name: str) -> bytes:
    """The bytes of a file, or of standard input."""
    data = _of_stdin() if name == STDIN else _of_file(name)
    if len(data) > MAX_BYTES:
        what = STANDARD_INPUT if name == STDIN else shown(name)
        message = f"{what} has more than {MAX_BYTES:,} bytes."
        raise StorageError(message, code="cli.too-large", fix="No schema, plan or policy is that large: check the path.")
    return data


def _of_stdin() -> bytes:
    """The bytes of standard input; an error of its own for one that is closed, cannot be read or holds nothing."""
    if sys.stdin is None:  # how Python shows that nobody opened it
        raise StorageError(f"{STANDARD_INPUT} is closed.", code="cli.no-stdin", fix=_PIPE)
    try:
        data = sys.stdin.buffer.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        message = f"{STANDARD_INPUT} cannot be read: {_reason(error)}."
        raise StorageError(message, code="cli.unreadable", fix=_PIPE) from None
    if not data.strip():
        fix = "Look at what the command before the pipe wrote to standard error: it may have failed."
        raise StorageError(f"there is nothing on {STANDARD_INPUT}.", code="cli.empty-stdin", fix=fix)
    return data


def _reason(error: OSError | ValueError) -> str:
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)


def _of_file(name: str) -> bytes:
    try:
        with Path(name).open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise NotThereError(f"there is no file {shown(name)}.", code="cli.no-file", fix="Check the path.") from None
    except IsADirectoryError:
        message = f"{shown(name)} is a folder."
        raise StorageError(message, code="cli.folder", fix="Name a file in it; check takes the folder of table files as well.") from None
    except (OSError, ValueError) as error:
        message = f"{shown(name)} cannot be read: {_reason(error)}."
        raise StorageError(message, code="cli.unreadable", fix="Check the path and its rights.") from None


def exists(name: str) -> bool:
    """Whether there is a file, or something else, of this name."""
    try:
        return Path(name).exists()
    except (OSError, ValueError):
        return False


def is_folder(name: str) -> bool:
    """Whether there is a folder of this name."""
    try:
        return Path(name).is_dir()
    except (OSError, ValueError):
        return False


def write(name: str, text: str) -> None:
    """Write a file."""
    if name == STDIN:
        fix = "Name a file, or leave the option out: then it goes to standard output."
        raise SchemaError(f"{name} is standard input, and no file to write.", code="cli.unwritable", fix=fix)
    try:
        Path(name).write_text(text, "utf-8")
    except (OSError, ValueError) as error:
        raise StorageError(f"{shown(name)} cannot be written: {_reason(error)}.", code="cli.unwritable", fix="Name another file.") from None
