"""The hard link: of all who ask for a new name, the file system gives it to one, also among hosts."""

import errno
import os
from typing import Final

from airflow_provider_schemas.errors import UnsafeStorageError

_NO_LINKS: Final = frozenset({errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EMLINK, errno.EXDEV})


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
            message = f"the file system of {os.path.dirname(target)} makes no hard links."  # noqa: PTH120  # strings: a Path costs more
            fix = "Keep the store elsewhere, or open it with single_writer=True if nobody else writes at the same time."
            raise UnsafeStorageError(message, code="storage.no-links", fix=fix) from error
        raise


def _is_same(first: str, second: str) -> bool:
    try:
        return os.path.samefile(first, second)  # noqa: PTH121  # strings, as above
    except OSError:  # a link that leads nowhere, or to itself
        return False
