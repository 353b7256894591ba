"""Whether a file lies below a folder: by whole folders, after links and `..` are followed, in whatever spelling an address has."""

import os
import re
from pathlib import PurePath
from typing import NamedTuple
from urllib.parse import unquote

from airflow_provider_schemas.store.storage.guarantees import one_name

_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://(.*)", re.DOTALL)
_WEB = frozenset({"http", "https"})
_FILE = "file"
# In the addresses of Azure the name of a container stands where others have a user, who is no part of the place.
_WITH_CONTAINER = frozenset({"abfs", "wasb", "wasbs"})
# Characters that libraries read differently: a host could hide behind them.
_AMBIGUOUS = re.compile(r"[\x00-\x20\x7f\\]")
_END_OF_AUTHORITY = re.compile(r"[/?#]")
# fsspec reads what stands behind it as another address.
_CHAIN = "::"
_MOST_DECODED = 5


class Place(NamedTuple):
    """Where an address leads: a storage, a host or bucket, and the folders on the way. A file on a disk is named without links."""

    scheme: str
    authority: str
    parts: tuple[str, ...]

    def is_below(self, folder: "Place") -> bool:
        """Whether this is the folder itself, or lies in it."""
        if (self.scheme, self.authority) != (folder.scheme, folder.authority):
            return False
        return self.parts[: len(folder.parts)] == folder.parts

    @property
    def is_local(self) -> bool:
        """Whether it is a file on a disk."""
        return self.scheme == _FILE

    @property
    def is_web(self) -> bool:
        """Whether a web server gives it."""
        return self.scheme in _WEB

    @property
    def path(self) -> str:
        """The path on a disk."""
        return str(PurePath(*self.parts))

    @property
    def folder(self) -> str:
        """The address of the folder in which this lies, as an administrator writes it."""
        above = self.parts[:-1]
        if self.is_local:
            return str(PurePath(*above)) if above else self.path
        return f"{self.scheme}://{'/'.join((self.authority, *above))}/"


def is_web(address: str) -> bool:
    """Whether a web server is asked for an address."""
    found = _URL.fullmatch(address)
    return found is not None and found[1].lower() in _WEB


def place_of(address: str) -> Place | None:
    """Return where an address leads; None if libraries may read it differently, or if it climbs out of its folder."""
    found = _URL.fullmatch(address)
    if found is None:
        return _on_disk(address)
    scheme, rest = one_name(found[1].lower()), found[2]
    if scheme == _FILE:
        return _on_disk(rest)
    return _elsewhere(scheme, rest)


def _on_disk(path: str) -> Place | None:
    """The place of a file, found as a read finds it: from the working folder, with a home for `~`, behind all links."""
    try:
        real = os.path.realpath(os.path.abspath(os.path.expanduser(path)))  # noqa: PTH100, PTH111  # as LocalFiles reads it
    except (OSError, ValueError):
        return None
    return Place(_FILE, "", PurePath(real).parts)


def _elsewhere(scheme: str, rest: str) -> Place | None:
    """The place of a file that another machine holds."""
    before_query = re.split(r"[?#]", rest, maxsplit=1)[0] if scheme in _WEB else rest
    if _AMBIGUOUS.search(before_query) or _CHAIN in rest:
        return None
    end = _END_OF_AUTHORITY.search(before_query)
    cut = end.start() if end else len(before_query)
    authority, path = before_query[:cut].lower(), before_query[cut:]
    user, _, host = authority.rpartition("@")
    if scheme not in _WITH_CONTAINER or ":" in user:
        authority = host
    if _climbs(path):
        return None
    return Place(scheme, authority, tuple(path.removeprefix("/").rstrip("/").split("/")) if path.strip("/") else ())


def _climbs(path: str) -> bool:
    """Whether a path holds a step upwards, however it is encoded."""
    for _ in range(_MOST_DECODED):
        steps = re.split(r"[/\\]", path)
        if any(step.partition(";")[0].strip() in (".", "..") for step in steps):
            return True
        decoded = unquote(path)
        if decoded == path:
            return False
        path = decoded
    return True
