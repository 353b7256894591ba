"""ARRAY, MAP and ROW as text, out of text, and read part by part."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import parse_ddl
from airflow_provider_schemas.core.casts.cast_rules import convertible, lossless
from airflow_provider_schemas.core.casts.cast_value import Timestamp, cast_value, converter
from airflow_provider_schemas.core.types.atomic import STRING, DataType
from airflow_provider_schemas.core.types.nested import array, map_of, row
from airflow_provider_schemas.core.types.nested import field as field_of
from airflow_provider_schemas.errors import CastError, SchemaError
from tests.support import damaged
from tests.support.strategies import printed, types, values_of


def parsed(text: str) -> DataType:
    kind = parse_ddl(text)
    assert isinstance(kind, DataType)
    return kind


def cast(value: Any, source: str, target: str) -> Any:
    return cast_value(value, parsed(source), parsed(target))


class TestToText:
    @pytest.mark.parametrize(
        ("value", "source", "text"),
        [
            ([1, None, 2], "ARRAY<INT>", "[1, null, 2]"),
            (["a", "b,c"], "ARRAY<STRING>", "[a, b,c]"),
            ([], "ARRAY<INT>", "[]"),
            ([18_263], "ARRAY<DATE>", "[2020-01-02]"),
            ([1.0, 1e10], "ARRAY<DOUBLE>", "[1.0, 1.0E10]"),
            ([("k", 9), (None, None)], "MAP<STRING, INT>", "{k -> 9, null -> null}"),
            ((1, None), "ROW<a INT, b STRING>", "{1, null}"),
            ([[("k", (1, True))], None], "ARRAY<MAP<STRING, ROW<a INT, b BOOLEAN>>>", "[{k -> {1, true}}, null]"),
        ],
    )
    def test_parts_print_as_they_do_alone(self, value: Any, source: str, text: str) -> None:
        assert cast(value, source, "STRING") == text

    def test_the_length_of_the_target_is_ignored(self) -> None:
        assert cast([1, None, 2], "ARRAY<INT>", "VARCHAR(4)") == "[1, null, 2]"
        assert cast([1], "ARRAY<INT>", "CHAR(10)") == "[1]"

    def test_times_are_shown_in_the_zone(self) -> None:
        kind = parsed("ARRAY<TIMESTAMP(0) WITH LOCAL TIME ZONE>")
        assert cast_value([Timestamp(0)], kind, STRING, timezone="Asia/Shanghai") == "[1970-01-01 08:00:00]"

    def test_a_part_without_text_fails_when_there_is_one(self) -> None:
        assert cast([None], "ARRAY<BLOB>", "STRING") == "[null]"
        with pytest.raises(CastError) as caught:
            cast([b"x"], "ARRAY<BLOB>", "STRING")
        assert (caught.value.code, caught.value.path) == ("cast.unsupported", "[0]")


class TestFromText:
    @pytest.mark.parametrize(
        ("text", "target", "expected"),
        [
            ("[1, 2,3]", "ARRAY<INT>", [1, 2, 3]),
            (" array ( 1 , 2 ) ", "ARRAY<INT>", [1, 2]),
            ("[]", "ARRAY<INT>", []),
            ("[ ]", "ARRAY<STRING>", []),
            ("ARRAY()", "ARRAY<STRING>", []),
            ("[1,,2,]", "ARRAY<INT>", [1, 2]),
            ("[null, 1]", "ARRAY<INT>", [None, 1]),
            ("null", "ARRAY<INT>", None),
            ('["a,b", c]', "ARRAY<STRING>", ['"a,b"', "c"]),
            ("[(a,b), {c,d}, [e]]", "ARRAY<STRING>", ["(a,b)", "{c,d}", "[e]"]),
            ("[a], b]", "ARRAY<STRING>", ["a]", "b"]),
            ("[a\\,b, \\[, c]", "ARRAY<STRING>", ["a\\,b", "\\[", "c"]),
            ("[[1,2],[3],null]", "ARRAY<ARRAY<INT>>", [[1, 2], [3], None]),
            ("{a->1, b -> null}", "MAP<STRING, INT>", [("a", 1), ("b", None)]),
            ("MAP(a,1,b,2)", "MAP<STRING, INT>", [("a", 1), ("b", 2)]),
            ("{a -> 1, a -> 2}", "MAP<STRING, INT>", [("a", 2)]),
            ("{}", "MAP<STRING, INT>", []),
            ("map()", "MAP<STRING, INT>", []),
            ("null", "MAP<STRING, INT>", None),
            ("{a -> {b -> 1}}", "MAP<STRING, MAP<STRING, INT>>", [("a", [("b", 1)])]),
            ("{[1] -> 1, [1] -> 2}", "MAP<ARRAY<INT>, INT>", [([1], 2)]),
            ("{1, x}", "ROW<a INT, b STRING>", (1, "x")),
            ("{null, x}", "ROW<a INT, b STRING>", (None, "x")),
            ("Struct(1, x)", "ROW<a INT, b STRING>", (1, "x")),
            ("{}", "ROW<a INT, b STRING>", (None, None)),
            ("null", "ROW<a INT, b STRING>", None),
            ("{1, {2, [3]}}", "ROW<a INT, b ROW<c INT, d ARRAY<INT>>>", (1, (2, [3]))),
        ],
    )
    def test_brackets_or_a_word_hold_the_parts(self, text: str, target: str, expected: Any) -> None:
        assert cast(text, "STRING", target) == expected

    @pytest.mark.parametrize(
        ("text", "target"),
        [
            *[(text, "ARRAY<INT>") for text in ("", "1", "[1,2", "1,2]", "[", "{1}")],
            *[(text, "ARRAY<INT>") for text in ("[x]", "[1, ,2]", "ARRAY[1]", "ARRAY(1", "LIST(1)", "NULL")],
            *[(text, "MAP<STRING, INT>") for text in ("{a}", "{a -> 1, b", "{a -> }", "{-> 1}")],
            *[(text, "MAP<STRING, INT>") for text in ("MAP(a)", "MAP(a, 1, b)", "[a -> 1]", "{a -> x}")],
            *[(text, "ROW<a INT, b STRING>") for text in ("{1}", "{1, x, y}", "{x, y}", "[1, x]", "ROW(1, x)", "(1, x)")],
            ("[a]", "ARRAY<BLOB>"),
            ("[" + "1," * 100_000 + "1]", "ARRAY<INT>"),
        ],
    )
    def test_other_texts_are_no_containers(self, text: str, target: str) -> None:
        with pytest.raises(CastError, match="Write it as") as caught:
            cast(text, "STRING", target)
        assert caught.value.code == "cast.complex-syntax"
        assert len(str(caught.value)) < 500

    @given(damaged.mostly(types(5).filter(lambda kind: convertible(STRING, kind)), types(5)), st.data())
    def test_any_text_becomes_a_value_or_an_error_of_ours(self, target: DataType, data: st.DataObject) -> None:
        signs = st.text('[]{}(),"\\-> 1anulARY')
        text = data.draw(damaged.mostly(damaged.texts(printed(target), st.text(max_size=3) | signs), st.text() | signs))
        try:
            found = cast_value(text, STRING, target)
        except SchemaError:
            return
        assert repr(cast_value(found, target, target)) == repr(found)

    @given(st.lists(st.integers(-(2**31), 2**31 - 1) | st.none()))
    def test_a_printed_array_reads_back(self, values: list[int | None]) -> None:
        kind = parsed("ARRAY<INT>")
        assert cast_value(cast_value(values, kind, STRING), STRING, kind) == values


class TestPartByPart:
    def test_elements_and_values_are_converted(self) -> None:
        assert cast([1, None, 383], "ARRAY<INT>", "ARRAY<TINYINT>") == [1, None, 127]
        assert cast([("k", 1), ("k", None)], "MAP<STRING, INT>", "MAP<STRING, STRING>") == [("k", "1"), ("k", None)]

    def test_fields_are_found_by_id(self) -> None:
        int_, text = parsed("INT"), STRING
        source = row([field_of(1, "a", int_), field_of(2, "b", int_), field_of(3, "c", int_)])
        target = row([field_of(3, "renamed", text), field_of(9, "new", text), field_of(1, "a", int_)])
        assert cast_value((1, 2, 3), source, target) == ("3", None, 1)
        assert cast_value([(1, 2, None), None], array(source), array(target)) == [(None, None, 1), None]

    def test_two_fields_of_one_id_are_both_read(self) -> None:
        source = row([field_of(1, "a", parsed("INT"))])
        assert cast_value((5,), source, row([field_of(1, "x", STRING), field_of(1, "y", parsed("INT"))])) == ("5", 5)

    @pytest.mark.parametrize(
        ("source", "target", "path"),
        [
            ("ARRAY<INT>", "ARRAY<DATE>", "element"),
            ("MAP<STRING, INT>", "MAP<STRING, DATE>", "value"),
            ("MAP<INT, INT>", "MAP<BIGINT, INT>", "key"),
            ("MAP<INT NOT NULL, INT>", "MAP<INT, INT>", "key"),
            ("ROW<a ARRAY<INT>>", "ROW<a ARRAY<DATE>>", "a.element"),
            ("MULTISET<INT>", "MULTISET<BIGINT>", ""),
        ],
    )
    def test_a_part_that_cannot_be_converted_is_named_before_any_value_is_seen(self, source: str, target: str, path: str) -> None:
        with pytest.raises(CastError) as caught:
            converter(parsed(source), parsed(target))
        assert (caught.value.code, caught.value.path) == ("cast.unsupported", path)

    def test_a_value_that_cannot_be_converted_is_named_with_its_place(self) -> None:
        with pytest.raises(CastError) as caught:
            cast([["1"], ["2", "x"]], "ARRAY<ARRAY<STRING>>", "ARRAY<ARRAY<INT>>")
        assert (caught.value.code, caught.value.path) == ("cast.integer-syntax", "[1][1]")

    @given(st.data(), types(3))
    def test_the_parts_of_a_container_are_cast_as_if_alone(self, data: st.DataObject, source: DataType) -> None:
        target = data.draw(st.just(STRING) | st.just(source.with_nullable(True)))
        values = data.draw(st.lists(values_of(source), max_size=3))
        try:
            expected = list(map(converter(source, target), values))
        except CastError:
            return
        assert repr(cast_value(values, array(source), array(target))) == repr(expected)
        pairs = list(enumerate(values))
        key = parsed("INT")
        assert repr(cast_value(pairs, map_of(key, source), map_of(key, target))) == repr(list(enumerate(expected)))
        assert lossless(array(source), array(target)) == lossless(source, target)
