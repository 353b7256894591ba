"""Encodings are taken off a schema: everywhere, or as far as the reference goes."""

from typing import Any

from hypothesis import given

from airflow_provider_schemas.formats.odf.arrow.strip_encodings import strip_encoding
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.serialization.reader import schema_of
from airflow_provider_schemas.formats.odf.serialization.writer import of_schema
from tests.formats.odf.support.strategies import schemas

DATE = {"arrow.apache.org/dateEncoding": {"unit": "Millisecond"}}
OTHER = {"x.com/a": 1}


def dated(extra: Any) -> dict[str, Any]:
    return {"name": "d", "type": {"kind": "Date"}, **({} if extra is None else {"extra": extra})}


def around(kind: str, extra: Any) -> dict[str, Any]:
    """A struct with a date inside, in a container."""
    struct = {"kind": "Struct", "fields": [dated(extra)]}
    containers = {
        "Struct": struct,
        "Option": {"kind": "Option", "inner": struct},
        "List": {"kind": "List", "itemType": struct},
        "Map": {"kind": "Map", "keyType": {"kind": "Int8"}, "valueType": struct},
    }
    return {"fields": [{"name": "a", "type": containers[kind]}]}


def test_an_encoding_goes_and_other_attributes_stay() -> None:
    schema = schema_of({"fields": [dated({**DATE, **OTHER})], "extra": DATE})
    assert of_schema(strip_encoding(schema)) == {"fields": [dated(OTHER)], "extra": DATE}


def test_attributes_that_were_nothing_else_are_absent_afterwards_and_an_empty_map_stays() -> None:
    assert of_schema(strip_encoding(schema_of({"fields": [dated(DATE)]}))) == {"fields": [dated(None)]}
    assert of_schema(strip_encoding(schema_of({"fields": [dated({})]}))) == {"fields": [dated({})]}


def test_it_reaches_into_lists_and_maps_and_in_the_reference_it_does_not() -> None:
    for kind in ("Struct", "Option", "List", "Map"):
        schema = schema_of(around(kind, DATE))
        bare = schema_of(around(kind, None))
        assert strip_encoding(schema) == bare
        assert strip_encoding(schema, reference_compatible=True) == (bare if kind in ("Struct", "Option") else schema)


@given(schemas)
def test_stripping_twice_is_stripping_once_and_leaves_types_alone(schema: DataSchema) -> None:
    once = strip_encoding(schema)
    assert strip_encoding(once) == once
    assert "arrow.apache.org/bufferEncoding" not in [key for one in once.fields for key in one.extra or ()]
    assert once.extra == schema.extra
    assert once.names == schema.names
