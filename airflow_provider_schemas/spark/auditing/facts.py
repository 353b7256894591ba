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
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Final

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


class _FactFile(Struct, frozen=True, array_like=True):
    """What stands in the file of a store."""

    code: bytes
    store: str
    facts: dict[str, Fact]


class FactCache:
    """The facts about the tables of one store, in a file of a folder."""

    def __init__(self, folder: Path | None, store: SchemaStore) -> None:
        self._folder = folder
        self._store = f"{store.warehouse.identity}\n{store.registry.identity}"
        self._name = f"audit-{hashlib.sha256(self._store.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"
        self.facts: Mapping[str, Fact] = self._read()

    @property
    def remembers(self) -> bool:
        """Return whether there is a folder for it."""
        return self._folder is not None

    def remember(self, audited: Mapping[str, Fact | None]) -> None:
        """Keep the facts about these tables besides those about others; None forgets a table. Where nothing can be written, go on."""
        if self._folder is None or all(self.facts.get(name) == fact for name, fact in audited.items()):
            return
        facts: dict[str, Fact] = {}
        if len(self.facts) < _MOST:
            facts = {name: fact for name, fact in self.facts.items() if name not in audited}
        facts |= {name: fact for name, fact in audited.items() if fact is not None}
        try:
            payload = msgspec.msgpack.encode(_FactFile(our_code(), self._store, facts))
            self._write(hashlib.sha256(payload).digest() + payload)
        except OSError as error:
            _LOG.debug("what the audit found is not remembered: %s", error)

    def _read(self) -> Mapping[str, Fact]:
        try:
            data = self._read_bytes()
            file = msgspec.msgpack.decode(data[_DIGEST:], type=_FactFile)
            code = our_code()
        except (OSError, ValueError, msgspec.DecodeError, RecursionError) as error:
            _LOG.debug("nothing is remembered of earlier audits: %s", error)
            return {}
        if hashlib.sha256(data[_DIGEST:]).digest() != data[:_DIGEST]:
            return {}
        return file.facts if (file.code, file.store) == (code, self._store) else {}

    def _read_bytes(self) -> bytes:
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
    """Open the folder. Raise an OSError if it is another user's, or if others may write to it."""
    if folder is None:
        raise FileNotFoundError
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        _check_own(os.fstat(handle), stat.S_ISDIR)
        yield handle
    finally:
        os.close(handle)


def _check_own(status: os.stat_result, is_kind: Callable[[int], bool]) -> None:
    if not is_kind(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & _OTHERS_MAY_WRITE:
        message = "another user may have written what is remembered of earlier audits"
        raise PermissionError(message)


def facts_folder(folder: bool | str | PathLike[str]) -> Path | None:
    """Return where facts are kept: in the folder that is named, in the user's folder of caches, or nowhere."""
    if not isinstance(folder, bool):
        return Path(os.path.abspath(folder))  # noqa: PTH100  # a link is no folder of the user's own, so that none is followed
    return _usual_folder() if folder else None


def _usual_folder() -> Path | None:
    usual = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if usual.is_absolute():
        return usual / _FOLDER
    try:
        return Path.home() / ".cache" / _FOLDER
    except RuntimeError:  # a user without a home
        return None


def is_settled(changed: float, began: float) -> bool:
    """Return whether a file of this time of change would show another time if it were changed after an audit began to look at it."""
    return changed < began - SETTLED


@cache
def our_code() -> bytes:
    """Return what tells the code that runs from every other: its version, and the names, sizes and times of its files."""
    digest = hashlib.sha256(airflow_provider_schemas.__version__.encode())
    for root in sorted(airflow_provider_schemas.__path__):
        for path in sorted(Path(root).rglob("*.py")):
            status = path.stat()
            digest.update(f"\n{path.relative_to(root)} {status.st_size} {status.st_mtime_ns}".encode("utf-8", "surrogatepass"))
    return digest.digest()
