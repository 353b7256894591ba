"""Folders whose names survive a power cut: a file is on the disk only once each folder on the way to it is."""

import errno
import os
from typing import Final

# Windows does not open folders, and a folder may be writable without being readable.
_CANNOT_OPEN: Final = frozenset({errno.EISDIR, errno.EACCES, errno.EPERM})
# File systems that keep the names in folders by themselves refuse to sync a folder.
_NEED_NO_SYNC: Final = frozenset({errno.EINVAL, errno.EBADF, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EACCES, errno.EPERM})


def make_folder(folder: str) -> None:
    """Make a folder and those around it, and put each new name on the disk. Do nothing if the folder exists."""
    missing = []
    while not os.path.isdir(folder):  # noqa: PTH112  # strings: a Path for each file costs more than its bytes
        missing.append(folder)
        folder = os.path.dirname(folder)  # noqa: PTH120  # strings, as above
    for path in reversed(missing):
        _make(path)
        sync_parent(path)


def _make(path: str) -> None:
    try:
        os.mkdir(path)  # noqa: PTH102  # strings, as above
    except FileExistsError:
        if not os.path.isdir(path):  # noqa: PTH112  # strings, as above
            raise


def sync_parent(path: str) -> None:
    """Put the name of a file or folder on the disk: sync the folder that it lies in."""
    try:
        handle = os.open(os.path.dirname(path), os.O_RDONLY)  # noqa: PTH120  # strings, as above
    except OSError as error:
        if error.errno in _CANNOT_OPEN:
            return
        raise
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _NEED_NO_SYNC:
            raise
    finally:
        os.close(handle)
