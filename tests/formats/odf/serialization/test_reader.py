"""Plain values become schemas: short forms, three spellings, null for absent; and every fault is named with its path."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.errors import FormatError, SchemaError
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.kinds import PARAMETERS, Kind, ParameterForm, TimeUnit
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import (
    PLAIN,
    Binary,
    DataField,
    DataType,
    Decimal,
    Duration,
    List,
    Map,
    Option,
    Struct,
    Time,
    Timestamp,
)
from airflow_provider_schemas.formats.odf.serialization.reader import schema_of, type_of
from airflow_provider_schemas.formats.odf.serialization.writer import of_schema, of_type
from tests.formats.odf.support.strategies import any_type, schemas

STRING = PLAIN[Kind.STRING]

# From section 1.2 of the specification: what a kind may hold, and the type that is meant.
SOUND: list[tuple[Any, DataType]] = [
    ({"kind": "Binary"}, Binary()),
    ({"kind": "Binary", "fixedLength": 0}, Binary(0)),
    ({"kind": "Binary", "fixedLength": 2**64 - 1}, Binary(2**64 - 1)),
    ({"kind": "Binary", "fixedLength": None}, Binary()),
    ({"kind": "Decimal", "precision": 0, "scale": -5}, Decimal(0, -5)),
    ({"scale": 19, "precision": 6, "kind": "Decimal"}, Decimal(6, 19)),
    ({"kind": "Decimal", "precision": 2**32 - 1, "scale": -(2**31)}, Decimal(2**32 - 1, -(2**31))),
    ({"kind": "Duration", "unit": "nanosecond"}, Duration(TimeUnit.NANOSECOND)),
    ({"kind": "Time", "unit": None}, Time()),
    ({"kind": "Timestamp", "unit": "Second", "timezone": "Mars/Olympus"}, Timestamp(TimeUnit.SECOND, "Mars/Olympus")),
    ({"kind": "Timestamp", "timezone": ""}, Timestamp(None, "")),
    ({"kind": "List", "itemType": "string"}, List(STRING)),
    ({"kind": "List", "itemType": {"kind": "String"}, "fixedLength": 3}, List(STRING, 3)),
    ({"kind": "Map", "keyType": {"kind": "Option", "inner": "String"}, "valueType": "Date"}, Map(Option(STRING), PLAIN[Kind.DATE])),
    ({"kind": "Map", "keyType": "String", "valueType": "String", "keysSorted": False}, Map(STRING, STRING, False)),
    ({"inner": {"inner": "Null", "kind": "option"}, "kind": "Option"}, Option(Option(PLAIN[Kind.NULL]))),
    ({"kind": "Struct", "fields": []}, Struct(())),
    ({"kind": "struct", "fields": [{"name": "", "type": "bool", "extra": {}}]}, Struct((DataField("", PLAIN[Kind.BOOL], Attributes({})),))),
]


@pytest.mark.parametrize(("value", "kind"), SOUND)
def test_a_type_is_read_as_it_is_written(value: Any, kind: DataType) -> None:
    found = type_of(value)
    assert found == kind
    assert of_type(found) == of_type(kind)


@pytest.mark.parametrize("kind", Kind)
def test_a_kind_has_three_spellings_in_both_forms(kind: Kind) -> None:
    needed: dict[ParameterForm, Any] = {ParameterForm.U32: 1, ParameterForm.I32: 1, ParameterForm.TYPE: "String", ParameterForm.FIELDS: []}
    rest = {one.key: needed[one.form] for one in PARAMETERS.get(kind, ()) if one.required}
    for text in {str(kind), kind[0].lower() + kind[1:], kind.lower()}:
        assert type_of({"kind": text, **rest}).kind is kind
        if not rest:
            assert type_of(text) == type_of({"kind": text})
            assert of_type(type_of(text)) == {"kind": str(kind)}
        else:
            assert {fault.code for fault in faults_of(text)} == {"odf.missing-key"}
    assert faults_of(kind.upper())[0].code == "odf.unknown-kind"


def faults_of(value: Any) -> Any:
    with pytest.raises(FormatError) as caught:
        type_of(value, "type")
    assert all(fault.fix for fault in caught.value.faults)
    return caught.value.faults


@pytest.mark.parametrize(
    ("value", "code", "path"),
    [
        (None, "odf.wrong-type", "type"),
        (5, "odf.wrong-type", "type"),
        (True, "odf.wrong-type", "type"),
        (["String"], "odf.wrong-type", "type"),
        ("", "odf.unknown-kind", "type"),
        ("Interval", "odf.unknown-kind", "type"),
        ({}, "odf.missing-key", "type.kind"),
        ({"kind": None}, "odf.wrong-type", "type.kind"),
        ({"kind": "Union"}, "odf.unknown-kind", "type.kind"),
        ({"kind": "Int8", "bits": 8}, "odf.unknown-key", "type.bits"),
        ({"kind": "Time", "timezone": "UTC"}, "odf.unknown-key", "type.timezone"),
        ({"kind": "List", "itemType": "String", "Kind": 1}, "odf.unknown-key", "type.Kind"),
        ({"kind": "Binary", "fixedLength": -1}, "odf.number", "type.fixedLength"),
        ({"kind": "Binary", "fixedLength": 2**64}, "odf.number", "type.fixedLength"),
        ({"kind": "Binary", "fixedLength": 16.0}, "odf.wrong-type", "type.fixedLength"),
        ({"kind": "Binary", "fixedLength": "16"}, "odf.wrong-type", "type.fixedLength"),
        ({"kind": "Binary", "fixedLength": True}, "odf.wrong-type", "type.fixedLength"),
        ({"kind": "Binary", "fixedLength": float("nan")}, "odf.wrong-type", "type.fixedLength"),
        ({"kind": "Decimal", "precision": 1}, "odf.missing-key", "type.scale"),
        ({"kind": "Decimal", "precision": None, "scale": 1}, "odf.wrong-type", "type.precision"),
        ({"kind": "Decimal", "precision": 2**32, "scale": 1}, "odf.number", "type.precision"),
        ({"kind": "Decimal", "precision": 1, "scale": 2**31}, "odf.number", "type.scale"),
        ({"kind": "Timestamp", "unit": "MILLISECOND"}, "odf.unknown-unit", "type.unit"),
        ({"kind": "Timestamp", "unit": 1}, "odf.wrong-type", "type.unit"),
        ({"kind": "Timestamp", "timezone": 5}, "odf.wrong-type", "type.timezone"),
        ({"kind": "List"}, "odf.missing-key", "type.itemType"),
        ({"kind": "List", "itemType": None}, "odf.wrong-type", "type.itemType"),
        ({"kind": "List", "itemType": {"kind": "Option", "inner": "strin"}}, "odf.unknown-kind", "type.itemType.inner"),
        ({"kind": "Map", "keyType": "String", "valueType": "String", "keysSorted": 1}, "odf.wrong-type", "type.keysSorted"),
        ({"kind": "Struct"}, "odf.missing-key", "type.fields"),
        ({"kind": "Struct", "fields": {}}, "odf.wrong-type", "type.fields"),
        ({"kind": "Struct", "fields": [5]}, "odf.wrong-type", "type.fields[0]"),
        ({"kind": "Struct", "fields": [{"name": 5, "type": "String"}]}, "odf.wrong-type", "type.fields[0].name"),
        ({"kind": "Struct", "fields": [{"name": "a", "type": "String", "extra": []}]}, "odf.wrong-type", "type.fields[0].extra"),
    ],
)
def test_a_fault_of_a_type_is_named_with_its_path(value: Any, code: str, path: str) -> None:
    assert [(fault.code, fault.path) for fault in faults_of(value)][:1] == [(code, path)]


def test_every_fault_is_named_at_once() -> None:
    fields = [{"type": "INT64"}, {"name": "b", "type": {"kind": "List", "itemtype": "String"}, "nullable": True}, 5]
    with pytest.raises(FormatError) as caught:
        schema_of({"fields": fields, "extras": {}})
    assert [(fault.code, fault.path) for fault in caught.value.faults] == [
        ("odf.unknown-key", "extras"),
        ("odf.missing-key", "fields[0].name"),
        ("odf.unknown-kind", "fields[0].type"),
        ("odf.unknown-key", "fields[1].nullable"),
        ("odf.unknown-key", "fields[1].type.itemtype"),
        ("odf.missing-key", "fields[1].type.itemType"),
        ("odf.wrong-type", "fields[2]"),
    ]


@pytest.mark.parametrize(
    ("value", "near"), [("INT64", "Int64"), ("Strng", "String"), ({"kind": "Binary", "fixed_length": 1}, "fixedLength"), ("UINT8", "UInt8")]
)
def test_the_nearest_name_is_suggested(value: Any, near: str) -> None:
    assert f"Did you mean {near}?" in faults_of(value)[0].fix


@pytest.mark.parametrize("value", [None, [], "fields", {}, {"fields": None}, {"fields": {}}, {"fields": "a"}])
def test_a_schema_is_a_map_with_a_list_of_fields(value: Any) -> None:
    with pytest.raises(FormatError):
        schema_of(value)


def test_names_may_repeat_and_be_empty_and_null_attributes_are_absent() -> None:
    value = {"fields": [{"name": "", "type": "String"}, {"name": "", "type": "Int8", "extra": None}], "extra": None}
    assert schema_of(value) == DataSchema((DataField("", STRING), DataField("", PLAIN[Kind.INT8])))


def test_no_attributes_and_empty_ones_are_kept_apart() -> None:
    empty = schema_of({"fields": [], "extra": {}})
    assert empty == DataSchema((), Attributes({}))
    assert empty != schema_of({"fields": []})


def test_what_json_has_no_number_for_is_null_in_attributes() -> None:
    found = schema_of({"fields": [], "extra": {"a/b": [float("inf"), {"c": float("nan")}], "d/e": 1.0}})
    assert found.extra == Attributes({"a/b": [None, {"c": None}], "d/e": 1.0})


def test_the_faults_of_attributes_are_named_key_by_key() -> None:
    with pytest.raises(FormatError) as caught:
        schema_of({"fields": [], "extra": {"a": 2**64, "b": {"c": [-(2**63) - 1]}, "d": {5: 1}, "e": float("inf")}})
    assert [(fault.code, fault.path) for fault in caught.value.faults] == [
        ("odf.number", "extra.a"),
        ("odf.number", "extra.b.c[0]"),
        ("odf.attribute-key", "extra.d"),
    ]


def nested(levels: int, key: str, **rest: Any) -> Any:
    value: Any = "String"
    for _ in range(levels - 1):
        value = {**rest, key: [{"name": "a", "type": value}] if key == "fields" else value}
    return value


@pytest.mark.parametrize(("key", "kind"), [("inner", "Option"), ("itemType", "List"), ("fields", "Struct")])
def test_types_may_be_sixty_levels_deep_and_no_deeper(key: str, kind: str) -> None:
    assert type_of(nested(60, key, kind=kind)).kind == kind
    for levels in (61, 300):
        assert faults_of(nested(levels, key, kind=kind))[0].code == "odf.too-deep"


def test_more_fields_than_any_table_has_are_refused() -> None:
    field = {"name": "a", "type": {"kind": "Struct", "fields": [{"name": "b", "type": "String"}] * 50_000}}
    with pytest.raises(FormatError) as caught:
        schema_of({"fields": [field, field, field]})
    assert caught.value.code == "format.too-large"


def test_faults_without_end_end() -> None:
    with pytest.raises(FormatError) as caught:
        schema_of({"fields": [{}] * 50_000})
    assert len(caught.value.faults) == 1_000


@given(schemas)
def test_what_plain_values_say_is_what_was_said(schema: DataSchema) -> None:
    assert schema_of(of_schema(schema)) == schema
    assert of_schema(schema_of(of_schema(schema))) == of_schema(schema)


@given(any_type, st.sampled_from([str.lower, lambda text: text[0].lower() + text[1:]]))
def test_other_spellings_say_the_same(kind: DataType, spelled: Any) -> None:
    def respelled(value: Any, key: str = "") -> Any:
        if key == "extra":
            return value
        if isinstance(value, dict):
            return {name: respelled(one, name) for name, one in value.items()}
        if isinstance(value, list):
            return [respelled(one) for one in value]
        return spelled(value) if key in ("kind", "unit") else value

    assert type_of(respelled(of_type(kind))) == kind


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from([*map(str, Kind), "kind", "fields"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["kind", "fields", "name", "type", "extra", "inner", "itemType", "unit", "a"]), inner, max_size=4)
    ),
)


@given(ANYTHING)
def test_any_value_is_read_or_refused(value: Any) -> None:
    for read in (schema_of, type_of):
        with suppress(SchemaError):
            read(value)
