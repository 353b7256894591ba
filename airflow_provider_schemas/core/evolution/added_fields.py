"""Changes that add fields so that they get the very ids and places they have in the new schema.

Paimon hands out ids as fields come: the column first, then the fields inside it, the deepest first. A
field with a later id than that order gives was added to its ROW afterwards, and is added so again.
"""

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from airflow_provider_schemas.core.changes.schema_change import (
    AddColumn,
    Move,
    MoveType,
    SchemaChange,
    UpdateColumnDefaultValue,
    UpdateColumnNullability,
)
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.field_ids import numbered
from airflow_provider_schemas.core.types.nested import Field, RowType, children, rebuilt, row

Path = tuple[str, ...]


class Places:
    """A list of fields that new ones are put into: the final order, and which of the fields are there already."""

    def __init__(self, order: Sequence[Field], there: Iterable[int], *, never_silent: bool = False) -> None:
        self.order = order
        self.place = {field.id: place for place, field in enumerate(order)}
        self.there = sorted(self.place[number] for number in there if number in self.place)
        self.never_silent = never_silent

    def insert(self, field: Field) -> Move | None:
        """Put a new field in, and return where it goes; None for the end."""
        place = self.place[field.id]
        behind = bisect_left(self.there, place)
        insort(self.there, place)
        if behind == len(self.there) - 1:
            return Move(field.name, MoveType.LAST) if self.never_silent else None
        if behind == 0:
            return Move(field.name, MoveType.FIRST)
        return Move(field.name, MoveType.AFTER, self.order[self.there[behind - 1]].name)


class NewField(NamedTuple):
    """A field that has to be added, by its path in the new schema."""

    path: Path
    field: Field
    places: Places


def added_changes(fields: Iterable[NewField], primary_keys: Sequence[str]) -> Iterator[SchemaChange]:
    """Yield the changes that add these fields, in the order of their ids."""
    waiting = sorted(fields, key=_id)
    while waiting:
        path, field, places = waiting.pop(0)
        last = last_id_of_first_part(field)
        yield AddColumn(path, numbered(_up_to(field.type, last).with_nullable(True)), field.description, places.insert(field))
        if not field.type.nullable and not (len(path) == 1 and field.name in primary_keys):
            yield UpdateColumnNullability(path, False)
        if field.default is not None:
            yield UpdateColumnDefaultValue(path, field.default)
        for inner in _later(field.type, last, path):
            insort(waiting, inner, key=_id)


def _id(new: NewField) -> int:
    return new.field.id


def last_id_of_first_part(field: Field) -> int:
    """Return the last of the ids that go to the fields inside when the column itself is added."""
    owner: dict[int, int] = {}
    order = list(_deepest_first(field.type, field.id, owner))
    last = field.id
    for number in sorted(order):
        if number != last + 1:
            break
        last = number
    least = last + 1
    for number in reversed(order):
        if number > least:
            last = min(last, number - 1)
        least = min(least, number)
    return _without_empty(last, field.id, owner)


def _without_empty(last: int, first: int, owner: dict[int, int]) -> int:
    """Return the last id, but not that of a ROW whose fields are all later: that one was added by itself, and its fields with it."""
    inside = [number for number, above in owner.items() if above == last]
    if last == first or not inside or min(inside) < last:
        return last
    return _without_empty(last - 1, first, owner)


def _deepest_first(kind: DataType, above: int, owner: dict[int, int]) -> Iterator[int]:
    if not isinstance(kind, RowType):
        for _, part in children(kind):
            yield from _deepest_first(part, above, owner)
        return
    for field in kind.fields:
        owner[field.id] = above
        yield from _deepest_first(field.type, field.id, owner)
        yield field.id


def _up_to(kind: DataType, last: int) -> DataType:
    """Return the type without the fields whose ids are later."""
    if isinstance(kind, RowType):
        fields = [field.with_type(_up_to(field.type, last)) for field in kind.fields if field.id <= last]
        return row(fields).with_nullable(kind.nullable)
    return rebuilt(kind, [_up_to(part, last) for _, part in children(kind)])


def _later(kind: DataType, last: int, path: Path) -> Iterator[NewField]:
    """Yield the fields inside that were added later, without those inside one of them."""
    if not isinstance(kind, RowType):
        for word, part in children(kind):
            yield from _later(part, last, (*path, word))
        return
    places = Places(kind.fields, [field.id for field in kind.fields if field.id <= last])
    for field in kind.fields:
        if field.id > last:
            yield NewField((*path, field.name), field, places)
        else:
            yield from _later(field.type, last, (*path, field.name))
