"""The history of schemas in a folder of blocks: whole, verified, and found with or without a word about its head."""

import os
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa  # noqa: TID253  # chains hold schemas of Arrow
import pytest

from airflow_provider_schemas.errors import FormatError, NotThereError, SchemaError, StorageError
from airflow_provider_schemas.formats.odf.chain.block import MetadataBlock, OtherEvent, SetDataSchema
from airflow_provider_schemas.formats.odf.chain.history import Chain, read_chain
from airflow_provider_schemas.formats.odf.chain.multihash import Multihash, block_hash, parse_multihash
from airflow_provider_schemas.formats.odf.model.kinds import Kind
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import PLAIN, DataField, Option, Timestamp
from airflow_provider_schemas.formats.odf.serialization.event_kinds import EventKind
from tests.formats.odf.support.raw_arrow import write_raw_arrow
from tests.support.odf_blocks import NOTHING_ADDED, TWO_COLUMNS, block, older

FIRST = DataSchema((DataField("a", PLAIN[Kind.INT64]), DataField("b", PLAIN[Kind.BOOL])))
SECOND = DataSchema((*FIRST.fields, DataField("c", Option(PLAIN[Kind.STRING]))))
EVENTS = (OtherEvent(EventKind.SEED, empty=True), SetDataSchema(None, TWO_COLUMNS), NOTHING_ADDED, SetDataSchema(SECOND), NOTHING_ADDED)


def chain_of(events: Sequence[SetDataSchema | OtherEvent] = EVENTS) -> list[MetadataBlock]:
    found: list[MetadataBlock] = []
    for number, event in enumerate(events):
        found.append(block(event, number, found[-1].hash if found else None))
    return found


def laid_out(folder: Path, blocks: Sequence[MetadataBlock], *, head: bool = True) -> Path:
    """A dataset as kamu lays it out."""
    (folder / "blocks").mkdir(parents=True)
    (folder / "refs").mkdir()
    for one in blocks:
        (folder / "blocks" / str(one.hash)).write_bytes(one.raw)
    if head:
        (folder / "refs" / "head").write_text(str(blocks[-1].hash), "utf-8")
    return folder


def assert_whole(found: Chain, blocks: Sequence[MetadataBlock]) -> None:
    assert (found.head, found.length) == (blocks[-1].hash, len(blocks))
    assert [one.sequence_number for one in found.schemas] == [1, 3]
    assert [one.hash for one in found.schemas] == [blocks[1].hash, blocks[3].hash]


def test_the_schemas_of_a_dataset_are_its_history(tmp_path: Path) -> None:
    blocks = chain_of()
    found = read_chain(laid_out(tmp_path, blocks))
    assert_whole(found, blocks)
    assert [one.legacy for one in found.schemas] == [True, False]
    assert [one.schema() for one in found.schemas] == [FIRST, SECOND]
    assert found.current is found.schemas[-1]


def test_a_folder_of_blocks_has_the_head_that_nothing_follows(tmp_path: Path) -> None:
    blocks = chain_of()
    for one in blocks:
        (tmp_path / str(one.hash)).write_bytes(one.raw)
    (tmp_path / "README.md").write_text("no block", "utf-8")
    assert_whole(read_chain(tmp_path), blocks)
    assert_whole(read_chain(str(tmp_path), str(blocks[-1].hash)), blocks)


def test_a_head_may_be_any_block_of_the_chain(tmp_path: Path) -> None:
    blocks = chain_of()
    found = read_chain(laid_out(tmp_path, blocks), blocks[2].hash)
    assert (found.length, [one.sequence_number for one in found.schemas]) == (3, [1])


def test_files_may_be_named_in_another_base(tmp_path: Path) -> None:
    blocks = chain_of()
    for one in blocks:
        (tmp_path / str(one.hash).upper()).write_bytes(one.raw)
    assert_whole(read_chain(tmp_path), blocks)


def test_a_chain_without_a_schema_has_none(tmp_path: Path) -> None:
    found = read_chain(laid_out(tmp_path, chain_of([NOTHING_ADDED])))
    assert (found.schemas, found.current, found.length) == ((), None, 1)


def test_blocks_of_both_versions_make_one_chain(tmp_path: Path) -> None:
    raw = older(SetDataSchema(DataSchema((DataField("t", Timestamp()),))))
    second = block(NOTHING_ADDED, 1, block_hash(raw))
    folder = laid_out(tmp_path, [second])
    (folder / "blocks" / str(block_hash(raw))).write_bytes(raw)
    (step,) = read_chain(folder).schemas
    assert [one.code for one in step.warnings] == ["odf.ambiguous-default"]
    assert not read_chain(folder, before_0_263=True).schemas[0].warnings


def test_a_schema_of_arrow_that_has_no_counterpart_is_refused_when_it_is_asked_for(tmp_path: Path) -> None:
    raw = write_raw_arrow(pa.schema([("a", pa.month_day_nano_interval())]))
    (step,) = read_chain(laid_out(tmp_path, chain_of([SetDataSchema(None, raw)]))).schemas
    assert step.event.raw_arrow_schema == raw
    with pytest.raises(SchemaError):
        step.schema()


# ---------------------------------------------------------------- broken chains


def refusal(folder: Path, head: str | Multihash | None = None) -> FormatError:
    with pytest.raises(FormatError) as caught:
        read_chain(folder, head)
    return caught.value


