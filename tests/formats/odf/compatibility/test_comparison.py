"""What the comparison of ODF schemas finds: the rule, the path and both sides of each difference, and which of them may be ignored."""

from typing import Any

import pytest

from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.compatibility.comparison import Equivalent, Identical, NonEquivalent, compare, is_superset_of
from airflow_provider_schemas.formats.odf.compatibility.differences import SchemaDifference, differences
from airflow_provider_schemas.formats.odf.compatibility.findings import report
from airflow_provider_schemas.formats.odf.model.kinds import Kind
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import Option, Plain
from airflow_provider_schemas.formats.odf.serialization import yaml_text
from airflow_provider_schemas.render.api import text


def schema(fields: str, extra: str = "") -> DataSchema:
    return yaml_text.load(f"fields: [{fields}]\n" + (f"extra: {extra}\n" if extra else "")).schema


def kind(name: str) -> str:
    return f"{{name: a, type: {name}}}"


def option(name: str) -> str:
    return f"{{kind: Option, inner: {name}}}"


def a_list(item: str, more: str = "") -> str:
    return f"{{kind: List, itemType: {item}{more}}}"


def a_map(key: str, value: str, more: str = "") -> str:
    return f"{{kind: Map, keyType: {key}, valueType: {value}{more}}}"


def a_struct(*fields: str) -> str:
    return f"{{kind: Struct, fields: [{', '.join(fields)}]}}"


def x(name: str, extra: str = "") -> str:
    return f"{{name: x, type: {name}{extra}}}"


def found(old: str, new: str) -> list[tuple[str, str]]:
    return [(one.rule, one.path) for one in differences(schema(old), schema(new))]


# ---------------------------------------------------------------- rules and paths

