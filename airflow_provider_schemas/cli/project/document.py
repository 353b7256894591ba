"""The text of a project file: read within a limit, as TOML, with the lines on which its keys stand."""

import os
import re
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from airflow_provider_schemas.errors import SchemaError, StorageError

OWN_FILE: Final = "schemas.toml"
SHARED_FILE: Final = "pyproject.toml"
SECTION: Final = "airflow-schemas"
MAX_BYTES: Final = 1024 * 1024
WITHOUT: Final = "Correct it, or pass --no-project to do without the project file."

_LINE_OF_FAULT: Final = re.compile(r" \(at (?:line (?P<line>\d+), column \d+|end of document)\)")
_HEADER: Final = re.compile(r"\s*\[\[?\s*(?P<name>[^\]]+?)\s*\]\]?\s*(?:#.*)?")
_KEY: Final = re.compile(r"""\s*(?P<key>"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)\s*[.=]""")


class ProjectDocument(NamedTuple):
    """The settings of a project file as plain values, and where they stand."""

    values: Mapping[str, Any]
    lines: Mapping[str, int]
    """The line of each key at the top."""


def label(path: str) -> str:
    """Return the path as messages show it: from the current folder."""
    try:
        return os.path.relpath(path)
    except (OSError, ValueError):  # the current folder is gone
        return path


# ---------------------------------------------------------------- bytes


def read_bytes(path: str) -> bytes:
    """Return the bytes of a project file. What is no plain file is refused before it is read: a pipe would never end."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise _unreadable(path, "is no plain file")
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, SchemaError):
            raise
        raise _unreadable(path, f"cannot be read: {_reason(error, path)}") from None
    if len(data) > MAX_BYTES:
        raise _unreadable(path, f"has more than {MAX_BYTES:,} bytes")
    return data


def _reason(error: OSError | ValueError, path: str) -> str:
    if isinstance(error, FileNotFoundError) and Path(path).is_symlink():
        return "it is a link to what is not there"
    return getattr(error, "strerror", None) or str(error)


def _unreadable(path: str, why: str) -> StorageError:
    message = f"the project file {label(path)} {why}."
    return StorageError(message, code="project.unreadable", path=label(path), fix=WITHOUT)


# ---------------------------------------------------------------- TOML


def may_have_section(data: bytes) -> bool:
    """Return whether a pyproject.toml may have our section; most have not, and TOML is not loaded for them."""
    return SECTION.encode() in data


def has_section(data: bytes) -> bool:
    """Return whether a pyproject.toml has our section; one that cannot be read may have it."""
    if not may_have_section(data):
        return False
    try:
        tool = parse(data, SHARED_FILE).get("tool")
    except SchemaError:
        return True
    return isinstance(tool, dict) and SECTION in tool


def parse(data: bytes, name: str) -> dict[str, Any]:
    """Read a whole text as TOML."""
    import tomllib

    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _not_toml(f"{name}:{line}", "it is not UTF-8") from None
    except RecursionError:
        raise _not_toml(name, "it is nested too deeply") from None
    except ValueError as error:
        place = _LINE_OF_FAULT.search(str(error))
        line = int(place["line"]) if place and place["line"] else data.rstrip().count(b"\n") + 1
        raise _not_toml(f"{name}:{line}", _LINE_OF_FAULT.sub("", str(error)).rstrip(".")) from None


def _not_toml(where: str, why: str) -> SchemaError:
    return SchemaError(f"this is no TOML: {why}.", code="project.syntax", path=where, fix=WITHOUT)


def read_document(data: bytes, path: str) -> ProjectDocument:
    """Return the settings in the text of a project file: all of schemas.toml, one section of pyproject.toml."""
    name = label(path)
    values = parse(data, name)
    section = ""
    if os.path.basename(path) == SHARED_FILE:  # noqa: PTH119  # a text, and no file is asked for
        section = f"tool.{SECTION}"
        values = values.get("tool", {}).get(SECTION, {})
    if not isinstance(values, dict):
        raise _not_toml(name, f"[{section}] is not a table")
    return ProjectDocument(values, _lines(data.decode("utf-8-sig"), section))


def _lines(text: str, section: str) -> dict[str, int]:
    """Return the line on which each key of a section begins; of a table that has a header, the line of the header."""
    lines: dict[str, int] = {}
    inside = not section
    for number, line in enumerate(text.split("\n"), 1):
        header = _HEADER.fullmatch(line.rstrip())
        if header is not None:
            name = re.sub(r"[\s\"']", "", header["name"])
            inside = name == section
            own = name.removeprefix(f"{section}.") if section else name
            if own != name or not section:
                lines.setdefault(own.partition(".")[0], number)
        elif inside and (key := _KEY.match(line)):
            lines.setdefault(key["key"].strip("\"'"), number)
    return lines
