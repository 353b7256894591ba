"""Whether a file lies below a folder: by whole folders, after links and `..` are followed, in every spelling of an address."""

import os
import re
from pathlib import PurePath
from typing import NamedTuple
from urllib.parse import unquote

from airflow_provider_schemas.store.storage.guarantees import one_name

_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://(.*)", re.DOTALL)
_WEB = frozenset({"http", "https"})
_FILE = "file"
# In the addresses of Azure the name of a container stands where others have a user, who does not belong to the location.
_WITH_CONTAINER = frozenset({"abfs", "wasb", "wasbs"})
# Characters that libraries read differently: a host could hide behind them.
_AMBIGUOUS = re.compile(r"[\x00-\x20\x7f\\]")
_END_OF_AUTHORITY = re.compile(r"[/?#]")
# fsspec reads what stands behind it as another address.
_CHAIN = "::"
_MAX_DECODED = 5


class FileLocation(NamedTuple):
    """Where an address leads: a storage, a host or bucket, and the folders on the way. A file on a disk is named without links."""

    scheme: str
    authority: str
    parts: tuple[str, ...]

    def is_below(self, folder: "FileLocation") -> bool:
        """Return whether this is the folder itself, or lies in it."""
        if (self.scheme, self.authority) != (folder.scheme, folder.authority):
            return False
        return self.parts[: len(folder.parts)] == folder.parts

    @property
    def is_local(self) -> bool:
        """Return whether it is a file on a disk."""
        return self.scheme == _FILE

    @property
    def is_web(self) -> bool:
        """Return whether a web server gives it."""
        return self.scheme in _WEB

    @property
    def path(self) -> str:
        """Return the path on a disk."""
        return str(PurePath(*self.parts))

    @property
    def folder(self) -> str:
        """Return the address of the folder in which this lies, as an administrator writes it."""
        above = self.parts[:-1]
        if self.is_local:
            return str(PurePath(*(above or self.parts)))
        return f"{self.scheme}://{'/'.join((self.authority, *above))}/"


def is_web(address: str) -> bool:
    """Return whether a web server is asked for an address."""
    url = _URL.fullmatch(address)
    return url is not None and url[1].lower() in _WEB


def locate(address: str) -> FileLocation | None:
    """Return where an address leads; None if libraries may read it differently, or if it climbs out of its folder."""
    url = _URL.fullmatch(address)
    if url is None:
        return _locate_on_disk(address)
    scheme = one_name(url[1].lower())
    if scheme == _FILE:
        return _locate_on_disk(url[2])
    return _locate_elsewhere(scheme, url[2])


def _locate_on_disk(path: str) -> FileLocation | None:
    """Return the location of a file, found as a read finds it: from the working folder, with a home for `~`, behind all links."""
    try:
        real = os.path.realpath(os.path.abspath(os.path.expanduser(path)))  # noqa: PTH100, PTH111  # as LocalFiles reads it
    except (OSError, ValueError):
        return None
    return FileLocation(_FILE, "", PurePath(real).parts)


def _locate_elsewhere(scheme: str, rest: str) -> FileLocation | None:
    """Return the location of a file that another machine holds."""
    before_query = rest
    if scheme in _WEB:
        before_query = re.split(r"[?#]", rest, maxsplit=1)[0]
    if _AMBIGUOUS.search(before_query) or _CHAIN in rest:
        return None
    end = _END_OF_AUTHORITY.search(before_query)
    cut = end.start() if end else len(before_query)
    authority = before_query[:cut].lower()
    path = before_query[cut:]
    user, _, host = authority.rpartition("@")
    if scheme not in _WITH_CONTAINER or ":" in user:
        authority = host
    if _climbs(path):
        return None
    folders = path.removeprefix("/").rstrip("/")
    parts = tuple(folders.split("/")) if path.strip("/") else ()
    return FileLocation(scheme, authority, parts)


def _climbs(path: str) -> bool:
    """Return whether a path holds a step upwards, however it is encoded."""
    for _ in range(_MAX_DECODED):
        steps = re.split(r"[/\\]", path)
        if any(step.partition(";")[0].strip() in (".", "..") for step in steps):
            return True
        decoded = unquote(path)
        if decoded == path:
            return False
        path = decoded
    return True
