"""Blocks of the reference implementation are written byte for byte, and read as what they are."""

import hashlib
import re
from collections.abc import Callable
from operator import attrgetter
from typing import Final

import pytest

from airflow_provider_schemas.formats.odf.attributes import Attributes
from airflow_provider_schemas.formats.odf.block_layout import EventKind
from airflow_provider_schemas.formats.odf.block_reading import read_block
from airflow_provider_schemas.formats.odf.block_writing import write_block
from airflow_provider_schemas.formats.odf.blocks import OtherEvent, SetDataSchema
from airflow_provider_schemas.formats.odf.kinds import SPELLED_KINDS
from airflow_provider_schemas.formats.odf.schema import DataSchema
from airflow_provider_schemas.formats.odf.types import PLAIN, DataField, DataType, List, Option, Timestamp
from tests.conformance import odf_blocks
from tests.conformance.odf_blocks import Fixture, Written
from tests.conformance.rows import OWN
from tests.formats.odf.blocks import NOON, PREVIOUS, TWO_COLUMNS, older

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
    """The event that a row of the tables tells of."""
    if "schema S1" in text:
        return SetDataSchema(PEOPLE)
    if "rawArrowSchema R1" in text:
        return SetDataSchema(None, TWO_COLUMNS)
    if found := re.fullmatch(r"(\w+), nothing set", text):
        return OtherEvent(EventKind(found[1]), empty=True)
    return SetDataSchema(DataSchema(tuple(map(_field, _parts("" if text == "no fields" else text.strip("`{}"))))))


def _parts(text: str) -> list[str]:
    return re.findall(r"(\w+\s*:\s*[^,]+)", text)


def _field(text: str) -> DataField:
    name, _, kind = text.partition(":")
    return DataField(name.strip(), _type(kind.strip()))


def _type(text: str) -> DataType:
    if text.endswith("?"):
        return Option(_type(text[:-1]))
    if found := re.fullmatch(r"List<(.*)>", text):
        return List(_type(found[1]))
    return Timestamp() if text in ("TS", "Timestamp") else PLAIN[SPELLED_KINDS[text]]


every_fixture = pytest.mark.parametrize("fixture", odf_blocks.fixtures(), ids=attrgetter("name"))
every_written = pytest.mark.parametrize("written", odf_blocks.written(), ids=attrgetter("name"))


@every_fixture
def test_a_block_has_the_hash_that_the_reference_gives_it(fixture: Fixture, record_property: Callable[[str, object], None]) -> None:
    record_property("conformance", "odf blocks")
    event = event_of(fixture.event)
    # The derived blocks are the first of their chains.
    number, previous = (117, PREVIOUS) if "nothing set" in fixture.event or "below" in fixture.event else (0, None)
    if fixture.version == 2:
        raw = older(event, number, previous)
    else:
        raw = write_block(event, system_time=NOON, sequence_number=number, prev_block_hash=previous).raw
    assert (hashlib.sha3_256(raw).hexdigest(), fixture.size in (None, len(raw))) == (fixture.hash, True)
    found = read_block(raw)
    assert (found.event, found.system_time, found.sequence_number, found.prev_block_hash) == (event, NOON, number, previous)
    assert (found.version, found.raw, str(found.hash)) == (fixture.version, raw, f"f1620{fixture.hash}")


@every_written
def test_bytes_of_the_reference_are_read_and_written_again(written: Written, record_property: Callable[[str, object], None]) -> None:
    record_property("conformance", "odf blocks")
    found = read_block(written.raw)
    stated = {one.hash for one in odf_blocks.fixtures() if (one.id, one.version) == (written.id, written.version)}
    assert stated <= {str(found.hash).removeprefix("f1620")}
    place = {"system_time": found.system_time, "sequence_number": found.sequence_number, "prev_block_hash": found.prev_block_hash}
    if written.version == 3:
        assert write_block(found.event, **place).raw == written.raw  # type: ignore[arg-type]


def test_every_block_of_our_own_file_is_found() -> None:
    assert {one.id for one in odf_blocks.fixtures(OWN)} == {"A1", "A2", "A3", "Z1", "Z2", "Z3", "Z4"}
    assert [(one.id, one.version, len(one.raw)) for one in odf_blocks.written(OWN)] == [("A1", 3, 656), ("A2", 3, 312)]
