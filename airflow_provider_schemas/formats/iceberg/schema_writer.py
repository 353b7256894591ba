"""A schema of ours becomes one of Iceberg: types by the table, ids as they are, attributes back in their places.

Elements, keys and values have ids in Iceberg. Those in the attributes of a field are written again; others are new ones, above all that
the schema has ever had.
"""

import json
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from airflow_provider_schemas.core.schema.attribute_options import attribute_key
from airflow_provider_schemas.core.schema.field_attributes import attributes as attributes_of
from airflow_provider_schemas.core.schema.foreign_attributes import (
    ELEMENT_IDS,
    FORMAT,
    IDENTIFIER_FIELDS,
    INITIAL_DEFAULT,
    LOGICAL,
    OF_FIELDS,
    WRITE_DEFAULT,
    table_format,
)
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types import field_ids, nested
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType, atomic
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import Field, MapType, MultisetType, RowType, VectorType
from airflow_provider_schemas.errors import Fault, FormatError, SchemaError, collect
from airflow_provider_schemas.formats.base import Dumped, Loss, table_losses
from airflow_provider_schemas.formats.iceberg import attributes, defaults, leaf_types

if TYPE_CHECKING:
    from typing_extensions import TypeIs

LANGUAGE = "Iceberg's schema"
_INT = atomic(Root.INTEGER)


def write_schema(schema: TableSchema) -> Dumped:
    """Write Iceberg's JSON of a schema, or raise a FormatError that names every type that Iceberg does not have."""
    writer = _SchemaWriter(schema)
    faults: list[Fault] = []
    fields = [collect(faults, partial(writer.field, field, field.name), field.name) for field in schema.fields]
    if faults:
        raise FormatError.of(faults)
    value: dict[str, Any] = {"type": "struct", "schema-id": schema.id, "fields": fields}
    identifiers = _table_attributes(schema).get(IDENTIFIER_FIELDS)
    if identifiers:
        value["identifier-field-ids"] = identifiers
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Dumped(text, (*_table_losses(schema, writer.highest_written), *writer.losses))


class _Place(NamedTuple):
    """Where a type stands: the path from the table, its own id, the way to it from its field, and that field's attributes."""

    path: str
    id: int
    part: str
    about: Mapping[str, Any]

    def inner(self, word: str, ids: field_ids.FieldIds) -> "_Place":
        """Return the place of an element, key or value, with its own id or a new one."""
        part = f"{self.part}.{word}" if self.part else word
        known = _of_part(self.about.get(ELEMENT_IDS), part)
        number = known if _is_id(known) else ids.next()
        return _Place(f"{self.path}.{word}", number, part, self.about)


