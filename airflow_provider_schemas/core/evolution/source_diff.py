"""What changed between two versions of a table that another system keeps, told as that system meant it.

`diff` finds changes that our own evolution would make, and calls the rest a remainder: a source hands out ids in its own order, gives a
field that comes back its old id, and allows what we do not. Here nothing is tried: what differs is named.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.changes.schema_change import (
    AddColumn,
    RemoveOption,
    SchemaChange,
    SetOption,
    UpdateColumnDefaultValue,
    UpdateColumnNullability,
    UpdateComment,
)
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.difference import word
from airflow_provider_schemas.core.evolution.added_fields import NewField
from airflow_provider_schemas.core.evolution.column_diff import compared_columns
from airflow_provider_schemas.core.evolution.column_moves import moved, moves
from airflow_provider_schemas.core.evolution.match_by_name import matched_by_name
from airflow_provider_schemas.core.schema.attribute_options import attribute_key, attribute_object
from airflow_provider_schemas.core.schema.field_attributes import attributes
from airflow_provider_schemas.core.schema.foreign_attributes import ELEMENT_IDS, has_ids, logical_types, shown_default
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.field_ids import numbered
from airflow_provider_schemas.core.types.nested import Field, RowType, children

_PREFIX = attribute_key(0)[:-1]
_TABLE = attribute_key(None)


class ReturnedField(Struct, frozen=True):
    """A field that was gone and is back under its old id, with the values that files still have of it."""

    path: str
    id: int
    name_before: str


class SourceDiff(Struct, frozen=True):
    """What leads from one version to another."""

    changes: tuple[SchemaChange, ...] = ()
    """The changes as people would type them. Ids that a field came back with are in no change."""
    returned: tuple[ReturnedField, ...] = ()
    texts: tuple[str, ...] = ()
    """Everything in words, without secrets."""


def source_diff(old: TableSchema, new: TableSchema, earlier: Iterable[TableSchema] = ()) -> SourceDiff:
    """Return what changed between two versions; earlier versions tell which of the new fields were there before."""
    former = _former_names(earlier)
    if has_ids(old) and not has_ids(new):
        new, _ = matched_by_name(old, new)
    steps, added, late_drops = compared_columns(old, new)
    returned = tuple(_returned(added, former))
    numbers = {field.id for field in returned}
    changes: list[SchemaChange] = [*steps]
    texts = [_text(change) for change in steps]
    for field in sorted(added, key=lambda one: one.field.id):
        own = list(_adding(field))
        changes += own
        note = _note(field, new, former[field.field.id] if field.field.id in numbers else None)
        texts += [_text(own[0]) + note, *map(_text, own[1:])]
    rest = [*late_drops, *_column_moves(old, new), *_table_changes(old, new)]
    changes += rest
    texts += map(_text, rest)
    texts += _source_texts(old, new)
    return SourceDiff(tuple(changes), returned, tuple(texts))


def _text(change: SchemaChange) -> str:
    return short_text(masked_change(change))


# ---------------------------------------------------------------- new fields, and those that are back


def _former_names(earlier: Iterable[TableSchema]) -> Mapping[int, str]:
    """Return the name that each id had last, at any depth."""
    names: dict[int, str] = {}
    for schema in earlier:
        names.update((field.id, field.name) for field, _ in _all_fields(schema))
    return names


def _returned(added: Iterable[NewField], former: Mapping[int, str]) -> Iterator[ReturnedField]:
    for new in added:
        if new.field.id in former:
            yield ReturnedField(".".join(map(word, new.path)), new.field.id, former[new.field.id])


def _adding(new: NewField) -> Iterator[SchemaChange]:
    """Yield the changes that would add a field as a whole."""
    field = new.field
    yield AddColumn(new.path, numbered(field.type.with_nullable(True)), field.description, new.places.insert(field))
    if not field.type.nullable:
        yield UpdateColumnNullability(new.path, False)
    if field.default is not None:
        yield UpdateColumnDefaultValue(new.path, field.default)


def _note(new: NewField, schema: TableSchema, former: str | None) -> str:
    """Return what no change says of a new field: its type at the source, and that it is back."""
    notes = [f"{path or 'a'} {name}".removeprefix("a ") for path, name in logical_types(attributes(schema, new.field.id)).items()]
    if former is not None:
        named = "" if former == new.field.name else f", which was {word(former)}"
        notes.append(f"back under its id {new.field.id}{named}")
    return f" ({'; '.join(notes)})" if notes else ""


# ---------------------------------------------------------------- the rest


def _column_moves(old: TableSchema, new: TableSchema) -> list[SchemaChange]:
    there = {column.id for column in new.fields}
    before = {column.id for column in old.fields}
    names = {column.id: column.name for column in new.fields}
    have = [names[column.id] for column in old.fields if column.id in there]
    return moves(have, [column.name for column in new.fields if column.id in before])


def _table_changes(old: TableSchema, new: TableSchema) -> Iterator[SchemaChange]:
    """Yield the options, but those of fields and those of the table's own attributes, and the comment."""
    for key in dict.fromkeys([*old.options, *new.options]):
        if old.options.get(key) == new.options.get(key) or _is_attribute(key):
            continue
        yield SetOption(key, new.options[key]) if key in new.options else RemoveOption(key)
    if old.comment != new.comment:
        yield UpdateComment(new.comment)


