"""The address of data that a table names: a URL, or a path from the root, since whoever reads it may be at work in any folder."""

import os
import posixpath
import re
import unicodedata
from typing import Final

from airflow_provider_schemas.core.common.secrets import without_credentials, without_passwords
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import FormatError

# Control characters, separators of lines and halves of characters.
_CONTROL: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})
_URL: Final = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<rest>.+)", re.DOTALL)
_ONE_SLASH: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/(?!/)(?P<rest>.*)", re.DOTALL)
_OF_A_DISK: Final = ("file", "local")
_PARTS: Final = re.compile(r"(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.-]+):(?=/)(?P<host>//[^/]*)?)?(?P<path>.*)", re.DOTALL)
# Where two slashes are one. An object store keeps another object behind each.
_FILE_SYSTEMS: Final = frozenset({None, *_OF_A_DISK, "hdfs", "viewfs"})


def trimmed(location: str) -> str:
    """Return a location without blanks around it and slashes at its end, its scheme in small letters."""
    text = with_small_scheme(location.strip())
    short = text.rstrip("/")
    return text if not short or short.endswith(":") else short


def with_small_scheme(location: str) -> str:
    """Return a URL with its scheme in small letters: no storage is opened by another spelling."""
    scheme, mark, rest = location.partition("://")
    return f"{scheme.lower()}{mark}{rest}" if mark and _URL.fullmatch(location) else location


def normal(location: str) -> str:
    """Return a location without empty steps, `.` and `..`, as Spark spells it."""
    parts = _PARTS.fullmatch(location)
    path = "" if parts is None else parts["path"]
    if parts is None or not path:
        return location
    short = posixpath.normpath(path)
    return location[: parts.start("path")] + (f"/{short.lstrip('/')}" if path.startswith("/") else short)


def spellings(location: str) -> tuple[str, ...]:
    """Return the addresses that a location may mean: as readers spell it, and where the links of a disk lead."""
    parts = _PARTS.fullmatch(location)
    scheme = parts["scheme"].lower() if parts is not None and parts["scheme"] else None
    short = normal(location)
    if scheme not in _FILE_SYSTEMS:
        return tuple(dict.fromkeys((trimmed(location), short)))
    return tuple(dict.fromkeys((short, _resolved(short) if scheme in (None, *_OF_A_DISK) else short)))


def _resolved(location: str) -> str:
    """The location with every link of this disk followed."""
    parts = _PARTS.fullmatch(location)
    if parts is None or not parts["path"].startswith("/"):
        return location
    try:
        return location[: parts.start("path")] + os.path.realpath(parts["path"])
    except (OSError, ValueError):  # a name that no disk has
        return location


def is_absolute(location: str) -> bool:
    """Whether a location means the same folder, wherever the program runs."""
    url = _URL.fullmatch(location)
    if url is None:
        return location.startswith("/")
    return url["scheme"].lower() not in _OF_A_DISK or url["rest"].startswith("/")


def check_location(location: str, *, handed_in: bool = False) -> None:
    """FormatError if an address of data holds what no address holds, a password or a token, or if it is relative.

    On a filesystem that was handed in, every path is one from its root.
    """
    if any(unicodedata.category(letter) in _CONTROL for letter in location):
        message = f"{shown(without_passwords(location))} is no location of data: it holds a control character."
        raise FormatError(message, code="table.no-location", path="location", fix="Pass the address of its folder.")
    if without_passwords(location) != location:
        message = f"{without_credentials(location)} holds a password, and versions are kept for ever."
        raise FormatError(message, code="table.secret", path="location", fix="Leave it out; the connection has it.")
    if not handed_in and not is_absolute(trimmed(location)):
        raise _relative(trimmed(location))


def _relative(location: str) -> FormatError:
    """The error about a location that means another folder on each machine."""
    one_slash = _ONE_SLASH.fullmatch(location)
    if one_slash is not None:
        scheme = location.partition(":")[0].lower()
        rest = f"/{one_slash['rest']}" if scheme in _OF_A_DISK else one_slash["rest"]
        message, fix = f"{shown(location)} has one slash behind its colon.", f"Write {scheme}://{rest}."
        return FormatError(message, code="table.relative-location", path="location", fix=fix)
    message = f"{shown(location)} is relative: whoever reads the table is at work in another folder."
    fix = "Write the whole path, such as /lake/orders, or a URL, such as s3://bucket/orders."
    return FormatError(message, code="table.relative-location", path="location", fix=fix)
