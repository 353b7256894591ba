"""Attributes by which a source keeps what our types have no place for: their names, and what they mean.

A table that another system keeps says more than a schema file can. What it says of a field stands in the attributes of
the field, and what it says of the table in those of the table.

| attribute | of | means |
|---|---|---|
| `logical` | a field | the type of the source, where ours is only its form (`uuid`); of its parts an object: `{"element": "uuid"}` |
| `element_ids` | a field | the ids of elements, keys and values: `{"value": 7, "value.element": 8}` |
| `initial_default` | a field | what rows have that were written before the field was added: Iceberg's `initial-default`, as JSON |
| `write_default` | a field | the default for new rows, as JSON, where the text of a default cannot say it |
| `format` | the table | who keeps it, such as `iceberg` |
| `location` | the table | where its data lie |
| `identifier_fields` | the table | fields that tell rows apart, which nobody enforces: no primary key |
| `partition_transforms` | the table | the partition fields with their transforms; `partitionKeys` holds identities only |
| `column_mapping` | the table | how Delta maps columns: `id` or `name`; without it, their ids are made of their names |
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from airflow_provider_schemas.core.schema.attribute_options import attribute_key, attribute_object
from airflow_provider_schemas.core.schema.field_attributes import attributes
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import SchemaError

LOGICAL: Final = "logical"
ELEMENT_IDS: Final = "element_ids"
INITIAL_DEFAULT: Final = "initial_default"
WRITE_DEFAULT: Final = "write_default"
FORMAT: Final = "format"
LOCATION: Final = "location"
IDENTIFIER_FIELDS: Final = "identifier_fields"
PARTITION_TRANSFORMS: Final = "partition_transforms"

COLUMN_MAPPING: Final = "column_mapping"
IDS_OF_NAMES: Final = 2**24
"""Ids that are made of names are not below: no table ever counts so far."""

UUID: Final = "uuid"
UNKNOWN: Final = "unknown"
_DELTA: Final = "delta"
# The type of these says itself what they are.
_OPAQUE: Final = frozenset({UNKNOWN})

# The formats of data that Paimon or we ourselves write the files of. In their tables these attributes are words of people:
# nothing fills in a default, and nothing else is known of a type.
_OUR_FORMATS: Final = frozenset({"", "paimon", "parquet", "orc", "avro", "csv", "json", "text"})

OF_FIELDS: Final = frozenset({LOGICAL, ELEMENT_IDS, INITIAL_DEFAULT, WRITE_DEFAULT})

_PREFIX: Final = attribute_key(0)[:-1]
_MARK: Final = f'"{LOGICAL}"'


def table_format(schema: TableSchema) -> str:
    """Return the format of the system that keeps a table; empty where it says none, or its attributes cannot be read."""
    try:
        return str(schema.table_attributes.get(FORMAT, "")).strip().lower()
    except SchemaError:
        return ""


def is_foreign(schema: TableSchema) -> bool:
    """Return whether another system keeps the table, so that these attributes say what is so."""
    return bool(schema.options) and table_format(schema) not in _OUR_FORMATS


def has_ids(schema: TableSchema) -> bool:
    """Return whether the ids of fields were given to them. Delta without a mapping knows columns by name, and ids are made of these."""
    if schema.highest_field_id < IDS_OF_NAMES or table_format(schema) != _DELTA:
        return True
    return bool(schema.table_attributes.get(COLUMN_MAPPING))


def logical_types(values: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the types of the source that attributes name, by the path of the part; the path of the field itself is empty."""
    logical = values.get(LOGICAL)
    parts = logical if isinstance(logical, Mapping) else {"": logical}
    return {path: name for path, name in parts.items() if isinstance(name, str) and name and name not in _OPAQUE}


def relabelled(old: TableSchema, new: TableSchema) -> frozenset[int]:
    """Return the ids of fields that are of another type of the source, whatever our types of them are."""
    if old.options == new.options or not (is_foreign(old) and is_foreign(new)):
        return frozenset()
    before = dict(_own_types(old))
    after = dict(_own_types(new))
    return frozenset(number for number in {**before, **after} if before.get(number) != after.get(number))


def _own_types(schema: TableSchema) -> Iterator[tuple[int, str]]:
    """Yield the ids of fields with the type of the source, where ours is only its form."""
    for key, text in schema.options.items():
        number = key.removeprefix(_PREFIX)
        if number == key or not number.isdecimal() or _MARK not in text:
            continue
        own = logical_types(attribute_object(text) or {}).get("")
        if own:
            yield int(number), own


def initial_default(schema: TableSchema, number: int) -> Any:
    """Return what rows have that were written before the field of this id was added; None for NULL, which needs no words."""
    return attributes(schema, number).get(INITIAL_DEFAULT) if is_foreign(schema) else None


def shown_default(value: Any) -> str:
    """Return an initial default as reports show it."""
    if value is None:
        return "NULL"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
