"""The short line of `repr`: one line, never long, without credentials, and made of any value without raising."""

import copy
import pickle
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from rich.pretty import pretty_repr

from airflow_provider_schemas.core import AddColumn, Policy, Report, SetOption, TableSchema, Version
from airflow_provider_schemas.core.common.short_repr import MAX_LENGTH, BoundedRepr, ShortRepr, counted, listed, named
from airflow_provider_schemas.core.report import Finding, Verdict
from airflow_provider_schemas.core.types.parsing import parse_type

HOSTILE = "shop.\u202eord\x1bers\n<script>alert(1)</script>\u200b\ud800"
ADDRESS = "s3://key:topsecret@bucket/lake"
TEXTS = st.one_of(st.text(), st.text(min_size=200), st.sampled_from([HOSTILE, ADDRESS]))


class Told(ShortRepr, Struct, frozen=True):
    text: str

    def _short_text(self) -> str:
        return self.text


class Called(BoundedRepr, Struct, frozen=True):
    text: str


def is_one_short_line(line: str) -> bool:
    return len(line) <= MAX_LENGTH and line.isprintable()


@given(TEXTS)
def test_any_text_is_shown_on_one_short_line(text: str) -> None:
    assert is_one_short_line(repr(Told(text)))
    assert is_one_short_line(repr(Called(text)))


@given(TEXTS)
def test_the_reprs_of_values_with_any_names_are_one_short_line(text: str) -> None:
    finding = Finding(rule="FIELD_DROPPED", path=text, message=text, verdict=Verdict.BREAK)
    values = (Report((finding,), table=text, notes=(text,)), finding, AddColumn((text,), parse_type("INT")), SetOption(text, text))
    assert [line for line in map(repr, values) if not is_one_short_line(line)] == []


def test_a_short_value_says_what_matters() -> None:
    findings = (
        Finding(rule="FIELD_DROPPED", path="amount", message="amount is gone.", verdict=Verdict.BREAK),
        Finding(rule="FIELD_RENAMED", path="id", message="id is now key.", verdict=Verdict.WARN),
        Finding(rule="FIELD_RENAMED", path="at", message="at is now day.", verdict=Verdict.WARN),
    )
    report = Report(findings, table="shop.orders", old=41, new=42)
    assert repr(report) == "<Report shop.orders v41 -> v42: breaks, 3 findings (1 break, 2 warn)>"
    assert repr(findings[0]) == "<Finding FIELD_DROPPED at amount: breaks; amount is gone.>"
    assert repr(AddColumn(("coupon",), parse_type("INT"))).startswith("AddColumn(names=('coupon',), type=")


def test_a_line_that_is_cut_says_so() -> None:
    assert repr(Told("a" * 500)).endswith("aaa...>")
    assert repr(Called("a" * 500)).endswith("aaa...")
    assert repr(Told("a")) == "<Told a>"


def test_credentials_are_not_shown() -> None:
    shown = [repr(Told(ADDRESS)), repr(Called(ADDRESS)), named(ADDRESS), repr(Report(table=ADDRESS)), repr(Policy(name=ADDRESS))]
    assert [line for line in shown if "topsecret" in line] == []


def test_a_value_that_is_made_of_anything_is_shown_all_the_same() -> None:
    broken: Any = [Report(None), Version(None, 1, "x"), TableSchema(None, 1), Finding(1, 2, 3)]  # type: ignore[arg-type]
    assert [line for line in map(repr, broken) if not is_one_short_line(line)] == []
    assert repr(broken[0]) == "<Report (its members cannot be shown)>"


def test_a_value_that_is_nested_too_deep_is_shown_all_the_same() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    assert repr(Called(deep)) == "Called(...)"


def test_rich_shows_the_same_line() -> None:
    report = Report(table="shop.orders")
    assert pretty_repr(report) == repr(report)
    assert pretty_repr(SetOption("bucket", "4")) == "SetOption(key='bucket', value='4')"


def test_nothing_but_repr_is_another() -> None:
    value = Report(table="shop.orders", new=1)
    assert value == Report(table="shop.orders", new=1)
    assert hash(value) == hash(Report(table="shop.orders", new=1))
    assert pickle.loads(pickle.dumps(value)) == value == copy.deepcopy(value)
    assert msgspec.to_builtins(value) == {"table": "shop.orders", "new": 1}
    assert not hasattr(Called("a"), "__dict__")


def test_a_wide_schema_is_shown_by_its_first_columns() -> None:
    schema = TableSchema.create(", ".join(f"c{number} INT" for number in range(10_000)), primary_keys=["c1"])
    assert repr(schema) == "<TableSchema id 0: 10,000 columns (c0, c1, c2, ...), primary key c1>"


def test_numbers_and_lists_are_written_as_people_read_them() -> None:
    assert [counted(number, "column") for number in (0, 1, 2, 1_000)] == ["0 columns", "1 column", "2 columns", "1,000 columns"]
    assert listed(["a", "b", "c"]) == "a, b, c"
    assert listed(["a", "b", "c", "d"]) == "a, b, c, ..."
    assert named("", "nobody") == "nobody"
