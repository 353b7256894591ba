"""Create files exclusively: of all who ask for a new file, one gets it, and each of them knows whether it has got it.

Before a process first relies on a root it tries to create a file that is there already. A storage that keeps its promise refuses; a storage
that writes the file a second time is unsafe, and nothing is committed there. Where an answer is lost, the file is read back: every attempt
has bytes of its own.
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
# The libraries repeat requests on their own: after this many seconds we do not.
_PATIENCE = 30.0

RootKey = tuple[int, str, str]
"""A process, and the protocol and identity of a root that it has tried."""
_PROVEN: set[RootKey] = set()
_UNSAFE: set[RootKey] = set()

ALONE = "single writer: nobody else may write at the same time"


def promise(files: Files, *, alone: bool = False) -> str:
    """Return what the storage promises, in words."""
    is_proven = _key(files) in _PROVEN
    if alone and not is_proven:
        return ALONE
    if guarantee(files.protocol).means is Means.NONE:
        return ALONE if alone else "none: read only"
    proven = "proven" if is_proven else "not asked yet"
    return f"exclusive create by {guarantee(files.protocol).means}, {proven}"


def _key(files: Files) -> RootKey:
    return (os.getpid(), files.protocol, files.identity)


def create(files: Files, path: str, data: bytes, *, known: str | None = None, alone: bool = False, parent: Parent | None = None) -> str:
    """Write a file that must not be there, and return what the storage promises, in words. Raise PathTaken if another writer was first.

    Known is a file that is there; None, where the root has no file yet. Alone is for a caller who says that nobody else writes. Parent is
    the file that the new file follows: Gone is raised if it is not there any more.
    """
    try:
        _create_exclusively(files, path, data, known, parent)
    except UnsafeStorageError:
        if not alone:
            raise
        _create_alone(files, path, data, parent)
    commit_steps.reached(commit_steps.CONFIRMED)
    return promise(files, alone=alone)


def _create_exclusively(files: Files, path: str, data: bytes, known: str | None, parent: Parent | None) -> None:
    if guarantee(files.protocol).means is Means.NONE:
        message = f"a storage of the kind {shown(files.protocol)} cannot promise that of two writers one loses."
        fix = "Keep the registry elsewhere, or open the store with single_writer=True if nobody else writes at the same time."
        raise UnsafeStorageError(message, path=path, fix=fix)
    if _key(files) in _UNSAFE:
        raise unsafe(files)
    is_proven = known is not None and _prove(files, known)
    _create(files, path, data, parent)
    if not is_proven:
        _prove_by_new_file(files, path, data)


def _create(files: Files, path: str, data: bytes, parent: Parent | None) -> None:
    """Create a file, and read it back where the answer is unclear."""
    for attempt in _attempts():
        try:
            files.create(path, data, parent)
        except (PathTaken, OutcomeUnclear) as doubt:
            if attempt == 0 and files.protocol == "file":
                raise
            # A library that repeats a request on its own meets what it has written itself.
            content = _read_unclear(files, path)
            if content == data:
                return
            if content is not None:
                raise PathTaken(path) from doubt
        else:
            _confirm(files, path, data, parent)
            return
    raise _unclear(files, path)


def _attempts() -> Iterator[int]:
    """Yield the numbers of attempts, with longer and longer pauses between them."""
    until = clock.monotonic() + _PATIENCE
    for attempt in range(_ATTEMPTS):
        yield attempt
        if clock.monotonic() > until:
            return
        time.sleep(_PAUSE * 2**attempt)


def _read_unclear(files: Files, path: str) -> bytes | None:
    """Return the file after an answer that says neither yes nor no; None if there is none."""
    try:
        return _read_if_there(files, path)
    except StorageError as error:
        raise _unclear(files, path) from error


def _unclear(files: Files, path: str) -> StorageError:
    message = f"{files.url} does not say whether {path} was written."
    fix = "Look at the newest version, and try again: with the same key, nothing is done twice."
    return StorageError(message, code=UNCLEAR, path=path, fix=fix)


def _read_if_there(files: Files, path: str) -> bytes | None:
    """Return the file, None if there is none; ask again where the storage does not answer."""
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


def _confirm(files: Files, path: str, data: bytes, parent: Parent | None) -> None:
    """Read a new file back once, where another writer who sends no conditions could overwrite it."""
    if guarantee(files.protocol).means is not Means.CONDITION:
        return
    try:
        content = _read_if_there(files, path)
        if content is None and parent is not None and not parent.is_in(files):
            return  # it went with the table, as the caller finds out
    except StorageError:
        return  # the storage said that it was written; this reading only looks for other writers
    if content != data:
        message = f"{files.url}/{path} was written, and is another file now: somebody writes there without asking whether it is free."
        fix = "Look what holds now, find that writer, and try again."
        raise ConflictError(message, code="commit.overwritten", path=path, fix=fix)


def _create_alone(files: Files, path: str, data: bytes, parent: Parent | None) -> None:
    """Create a file for a caller who says that nobody else writes."""
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
    """Try to create a file that is there, with its own bytes: a storage that keeps its promise refuses, and no storage changes anything.

    Return False if the file has gone meanwhile, so that nothing is proven.
    """
    key = _key(files)
    if key in _PROVEN:
        return True
    data = _read_if_there(files, path)
    if data is None:
        return False
    try:
        is_refused = _is_refused(files, path, data)
    except NotThereError:
        return False
    if not is_refused:
        _UNSAFE.add(key)
        raise unsafe(files)
    _PROVEN.add(key)
    return True


def _prove_by_new_file(files: Files, path: str, data: bytes) -> None:
    """Prove a storage by the first file of a root. If the storage does not refuse it, the file is deleted again, and nobody knew of it."""
    if _key(files) in _PROVEN:
        return
    try:
        is_refused = _is_refused(files, path, data)
    except UnsafeStorageError:
        raise
    except NotThereError:
        return  # it was written, and somebody dropped the table: the next file proves the storage
    except StorageError as error:
        raise _unclear(files, path) from error
    if is_refused:
        _PROVEN.add(_key(files))
        return
    _UNSAFE.add(_key(files))
    if _read_if_there(files, path) == data:
        files.delete(path)
    raise unsafe(files)


def _is_refused(files: Files, path: str, data: bytes) -> bool:
    """Return whether the storage refuses to create a file that is there. The file may have gone just before: then try again."""
    if _refuses(files, path, data):
        return True
    if not _refuses(files, path, data):
        return False
    files.delete(path)  # of a table that was dropped
    return True


def _refuses(files: Files, path: str, data: bytes) -> bool:
    """Return whether the storage refuses to create a file now; ask again where the answer is unclear."""
    for _ in _attempts():
        with contextlib.suppress(OutcomeUnclear):
            return files.refuses(path, data)
    message = f"{files.url} does not say whether it refuses to write a file twice."
    raise StorageError(message, code=UNCLEAR, path=path, fix="Nothing was written. Try again.")


def unsafe(files: Files) -> SchemaError:
    """Return the error about a storage that writes a file twice although it was asked not to."""
    message = f"{files.url} wrote a file that was there already, though it was asked not to: two writers could overwrite each other."
    fix = "Use a storage that keeps conditional writes, or open the store with single_writer=True if nobody else writes at the same time."
    return UnsafeStorageError(message, fix=fix)
