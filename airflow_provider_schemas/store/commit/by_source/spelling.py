"""Changes as those who keep a table spell them: a key of a map is never NULL there, whether or not somebody says so."""

from collections.abc import Iterable

import msgspec

from airflow_provider_schemas.core.changes.schema_change import AddColumn, SchemaChange, UpdateColumnType
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import MapType, children, map_of, rebuilt


def respelled(changes: Iterable[SchemaChange]) -> tuple[SchemaChange, ...]:
    """Return the changes with keys of maps that are NOT NULL."""
    return tuple([_respelled(change) for change in changes])


def _respelled(change: SchemaChange) -> SchemaChange:
    if not isinstance(change, AddColumn | UpdateColumnType):
        return change
    kind = _with_keys(change.type)
    return change if kind is change.type else msgspec.structs.replace(change, type=kind)


def _with_keys(kind: DataType) -> DataType:
    parts = [part for _, part in children(kind)]
    respelled_parts = [_with_keys(part) for part in parts]
    if isinstance(kind, MapType) and kind.key.nullable:
        key, value = respelled_parts
        return map_of(key.with_nullable(False), value).with_nullable(kind.nullable)
    if all(new is old for new, old in zip(respelled_parts, parts, strict=True)):
        return kind
    return rebuilt(kind, respelled_parts)