ROWS = [
    ("String", option("String"), "NULLABILITY_RELAXED", "a"),
    (option("String"), "String", "NULLABILITY_TIGHTENED", "a"),
    (option(option("Int8")), option("Int8"), "NULLABILITY_TIGHTENED", "a"),
    ("Int32", "Int64", "TYPE_WIDENED", "a"),
    ("Int64", "Int32", "TYPE_NARROWED", "a"),
    ("Int64", "UInt64", "TYPE_NARROWED", "a"),
    ("UInt32", "Int64", "TYPE_WIDENED", "a"),
    ("UInt64", "Int64", "TYPE_NARROWED", "a"),
    ("Int32", "Float64", "TYPE_WIDENED", "a"),
    ("Int64", "Float64", "TYPE_LOSSY", "a"),
    ("Int16", "Float16", "TYPE_LOSSY", "a"),
    ("Int8", "Float16", "TYPE_WIDENED", "a"),
    ("Float64", "Float32", "TYPE_NARROWED", "a"),
    ("Float32", "Float64", "TYPE_WIDENED", "a"),
    ("String", "Int64", "TYPE_PARSED", "a"),
    ("Int64", "String", "TYPE_STRINGIFIED", "a"),
    ("Binary", "String", "TYPE_REINTERPRETED", "a"),
    ("String", "Binary", "TYPE_REINTERPRETED", "a"),
    ("Date", "Timestamp", "TYPE_REINTERPRETED", "a"),
    ("Bool", "Int8", "TYPE_REINTERPRETED", "a"),
    ("'Null'", "String", "TYPE_WIDENED", "a"),
    ("String", "'Null'", "TYPE_NARROWED", "a"),
    ("{kind: Decimal, precision: 10, scale: 2}", "{kind: Decimal, precision: 12, scale: 4}", "TYPE_WIDENED", "a"),
    ("{kind: Decimal, precision: 10, scale: 2}", "{kind: Decimal, precision: 10, scale: 4}", "DECIMAL_DIGITS_REDUCED", "a"),
    ("Int32", "{kind: Decimal, precision: 10, scale: 0}", "TYPE_WIDENED", "a"),
    ("Int32", "{kind: Decimal, precision: 9, scale: 0}", "TYPE_LOSSY", "a"),
    ("Timestamp", "{kind: Timestamp, timezone: '+00:00'}", "TIMESTAMP_ZONE_CHANGED", "a"),
    ("Timestamp", "{kind: Timestamp, timezone: ''}", "TIMESTAMP_ZONE_CHANGED", "a"),
    ("Timestamp", "{kind: Timestamp, unit: Nanosecond}", "TIMESTAMP_PRECISION_RAISED", "a"),
    ("Timestamp", "{kind: Timestamp, unit: Second}", "TIMESTAMP_PRECISION_LOWERED", "a"),
    ("Time", "{kind: Time, unit: Microsecond}", "TIMESTAMP_PRECISION_RAISED", "a"),
    ("Duration", "{kind: Duration, unit: Second}", "TIMESTAMP_PRECISION_LOWERED", "a"),
    ("Duration", "Time", "TYPE_REINTERPRETED", "a"),
    ("Binary", "{kind: Binary, fixedLength: 3}", "FIXED_LENGTH_CHANGED", "a"),
    ("{kind: Binary, fixedLength: 3}", "Binary", "LENGTH_RELAXED", "a"),
    (a_list("Int8"), a_list("Int8", ", fixedLength: 3"), "FIXED_LENGTH_CHANGED", "a"),
    (a_list("Int8"), "Int8", "KIND_CHANGED", "a"),
    ("Int8", a_struct(x("Int8")), "KIND_CHANGED", "a"),
    (a_list("Int8"), a_map("Int8", "Int8"), "KIND_CHANGED", "a"),
    (a_list("Int8"), a_list("Int16"), "TYPE_WIDENED", "a[]"),
    (a_list("Int8"), a_list(option("Int8")), "NULLABILITY_RELAXED", "a[]"),
    (a_list(a_list("Int8")), a_list(a_list("String")), "TYPE_STRINGIFIED", "a[][]"),
    (a_map("Int8", "Int8"), a_map("Int8", "Int16"), "TYPE_WIDENED", "a{}"),
    (a_map("Int8", "Int8"), a_map("Int8", option("Int8")), "NULLABILITY_RELAXED", "a{}"),
    (a_map("Int8", "Int8"), a_map("Int16", "Int8"), "MAP_KEY_WIDENED", "a{key}"),
    (a_map("Int16", "Int8"), a_map("Int8", "Int8"), "MAP_KEY_CHANGED", "a{key}"),
    (a_map(option("Int8"), "Int8"), a_map("Int8", "Int8"), "NULLABILITY_TIGHTENED", "a{key}"),
    (a_map(a_struct(x("Int8")), "Int8"), a_map(a_struct(), "Int8"), "MAP_KEY_STRUCT_CHANGED", "a{key}.x"),
    (a_map(a_struct(), "Int8"), a_map(a_struct(x(option("Int8"))), "Int8"), "MAP_KEY_STRUCT_CHANGED", "a{key}.x"),
    (a_map("Int8", a_struct(x("Int8"))), a_map("Int8", a_struct(x("Int16"))), "TYPE_WIDENED", "a{}.x"),
    (a_map("Int8", "Int8"), a_map("Int8", "Int8", ", keysSorted: true"), "TYPE_NARROWED", "a"),
    (a_map("Int8", "Int8", ", keysSorted: true"), a_map("Int8", "Int8"), "TYPE_WIDENED", "a"),
    (a_map("Int8", "Int8"), a_map("Int8", "Int8", ", keysSorted: false"), "TYPE_SPELLING_CHANGED", "a"),
    (a_struct(), a_struct(x(option("Int8"))), "FIELD_ADDED_NULLABLE", "a.x"),
    (a_struct(), a_struct(x("Int8")), "FIELD_ADDED_REQUIRED", "a.x"),
    (a_struct(x("Int8")), a_struct(), "FIELD_DROPPED", "a.x"),
    (a_list(a_struct(x("Int8"))), a_list(a_struct(x("Int8", ", extra: {}"))), "FIELD_DOC_CHANGED", "a[].x"),
    (a_list(a_struct(x("Int8"))), a_list(a_struct(x("Int8", ", extra: {q.c/a: 1}"))), "FIELD_MEANING_CHANGED", "a[].x"),
]


@pytest.mark.parametrize(("old", "new", "rule", "path"), ROWS)
def test_each_change_has_its_rule_at_its_path(old: str, new: str, rule: str, path: str) -> None:
    assert found(kind(old), kind(new)) == [(rule, path)]


def test_several_differences_of_one_field_are_all_told() -> None:
    old, new = option(a_list(option("Int8"))), a_list("Int16", ", fixedLength: 3")
    rules = [("NULLABILITY_TIGHTENED", "a"), ("FIXED_LENGTH_CHANGED", "a"), ("NULLABILITY_TIGHTENED", "a[]"), ("TYPE_WIDENED", "a[]")]
    assert found(kind(old), kind(new)) == rules


