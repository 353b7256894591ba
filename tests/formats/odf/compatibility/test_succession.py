"""Which SetDataSchema may follow which: every row of what a chain lets through, and what the reference makes of it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core.report import Report, Verdict
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.compatibility.succession import Declared, may_follow
from airflow_provider_schemas.formats.odf.compatibility.system_columns import with_system_columns
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.render.api import text
from tests.formats.odf.compatibility.test_comparison import A, B, C, a_list, a_map, a_struct, kind, option, schema, x
from tests.formats.odf.support.changed import EXTENDED, PAIRS, REARRANGED, Pair
from tests.support import damaged

EXTRA = ", extra: {q.c/a: 1}"
X_OPTION = x(option("Int8"))


def whole(fields: str) -> DataSchema:
    return with_system_columns(schema(fields))


def follows(old: str, new: str, **about: Any) -> Report:
    return may_follow(whole(old), whole(new), **about)


ACCEPTED = [
    (A, f"{A[:-1]}{EXTRA}}}"),
    (f"{A[:-1]}{EXTRA}}}", A),
    (f"{A}, {B}", f"{B}, {A}"),
    (A, f"{A}, {{name: n, type: {option('String')}}}"),
    (A, f"{{name: n, type: {option('String')}}}, {A}"),
    (kind(a_struct()), kind(a_struct(X_OPTION))),
    (kind(a_list(a_struct())), kind(a_list(a_struct(X_OPTION)))),
    (kind(a_list(a_struct(x("Int8")))), kind(a_list(a_struct(x("Int8", EXTRA))))),
    (kind(a_struct(x("Int8"), A)), kind(a_struct(A, x("Int8")))),
]
REFUSED = [
    (A, f"{A}, {B}", "FIELD_ADDED_REQUIRED", "b"),
    (f"{A}, {B}", A, "FIELD_DROPPED", "b"),
    (f"{A}, {B}", f"{A}, {{name: c, type: {option('String')}}}", "FIELD_DROPPED", "b"),
    (A, kind("Int16"), "TYPE_WIDENED", "a"),
    (A, kind(option("Int8")), "NULLABILITY_RELAXED", "a"),
    (kind(option("Int8")), A, "NULLABILITY_TIGHTENED", "a"),
    (kind(a_list("Int8")), kind(a_list(option("Int8"))), "NULLABILITY_RELAXED", "a[]"),
    (kind(a_list("Int8")), kind(a_list("Int8", ", fixedLength: 3")), "FIXED_LENGTH_CHANGED", "a"),
    (kind(a_struct()), kind(a_struct(x("Int8"))), "FIELD_ADDED_REQUIRED", "a.x"),
    (kind(a_struct(X_OPTION)), kind(a_struct()), "FIELD_DROPPED", "a.x"),
    (kind("Timestamp"), kind("{kind: Timestamp, timezone: '+00:00'}"), "TIMESTAMP_ZONE_CHANGED", "a"),
]
# What the reference lets through or refuses by mistake, and we do not: its comparison skips common fields where names
# or order differ, and does not look into maps.
SWAPPED = (f"{A}, {B}", "{name: b, type: Int8}, {name: a, type: String}")
HIDDEN = (A, f"{kind('Int64')}, {{name: b, type: {option('Int8')}}}")
TIGHTENED = (kind(option("Int8")), f"{A}, {{name: b, type: {option('Int8')}}}")
IN_VALUES = [
    (kind(a_map("Int8", a_struct(x("Int8")))), kind(a_map("Int8", a_struct(x("Int8", EXTRA))))),
    (kind(a_map("Int8", a_struct())), kind(a_map("Int8", a_struct(X_OPTION)))),
]


@pytest.mark.parametrize("compatible", [False, True])
@pytest.mark.parametrize(("old", "new"), ACCEPTED)
def test_attributes_order_and_optional_fields_may_change_at_any_depth(old: str, new: str, compatible: bool) -> None:
    assert follows(old, new, reference_compatible=compatible).fits


@pytest.mark.parametrize("compatible", [False, True])
@pytest.mark.parametrize(("old", "new", "rule", "path"), REFUSED)
def test_all_else_is_refused_with_a_reason_and_a_fix(old: str, new: str, rule: str, path: str, compatible: bool) -> None:
    report = follows(old, new, reference_compatible=compatible)
    assert report.verdict is Verdict.BREAK
    broken = [(one.rule, one.path) for one in report.findings if one.verdict is Verdict.BREAK]
    assert broken == [(rule, path)]
    assert all(one.fix and one.message for one in report.findings)
    assert "Mode" not in text(report)


@pytest.mark.parametrize(("old", "new"), [SWAPPED, HIDDEN, TIGHTENED])
def test_what_the_reference_does_not_see_behind_names_and_order_is_refused(old: str, new: str) -> None:
    assert not follows(old, new).fits
    assert follows(old, new, reference_compatible=True).fits


@pytest.mark.parametrize(("old", "new"), IN_VALUES)
def test_values_of_maps_follow_the_same_rules(old: str, new: str) -> None:
    assert follows(old, new).fits
    assert not follows(old, new, reference_compatible=True).fits


def test_keys_of_maps_never_get_another_field() -> None:
    assert not follows(kind(a_map(a_struct(), "Int8")), kind(a_map(a_struct(X_OPTION), "Int8"))).fits


@pytest.mark.parametrize("legacy", [False, True])
@pytest.mark.parametrize("compatible", [False, True])
def test_a_schema_that_changes_nothing_is_refused(legacy: bool, compatible: bool) -> None:
    report = may_follow(Declared(whole(A), legacy), whole(A), reference_compatible=compatible)
    assert [(one.rule, one.verdict) for one in report.findings] == [("NO_CHANGE", Verdict.BREAK)]


# ---------------------------------------------------------------- from a raw Arrow schema

ONCE = [
    (kind(option("Int8")), A),
    (A, kind(option("Int8"))),
    (kind(option(a_list(option("Int8")))), kind(a_list("Int8"))),
    (kind(a_struct(x(option("Int8")))), kind(a_struct(x("Int8")))),
]


@pytest.mark.parametrize("compatible", [False, True])
@pytest.mark.parametrize(("old", "new"), ONCE)
def test_the_step_away_from_a_raw_arrow_schema_may_change_what_is_optional(old: str, new: str, compatible: bool) -> None:
    first = may_follow([Declared(whole(old), legacy=True)], whole(new), reference_compatible=compatible)
    assert first.fits
    assert "raw Arrow" in " ".join(first.notes)
    later = may_follow([Declared(whole(old), legacy=True), Declared(whole(old))], whole(new), reference_compatible=compatible)
    assert not later.fits


def test_in_maps_the_reference_does_not_take_it_and_we_do() -> None:
    old, new = whole(kind(a_map("Int8", option("Int8")))), whole(kind(a_map("Int8", "Int8")))
    assert may_follow((old, True), new).fits
    assert not may_follow((old, True), new, reference_compatible=True).fits


def test_the_reference_forgets_a_fixed_length_beside_it_and_we_do_not() -> None:
    old, new = whole(kind(a_list(option("Int8")))), whole(kind(a_list("Int8", ", fixedLength: 3")))
    assert not may_follow((old, True), new).fits
    assert may_follow((old, True), new, reference_compatible=True).fits


def test_that_step_may_add_optional_fields_and_nothing_else_besides() -> None:
    old = Declared(whole(kind(option("Int8"))), legacy=True)
    assert may_follow(old, whole(f"{A}, {{name: n, type: {option('Int8')}}}")).fits
    assert not may_follow(old, whole(f"{A}, {C}")).fits
    assert not may_follow(old, whole(kind("Int16"))).fits


# ---------------------------------------------------------------- which events count


@pytest.mark.parametrize("previous", [None, [], ()])
def test_a_first_schema_may_be_any(previous: Any) -> None:
    assert may_follow(previous, whole(A)).findings == ()


def test_the_last_of_the_earlier_schemas_counts() -> None:
    assert not may_follow([whole(A), whole(f"{A}, {B}")], whole(A)).fits
    assert may_follow([whole(f"{A}, {B}"), (whole(A), False)], whole(A[:-1] + EXTRA + "}")).fits


def test_an_event_that_is_raw_arrow_itself_is_not_checked() -> None:
    report = may_follow(whole(A), Declared(whole(B), legacy=True))
    assert report.fits
    assert "not checked" in report.notes[0]


def test_what_is_wrong_with_system_columns_only_warns() -> None:
    report = may_follow(schema(A), schema(A[:-1] + EXTRA + "}"))
    warned = {one.path: one.verdict for one in report.findings if one.rule == "TABLE_INVALID"}
    assert warned == dict.fromkeys(["offset", "op", "system_time", "event_time"], Verdict.WARN)
    assert report.fits


@pytest.mark.parametrize("previous", ["fields: []", [5], [(1, 2)], {"schema": 3}])
def test_what_is_no_schema_is_told(previous: Any) -> None:
    with pytest.raises(FormatError) as caught:
        may_follow(previous, whole(A))
    assert caught.value.code == "odf.not-a-schema"


# ---------------------------------------------------------------- laws


@given(damaged.mostly(EXTENDED, PAIRS), st.booleans())
def test_what_may_follow_strictly_may_follow_a_raw_arrow_schema(pair: Pair, compatible: bool) -> None:
    old, new = pair
    if may_follow(old, new, reference_compatible=compatible).fits:
        assert may_follow((old, True), new, reference_compatible=compatible).fits


@given(PAIRS)
def test_only_equal_schemas_change_nothing(pair: tuple[DataSchema, DataSchema]) -> None:
    old, new = pair
    rules = [one.rule for one in may_follow(old, new).findings]
    assert ("NO_CHANGE" in rules) is (old == new)


@given(damaged.mostly(REARRANGED, EXTENDED | PAIRS))
def test_a_chain_takes_no_step_back_but_for_order_and_attributes(pair: Pair) -> None:
    old, new = pair
    forth, back = may_follow(old, new), may_follow(new, old)
    if forth.fits and back.fits:
        assert sorted(old.names) == sorted(new.names)
