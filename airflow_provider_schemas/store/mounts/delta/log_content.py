"""What commits and checkpoints say of the schema, read in batches: the memory that it takes does not grow with the log."""

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from airflow_provider_schemas.errors import FormatError, SchemaError
from airflow_provider_schemas.formats.delta import Actions, read_actions
from airflow_provider_schemas.formats.delta.checkpoint_rows import read_checkpoint
from airflow_provider_schemas.store.mounts.delta.log_folder import LogFolder
from airflow_provider_schemas.store.mounts.delta.log_names import CheckpointFiles
from airflow_provider_schemas.store.storage.files import MAX_BYTES, Files, ListingEntry

# A commit that writes every file of a large table anew.
_MOST_COMMIT: Final = 4 * MAX_BYTES
_BATCH_BYTES: Final = MAX_BYTES
# A smaller file is read in one request, of a larger one the parts that count.
_WHOLE: Final = 8 * 1024 * 1024
_JSON: Final = ".json"


class Step(NamedTuple):
    """A commit, or several in one file: the version that it leads to, and what it says."""

    version: int
    actions: Actions
    entry: ListingEntry


class LogSource(NamedTuple):
    """A file that is to be read as a step."""

    version: int
    entry: ListingEntry


def read_steps(log: LogFolder, sources: Iterable[LogSource]) -> Iterator[Step]:
    """Yield what commits say, in their order."""
    for batch in _batches(sources, log.files.at_once):
        paths = {source.version: log.path(source.entry.name) for source in batch}
        contents = log.files.read_many(paths.values(), _MOST_COMMIT)
        for source in batch:
            path = paths[source.version]
            content = contents[path]
            if isinstance(content, SchemaError):
                raise content
            yield Step(source.version, read_actions(content, path), source.entry)


def _batches(sources: Iterable[LogSource], at_once: int) -> Iterator[Sequence[LogSource]]:
    """Yield what is read at once: some files, and no more bytes than fit."""
    batch: list[LogSource] = []
    size = 0
    for source in sources:
        own = source.entry.size or 0
        if batch and (len(batch) >= at_once or size + own > _BATCH_BYTES):
            yield batch
            batch = []
            size = 0
        batch.append(source)
        size += own
    if batch:
        yield batch


def read_checkpoint_of(log: LogFolder, checkpoint: CheckpointFiles) -> Actions:
    """Return what a checkpoint says: its parts are read until one has said it. Raise a FormatError if none does."""
    metadata = None
    protocol = None
    for part in checkpoint.parts:
        actions = _read_part(log, part)
        metadata = actions.metadata or metadata
        protocol = actions.protocol or protocol
        if metadata is not None and protocol is not None:
            return Actions(metadata, protocol)
    message = "the checkpoint holds no metaData, or no protocol."
    fix = "Write a new checkpoint of the table, or take the broken file away while all commits are there."
    raise FormatError(message, code="delta.bad-checkpoint", path=log.path(checkpoint.parts[0].name), fix=fix)


def _read_part(log: LogFolder, part: ListingEntry) -> Actions:
    path = log.path(part.name)
    if part.name.endswith(_JSON):
        return read_actions(log.files.read(path, _MOST_COMMIT), path)
    if part.size is None or part.size <= _WHOLE:
        return read_checkpoint(io.BytesIO(log.files.read(path, _MOST_COMMIT)), path)
    with io.BufferedReader(_RangedFile(log.files, path, part.size)) as file:
        return read_checkpoint(file, path)


class _RangedFile(io.RawIOBase):
    """A file of a storage, of which only the parts are read that are asked for."""

    def __init__(self, files: Files, path: str, size: int) -> None:
        self._files = files
        self._path = path
        self._size = size
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        self._at = max(0, start + offset)
        return self._at

    def readinto(self, buffer: Any) -> int:
        wanted = min(len(buffer), self._size - self._at)
        if wanted <= 0:
            return 0
        data = self._files.read_part(self._path, self._at, self._at + wanted)
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)