def test_names_that_are_no_words_are_quoted_in_paths() -> None:
    assert found("{name: 'x y', type: Int8}", "") == [("FIELD_DROPPED", "`x y`")]


# ---------------------------------------------------------------- pairs

A, B, C = "{name: a, type: Int8}", "{name: b, type: String}", "{name: c, type: Bool}"


def test_the_fewest_fields_that_explain_an_order_have_moved() -> None:
    assert found(f"{A}, {B}, {C}", f"{C}, {A}, {B}") == [("FIELD_REORDERED", "c")]
    assert found(f"{A}, {B}", f"{C}, {A}, {B}") == [("FIELD_ADDED_REQUIRED", "c")]


def test_fields_are_compared_by_name_although_order_or_names_differ() -> None:
    swapped = "{name: b, type: Int8}, {name: a, type: String}"
    assert found(f"{A}, {B}", swapped) == [("TYPE_PARSED", "b"), ("TYPE_STRINGIFIED", "a"), ("FIELD_REORDERED", "b")]
    assert differences(schema(f"{A}, {B}"), schema(swapped), reference_compatible=True) == (
        SchemaDifference("FIELD_REORDERED", "b", "place 2", "place 1"),
        SchemaDifference("FIELD_REORDERED", "a", "place 1", "place 2"),
    )


def test_names_differ_in_case() -> None:
    assert found(A, "{name: A, type: Int8}") == [("FIELD_ADDED_REQUIRED", "A"), ("FIELD_DROPPED", "a")]


def test_of_fields_with_one_name_the_first_goes_with_the_first() -> None:
    twice = "{name: a, type: Int8}, {name: a, type: String}"
    assert found(twice, A) == [("FIELD_DROPPED", "a")]
    assert found(A, twice) == [("FIELD_ADDED_REQUIRED", "a")]
    assert found(twice, "{name: a, type: Int8}, {name: a, type: Int8}") == [("TYPE_PARSED", "a")]


# ---------------------------------------------------------------- attributes


def attributed(extra: str) -> DataSchema:
    return schema(f"{{name: a, type: String{', extra: ' + extra if extra else ''}}}")


@pytest.mark.parametrize(
    ("old", "new", "rule", "key"),
    [
        ("", "{}", "FIELD_DOC_CHANGED", ""),
        ("{}", "", "FIELD_DOC_CHANGED", ""),
        ("", "{opendatafabric.org/description: x}", "FIELD_DOC_CHANGED", "opendatafabric.org/description"),
        ("{arrow.apache.org/bufferEncoding: {kind: View}}", "{}", "FIELD_DOC_CHANGED", "arrow.apache.org/bufferEncoding"),
        ("{x.c/unit: m}", "{x.c/unit: km}", "FIELD_MEANING_CHANGED", "x.c/unit"),
        ("", "{opendatafabric.org/type: {kind: Did}}", "FIELD_MEANING_CHANGED", "opendatafabric.org/type"),
        ("{x.c/a: 1}", "{x.c/a: 1.0}", "FIELD_MEANING_CHANGED", "x.c/a"),
        ("{x.c/a: null}", "{}", "FIELD_MEANING_CHANGED", "x.c/a"),
    ],
)
def test_attributes_are_words_for_people_hints_or_meaning(old: str, new: str, rule: str, key: str) -> None:
    (one,) = differences(attributed(old), attributed(new))
    assert (one.rule, one.path, one.attribute) == (rule, "a", key)


def test_attributes_differ_one_by_one_and_those_of_the_schema_have_no_path() -> None:
    old, new = schema(A, "{x.c/a: 1, x.c/b: 2}"), schema(A, "{x.c/a: 2, x.c/c: 2, x.c/b: 2}")
    assert [(one.path, one.attribute, one.old, one.new) for one in differences(old, new)] == [
        ("", "x.c/a", "1", "2"),
        ("", "x.c/c", "nothing", "2"),
    ]


# ---------------------------------------------------------------- the answer


