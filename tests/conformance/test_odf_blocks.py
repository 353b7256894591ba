"""Blocks of the reference implementation are written byte for byte, and read as what they are."""

import hashlib
import re
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from typing import Final

import pytest

from airflow_provider_schemas.formats.odf.chain.block import OtherEvent, SetDataSchema
from airflow_provider_schemas.formats.odf.chain.block_reader import read_block
from airflow_provider_schemas.formats.odf.chain.block_writer import write_block
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.block_time import BlockTime
from airflow_provider_schemas.formats.odf.model.kinds import SPELLED_KINDS
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import PLAIN, DataField, List, Option
from airflow_provider_schemas.formats.odf.serialization.event_kinds import EventKind
from airflow_provider_schemas.formats.odf.serialization.reader import schema_of
from tests.conformance import odf_blocks
from tests.conformance.odf.block_text import NoSchemaError, schema_in
from tests.conformance.odf_blocks import Fixture, Written
from tests.conformance.rows import OWN
from tests.support.odf_blocks import PREVIOUS, TWO_COLUMNS, older

STRING = PLAIN[SPELLED_KINDS["String"]]
PEOPLE: Final = DataSchema(
    (
        DataField("city", STRING, Attributes({"arrow.apache.org/bufferEncoding": {"kind": "View", "offsetBitWidth": 32}})),
        DataField("population", PLAIN[SPELLED_KINDS["UInt64"]]),
        DataField(
            "census", Option(STRING), Attributes({"opendatafabric.org/type": {"kind": "ObjectLink", "linkType": {"kind": "Multihash"}}})
        ),
        DataField("links", List(STRING)),
    ),
    Attributes({"kamu.dev/archetype": "Collection"}),
)


def event_of(text: str) -> SetDataSchema | OtherEvent:
    """The event that a row of the tables tells of; a NoSchemaError if that cannot be told from its words."""
    if "schema S1" in text:
        return SetDataSchema(PEOPLE)
    if "rawArrowSchema R1" in text:
        return SetDataSchema(None, TWO_COLUMNS)
    if (found := re.fullmatch(r"(\w+), nothing set", text)) and found[1] in set(EventKind):
        return OtherEvent(EventKind(found[1]), empty=True)
    return SetDataSchema(schema_in(text.removeprefix("SetDataSchema, schema ").removeprefix("SetDataSchema, ")))


OPTIONAL = {"kind": "Option", "inner": "Int8"}


def _field(kind: str, name: str = "a", **parameters: object) -> dict[str, object]:
    return {"name": name, "type": {"kind": kind, **parameters}}


every_fixture = pytest.mark.parametrize("fixture", odf_blocks.fixtures(), ids=attrgetter("name"))
every_written = pytest.mark.parametrize("written", odf_blocks.written(), ids=attrgetter("name"))


@every_fixture
def test_a_block_has_the_hash_that_the_reference_gives_it(fixture: Fixture, record_property: Callable[[str, object], None]) -> None:
    try:
        event = event_of(fixture.event)
    except NoSchemaError:
        pytest.skip(f"what the block of {fixture.event!r} holds cannot be told from these words; its bytes are read where they are given")
    record_property("conformance", "odf blocks")
    time, number = BlockTime.parse(fixture.place.time), fixture.place.number
    previous = None if fixture.place.first else PREVIOUS
    if fixture.version == 2:
        raw = older(event, number, previous, time)
    else:
        raw = write_block(event, system_time=time, sequence_number=number, prev_block_hash=previous).raw
    assert (hashlib.sha3_256(raw).hexdigest(), fixture.size in (None, len(raw))) == (fixture.hash, True)
    found = read_block(raw)
    assert (found.event, found.system_time, found.sequence_number, found.prev_block_hash) == (event, time, number, previous)
    assert (found.version, found.raw, str(found.hash)) == (fixture.version, raw, f"f1620{fixture.hash}")


