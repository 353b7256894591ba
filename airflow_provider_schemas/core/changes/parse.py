"""Reads lists of schema changes: REST objects, short texts and values, mixed as they come.

Every fault of every change is reported at once, with the number of the change.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, TypeAlias

from airflow_provider_schemas.core.changes.schema_change import REST, AddColumn, Move, MoveType, SchemaChange, UpdateColumnType
from airflow_provider_schemas.core.changes.short_text import parse_text
from airflow_provider_schemas.core.common.strict_json import JsonValue, read_json
from airflow_provider_schemas.core.common.text import MAX_NAME, half_pair, shown
from airflow_provider_schemas.core.types import parsing
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.field_ids import numbered
from airflow_provider_schemas.errors import MAX_FAULTS, ChangeError, Fault, collect

MAX_CHANGES = 100_000

Member: TypeAlias = JsonValue | DataType | Move
"""A member of a REST object; in Python, types and moves may be values."""


def parse_changes(source: Iterable[Mapping[str, Any] | str | SchemaChange]) -> list[SchemaChange]:
    """Return the changes of a list of REST objects, short texts and change values."""
    if isinstance(source, str | bytes | Mapping) or not isinstance(source, Iterable):
        fix = "Pass a list, such as ['ADD COLUMN coupon STRING']."
        raise ChangeError(f"{shown(source)} is no list of changes.", code="change.not-a-list", fix=fix)
    changes: list[SchemaChange] = []
    faults: list[Fault] = []
    for number, entry in enumerate(source):
        if number >= MAX_CHANGES:
            raise ChangeError(f"more than {MAX_CHANGES} changes.", code="change.too-many", fix="Split the batch.")
        changes += collect(faults, partial(read_change, entry), f"[{number}]") or ()
        if len(faults) >= MAX_FAULTS:
            break
    if faults:
        raise ChangeError.of(faults)
    return changes


def read_change(source: Mapping[str, Any] | str | SchemaChange) -> list[SchemaChange]:
    """Read one entry of the list; a short text may mean two changes (a column and its default)."""
    if isinstance(source, SchemaChange):
        return [settled(source)]
    if isinstance(source, str) and source.lstrip()[:1] == "{":
        source = _read_object(source)
    if isinstance(source, str):
        return parse_text(source)
    if not isinstance(source, Mapping):
        raise ChangeError(f"{shown(source)} is no change.", code="change.shape", fix="Write a short text or a REST object.")
    return [_read_rest(source)]


def _read_object(text: str) -> Any:
    value, faults = read_json(text)
    if faults:
        raise ChangeError.of(fault._replace(code="change.shape") if fault.code == "json.invalid" else fault for fault in faults)
    return value


# ---------------------------------------------------------------- the REST form


def _read_rest(source: Mapping[str, Any]) -> SchemaChange:
    action = source.get("action")
    kind = _BY_ACTION.get(action) if isinstance(action, str) else None
    if kind is None:
        fix = f"Use one of {', '.join(_BY_ACTION)}."
        raise ChangeError(f"{shown(action)} is no action.", code="change.unknown-action", path="action", fix=fix)
    members = REST[kind][1]
    faults = [
        Fault("change.unknown-member", shown(key)[1:-1], f"{action} has no such member.", f"It takes {', '.join(members) or 'none'}.")
        for key in source
        if key != "action" and key not in members
    ]
    values = {name: collect(faults, partial(_read_member, kind, key, source.get(key)), key) for key, name in members.items()}
    if faults:
        raise ChangeError.of(faults)
    return settled(kind(**values))


def _read_member(kind: type[SchemaChange], key: str, value: Member) -> Member:
    if value is not None:
        return _READERS[key](value)
    if key in _OPTIONAL and (key != "move" or kind is AddColumn):
        return _OPTIONAL[key]
    action, members = REST[kind]
    raise ChangeError(f"{action} needs {key!r}.", code="change.missing-member", fix=f"Add it; {action} takes {', '.join(members)}.")


def _read_names(value: Member) -> tuple[str, ...]:
    names = (value,) if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or not names or not all(isinstance(name, str) and name for name in names):
        raise ChangeError(
            f"{shown(value)} is no path.", code="change.member-type", fix='Write a list of names, such as ["address", "city"].'
        )
    return tuple(map(checked_name, names))


def checked_name(name: str) -> str:
    """Return a name that a schema file can hold, or refuse it."""
    if len(name) > MAX_NAME:
        fix = f"Keep names below {MAX_NAME} characters."
        raise ChangeError(f"a name has {len(name)} characters.", code="fields.name-too-long", fix=fix)
    return checked_text(name)


def _read_text(value: Member) -> str:
    if not isinstance(value, str):
        raise ChangeError(f"{shown(value)} is no text.", code="change.member-type", fix="Write it as text.")
    return checked_text(value)


def checked_text(value: str) -> str:
    """Return text that a schema file can hold, or refuse it."""
    if half_pair(value):
        raise ChangeError("the text holds half a surrogate pair.", code="json.surrogate", fix="Write it as valid Unicode.")
    return value


def _read_option_value(value: Member) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    return _read_text(value)


def _read_flag(value: Member) -> bool:
    if not isinstance(value, bool):
        raise ChangeError(f"{shown(value)} is neither true nor false.", code="change.member-type", fix="Write true or false.")
    return value


def _read_type(value: Any) -> DataType:
    if isinstance(value, DataType):
        return value
    return parsing.parse_any(value)


def _read_move(value: Member) -> Move:
    if isinstance(value, Move):
        return value
    if not isinstance(value, Mapping) or str(value.get("type")) not in MoveType.__members__:
        fix = 'Write {"fieldName": "a", "type": "FIRST"}, or AFTER, BEFORE, LAST.'
        raise ChangeError(f"{shown(value)} is no move.", code="change.member-type", fix=fix)
    kind = MoveType[str(value["type"])]
    reference = value.get("referenceFieldName")
    if reference is not None:
        reference = _read_text(reference)
    elif kind in (MoveType.AFTER, MoveType.BEFORE):
        raise ChangeError(f"{kind} needs a referenceFieldName.", code="change.missing-member", fix="Name the column to stand beside.")
    return Move(_read_text(value.get("fieldName") or ""), kind, reference)


def settled(change: SchemaChange) -> SchemaChange:
    """Return the change in its one spelling: without ids inside a new type, and without a nullability that is kept."""
    if isinstance(change, UpdateColumnType):
        kind = change.type.with_nullable(True) if change.keep_nullability else change.type
        return UpdateColumnType(change.names, numbered(kind), change.keep_nullability)
    if isinstance(change, AddColumn):
        return AddColumn(change.names, numbered(change.type), change.comment, change.move)
    return change


_BY_ACTION = {action: kind for kind, (action, _) in REST.items()}
_OPTIONAL: dict[str, bool | None] = {
    "comment": None,
    "newComment": None,
    "newDefaultValue": None,
    "move": None,
    "keepNullability": False,
}
_READERS: dict[str, Callable[[Member], Member]] = {
    "key": _read_text,
    "value": _read_option_value,
    "comment": _read_text,
    "fieldNames": _read_names,
    "dataType": _read_type,
    "move": _read_move,
    "newName": lambda value: checked_name(_read_text(value)),
    "newDataType": _read_type,
    "keepNullability": _read_flag,
    "newNullability": _read_flag,
    "newComment": _read_text,
    "newDefaultValue": _read_text,
}
