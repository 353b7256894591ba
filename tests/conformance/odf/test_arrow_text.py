"""The text of the vectors' types of Arrow is read with every type, and printed as arrow-rs prints."""

import pytest

from tests.conformance.odf.arrow_text import printed, read_type, readings

ENTRY = ('Field { name: "k", data_type: Int8 }', 'Field { name: "v", data_type: Int8 }')


@pytest.mark.parametrize(
    ("text", "debug"),
    [
        ("Null", "Null"),
        ("Boolean", "Boolean"),
        ("UInt64", "UInt64"),
        ("Float16", "Float16"),
        ("Utf8View", "Utf8View"),
        ("LargeBinary", "LargeBinary"),
        ("FixedSizeBinary(4)", "FixedSizeBinary(4)"),
        ("Time64(ns)", "Time64(Nanosecond)"),
        ("Duration(s)", "Duration(Second)"),
        ("Timestamp(ms,none)", "Timestamp(Millisecond, None)"),
        ("Timestamp(us,+00:00)", 'Timestamp(Microsecond, Some("+00:00"))'),
        ("Decimal256(5,-1)", "Decimal256(5, -1)"),
        ("LargeListView<Int8?>", "LargeListView(Field { data_type: Int8, nullable: true })"),
        ("List<element:Int32>", 'List(Field { name: "element", data_type: Int32 })'),
        ("FixedSizeList<Float32,3>", "FixedSizeList(Field { data_type: Float32 }, 3)"),
        ("Struct{}", "Struct([])"),
        ("Struct{a:Int8,b:Utf8?}", 'Struct([Field { name: "a", data_type: Int8 }, Field { name: "b", data_type: Utf8, nullable: true }])'),
        ("Struct{a:Int8}", 'Struct([Field { name: "a", data_type: Int8, nullable: true }])'),
        ("Map<Int8,Int8>(k,v,e) sorted", f'Map(Field {{ name: "e", data_type: Struct([{", ".join(ENTRY)}]) }}, true)'),
        (
            "REE<Int32,Int64>",
            'RunEndEncoded(Field { name: "run_ends", data_type: Int32 }, Field { name: "values", data_type: Int64 })',
        ),
    ],
)
def test_a_type_is_read_and_printed(text: str, debug: str) -> None:
    assert printed(read_type(text)) == debug


def test_text_that_means_nothing_fails_its_row() -> None:
    for text in ("Int8 or so", "List<Int8", "Strange"):
        with pytest.raises((AssertionError, KeyError)):
            read_type(text)


def test_what_a_text_leaves_unsaid_is_read_in_every_way() -> None:
    found = {printed(one) for one in readings("List<Struct{a:Int8}>")}
    assert found == {
        f'List(Field {{ data_type: Struct([Field {{ name: "a", data_type: Int8{inner} }}]){outer} }})'
        for inner in ("", ", nullable: true")
        for outer in ("", ", nullable: true")
    }
    assert {printed(one) for one in readings("Map<Int8,Int8>")} == {printed(read_type("Map<Int8,Int8>"))}
