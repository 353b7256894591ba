"""Two schemas, compared field by field: the same field is the one with the same id, at any depth.

Gives observations and knows no policy. What is equal is skipped without looking inside, so that a comparison
costs what differs.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import compress, count
from operator import ne
from typing import Any

from airflow_provider_schemas.core.casts.cast_rules import cast_support, same_type
from airflow_provider_schemas.core.comparison.type_changes import key_rule, type_rule
from airflow_provider_schemas.core.difference import FieldLocation, Observation
from airflow_provider_schemas.core.evolution.column_moves import moved
from airflow_provider_schemas.core.schema.field_attributes import aliases
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, RowType, children, uncommented


class Comparison:
    """What is seen on the way through two schemas."""

    def __init__(self, old: TableSchema, new: TableSchema, now: datetime | None = None) -> None:
        self.old = old
        self.new = new
        self.now = now
        self.renames: dict[str, str] = {}
        """The columns that have another name."""
        self.renamed: set[int] = set()
        """All fields that have another name, by id."""
        self.same_names = True
        """Whether every struct has the fields that it had, under the names that they had."""
        self.whole: list[tuple[DataType, FieldLocation]] = []
        """Types that took the place of another kind."""
        self.seen: list[Observation] = []
        self.gone: list[tuple[Field, FieldLocation]] = []
        self.fresh: list[tuple[Field, FieldLocation]] = []
        self.named: list[tuple[Sequence[Field], FieldLocation, frozenset[str]]] = []
        """The structs in which names are new, and these names."""
        self._fields(old.fields, new.fields, FieldLocation())

    def of_field(self, before: Field, after: Field, where: FieldLocation) -> list[Observation]:
        """What a field has become, that is in none but an earlier schema."""
        again = Comparison(self.old, self.old, self.now)
        again._field(before, after, where)
        return again.seen + [
            Observation(rule="FIELD_DROPPED", where=place, path=place.old, id=one.id, old=str(one.type), before=one)
            for one, place in again.gone
        ]

    # ------------------------------------------------------------ fields

    def _fields(self, old: Sequence[Field], new: Sequence[Field], where: FieldLocation) -> None:
        if old and not new:
            self._see("STRUCT_EMPTIED", where, path=where.new or "fields")
        siblings = new
        old, new, shift = _trimmed(old, new)
        if not old and not new:
            return
        mine, theirs = {one.id: one for one in old}, {one.id: one for one in new}
        gone = [one for one in old if one.id not in theirs]
        fresh = [one for one in new if one.id not in mine]
        self.gone += [(one, where.field(one, one)) for one in gone]
        self.fresh += [(one, where.field(one, one)) for one in fresh]
        names = {one.name for one in fresh}
        # What was trimmed away has kept its name, so only these can have taken one.
        there = {one.name for one in new}
        earlier = {one.name for one in old}
        for after in [one for one in new if mine.get(one.id, one) != one]:
            before = mine[after.id]
            if before.name != after.name:
                names.add(after.name)
            free = before.name not in there, after.name not in earlier
            self._field(before, after, where.field(before, after), free)
        if gone or names or len(old) != len(new):
            self.same_names = False
        if names:
            self.named.append((siblings, where, frozenset(names)))
        have, want = [one.id for one in old if one.id in theirs], [one.id for one in new if one.id in mine]
        if have != want:
            places = {one.id: place for place, one in enumerate(old, shift + 1)}
            self._order(have, want, where, places, {one.id: (place, one) for place, one in enumerate(new, shift + 1)})

    def _field(self, before: Field, after: Field, where: FieldLocation, free: tuple[bool, bool] = (False, False)) -> None:
        if before.name != after.name:
            if _another(before, after):
                old, new = f"{where.old} {before.type}", f"{where.new} {after.type}"
                self._see("FIELD_ID_REUSED", where, path=where.new, id=after.id, old=old, new=new)
                return
            self._renamed(before, after, where, free)
        if before.wire != after.wire:
            self._types(before.type, after.type, where, after.id)
        if before.description != after.description:
            self._see("FIELD_DOC_CHANGED", where, id=after.id, old=before.description or "", new=after.description or "")
        if before.default != after.default:
            self._default(before, after, where)

    def _renamed(self, before: Field, after: Field, where: FieldLocation, free: tuple[bool, bool]) -> None:
        self.renamed.add(after.id)
        if len(where.names) == 1:
            self.renames[before.name] = after.name
        if before.name.lower() == after.name.lower():
            rule, words = "FIELD_RENAMED_CASE", {}
        else:
            until = aliases(self.new, after.id, self.now).get(before.name)
            rule = "FIELD_RENAMED" if until is None else "FIELD_RENAMED_ALIASED"
            words = {"until": f" until {until}" if until else ""}
        self._see(
            rule,
            where,
            path=where.old,
            id=after.id,
            old=where.old,
            new=where.new,
            before=before,
            after=after,
            free=free[0],
            unheard=free[1],
            words=words,
        )

    def _default(self, before: Field, after: Field, where: FieldLocation) -> None:
        rule = "WRITE_DEFAULT_REMOVED" if after.default is None else "WRITE_DEFAULT_CHANGED"
        variant = "required" if after.default is None and not after.type.nullable else ""
        old, new = before.default, after.default
        shown = ["nothing" if one is None else one for one in (old, new)]
        self._see(rule, where, id=after.id, old=shown[0], new=shown[1], before=old, after=new, variant=variant)

    def _order(
        self, have: list[int], want: list[int], where: FieldLocation, before: Mapping[int, int], after: Mapping[int, tuple[int, Field]]
    ) -> None:
        for number in moved(have, want):
            place, field = after[number]
            old_place, new_place = f"place {before[number]}", f"place {place}"
            self._see("FIELD_REORDERED", where.field(field, field), id=number, old=old_place, new=new_place, before=have, after=want)

    # ------------------------------------------------------------ types

    def _types(self, old: DataType, new: DataType, where: FieldLocation, number: int | None) -> None:
        if old.nullable is not new.nullable:
            rule = "NULLABILITY_RELAXED" if new.nullable else "NULLABILITY_TIGHTENED"
            self._see(rule, where, id=number, old=str(old), new=str(new), before=old, after=new)
        if isinstance(old, RowType) and isinstance(new, RowType):
            self._fields(old.fields, new.fields, where)
        elif isinstance(old, ArrayType) and isinstance(new, ArrayType):
            self._types(old.element, new.element, where.part("element"), number)
        elif isinstance(old, MapType) and isinstance(new, MapType):
            self._key(old.key, new.key, where.part("key"), number)
            self._types(old.value, new.value, where.part("value"), number)
        elif same_type(uncommented(old), uncommented(new)):
            self._documented(old, new, where, number)
        else:
            self._see_types(type_rule(old, new), old, new, where, number)

    def _documented(self, old: DataType, new: DataType, where: FieldLocation, number: int | None) -> None:
        if not same_type(old, new):
            self._see("FIELD_DOC_CHANGED", where, id=number, old=str(old), new=str(new))

    def _key(self, old: DataType, new: DataType, where: FieldLocation, number: int | None) -> None:
        if same_type(uncommented(old), uncommented(new)):
            self._documented(old.with_nullable(True), new.with_nullable(True), where, number)
        if same_type(uncommented(old), uncommented(new)) and old.nullable is not new.nullable:
            rule = "NULLABILITY_RELAXED" if new.nullable else "NULLABILITY_TIGHTENED"
            self._see(rule, where, id=number, old=str(old), new=str(new), before=old, after=new)
        elif not same_type(uncommented(old), uncommented(new)):
            self._see_types(key_rule(old, new), old, new, where, number)

    def _see_types(self, rule: str, old: DataType, new: DataType, where: FieldLocation, number: int | None) -> None:
        old, new = old.with_nullable(True), new.with_nullable(True)
        if not isinstance(new, AtomicType):
            self.whole.append((new, where))
            self.same_names = False
        self._see(rule, where, id=number, old=str(old), new=str(new), before=old, after=new)

    def _see(
        self, rule: str, where: FieldLocation, *, path: str | None = None, words: Mapping[str, str] | None = None, **rest: Any
    ) -> None:
        self.seen.append(Observation(rule=rule, where=where, path=where.new if path is None else path, words=dict(words or {}), **rest))


def _trimmed(old: Sequence[Field], new: Sequence[Field]) -> tuple[Sequence[Field], Sequence[Field], int]:
    """Both without what they have in common at the start and at the end, and how much that is at the start."""
    least = min(len(old), len(new))
    start = next(compress(count(), map(ne, old, new)), least)
    stop = min(next(compress(count(), map(ne, reversed(old), reversed(new))), least), least - start)
    return old[start : len(old) - stop], new[start : len(new) - stop], start


def _another(before: Field, after: Field) -> bool:
    """Whether an id of another name cannot be the same field: no conversion leads from one to the other."""
    old, new = before.type, after.type
    return old.root is not new.root and not cast_support(old, new.with_nullable(True)).convertible


def inside(fields: Sequence[tuple[Field, FieldLocation]]) -> Iterator[tuple[Field, FieldLocation]]:
    """These fields, and all fields inside them."""
    stack = list(reversed(fields))
    while stack:
        one, where = stack.pop()
        yield one, where
        if type(one.wire) is not str:
            stack += reversed(list(_inner(one.type, where)))


def new_structs(compared: Comparison) -> Iterator[tuple[Sequence[Field], FieldLocation, frozenset[str]]]:
    """The structs inside what is new as a whole, with all their names."""
    stack = [*((one.type, where) for one, where in compared.fresh), *compared.whole]
    while stack:
        kind, where = stack.pop()
        if isinstance(kind, RowType):
            yield kind.fields, where, frozenset(one.name for one in kind.fields)
            stack += [(one.type, where.field(one, one)) for one in kind.fields]
        else:
            stack += [(part, where.part(step)) for step, part in children(kind)]


def _inner(kind: DataType, where: FieldLocation) -> Iterator[tuple[Field, FieldLocation]]:
    if isinstance(kind, RowType):
        for one in kind.fields:
            yield one, where.field(one, one)
    else:
        for step, part in children(kind):
            yield from _inner(part, where.part(step))
