"""ODF and Arrow: every row of the tables of the reference, the settings, the ways that lead nowhere, and the laws."""

import subprocess
import sys
from typing import Any

import pyarrow as pa  # noqa: TID253  # these are schemas of pyarrow
import pytest

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.arrow.model import ArrowField, ArrowSchema
from airflow_provider_schemas.formats.odf.arrow.convert import from_arrow, to_arrow, upgrade
from airflow_provider_schemas.formats.odf.arrow.reader import data_schema
from airflow_provider_schemas.formats.odf.arrow.writer import ArrowSettings, arrow_schema
from airflow_provider_schemas.formats.odf.model import types
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.encodings import BufferEncoding, BufferKind, DateEncoding, DateUnit
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import DataField
from airflow_provider_schemas.formats.odf.serialization.reader import schema_of
from airflow_provider_schemas.formats.odf.serialization.writer import of_field, of_schema
from tests.conformance.odf.arrow_text import printed, read_type
from tests.formats.odf.support.raw_arrow import write_raw_arrow

BUFFER, DATE, DECIMAL = (f"arrow.apache.org/{one}Encoding" for one in ("buffer", "date", "decimal"))


def contiguous(bits: int) -> dict[str, Any]:
    return {BUFFER: {"kind": "Contiguous", "offsetBitWidth": bits}}


def view(bits: int) -> dict[str, Any]:
    return {BUFFER: {"kind": "View", "offsetBitWidth": bits}}


INT8 = {"kind": "Int8"}

# Arrow, ODF, the attributes of the field: all of these come back.
LOSSLESS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    *((one, {"kind": "Bool" if one == "Boolean" else one}, {}) for one in ("Boolean", "Int8", "Int16", "Int32", "Int64")),
    *((one, {"kind": one}, {}) for one in ("UInt8", "UInt16", "UInt32", "UInt64", "Float16", "Float32", "Float64")),
    ("Timestamp(s,UTC)", {"kind": "Timestamp", "unit": "Second", "timezone": "UTC"}, {}),
    ("Timestamp(ns,+10:30)", {"kind": "Timestamp", "unit": "Nanosecond", "timezone": "+10:30"}, {}),
    ("Date32", {"kind": "Date"}, {}),
    ("Date64", {"kind": "Date"}, {DATE: {"unit": "Millisecond"}}),
    ("Time32(s)", {"kind": "Time", "unit": "Second"}, {}),
    ("Time32(ms)", {"kind": "Time", "unit": "Millisecond"}, {}),
    ("Time64(us)", {"kind": "Time", "unit": "Microsecond"}, {}),
    ("Time64(ns)", {"kind": "Time", "unit": "Nanosecond"}, {}),
    ("Duration(s)", {"kind": "Duration", "unit": "Second"}, {}),
    ("Duration(ns)", {"kind": "Duration", "unit": "Nanosecond"}, {}),
    ("Binary", {"kind": "Binary"}, contiguous(32)),
    ("LargeBinary", {"kind": "Binary"}, contiguous(64)),
    ("BinaryView", {"kind": "Binary"}, view(32)),
    ("Utf8", {"kind": "String"}, contiguous(32)),
    ("LargeUtf8", {"kind": "String"}, contiguous(64)),
    ("Utf8View", {"kind": "String"}, view(32)),
    ("FixedSizeBinary(16)", {"kind": "Binary", "fixedLength": 16}, {}),
    ("FixedSizeBinary(0)", {"kind": "Binary", "fixedLength": 0}, {}),
    ("List<Int8>", {"kind": "List", "itemType": INT8}, contiguous(32)),
    ("LargeList<Int8>", {"kind": "List", "itemType": INT8}, contiguous(64)),
    ("ListView<Int8?>", {"kind": "List", "itemType": {"kind": "Option", "inner": INT8}}, view(32)),
    ("LargeListView<Int8>", {"kind": "List", "itemType": INT8}, view(64)),
    ("FixedSizeList<Int8,3>", {"kind": "List", "itemType": INT8, "fixedLength": 3}, {}),
    ("Struct{}", {"kind": "Struct", "fields": []}, {}),
    ("Struct{a:Int8?}", {"kind": "Struct", "fields": [{"name": "a", "type": {"kind": "Option", "inner": INT8}}]}, {}),
    ("Map<Int8,Int8>", {"kind": "Map", "keyType": INT8, "valueType": INT8, "keysSorted": False}, {}),
    ("Map<Int8,Int8> sorted", {"kind": "Map", "keyType": INT8, "valueType": INT8, "keysSorted": True}, {}),
    ("Decimal32(9,2)", {"kind": "Decimal", "precision": 9, "scale": 2}, {DECIMAL: {"bitWidth": 32}}),
    ("Decimal64(18,2)", {"kind": "Decimal", "precision": 18, "scale": 2}, {DECIMAL: {"bitWidth": 64}}),
    ("Decimal128(38,-3)", {"kind": "Decimal", "precision": 38, "scale": -3}, {DECIMAL: {"bitWidth": 128}}),
    ("Decimal256(76,10)", {"kind": "Decimal", "precision": 76, "scale": 10}, {DECIMAL: {"bitWidth": 256}}),
]