@pytest.mark.parametrize(
    ("old", "new", "aspect"),
    [
        (f"{A}, {B}", f"{B}, {A}", "order"),
        (kind("Int8"), kind(option("Int8")), "optionality"),
        (kind(a_map("Int8", option("Int8"))), kind(a_map("Int8", "Int8")), "optionality"),
        (kind(a_list(option("Int8"))), kind(a_list("Int8")), "optionality"),
        (kind("Int8"), "{name: a, type: Int8, extra: {}}", "attributes"),
    ],
)
def test_what_is_ignored_makes_schemas_equivalent(old: str, new: str, aspect: str) -> None:
    others = {"order", "optionality", "attributes"} - {aspect}
    assert isinstance(compare(schema(old), schema(new)), NonEquivalent)
    assert isinstance(compare(schema(old), schema(new), ignore=others), NonEquivalent)
    assert isinstance(compare(schema(old), schema(new), ignore={aspect}), Equivalent)
    assert compare(schema(old), schema(old), ignore={aspect}) == Identical()


EVERYTHING = frozenset({"order", "optionality", "attributes"})


@pytest.mark.parametrize("new", [f"{A}, {B}", "", kind("Int16"), kind(option("Int16")), "{name: b, type: Int8}"])
def test_fields_and_types_are_never_ignored(new: str) -> None:
    assert isinstance(compare(schema(A), schema(new), ignore=EVERYTHING), NonEquivalent)


def test_more_fields_are_a_superset_in_structs_lists_and_values_too() -> None:
    assert is_superset_of(schema(f"{A}, {B}"), schema(B))
    assert not is_superset_of(schema(B), schema(f"{A}, {B}"))
    for around in (lambda part: part, a_list, lambda part: a_map("Int8", part), option):
        more, less = kind(around(a_struct(x("Int8")))), kind(around(a_struct()))
        assert is_superset_of(schema(more), schema(less))
        assert not is_superset_of(schema(less), schema(more))


def test_a_superset_has_the_common_fields_as_they_are() -> None:
    assert not is_superset_of(schema(f"{kind('Int16')}, {B}"), schema(A))
    assert is_superset_of(schema(f"{kind('Int16')}, {B}"), schema(A), ignore={"order"}, reference_compatible=True)


@pytest.mark.parametrize("ignore", [["Order"], "types", [3], 5, [[]]])
def test_what_cannot_be_ignored_is_told(ignore: Any) -> None:
    with pytest.raises(FormatError) as caught:
        compare(schema(A), schema(A), ignore=ignore)
    assert caught.value.code == "odf.unknown-aspect"


def test_something_else_than_a_schema_and_types_without_end_are_errors_of_ours() -> None:
    with pytest.raises(FormatError, match="no ODF schema"):
        differences(schema(A), "fields: []")  # type: ignore[arg-type]  # the case
    deep: list[Any] = [Plain(Kind.INT8), Plain(Kind.INT16)]
    for _ in range(30_000):
        deep = [Option(one) for one in deep]
    schemas = [DataSchema((schema(A).fields[0].__class__("a", one),)) for one in deep]
    with pytest.raises(FormatError) as caught:
        differences(*schemas)
    assert caught.value.code == "odf.too-deep"


# ---------------------------------------------------------------- findings


def test_differences_make_a_report_that_a_policy_judges_and_render_prints() -> None:
    compared = compare(schema(f"{A}, {B}"), schema(f"{kind('Int16')}, {{name: c, type: {option('Int8')}}}"))
    judged = report(compared, table="shop.orders")
    verdicts = {one.rule: one.verdict for one in judged.findings}
    assert verdicts == {"TYPE_WIDENED": Verdict.WARN, "FIELD_ADDED_NULLABLE": Verdict.OK, "FIELD_DROPPED": Verdict.WARN}
    additive = {one.rule: one.verdict for one in report(compared, {"mode": "odf-additive"}).findings}
    assert additive == {"TYPE_WIDENED": Verdict.BREAK, "FIELD_ADDED_NULLABLE": Verdict.OK, "FIELD_DROPPED": Verdict.BREAK}
    printed = text(judged)
    assert "a  Int8 -> Int16" in printed
    assert "Option<Int8>" in printed


def test_no_difference_is_a_finding_that_nothing_changes() -> None:
    judged = report(compare(schema(A), schema(A)))
    assert [(one.rule, one.verdict) for one in judged.findings] == [("NO_CHANGE", Verdict.OK)]


def test_exceptions_of_a_policy_speak_of_paths() -> None:
    waived = {"rule": "TYPE_NARROWED", "path": "a", "until": "2099-01-01", "reason": "all are small"}
    compared = compare(schema(kind(a_list("Int16"))), schema(kind(a_list("Int8"))))
    assert report(compared).verdict is Verdict.BREAK
    assert report(compared, {"exceptions": [waived]}).verdict is Verdict.WARN
