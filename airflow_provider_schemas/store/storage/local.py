"""Files on a disk of this machine, or one mounted as if it were: plain calls of the system, and a hard link as the exclusive create.

A link is made or refused in one step by the file system, whoever else tries, also from another host. The bytes are on the disk before the
name is, and the name, with those of all new folders above it, before anybody learns of it. What was deleted file by file may be back after
a power cut: nothing relies on its being gone. The package `disk` has the parts.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from airflow_provider_schemas.errors import SchemaError, StorageError
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.store.storage.disk import durable_folders, folders, temporary_files
from airflow_provider_schemas.store.storage.disk.content import OPEN_FLAGS, no_file, read_content, read_part
from airflow_provider_schemas.store.storage.disk.durable_folders import sync_parent
from airflow_provider_schemas.store.storage.disk.entries import read_entry
from airflow_provider_schemas.store.storage.errors import check_size, trouble
from airflow_provider_schemas.store.storage.files import MAX_BYTES, UNCLEAR, Count, Gone, ListingEntry, Parent, PathTaken

# How many threads read one disk.
_THREADS: Final = 8
# How often a folder that somebody deletes is made again.
_ATTEMPTS: Final = 10


class LocalFiles:
    """The files below a folder."""

    def __init__(self, folder: str | Path, *, home: str = "") -> None:
        """Home is the folder without which nothing here is taken for empty: the root, or one above it."""
        self.root = os.path.abspath(os.path.expanduser(folder))  # noqa: PTH100, PTH111  # strings: a Path a file costs more than its bytes
        self.home = home
        self.may_be_new = False
        """Whether whoever writes here now makes the folder."""
        self._seen = False
        self.protocol = "file"
        self.count = Count()

    @property
    def url(self) -> str:
        return self.root

    @property
    def identity(self) -> str:
        return self.root

    def __repr__(self) -> str:
        return f"LocalFiles({self.root!r})"

    @property
    def at_once(self) -> int:
        return _THREADS

    def _full_path(self, path: str) -> str:
        return f"{self.root}/{path}" if path else self.root

    def _failed(self, error: BaseException, path: str, doing: str) -> SchemaError:
        return trouble(error, url=self.url, path=path, doing=doing)

    # ------------------------------------------------------------ the root

    def check_root(self) -> None:
        """Raise a StorageError if the folder that has to be there is not: a disk that is not mounted is not an empty one."""
        if self.home and not (self.may_be_new and not os.path.lexists(self.home)):
            _check_folders(self.home, self.root)
            self._seen = True

    def make_root(self) -> None:
        """Make the folder, if it is not there."""
        try:
            os.makedirs(self.root, exist_ok=True)  # noqa: PTH103  # strings, as above
        except OSError as error:
            raise self._failed(error, "", "make") from error

    def is_taken(self) -> bool:
        """Return whether something that is not a folder stands where a folder has to be."""
        return _is_taken(self.home) or _is_taken(self.root)

    def _check_still_there(self) -> None:
        """Check the root, once the folder was seen: a disk may go while somebody works on it."""
        if self._seen:
            self.check_root()

    # ------------------------------------------------------------ looking

    def list(self, folder: str) -> list[ListingEntry]:
        self.count.add(lists=1)
        try:
            with os.scandir(self._full_path(folder)) as system_entries:
                self._seen = True
                return [entry for system_entry in system_entries if (entry := read_entry(system_entry)) is not None]
        except (FileNotFoundError, NotADirectoryError):
            self._check_still_there()
            return []
        except (OSError, ValueError) as error:
            raise self._failed(error, folder, "list") from error

    def walk(self, folder: str) -> Iterator[tuple[str, ListingEntry]]:
        waiting: list[tuple[str, frozenset[tuple[int, int]]]] = [(folder, frozenset())]
        while waiting:
            inside, above = waiting.pop()
            inode = self._read_inode(inside)
            if inode in above:  # a link to a folder in which it lies: all of that was listed
                continue
            for entry in sorted(self.list(inside), key=lambda entry: entry.name):
                path = f"{inside}/{entry.name}" if inside else entry.name
                if entry.folder:
                    waiting.append((path, above | {inode}))
                else:
                    yield path, entry

    def _read_inode(self, folder: str) -> tuple[int, int]:
        """Return what identifies a folder, whatever path leads to it; a value that no folder has where the system does not tell."""
        try:
            status = os.stat(self._full_path(folder))  # noqa: PTH116  # a Path a folder costs more than the asking
        except (OSError, ValueError):  # the listing tells what is wrong
            return (-1, -1)
        return (status.st_dev, status.st_ino)

    def read(self, path: str, limit: int = MAX_BYTES) -> bytes:
        self.count.add(gets=1)
        return self._read(path, limit)

    def _read(self, path: str, limit: int) -> bytes:
        try:
            handle = os.open(self._full_path(path), OPEN_FLAGS)
            self._seen = True
            try:
                data = read_content(handle, limit)
            finally:
                os.close(handle)
        except (FileNotFoundError, NotADirectoryError) as error:
            self._check_still_there()
            raise self._failed(error, path, "read") from error
        except (OSError, ValueError) as error:
            raise self._failed(error, path, "read") from error
        if data is None:
            raise no_file(self.url, path)
        return check_size(data, limit, path, self.url)

    def read_part(self, path: str, start: int, end: int) -> bytes:
        self.count.add(gets=1)
        try:
            handle = os.open(self._full_path(path), OPEN_FLAGS)
            try:
                data = read_part(handle, start, end)
            finally:
                os.close(handle)
        except (OSError, ValueError) as error:
            raise self._failed(error, path, "read") from error
        if data is None:
            raise no_file(self.url, path)
        return data

    def read_many(self, paths: Iterable[str], limit: int = MAX_BYTES) -> Mapping[str, bytes | SchemaError]:
        contents: dict[str, bytes | SchemaError] = {}
        for path in paths:
            try:
                contents[path] = self._read(path, limit)
            except SchemaError as error:
                contents[path] = error
        self.count.add(gets=len(contents))
        return contents

    def exists(self, path: str) -> bool:
        self.count.add(gets=1)
        if os.path.exists(self._full_path(path)):  # noqa: PTH110  # strings, as above
            return True
        self._check_still_there()
        return False

    # ------------------------------------------------------------ writing

    def create(self, path: str, data: bytes, parent: Parent | None = None) -> None:
        """Create a file by a temporary one in the same folder: whoever deletes the folder deletes that too, and nothing is left to link."""
        self.count.add(puts=1)
        for _ in range(_ATTEMPTS):
            try:
                self._create(path, data, parent)
            except SchemaError:
                raise
            except FileNotFoundError as error:
                if parent is not None:
                    raise Gone(path) from error
                vanished = error  # somebody deleted the new folder, and meant the one before it
            except FileExistsError as error:
                raise PathTaken(path) from error
            except (OSError, ValueError) as error:
                raise self._failed(error, path, "write") from error
            else:
                return
        raise self._failed(vanished, path, "write") from vanished

    def _create(self, path: str, data: bytes, parent: Parent | None) -> None:
        target = self._full_path(path)
        folder = os.path.dirname(target)  # noqa: PTH120  # strings, as above
        is_new_folder = parent is None or os.path.dirname(self._full_path(parent.path)) != folder  # noqa: PTH120  # strings, as above
        if is_new_folder:
            self._check_follows(target, parent)
        temporary = self._write_temporary(folder, data, make_folder=is_new_folder)
        commit_steps.reached(commit_steps.TEMPORARY)
        try:
            self._check_follows(target, parent)
            temporary_files.link(temporary, target)
            commit_steps.reached(commit_steps.CREATED)
            self._sync_name(target, path)
        finally:
            temporary_files.delete_temporary(temporary)
        commit_steps.reached(commit_steps.CLEANED)

    def _sync_name(self, target: str, path: str) -> None:
        """Put the name of a new file on the disk. If that fails, nobody knows whether the file survives a power cut."""
        try:
            sync_parent(target)
        except FileNotFoundError:
            return  # somebody deleted the folder, with the file: there is nothing to keep
        except OSError as error:
            message = f"{path} was written to {self.url}, and the disk does not confirm that it keeps it: {error.strerror}."
            fix = "Look at the disk, then try again: with the same key, nothing is done twice."
            raise StorageError(message, code=UNCLEAR, path=path, fix=fix) from error

    def _check_follows(self, target: str, parent: Parent | None) -> None:
        """Raise FileExistsError if another writer was first, and FileNotFoundError if the table is not that of the parent."""
        if parent is None or parent.is_in(self):
            return
        if os.path.lexists(target):
            raise FileExistsError(target)
        raise FileNotFoundError(target)

    def refuses(self, path: str, data: bytes) -> bool:
        target = self._full_path(path)
        try:
            temporary_files.link(target, target)
        except FileExistsError:
            return True
        except SchemaError:
            raise
        except OSError as error:
            raise self._failed(error, path, "link") from error
        return False

    def put(self, path: str, data: bytes, *, make_folder: bool = True) -> None:
        self.count.add(puts=1)
        for _ in range(_ATTEMPTS):
            try:
                self._put(self._full_path(path), data, make_folder=make_folder)
            except FileNotFoundError as error:
                if not make_folder:
                    raise Gone(path) from error
                vanished = error
            except (OSError, ValueError) as error:
                raise self._failed(error, path, "write") from error
            else:
                return
        raise self._failed(vanished, path, "write") from vanished

    def _put(self, target: str, data: bytes, *, make_folder: bool) -> None:
        folder = os.path.dirname(target)  # noqa: PTH120  # strings, as above
        temporary = self._write_temporary(folder, data, make_folder=make_folder)
        try:
            os.replace(temporary, target)  # noqa: PTH105  # strings, as above
        except OSError:
            temporary_files.delete_temporary(temporary)
            raise
        sync_parent(target)

    def _write_temporary(self, folder: str, data: bytes, *, make_folder: bool) -> str:
        self._check_still_there()
        if make_folder:
            durable_folders.make_folder(folder)
        return temporary_files.write_temporary(folder, data)

    def delete(self, path: str) -> None:
        self.count.add(puts=1)
        try:
            os.unlink(self._full_path(path))  # noqa: PTH108  # strings, as above
        except FileNotFoundError:
            self._check_still_there()
        except (OSError, ValueError) as error:
            raise self._failed(error, path, "delete") from error

    def delete_folder(self, folder: str) -> bool:
        self.count.add(puts=1)
        full_path = self._full_path(folder)
        try:
            held_files = _delete_folder(full_path)
        except FileNotFoundError:
            self._check_still_there()
            return False
        except (OSError, ValueError) as error:
            raise self._failed(error, folder, "delete") from error
        folders.delete_abandoned(os.path.dirname(full_path))  # noqa: PTH120  # strings, as above
        return held_files

    def move_folder(self, source: str, target: str) -> None:
        self.count.add(puts=1)
        self._check_still_there()
        try:
            durable_folders.make_folder(os.path.dirname(self._full_path(target)))  # noqa: PTH120  # strings, as above
            folders.rename(self._full_path(source), self._full_path(target))
            sync_parent(self._full_path(target))
            sync_parent(self._full_path(source))
        except (OSError, ValueError) as error:
            raise self._failed(error, source, "move") from error

    def make_folder(self, folder: str) -> None:
        """Make a folder, and those around it; content if it is there."""
        self._check_still_there()
        try:
            durable_folders.make_folder(self._full_path(folder))
        except (OSError, ValueError) as error:
            raise self._failed(error, folder, "make") from error

    def sweep(self, folder: str) -> None:
        """Delete the temporary files that killed writers left in a folder, an hour ago or earlier."""
        temporary_files.delete_abandoned(self._full_path(folder))


def _delete_folder(path: str) -> bool:
    """Delete a folder, and return whether there were any files in it."""
    if not os.path.islink(path):  # noqa: PTH114  # strings, as above
        path = folders.move_aside(path)
        commit_steps.reached(commit_steps.ASIDE)
        # Before any number in the folder is free again: a link that was looked up before the move may be made after it. Once its
        # temporary file has no name left, the system refuses it.
        temporary_files.delete_below(path)
    held_files = folders.holds_files(path)
    folders.delete_all(path)
    return held_files


def _check_folders(home: str, root: str) -> None:
    """Raise a StorageError if the home is not a folder, or if something else stands where the root has to be."""
    if _is_no_folder(home):
        raise _no_root(home)
    if _is_taken(root):
        raise _no_root(root)


def _is_taken(folder: str) -> bool:
    """Return whether something that is not a folder stands there. Look in this order: another writer may make the folder just now."""
    return os.path.lexists(folder) and _is_no_folder(folder)


def _is_no_folder(path: str) -> bool:
    return not os.path.isdir(path)  # noqa: PTH112  # strings, as above


def _no_root(folder: str) -> StorageError:
    there = "is no folder" if os.path.lexists(folder) else "is not there"
    message = f"{folder} {there}, so nothing is known of what lies in it."
    fix = "Mount the disk, or correct the address; if nothing was ever there, make the folder. Nothing was read or written."
    return StorageError(message, code="storage.no-root", path=folder, fix=fix)
