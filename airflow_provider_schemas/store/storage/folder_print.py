"""What changes when any file of a folder does: a digest of a listing, without reading a file.

On a disk it is made of names, inodes, sizes, and of the times of the content and of the inode, which nobody sets at will. Of other storages
it is made of the tags that their listings show.
"""

import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.storage.files import Files, ListingEntry
from airflow_provider_schemas.store.storage.local import LocalFiles

_BYTES = 16
# The time of the inode is another one after any change, and nobody sets it.
_TOLD = attrgetter("st_ctime_ns", "st_mtime_ns", "st_size", "st_ino")
Times = list[tuple[Any, Any, Any, Any]]


class FolderPrint(NamedTuple):
    """The digest, and when the last of the files was changed, in seconds since 1970."""

    digest: bytes
    changed: float


def folder_print(files: Files, folder: str = "", *, deep: bool = False) -> FolderPrint | None:
    """The print of a folder, or of all that lies below it; None where a listing does not tell whether a file has changed."""
    try:
        if isinstance(files, LocalFiles):
            return _of_disk(f"{files.root}/{folder}" if folder else files.root, deep)
        return _of_tags(files, folder, deep)
    except (OSError, ValueError, SchemaError):
        return None


def together(prints: Sequence[FolderPrint | None]) -> FolderPrint | None:
    """The print of several folders; None if one of them has none."""
    known = [one for one in prints if one is not None]
    if len(known) < len(prints):
        return None
    if len(known) == 1:
        return known[0]
    return FolderPrint(_digest("", [one.digest for one in known]), max(one.changed for one in known))


def _of_disk(folder: str, deep: bool) -> FolderPrint:
    found: list[tuple[bytes, bytes, Times]] = []
    changed = 0
    waiting: list[tuple[str, frozenset[tuple[int, int]]]] = [(folder, frozenset())]
    while waiting:
        inside, above = waiting.pop()
        inode, names, about = _looked_up(inside)
        if inode in above:  # a link to a folder in which it lies
            continue
        if deep:
            folders = [name for name, one in zip(names, about, strict=True) if stat.S_ISDIR(one.st_mode)]
            waiting += [(f"{inside}/{name}", above | {inode}) for name in folders]
        times = list(map(_TOLD, about))
        if times:
            changed = max(changed, max(times)[0])
        found.append((os.fsencode(inside), os.fsencode("\0".join(names)), times))
    found.sort()
    return FolderPrint(_digest(folder, found), changed / 1e9)


def _looked_up(folder: str) -> tuple[tuple[int, int], list[str], list[os.stat_result]]:
    """Return what a folder is, whatever path leads to it; the names in it, sorted; and what the disk says of each."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        names = sorted(os.listdir(handle))  # noqa: PTH208  # a Path a file costs more than the asking
        about = os.fstat(handle)
        return (about.st_dev, about.st_ino), names, [os.stat(name, dir_fd=handle) for name in names]
    finally:
        os.close(handle)


def _of_tags(files: Files, folder: str, deep: bool) -> FolderPrint | None:
    found: list[tuple[bytes, str, int | None]] = []
    changed = 0.0
    for path, entry in _entries(files, folder, deep):
        if not entry.folder:
            if not entry.mark or entry.modified is None:
                return None
            changed = max(changed, entry.modified)
        found.append((path.encode("utf-8", "surrogatepass"), entry.mark, entry.size))
    found.sort()
    return FolderPrint(_digest(f"{files.identity}/{folder}", found), changed)


def _entries(files: Files, folder: str, deep: bool) -> Iterator[tuple[str, ListingEntry]]:
    if deep:
        yield from files.walk(folder)
        return
    for entry in files.list(folder):
        yield entry.name, entry


def _digest(folder: str, found: object) -> bytes:
    """The digest of what was found. MessagePack parts every value from the next, and is written four times as fast as a repr."""
    content = (folder.encode("utf-8", "surrogatepass"), found)
    return hashlib.blake2b(msgspec.msgpack.encode(content), digest_size=_BYTES).digest()
