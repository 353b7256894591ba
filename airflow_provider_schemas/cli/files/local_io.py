"""Plain files of this machine, and standard input: read and written whole, with sentences for what goes wrong."""

import sys
from pathlib import Path

from airflow_provider_schemas.cli.arguments.table_name import STDIN
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import NotThereError, SchemaError, StorageError

MAX_BYTES = 64 * 1024 * 1024


def read(name: str) -> bytes:
    """The bytes of a file, or of standard input."""
    try:
        data = sys.stdin.buffer.read(MAX_BYTES + 1) if name == STDIN else _bytes(name)
    except FileNotFoundError:
        raise NotThereError(f"there is no file {shown(name)}.", code="cli.no-file", fix="Check the path.") from None
    except IsADirectoryError:
        message = f"{shown(name)} is a folder."
        raise StorageError(message, code="cli.folder", fix="Name a file in it, or open a warehouse with --store.") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise StorageError(
            f"{shown(name)} cannot be read: {reason}.", code="cli.unreadable", fix="Check the path and its rights."
        ) from None
    if len(data) > MAX_BYTES:
        message = f"{shown(name)} has more than {MAX_BYTES:,} bytes."
        raise StorageError(message, code="cli.too-large", fix="No schema, plan or policy is that large: check the path.")
    return data


def _bytes(name: str) -> bytes:
    with Path(name).open("rb") as file:
        return file.read(MAX_BYTES + 1)


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
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise StorageError(f"{shown(name)} cannot be written: {reason}.", code="cli.unwritable", fix="Name another file.") from None
