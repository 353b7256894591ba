"""A schema by itself as rows: columns and nested fields with id, type, default, comment; keys, owner, options. Secrets are masked."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from airflow_provider_schemas.core.blame.origin import Origin
from airflow_provider_schemas.core.common.secrets import MASK, is_secret
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.render.diff.rows import struct_shape
from airflow_provider_schemas.render.html.pictures.plain_text import depth_class, plain
from airflow_provider_schemas.render.wording import counted

# Options that stand with the columns or with the table that they describe.
_DESCRIBING = ("schemas.field.", "schemas.table", "schemas.policy")


class TitledSchema(Struct, frozen=True):
    """A schema with its name, where it comes from, and what has to be known besides."""

    title: str
    schema: TableSchema
    origin: Origin | None = None
    notes: tuple[str, ...] = ()


class SchemaRow(Struct, frozen=True):
    """A column or a nested field."""

    id: str
    name: str
    depth: str
    type: str
    comment: str
    remarks: tuple[str, ...]
    """Keys, default, and attributes."""


def schema_headline(schema: TableSchema) -> str:
    """Return how many columns there are: 4 columns, highest field id 5."""
    return f"{counted(len(schema.fields), 'column')}, highest field id {schema.highest_field_id}"


def schema_rows(schema: TableSchema) -> list[SchemaRow]:
    """Return a row for each column, the fields of a struct behind it."""
    return list(_rows(schema, schema.fields, 0))


def schema_facts(schema: TableSchema) -> list[tuple[str, str]]:
    """Return keys, comment, owner and attributes of the table, each with its name."""
    keys = (("primary key", ", ".join(schema.primary_keys)), ("partitioned by", ", ".join(schema.partition_keys)))
    facts = [*keys, ("comment", schema.comment or ""), *_table_attributes(schema)]
    return [(plain(name), plain(text)) for name, text in facts if text]


def schema_options(schema: TableSchema) -> list[tuple[str, str]]:
    """Return the options of the table, without those that describe columns."""
    options = sorted((key, value) for key, value in schema.options.items() if not key.startswith(_DESCRIBING))
    return [(plain(key), MASK if is_secret(key) else plain(value)) for key, value in options]


def _rows(schema: TableSchema, fields: Sequence[Field], depth: int) -> Iterator[SchemaRow]:
    for field in fields:
        shape, inner = struct_shape(field.type)
        yield SchemaRow(
            id=str(field.id),
            name=plain(field.name),
            depth=depth_class(depth),
            type=plain(shape),
            comment=plain(field.description or ""),
            remarks=tuple(map(plain, _remarks(schema, field, depth))),
        )
        yield from _rows(schema, inner, depth + 1)


def _remarks(schema: TableSchema, field: Field, depth: int) -> Iterator[str]:
    if not depth and field.name in schema.primary_keys:
        yield "primary key"
    if not depth and field.name in schema.partition_keys:
        yield "partition"
    if field.default is not None:
        yield f"default {field.default}"
    yield from _attributes(schema, field.id)


def _attributes(schema: TableSchema, number: int) -> Iterator[str]:
    try:
        attributes = dict(schema.attributes(number))
    except ValueError:
        yield "attributes that cannot be read"
        return
    for key, value in attributes.items():
        yield f"{key} {MASK if is_secret(key) else _text(value)}"


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} until {end}" if end else str(key) for key, end in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value)


def _table_attributes(schema: TableSchema) -> list[tuple[str, str]]:
    try:
        attributes = schema.table_attributes
    except ValueError:
        return [("attributes of the table", "cannot be read")]
    return [(key, MASK if is_secret(key) else str(value)) for key, value in attributes.items()]
