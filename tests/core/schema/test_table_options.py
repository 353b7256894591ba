"""Options: what Paimon knows about them, and how their values are read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core.schema import table_options
from airflow_provider_schemas.core.schema.table_options import CHOICES, FLAGS, IMMUTABLE_OPTIONS, NUMBERS, OPTION_SWITCHES, RATIOS
from airflow_provider_schemas.errors import InvalidSchemaError

KNOWN = sorted({*FLAGS, *NUMBERS, *RATIOS, *CHOICES, "fields.a.distinct", "fields.a.count-limit"})
TEXTS = st.text(max_size=20) | st.sampled_from(["true", "FALSE", " 1", "1 ", "+7", "-0", "1e3", "٣", "²", "9" * 5_000, "\ud800", ""])


def test_twenty_two_options_never_change_once_there_is_data() -> None:
    assert len(IMMUTABLE_OPTIONS) == 22


def test_every_option_is_of_one_kind() -> None:
    kinds = [*FLAGS, *NUMBERS, *RATIOS, *CHOICES]
    assert len(kinds) == len(set(kinds))
    assert set(OPTION_SWITCHES) <= set(FLAGS)


def test_flags_are_read_in_any_case_and_hold_their_default_where_not_set() -> None:
    assert table_options.flag({"write-only": "TRUE"}, "write-only") is True
    assert table_options.flag({"write-only": "False"}, "write-only") is False
    assert table_options.flag({}, "write-only") is False
    assert table_options.flag({}, "alter-column-null-to-not-null.disabled") is True


@pytest.mark.parametrize(("text", "value"), [("4", 4), ("-2", -2), ("+4", 4), ("007", 7), ("2147483647", 2**31 - 1)])
def test_numbers_are_decimal(text: str, value: int) -> None:
    assert table_options.number({"bucket": text}, "bucket") == value


@pytest.mark.parametrize("text", ["", " 4", "4 ", "4.0", "0x4", "4b", "2147483648", "-2147483649", "٤", "9" * 5_000])
def test_what_java_cannot_read_as_a_number_is_refused(text: str) -> None:
    with pytest.raises(InvalidSchemaError, match="no whole number of 32 bits") as error:
        table_options.number({"bucket": text}, "bucket")
    assert (error.value.code, error.value.path) == ("option.bad-value", "bucket")


def test_numbers_of_64_bits_are_longer() -> None:
    assert table_options.number({"scan.snapshot-id": "2147483648"}, "scan.snapshot-id") == 2**31
    assert table_options.number({}, "scan.snapshot-id") is None
    assert table_options.number({}, "snapshot.num-retained.min") == 10


def test_choices_are_read_in_any_case() -> None:
    assert table_options.choice({"merge-engine": "First-Row"}, "merge-engine") == "first-row"
    assert table_options.choice({}, "merge-engine") == "deduplicate"
    with pytest.raises(InvalidSchemaError, match=r"merge-engine: the value 'first_row'.* Use one of deduplicate, "):
        table_options.choice({"merge-engine": "first_row"}, "merge-engine")


@pytest.mark.parametrize(
    ("text", "good"), [("0.1", True), ("1", True), ("1e-3", True), (".5", True), ("half", False), ("", False), ("NaN", False)]
)
def test_fractions_are_numbers(text: str, good: bool) -> None:
    values = {"variant.shredding.minFieldCardinalityRatio": text}
    assert [fault.code for fault in table_options.bad_values(values)] == ([] if good else ["option.bad-value"])


def test_every_malformed_value_is_told_once_and_unknown_options_never() -> None:
    values = {
        "bucket": "x",
        "write-only": "",
        "fields.a.distinct": "yes",
        "fields.a.comment": "yes",
        "mine": "x",
        "merge-engine": "FIRST-ROW",
    }
    assert [fault.path for fault in table_options.bad_values(values)] == ["bucket", "write-only", "fields.a.distinct"]


@given(st.dictionaries(st.sampled_from(KNOWN) | st.text(max_size=5), TEXTS, max_size=5))
def test_no_value_whatsoever_breaks_the_reading(values: dict[str, str]) -> None:
    faults = list(table_options.bad_values(values))
    assert all(fault.code == "option.bad-value" and fault.path in values for fault in faults)


@pytest.mark.parametrize(
    ("text", "parts"),
    [("a,b", ["a", "b"]), ("a, b", ["a", " b"]), ("a,,", ["a"]), (",a", ["", "a"]), ("", [""]), (",", [""]), ("a", ["a"])],
)
def test_lists_split_as_in_java(text: str, parts: list[str]) -> None:
    assert table_options.split(text) == parts


def test_names_are_trimmed_and_empty_ones_dropped() -> None:
    assert table_options.names(" k , ,v,") == ["k", "v"]