def one_column(arrow: str, nullable: bool = False) -> ArrowSchema:
    return ArrowSchema((ArrowField("a", read_type(arrow), nullable),))


def said(schema: DataSchema) -> dict[str, Any]:
    return of_field(schema.fields[0])


@pytest.mark.parametrize(("arrow", "kind", "extra"), LOSSLESS, ids=[arrow for arrow, *_ in LOSSLESS])
def test_a_type_of_arrow_becomes_what_the_table_says_and_comes_back(arrow: str, kind: dict[str, Any], extra: dict[str, Any]) -> None:
    required, optional = one_column(arrow), one_column(arrow, nullable=True)
    field = {"name": "a", "type": kind, **({"extra": extra} if extra else {})}
    assert said(data_schema(required).schema) == field
    assert said(data_schema(optional).schema) == {**field, "type": {"kind": "Option", "inner": kind}}
    for one in (required, optional):
        assert arrow_schema(data_schema(one).schema) == one
        assert data_schema(one).losses == ()
        assert data_schema(one, reference_compatible=True).schema == data_schema(one).schema


@pytest.mark.parametrize(
    ("arrow", "kind", "what", "back"),
    [
        ("Timestamp(ms,none)", {"kind": "Timestamp", "unit": "Millisecond"}, "timezone", 'Timestamp(Millisecond, Some("UTC"))'),
        ("List<LargeUtf8>", {"kind": "List", "itemType": {"kind": "String"}}, "layout", "List(Field { data_type: Utf8 })"),
        ("List<Date64>", {"kind": "List", "itemType": {"kind": "Date"}}, "layout", "List(Field { data_type: Date32 })"),
        ("List<element:Int8>", {"kind": "List", "itemType": INT8}, "name", "List(Field { data_type: Int8 })"),
    ],
)
def test_what_odf_has_no_place_for_is_told(arrow: str, kind: dict[str, Any], what: str, back: str) -> None:
    found = data_schema(one_column(arrow))
    assert said(found.schema)["type"] == kind
    assert [one.what for one in found.losses] == [what]
    assert printed(arrow_schema(found.schema).fields[0].type) == back


def test_the_members_of_a_struct_inside_a_list_keep_their_encodings() -> None:
    given = one_column("List<Struct{a:Date64}>")
    assert arrow_schema(data_schema(given).schema) == given


@pytest.mark.parametrize("arrow", ["Map<Utf8,LargeUtf8>", "Map<Int32,List<Int8>>", "Map<Int32,Decimal128(5,1)>", "Map<Binary,Int8>"])
def test_maps_of_text_are_taken_and_the_reference_takes_none(arrow: str) -> None:
    found = data_schema(one_column(arrow))
    assert arrow_schema(found.schema) == one_column(arrow.replace("Large", ""))
    assert bool(found.losses) is ("Large" in arrow)
    with pytest.raises(FormatError, match="inside a map"):
        data_schema(one_column(arrow), reference_compatible=True)


