"""Check and normalize addresses of data that tables name: a URL, or a path from the root, since readers work in any folder."""

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
_LOCAL_SCHEMES: Final = ("file", "local")
_PARTS: Final = re.compile(r"(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.-]+):(?=/)(?P<host>//[^/]*)?)?(?P<path>.*)", re.DOTALL)
# Where two slashes are one. An object store keeps another object behind each.
_FILE_SYSTEMS: Final = frozenset({None, *_LOCAL_SCHEMES, "hdfs", "viewfs"})


def trimmed(location: str) -> str:
    """Return a location without blanks around it and slashes at its end, its scheme in small letters."""
    text = with_small_scheme(location.strip())
    short = text.rstrip("/")
    return text if not short or short.endswith(":") else short


def with_small_scheme(location: str) -> str:
    """Return a URL with its scheme in small letters: no storage is opened by another spelling."""
    if not _URL.fullmatch(location):
        return location
    scheme, mark, rest = location.partition("://")
    return f"{scheme.lower()}{mark}{rest}"


def normal(location: str) -> str:
    """Return a location without empty steps, `.` and `..`, as Spark spells it."""
    parts = _PARTS.fullmatch(location)
    path = "" if parts is None else parts["path"]
    if parts is None or not path:
        return location
    short = posixpath.normpath(path)
    if path.startswith("/"):
        short = f"/{short.lstrip('/')}"
    return location[: parts.start("path")] + short


def spellings(location: str) -> tuple[str, ...]:
    """Return the addresses that a location may mean: as readers spell it, and where the links of a disk lead."""
    scheme = _find_scheme(location)
    short = normal(location)
    if scheme not in _FILE_SYSTEMS:
        return tuple(dict.fromkeys((trimmed(location), short)))
    if scheme is None or scheme in _LOCAL_SCHEMES:
        return tuple(dict.fromkeys((short, _follow_links(short))))
    return (short,)


def _find_scheme(location: str) -> str | None:
    parts = _PARTS.fullmatch(location)
    if parts is None or not parts["scheme"]:
        return None
    return parts["scheme"].lower()


def _follow_links(location: str) -> str:
    """Return the location with every link of this disk followed."""
    parts = _PARTS.fullmatch(location)
    if parts is None or not parts["path"].startswith("/"):
        return location
    try:
        return location[: parts.start("path")] + os.path.realpath(parts["path"])
    except (OSError, ValueError):  # a name that no disk has
        return location


def is_absolute(location: str) -> bool:
    """Return whether a location means the same folder, wherever the program runs."""
    url = _URL.fullmatch(location)
    if url is None:
        return location.startswith("/")
    return url["scheme"].lower() not in _LOCAL_SCHEMES or url["rest"].startswith("/")


def check_location(location: str, *, handed_in: bool = False) -> None:
    """Raise a FormatError if an address of data holds control characters, a password or a token, or if it is relative.

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
    """Return the error about a location that means another folder on each machine."""
    one_slash = _ONE_SLASH.fullmatch(location)
    if one_slash is not None:
        scheme = location.partition(":")[0].lower()
        rest = f"/{one_slash['rest']}" if scheme in _LOCAL_SCHEMES else one_slash["rest"]
        message = f"{shown(location)} has one slash behind its colon."
        return FormatError(message, code="table.relative-location", path="location", fix=f"Write {scheme}://{rest}.")
    message = f"{shown(location)} is relative: whoever reads the table is at work in another folder."
    fix = "Write the whole path, such as /lake/orders, or a URL, such as s3://bucket/orders."
    return FormatError(message, code="table.relative-location", path="location", fix=fix)
