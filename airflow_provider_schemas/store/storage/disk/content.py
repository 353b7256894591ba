"""Read the bytes of a file, or a part of them, without waiting for what is not a file."""

import errno
import os
import stat
from typing import Final

from airflow_provider_schemas.errors import StorageError

# Open without waiting: a pipe would keep its reader for ever. Windows would look for the ends of lines.
OPEN_FLAGS: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def read_content(handle: int, limit: int) -> bytes | None:
    """Return the bytes of an open file; one byte more than the limit of a file that is larger; None if it is not a file."""
    status = os.fstat(handle)
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(status.st_mode):
        return None
    data = os.read(handle, min(status.st_size, limit) + 1)  # room for the limit takes longer than to read
    if len(data) == status.st_size:
        return data
    while len(data) <= limit and (more := os.read(handle, limit + 1 - len(data))):  # a slow disk, or somebody is writing it
        data += more
    return data


def read_part(handle: int, start: int, end: int) -> bytes | None:
    """Return the bytes of an open file between two places, as far as it has them; None if it is not a file."""
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        return None
    os.lseek(handle, start, os.SEEK_SET)
    data = b""
    while len(data) < end - start and (more := os.read(handle, end - start - len(data))):
        data += more
    return data


def no_file(url: str, path: str) -> StorageError:
    """Return the error about a pipe, a device or a socket where a file should be."""
    fix = "Look what it is, a pipe or a device, and take it away."
    return StorageError(f"{url}/{path} is no file.", code="storage.no-file", path=path, fix=fix)