@pytest.mark.parametrize(
    "arrow",
    [
        *("Interval(YearMonth)", "Interval(DayTime)", "Interval(MonthDayNano)", "Dictionary<Int32,Utf8>", "Union<Int8>"),
        *("REE<Int16,Int64>", "REE<Int64,Utf8>", "REE<Int32,Decimal128(5,1)>", "FixedSizeBinary(-1)", "FixedSizeList<Int8,-1>"),
    ],
)
def test_what_odf_does_not_have_is_refused_by_name(arrow: str) -> None:
    inside = ArrowSchema((ArrowField("a", read_type("Int8")), ArrowField("b", read_type(f"Struct{{c:{arrow}}}"))))
    with pytest.raises(FormatError) as caught:
        data_schema(inside)
    assert {one.path for one in caught.value.faults} == {"b.c"}


def test_runs_become_the_type_of_their_values_and_have_no_way_back() -> None:
    found = data_schema(one_column("REE<Int32,Int64>"))
    assert said(found.schema) == {"name": "a", "type": {"kind": "Int64"}, "extra": {BUFFER: {"kind": "RunEnd", "runEndsBitWidth": 32}}}
    with pytest.raises(FormatError, match="RunEnd of 32 bits"):
        arrow_schema(found.schema)


def test_nulls_of_runs_are_one_null() -> None:
    twice = one_column("REE<Int32,Int64?>", nullable=True)
    assert said(data_schema(twice).schema)["type"] == {"kind": "Option", "inner": {"kind": "Int64"}}
    nested = said(data_schema(twice, reference_compatible=True).schema)["type"]
    assert nested == {"kind": "Option", "inner": {"kind": "Option", "inner": {"kind": "Int64"}}}


def test_a_timestamp_without_a_timezone_is_kept_if_asked_for() -> None:
    found = from_arrow(pa.schema([pa.field("a", pa.timestamp("us"), nullable=False)]), naive="keep")
    assert said(found.schema)["type"] == {"kind": "Timestamp", "unit": "Microsecond", "timezone": ""}
    assert to_arrow(found.schema).field("a").type == pa.timestamp("us")
    assert found.losses == ()


def test_metadata_are_left_behind_and_told() -> None:
    found = from_arrow(pa.schema([pa.field("a", pa.int8(), metadata={"x": "y"})], metadata={"p": "q"}))
    assert [(one.path, one.what) for one in found.losses] == [("", "metadata"), ("a", "metadata")]


# ---------------------------------------------------------------- to Arrow


def field(kind: Any, **extra: Any) -> DataSchema:
    return schema_of({"fields": [{"name": "a", "type": kind, **({"extra": extra} if extra else {})}]})


BADLY_HELD = {"name": "b", "type": "Int8", "extra": view(32)}
LONG = {"kind": "List", "itemType": "Int8", "fixedLength": 2**40}
LIST, FIXED_LIST, FIXED_BYTES = (
    {"kind": "List", "itemType": "Int8"},
    {"kind": "List", "itemType": "Int8", "fixedLength": 3},
    {"kind": "Binary", "fixedLength": 4},
)


@pytest.mark.parametrize(
    ("kind", "encoding", "arrow"),
    [
        *((kind, {BUFFER: {"kind": "Contiguous"}}, arrow) for kind, arrow in (("Binary", "Binary"), ("String", "Utf8"))),
        *((kind, {BUFFER: {"kind": "view"}}, arrow) for kind, arrow in (("Binary", "BinaryView"), ("String", "Utf8View"))),
        *((kind, contiguous(64), arrow) for kind, arrow in (("Binary", "LargeBinary"), ("String", "LargeUtf8"))),
        (LIST, {BUFFER: {"kind": "View"}}, "ListView(Field { data_type: Int8 })"),
        (LIST, view(64), "LargeListView(Field { data_type: Int8 })"),
        ("Date", {DATE: {"unit": "day"}}, "Date32"),
        ("Date", {DATE: {"unit": "Millisecond"}}, "Date64"),
        ("Date", {DATE: None}, "Date32"),
        ({"kind": "Option", "inner": "String"}, contiguous(64), "LargeUtf8"),
        ("Time", {}, "Time32(Millisecond)"),
        ({"kind": "Time", "unit": "Second"}, {}, "Time32(Second)"),
        ({"kind": "Time", "unit": "Microsecond"}, {}, "Time64(Microsecond)"),
        ("Duration", {}, "Duration(Millisecond)"),
        ("Timestamp", {}, 'Timestamp(Millisecond, Some("UTC"))'),
        ({"kind": "Timestamp", "timezone": ""}, {}, 'Timestamp(Millisecond, Some(""))'),
        ({"kind": "Decimal", "precision": 38, "scale": 0}, {}, "Decimal128(38, 0)"),
        ({"kind": "Decimal", "precision": 39, "scale": 0}, {}, "Decimal256(39, 0)"),
        ({"kind": "Decimal", "precision": 6, "scale": 19}, {}, "Decimal128(6, 19)"),
        ({"kind": "Decimal", "precision": 9, "scale": 1}, {DECIMAL: {"bitWidth": 32}}, "Decimal32(9, 1)"),
        ({"kind": "Option", "inner": "Null"}, {}, "Null"),
        ("String", {"x.com/a": 1, "opendatafabric.org/type": {"kind": "Did"}}, "Utf8"),
    ],
)
def test_a_type_of_odf_becomes_what_the_table_says(kind: Any, encoding: dict[str, Any], arrow: str) -> None:
    assert printed(arrow_schema(field(kind, **encoding)).fields[0].type) == arrow


