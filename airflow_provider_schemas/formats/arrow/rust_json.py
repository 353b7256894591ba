"""A schema of Arrow in the JSON of arrow-rs, which Open Data Fabric calls `arrow-json`: names of types, or one key each."""

import json
from collections.abc import Callable
from typing import Any, Final

from airflow_provider_schemas.formats.arrow.model import DECIMALS, LISTS, ArrowField, ArrowKind, ArrowSchema, ArrowType
from airflow_provider_schemas.formats.base import JsonValue

# The names that do not follow from ours, whose parts have a capital each.
_OTHER_NAMES: Final = {ArrowKind.BOOL: "Boolean", **{ArrowKind(f"uint{bits}"): f"UInt{bits}" for bits in (8, 16, 32, 64)}}
UNITS: Final = {"s": "Second", "ms": "Millisecond", "us": "Microsecond", "ns": "Nanosecond"}


def _name(kind: ArrowKind) -> str:
    return _OTHER_NAMES.get(kind) or "".join(part.capitalize() for part in kind.split("_"))


NAMES: Final = {kind: _name(kind) for kind in ArrowKind}


def _unit(kind: ArrowType) -> str | None:
    return UNITS.get(kind.unit or "", kind.unit)


def _children(kind: ArrowType) -> list[dict[str, Any]]:
    return [_field(child) for child in kind.children]


_ARGUMENTS: Final[dict[ArrowKind, Callable[[ArrowType], JsonValue]]] = {
    **dict.fromkeys(DECIMALS, lambda kind: [kind.precision, kind.scale]),
    **dict.fromkeys((ArrowKind.TIME32, ArrowKind.TIME64, ArrowKind.DURATION, ArrowKind.INTERVAL), _unit),
    ArrowKind.TIMESTAMP: lambda kind: [_unit(kind), kind.timezone],
    ArrowKind.FIXED_SIZE_BINARY: lambda kind: kind.length,
    **dict.fromkeys(LISTS, lambda kind: _children(kind)[0]),
    ArrowKind.FIXED_SIZE_LIST: lambda kind: [_children(kind)[0], kind.length],
    ArrowKind.STRUCT: _children,
    ArrowKind.MAP: lambda kind: [_children(kind)[0], kind.keys_sorted],
    ArrowKind.RUN_END_ENCODED: _children,
    ArrowKind.DICTIONARY: lambda kind: [_type(child.type) for child in kind.children],
    ArrowKind.UNION: _children,
}


def arrow_json(schema: ArrowSchema) -> str:
    """Return the schema as JSON on one line."""
    fields = [_field(field) for field in schema.fields]
    return json.dumps({"fields": fields, "metadata": dict(schema.metadata)}, ensure_ascii=False, separators=(",", ":"))


def _field(field: ArrowField) -> dict[str, Any]:
    return {
        "name": field.name,
        "data_type": _type(field.type),
        "nullable": field.nullable,
        "dict_id": 0,
        "dict_is_ordered": False,
        "metadata": dict(field.metadata),
    }


def _type(kind: ArrowType) -> str | dict[str, JsonValue]:
    arguments = _ARGUMENTS.get(kind.kind)
    if arguments is None:
        return NAMES[kind.kind]
    return {NAMES[kind.kind]: arguments(kind)}
