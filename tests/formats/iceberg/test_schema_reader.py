"""Every type of Iceberg, every id and every default, at every depth."""

from typing import Any

import pytest

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.field_ids import all_ids
from airflow_provider_schemas.errors import MAX_FAULTS, FormatError
from airflow_provider_schemas.formats.iceberg import read_schema
from airflow_provider_schemas.formats.iceberg.leaf_types import FROM_ICEBERG
from airflow_provider_schemas.formats.iceberg.schema_reader import TableFacts
from tests.formats.iceberg.support.tables import column, list_of, map_of, schema, text


def read(*columns: Any, **more: Any) -> TableSchema:
    return read_schema(text(schema(*columns, **more)))


TYPES = {
    "boolean": "BOOLEAN",
    "int": "INT",
    "long": "BIGINT",
    "float": "FLOAT",
    "double": "DOUBLE",
    "date": "DATE",
    "time": "TIME(6)",
    "timestamp": "TIMESTAMP(6)",
    "timestamptz": "TIMESTAMP(6) WITH LOCAL TIME ZONE",
    "timestamp_ns": "TIMESTAMP(9)",
    "timestamptz_ns": "TIMESTAMP(9) WITH LOCAL TIME ZONE",
    "string": "STRING",
    "uuid": "BINARY(16)",
    "binary": "BYTES",
    "unknown": "OPAQUE('unknown')",
    "variant": "VARIANT",
    "geometry": "GEOMETRY(OGC:CRS84)",
    "geography": "GEOGRAPHY(OGC:CRS84, spherical)",
    "decimal(10, 2)": "DECIMAL(10, 2)",
    "decimal(10,2)": "DECIMAL(10, 2)",
    "fixed[16]": "BINARY(16)",
    "fixed[ 3 ]": "BINARY(3)",
    "geometry(EPSG:3857)": "GEOMETRY(EPSG:3857)",
    "geometry('EPSG:3857')": "GEOMETRY(EPSG:3857)",
    "geography(EPSG:4326)": "GEOGRAPHY(EPSG:4326, spherical)",
    'geography("EPSG:4326", "karney")': "GEOGRAPHY(EPSG:4326, karney)",
    "geography(EPSG:4326, KARNEY)": "GEOGRAPHY(EPSG:4326, karney)",
    "geography(EPSG:4326, planar)": "OPAQUE('geography(EPSG:4326, planar)')",
    "interval": "OPAQUE('interval')",
    "it's": "OPAQUE('it''s')",
    "LONG": "BIGINT",
    "Decimal(10, 2)": "DECIMAL(10, 2)",
    "decimal(10)": "OPAQUE('decimal(10)')",
}


@pytest.mark.parametrize(("theirs", "ours"), TYPES.items())
def test_a_type_of_iceberg_is_one_of_ours(theirs: str, ours: str) -> None:
    inner = read(column(1, "a", theirs), column(2, "b", theirs, required=True), column(3, "c", list_of(4, theirs)))
    assert [str(field.type) for field in inner.fields] == [ours, f"{ours} NOT NULL", f"ARRAY<{ours}>"]


def test_the_table_of_types_is_the_one_that_is_tested() -> None:
    assert {theirs: TYPES[theirs] for theirs in FROM_ICEBERG} == FROM_ICEBERG


def test_a_type_that_ours_does_not_tell_apart_stands_in_an_attribute_of_the_field() -> None:
    found = read(
        column(1, "a", "uuid"),
        column(2, "b", list_of(3, "uuid")),
        column(4, "c", map_of(5, "uuid", 6, list_of(7, "unknown"))),
        column(8, "d", {"type": "struct", "fields": [column(9, "e", "unknown")]}),
        column(10, "f", "fixed[16]"),
    )
    logical = {number: found.attributes(number).get("logical") for number in range(1, 11)}
    assert {number: word for number, word in logical.items() if word} == {
        1: "uuid",
        2: {"element": "uuid"},
        4: {"key": "uuid", "value.element": "unknown"},
        9: "unknown",
    }
    assert found.table_attributes == {"format": "iceberg"}


def test_ids_are_kept_at_every_depth() -> None:
    inner = {"type": "struct", "fields": [column(8, "x", list_of(11, list_of(12, "int")))]}
    found = read(column(4, "a", "int"), column(2, "m", map_of(6, "string", 7, inner)))
    assert all_ids(found.fields) == [4, 2, 8]
    assert found.attributes(2) == {"element_ids": {"key": 6, "value": 7}}
    assert found.attributes(8) == {"element_ids": {"element": 11, "element.element": 12}}
    assert found.highest_field_id == 12


def test_nullability_is_read_at_every_depth() -> None:
    inner = {"type": "struct", "fields": [column(5, "x", "int", required=True)]}
    found = read(column(1, "m", map_of(2, "string", 3, list_of(4, inner, required=True), required=True), required=True))
    assert str(found.fields[0].type) == "MAP<STRING NOT NULL, ARRAY<ROW<`x` INT NOT NULL> NOT NULL> NOT NULL> NOT NULL"


