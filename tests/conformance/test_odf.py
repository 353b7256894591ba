"""ODF's schemas are read, written, converted and compared as the reference implementation does, row by row, but for the deviations."""

from collections.abc import Callable
from operator import attrgetter

import pytest

from tests.conformance import rows
from tests.conformance.harness import judge
from tests.conformance.odf.deviations import DEVIATIONS
from tests.conformance.odf.groups import GROUPS

OURS = rows.folder().resolve() == rows.OWN
OWN_ROWS = rows.read("odf", rows.OWN)


@pytest.mark.parametrize("row", rows.read("odf"), ids=attrgetter("name"))
def test_the_answer_is_that_of_the_reference(row: rows.Row, record_property: Callable[[str, object], None]) -> None:
    record_property("conformance", f"odf {row.group}")
    verdict = judge(row, GROUPS, DEVIATIONS, all_listed=OURS)
    if verdict.deviation:
        record_property("deviation", verdict.deviation)
    if verdict.message:
        pytest.fail(verdict.message, pytrace=False)


def test_the_vectors_are_there() -> None:
    assert {row.group for row in OWN_ROWS} == GROUPS.keys()


def test_in_our_own_file_a_deviation_describes_the_rows_that_it_lists_and_no_other() -> None:
    for one in DEVIATIONS:
        described = [row.id for row in OWN_ROWS if row.group in one.groups and one.applies(row.content)]
        assert (one.name, sorted(one.ids)) == (one.name, described)


@pytest.mark.parametrize("text", ["kind: MetadataEvent\nversion: 1\ncontent: {kind: SetDataSchema, schema: {fields: []}}", "5"])
def test_a_row_whose_answer_is_wrong_fails(text: str) -> None:
    row = rows.Row("x", "x", "parse_yaml_event_manifest", {"input": text, "expect": {"fields": [1]}})
    assert judge(row, GROUPS, DEVIATIONS).message


@pytest.mark.parametrize(
    ("asked", "arrow"), [({}, "Utf8View"), ({"strip_encoding_first": False}, "Utf8View"), ({"strip_encoding_first": True}, "Utf8")]
)
def test_encodings_are_stripped_first_where_a_row_says_so(asked: dict[str, bool], arrow: str) -> None:
    """The key stands in rows of odf_to_arrow that our own file does not have."""
    text = "fields:\n- {name: a, type: {kind: String}, extra: {arrow.apache.org/bufferEncoding: {kind: View, offsetBitWidth: 32}}}\n"
    about = {"input": text, "settings": {}, **asked}
    right = rows.Row("x", "x", "odf_to_arrow", {**about, "expect": {"arrow": arrow, "nullable": False}})
    wrong = rows.Row("x", "x", "odf_to_arrow", {**about, "expect": {"arrow": "LargeUtf8", "nullable": False}})
    assert judge(right, GROUPS, DEVIATIONS).message == ""
    assert judge(wrong, GROUPS, DEVIATIONS).message
