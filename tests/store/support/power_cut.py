"""What a disk holds after a power cut: the bytes and the names that were synced, and nothing else.

    disk = Disk(tmp_path, monkeypatch)
    store.create_table("db.t", "id BIGINT")
    assert disk.lost() == []
    SchemaStore(disk.after_power_cut(tmp_path / "later")).table("db.t").latest()

A file system may keep more than that, and in another order: whoever relies on more loses files sooner or later.
The calls of the system are recorded and carried out, and what was written is what really lies in the folder.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

TEMPORARY = ".airflow-schemas-"
Names = dict[str, int]


class Disk:
    """The folder as the disk holds it, by the calls that were made since this was made."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.calls: list[str] = []
        """Each call that gives a name, and each sync, in order: `sync file`, `sync folder`, `link`, `replace`, `rename`, `mkdir`."""
        self.too_early: list[str] = []
        """Names that were given to files whose bytes were not on the disk yet."""
        self.at_names: dict[str, list[str]] = {}
        """For each name that was given to a file: which files a power cut just before would have left."""
        self._opened: dict[int, str] = {}
        self._names: dict[int, Names] = {}
        self._bytes: dict[int, bytes] = {}
        for path in [folder, *folder.rglob("*")]:
            self._keep(str(path))
        self._record(monkeypatch)

    # ------------------------------------------------------------ what is there

    def after_power_cut(self, target: Path) -> Path:
        """A copy of what the power cut leaves."""
        target.mkdir()
        for path, data in self._surviving().items():
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            (target / path).write_bytes(data)
        return target

    def lost(self) -> list[str]:
        """The files that the power cut takes away, or leaves with other bytes."""
        surviving = self._surviving()
        return sorted(path for path, data in self._there().items() if surviving.get(path) != data)

    def returned(self) -> list[str]:
        """The files that are gone, and back after the power cut."""
        return sorted(path for path in self._surviving().keys() - self._there().keys() if TEMPORARY not in path)

    def _there(self) -> dict[str, bytes]:
        files = {str(path.relative_to(self.folder)): path for path in self.folder.rglob("*") if path.is_file()}
        return {path: file.read_bytes() for path, file in files.items() if TEMPORARY not in path}

    def _surviving(self) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        waiting = [("", self.folder.stat().st_ino)]
        while waiting:
            path, inode = waiting.pop()
            if inode in self._names:
                waiting += [(f"{path}/{name}" if path else name, inside) for name, inside in self._names[inode].items()]
            else:
                found[path] = self._bytes.get(inode, b"")
        return found

    def path_of(self, handle: int) -> str:
        """The file or folder that was opened with this number."""
        return self._opened[handle]

    # ------------------------------------------------------------ what is recorded

    def _keep(self, path: str) -> None:
        """Take what lies there now as what the disk holds."""
        inode = Path(path).stat().st_ino
        if Path(path).is_dir():
            with os.scandir(path) as entries:
                self._names[inode] = {entry.name: entry.inode() for entry in entries}
        else:
            self._bytes[inode] = Path(path).read_bytes()

    def _record(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("open", "fsync", "mkdir"):
            monkeypatch.setattr(os, name, getattr(self, f"_{name}")(getattr(os, name)))
        for name in ("link", "replace", "rename"):
            monkeypatch.setattr(os, name, self._named(name, getattr(os, name)))

    def _open(self, call: Callable[..., int]) -> Callable[..., int]:
        def opened(path: Any, flags: int, *more: Any, **also: Any) -> int:
            handle = call(path, flags, *more, **also)
            self._opened[handle] = os.fspath(path)
            if flags & os.O_EXCL:  # a new file, though its number may have been that of another one
                self._bytes.pop(os.fstat(handle).st_ino, None)
            return handle

        return opened

    def _fsync(self, call: Callable[[int], None]) -> Callable[[int], None]:
        def synced(handle: int) -> None:
            call(handle)
            path = self._opened[handle]
            self.calls.append("sync folder" if Path(path).is_dir() else "sync file")
            self._keep(path)

        return synced

    def _mkdir(self, call: Callable[..., None]) -> Callable[..., None]:
        def made(path: Any, *more: Any, **also: Any) -> None:
            call(path, *more, **also)
            self.calls.append("mkdir")
            self._names[Path(path).stat().st_ino] = {}

        return made

    def _named(self, name: str, call: Callable[..., None]) -> Callable[..., None]:
        def named(source: Any, target: Any, **also: Any) -> None:
            before = Path(source).stat()
            surviving = sorted(self._surviving()) if str(self.folder) in str(target) else []
            data = b"" if Path(source).is_dir() else Path(source).read_bytes()
            call(source, target, **also)
            self.calls.append(name)
            path = os.path.relpath(target, self.folder)
            self.at_names[path] = surviving
            if before.st_ino not in self._names and self._bytes.get(before.st_ino) != data:
                self.too_early.append(path)

        return named
