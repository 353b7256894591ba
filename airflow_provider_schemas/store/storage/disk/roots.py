"""The folder without which nothing is taken for empty: a disk that is not mounted is not an empty one."""

import os

from airflow_provider_schemas.errors import StorageError


def check_folders(home: str, root: str) -> None:
    """Raise a StorageError if the home is not a folder, or if something else stands where the root has to be."""
    if _is_no_folder(home):
        raise _no_root(home)
    if is_taken(root):
        raise _no_root(root)


def is_taken(folder: str) -> bool:
    """Return whether something that is not a folder stands there. Look in this order: another writer may make the folder just now."""
    return os.path.lexists(folder) and _is_no_folder(folder)


def _is_no_folder(path: str) -> bool:
    return not os.path.isdir(path)  # noqa: PTH112  # strings: a Path costs more


def _no_root(folder: str) -> StorageError:
    there = "is no folder" if os.path.lexists(folder) else "is not there"
    message = f"{folder} {there}, so nothing is known of what lies in it."
    fix = "Mount the disk, or correct the address; if nothing was ever there, make the folder. Nothing was read or written."
    return StorageError(message, code="storage.no-root", path=folder, fix=fix)
