"""The next schema of a table as pyiceberg makes it: staged change by change in a transaction that is never sent.

The peer gives the ids, of elements, keys and values too. What pyiceberg refuses is a ChangeError; `allow_incompatible_changes` is
never set.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from airflow_provider_schemas.core.changes import schema_change
from airflow_provider_schemas.core.changes.field_paths import dotted
from airflow_provider_schemas.core.changes.schema_change import Move, MoveType, SchemaChange
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.types.nested import of_wire
from airflow_provider_schemas.errors import ChangeError, SchemaError
from airflow_provider_schemas.formats.iceberg.defaults import default_value
from airflow_provider_schemas.formats.iceberg.leaf_types import our_text
from airflow_provider_schemas.store.mounts.iceberg.evolution.iceberg_types import peer_type

if TYPE_CHECKING:
    from pyiceberg.schema import Schema
    from pyiceberg.table import Table
    from pyiceberg.table.update.schema import UpdateSchema


class StagedSchema(Struct, frozen=True):
    """What pyiceberg makes of a table."""

    schema: Any
    """The schema, as pyiceberg's; its id is the next one that is free in the table."""
    properties: Mapping[str, str]
    """The properties that change with it: pyiceberg keeps a mapping of names there."""


def stage(table: "Table", changes: Iterable[SchemaChange]) -> StagedSchema:
    """Return the schema that pyiceberg makes of the table by these changes. Nothing is sent."""
    transaction = table.transaction()
    without_comment: set[int] = set()
    for change in changes:
        _apply(transaction, change, without_comment)
    staged = transaction.table_metadata
    schema = _finished(staged.schema(), table, without_comment)
    before = table.metadata.properties
    properties = {key: value for key, value in staged.properties.items() if before.get(key) != value}
    return StagedSchema(schema, properties)


def _apply(transaction: Any, change: SchemaChange, without_comment: set[int]) -> None:
    act = _ACTS.get(type(change))
    if act is None:
        raise _no_schema_change(change)
    update = transaction.update_schema()
    try:
        schema = transaction.table_metadata.schema()
        act(update, change, schema)
        if isinstance(change, schema_change.UpdateColumnComment):
            _note_comment(schema, change, without_comment)
        update.commit()
    except SchemaError:
        raise
    except Exception as error:
        raise _peer_refuses(change, error) from error


def _finished(schema: "Schema", table: "Table", without_comment: set[int]) -> "Schema":
    """Return the schema with the next free id, and without the comments that were taken away."""
    document = schema.model_dump()
    if without_comment:
        _remove_comments(document, without_comment)
    document["schema-id"] = 1 + max(known.schema_id for known in table.metadata.schemas)
    return type(schema).model_validate(document)


def _note_comment(schema: "Schema", change: schema_change.UpdateColumnComment, without_comment: set[int]) -> None:
    number = schema.find_field(dotted(change.names)).field_id
    without_comment.discard(number)
    if change.comment is None:
        without_comment.add(number)


def _remove_comments(part: Any, numbers: set[int]) -> None:
    """Take the comments of these fields out of the JSON of a schema: to pyiceberg, no comment is no change."""
    if isinstance(part, list | tuple):
        for entry in part:
            _remove_comments(entry, numbers)
    elif isinstance(part, dict):
        if part.get("id") in numbers:
            part.pop("doc", None)
        for member in part.values():
            _remove_comments(member, numbers)


# ---------------------------------------------------------------- a change, as calls of pyiceberg


def _add(update: "UpdateSchema", change: schema_change.AddColumn, schema: "Schema") -> None:
    kind = peer_type(change.type, dotted(change.names))
    update.add_column(change.names, kind, doc=change.comment, required=not change.type.nullable)
    if change.move is not None:
        _move(update, change.names[:-1], change.move, schema)


def _retype(update: "UpdateSchema", change: schema_change.UpdateColumnType, _: "Schema") -> None:
    update.update_column(change.names, peer_type(change.type, dotted(change.names)))
    if not change.keep_nullability:
        update.update_column(change.names, required=not change.type.nullable)


def _nullable(update: "UpdateSchema", change: schema_change.UpdateColumnNullability, _: "Schema") -> None:
    update.update_column(change.names, required=not change.nullable)


def _comment(update: "UpdateSchema", change: schema_change.UpdateColumnComment, _: "Schema") -> None:
    update.update_column(change.names, doc=change.comment or "")


def _default(update: "UpdateSchema", change: schema_change.UpdateColumnDefaultValue, schema: "Schema") -> None:
    update.set_default_value(change.names, _default_of(change, schema))


def _default_of(change: schema_change.UpdateColumnDefaultValue, schema: "Schema") -> Any:
    if change.default is None:
        return None
    field = schema.find_field(dotted(change.names))
    value = default_value(of_wire(our_text(str(field.field_type))), change.default)
    if value is None:
        message = f"{change.default!r} is no default that Iceberg can hold for {field.field_type}."
        raise ChangeError(message, code="iceberg.default", path=dotted(change.names), fix="Write a plain value of the column's type.")
    return value


def _position(update: "UpdateSchema", change: schema_change.UpdateColumnPosition, schema: "Schema") -> None:
    _move(update, (), change.move, schema)


def _move(update: "UpdateSchema", parent: tuple[str, ...], move: Move, schema: "Schema") -> None:
    name = (*parent, move.field)
    if move.type is MoveType.FIRST:
        update.move_first(name)
    elif move.type is MoveType.LAST:
        _move_last(update, parent, move.field, schema)
    elif move.type is MoveType.AFTER:
        update.move_after(name, (*parent, str(move.reference)))
    else:
        update.move_before(name, (*parent, str(move.reference)))


def _move_last(update: "UpdateSchema", parent: tuple[str, ...], name: str, schema: "Schema") -> None:
    """Move a column behind the last one; pyiceberg has no word for it."""
    kind: Any = schema.find_type(dotted(parent)) if parent else schema.as_struct()
    others = [field.name for field in kind.fields if field.name != name]
    if others and kind.fields[-1].name != name:
        update.move_after((*parent, name), (*parent, others[-1]))


_ACTS: Final[dict[type[SchemaChange], Callable[[Any, Any, Any], None]]] = {
    schema_change.AddColumn: _add,
    schema_change.RenameColumn: lambda update, change, _: update.rename_column(change.names, change.new_name),
    schema_change.DropColumn: lambda update, change, _: update.delete_column(change.names),
    schema_change.UpdateColumnType: _retype,
    schema_change.UpdateColumnNullability: _nullable,
    schema_change.UpdateColumnComment: _comment,
    schema_change.UpdateColumnDefaultValue: _default,
    schema_change.UpdateColumnPosition: _position,
}


# ---------------------------------------------------------------- errors


def _no_schema_change(change: SchemaChange) -> ChangeError:
    message = f"{short_text(change)}: an Iceberg schema holds columns; options, the comment and keys of a table are no part of it."
    fix = "Change columns only, and set properties of the table with the engine."
    return ChangeError(message, code="iceberg.no-schema-change", fix=fix)


def _peer_refuses(change: SchemaChange, error: Exception) -> ChangeError:
    path = dotted(getattr(change, "names", ()))
    message = f"pyiceberg refuses {short_text(change)}: {error}."
    fix = "Ask for a change that Iceberg knows: add, drop, rename, move or comment columns, widen a type, or let a column hold NULL."
    return ChangeError(message, code="iceberg.peer-refuses", path=path, fix=fix)
