"""Files on a disk of this machine, or one mounted as if it were: plain calls of the system, and a hard link as the exclusive create.

A link is made or refused in one step by the file system, whoever else tries, also from another host. The
bytes are on the disk before the name is, and the name, with those of all new folders above it, before anybody is
told of it. What was deleted file by file may be back after a power cut: nothing relies on its being gone.
"""

import contextlib
import errno
import os
import shutil
import stat
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter, methodcaller
from pathlib import Path
from typing import Any, Final

import msgspec

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.errors import SchemaError, StorageError, UnsafeStorageError
from airflow_provider_schemas.store.storage import commit_steps, durable_folders
from airflow_provider_schemas.store.storage.durable_folders import sync_parent
from airflow_provider_schemas.store.storage.errors import path_shown, trouble
from airflow_provider_schemas.store.storage.files import MAX_BYTES, UNCLEAR, Count, FileFacts, Gone, ListingEntry, Parent, PathTaken

# Names of our temporary files: no reader of schemas takes one for a version.
_TEMPORARY = ".airflow-schemas-"
_ASIDE: Final = ".gone"
_ABANDONED_AFTER: Final = 3600.0
# How many threads read one disk.
_THREADS: Final = 8
# Open without waiting: a pipe would keep whoever reads it for ever. Windows would look for the ends of lines.
_AT_ONCE: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
# How often a folder that somebody takes away is made again, and one in which somebody writes is deleted.
_ATTEMPTS: Final = 10
_STILL_WRITTEN: Final = frozenset({errno.ENOTEMPTY, errno.EEXIST, errno.ENOENT})
_NO_LINKS = frozenset({errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EMLINK, errno.EXDEV})


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

    def _at(self, path: str) -> str:
        return f"{self.root}/{path}" if path else self.root

    def _failed(self, error: BaseException, path: str, doing: str) -> SchemaError:
        return trouble(error, url=self.url, path=path, doing=doing)

    # ------------------------------------------------------------ the root

    def check_root(self) -> None:
        """StorageError if the folder that has to be there is not: a disk that is not mounted is no empty one."""
        if self.home and not (self.may_be_new and not os.path.lexists(self.home)):
            for folder, is_wrong in ((self.home, _is_no_folder), (self.root, _is_taken)):
                if is_wrong(folder):
                    raise _no_root(folder)
            self._seen = True

    def make_root(self) -> None:
        """Make the folder, if it is not there."""
        try:
            os.makedirs(self.root, exist_ok=True)  # noqa: PTH103  # strings, as above
        except OSError as error:
            raise self._failed(error, "", "make") from error

    def is_taken(self) -> bool:
        """Whether something that is no folder stands where one has to be."""
        return _is_taken(self.home) or _is_taken(self.root)

    def _check_still_there(self) -> None:
        """The same, once the folder was seen: a disk may go while somebody works on it."""
        if self._seen:
            self.check_root()

    # ------------------------------------------------------------ looking

    def list(self, folder: str) -> list[ListingEntry]:
        self.count.add(lists=1)
        try:
            with os.scandir(self._at(folder)) as found:
                self._seen = True
                return [one for entry in found if (one := _entry(entry)) is not None]
        except (FileNotFoundError, NotADirectoryError):
            self._check_still_there()
            return []
        except (OSError, ValueError) as error:
            raise self._failed(error, folder, "list") from error

    def walk(self, folder: str) -> Iterator[tuple[str, ListingEntry]]:
        waiting: list[tuple[str, frozenset[tuple[int, int]]]] = [(folder, frozenset())]
        while waiting:
            inside, above = waiting.pop()
            inode = self._inode(inside)
            if inode in above:  # a link to a folder in which it lies: all of that was listed
                continue
            for entry in sorted(self.list(inside), key=lambda entry: entry.name):
                path = f"{inside}/{entry.name}" if inside else entry.name
                if entry.folder:
                    waiting.append((path, above | {inode}))
                else:
                    yield path, entry

    def _inode(self, folder: str) -> tuple[int, int]:
        """Return what a folder is, whatever path leads to it; nothing that two folders share where it cannot be told."""
        try:
            about = os.stat(self._at(folder))  # noqa: PTH116  # a Path a folder costs more than the asking
        except (OSError, ValueError):  # the listing tells what is wrong
            return (-1, -1)
        return (about.st_dev, about.st_ino)

    def read(self, path: str, limit: int = MAX_BYTES) -> bytes:
        self.count.add(gets=1)
        return self._read(path, limit)

    def _read(self, path: str, limit: int) -> bytes:
        try:
            handle = os.open(self._at(path), _AT_ONCE)
            self._seen = True
            try:
                data = _content(handle, limit)
            finally:
                os.close(handle)
        except (FileNotFoundError, NotADirectoryError) as error:
            self._check_still_there()
            raise self._failed(error, path, "read") from error
        except (OSError, ValueError) as error:
            raise self._failed(error, path, "read") from error
        if data is None:
            raise _no_file(self.url, path)
        return within(data, limit, path, self.url)

    def read_part(self, path: str, start: int, end: int) -> bytes:
        self.count.add(gets=1)
        try:
            handle = os.open(self._at(path), _AT_ONCE)
            try:
                data = _part(handle, start, end)
            finally:
                os.close(handle)
        except (OSError, ValueError) as error:
            raise self._failed(error, path, "read") from error
        if data is None:
            raise _no_file(self.url, path)
        return data

    def read_many(self, paths: Iterable[str], limit: int = MAX_BYTES) -> Mapping[str, bytes | SchemaError]:
        found: dict[str, bytes | SchemaError] = {}
        for path in paths:
            try:
                found[path] = self._read(path, limit)
            except SchemaError as error:
                found[path] = error
        self.count.add(gets=len(found))
        return found

    def exists(self, path: str) -> bool:
        self.count.add(gets=1)
        if os.path.exists(self._at(path)):  # noqa: PTH110  # strings, as above
            return True
        self._check_still_there()
        return False

    # ------------------------------------------------------------ writing

    def create(self, path: str, data: bytes, parent: Parent | None = None) -> None:
        """The temporary file tells tables apart: whoever takes the folder away takes it along, and then there is nothing to link."""
        self.count.add(puts=1)
        for _ in range(_ATTEMPTS):
            try:
                self._create(path, data, parent)
            except SchemaError:
                raise
            except FileNotFoundError as error:
                if parent is not None:
                    raise Gone(path) from error
                vanished = error  # somebody took the new folder away, who meant what was there before
            except FileExistsError as error:
                raise PathTaken(path) from error
            except (OSError, ValueError) as error:
                raise self._failed(error, path, "write") from error
            else:
                return
        raise self._failed(vanished, path, "write") from vanished

    def _create(self, path: str, data: bytes, parent: Parent | None) -> None:
        target = self._at(path)
        folder = os.path.dirname(target)  # noqa: PTH120  # strings, as above
        own = parent is None or os.path.dirname(self._at(parent.path)) != folder  # noqa: PTH120  # strings, as above
        if own:
            self._check_follows(target, parent)
        temporary = self._written(folder, data, make_folder=own)
        commit_steps.reached(commit_steps.TEMPORARY)
        try:
            self._check_follows(target, parent)
            _link(temporary, target)
            commit_steps.reached(commit_steps.CREATED)
            self._sync_name(target, path)
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary)  # noqa: PTH108  # strings, as above
        commit_steps.reached(commit_steps.CLEANED)

    def _sync_name(self, target: str, path: str) -> None:
        """Put the name of a new file on the disk. If that fails, nobody knows whether the file survives a power cut."""
        try:
            sync_parent(target)
        except FileNotFoundError:
            return  # somebody took the folder away, with the file: there is nothing to keep
        except OSError as error:
            message = f"{path} was written to {self.url}, and the disk does not confirm that it keeps it: {error.strerror}."
            fix = "Look at the disk, then try again: with the same key, nothing is done twice."
            raise StorageError(message, code=UNCLEAR, path=path, fix=fix) from error

    def _check_follows(self, target: str, parent: Parent | None) -> None:
        """FileExistsError if somebody else was first; FileNotFoundError if the table is not the one that the parent is of."""
        if parent is None or parent.is_in(self):
            return
        if os.path.lexists(target):
            raise FileExistsError(target)
        raise FileNotFoundError(target)

    def refuses(self, path: str, data: bytes) -> bool:
        target = self._at(path)
        try:
            _link(target, target)
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
                self._put(self._at(path), data, make_folder=make_folder)
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
        temporary = self._written(os.path.dirname(target), data, make_folder=make_folder)  # noqa: PTH120  # strings, as above
        try:
            os.replace(temporary, target)  # noqa: PTH105  # strings, as above
        except OSError:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary)  # noqa: PTH108  # strings, as above
            raise
        sync_parent(target)

    def _written(self, folder: str, data: bytes, *, make_folder: bool) -> str:
        """A temporary file in the folder, with these bytes on the disk."""
        self._check_still_there()
        if make_folder:
            durable_folders.make_folder(folder)
        temporary = f"{folder}/{_TEMPORARY}{uuid.uuid4().hex}.tmp"
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o666)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)  # noqa: PTH108  # strings, as above
            raise
        return temporary

    def delete(self, path: str) -> None:
        self.count.add(puts=1)
        try:
            os.unlink(self._at(path))  # noqa: PTH108  # strings, as above
        except FileNotFoundError:
            self._check_still_there()
        except (OSError, ValueError) as error:
            raise self._failed(error, path, "delete") from error

    def delete_folder(self, folder: str) -> bool:
        self.count.add(puts=1)
        at = self._at(folder)
        try:
            if not os.path.islink(at):  # noqa: PTH114  # strings, as above
                at = _moved_aside(at)
                commit_steps.reached(commit_steps.ASIDE)
                _end_writes(at)
            held = _holds_files(at)
            _delete_all(at)
        except FileNotFoundError:
            self._check_still_there()
            return False
        except (OSError, ValueError) as error:
            raise self._failed(error, folder, "delete") from error
        _sweep_aside(os.path.dirname(at))  # noqa: PTH120  # strings, as above
        return held

    def move_folder(self, source: str, target: str) -> None:
        self.count.add(puts=1)
        self._check_still_there()
        try:
            durable_folders.make_folder(os.path.dirname(self._at(target)))  # noqa: PTH120  # strings, as above
            _move(self._at(source), self._at(target))
            sync_parent(self._at(target))
            sync_parent(self._at(source))
        except (OSError, ValueError) as error:
            raise self._failed(error, source, "move") from error

    def make_folder(self, folder: str) -> None:
        """Make a folder, and those around it; content if it is there."""
        self._check_still_there()
        try:
            durable_folders.make_folder(self._at(folder))
        except (OSError, ValueError) as error:
            raise self._failed(error, folder, "make") from error

    def sweep(self, folder: str) -> None:
        """Take away the temporary files that writers who were killed left behind in a folder, an hour ago or earlier."""
        with contextlib.suppress(OSError), os.scandir(self._at(folder)) as found:
            for one in found:
                if one.name.startswith(_TEMPORARY) and time.time() - one.stat().st_mtime > _ABANDONED_AFTER:
                    with contextlib.suppress(OSError):
                        os.unlink(one.path)  # noqa: PTH108  # strings, as above


