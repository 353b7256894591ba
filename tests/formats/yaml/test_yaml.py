"""YAML means what it says, never runs anything, never grows, and is written as a person would write it."""

from contextlib import suppress
from itertools import pairwise
from typing import Any

import pytest
import yaml as pyyaml
from hypothesis import example, given
from hypothesis import strategies as st

from airflow_provider_schemas.errors import FormatError, SchemaError
from airflow_provider_schemas.formats.yaml import TextPosition, read, reading, write
from tests.support.growth import calls

TABLE = """\
table: shop.orders
owner: team-a
columns:
  - name: id
    type: BIGINT NOT NULL
  - name: note
    type: MAP<STRING, ARRAY<INT>>
    comment: |-
      first line
        second
primary_key:
  - id
options: {}
"""


@pytest.fixture(params=["C", "Python"], autouse=True)
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test runs with both parsers of PyYAML."""
    if request.param == "Python":
        monkeypatch.setattr(reading, "_LOADER", pyyaml.SafeLoader)


# ---------------------------------------------------------------- reading


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"),
        ("on", "on"),
        ("Yes", "Yes"),
        ("y", "y"),
        ("12:30", "12:30"),
        ("1:30:00", "1:30:00"),
        ("2026-03-01", "2026-03-01"),
        ("2026-03-01T12:00:00Z", "2026-03-01T12:00:00Z"),
        ("010", 10),
        ("0o17", 15),
        ("0x1F", 31),
        ("0b11", "0b11"),
        ("1_000", "1_000"),
        ("-12", -12),
        ("+3", 3),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("1.", 1.0),
        ("1.0", 1.0),
        (".", "."),
        ("-", None),
        ("true", True),
        ("False", False),
        ("tRUE", "tRUE"),
        ("~", None),
        ("null", None),
        ("nULL", "nULL"),
        ("=", "="),
        ("<<", "<<"),
        ("'true'", "true"),
        ('"1"', "1"),
        ('"a\\tb"', "a\tb"),
        ("DECIMAL(10, 2) NOT NULL", "DECIMAL(10, 2) NOT NULL"),
        ("日本 😀", "日本 😀"),
        ("", None),
    ],
)
def test_a_value_means_what_yaml_1_2_says(text: str, value: Any) -> None:
    if text != "-":
        found = read(f"key: {text}\n").value
        assert found == {"key": value}
        assert type(found["key"]) is type(value)
    assert read(text).value == ([None] if text == "-" else value)


def test_keys_are_text_as_they_stand() -> None:
    assert read("1: a\ntrue: b\n~: c\n2026-03-01: d\n<<: e\n").value == {"1": "a", "true": "b", "~": "c", "2026-03-01": "d", "<<": "e"}


def test_a_document_knows_where_everything_stands() -> None:
    document = read(TABLE)
    assert document.lines["columns", 1, "type"] == TextPosition(7, 5, 7, 11)
    assert document.lines["columns", 1] == TextPosition(6, 5, 6, 5)
    assert document.lines["columns",] == TextPosition(3, 1, 4, 3)
    assert document.line(("columns", 1, "default")) == 6
    assert document.line(("nothing", "here")) == 1


def test_json_is_yaml() -> None:
    assert read('{"a":1,"b":[true,null,"\\u00e9"],"c":{"d":1.5e3}}').value == {"a": 1, "b": [True, None, "é"], "c": {"d": 1500.0}}


def test_windows_line_ends_and_a_byte_order_mark_change_nothing() -> None:
    assert read(b"\xef\xbb\xbf" + TABLE.replace("\n", "\r\n").encode()).value == read(TABLE).value
    assert read("\ufeff" + TABLE).value == read(TABLE).value


@pytest.mark.parametrize(
    ("text", "codes", "line"),
    [
        ("a: 1\nb: 2\na: 3\nb: 4\n", ["yaml.duplicate-key"] * 2, 3),
        ("a: {x: 1, x: 2}", ["yaml.duplicate-key"], 1),
        ("1: a\n'1': b", ["yaml.duplicate-key"], 2),
        ("a: &x 1\nb: *x\nc: *x", ["yaml.alias"] * 3, 1),
        ("base: &b {x: 1}\na:\n  <<: *b\n", ["yaml.alias"] * 2, 1),
        ("*x : 1", ["yaml.alias"], 1),
        ("a: !!python/object/apply:os.system ['true']", ["yaml.tag"], 1),
        ("a: !!str 1\nb: !x y\nc: ! z", ["yaml.tag"] * 3, 1),
        ("%TAG ! tag:example.org,2000:\n---\na: 1", ["yaml.tag"], 1),
        ("a: .nan\nb: -.inf\nc: 1e999\nd: " + "9" * 500, ["yaml.number"] * 4, 1),
        ("a:\n\t- b\n", ["yaml.syntax"], 2),
        ("a: 1\n b: 2\n", ["yaml.syntax"], 2),
        ("a: 'x\n", ["yaml.syntax"], 1),
        ("ok: 1\nb: \x07", ["yaml.syntax"], 2),
        ("? [a]\n: b", ["yaml.key"], 1),
        ("{{a: 1}: 2}", ["yaml.key"], 1),
        ("a: 1\n---\nb: 2\n", ["yaml.documents"], 2),
        ("a: 1\na: 2\nb: [", ["yaml.duplicate-key", "yaml.syntax"], 2),
    ],
)
def test_a_fault_is_named_with_its_line_and_the_next_ones_too(text: str, codes: list[str], line: int) -> None:
    with pytest.raises(FormatError) as caught:
        read(text)
    assert [fault.code for fault in caught.value.faults] == codes
    assert caught.value.message.startswith(f"line {line}")
    assert all(fault.fix for fault in caught.value.faults)


def test_a_fault_carries_the_path_of_its_entry() -> None:
    with pytest.raises(FormatError) as caught:
        read("columns:\n  - name: a\n    name: b\n  - type: !x INT\n")
    assert [fault.path for fault in caught.value.faults] == ["columns[0].name", "columns[1].type"]


def test_tabs_are_called_by_their_name() -> None:
    with pytest.raises(FormatError, match="tabs"):
        read("a:\n\tb: 1")


LAUGHS = "a: &a [x, x, x]\n" + "".join(f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in pairwise("abcdefghi"))
HOSTILE = {
    "billion laughs": LAUGHS,
    "deep lists": "[" * 100_000,
    "deep items": "- " * 50_000,
    "deep mappings": "{a: " * 50_000,
    "deep keys": "? " * 50_000,
    "deep blocks": "".join(f"{' ' * depth}a:\n" for depth in range(1_000)),
    "many duplicates": "a: 1\n" * 20_000,
    "many anchors": "".join(f"a{number}: &x 1\n" for number in range(20_000)),
    "a long key": "k" * 100_000 + ": 1",
    "a long number": "1" * 100_000,
    "open quote": "'" + "x\n" * 100_000,
    "too long": "a" * 17_000_000,
    "half a surrogate": "a: \ud800",
    "no UTF-8": b"\xff\xfe\x00",
    "no text": None,
}


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_text_is_refused_before_it_costs_much(hostile: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(HOSTILE[hostile])  # type: ignore[arg-type]  # that is the point
    assert len(str(caught.value)) < 20_000
    assert len(caught.value.faults) <= 1_001


def test_a_document_of_too_many_entries_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_WEIGHT", 1_000)
    with pytest.raises(FormatError) as caught:
        read("- a\n" * 1_000)
    assert caught.value.code == "yaml.too-large"


@given(st.text(st.sampled_from("ab:-?[]{},&*!|>'\"%@`#~ \n\t0.x1e_\\<="), max_size=40))
@example("a: - b")
@example("'' : x")
@example("|\n x")
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        document = read(text)
    except SchemaError:
        return
    assert read(write(document.value)).value == document.value


@given(st.binary(max_size=30))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with suppress(SchemaError):
        read(data)


# ---------------------------------------------------------------- writing

TRAPS = [*"no 12:30 010 0o7 1e3 ~ null # !x &x *x %x @ ` --- ... << = ?".split(), "- a", "a: b", "a #b"]
words = st.one_of(st.sampled_from(TRAPS), st.text(st.characters(codec="utf-8"), max_size=10), st.text("a :#\n\t'\"-\\", max_size=10))
scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), words)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4), max_leaves=15)


@given(values)
def test_what_is_written_reads_back_as_the_same_value(value: Any) -> None:
    assert read(write(value)).value == value


@given(values)
def test_other_readers_read_the_same(value: Any) -> None:
    assert pyyaml.safe_load(write(value)) == value


@given(values)
def test_writing_is_stable(value: Any) -> None:
    assert write(read(write(value)).value) == write(value)


def test_a_table_file_is_written_as_people_write_it() -> None:
    assert write(read(TABLE).value) == TABLE


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("plain words", "plain words"),
        ("DECIMAL(10, 2)", "DECIMAL(10, 2)"),
        ("it's", "it's"),
        ("日本 😀", "日本 😀"),
        ("no", "'no'"),
        ("1", "'1'"),
        ("2026-03-01", "'2026-03-01'"),
        ("a: b", "'a: b'"),
        ("", "''"),
        (" a", "' a'"),
        ("'a'", "'''a'''"),
        ("a\tb", '"a\\tb"'),
        ("\ue000", '"\\uE000"'),
        ("a\n\n", '"a\\n\\n"'),
        ("a\nb\n", "|\n  a\n  b"),
        ("a\nb", "|-\n  a\n  b"),
        (1e20, "1.0e+20"),
        (True, "true"),
        (None, "null"),
        ([], "[]"),
        ([[1], {}], "- - 1\n- {}"),
        ({"on": {"a": [{"b": 1, "c": 2}]}}, "'on':\n  a:\n    - b: 1\n      c: 2"),
    ],
)
def test_text_is_quoted_only_where_it_must_be(value: Any, text: str) -> None:
    assert write(value) == f"{text}\n"


LOOP: list[Any] = []
LOOP.append(LOOP)


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ({1: "a"}, "yaml.key"),
        ({"k" * 2_000: 1}, "yaml.key"),
        ({"a": float("nan")}, "yaml.value"),
        ({"a": float("inf")}, "yaml.value"),
        ({"a": object()}, "yaml.value"),
        ({"a": b"x"}, "yaml.value"),
        ({"a": 10**5_000}, "yaml.value"),
        ({"a": "\ud800"}, "json.surrogate"),
        (LOOP, "yaml.too-deep"),
    ],
)
def test_what_yaml_cannot_hold_is_refused(value: Any, code: str) -> None:
    with pytest.raises(FormatError) as caught:
        write(value)
    assert caught.value.code == code


def test_ten_thousand_columns_cost_ten_times_a_thousand() -> None:
    def cost(count: int) -> int:
        text = write({"columns": [{"name": f"c{number}", "type": "DECIMAL(10, 2)", "comment": "a: b"} for number in range(count)]})
        return calls(lambda: read(text))

    assert cost(10_000) < 11 * cost(1_000)
