"""What an audit remembers of tables: that certain files, by the print of their listing, are sound by themselves.

Never a verdict. What also depends on a registry, on policies, contracts, waivers or bindings, is found out each time, and so is everything
about a table of which anything was found. A fact counts for the code that found it, and for no other.

The facts lie in a folder of the user's own, and are taken as none where anybody else may write to it, or where they are not whole.
"""

import contextlib
import hashlib
import logging
import os
import stat
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

import airflow_provider_schemas
from airflow_provider_schemas.store.schema_store import SchemaStore

_LOG: Final = logging.getLogger("airflow_provider_schemas.spark")
# A file that was written in the last moments may be written again within one tick of the clock of its disk.
SETTLED: Final = 3.0
_FOLDER: Final = "airflow-provider-schemas"
_OTHERS_MAY_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH
_DIGEST: Final = 32
_MOST: Final = 1_000_000
_MOST_BYTES: Final = 256 * 1024 * 1024


class Fact(Struct, frozen=True, array_like=True):
    """A table whose files are sound."""

    schemas: bytes
    """The print of the folder of its versions."""
    versions: int
    location: str = ""
    """The plain folder of its data, if these were looked at."""
    data: bytes = b""
    """The print of that folder; empty if the data were not looked at."""
    files: int = 0


class _Kept(Struct, frozen=True, array_like=True):
    """The file."""

    code: bytes
    store: str
    facts: dict[str, Fact]


class Memory:
    """The facts about the tables of one store."""

    def __init__(self, folder: Path | None, store: SchemaStore) -> None:
        self._folder = folder
        self._store = f"{store.warehouse.identity}\n{store.registry.identity}"
        self._name = f"audit-{hashlib.sha256(self._store.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"
        self.facts: Mapping[str, Fact] = self._read()

    @property
    def remembers(self) -> bool:
        """Whether there is a folder for it."""
        return self._folder is not None

    def remember(self, seen: Mapping[str, Fact | None]) -> None:
        """Keep the facts about these tables besides those about others; None of a table is none. Whoever cannot write goes on without."""
        if self._folder is None or all(self.facts.get(name) == fact for name, fact in seen.items()):
            return
        others = {name: fact for name, fact in self.facts.items() if name not in seen} if len(self.facts) < _MOST else {}
        kept = others | {name: fact for name, fact in seen.items() if fact is not None}
        try:
            payload = msgspec.msgpack.encode(_Kept(our_code(), self._store, kept))
            self._write(hashlib.sha256(payload).digest() + payload)
        except OSError as error:
            _LOG.debug("what the audit found is not remembered: %s", error)

    def _read(self) -> Mapping[str, Fact]:
        try:
            data = self._bytes()
            kept, code = msgspec.msgpack.decode(data[_DIGEST:], type=_Kept), our_code()
        except (OSError, ValueError, msgspec.DecodeError, RecursionError) as error:
            _LOG.debug("nothing is remembered of earlier audits: %s", error)
            return {}
        whole = hashlib.sha256(data[_DIGEST:]).digest() == data[:_DIGEST]
        return kept.facts if whole and (kept.code, kept.store) == (code, self._store) else {}

    def _bytes(self) -> bytes:
        with _own_folder(self._folder) as folder:
            handle = os.open(self._name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
            with os.fdopen(handle, "rb") as file:
                _check_own(os.fstat(handle), stat.S_ISREG)
                return file.read(_MOST_BYTES)

    def _write(self, data: bytes) -> None:
        if self._folder is None:
            return
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _own_folder(self._folder):
            handle, temporary = tempfile.mkstemp(dir=self._folder, prefix=".audit-")  # which nobody else may read or write
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                Path(temporary).replace(self._folder / self._name)
            except BaseException:
                Path(temporary).unlink(missing_ok=True)
                raise


@contextlib.contextmanager
def _own_folder(folder: Path | None) -> Iterator[int]:
    """A handle of the folder; an OSError if it is another user's, or if others may write to it."""
    if folder is None:
        raise FileNotFoundError
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        _check_own(os.fstat(handle), stat.S_ISDIR)
        yield handle
    finally:
        os.close(handle)


def _check_own(about: os.stat_result, is_kind: Any) -> None:
    if not is_kind(about.st_mode) or about.st_uid != os.geteuid() or about.st_mode & _OTHERS_MAY_WRITE:
        message = "another user may have written what is remembered of earlier audits"
        raise PermissionError(message)


def folder_of(cache_folder: bool | str | PathLike[str]) -> Path | None:
    """Where facts are kept: in the folder that is named, in the user's folder of caches, or nowhere."""
    if isinstance(cache_folder, bool):
        if not cache_folder:
            return None
        usual = os.environ.get("XDG_CACHE_HOME", "")
        try:
            return (Path(usual) if Path(usual).is_absolute() else Path.home() / ".cache") / _FOLDER
        except RuntimeError:  # a user without a home
            return None
    return Path(os.path.abspath(cache_folder))  # noqa: PTH100  # a link is no folder of the user's own, so that none is followed


def is_settled(changed: float, looked: float) -> bool:
    """Whether a file that was changed then would show another time if it were changed after somebody began to look at it."""
    return changed < looked - SETTLED


@cache
def our_code() -> bytes:
    """What tells the code that runs from every other: its version, and the names, sizes and times of its files."""
    digest = hashlib.sha256(airflow_provider_schemas.__version__.encode())
    for root in sorted(airflow_provider_schemas.__path__):
        for path in sorted(Path(root).rglob("*.py")):
            about = path.stat()
            digest.update(f"\n{path.relative_to(root)} {about.st_size} {about.st_mtime_ns}".encode("utf-8", "surrogatepass"))
    return digest.digest()