def within(data: bytes, limit: int, path: str, url: str) -> bytes:
    """The data, if it is no larger than the limit."""
    if len(data) > limit:
        fix = "It is none of ours; look what wrote it, and take it away."
        shown = path_shown(url, path)
        message = f"{without_credentials(url)}/{shown} is larger than {limit} bytes."
        raise StorageError(message, code="storage.too-large", path=shown, fix=fix)
    return data


def _moved_aside(folder: str) -> str:
    """The folder under a name that nobody reads: if it went file by file, the numbers of those that are gone would be given out again."""
    aside = f"{os.path.dirname(folder)}/{_TEMPORARY}{uuid.uuid4().hex}{_ASIDE}"  # noqa: PTH120  # strings, as above
    os.rename(folder, aside)  # noqa: PTH104  # strings, as above
    sync_parent(aside)
    return aside


def _end_writes(aside: str) -> None:
    """Delete the temporary files of a folder that was moved aside, before any number in it is free again.

    A link that was looked up before the move may be made after it. Once its temporary file has no name left, the system refuses it.
    """
    for folder, _, names in os.walk(aside):
        for name in names:
            if name.startswith(_TEMPORARY):
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(f"{folder}/{name}")  # noqa: PTH108  # strings, as above


def _move(source: str, target: str) -> None:
    """Rename a folder with files; FileNotFoundError for one in which somebody only is about to write, who then does that elsewhere."""
    if not _holds_files(source):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), source)
    os.rename(source, target)  # noqa: PTH104  # strings, as above
    if os.path.isdir(target) and not _holds_files(target):  # noqa: PTH112  # strings, as above
        _delete_all(target)
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), source)