@pytest.mark.parametrize(
    ("kind", "encoding", "path"),
    [
        ("String", contiguous(16), "fields[0].type"),
        ("String", view(64), "fields[0].type"),
        ("String", {BUFFER: {"kind": "RunEnd"}}, "fields[0].type"),
        ("Binary", view(64), "fields[0].type"),
        (FIXED_BYTES, contiguous(32), "fields[0].type"),
        (FIXED_LIST, {BUFFER: {"kind": "Contiguous"}}, "fields[0].type"),
        ({"kind": "Map", "keyType": "Int8", "valueType": "Int8"}, view(32), "fields[0].type"),
        ({"kind": "Struct", "fields": []}, {DATE: {"unit": "Day"}}, "fields[0].type"),
        *((kind, {DATE: {"unit": "Day"}}, "fields[0].type") for kind in ("Time", "Timestamp", "Duration", "Int64", "String", "Null")),
        ("Date", contiguous(32), "fields[0].type"),
        ({"kind": "Option", "inner": "Int64"}, {DECIMAL: {"bitWidth": 32}}, "fields[0].type.inner"),
        ("Date", {BUFFER: {"kind": "View"}, DATE: {"unit": "Day"}}, f"fields[0].extra.{DATE}"),
        ("Date", {DATE: {"unit": "Second"}}, f"fields[0].extra.{DATE}.unit"),
        ({"kind": "Decimal", "precision": 5, "scale": 1}, {DECIMAL: {"bitWidth": 8}}, "fields[0].type"),
        ({"kind": "Decimal", "precision": 20, "scale": 5}, {DECIMAL: {"bitWidth": 32}}, "fields[0].type.precision"),
        ({"kind": "Decimal", "precision": 77, "scale": 0}, {}, "fields[0].type.precision"),
        ({"kind": "Decimal", "precision": 0, "scale": 0}, {}, "fields[0].type.precision"),
        ({"kind": "Decimal", "precision": 5, "scale": 200}, {}, "fields[0].type.scale"),
        ({"kind": "Binary", "fixedLength": 2**31}, {}, "fields[0].type.fixedLength"),
        (
            {"kind": "List", "itemType": {"kind": "List", "itemType": "Int8", "fixedLength": 2**40}},
            {},
            "fields[0].type.itemType.fixedLength",
        ),
        ({"kind": "Option", "inner": {"kind": "Option", "inner": "Int8"}}, {}, "fields[0].type.inner"),
        (
            {
                "kind": "Map",
                "keyType": "Int8",
                "valueType": {"kind": "Struct", "fields": [{"name": "b", "type": "Int8", "extra": view(32)}]},
            },
            {},
            "fields[0].type.valueType.fields[0].type",
        ),
    ],
)
def test_what_has_no_counterpart_is_an_error_with_its_path(kind: Any, encoding: dict[str, Any], path: str) -> None:
    with pytest.raises(FormatError) as caught:
        arrow_schema(field(kind, **encoding))
    assert caught.value.path == path
    assert caught.value.fix


def test_all_that_has_no_counterpart_is_named_at_once() -> None:
    bad = {"kind": "Decimal", "precision": 99, "scale": 0}
    with pytest.raises(FormatError) as caught:
        arrow_schema(schema_of({"fields": [{"name": "a", "type": bad}, {"name": "b", "type": {"kind": "List", "itemType": bad}}]}))
    assert len(caught.value.faults) == 2


