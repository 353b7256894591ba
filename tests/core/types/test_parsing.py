"""Types are read strictly from Paimon's JSON form, and generously from the SQL text that people write."""

import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from airflow_provider_schemas.core import parse_ddl, parse_type
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.field_ids import numbered
from airflow_provider_schemas.core.types.nested import RowType
from airflow_provider_schemas.errors import SchemaError, TypeTextError
from tests.support import damaged
from tests.support.strategies import types

ROW = {"type": "ROW", "fields": [{"id": 0, "name": "a", "type": "INT"}]}


@given(types())
def test_a_type_survives_its_json_form(kind: DataType) -> None:
    assert parse_type(kind.to_json()) == kind


@given(types())
def test_a_type_survives_its_text(kind: DataType) -> None:
    plain = numbered(kind)
    # A default stands in the text as it was typed, so that one without any text cannot be told from ''.
    assume('"defaultValue": ""' not in json.dumps(plain.to_json()))
    assert parse_ddl(str(plain)) == plain


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("int", "INT"),
        ("INTEGER NULL", "INT"),
        ("Double Precision not null", "DOUBLE NOT NULL"),
        ("DEC(5)", "DECIMAL(5, 0)"),
        ("NUMERIC", "DECIMAL(10, 0)"),
        ("TIMESTAMP (3)", "TIMESTAMP(3)"),
        ("TIME", "TIME(0)"),
        ("TIMESTAMP_LTZ", "TIMESTAMP(6) WITH LOCAL TIME ZONE"),
        ("INT\tNOT\nNULL", "INT NOT NULL"),
        ("INT NOT NULL ARRAY NOT NULL", "ARRAY<INT NOT NULL> NOT NULL"),
        ("INT MULTISET", "MULTISET<INT>"),
        ("GEOGRAPHY(EPSG:4326, VINCENTY)", "GEOGRAPHY(EPSG:4326, vincenty)"),
        ("VECTOR<FLOAT NOT NULL, 3> NOT NULL", "VECTOR<FLOAT NOT NULL, 3> NOT NULL"),
    ],
)
def test_the_spellings_of_paimon_are_read(text: str, canonical: str) -> None:
    assert str(parse_type(text)) == canonical


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("ARRAY<INT>", "type.parse.unsupported-keyword"),
        ("ROW<a INT>", "type.parse.unsupported-keyword"),
        ("REAL", "type.parse.unknown-name"),
        ("INT NOT", "type.parse.trailing-token"),
        ("INT ARRAY ARRAY", "type.parse.trailing-token"),
        ("CHAR('5')", "type.parse.int-expected"),
        ("GEOMETRY('open", "type.parse.unexpected-end"),
        ("VECTOR<STRING, 3>", "type.vector-element"),
        ({"type": "array", "element": "INT"}, "type.json-shape"),
        ({"type": "INT"}, "type.json-shape"),
        ({"type": 5}, "type.json-shape"),
        ({"type": "MAP", "key": "INT"}, "json.missing-key"),
        ({"type": "ROW", "fields": {}}, "json.wrong-type"),
        ({"type": "VECTOR", "element": "INT", "length": "3"}, "json.wrong-type"),
        (5, "type.json-shape"),
        (None, "type.json-shape"),
        ([], "type.json-shape"),
    ],
)
def test_what_paimon_refuses_is_refused(source: Any, code: str) -> None:
    with pytest.raises(TypeTextError) as refused:
        parse_type(source)
    assert refused.value.code == code


def test_ids_may_be_left_out_altogether_but_not_in_part() -> None:
    kind = parse_type({"type": "ROW", "fields": [{"name": "a", "type": {"type": "ROW", "fields": [{"name": "b", "type": "INT"}]}}]})
    assert isinstance(kind, RowType)
    assert kind.fields[0].id == 0
    assert kind.to_json()["fields"][0]["type"]["fields"][0]["id"] == 1
    with pytest.raises(TypeTextError, match="after fields without one"):
        parse_type({"type": "ROW", "fields": [{"name": "a", "type": "INT"}, {"id": 1, "name": "b", "type": "INT"}]})


def test_all_faults_of_a_type_are_named_with_their_paths() -> None:
    source = {
        "type": "ROW",
        "fields": [{"name": "a", "type": "FOO"}, {"name": "b", "type": {"type": "MAP", "key": "CHAR(0)"}}, {"type": "INT"}],
    }
    with pytest.raises(TypeTextError) as refused:
        parse_type(source)
    assert [(fault.path, fault.code) for fault in refused.value.faults] == [
        ("a", "type.parse.unknown-name"),
        ("b", "json.missing-key"),
        ("b.key", "type.length-out-of-range"),
        ("", "json.missing-key"),
    ]


def test_columns_are_read_with_comments_and_defaults() -> None:
    kind = parse_ddl("order_id BIGINT NOT NULL COMMENT 'it''s the key', date DATE DEFAULT '2024-01-01', `x y` ROW<a INT, b ARRAY<STRING>>")
    assert str(kind) == (
        "ROW<`order_id` BIGINT NOT NULL COMMENT 'it''s the key', `date` DATE DEFAULT '2024-01-01', `x y` ROW<`a` INT, `b` ARRAY<STRING>>>"
    )
    assert isinstance(kind, RowType)
    assert [one.id for one in kind.fields] == [0, 1, 2]