def _sweep_aside(folder: str) -> None:
    """Delete what was moved aside an hour ago or earlier, by somebody who was killed before it was deleted."""
    with contextlib.suppress(OSError), os.scandir(folder) as found:
        for one in found:
            if one.name.startswith(_TEMPORARY) and one.name.endswith(_ASIDE) and time.time() - one.stat().st_ctime > _ABANDONED_AFTER:
                shutil.rmtree(one.path, ignore_errors=True)


def _holds_files(folder: str) -> bool:
    """Whether anything is in a folder but what somebody is about to write."""
    return any(not name.startswith(".") for _, _, names in os.walk(folder) for name in names)


def _delete_all(folder: str) -> None:
    """Delete a folder in which somebody may still be writing: what comes goes as well."""
    for _ in range(_ATTEMPTS):
        try:
            shutil.rmtree(folder)
        except OSError as error:
            if error.errno not in _STILL_WRITTEN or not os.path.lexists(folder):
                raise
        else:
            return
    shutil.rmtree(folder)


def _content(handle: int, limit: int) -> bytes | None:
    """What is in an open file, and of one that is larger than the limit so much that it shows; None if it is no file."""
    about = os.fstat(handle)
    if stat.S_ISDIR(about.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(about.st_mode):
        return None
    data = os.read(handle, min(about.st_size, limit) + 1)  # room for the limit takes longer than to read
    if len(data) == about.st_size:
        return data
    while len(data) <= limit and (more := os.read(handle, limit + 1 - len(data))):  # a slow disk, or somebody is writing it
        data += more
    return data


def _part(handle: int, start: int, end: int) -> bytes | None:
    """The bytes between two places of an open file, as far as it has them; None if it is no file."""
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        return None
    os.lseek(handle, start, os.SEEK_SET)
    data = b""
    while len(data) < end - start and (more := os.read(handle, end - start - len(data))):
        data += more
    return data


def _is_no_folder(folder: str) -> bool:
    return not os.path.isdir(folder)  # noqa: PTH112  # strings, as above


def _is_taken(folder: str) -> bool:
    """Whether something else is there. Asked in this order, since another writer may make the folder just now."""
    return os.path.lexists(folder) and _is_no_folder(folder)


def _no_root(folder: str) -> StorageError:
    there = "is no folder" if os.path.lexists(folder) else "is not there"
    message = f"{folder} {there}, so nothing is known of what lies in it."
    fix = "Mount the disk, or correct the address; if nothing was ever there, make the folder. Nothing was read or written."
    return StorageError(message, code="storage.no-root", path=folder, fix=fix)


def _no_file(url: str, path: str) -> StorageError:
    fix = "Look what it is, a pipe or a device, and take it away."
    return StorageError(f"{url}/{path} is no file.", code="storage.no-file", path=path, fix=fix)


def _entry(entry: "os.DirEntry[str]") -> ListingEntry | None:
    """The entry as listings have it; None if it is a link to nothing."""
    if entry.is_symlink():
        try:
            entry.stat()
        except OSError:
            return None
    if entry.is_dir():
        return ListingEntry(entry.name, folder=True)
    return _LocalFile(entry.name, False, entry)  # by place: a listing has thousands


class _LocalFile(ListingEntry, frozen=True):
    """A file that is asked about itself once somebody wants to know. The system keeps the answer; it is empty if the file has gone."""

    facts: Any  # the entry of the system, or what is known already

    @property
    def mark(self) -> str:
        return self._known.mark

    @classmethod
    def marks(cls, entries: Sequence[ListingEntry]) -> bytes:
        try:
            return _ENCODER.encode([*map(_MARK, map(_STAT, map(_FACTS, entries)))])
        except (OSError, AttributeError):  # one has gone, or is no entry of the system
            return super().marks(entries)

    @property
    def _known(self) -> FileFacts:
        if isinstance(self.facts, FileFacts):
            return self.facts
        try:
            found = self.facts.stat()
        except OSError:
            return FileFacts()
        return FileFacts(_mark(found), found.st_size, found.st_mtime)


# Anybody can put back the time of the last write of a file, and nobody the time at which its inode changed.
_MARK: Final = attrgetter("st_ino", "st_ctime_ns", "st_mtime_ns", "st_size")
_FACTS: Final = attrgetter("facts")
_STAT: Final = methodcaller("stat")
_ENCODER: Final = msgspec.msgpack.Encoder()


def _mark(found: os.stat_result) -> str:
    return "-".join(map(str, _MARK(found)))


def _link(temporary: str, target: str) -> None:
    """Give the file its name, unless somebody else's has it."""
    try:
        os.link(temporary, target, follow_symlinks=False)
    except FileExistsError:
        # A network disk that lost its answer asks again, and meets our own file.
        if temporary != target and _same(temporary, target):
            return
        raise
    except OSError as error:
        if error.errno in _NO_LINKS:
            message = f"the file system of {os.path.dirname(target)} makes no hard links."  # noqa: PTH120  # strings, as above
            fix = "Keep the store elsewhere, or open it with single_writer=True if nobody else writes at the same time."
            raise UnsafeStorageError(message, code="storage.no-links", fix=fix) from error
        raise


def _same(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)  # noqa: PTH121  # strings, as above
    except OSError:  # a link that leads nowhere, or to itself
        return False
