"""The system columns: which there are, which types they may have, under which names, and how missing ones are filled in."""

from typing import Any

import pytest
from hypothesis import given

from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.compatibility.system_columns import (
    Vocabulary,
    check_system_columns,
    with_system_columns,
)
from airflow_provider_schemas.formats.odf.model import types
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.kinds import Kind
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from tests.formats.odf.compatibility.test_comparison import A, option, schema
from tests.formats.odf.support.changed import SCHEMAS

USUAL = {"offset": "Int64", "op": "Int32", "system_time": "Timestamp", "event_time": "Timestamp"}
RENAMED = Vocabulary(event_time="date_reported")


def columns(**others: str) -> DataSchema:
    return schema(", ".join(f"{{name: {name}, type: {kind}}}" for name, kind in (USUAL | others).items()))


def rules(found: DataSchema, **about: Any) -> dict[str, str]:
    return {one.path: one.fault for one in check_system_columns(found, **about).findings}


def test_what_writers_write_fits_and_the_report_says_where_the_specification_differs() -> None:
    report = check_system_columns(columns())
    assert report.verdict is Verdict.OK
    assert report.notes == (
        "offset is Int64, as the reference writes it; the specification says UInt64",
        "op is Int32, as the reference writes it; the specification says UInt8",
    )


def test_what_the_specification_says_fits_as_well() -> None:
    report = check_system_columns(columns(offset="UInt64", op="UInt8"))
    assert report.fits
    assert report.notes[0] == "offset is UInt64, as the specification says; the reference writes Int64"


@pytest.mark.parametrize("kind", ["Date", "Timestamp", "{kind: Timestamp, unit: Nanosecond}", "{kind: Timestamp, timezone: '+01:00'}"])
def test_event_time_is_a_date_or_any_timestamp(kind: str) -> None:
    assert check_system_columns(columns(event_time=kind)).fits


def test_an_event_time_that_is_stored_otherwise_is_told() -> None:
    notes = check_system_columns(columns(event_time="{kind: Timestamp, unit: Nanosecond}")).notes
    assert notes[-1] == "event_time is Timestamp(unit Nanosecond), and is stored as Timestamp(unit Millisecond, timezone UTC)"


@pytest.mark.parametrize(
    ("name", "kind", "rule"),
    [
        ("offset", "Int32", "odf.system-column-type"),
        ("offset", "String", "odf.system-column-type"),
        ("op", "Int64", "odf.system-column-type"),
        ("system_time", "Date", "odf.system-column-type"),
        ("system_time", "{kind: Timestamp, unit: Nanosecond}", "odf.system-column-type"),
        ("system_time", "{kind: Timestamp, timezone: '+00:00'}", "odf.system-column-type"),
        ("event_time", "String", "odf.system-column-type"),
        ("event_time", option("Timestamp"), "odf.system-column-optional"),
        ("offset", option("Int64"), "odf.system-column-optional"),
    ],
)
def test_other_types_and_optional_ones_break_and_the_reference_sees_them_only_where_there_is_nothing_else(
    name: str, kind: str, rule: str
) -> None:
    alone = columns(**{name: kind})
    mixed = DataSchema((*alone.fields, *schema(A).fields))
    assert rules(alone) == rules(mixed) == rules(alone, reference_compatible=True) == {name: rule}
    assert rules(mixed, reference_compatible=True) == {}


@pytest.mark.parametrize("compatible", [False, True])
@pytest.mark.parametrize("name", USUAL)
def test_one_that_is_missing_breaks(name: str, compatible: bool) -> None:
    there = DataSchema(tuple(one for one in columns().fields if one.name != name))
    report = check_system_columns(there, reference_compatible=compatible)
    assert [(one.fault, one.path, one.verdict) for one in report.findings] == [("odf.system-column-missing", name, Verdict.BREAK)]
    assert "with_system_columns" in report.findings[0].fix


def test_order_is_no_matter() -> None:
    assert check_system_columns(DataSchema(columns().fields[::-1])).fits


def test_the_vocabulary_of_the_dataset_gives_other_names() -> None:
    found = columns(date_reported="Date")
    assert check_system_columns(found, RENAMED).fits
    assert rules(columns(), vocabulary=RENAMED) == {"date_reported": "odf.system-column-missing"}


def test_a_vocabulary_is_read_from_a_set_vocab() -> None:
    assert Vocabulary.of({"eventTimeColumn": "date_reported", "offsetColumn": None}) == RENAMED
    assert Vocabulary.of({"operationTypeColumn": "o", "systemTimeColumn": "s", "offsetColumn": "n"}) == Vocabulary("n", "o", "s")


@pytest.mark.parametrize("event", [{"eventTime": "x"}, {"offsetColumn": 3}, {5: "x"}])
def test_a_set_vocab_that_is_none_is_told(event: Any) -> None:
    with pytest.raises(FormatError) as caught:
        Vocabulary.of(event)
    assert caught.value.code == "odf.vocabulary"


def test_one_name_for_two_roles_is_told() -> None:
    with pytest.raises(FormatError, match="more than one system column"):
        check_system_columns(columns(), Vocabulary(offset="op"))


def test_a_type_without_end_is_no_column_of_ours() -> None:
    deep: types.DataType = types.PLAIN[Kind.INT8]
    for _ in range(30_000):
        deep = types.List(deep)
    found = check_system_columns(DataSchema((types.DataField("offset", deep), *columns().fields[1:])))
    assert [one.message for one in found.findings] == ["the system column offset is List<...>, and Int64 or UInt64 is expected."]


# ---------------------------------------------------------------- filled in


def test_missing_ones_are_filled_in_as_writers_write_them() -> None:
    found = with_system_columns(schema(A))
    assert found.names == ("offset", "op", "system_time", "event_time", "a")
    assert [str(one.type.kind) for one in found.fields[:4]] == ["Int64", "Int32", "Timestamp", "Timestamp"]
    assert not any(one.type.optional for one in found.fields[:4])


def test_they_may_be_those_of_the_specification_and_event_time_a_date() -> None:
    found = with_system_columns(schema(A), event_time=types.PLAIN[Kind.DATE], as_specified=True)
    assert [str(one.type.kind) for one in found.fields[:4]] == ["UInt64", "UInt8", "Timestamp", "Date"]


def test_those_that_are_there_stay_as_they_are_and_go_to_their_place() -> None:
    found = with_system_columns(schema(f"{A}, {{name: date_reported, type: Date, extra: {{x.c/a: 1}}}}"), RENAMED)
    assert found.names == ("offset", "op", "system_time", "date_reported", "a")
    assert found.fields[3].extra == Attributes({"x.c/a": 1})


@given(SCHEMAS)
def test_what_is_filled_in_fits_stays_and_loses_nothing(given_one: DataSchema) -> None:
    found = with_system_columns(given_one)
    assert check_system_columns(found).fits
    assert with_system_columns(found) == found
    assert found.fields[4:] == given_one.fields
    assert found.extra == given_one.extra
