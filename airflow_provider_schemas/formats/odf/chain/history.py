"""The history of schemas in a chain of blocks, from its newest block back to its first.

Every block must have the hash by which it is called and the number before its successor's. So no chain is read
for longer than it has files, whatever they hold.
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
    """What the system columns were called then."""

    @property
    def legacy(self) -> bool:
        """Whether the schema is one of Arrow, from before ODF had its own."""
        return self.event.schema is None

    def schema(self, *, naive: Naive = "utc", reference_compatible: bool = False) -> DataSchema:
        """The schema; one of Arrow is converted each time it is asked for."""
        if self.event.schema is not None:
            return self.event.schema
        return upgrade(self.event.raw_arrow_schema or b"", naive=naive, reference_compatible=reference_compatible)


class Chain(Struct, frozen=True):
    """A whole chain that was found sound, and the schemas that were set in it, the oldest first."""

    head: Multihash
    length: int
    schemas: tuple[SchemaStep, ...]
    vocabulary: Vocabulary = Vocabulary()
    """What system columns are called now, and in a schema that is to come."""

    @property
    def current(self) -> SchemaStep | None:
        """The setting that holds now."""
        return self.schemas[-1] if self.schemas else None


def read_chain(source: str | Path | Folder, head: str | Multihash | None = None, *, before_0_263: bool = False) -> Chain:
    """The history of schemas in a folder of blocks, or in a dataset as kamu lays it out.

    Without a head the file `refs/head` says where to begin; without that, the one block that no other follows.
    """
    files = ChainFiles(folder_of(source))
    newest = parse_multihash(head) if isinstance(head, str) else head or files.head() or _last(files)
    history = _History(before_0_263)
    for of, block in _backwards(files, newest):
        history.add(of, block)
    if history.faults:
        raise FormatError.of(history.faults)
    return Chain(newest, history.length, tuple(reversed(history.steps)), history.vocabulary or Vocabulary())


class _History:
    """What blocks say of schemas, gathered from the newest to the first."""

    def __init__(self, before_0_263: bool) -> None:
        self.before_0_263 = before_0_263
        self.length = 0
        self.faults: list[Fault] = []
        self.steps: list[SchemaStep] = []
        self.vocabulary: Vocabulary | None = None
        self._named = 0

    def add(self, of: Multihash, block: Opening) -> None:
        self.length += 1
        if len(self.faults) >= MAX_FAULTS:
            return
        try:
            if block.kind is EventKind.SET_VOCAB:
                self._name(block.vocabulary())
            elif block.kind is EventKind.SET_DATA_SCHEMA:
                self._set(of, block.block(before_0_263=self.before_0_263))
        except FormatError as error:
            self.faults.extend(one.at(f"blocks[{block.sequence_number}]") for one in error.faults)

    def _name(self, names: Vocabulary) -> None:
        """Names count for the steps after their block, as far as none of these has later ones."""
        self.vocabulary = self.vocabulary or names
        self.steps[self._named :] = [replace(one, vocabulary=names) for one in self.steps[self._named :]]
        self._named = len(self.steps)

    def _set(self, of: Multihash, found: MetadataBlock) -> None:
        if isinstance(found.event, SetDataSchema):
            self.steps.append(SchemaStep(found.sequence_number, found.system_time, of, found.event, found.warnings))


def _backwards(files: ChainFiles, head: Multihash) -> Iterator[tuple[Multihash, Opening]]:
    """The blocks from the newest to the first."""
    of: Multihash | None = head
    after: Opening | None = None
    while of is not None:
        block = _read(files, of)
        _check_number(block, after, files.path(of))
        yield of, block
        of, after = block.prev_block_hash, block


def _read(files: ChainFiles, of: Multihash) -> Opening:
    """A block that has the hash by which it is called."""
    path = files.path(of)
    try:
        raw = files.read(of)
    except NotThereError:
        message = f"block {of} is part of the chain, and its file is not there."
        raise FormatError(message, code="odf.chain-broken", path=path, fix=_AGAIN) from None
    if block_hash(raw) != of:
        message = f"the file {shown(path)} does not have the hash {of}, but {block_hash(raw)}."
        raise FormatError(message, code="odf.hash-mismatch", path=path, fix="Fetch it again: it was changed or cut off.")
    try:
        return read_opening(raw)
    except FormatError as error:
        raise FormatError.of(one._replace(path=f"{path}: {one.path}" if one.path else path) for one in error.faults) from None


def _check_number(block: Opening, after: Opening | None, path: str) -> None:
    number = block.sequence_number
    if after is not None and number != after.sequence_number - 1:
        message = f"block {number} stands before block {after.sequence_number}."
        raise FormatError(message, code="odf.chain-broken", path=path, fix=_AGAIN)
    if block.prev_block_hash is None and number:
        message = f"block {number} follows no other, and yet it is not the first."
        raise FormatError(message, code="odf.chain-broken", path=path, fix=_AGAIN)


def _last(files: ChainFiles) -> Multihash:
    """The one block that no other follows."""
    followed = {_read(files, of).prev_block_hash for of in files.known}
    last = [of for of in files.known if of not in followed]
    if len(last) != 1:
        some = ", ".join(map(str, last[:3])) or "none"
        message = f"{len(last)} blocks are followed by no other ({some})." if files.known else "there are no blocks."
        raise FormatError(message, code="odf.chain-head", fix="Say which block is the head of the chain.")
    return last[0]
