"""The exclusive create: of all who ask for a new file, one gets it, and each of them knows whether it was the one.

Before a process first relies on a root it asks the storage for a file that is there already. A storage that
keeps the promise refuses; one that takes the bytes a second time is found out, and nothing is committed there.
An answer that was lost is made up for by reading back: every attempt has bytes of its own.
"""

import contextlib
import os
import time
from collections.abc import Iterator

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import ConflictError, NotThereError, SchemaError, StorageError, UnsafeStorageError
from airflow_provider_schemas.store.common import clock
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.store.storage.errors import passing
from airflow_provider_schemas.store.storage.files import UNCLEAR, Files, Gone, OutcomeUnclear, Parent, PathTaken
from airflow_provider_schemas.store.storage.guarantees import Means, guarantee

_ATTEMPTS = 6
_PAUSE = 0.05
# The libraries ask again on their own: beyond this many seconds we do not.
_PATIENCE = 30.0
_PROVEN: set[tuple[int, str, str]] = set()
_FOUND_OUT: set[tuple[int, str, str]] = set()

ALONE = "single writer: nobody else may write at the same time"


def promise(files: Files, *, alone: bool = False) -> str:
    """What the storage promises, in words."""
    if guarantee(files.protocol).means is Means.NONE or (alone and _key(files) not in _PROVEN):
        return ALONE if alone else "none: read only"
    proven = "proven" if _key(files) in _PROVEN else "not asked yet"
    return f"exclusive create by {guarantee(files.protocol).means}, {proven}"


def _key(files: Files) -> tuple[int, str, str]:
    return (os.getpid(), files.protocol, files.identity)


def create(files: Files, path: str, data: bytes, *, known: str | None = None, alone: bool = False, parent: Parent | None = None) -> str:
    """Write a file that must not be there; what was promised, in words. Raises Taken if somebody else has written it.

    Known is a file that is there; none, where the root holds none yet. Alone is for a caller who
    says that nobody else writes. Parent is the file that this one follows: Gone if it is not there any more.
    """
    try:
        _exclusively(files, path, data, known, parent)
    except UnsafeStorageError:
        if not alone:
            raise
        _create_alone(files, path, data, parent)
    commit_steps.reached(commit_steps.CONFIRMED)
    return promise(files, alone=alone)


def _exclusively(files: Files, path: str, data: bytes, known: str | None, parent: Parent | None) -> None:
    if guarantee(files.protocol).means is Means.NONE:
        message = f"a storage of the kind {shown(files.protocol)} cannot promise that of two writers one loses."
        fix = "Keep the registry elsewhere, or open the store with single_writer=True if nobody else writes at the same time."
        raise UnsafeStorageError(message, path=path, fix=fix)
    if _key(files) in _FOUND_OUT:
        raise unsafe(files)
    proven = known is not None and _prove(files, known)
    _create(files, path, data, parent)
    if not proven:
        _prove_first(files, path, data)


def _create(files: Files, path: str, data: bytes, parent: Parent | None) -> None:
    """The create itself, and reading back whatever is unclear."""
    for attempt in _attempts():
        try:
            files.create(path, data, parent)
        except (PathTaken, OutcomeUnclear) as doubt:
            if attempt == 0 and files.protocol == "file":
                raise
            # A library that asks again on its own meets what it has written itself.
            if (found := _read_back(files, path)) == data:
                return
            if found is not None:
                raise PathTaken(path) from doubt
        else:
            _confirmed(files, path, data, parent)
            return
    raise _unclear(files, path)


def _attempts() -> Iterator[int]:
    """Attempts, with longer and longer pauses after each."""
    until = clock.monotonic() + _PATIENCE
    for attempt in range(_ATTEMPTS):
        yield attempt
        if clock.monotonic() > until:
            return
        time.sleep(_PAUSE * 2**attempt)


def _read_back(files: Files, path: str) -> bytes | None:
    """What lies there after an answer that says neither yes nor no."""
    try:
        return _there(files, path)
    except StorageError as error:
        raise _unclear(files, path) from error