def test_what_a_writer_leaves_out_is_optional() -> None:
    source = {"fields": [{"id": 1, "name": "a", "type": {"type": "list", "element-id": 2, "element": "int"}}]}
    found = read_schema(text(source), 5)
    assert (str(found.fields[0].type), found.id) == ("ARRAY<INT>", 5)


# ---------------------------------------------------------------- defaults, identifiers


@pytest.mark.parametrize(
    ("kind", "value", "default"),
    [
        ("int", 5, "5"),
        ("double", 1.5, "1.5"),
        ("boolean", True, "true"),
        ("string", "it's", "it's"),
        ("decimal(9, 2)", "1.00", "1.00"),
        ("date", "2024-02-29", "2024-02-29"),
        ("timestamp", "2024-02-29T01:02:03.000004", "2024-02-29 01:02:03.000004"),
        ("timestamptz", "2024-02-29T01:02:03.000004+00:00", None),
        ("binary", "00ff", None),
        ("uuid", "f79c3e09-677c-4bbd-a479-3f349cb785e7", None),
        ("int", "5", None),
        ("boolean", 1, None),
        ("string", 5, None),
        (list_of(2, "int"), [1, 2], None),
        ({"type": "struct", "fields": [column(2, "b", "int")]}, {"2": 1}, None),
    ],
)
def test_the_value_of_new_rows_is_the_default_where_our_columns_can_say_it(kind: Any, value: Any, default: str | None) -> None:
    found = read(column(1, "a", kind, **{"write-default": value, "initial-default": value}))
    assert found.fields[0].default == default
    assert found.attributes(1).get("write_default") == (value if default is None else None)
    assert found.attributes(1)["initial_default"] == value


def test_a_default_of_null_is_none() -> None:
    nulls: dict[str, Any] = {"write-default": None, "initial-default": None}
    found = read(column(1, "a", "int", **nulls))
    assert (found.fields[0].default, dict(found.attributes(1))) == (None, {})


def test_identifiers_are_an_attribute_and_no_primary_key() -> None:
    found = read(column(1, "a", "int", required=True), column(2, "b", "int"), **{"identifier-field-ids": [2, 1]})
    assert found.table_attributes["identifier_fields"] == [1, 2]
    assert found.primary_keys == ()


def test_what_the_table_says_stands_beside_what_the_schema_says() -> None:
    facts = TableFacts(highest_id=9, attributes={"location": "s3://t"}, partition_keys=(2, 7), comment="people")
    found = read_schema(text(schema(column(1, "a", "int"), column(2, "b", "int"))), None, facts)
    assert (found.highest_field_id, found.partition_keys, found.comment) == (9, ("b",), "people")
    assert found.table_attributes == {"format": "iceberg", "location": "s3://t"}


# ---------------------------------------------------------------- faults


def refused(*columns: Any) -> list[tuple[str, str]]:
    with pytest.raises(FormatError) as caught:
        read(*columns)
    return [(fault.code, fault.path) for fault in caught.value.faults]


def test_an_id_that_two_fields_have_is_refused() -> None:
    assert refused(column(1, "a", "int"), column(2, "b", list_of(1, "int"))) == [("iceberg.duplicate-field-id", "1")]


def test_a_name_that_two_fields_have_is_refused_at_every_depth() -> None:
    inner = {"type": "struct", "fields": [column(4, "x", "int"), column(5, "x", "int")]}
    twice = "fields.duplicate-name-in-row"
    assert refused(column(1, "a", "int"), column(2, "a", "int"), column(3, "s", inner)) == [(twice, "s.x"), (twice, "a")]


def test_parameters_that_no_type_can_have_are_all_reported() -> None:
    found = refused(column(1, "a", "decimal(39, 2)"), column(2, "b", list_of(3, "fixed[0]")), column(4, "c", "decimal(5, 6)"))
    assert found == [
        ("type.decimal-precision-range", "a"),
        ("type.length-out-of-range", "b.element"),
        ("type.decimal-scale-range", "c"),
    ]


def test_the_place_of_a_fault_is_told() -> None:
    assert refused({"id": 1, "name": "a", "type": list_of(2, 5)}) == [("json.wrong-type", "fields[0].type.element")]


def test_hostile_schemas_are_refused_before_they_cost_much() -> None:
    deep: Any = "int"
    for number in range(2, 150):
        deep = list_of(number, deep)
    assert [code for code, _ in refused(column(1, "a", deep))] == ["type.too-deep"]
    assert refused(*[column(1, f"c{number}", "fixed[0]") for number in range(5_000)])[0][0] == "type.length-out-of-range"
    assert len(refused(*[column(1, f"c{number}", "int") for number in range(5_000)])) == MAX_FAULTS
    assert refused(*[column(number, f"c{number}", "int") for number in range(100_001)]) == [("format.too-large", "")]
    assert refused(column(1, "a" * 5_000, "int"))[0][0] == "json.wrong-type"
    assert refused(column(1, "a", "x" * 5_000)) == [("type.opaque-too-long", "a")]
    with pytest.raises(FormatError) as caught:
        read_schema(b'{"fields":[{"id":1,"name":"a","type":' + b'{"type":"list","element-id":1,"element":' * 50_000)
    assert caught.value.code == "json.too-deep"
