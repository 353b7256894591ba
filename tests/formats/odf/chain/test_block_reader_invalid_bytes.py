"""Bytes that are no block, or a block that nobody should have written, end in one of our errors, and soon."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.chain.block import SetDataSchema
from airflow_provider_schemas.formats.odf.chain.block_reader import read_block
from airflow_provider_schemas.formats.odf.flatbuffer import layout
from airflow_provider_schemas.formats.odf.flatbuffer.writer import BlockWriter
from airflow_provider_schemas.formats.odf.model.kinds import TAGS, Kind
from tests.formats.odf.support.strategies import schemas
from tests.support.odf_blocks import NOON, NOTHING_ADDED, TWO_COLUMNS, block, older, schema_block

INT = TAGS[Kind.INT64]


def manifest(content: bytes | None, version: int = 3, kind: int = layout.MANIFEST_KIND) -> bytes:
    writer = BlockWriter()
    vector = None if content is None else writer.builder.CreateByteVector(content)
    return writer.finished(writer.table(layout.MANIFEST, kind, version, vector))


def around(event: Callable[[BlockWriter], int], tag: int = 10) -> bytes:
    """A block around an event of any form."""
    writer = BlockWriter()
    return manifest(writer.block(NOON, None, 0, tag, event(writer)))


def with_field(make: Callable[[BlockWriter], tuple[Any, ...]]) -> bytes:
    """A block whose second field is made of any slots; the first is sound."""

    def event(writer: BlockWriter) -> int:
        first = writer.table(layout.DATA_FIELD, writer.builder.CreateString("a"), INT, writer.empty(), None)
        return set_schema(writer, [first, writer.table(layout.DATA_FIELD, *make(writer))])

    return around(event)


def set_schema(writer: BlockWriter, fields: list[int], extra: int | None = None) -> int:
    return writer.table(layout.SET_DATA_SCHEMA, None, writer.table(layout.DATA_SCHEMA, vector(writer, fields), extra))


def vector(writer: BlockWriter, tables: list[int]) -> int:
    writer.builder.StartVector(4, len(tables), 4)
    for one in reversed(tables):
        writer.builder.PrependUOffsetTRelative(one)
    return int(writer.builder.EndVector())


def name(writer: BlockWriter, text: Any = "b") -> int:
    return int(writer.builder.CreateString(text))


def extra(writer: BlockWriter, text: Any) -> int:
    return writer.table(layout.EXTRA_ATTRIBUTES, name(writer, text))


FIELDS: dict[str, tuple[Callable[[BlockWriter], tuple[Any, ...]], str, str]] = {
    "no name": (lambda w: (None, INT, w.empty(), None), "odf.missing-key", "name"),
    "a name that is no text": (lambda w: (name(w, b"\xff"), INT, w.empty(), None), "format.encoding", "name"),
    "no type": (lambda w: (name(w), None, None, None), "odf.missing-key", "type"),
    "a tag without a type": (lambda w: (name(w), INT, None, None), "odf.missing-key", "type"),
    "a type without a tag": (lambda w: (name(w), None, w.empty(), None), "odf.missing-key", "type"),
    "a type of the future": (lambda w: (name(w), 25, w.empty(), None), "odf.unknown-kind", "type"),
    "no item type": (lambda w: (name(w), TAGS[Kind.LIST], w.empty(), None), "odf.missing-key", "type.itemType"),
    "no value type": (
        lambda w: (name(w), TAGS[Kind.MAP], w.table(layout.TYPES[Kind.MAP], INT, w.empty(), None, None, None), None),
        "odf.missing-key",
        "type.valueType",
    ),
    "no inner type": (lambda w: (name(w), TAGS[Kind.OPTION], w.empty(), None), "odf.missing-key", "type.inner"),
    "a struct without fields": (lambda w: (name(w), TAGS[Kind.STRUCT], w.empty(), None), "odf.missing-key", "type.fields"),
    "a unit of the future": (
        lambda w: (name(w), TAGS[Kind.TIME], w.table(layout.TYPES[Kind.TIME], 4), None),
        "odf.unknown-unit",
        "type.unit",
    ),
    "attributes without entries": (lambda w: (name(w), INT, w.empty(), w.empty()), "odf.missing-key", "extra"),
    "attributes that are no JSON": (lambda w: (name(w), INT, w.empty(), extra(w, "{")), "odf.attribute", "extra"),
    "attributes that are no map": (lambda w: (name(w), INT, w.empty(), extra(w, "[]")), "odf.attribute", "extra"),
    "attributes without a number": (lambda w: (name(w), INT, w.empty(), extra(w, '{"a":NaN}')), "odf.attribute", "extra"),
    "attributes without end": (lambda w: (name(w), INT, w.empty(), extra(w, '{"a":' + "[" * 100_000)), "odf.attribute", "extra"),
    "half a pair of surrogates": (lambda w: (name(w), INT, w.empty(), extra(w, '{"a":"\\ud800"}')), "json.surrogate", "extra.a"),
}


@pytest.mark.parametrize("what", FIELDS)
def test_a_field_on_which_the_reference_panics_is_named(what: str) -> None:
    make, code, path = FIELDS[what]
    with pytest.raises(FormatError) as caught:
        read_block(with_field(make))
    assert caught.value.code == code
    assert caught.value.path == f"event.schema.fields[1].{path}".removesuffix(".")


def test_all_faulty_fields_are_named_at_once() -> None:
    def event(writer: BlockWriter) -> int:
        kind = writer.empty()
        bad = [writer.table(layout.DATA_FIELD, None, INT, kind, None), writer.table(layout.DATA_FIELD, name(writer), 99, kind, None)]
        inner = writer.table(layout.TYPES[Kind.STRUCT], vector(writer, bad))
        return set_schema(writer, [*bad, writer.table(layout.DATA_FIELD, name(writer), TAGS[Kind.STRUCT], inner, None)])

    with pytest.raises(FormatError) as caught:
        read_block(around(event))
    assert [one.path.removeprefix("event.schema.") for one in caught.value.faults] == [
        "fields[0].name",
        "fields[1].type",
        "fields[2].type.fields[0].name",
        "fields[2].type.fields[1].type",
    ]


BLOCKS: dict[str, tuple[Callable[[], bytes], str]] = {
    "nothing": (lambda: b"", "odf.block-broken"),
    "text": (lambda: b"kind: MetadataBlock", "odf.block-broken"),
    "version 1": (lambda: manifest(b"", 1), "odf.block-version"),
    "version 4": (lambda: manifest(b"", 4), "odf.block-version"),
    "no version": (lambda: manifest(b"", 0), "odf.block-version"),
    "another kind": (lambda: manifest(b"", 3, 7), "odf.block-kind"),
    "no content": (lambda: manifest(None), "odf.block-broken"),
    "an empty content": (lambda: manifest(b""), "odf.block-broken"),
    "no event": (lambda: around(lambda w: w.empty(), 0), "odf.missing-key"),
    "an event of the future": (lambda: around(lambda w: w.empty(), 14), "odf.unknown-event"),
    "neither schema": (lambda: around(lambda w: w.empty()), "odf.missing-key"),
    "no list of fields": (lambda: around(lambda w: w.table(layout.SET_DATA_SCHEMA, None, w.empty())), "odf.missing-key"),
}


@pytest.mark.parametrize("what", BLOCKS)
def test_what_is_no_block_is_refused(what: str) -> None:
    make, code = BLOCKS[what]
    with pytest.raises(FormatError) as caught:
        read_block(make())
    assert caught.value.code == code
    assert caught.value.fix


@pytest.mark.parametrize("slots", [(2019, 366, 0, 0), (2020, 0, 0, 0), (0, 1, 0, 0), (2020, 1, 86400, 0), (2020, 1, 0, 10**9)])
def test_a_time_that_is_none_is_refused(slots: tuple[int, int, int, int]) -> None:
    writer = BlockWriter()
    content = writer.block(type(NOON)(*slots), None, 0, 1, writer.empty())
    with pytest.raises(FormatError) as caught:
        read_block(manifest(content))
    assert (caught.value.code, caught.value.path) == ("odf.time", "system_time")


def test_a_hash_that_is_none_is_refused() -> None:
    writer = BlockWriter()
    content = writer.block(NOON, writer.vector(b"\x16\x20short"), 0, 1, writer.empty())
    with pytest.raises(FormatError) as caught:
        read_block(manifest(content))
    assert (caught.value.code, caught.value.path) == ("odf.hash", "prev_block_hash")


# ---------------------------------------------------------------- bytes of anything

SAMPLES = [block(SetDataSchema(None, TWO_COLUMNS)).raw, block(NOTHING_ADDED).raw, older(SetDataSchema(None, TWO_COLUMNS))]
spots = st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), max_size=8)


def read_or_refused(raw: bytes) -> None:
    try:
        found = read_block(raw)
    except FormatError as error:
        assert all(one.code and one.message and one.fix for one in error.faults)  # noqa: PT017  # both ends are right
    else:
        assert found.raw == raw


@given(st.binary(max_size=400))
def test_random_bytes_end_in_our_error(raw: bytes) -> None:
    read_or_refused(raw)


@given(schemas.map(lambda one: schema_block(one).raw) | st.sampled_from(SAMPLES), spots, st.floats(0, 1))
def test_damaged_blocks_end_in_a_block_or_our_error(raw: bytes, changes: list[tuple[float, int]], kept: float) -> None:
    damaged = bytearray(raw)
    for where, value in changes:
        damaged[int(where * len(raw))] = value
    read_or_refused(bytes(damaged))
    read_or_refused(bytes(damaged[: int(kept * len(raw))]))


@given(st.binary(max_size=400))
def test_a_sound_manifest_around_random_bytes_ends_in_our_error(raw: bytes) -> None:
    read_or_refused(manifest(raw))


def test_every_single_byte_may_be_anything() -> None:
    for raw in SAMPLES[:2]:
        for at in range(len(raw)):
            for value in (0, 1, 2, 4, 0x7F, 0x80, 0xFF):
                read_or_refused(raw[:at] + bytes([value]) + raw[at + 1 :])


# ---------------------------------------------------------------- bytes that would take for ever


def refused_soon(raw: bytes, code: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_block(raw)
    assert caught.value.code == code


def test_no_offset_leads_back_to_where_it_came_from() -> None:
    sound = SAMPLES[0]
    for at in range(0, len(sound) - 3, 4):
        for back in range(4, at + 1, 4):
            read_or_refused(sound[:at] + (2**32 - back).to_bytes(4, "little") + sound[at + 4 :])


def test_types_that_share_their_parts_are_not_followed_for_ever() -> None:
    def event(writer: BlockWriter) -> int:
        kind, tag = writer.empty(), INT
        for _ in range(50):
            kind, tag = writer.table(layout.TYPES[Kind.MAP], tag, kind, tag, kind, None), TAGS[Kind.MAP]
        return set_schema(writer, [writer.table(layout.DATA_FIELD, name(writer), tag, kind, None)])

    refused_soon(around(event), "odf.too-large")


def test_types_deeper_than_any_reader_are_refused() -> None:
    def event(writer: BlockWriter) -> int:
        kind, tag = writer.empty(), INT
        for _ in range(10_000):
            kind, tag = writer.table(layout.TYPES[Kind.OPTION], tag, kind), TAGS[Kind.OPTION]
        return set_schema(writer, [writer.table(layout.DATA_FIELD, name(writer), tag, kind, None)])

    refused_soon(around(event), "odf.too-deep")


def test_one_long_text_in_many_places_is_not_read_for_ever() -> None:
    def event(writer: BlockWriter) -> int:
        field = writer.table(layout.DATA_FIELD, name(writer, "x" * 1_000_000), INT, writer.empty(), None)
        return set_schema(writer, [field] * 100_000)

    refused_soon(around(event), "odf.too-large")


def test_one_set_of_attributes_in_many_places_is_read_once() -> None:
    def event(writer: BlockWriter) -> int:
        shared = extra(writer, '{"a":"' + "x" * 1_000_000 + '"}')
        field = writer.table(layout.DATA_FIELD, name(writer), INT, writer.empty(), shared)
        return set_schema(writer, [field] * 1_000)

    found = read_block(around(event)).event
    assert isinstance(found, SetDataSchema)
    assert found.schema is not None
    assert len(found.schema.fields) == 1_000


def test_one_faulty_field_in_many_places_is_told_some_thousand_times() -> None:
    def event(writer: BlockWriter) -> int:
        return set_schema(writer, [writer.table(layout.DATA_FIELD, None, INT, writer.empty(), None)] * 900_000)

    with pytest.raises(FormatError) as caught:
        read_block(around(event))
    assert len(caught.value.faults) == 1_000


def test_a_file_of_any_size_is_not_read() -> None:
    refused_soon(bytes(layout.MAX_BYTES + 1), "odf.too-large")


def test_what_is_not_bytes_is_refused() -> None:
    with pytest.raises(FormatError, match="is not bytes"):
        read_block("block")  # type: ignore[arg-type]
