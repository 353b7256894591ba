"""What changes when any file of a folder does: a digest of a listing, without reading a file.

On a disk it is made of names, inodes, sizes, and of the times of the content and of the inode, which nobody sets at will. Of other storages
it is made of the tags that their listings show.
"""

import hashlib
import os
import stat
from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.storage.files import Entry, Files
from airflow_provider_schemas.store.storage.local import LocalFiles

_BYTES = 16
# The time of the inode is another one after any change, and nobody sets it.
_TOLD = attrgetter("st_ctime_ns", "st_mtime_ns", "st_size", "st_ino")


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


def _of_disk(folder: str, deep: bool) -> FolderPrint:
    found: list[tuple[object, ...]] = []
    changed = 0
    waiting = [folder]
    while waiting:
        inside = waiting.pop()
        handle = os.open(inside, os.O_RDONLY)
        try:
            names = sorted(os.listdir(handle))  # noqa: PTH208  # a Path a file costs more than the asking
            about = [os.stat(name, dir_fd=handle) for name in names]
        finally:
            os.close(handle)
        if deep:
            waiting += [f"{inside}/{name}" for name, one in zip(names, about, strict=True) if stat.S_ISDIR(one.st_mode)]
        times = list(map(_TOLD, about))
        changed = max(changed, *(one[0] for one in times)) if times else changed
        found.append((inside, names, times))
    found.sort()
    return FolderPrint(_digest(folder, found), changed / 1e9)


def _of_tags(files: Files, folder: str, deep: bool) -> FolderPrint | None:
    found: list[tuple[str, str, int | None]] = []
    changed = 0.0
    for path, entry in _entries(files, folder, deep):
        if not entry.folder:
            if not entry.mark or entry.modified is None:
                return None
            changed = max(changed, entry.modified)
        found.append((path, entry.mark, entry.size))
    found.sort()
    return FolderPrint(_digest(f"{files.identity}/{folder}", found), changed)


def _entries(files: Files, folder: str, deep: bool) -> Iterator[tuple[str, Entry]]:
    if deep:
        yield from files.walk(folder)
        return
    for entry in files.list(folder):
        yield entry.name, entry


def _digest(folder: str, found: object) -> bytes:
    return hashlib.blake2b(f"{folder}\n{found!r}".encode("utf-8", "surrogatepass"), digest_size=_BYTES).digest()
