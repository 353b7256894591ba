"""Make the print of a folder: a digest of its listing that changes when any file does, without reading a file.

On a disk it is made of names, inodes, sizes, and of the times of the content and of the inode, which nobody sets at will. On other storages
it is made of the tags that their listings show.
"""

import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

import msgspec

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.storage.files import Files, ListingEntry
from airflow_provider_schemas.store.storage.local import LocalFiles

_DIGEST_BYTES = 16
# The time of the inode is another one after any change, and nobody sets it.
_CHANGING = attrgetter("st_ctime_ns", "st_mtime_ns", "st_size", "st_ino")
Stamp = tuple[int, int, int, int]
"""What the disk says of a file that changes with the file."""


class FolderPrint(NamedTuple):
    """The digest, and when the last of the files was changed, in seconds since 1970."""

    digest: bytes
    changed: float


def folder_print(files: Files, folder: str = "", *, deep: bool = False) -> FolderPrint | None:
    """Return the print of a folder, or of all that lies below it; None where a listing does not tell whether a file has changed."""
    try:
        if isinstance(files, LocalFiles):
            return _print_disk(f"{files.root}/{folder}" if folder else files.root, deep)
        return _print_listing(files, folder, deep)
    except (OSError, ValueError, SchemaError):
        return None


def together(prints: Sequence[FolderPrint | None]) -> FolderPrint | None:
    """Return the print of several folders; None if one of them has none."""
    known = [folder for folder in prints if folder is not None]
    if len(known) < len(prints):
        return None
    if len(known) == 1:
        return known[0]
    return FolderPrint(_digest("", [folder.digest for folder in known]), max(folder.changed for folder in known))


def _print_disk(folder: str, deep: bool) -> FolderPrint:
    contents: list[tuple[bytes, bytes, list[Stamp]]] = []
    changed = 0
    waiting: list[tuple[str, frozenset[tuple[int, int]]]] = [(folder, frozenset())]
    while waiting:
        inside, above = waiting.pop()
        inode, names, statuses = _read_folder(inside)
        if inode in above:  # a link to a folder in which it lies
            continue
        if deep:
            folders = [name for name, status in zip(names, statuses, strict=True) if stat.S_ISDIR(status.st_mode)]
            waiting += [(f"{inside}/{name}", above | {inode}) for name in folders]
        stamps = list(map(_CHANGING, statuses))
        if stamps:
            changed = max(changed, max(stamps)[0])
        contents.append((os.fsencode(inside), os.fsencode("\0".join(names)), stamps))
    contents.sort()
    return FolderPrint(_digest(folder, contents), changed / 1e9)


def _read_folder(folder: str) -> tuple[tuple[int, int], list[str], list[os.stat_result]]:
    """Return what identifies a folder, whatever path leads to it; the names in it, sorted; and what the disk says of each."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        names = sorted(os.listdir(handle))  # noqa: PTH208  # a Path a file costs more than the asking
        status = os.fstat(handle)
        return (status.st_dev, status.st_ino), names, [os.stat(name, dir_fd=handle) for name in names]
    finally:
        os.close(handle)


def _print_listing(files: Files, folder: str, deep: bool) -> FolderPrint | None:
    contents: list[tuple[bytes, str, int | None]] = []
    changed = 0.0
    for path, entry in _entries(files, folder, deep):
        if not entry.folder:
            if not entry.mark or entry.modified is None:
                return None
            changed = max(changed, entry.modified)
        contents.append((path.encode("utf-8", "surrogatepass"), entry.mark, entry.size))
    contents.sort()
    return FolderPrint(_digest(f"{files.identity}/{folder}", contents), changed)


def _entries(files: Files, folder: str, deep: bool) -> Iterator[tuple[str, ListingEntry]]:
    if deep:
        yield from files.walk(folder)
        return
    for entry in files.list(folder):
        yield entry.name, entry


def _digest(folder: str, contents: Sequence[object]) -> bytes:
    """Return the digest of a folder and what is in it. MessagePack parts every value from the next, and is written faster than a repr."""
    packed = msgspec.msgpack.encode((folder.encode("utf-8", "surrogatepass"), contents))
    return hashlib.blake2b(packed, digest_size=_DIGEST_BYTES).digest()