def _is_attribute(key: str) -> bool:
    return key == _TABLE or key.removeprefix(_PREFIX).isdecimal()


def _source_texts(old: TableSchema, new: TableSchema) -> Iterator[str]:
    """Yield what differs in the attributes, in the order of nested fields and in the keys: no change says it."""
    before = {field.id: field for field, _ in _all_fields(old)}
    for field, path in _all_fields(new):
        if field.id in before:
            yield from _attribute_texts(path, attributes(old, field.id), attributes(new, field.id))
            yield from _order_texts(path, before[field.id].type, field.type)
    mine = attribute_object(old.options.get(_TABLE, "{}")) or {}
    theirs = attribute_object(new.options.get(_TABLE, "{}")) or {}
    yield from _attribute_texts("the table", mine, theirs)
    for name in ("partition_keys", "primary_keys"):
        if getattr(old, name) != getattr(new, name):
            yield f"{name.replace('_', ' ')}: {', '.join(getattr(old, name)) or 'none'} -> {', '.join(getattr(new, name)) or 'none'}"


def _attribute_texts(path: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    for key in dict.fromkeys([*old, *new]):
        if old.get(key) != new.get(key) and key != ELEMENT_IDS:
            yield without_credentials(f"{path}: {key} {shown_default(old.get(key))} -> {shown_default(new.get(key))}")


def _order_texts(path: str, old: DataType, new: DataType) -> Iterator[str]:
    """Yield that the fields of a struct stand in another order."""
    if isinstance(old, RowType) and isinstance(new, RowType):
        there = {field.id for field in new.fields}
        before = {field.id for field in old.fields}
        have = [field.id for field in old.fields if field.id in there]
        want = [field.id for field in new.fields if field.id in before]
        if have != want:
            names = {field.id: field.name for field in new.fields}
            yield f"{path}: {', '.join(names[number] for number in moved(have, want))} moved"
    elif old.root is new.root:
        for (step, part), (_, other) in zip(children(old), children(new), strict=True):
            yield from _order_texts(f"{path}.{step}", part, other)


def _all_fields(schema: TableSchema) -> Iterator[tuple[Field, str]]:
    """Yield all fields at any depth, each with its path."""
    stack = [(field, word(field.name)) for field in reversed(schema.fields)]
    while stack:
        field, path = stack.pop()
        yield field, path
        if type(field.wire) is not str:
            stack += reversed(list(_fields_inside(field.type, path)))


def _fields_inside(kind: DataType, path: str) -> Iterator[tuple[Field, str]]:
    if isinstance(kind, RowType):
        for field in kind.fields:
            yield field, f"{path}.{word(field.name)}"
    else:
        for step, part in children(kind):
            yield from _fields_inside(part, f"{path}.{step}")
