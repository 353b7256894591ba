"""How a schema of ODF is shown by other names: the message of a Parquet file, its JSON form, and the JSON of Arrow."""

import json
from typing import Any

import pytest

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.arrow import parquet_text
from airflow_provider_schemas.formats.odf.arrow.convert import arrow_json, parquet, parquet_json
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.serialization.reader import schema_of


def one(kind: Any, name: str = "a", extra: Any = None) -> DataSchema:
    return schema_of({"fields": [{"name": name, "type": kind, "extra": extra}]})


def decimal(precision: int, scale: int = 2) -> dict[str, Any]:
    return {"kind": "Decimal", "precision": precision, "scale": scale}


def unit(kind: str, name: str) -> dict[str, Any]:
    return {"kind": kind, "unit": name}


LEAVES: list[tuple[Any, str]] = [
    ("Bool", "BOOLEAN a"),
    ("Int8", "INT32 a (INTEGER(8,true))"),
    ("Int16", "INT32 a (INTEGER(16,true))"),
    ("Int32", "INT32 a"),
    ("Int64", "INT64 a"),
    ("UInt8", "INT32 a (INTEGER(8,false))"),
    ("UInt16", "INT32 a (INTEGER(16,false))"),
    ("UInt32", "INT32 a (INTEGER(32,false))"),
    ("UInt64", "INT64 a (INTEGER(64,false))"),
    ("Float16", "FIXED_LEN_BYTE_ARRAY (2) a (FLOAT16)"),
    ("Float32", "FLOAT a"),
    ("Float64", "DOUBLE a"),
    ("String", "BYTE_ARRAY a (STRING)"),
    ("Binary", "BYTE_ARRAY a"),
    ({"kind": "Binary", "fixedLength": 12}, "FIXED_LEN_BYTE_ARRAY (12) a"),
    ("Date", "INT32 a (DATE)"),
    (unit("Time", "Second"), "INT32 a"),
    ("Time", "INT32 a (TIME(MILLIS,false))"),
    (unit("Time", "Microsecond"), "INT64 a (TIME(MICROS,false))"),
    (unit("Time", "Nanosecond"), "INT64 a (TIME(NANOS,false))"),
    (unit("Timestamp", "Second"), "INT64 a"),
    ("Timestamp", "INT64 a (TIMESTAMP(MILLIS,true))"),
    (unit("Timestamp", "Microsecond"), "INT64 a (TIMESTAMP(MICROS,true))"),
    (unit("Timestamp", "Nanosecond"), "INT64 a (TIMESTAMP(NANOS,true))"),
    ({"kind": "Timestamp", "timezone": ""}, "INT64 a (TIMESTAMP(MILLIS,false))"),
    ("Duration", "INT64 a"),
    (decimal(1, 0), "INT64 a (DECIMAL(1,0))"),
    (decimal(2), "INT32 a (DECIMAL(2,2))"),
    (decimal(9), "INT32 a (DECIMAL(9,2))"),
    (decimal(10), "INT64 a (DECIMAL(10,2))"),
    (decimal(18), "INT64 a (DECIMAL(18,2))"),
    (decimal(19), "FIXED_LEN_BYTE_ARRAY (9) a (DECIMAL(19,2))"),
    (decimal(38), "FIXED_LEN_BYTE_ARRAY (16) a (DECIMAL(38,2))"),
    (decimal(76), "FIXED_LEN_BYTE_ARRAY (32) a (DECIMAL(76,2))"),
    ({"kind": "Null"}, "INT32 a (UNKNOWN)"),
]


@pytest.mark.parametrize(("kind", "line"), LEAVES, ids=[f"{kind} {line}" for kind, line in LEAVES])
def test_a_column_is_shown_as_parquet_holds_it(kind: Any, line: str) -> None:
    assert parquet(one(kind)) == f"message arrow_schema {{\n  REQUIRED {line};\n}}\n"
    assert parquet(one({"kind": "Option", "inner": kind})) == f"message arrow_schema {{\n  OPTIONAL {line};\n}}\n"


