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
    """Return what messages call a file: its name, or standard input."""
    return STANDARD_INPUT if name == STDIN else name


def path_of(name: str) -> str:
    """Return the path of a file; empty for standard input, which has none."""
    return "" if name == STDIN else name


def read(name: str) -> bytes:
    """Return the bytes of a file, or of standard input."""
    if name == STDIN:
        return _limited(_read_stdin(), STANDARD_INPUT)
    return _limited(_read_file(name), shown(name))


def _limited(data: bytes, subject: str) -> bytes:
    if len(data) > MAX_BYTES:
        message = f"{subject} has more than {MAX_BYTES:,} bytes."
        raise StorageError(message, code="cli.too-large", fix="No schema, plan or policy is that large: check the path.")
    return data


def _read_stdin() -> bytes:
    """Return the bytes of standard input; raise an error of its own where it is closed, unreadable or empty."""
    if sys.stdin is None:  # Python's value for a stream that is closed
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
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error)


def _read_file(name: str) -> bytes:
    try:
        with Path(name).open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise NotThereError(f"there is no file {shown(name)}.", code="cli.no-file", fix="Check the path.") from None
    except IsADirectoryError:
        message = f"{shown(name)} is a folder."
        raise StorageError(message, code="cli.folder", fix="Name the files in it; check takes the folder itself, too.") from None
    except (OSError, ValueError) as error:
        message = f"{shown(name)} cannot be read: {_reason(error)}."
        raise StorageError(message, code="cli.unreadable", fix="Check the path and its rights.") from None


def exists(name: str) -> bool:
    """Return whether a file, a folder or a device has this name."""
    try:
        return Path(name).exists()
    except (OSError, ValueError):
        return False


def is_folder(name: str) -> bool:
    """Return whether a folder has this name."""
    try:
        return Path(name).is_dir()
    except (OSError, ValueError):
        return False


def write(name: str, text: str) -> None:
    """Write a text into a file."""
    if name == STDIN:
        fix = "Name a file, or leave the option out: then it goes to standard output."
        raise SchemaError(f"{name} is standard input, and no file to write.", code="cli.unwritable", fix=fix)
    try:
        Path(name).write_text(text, "utf-8")
    except (OSError, ValueError) as error:
        raise StorageError(f"{shown(name)} cannot be written: {_reason(error)}.", code="cli.unwritable", fix="Name another file.") from None
