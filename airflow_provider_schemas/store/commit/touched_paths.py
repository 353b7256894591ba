"""What a change touches: a path, and which property of the column or option there. A table with a row for each kind of change.

Two changes of a batch that touch the same leave a schema in which the effect of one of them cannot be seen.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from airflow_provider_schemas.core.changes import schema_change
from airflow_provider_schemas.core.changes.schema_change import SchemaChange

Names = tuple[str, ...]
Touch = tuple[Names, str]

_ALL = "all"
_TYPE = "type"
_NULL = "nullability"
_COMMENT = "comment"
_DEFAULT = "default"
_PLACE = "place"
_PROPERTIES = (_TYPE, _NULL, _COMMENT, _DEFAULT, _PLACE)
_ORDER = (("order",), _ALL)


def _of_column(*properties: str) -> Callable[[Any], list[Touch]]:
    return lambda change: [(("column", *change.names), name) for name in properties]


def _of_type(change: schema_change.UpdateColumnType) -> list[Touch]:
    column = ("column", *change.names)
    if change.keep_nullability:
        return [(column, _TYPE)]
    return [(column, _TYPE), (column, _NULL)]


def _of_option(change: schema_change.SetOption | schema_change.RemoveOption) -> list[Touch]:
    return [(("option", change.key), _ALL)]


def _of_names(change: schema_change.RenameColumn) -> list[Touch]:
    return [(("column", *change.names), _ALL), (("column", *change.names[:-1], change.new_name), _ALL)]


def _of_place(change: schema_change.UpdateColumnPosition) -> list[Touch]:
    named = [change.move.field, change.move.reference]
    return [_ORDER, *((("column", name), _PLACE) for name in named if name is not None)]


# For each kind of change, what it touches: a path, and which property of it.
TOUCHES: dict[type[SchemaChange], Callable[[Any], list[Touch]]] = {
    schema_change.SetOption: _of_option,
    schema_change.RemoveOption: _of_option,
    schema_change.UpdateComment: lambda change: [(("comment",), _ALL)],
    schema_change.AddColumn: _of_column(_TYPE, _NULL, _COMMENT),  # not its default: ADD COLUMN with a DEFAULT is two changes
    schema_change.RenameColumn: _of_names,
    schema_change.DropColumn: _of_column(_ALL),
    schema_change.UpdateColumnType: _of_type,
    schema_change.UpdateColumnNullability: _of_column(_NULL),
    schema_change.UpdateColumnComment: _of_column(_COMMENT),
    schema_change.UpdateColumnDefaultValue: _of_column(_DEFAULT),
    schema_change.UpdateColumnPosition: _of_place,
    schema_change.DropPrimaryKey: lambda change: [(("option", "primary-key"), _ALL)],
}


def alone(changes: Sequence[SchemaChange]) -> list[bool]:
    """Return for each change whether no other of the batch touches what it touches."""
    if len(changes) == 1:
        return [True]
    touches = [TOUCHES[type(change)](change) for change in changes]
    groups: dict[Touch, set[int]] = {}
    for number, touched in enumerate(touches):
        for touch in touched:
            groups.setdefault(touch, set()).add(number)
    shared = {touch for touch, numbers in groups.items() if len(numbers) > 1}
    for touch, numbers in groups.items():
        for other in _conflicting(touch):
            if other in groups and groups[other] != numbers:
                shared |= {touch, other}
    return [shared.isdisjoint(touched) for touched in touches]


def _conflicting(touch: Touch) -> Iterator[Touch]:
    """Yield the touches that this one would get in the way of: on the whole column, and on the types around it."""
    path, name = touch
    if name is _ALL:
        yield from ((path, other) for other in _PROPERTIES)
    else:
        yield path, _ALL
    for depth in range(2, len(path)):
        yield path[:depth], _ALL
        yield path[:depth], _TYPE
        if name is _COMMENT:  # that of an element is that of the column around it
            yield path[:depth], _COMMENT