@pytest.mark.parametrize(
    ("kind", "encoding", "arrow"),
    [
        ({"kind": "Decimal", "precision": 39, "scale": 0}, {}, "Decimal128(39, 0)"),
        ({"kind": "Decimal", "precision": 77, "scale": 0}, {}, "Decimal256(77, 0)"),
        ({"kind": "Decimal", "precision": 20, "scale": 5}, {DECIMAL: {"bitWidth": 32}}, "Decimal32(20, 5)"),
        ({"kind": "Decimal", "precision": 0, "scale": 0}, {}, "Decimal128(0, 0)"),
    ],
)
def test_the_reference_hardly_counts_digits_and_pyarrow_does(kind: Any, encoding: dict[str, Any], arrow: str) -> None:
    schema, settings = field(kind, **encoding), ArrowSettings(reference_compatible=True)
    assert printed(arrow_schema(schema, settings).fields[0].type) == arrow
    with pytest.raises(FormatError, match="pyarrow cannot hold decimal"):
        to_arrow(schema, settings)


VIEW = BufferEncoding(BufferKind.VIEW, 32)


def test_settings_speak_of_what_no_attribute_does_also_inside() -> None:
    settings = ArrowSettings(binary=VIEW, string=VIEW, list=VIEW, date=DateEncoding(DateUnit.MILLISECOND))
    inner = {"kind": "Struct", "fields": [{"name": "b", "type": "Date"}, {"name": "c", "type": "String", "extra": contiguous(64)}]}
    schema = field({"kind": "List", "itemType": {"kind": "Map", "keyType": "String", "valueType": inner}})
    arrow = to_arrow(schema, settings).field("a").type
    assert arrow.id == pa.list_view(pa.int8()).id
    assert arrow.value_type.key_type == pa.string_view()
    assert [one.type for one in arrow.value_type.item_type] == [pa.date64(), pa.large_string()]


@pytest.mark.parametrize("kind", [FIXED_BYTES, FIXED_LIST])
def test_settings_leave_fixed_lengths_alone_and_in_the_reference_break_them(kind: Any) -> None:
    assert to_arrow(field(kind), ArrowSettings(binary=VIEW, list=VIEW)) == to_arrow(field(kind))
    with pytest.raises(FormatError, match="fixed length"):
        to_arrow(field(kind), ArrowSettings(binary=VIEW, list=VIEW, reference_compatible=True))


def test_children_of_maps_have_the_names_of_the_reference() -> None:
    arrow = to_arrow(field({"kind": "Map", "keyType": "String", "valueType": "Int8", "keysSorted": True})).field("a").type
    assert (arrow.key_field.name, arrow.item_field.name, arrow.keys_sorted) == ("keys", "values", True)


# ---------------------------------------------------------------- legacy schemas


def test_a_legacy_schema_is_upgraded_without_encodings() -> None:
    raw = write_raw_arrow(
        pa.schema([pa.field("a", pa.list_(pa.struct([pa.field("b", pa.large_string())]))), pa.field("c", pa.date64(), False)])
    )
    assert all("extra" not in one for one in of_schema(upgrade(raw))["fields"])
    assert BUFFER not in str(of_schema(upgrade(raw)))
    assert BUFFER in str(of_schema(upgrade(raw, reference_compatible=True)))


def test_types_without_end_are_an_error_of_ours() -> None:
    kind: types.DataType = types.Binary()
    for _ in range(300):
        kind = types.List(kind)
    with pytest.raises(FormatError, match="deeper"):
        arrow_schema(DataSchema((DataField("a", kind, Attributes({})),)))


def test_pyarrow_is_loaded_by_whoever_asks_for_its_values() -> None:
    code = (
        "import sys; from airflow_provider_schemas.formats.odf.arrow import convert;"
        "from airflow_provider_schemas.formats.odf.serialization import reader;"
        "from airflow_provider_schemas.formats.odf.table import convert as table;"
        "from airflow_provider_schemas.formats.arrow import language;"
        "convert.parquet(reader.schema_of({'fields': [{'name': 'a', 'type': 'Int8'}]}));"
        "print([one for one in ('pyarrow', 'numpy', 'flatbuffers') if one in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
