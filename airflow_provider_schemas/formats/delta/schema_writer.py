"""A schema of ours becomes one of Delta: types as Spark's JSON has them, attributes back in their places, ids as column mapping has them.

A schema that Delta's log said without column mapping is written without ids again; one from elsewhere gets its ids and names as mapping.
"""

import json
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from airflow_provider_schemas.core.schema.attribute_options import attribute_key
from airflow_provider_schemas.core.schema.field_attributes import attributes as attributes_of
from airflow_provider_schemas.core.schema.foreign_attributes import table_format
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types import field_ids
from airflow_provider_schemas.core.types.atomic import STRING, AtomicType, DataType
from airflow_provider_schemas.core.types.nested import Field, MapType, MultisetType, RowType, children
from airflow_provider_schemas.errors import Fault, FormatError, SchemaError, collect
from airflow_provider_schemas.formats.base import Dumped, Loss, table_losses
from airflow_provider_schemas.formats.delta import attributes, column_ids, leaf_types
from airflow_provider_schemas.formats.delta.declared_types import declared_text, has_length
from airflow_provider_schemas.formats.spark_types import leaves

LANGUAGE: Final = "Delta's schema"
_OF_FIELD: Final = " of the field"


def write_schema(schema: TableSchema) -> Dumped:
    """Write the JSON of a schema, or raise a FormatError that names every type that Delta does not have."""
    writer = _SchemaWriter(schema)
    faults: list[Fault] = []
    fields = [collect(faults, partial(writer.column, field), field.name) for field in schema.fields]
    if faults:
        raise FormatError.of(faults)
    text = json.dumps({"type": "struct", "fields": fields}, ensure_ascii=False, separators=(",", ":"))
    return Dumped(text, (*_table_losses(schema, writer), *writer.losses))


class _SchemaWriter:
    """Writes fields and types, and collects losses."""

    def __init__(self, schema: TableSchema) -> None:
        self.schema = schema
        self.losses: list[Loss] = []
        self.is_delta = table_format(schema) == attributes.DELTA
        self.is_mapped = not self.is_delta or bool(_table_attributes(schema).get(attributes.COLUMN_MAPPING))

    def column(self, field: Field) -> dict[str, Any]:
        """Return the JSON of a column, with the declared type of what is inside it."""
        value = self.field(field, field.name)
        if has_length(field.type):
            value["metadata"][attributes.DECLARED] = declared_text(field.type, self.declared_leaf)
        return value

    def field(self, field: Field, path: str) -> dict[str, Any]:
        kind = field.type
        metadata: dict[str, Any] = {}
        if field.description is not None:
            metadata[attributes.COMMENT] = field.description
        if field.default is not None:
            metadata[attributes.DEFAULT] = field.default
        about = attributes_of(self.schema, field.id)
        value = {"name": field.name, "type": self.type(kind, path), "nullable": kind.nullable, "metadata": metadata}
        self.give_back(field, about, value)
        collations = dict(_collations(kind, field.name))
        if collations:
            metadata[attributes.COLLATIONS] = collations
        others = sorted(about.keys() - attributes.FIELD_ATTRIBUTES)
        if others:
            message = f"{LANGUAGE} has no place for the attributes of a field ({', '.join(others)[:200]})."
            self.losses.append(Loss(path, "attributes", message))
        return value

    def give_back(self, field: Field, about: Mapping[str, Any], value: dict[str, Any]) -> None:
        """Put the attributes of a field where the log has them."""
        metadata = value["metadata"]
        if self.is_mapped:
            metadata[attributes.MAPPED_ID] = field.id
        if attributes.PHYSICAL_NAME in about:
            metadata[attributes.MAPPED_NAME] = about[attributes.PHYSICAL_NAME]
        elif not self.is_delta:
            metadata[attributes.MAPPED_NAME] = field.name
        if attributes.TYPE_CHANGES in about:
            metadata[attributes.WIDENED] = about[attributes.TYPE_CHANGES]
        rest = about.get(attributes.METADATA)
        for key, kept in rest.items() if isinstance(rest, Mapping) else ():
            if key.endswith(_OF_FIELD):
                value[key.removesuffix(_OF_FIELD)] = kept
            else:
                metadata[key] = kept

    # ------------------------------------------------------------ types

    def type(self, kind: DataType, path: str) -> str | dict[str, Any]:
        """Return the JSON of a type, without its own nullability."""
        self.losses += [*leaves.container_losses(kind, path), *leaves.null_losses(kind, "json", path)]
        if isinstance(kind, AtomicType):
            return self.leaf(STRING if has_length(kind) else kind, path)
        if isinstance(kind, RowType):
            return {"type": "struct", "fields": [self.field(field, f"{path}.{field.name}") for field in kind.fields]}
        parts = [self.type(part, f"{path}.{word}") for word, part in children(kind)]
        if isinstance(kind, MapType):
            return {"type": "map", "keyType": parts[0], "valueType": parts[1], "valueContainsNull": kind.value.nullable}
        if isinstance(kind, MultisetType):
            return {"type": "map", "keyType": parts[0], "valueType": "integer", "valueContainsNull": False}
        return {"type": "array", "elementType": parts[0], "containsNull": children(kind)[0][1].nullable}

    def leaf(self, kind: AtomicType, path: str) -> str | dict[str, Any]:
        leaf = leaf_types.delta_leaf(kind, is_delta=self.is_delta)
        if leaf.what:
            self.losses.append(Loss(path, leaf.what, leaf.message))
        return _object(leaf.text) or leaf.text

    def declared_leaf(self, kind: AtomicType) -> str:
        return leaf_types.delta_leaf(kind, is_delta=self.is_delta).text


def _object(text: str) -> dict[str, Any] | None:
    """Return the object of which a text is the JSON: a type that we know as little of as of a name."""
    if not text.startswith("{"):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _collations(kind: DataType, path: str) -> Iterator[tuple[str, str]]:
    """Yield the collations of the strings of a field by the way to them; fields inside it have their own."""
    if isinstance(kind, AtomicType):
        name = leaf_types.collation_of(kind.text or "") if kind.text else ""
        if name:
            yield path, name
        return
    if isinstance(kind, RowType):
        return
    for word, part in children(kind):
        yield from _collations(part, f"{path}.{word}")


def _table_attributes(schema: TableSchema) -> Mapping[str, Any]:
    try:
        return schema.table_attributes
    except SchemaError:
        return {}


def _table_losses(schema: TableSchema, writer: _SchemaWriter) -> Iterator[Loss]:
    """Yield what the JSON of a schema has no place for; the attributes of fields are reported with the fields."""
    keeps = ("options",) if writer.is_mapped else ("options", "highest field id")
    yield from table_losses(schema, LANGUAGE, keeps=keeps)
    numbers = field_ids.all_ids(schema.fields)
    if not writer.is_mapped and sorted(numbers) != list(range(len(numbers))) and not all(map(column_ids.may_be_of_name, numbers)):
        yield Loss("", "ids", "the table maps no columns: it finds them by their names, and ids are not written.")
    known = {attribute_key(number) for number in numbers}
    others = [key for key in schema.options if key not in known and key != attribute_key(None)]
    if others:
        yield Loss("", "options", f"{LANGUAGE} has no place for the options of a table ({', '.join(others)[:200]}).")
    held = attributes.TABLE_ATTRIBUTES if writer.is_delta else frozenset()
    about = sorted(_table_attributes(schema).keys() - held)
    if about:
        yield Loss("", "attributes", f"{LANGUAGE} has no place for the attributes of a table ({', '.join(about)[:200]}).")
