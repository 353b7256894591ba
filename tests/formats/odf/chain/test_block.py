"""Blocks are written and read back as they were, in both versions, and are known by the hash of their bytes."""

import hashlib
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.chain.block import OtherEvent, SetDataSchema
from airflow_provider_schemas.formats.odf.chain.block_reader import read_block
from airflow_provider_schemas.formats.odf.chain.multihash import SHA3_256, Multihash
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.block_time import BlockTime
from airflow_provider_schemas.formats.odf.model.kinds import Kind, TimeUnit
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import (
    PLAIN,
    Binary,
    DataField,
    DataType,
    Decimal,
    List,
    Map,
    Option,
    Struct,
    Time,
    Timestamp,
)
from airflow_provider_schemas.formats.odf.serialization.event_kinds import EventKind
from airflow_provider_schemas.formats.odf.serialization.writer import of_schema
from tests.formats.odf.support.strategies import schemas
from tests.support.odf_blocks import NOON, NOTHING_ADDED, PREVIOUS, TWO_COLUMNS, block, older, schema_block

STRING = PLAIN[Kind.STRING]
times = st.builds(BlockTime, st.integers(1, 9999), st.integers(1, 365), st.integers(0, 86399), st.integers(0, 999_999_999))
numbers = st.integers(0, 2**64 - 1)
hashes = st.none() | st.builds(Multihash, st.just(SHA3_256), st.binary(min_size=32, max_size=32))


def one_field(kind: DataType, extra: Attributes | None = None) -> DataSchema:
    return DataSchema((DataField("a", kind, extra),))


@given(schemas, times, numbers, hashes)
def test_what_was_written_is_read_back_and_written_the_same_again(
    schema: DataSchema, time: BlockTime, number: int, previous: Multihash | None
) -> None:
    written = block(SetDataSchema(schema), number, previous, time)
    found = read_block(written.raw)
    assert found == written
    # Equality takes an absent parameter for its default: what documents hold tells the two apart.
    assert isinstance(found.event, SetDataSchema)
    assert found.event.schema is not None
    assert of_schema(found.event.schema) == of_schema(schema)
    assert block(found.event, found.sequence_number, found.prev_block_hash, found.system_time).raw == written.raw


@given(schemas, times, numbers, hashes)
def test_the_time_of_an_older_block_is_read_wherever_it_lies(
    schema: DataSchema, time: BlockTime, number: int, previous: Multihash | None
) -> None:
    found = read_block(older(SetDataSchema(schema), number, previous, time))
    assert (found.version, found.system_time, found.sequence_number, found.prev_block_hash) == (2, time, number, previous)
    assert found.event == SetDataSchema(schema)


def test_the_time_of_some_older_blocks_lies_on_no_even_place() -> None:
    assert older(NOTHING_ADDED)[28:] != block(NOTHING_ADDED).raw[28:]
    assert read_block(older(NOTHING_ADDED)).system_time == NOON


@pytest.mark.parametrize(
    "kind",
    [
        *PLAIN.values(),
        *(Binary(), Binary(0), Binary(2**64 - 1), Decimal(0, 0), Decimal(38, -3), List(STRING), List(STRING, 0)),
        *(Map(STRING, Option(STRING)), Map(STRING, STRING, True), Map(STRING, STRING, False), Struct(())),
        *(Time(), Time(TimeUnit.SECOND), Timestamp(), Timestamp(None, ""), Timestamp(TimeUnit.NANOSECOND, "+10:30")),
        *(Option(Option(STRING)), Struct((DataField("", Struct((DataField("x", STRING, Attributes({})),))),))),
    ],
    ids=repr,
)
def test_every_kind_is_kept_with_just_what_is_set(kind: DataType) -> None:
    for extra in (None, Attributes({}), Attributes({"kamu.dev/x": [1, 1.0, None, {"ä": "😀"}]})):
        schema = one_field(kind, extra)
        event = read_block(schema_block(schema).raw).event
        assert isinstance(event, SetDataSchema)
        assert event.schema is not None
        assert of_schema(event.schema) == of_schema(schema)


def test_a_block_is_known_by_the_hash_of_its_bytes_as_they_are() -> None:
    raw = older(SetDataSchema(None, TWO_COLUMNS), 117, PREVIOUS)
    found = read_block(raw)
    assert (found.raw, str(found.hash)) == (raw, f"f1620{hashlib.sha3_256(raw).hexdigest()}")


@pytest.mark.parametrize("kind", [one for one in EventKind if one is not EventKind.SET_DATA_SCHEMA])
def test_other_events_are_named_and_nothing_more(kind: EventKind) -> None:
    assert read_block(block(OtherEvent(kind, empty=True)).raw).event == OtherEvent(kind, empty=True)


def test_an_event_that_says_something_is_never_written_anew() -> None:
    with pytest.raises(FormatError, match="SetVocab cannot be written"):
        block(OtherEvent(EventKind.SET_VOCAB))


def test_an_event_may_have_both_schemas() -> None:
    event = SetDataSchema(one_field(STRING), TWO_COLUMNS)
    assert read_block(block(event).raw).event == event


def test_everything_that_keeps_a_schema_out_of_a_block_is_told_at_once() -> None:
    wrong = DataSchema(
        (
            DataField("\ud800", STRING),
            DataField("a", List(Binary(-1))),
            DataField("b", Struct((DataField("c", Decimal(2**32, 0)),))),
            DataField("d", Timestamp("Second")),  # type: ignore[arg-type]
        )
    )
    with pytest.raises(FormatError) as caught:
        schema_block(wrong)
    assert [one.path for one in caught.value.faults] == [
        "event.schema.fields[0].name",
        "event.schema.fields[1].type.itemType.fixedLength",
        "event.schema.fields[2].type.fields[0].type.precision",
        "event.schema.fields[3].type.unit",
    ]


def deep(levels: int) -> DataType:
    kind: DataType = STRING
    for _ in range(levels - 1):
        kind = List(kind)
    return kind


def test_types_are_as_deep_as_the_reference_reads_them_and_no_deeper() -> None:
    # 64 tables: the block, the event, the schema and the field are four of them.
    schema = one_field(deep(60))
    assert read_block(schema_block(schema).raw).event == SetDataSchema(schema)
    with pytest.raises(FormatError, match="deeper than 64"):
        schema_block(one_field(deep(61)))


def test_without_the_library_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "flatbuffers", None)
    with pytest.raises(FormatError, match=r'pip install "airflow-provider-schemas\[odf\]"') as caught:
        schema_block(one_field(STRING))
    assert caught.value.code == "extra.missing"


def test_blocks_are_read_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    written = schema_block(one_field(STRING))
    monkeypatch.setitem(sys.modules, "flatbuffers", None)
    assert read_block(written.raw) == written


def test_a_number_that_does_not_fit_is_refused() -> None:
    with pytest.raises(FormatError, match="no number of a block"):
        block(NOTHING_ADDED, -1)