def test_every_broken_column_is_named() -> None:
    with pytest.raises(TypeTextError) as refused:
        parse_ddl("a FOO, b INT, c CHAR(0), d")
    assert [(fault.path, fault.code) for fault in refused.value.faults] == [
        ("a", "type.parse.unknown-name"),
        ("c", "type.length-out-of-range"),
        ("d", "type.parse.unexpected-end"),
    ]


# The commas within the brackets of a broken column begin no columns, and what stands there is not told.
@pytest.mark.parametrize(
    "broken",
    [
        "FOO ROW<x INT, y INT>",
        "FOO ROW<x BAR, y BAZ>",
        "FOO<x BAR, y BAZ>",
        "FOO MAP<STRING, ROW<x BAR, y ARRAY<BAZ>, z FOO>>",
        "FOO(1, 2)",
        "FOO (BAR (1, 2), 3) DEFAULT f(4, 5)",
        "ROW<x INT, y>",
    ],
)
def test_a_broken_column_has_no_echo_and_the_next_ones_are_read(broken: str) -> None:
    with pytest.raises(TypeTextError) as refused:
        parse_ddl(f"a {broken}, b INT, c CHAR(0)")
    assert [fault.path.partition(".")[0] for fault in refused.value.faults] == ["a", "c"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        ",",
        "a INT,",
        "a INT b INT",
        "ROW<a INT",
        "MAP<INT>",
        "`",
        "1a INT",
        "a",
        "ARRAY<>",
        "a INT)",
        "a INT COMMENT 'x' COMMENT 'y'",
    ],
)
def test_a_broken_text_says_where_it_breaks(text: str) -> None:
    with pytest.raises(TypeTextError, match=r"at character|the end of the text"):
        parse_ddl(text)


SIGNS = "<>(),.`' INTROWARYMPabc0123456789:"
# The texts that one parser reads, or both.
TYPE_TEXTS = st.one_of(types().map(str), types(1).map(str), types().map(lambda kind: f"a {kind}, `b c` INT"))


@given(damaged.mostly(damaged.texts(TYPE_TEXTS, st.text(SIGNS, max_size=3)), st.text() | st.text(SIGNS)))
def test_no_text_makes_the_parsers_fail_otherwise(text: str) -> None:
    for parse in (parse_type, parse_ddl):
        try:
            kind = parse(text)
        except SchemaError:
            continue
        assert parse_type(kind.to_json()) == kind


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "element", "key", "value", "fields", "id", "name", "length", "x"]), inner, max_size=4)
        | st.fixed_dictionaries(
            {"type": st.sampled_from(["ROW", "ARRAY", "MAP NOT NULL", "VECTOR", "MULTISET"]), "fields": inner, "element": inner}
        )
    ),
    max_leaves=12,
)


@given(damaged.mostly(damaged.values(types().map(lambda kind: kind.to_json()), JSON), JSON))
def test_no_json_makes_the_parser_fail_otherwise(source: Any) -> None:
    try:
        kind = parse_type(source)
    except SchemaError:
        return
    assert parse_type(kind.to_json()) == kind


def deep(levels: int) -> Any:
    source: Any = "INT"
    for _ in range(levels):
        source = {"type": "ARRAY", "element": source}
    return source


@pytest.mark.parametrize(
    "source", ["VECTOR<" * 10_000, "ARRAY<" * 100_000, "(" * 1_000_000, "ROW<a " * 10_000, "x" * 17_000_000, "\ud800 INT"]
)
def test_hostile_text_is_refused_quickly(source: str) -> None:
    with pytest.raises(TypeTextError):
        parse_ddl(source)


def test_nesting_has_a_limit_that_is_told() -> None:
    assert parse_type(deep(90)).to_json() == deep(90)
    assert parse_ddl(str(parse_type(deep(90)))) == parse_type(deep(90))
    for source in (deep(101), deep(10_000)):
        with pytest.raises(TypeTextError, match="deeper than 100") as refused:
            parse_type(source)
        assert refused.value.code == "type.too-deep"


def test_ten_thousand_columns_are_read() -> None:
    text = ", ".join(f"column_{number} DECIMAL(10, 2) NOT NULL COMMENT 'number {number}'" for number in range(10_000))
    kind = parse_ddl(text)
    assert isinstance(kind, RowType)
    assert len(kind.fields) == 10_000


def test_a_text_of_faults_is_told_in_bounded_memory() -> None:
    with pytest.raises(TypeTextError) as refused:
        parse_ddl("a FOO, " * 1_000_000)
    assert 1_000 <= len(refused.value.faults) <= 1_100


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("BIGNIT", "Did you mean BIGINT? "),
        ("bool", "Did you mean BOOLEAN? "),
        ("LONG", "Did you mean BIGINT? "),
        ("STRUCT<a INT>", ""),
        ("nothing_like_it", ""),
        ("'INT'", ""),
        ("", ""),
    ],
)
def test_a_word_that_is_nearly_a_type_names_the_type(text: str, meant: str) -> None:
    with pytest.raises(TypeTextError) as refused:
        parse_type(text)
    assert refused.value.faults[0].fix == f"{meant}See docs/reference/types.md for the names and their parameters."


def test_where_a_type_may_hold_others_a_struct_is_a_row() -> None:
    with pytest.raises(SchemaError) as refused:
        parse_ddl("a STRUCT<b INT>")
    assert refused.value.faults[0].fix.startswith("Did you mean ROW? ")