def test_a_date_of_milliseconds_is_a_bare_number() -> None:
    encoded = one("Date", extra={"arrow.apache.org/dateEncoding": {"unit": "Millisecond"}})
    assert "REQUIRED INT64 a;" in parquet(encoded)


STRUCT = {"kind": "Struct", "fields": [{"name": "x", "type": "Date"}]}
LIST = {"kind": "List", "itemType": {"kind": "Option", "inner": "Int32"}}
NESTED = schema_of(
    {
        "fields": [
            {"name": "l", "type": {"kind": "Option", "inner": LIST}},
            {"name": "m", "type": {"kind": "Map", "keyType": "String", "valueType": STRUCT}},
        ]
    }
)

MESSAGE = """\
message arrow_schema {
  OPTIONAL group l (LIST) {
    REPEATED group list {
      OPTIONAL INT32 item;
    }
  }
  REQUIRED group m (MAP) {
    REPEATED group entries {
      REQUIRED BYTE_ARRAY keys (STRING);
      REQUIRED group values {
        REQUIRED INT32 x (DATE);
      }
    }
  }
}
"""


def test_lists_maps_and_structs_are_groups_with_the_names_of_arrow() -> None:
    assert parquet(NESTED) == MESSAGE


def test_the_json_of_parquet_says_the_same() -> None:
    found = json.loads(parquet_json(NESTED))
    item = {"name": "item", "type": "INT32", "repetition": "OPTIONAL"}
    repeated = {"name": "list", "type": "struct", "repetition": "REPEATED", "fields": [item]}
    assert found["name"] == "arrow_schema"
    assert found["fields"][0] == {"name": "l", "type": "struct", "repetition": "OPTIONAL", "logicalType": "LIST", "fields": [repeated]}
    assert "FIXED_LEN_BYTE_ARRAY(12)" in parquet_json(one({"kind": "Binary", "fixedLength": 12}))


def test_what_parquet_cannot_hold_is_an_error_with_its_path() -> None:
    empty = {"kind": "Struct", "fields": []}
    with pytest.raises(FormatError) as caught:
        parquet(schema_of({"fields": [{"name": "a", "type": empty}, {"name": "b", "type": {"kind": "List", "itemType": empty}}]}))
    assert [fault.path for fault in caught.value.faults] == ["a", "b.item"]


def test_a_name_cannot_pretend_to_be_more_columns() -> None:
    assert parquet(one("Int8", name="a;\n  REQUIRED INT32 b")).count("\n") == 3


def test_the_json_of_arrow_is_that_of_arrow_rs() -> None:
    found = json.loads(arrow_json(NESTED))
    rest = {"dict_id": 0, "dict_is_ordered": False, "metadata": {}}
    item = {"name": "item", "data_type": "Int32", "nullable": True, **rest}
    assert found["fields"][0] == {"name": "l", "data_type": {"List": item}, "nullable": True, **rest}
    assert found["metadata"] == {}


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("Bool", "Boolean"),
        ("UInt8", "UInt8"),
        ("String", "Utf8"),
        ("Date", "Date32"),
        ("Timestamp", {"Timestamp": ["Millisecond", "UTC"]}),
        ("Time", {"Time32": "Millisecond"}),
        (decimal(10), {"Decimal128": [10, 2]}),
        ({"kind": "Binary", "fixedLength": 12}, {"FixedSizeBinary": 12}),
        ({"kind": "Struct", "fields": []}, {"Struct": []}),
    ],
)
def test_types_are_names_or_one_key(kind: Any, said: Any) -> None:
    assert json.loads(arrow_json(one(kind)))["fields"][0]["data_type"] == said


def test_a_table_is_shown_the_same_way_and_not_read_from_it() -> None:
    found = parquet_text.dump(TableSchema.create("a INT NOT NULL, b MAP<STRING, INT>"))
    assert "  REQUIRED INT32 a;\n" in found.text
    assert "ids" in [loss.what for loss in found.losses]
    with pytest.raises(FormatError) as caught:
        parquet_text.load(found.text)
    assert caught.value.code == "format.write-only"
