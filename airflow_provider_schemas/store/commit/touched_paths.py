"""What a change touches: a path, and what of the thing there. A table with a row for each kind of change.

Two changes of a batch that touch the same leave a schema in which the effect of one of them cannot be seen.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from airflow_provider_schemas.core import changes as kinds
from airflow_provider_schemas.core.changes import SchemaChange

Names = tuple[str, ...]
Touch = tuple[Names, str]

_ALL, _TYPE, _NULL, _COMMENT, _DEFAULT, _PLACE = "all", "type", "nullability", "comment", "default", "place"
_ORDER = (("order",), _ALL)


def _of_column(*whats: str) -> Callable[[Any], list[Touch]]:
    return lambda change: [(_column(*change.names), what) for what in whats]


def _of_option(change: kinds.SetOption | kinds.RemoveOption) -> list[Touch]:
    return [(("option", change.key), _ALL)]


def _of_names(change: kinds.RenameColumn) -> list[Touch]:
    return [(_column(*change.names), _ALL), (_column(*change.names[:-1], change.new_name), _ALL)]


def _of_place(change: kinds.UpdateColumnPosition) -> list[Touch]:
    named = [change.move.field, change.move.reference]
    return [_ORDER, *((_column(name), _PLACE) for name in named if name is not None)]


def _column(*names: str) -> Names:
    return ("column", *names)


# For each kind of change, what it touches: a path, and what of the thing there.
TOUCHES: dict[type[SchemaChange], Callable[[Any], list[Touch]]] = {
    kinds.SetOption: _of_option,
    kinds.RemoveOption: _of_option,
    kinds.UpdateComment: lambda change: [(("comment",), _ALL)],
    kinds.AddColumn: _of_column(_TYPE, _NULL, _COMMENT),  # not its default: ADD COLUMN with a DEFAULT is two changes
    kinds.RenameColumn: _of_names,
    kinds.DropColumn: _of_column(_ALL),
    kinds.UpdateColumnType: lambda change: _of_column(*(_TYPE, _NULL)[: 1 if change.keep_nullability else 2])(change),
    kinds.UpdateColumnNullability: _of_column(_NULL),
    kinds.UpdateColumnComment: _of_column(_COMMENT),
    kinds.UpdateColumnDefaultValue: _of_column(_DEFAULT),
    kinds.UpdateColumnPosition: _of_place,
    kinds.DropPrimaryKey: lambda change: [(("option", "primary-key"), _ALL)],
}


def alone(changes: Sequence[SchemaChange]) -> list[bool]:
    """Of each change, whether no other of the batch touches what it touches."""
    touches = [TOUCHES[type(change)](change) for change in changes]
    groups: dict[Touch, set[int]] = {}
    for number, touched in enumerate(touches):
        for touch in touched:
            groups.setdefault(touch, set()).add(number)
    shared = {touch for touch, numbers in groups.items() if len(numbers) > 1}
    for touch, numbers in groups.items():
        for other in _around(touch):
            if other in groups and groups[other] != numbers:
                shared |= {touch, other}
    return [shared.isdisjoint(touched) for touched in touches]


def _around(touch: Touch) -> Iterator[Touch]:
    """The touches that this one would get in the way of: on the whole thing, and on the types around it."""
    path, what = touch
    if what is _ALL:
        yield from ((path, other) for other in (_TYPE, _NULL, _COMMENT, _DEFAULT, _PLACE))
    else:
        yield path, _ALL
    for depth in range(2, len(path)):
        yield path[:depth], _ALL
        yield path[:depth], _TYPE
        if what is _COMMENT:  # that of an element is that of the column around it
            yield path[:depth], _COMMENT