def _unclear(files: Files, path: str) -> StorageError:
    message = f"{files.url} does not say whether {path} was written."
    fix = "Look at the newest version, and try again: with the same key, nothing is done twice."
    return StorageError(message, code=UNCLEAR, path=path, fix=fix)


def _there(files: Files, path: str) -> bytes | None:
    """What lies there; asked for again where the storage does not answer."""
    for attempt in _attempts():
        try:
            return files.read(path)
        except NotThereError:
            return None
        except StorageError as error:
            if attempt == _ATTEMPTS - 1 or not passing(error):
                raise
            last = error
    raise last


def _confirmed(files: Files, path: str, data: bytes, parent: Parent | None) -> None:
    """Read back once what is said to be written, where somebody who knows no conditions could write over it."""
    if guarantee(files.protocol).means is not Means.CONDITION:
        return
    try:
        found = _there(files, path)
        if found is None and parent is not None and not parent.is_in(files):
            return  # it went with the table, which whoever asked for it finds out
    except StorageError:
        return  # that it was written was said; only who comes later would be found out here
    if found != data:
        message = f"{files.url}/{path} was written, and is another file now: somebody writes there without asking whether it is free."
        fix = "Look what holds now, find that writer, and try again."
        raise ConflictError(message, code="commit.overwritten", path=path, fix=fix)


def _create_alone(files: Files, path: str, data: bytes, parent: Parent | None) -> None:
    """For a caller who says that nobody else writes."""
    if files.exists(path):
        raise PathTaken(path)
    if parent is not None and not parent.is_in(files):
        raise Gone(path)
    files.put(path, data)
    commit_steps.reached(commit_steps.CREATED)
    if files.read(path) != data:
        raise PathTaken(path)


# ---------------------------------------------------------------- proof


def _prove(files: Files, path: str) -> bool:
    """Ask for a file that is there, with the bytes that it has: whoever keeps the promise refuses, and who does not changes nothing.

    False if the file has gone meanwhile, so that it proves nothing.
    """
    key = _key(files)
    if key in _PROVEN:
        return True
    data = _there(files, path)
    if data is None:
        return False
    try:
        refused = _refused(files, path, data)
    except NotThereError:
        return False
    if not refused:
        _FOUND_OUT.add(key)
        raise unsafe(files)
    _PROVEN.add(key)
    return True


def _prove_first(files: Files, path: str, data: bytes) -> None:
    """The same with the very first file; if it is not refused, the file is taken away again, and nobody was told of it."""
    if _key(files) in _PROVEN:
        return
    try:
        refused = _refused(files, path, data)
    except UnsafeStorageError:
        raise
    except NotThereError:
        return  # it was written, and somebody took the table away: the next one proves it
    except StorageError as error:
        raise _unclear(files, path) from error
    if refused:
        _PROVEN.add(_key(files))
        return
    _FOUND_OUT.add(_key(files))
    if _there(files, path) == data:
        files.delete(path)
    raise unsafe(files)


def _refused(files: Files, path: str, data: bytes) -> bool:
    """Whether the storage refuses to write what is there. It may have gone just before: then what was written is asked for again."""
    if _refuses(files, path, data):
        return True
    if not _refuses(files, path, data):
        return False
    files.delete(path)  # nobody's: it belongs to a table that was dropped
    return True


def _refuses(files: Files, path: str, data: bytes) -> bool:
    for _ in _attempts():
        with contextlib.suppress(OutcomeUnclear):
            return files.refuses(path, data)
    message = f"{files.url} does not say whether it refuses to write a file twice."
    raise StorageError(message, code=UNCLEAR, path=path, fix="Nothing was written. Try again.")


def unsafe(files: Files) -> SchemaError:
    """The error about a storage that writes a file twice though it was asked not to."""
    message = f"{files.url} wrote a file that was there already, though it was asked not to: two writers could overwrite each other."
    fix = "Use a storage that keeps conditional writes, or open the store with single_writer=True if nobody else writes at the same time."
    return UnsafeStorageError(message, fix=fix)
