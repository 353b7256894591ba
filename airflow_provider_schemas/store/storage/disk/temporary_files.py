"""Write files under temporary names, and link them to their own: bytes are on the disk before the file has its name.

No reader of schemas takes a temporary file for a version. Of all who link to a name, the file system lets one succeed, also among hosts.
"""

import contextlib
import errno
import os
import time
import uuid
from typing import Final

from airflow_provider_schemas.errors import UnsafeStorageError

PREFIX: Final = ".airflow-schemas-"
_END: Final = ".tmp"
# Nobody writes one file for so many seconds: its writer was killed.
ABANDONED_AFTER: Final = 3600.0
_NO_LINKS: Final = frozenset({errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EMLINK, errno.EXDEV})
_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)


def write_temporary(folder: str, data: bytes) -> str:
    """Write a temporary file in a folder, and return its path once the bytes are on the disk."""
    path = f"{folder}/{PREFIX}{uuid.uuid4().hex}{_END}"
    handle = os.open(path, _FLAGS, 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(path)  # noqa: PTH108  # strings: a Path for each file costs more than its bytes
        raise
    return path


def link(temporary: str, target: str) -> None:
    """Give a file its name. Raise FileExistsError if another file has that name."""
    try:
        os.link(temporary, target, follow_symlinks=False)
    except FileExistsError:
        # A network disk that lost its answer asks again, and meets our own file.
        if temporary != target and _is_same(temporary, target):
            return
        raise
    except OSError as error:
        if error.errno in _NO_LINKS:
            message = f"the file system of {os.path.dirname(target)} makes no hard links."  # noqa: PTH120  # strings, as above
            fix = "Keep the store elsewhere, or open it with single_writer=True if nobody else writes at the same time."
            raise UnsafeStorageError(message, code="storage.no-links", fix=fix) from error
        raise


def _is_same(first: str, second: str) -> bool:
    try:
        return os.path.samefile(first, second)  # noqa: PTH121  # strings, as above
    except OSError:  # a link that leads nowhere, or to itself
        return False


def delete_temporary(path: str) -> None:
    """Delete a temporary file, which may have gone with its folder."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)  # noqa: PTH108  # strings, as above


def delete_abandoned(folder: str) -> None:
    """Delete the temporary files that killed writers left in a folder, an hour ago or earlier."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(PREFIX) and time.time() - entry.stat().st_mtime > ABANDONED_AFTER:
                with contextlib.suppress(OSError):
                    os.unlink(entry.path)  # noqa: PTH108  # strings, as above


def delete_below(folder: str) -> None:
    """Delete all temporary files below a folder, whoever is writing them."""
    for inside, _, names in os.walk(folder):
        for name in names:
            if name.startswith(PREFIX):
                delete_temporary(f"{inside}/{name}")
