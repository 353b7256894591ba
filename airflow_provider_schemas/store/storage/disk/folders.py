"""Rename and delete folders in which others may be writing at the same time."""

import contextlib
import errno
import os
import shutil
import time
import uuid
from collections.abc import Iterator
from typing import Final

from airflow_provider_schemas.store.storage.disk.durable_folders import sync_parent
from airflow_provider_schemas.store.storage.disk.temporary_files import ABANDONED_AFTER, PREFIX

_ASIDE: Final = ".gone"
# How often a folder in which somebody writes is deleted.
_ATTEMPTS: Final = 10
_STILL_WRITTEN: Final = frozenset({errno.ENOTEMPTY, errno.EEXIST, errno.ENOENT})


def move_aside(folder: str) -> str:
    """Rename a folder to a name that nobody reads, and return its new path.

    If the folder went file by file, the numbers of the files that are gone would be given out again.
    """
    aside = f"{os.path.dirname(folder)}/{PREFIX}{uuid.uuid4().hex}{_ASIDE}"  # noqa: PTH120  # strings: a Path costs more
    os.rename(folder, aside)  # noqa: PTH104  # strings, as above
    sync_parent(aside)
    return aside


def rename(source: str, target: str) -> None:
    """Rename a folder with files. Raise FileNotFoundError for a folder that only has temporary files: their writers go elsewhere then."""
    if not holds_files(source):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), source)
    os.rename(source, target)  # noqa: PTH104  # strings, as above
    if os.path.isdir(target) and not holds_files(target):  # noqa: PTH112  # strings, as above
        delete_all(target)
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), source)


def holds_files(folder: str) -> bool:
    """Return whether there is any file below a folder that is not temporary."""
    return any(not name.startswith(".") for name in _names_below(folder))


def _names_below(folder: str) -> Iterator[str]:
    for _, _, names in os.walk(folder):
        yield from names


def delete_all(folder: str) -> None:
    """Delete a folder in which somebody may still be writing: new files are deleted as well."""
    for _ in range(_ATTEMPTS):
        try:
            shutil.rmtree(folder)
        except OSError as error:
            if error.errno not in _STILL_WRITTEN or not os.path.lexists(folder):
                raise
        else:
            return
    shutil.rmtree(folder)


def delete_abandoned(folder: str) -> None:
    """Delete the folders that were moved aside an hour ago or earlier: whoever did so was killed before the deletion."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _is_aside(entry.name) and time.time() - entry.stat().st_ctime > ABANDONED_AFTER:
                shutil.rmtree(entry.path, ignore_errors=True)


def _is_aside(name: str) -> bool:
    return name.startswith(PREFIX) and name.endswith(_ASIDE)