class _SchemaWriter:
    """Writes fields and types, gives ids to elements, and collects losses."""

    def __init__(self, schema: TableSchema) -> None:
        self.schema = schema
        self.losses: list[Loss] = []
        taken = [field_ids.highest_id(schema.fields), schema.highest_field_id, *_element_ids(schema)]
        self.ids = field_ids.FieldIds(max(taken))
        self.highest_written = -1

    def field(self, field: Field, path: str) -> dict[str, Any]:
        """Return the JSON of a field."""
        about = attributes_of(self.schema, field.id)
        self.highest_written = max(self.highest_written, field.id)
        kind = field.type
        place = _Place(path, field.id, "", about)
        value = {"id": field.id, "name": field.name, "required": not kind.nullable, "type": self.type(kind, place)}
        if field.description is not None:
            value["doc"] = field.description
        if INITIAL_DEFAULT in about:
            value["initial-default"] = about[INITIAL_DEFAULT]
        write_default = self.write_default(field, about, path)
        if write_default is not None:
            value["write-default"] = write_default
        unknown = sorted(about.keys() - OF_FIELDS)
        if unknown:
            self.losses.append(Loss(path, "attributes", f"{LANGUAGE} has no place for the attributes {', '.join(unknown)[:200]}."))
        return value

    def write_default(self, field: Field, about: Mapping[str, Any], path: str) -> Any:
        """Return the default of new rows as Iceberg's JSON; None without one."""
        if field.default is None:
            return about.get(WRITE_DEFAULT)
        value = defaults.default_value(field.type, field.default)
        if value is None or defaults.default_text(field.type, value) != field.default:
            message = f"the default {field.default[:100]!r} of {field.type.root.name} cannot be said in {LANGUAGE}."
            self.losses.append(Loss(path, "default", message))
            return None
        return value

    def type(self, kind: DataType, place: _Place) -> Any:
        """Return the JSON of a type, without its own nullability."""
        if isinstance(kind, AtomicType):
            return self.leaf(kind, place)
        if isinstance(kind, RowType):
            fields = [self.field(field, f"{place.path}.{field.name}") for field in kind.fields]
            return {"type": "struct", "fields": fields}
        if isinstance(kind, MapType):
            return self.map(kind.key, kind.value, place)
        if isinstance(kind, MultisetType):
            self.lose(place, "type", "a MULTISET becomes a map of each element and how often it occurs.")
            return self.map(kind.element, _INT.with_nullable(False), place)
        if isinstance(kind, VectorType):
            self.lose(place, "type", "a VECTOR becomes a list, which has no length.")
        ((_, element),) = nested.children(kind)
        inner = self.inner(place, "element")
        value = {"type": "list", "element-id": inner.id, "element": self.type(element, inner)}
        return {**value, "element-required": not element.nullable}

    def map(self, key: DataType, value: DataType, place: _Place) -> dict[str, Any]:
        inner_key = self.inner(place, "key")
        inner_value = self.inner(place, "value")
        if key.nullable:
            self.lose(inner_key, "nullability", "keys of Iceberg's maps are never null.")
        members = {"type": "map", "key-id": inner_key.id, "key": self.type(key, inner_key)}
        return {**members, "value-id": inner_value.id, "value": self.type(value, inner_value), "value-required": not value.nullable}

    def leaf(self, kind: AtomicType, place: _Place) -> str:
        leaf = leaf_types.iceberg_leaf(kind, _of_part(place.about.get(LOGICAL), place.part))
        if leaf.what:
            self.lose(place, leaf.what, leaf.message)
        return leaf.text

    def inner(self, place: _Place, word: str) -> _Place:
        inner = place.inner(word, self.ids)
        self.highest_written = max(self.highest_written, inner.id)
        return inner

    def lose(self, place: _Place, what: str, message: str) -> None:
        self.losses.append(Loss(place.path, what, message))


def _of_part(attribute: object, part: str) -> object:
    """Return what an attribute of a field says of a part of its type: an object has a member a part, any other value is the field's."""
    if isinstance(attribute, Mapping):
        return attribute.get(part)
    return None if part else attribute


def _is_id(value: object) -> "TypeIs[int]":
    return isinstance(value, int) and not isinstance(value, bool)


def _element_ids(schema: TableSchema) -> Iterator[int]:
    """Yield the ids of elements, keys and values in the attributes of all fields."""
    for number in field_ids.all_ids(schema.fields):
        known = attributes_of(schema, number).get(ELEMENT_IDS)
        if isinstance(known, Mapping):
            yield from [value for value in known.values() if _is_id(value)]


def _table_attributes(schema: TableSchema) -> Mapping[str, Any]:
    try:
        return schema.table_attributes
    except SchemaError:
        return {}


def _table_losses(schema: TableSchema, highest_written: int) -> Iterator[Loss]:
    """Yield what the JSON of a schema has no place for; the attributes of fields are reported with the fields."""
    yield from table_losses(schema, LANGUAGE, keeps=("options", "highest field id"))
    if schema.highest_field_id > highest_written:
        message = f"{LANGUAGE} has no place for the highest field id of a table ({schema.highest_field_id})."
        yield Loss("", "highest field id", message)
    known = {attribute_key(number) for number in field_ids.all_ids(schema.fields)}
    others = [key for key in schema.options if key not in known and key != attribute_key(None)]
    if others:
        yield Loss("", "options", f"{LANGUAGE} has no place for the options of a table ({', '.join(others)[:200]}).")
    held = {IDENTIFIER_FIELDS, FORMAT} if table_format(schema) == attributes.ICEBERG else {IDENTIFIER_FIELDS}
    about = sorted(_table_attributes(schema).keys() - held)
    if about:
        yield Loss("", "attributes", f"{LANGUAGE} has no place for the attributes of a table ({', '.join(about)[:200]}).")