def test_a_block_that_was_changed_is_named_with_its_hash(tmp_path: Path) -> None:
    blocks = chain_of()
    file = laid_out(tmp_path, blocks) / "blocks" / str(blocks[2].hash)
    file.write_bytes(blocks[2].raw[:-1] + b"\1")
    error = refusal(tmp_path)
    assert (error.code, error.path) == ("odf.hash-mismatch", f"blocks/{blocks[2].hash}")
    assert str(block_hash(file.read_bytes())) in error.message
    assert str(blocks[2].hash) in error.message


def test_a_block_that_is_missing_is_named(tmp_path: Path) -> None:
    blocks = chain_of()
    (laid_out(tmp_path, blocks) / "blocks" / str(blocks[1].hash)).unlink()
    error = refusal(tmp_path)
    assert error.code == "odf.chain-broken"
    assert str(blocks[1].hash) in error.message


@pytest.mark.parametrize("number", [0, 3, 2**64 - 1])
def test_blocks_out_of_order_are_refused(tmp_path: Path, number: int) -> None:
    first = block(NOTHING_ADDED)
    error = refusal(laid_out(tmp_path, [first, block(NOTHING_ADDED, number, first.hash)]))
    assert (error.code, error.message) == ("odf.chain-broken", f"block 0 stands before block {number}.")


def test_a_chain_that_does_not_begin_at_the_beginning_is_refused(tmp_path: Path) -> None:
    assert "not the first" in refusal(laid_out(tmp_path, [block(NOTHING_ADDED, 7)])).message


def test_two_ends_ask_for_a_head(tmp_path: Path) -> None:
    first = block(NOTHING_ADDED)
    branches = [first, block(NOTHING_ADDED, 1, first.hash), block(EVENTS[0], 1, first.hash)]
    folder = laid_out(tmp_path, branches, head=False)
    error = refusal(folder)
    assert error.code == "odf.chain-head"
    assert str(branches[1].hash) in error.message
    assert read_chain(folder, branches[1].hash).length == 2


@pytest.mark.parametrize("text", [b"", b"main", b"\xff\xff", b"f1620"])
def test_a_head_that_is_no_hash_is_refused(tmp_path: Path, text: bytes) -> None:
    (laid_out(tmp_path, chain_of()) / "refs" / "head").write_bytes(text)
    error = refusal(tmp_path)
    assert (error.code, error.path) == ("odf.chain-head", "refs/head")


def test_a_head_that_is_a_pipe_keeps_nobody_waiting(tmp_path: Path) -> None:
    head = laid_out(tmp_path, chain_of()) / "refs" / "head"
    head.unlink()
    os.mkfifo(head)
    with pytest.raises(StorageError, match="is no file"):
        read_chain(tmp_path)


def test_an_empty_folder_or_none_has_no_chain(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "nowhere"):
        assert "there are no blocks" in refusal(folder).message


def test_a_file_that_is_no_folder_has_no_chain(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(SchemaError):
        read_chain(tmp_path / "file")


@pytest.mark.parametrize("source", ["\0", "x" * 10_000])
def test_a_folder_that_cannot_be_is_refused(source: str) -> None:
    with pytest.raises(StorageError):
        read_chain(source)


def test_the_faults_of_all_schemas_are_told_at_once_with_their_blocks(tmp_path: Path) -> None:
    bad = chain_of([SetDataSchema(FIRST)])[0].raw.replace(b"\1\0\0\0a", b"\1\0\0\0\xff")
    second = older(SetDataSchema(FIRST), 1, block_hash(bad)).replace(b"\1\0\0\0b", b"\1\0\0\0\xff")
    folder = laid_out(tmp_path, [block(NOTHING_ADDED, 2, block_hash(second))])
    for raw in (bad, second):
        (folder / "blocks" / str(block_hash(raw))).write_bytes(raw)
    assert [one.path for one in refusal(folder).faults] == [
        "blocks[1].event.schema.fields[1].name",
        "blocks[0].event.schema.fields[0].name",
    ]


def test_a_file_that_names_itself_is_no_endless_chain(tmp_path: Path) -> None:
    # Nobody can make a block that holds its own hash: whoever pretends to is found out by the hash.
    name = block_hash(b"anything")
    (tmp_path / str(name)).write_bytes(block(NOTHING_ADDED, 1, name).raw)
    assert refusal(tmp_path, name).code == "odf.hash-mismatch"


def test_thousands_of_blocks_are_read_in_seconds(tmp_path: Path) -> None:
    blocks = chain_of([NOTHING_ADDED] * 3_000)
    folder = laid_out(tmp_path, blocks)
    assert read_chain(folder).length == 3_000


def test_a_head_that_is_not_there_is_refused(tmp_path: Path) -> None:
    laid_out(tmp_path, chain_of())
    assert refusal(tmp_path, str(block_hash(b"elsewhere"))).code == "odf.chain-broken"
    assert refusal(tmp_path, "newest").code == "odf.hash"


class InMemory:
    """Another storage."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files

    def read(self, path: str, limit: int) -> bytes:
        if path not in self.files:
            raise NotThereError("no such file.")
        return self.files[path][:limit]

    def names(self, folder: str) -> list[str]:
        prefix = f"{folder}/" if folder else ""
        return [name.removeprefix(prefix) for name in self.files if name.startswith(prefix) and "/" not in name.removeprefix(prefix)]


def test_a_chain_is_read_from_any_storage_that_reads_and_lists() -> None:
    blocks = chain_of()
    files = {f"blocks/{one.hash}": one.raw for one in blocks}
    assert_whole(read_chain(InMemory({**files, "refs/head": f"{blocks[-1].hash}\n".encode()})), blocks)
    assert_whole(read_chain(InMemory(files)), blocks)
    assert parse_multihash(str(blocks[0].hash)) == blocks[0].hash
