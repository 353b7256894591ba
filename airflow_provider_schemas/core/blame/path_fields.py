"""All fields of a schema, at all depths, each with its path and with what makes it what it is."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from airflow_provider_schemas.core.difference import MARKS, word
from airflow_provider_schemas.core.schema.attribute_options import attribute_key
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.field_ids import all_ids
from airflow_provider_schemas.core.types.nested import Field, RowType, VectorType, children

FieldKey = tuple[int, str]
"""What is the same for a field in all versions: its id, which is never used again. Where a schema has an id twice, the path as well."""

_ROOT: FieldKey = (-1, "")


class PathField(NamedTuple):
    """A field of a schema."""

    key: FieldKey
    field: Field
    path: str
    """As findings name it: items[].sku."""
    plain: str
    """As jobs name it: items.sku."""
    depth: int
    parent: FieldKey
    type: str
    """The type; of a struct the word ROW, since its fields have paths of their own."""
    attributes: str
    """What the schema says of the field besides, as it stands in its options."""


def path_fields(schema: TableSchema) -> dict[FieldKey, PathField]:
    """Return the fields in their order, those inside a column behind it."""
    return {found.key: found for found in _Walk(schema).fields(schema.fields, "", "", 0, _ROOT)}


class _Walk:
    """The walk over the fields of one schema."""

    def __init__(self, schema: TableSchema) -> None:
        self.options: Mapping[str, str] = schema.options
        times = Counter(all_ids(schema.fields))
        self.repeated = {number for number, count in times.items() if count > 1} if len(times) != times.total() else frozenset()

    def fields(self, fields: Sequence[Field], path: str, plain: str, depth: int, parent: FieldKey) -> Iterator[PathField]:
        """Yield fields and what is inside them."""
        for field in fields:
            field_path = f"{path}{word(field.name)}"
            name = f"{plain}{field.name}"
            key = (field.id, field_path if field.id in self.repeated else "")
            attributes = self.options.get(attribute_key(field.id), "") if self.options else ""
            wire = field.wire
            if type(wire) is str:
                yield PathField(key, field, field_path, name, depth, parent, wire, attributes)
                continue
            kind = field.type
            yield PathField(key, field, field_path, name, depth, parent, shallow(kind), attributes)
            yield from self._inside(kind, field_path, f"{name}.", depth, key)

    def _inside(self, kind: DataType, path: str, plain: str, depth: int, parent: FieldKey) -> Iterator[PathField]:
        if isinstance(kind, RowType):
            yield from self.fields(kind.fields, f"{path}.", plain, depth + 1, parent)
            return
        for step, part in children(kind):
            inner = f"{plain}key." if step == "key" else plain
            yield from self._inside(part, f"{path}{MARKS.get(step, '')}", inner, depth, parent)


def shallow(kind: DataType) -> str:
    """Return a type as text, without the fields of structs: ARRAY<ROW>."""
    if isinstance(kind, AtomicType):
        return str(kind)
    if isinstance(kind, RowType):
        text = kind.root.value
    else:
        parts = [shallow(part) for _, part in children(kind)]
        if isinstance(kind, VectorType):
            parts.append(str(kind.length))
        text = f"{kind.root.value}<{', '.join(parts)}>"
    return text if kind.nullable else f"{text} NOT NULL"
