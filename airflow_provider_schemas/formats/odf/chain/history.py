"""The history of schemas in a chain of blocks, from its newest block back to its first.

Every block must have the hash by which it is named and the number before its successor's. So the walk ends after
as many blocks as there are files, whatever they hold.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import MAX_FAULTS, Fault, FormatError, NotThereError
from airflow_provider_schemas.formats.odf.arrow.convert import upgrade
from airflow_provider_schemas.formats.odf.arrow.reader import Naive
from airflow_provider_schemas.formats.odf.chain.block import MetadataBlock, SetDataSchema
from airflow_provider_schemas.formats.odf.chain.block_reader import Opening, read_opening
from airflow_provider_schemas.formats.odf.chain.files import ChainFiles, Folder, folder_of
from airflow_provider_schemas.formats.odf.chain.multihash import Multihash, block_hash, parse_multihash
from airflow_provider_schemas.formats.odf.compatibility.system_columns import Vocabulary
from airflow_provider_schemas.formats.odf.model.block_time import BlockTime
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.strict_reader import below
from airflow_provider_schemas.formats.odf.serialization.event_kinds import EventKind

_AGAIN: Final = "Fetch the dataset again, or say which block is the head."


class SchemaStep(Struct, frozen=True):
    """One setting of the schema in a chain."""

    sequence_number: int
    system_time: BlockTime
    hash: Multihash
    event: SetDataSchema
    warnings: tuple[Fault, ...] = ()
    vocabulary: Vocabulary = Vocabulary()
    """The names of the system columns at that time."""

    @property
    def legacy(self) -> bool:
        """Return whether the schema is one of Arrow, from before ODF had its own."""
        return self.event.schema is None

    def schema(self, *, naive: Naive = "utc", reference_compatible: bool = False) -> DataSchema:
        """Return the schema; one of Arrow is converted at each call."""
        if self.event.schema is not None:
            return self.event.schema
        return upgrade(self.event.raw_arrow_schema or b"", naive=naive, reference_compatible=reference_compatible)


class Chain(Struct, frozen=True):
    """A whole chain without faults, and the schemas that were set in it, the oldest first."""

    head: Multihash
    length: int
    schemas: tuple[SchemaStep, ...]
    vocabulary: Vocabulary = Vocabulary()
    """The names of the system columns now, and in the next schema."""

    @property
    def current(self) -> SchemaStep | None:
        """Return the newest setting of the schema."""
        if not self.schemas:
            return None
        return self.schemas[-1]


def read_chain(source: str | Path | Folder, head: str | Multihash | None = None, *, before_0_263: bool = False) -> Chain:
    """Return the history of schemas in a folder of blocks, or in a dataset as kamu lays it out.

    Without a head the walk begins at the block that the file `refs/head` names; without that file, at the one
    block that no other follows.
    """
    files = ChainFiles(folder_of(source))
    newest = _newest(files, head)
    history = _SchemaHistory(before_0_263)
    for multihash, opening in _walk_backwards(files, newest):
        history.add(multihash, opening)
    if history.faults:
        raise FormatError.of(history.faults)
    return Chain(newest, history.length, tuple(reversed(history.steps)), history.vocabulary or Vocabulary())


def _newest(files: ChainFiles, head: str | Multihash | None) -> Multihash:
    if isinstance(head, str):
        return parse_multihash(head)
    return head or files.head() or _last(files)


class _SchemaHistory:
    """Gathers the schemas and vocabularies of blocks, which are added from the newest to the first."""

    def __init__(self, before_0_263: bool) -> None:
        self.before_0_263 = before_0_263
        self.length = 0
        self.faults: list[Fault] = []
        self.steps: list[SchemaStep] = []
        self.vocabulary: Vocabulary | None = None
        self._steps_with_vocabulary = 0

    def add(self, multihash: Multihash, opening: Opening) -> None:
        self.length += 1
        if len(self.faults) >= MAX_FAULTS:
            return
        try:
            if opening.kind is EventKind.SET_VOCAB:
                self._add_vocabulary(opening.vocabulary())
            elif opening.kind is EventKind.SET_DATA_SCHEMA:
                self._add_schema(multihash, opening.block(before_0_263=self.before_0_263))
        except FormatError as error:
            self.faults.extend(below(f"blocks[{opening.sequence_number}]", error).faults)

    def _add_vocabulary(self, vocabulary: Vocabulary) -> None:
        """Set the vocabulary of the later steps that have none yet: a vocabulary holds until the next one."""
        self.vocabulary = self.vocabulary or vocabulary
        for place in range(self._steps_with_vocabulary, len(self.steps)):
            self.steps[place] = replace(self.steps[place], vocabulary=vocabulary)
        self._steps_with_vocabulary = len(self.steps)

    def _add_schema(self, multihash: Multihash, block: MetadataBlock) -> None:
        if isinstance(block.event, SetDataSchema):
            self.steps.append(SchemaStep(block.sequence_number, block.system_time, multihash, block.event, block.warnings))


def _walk_backwards(files: ChainFiles, head: Multihash) -> Iterator[tuple[Multihash, Opening]]:
    """Yield the blocks from the newest to the first, each with its hash."""
    next_hash: Multihash | None = head
    successor: Opening | None = None
    while next_hash is not None:
        block = _read(files, next_hash)
        _check_number(block, successor, files.path(next_hash))
        yield next_hash, block
        next_hash = block.prev_block_hash
        successor = block


def _read(files: ChainFiles, expected: Multihash) -> Opening:
    """Read the block with this hash, and check that its bytes have it."""
    path = files.path(expected)
    try:
        raw = files.read(expected)
    except NotThereError:
        message = f"block {expected} is part of the chain, and its file is not there."
        raise FormatError(message, code="odf.chain-broken", path=path, fix=_AGAIN) from None
    actual = block_hash(raw)
    if actual != expected:
        message = f"the file {shown(path)} does not have the hash {expected}, but {actual}."
        raise FormatError(message, code="odf.hash-mismatch", path=path, fix="Fetch it again: it was changed or cut off.")
    try:
        return read_opening(raw)
    except FormatError as error:
        raise FormatError.of(fault._replace(path=f"{path}: {fault.path}" if fault.path else path) for fault in error.faults) from None


def _check_number(block: Opening, successor: Opening | None, path: str) -> None:
    number = block.sequence_number
    if successor is not None and number != successor.sequence_number - 1:
        message = f"block {number} stands before block {successor.sequence_number}."
        raise FormatError(message, code="odf.chain-broken", path=path, fix=_AGAIN)
    if block.prev_block_hash is None and number:
        message = f"block {number} follows no other, and yet it is not the first."
        raise FormatError(message, code="odf.chain-broken", path=path, fix=_AGAIN)


def _last(files: ChainFiles) -> Multihash:
    """Return the hash of the one block that no other follows."""
    followed = {_read(files, block).prev_block_hash for block in files.names}
    last = [block for block in files.names if block not in followed]
    if len(last) == 1:
        return last[0]
    message = "there are no blocks."
    if files.names:
        some = ", ".join(map(str, last[:3])) or "none"
        message = f"{len(last)} blocks are followed by no other ({some})."
    raise FormatError(message, code="odf.chain-head", fix="Say which block is the head of the chain.")