@every_written
def test_bytes_of_the_reference_are_read_and_written_again(written: Written, record_property: Callable[[str, object], None]) -> None:
    record_property("conformance", "odf blocks")
    found = read_block(written.raw)
    for one in odf_blocks.fixtures():
        if (one.id, one.version) == (written.id, written.version):
            stated = (f"f1620{one.hash}", BlockTime.parse(one.place.time), one.place.number, one.version)
            assert stated == (str(found.hash), found.system_time, found.sequence_number, found.version)
            assert found.event.kind in one.event or isinstance(found.event, SetDataSchema)
    place = {"system_time": found.system_time, "sequence_number": found.sequence_number, "prev_block_hash": found.prev_block_hash}
    if written.version == 3 and (isinstance(found.event, SetDataSchema) or found.event.empty):
        assert write_block(found.event, **place).raw == written.raw  # type: ignore[arg-type]


def test_every_block_of_our_own_file_is_found() -> None:
    assert {one.id for one in odf_blocks.fixtures(OWN)} == {"A1", "A2", "A3", "Z1", "Z2", "Z3", "Z4"}
    assert [(one.id, one.version, len(one.raw)) for one in odf_blocks.written(OWN)] == [("A1", 3, 656), ("A2", 3, 312)]


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("no fields", []),
        ("{a: TS}", [{"name": "a", "type": {"kind": "Timestamp"}}]),
        ("`{a: Map<String, Int8?>}`", [_field("Map", keyType="String", valueType=OPTIONAL)]),
        ("{a: Map<String, Int8, keysSorted: true>}", [_field("Map", keyType="String", valueType="Int8", keysSorted=True)]),
        ("{a: List<Int8>(3)}", [_field("List", itemType="Int8", fixedLength=3)]),
        (
            "{a: Decimal(10,-2), b: Binary(4)}",
            [_field("Decimal", precision=10, scale=-2), _field("Binary", "b", fixedLength=4)],
        ),
        ("{a: Timestamp(Second, Europe/Berlin)}", [_field("Timestamp", unit="Second", timezone="Europe/Berlin")]),
        ("{a: Time{unit: ns}}", [_field("Time", unit="Nanosecond")]),
        ("{a: Struct{x: Int8?}}", [_field("Struct", fields=[{"name": "x", "type": OPTIONAL}])]),
        ("{a: {kind: Decimal, precision: 5, scale: 1}}", [_field("Decimal", precision=5, scale=1)]),
        ("{fields: [{name: a, type: Int8, extra: {}}]}", [{"name": "a", "type": "Int8", "extra": {}}]),
    ],
)
def test_a_schema_in_words_is_read(text: str, fields: list[object]) -> None:
    assert event_of(text) == SetDataSchema(schema_of({"fields": fields}))


@pytest.mark.parametrize("text", ["Seed, MH(foo), Root", "{a: Strange}", "SetDataSchema, schema S2 (below)", "5"])
def test_words_that_tell_no_schema_are_known_as_such(text: str) -> None:
    with pytest.raises(NoSchemaError):
        event_of(text)


def test_tables_say_which_version_and_what_place_their_blocks_have(tmp_path: Path) -> None:
    page = f"""Common block: sequence_number 117, prev_block_hash = x.
| # | event | version 2 |
| --- | --- | --- |
| B1 | Seed, some | `{"0" * 64}` |

Others: no prev hash, sequence number 3, systemTime 2021-01-01T00:00:00.5Z.
| # | schema | bytes | block hash |
| --- | --- | --- | --- |
| B2 | {{a: Int8}} | 40 | `f1620{"1" * 64}` |

Bytes of B2 version 3:

```hex
0A0b
```
"""
    (tmp_path / "odf_blocks.md").write_text(page)
    first, second = odf_blocks.fixtures(tmp_path)
    assert (first.version, first.size, first.place) == (2, None, ("2020-01-01T12:00:00Z", 117, False))
    assert (second.version, second.size, second.place) == (3, 40, ("2021-01-01T00:00:00.5Z", 3, True))
    assert [(one.id, one.version, one.raw) for one in odf_blocks.written(tmp_path)] == [("B2", 3, b"\n\x0b")]
