"""Blocks that do not say whether they were written before kamu 0.263 are read as kamu reads them today, and said to be unsure."""

from airflow_provider_schemas.formats.odf.chain.block import MetadataBlock, SetDataSchema
from airflow_provider_schemas.formats.odf.chain.block_reader import read_block
from airflow_provider_schemas.formats.odf.model.block_time import BlockTime
from airflow_provider_schemas.formats.odf.model.kinds import Kind, TimeUnit
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import PLAIN, DataField, Duration, List, Map, Option, Struct, Time, Timestamp
from airflow_provider_schemas.formats.odf.serialization.writer import of_schema
from tests.support.odf_blocks import older, schema_block

SCHEMA = DataSchema(
    (
        DataField("said", Timestamp(TimeUnit.MILLISECOND, "UTC")),
        DataField("unit", Option(Duration())),
        DataField("zone", Timestamp(TimeUnit.MICROSECOND)),
        DataField("nested", List(Struct((DataField("m", Map(PLAIN[Kind.STRING], Timestamp())),)))),
    )
)
RECENT = BlockTime.parse("2026-07-01T00:00:00Z")


def of(block: MetadataBlock) -> DataSchema:
    assert isinstance(block.event, SetDataSchema)
    assert block.event.schema is not None
    return block.event.schema


def test_every_type_that_could_be_meant_otherwise_is_named() -> None:
    found = read_block(older(SetDataSchema(SCHEMA)))
    assert [(one.code, one.path) for one in found.warnings] == [
        ("odf.ambiguous-default", "event.schema.fields[1].type.inner"),
        ("odf.ambiguous-default", "event.schema.fields[2].type"),
        ("odf.ambiguous-default", "event.schema.fields[3].type.itemType.fields[0].type.valueType"),
    ]
    assert of_schema(of(found)) == of_schema(SCHEMA)


def test_the_sentence_says_what_was_meant_and_how_to_read_it_so() -> None:
    unit, zone, both = (str(one) for one in read_block(older(SetDataSchema(SCHEMA))).warnings)
    assert "no unit is set: it meant Second before kamu 0.263, and means Millisecond since." in unit
    assert "no timezone is set: it meant none before kamu 0.263, and means UTC since." in zone
    assert "neither unit nor timezone is set: they meant Second and none before kamu 0.263, and mean Millisecond and UTC since." in both
    assert "before_0_263=True" in unit


def test_the_time_of_the_block_is_told_where_it_decides() -> None:
    old, recent = read_block(older(SetDataSchema(SCHEMA))), read_block(older(SetDataSchema(SCHEMA), time=RECENT))
    assert "its time, 2020-01-01T12:00:00Z, is before that release" in old.warnings[0].fix
    assert "is before that release" not in recent.warnings[0].fix


def test_who_knows_that_a_block_is_older_reads_seconds_and_no_timezone() -> None:
    found = read_block(older(SetDataSchema(SCHEMA)), before_0_263=True)
    assert not found.warnings
    said, unit, zone, nested = (one.type for one in of(found).fields)
    assert of_schema(DataSchema((DataField("said", said),)))["fields"][0]["type"] == {
        "kind": "Timestamp",
        "unit": "Millisecond",
        "timezone": "UTC",
    }
    assert unit == Option(Duration(TimeUnit.SECOND))
    assert zone == Timestamp(TimeUnit.MICROSECOND, "")
    assert nested == List(Struct((DataField("m", Map(PLAIN[Kind.STRING], Timestamp(TimeUnit.SECOND, ""))),)))


def test_what_is_spelled_out_is_not_doubted() -> None:
    sure = DataSchema((DataField("a", Time(TimeUnit.SECOND)), DataField("b", Timestamp(TimeUnit.SECOND, ""))))
    assert not read_block(older(SetDataSchema(sure))).warnings


def test_blocks_of_today_are_not_doubted() -> None:
    block = schema_block(SCHEMA)
    for found in (read_block(block.raw), read_block(block.raw, before_0_263=True)):
        assert not found.warnings
        assert of_schema(of(found)) == of_schema(SCHEMA)
