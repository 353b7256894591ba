"""Two schemas, compared field by field: the same field is the one with the same id, at any depth.

Gives observations and knows no policy. What is equal is skipped without looking inside, so that a comparison
costs what differs.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import compress, count
from operator import ne
from typing import Any, NamedTuple

from airflow_provider_schemas.core.casts.cast_rules import cast_support, same_type
from airflow_provider_schemas.core.comparison.type_changes import key_rule, type_rule
from airflow_provider_schemas.core.difference import FieldLocation, Observation
from airflow_provider_schemas.core.evolution.column_moves import moved
from airflow_provider_schemas.core.schema.field_attributes import aliases
from airflow_provider_schemas.core.schema.foreign_attributes import relabelled
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType, is_void
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, RowType, children, uncommented

LocatedField = tuple[Field, FieldLocation]
NamedStruct = tuple[Sequence[Field], FieldLocation, frozenset[str]]
"""The fields of a struct, where it stands, and which of their names are new."""


class Comparison:
    """What differs between two schemas, found on one way through both."""

    def __init__(self, old: TableSchema, new: TableSchema, now: datetime | None = None) -> None:
        self.old = old
        self.new = new
        self.now = now
        self.observations: list[Observation] = []
        self.dropped: list[LocatedField] = []
        self.added: list[LocatedField] = []
        self.relabelled = relabelled(old, new)
        """Fields of another type of the source, by id: that is compared with the attributes, and our types are only forms of it."""
        self.renames: dict[str, str] = {}
        """The columns that have another name."""
        self.renamed: set[int] = set()
        """All fields that have another name, by id."""
        self.same_names = True
        """Whether every struct has the fields that it had, under the names that they had."""
        self.structs_with_new_names: list[NamedStruct] = []
        self.replaced_types: list[tuple[DataType, FieldLocation]] = []
        """Types that took the place of another kind."""
        self._compare_structs(old.fields, new.fields, FieldLocation())

    def of_field(self, before: Field, after: Field, where: FieldLocation) -> list[Observation]:
        """Return what differs between a field of an earlier schema and the one of the new schema."""
        inner = Comparison(self.old, self.old, self.now)
        inner._compare_field(before, after, where)
        dropped = [
            Observation(rule="FIELD_DROPPED", where=place, path=place.old, id=field.id, old=str(field.type), before=field)
            for field, place in inner.dropped
        ]
        return inner.observations + dropped

    # ------------------------------------------------------------ structs

    def _compare_structs(self, old: Sequence[Field], new: Sequence[Field], where: FieldLocation) -> None:
        """Compare two lists of fields, the columns or those of a struct: what is gone, new, changed, renamed and moved."""
        if old and not new:
            self._observe("STRUCT_EMPTIED", where, path=where.new or "fields")
        pairing = _paired(old, new)
        if not pairing.old and not pairing.new:
            return
        dropped = [field for field in pairing.old if field.id not in pairing.new_by_id]
        added = [field for field in pairing.new if field.id not in pairing.old_by_id]
        self.dropped += [(field, where.field(field, field)) for field in dropped]
        self.added += [(field, where.field(field, field)) for field in added]
        new_names = {field.name for field in added}
        new_names |= self._compare_pairs(pairing, where)
        if dropped or new_names or len(pairing.old) != len(pairing.new):
            self.same_names = False
        if new_names:
            self.structs_with_new_names.append((new, where, frozenset(new_names)))
        self._compare_order(pairing, where)

    def _compare_pairs(self, pairing: "_Pairing", where: FieldLocation) -> set[str]:
        """Compare each field with the one of its id, and return the names that fields have newly taken."""
        # What was trimmed away has kept its name, so only the other fields can have taken or left one.
        names_now = {field.name for field in pairing.new}
        names_before = {field.name for field in pairing.old}
        taken: set[str] = set()
        old_by_id = pairing.old_by_id
        for after in [field for field in pairing.new if old_by_id.get(field.id, field) != field]:
            before = old_by_id[after.id]
            if before.name != after.name:
                taken.add(after.name)
            self._compare_field(
                before,
                after,
                where.field(before, after),
                free=before.name not in names_now,
                unheard=after.name not in names_before,
            )
        return taken

    def _compare_order(self, pairing: "_Pairing", where: FieldLocation) -> None:
        have = [field.id for field in pairing.old if field.id in pairing.new_by_id]
        want = [field.id for field in pairing.new if field.id in pairing.old_by_id]
        if have == want:
            return
        places_before = {field.id: place for place, field in enumerate(pairing.old, pairing.shift + 1)}
        places_now = {field.id: place for place, field in enumerate(pairing.new, pairing.shift + 1)}
        for number in moved(have, want):
            field = pairing.new_by_id[number]
            self._observe(
                "FIELD_REORDERED",
                where.field(field, field),
                id=number,
                old=f"place {places_before[number]}",
                new=f"place {places_now[number]}",
                before=have,
                after=want,
            )

    # ------------------------------------------------------------ one field

    def _compare_field(self, before: Field, after: Field, where: FieldLocation, *, free: bool = False, unheard: bool = False) -> None:
        """Compare two fields of one id; free says that no field has the old name now, unheard that none had the new one before."""
        if before.name != after.name:
            if after.id not in self.relabelled and _is_another(before, after):
                old = f"{where.old} {before.type}"
                new = f"{where.new} {after.type}"
                self._observe("FIELD_ID_REUSED", where, path=where.new, id=after.id, old=old, new=new)
                return
            self._observe_rename(before, after, where, free=free, unheard=unheard)
        if after.id in self.relabelled:
            self._compare_nullability(before.type, after.type, where, after.id)
            self._note_replaced(after.type, where)
        elif before.wire != after.wire:
            self._compare_types(before.type, after.type, where, after.id)
        if before.description != after.description:
            self._observe("FIELD_DOC_CHANGED", where, id=after.id, old=before.description or "", new=after.description or "")
        if before.default != after.default:
            self._observe_default(before, after, where)

    def _observe_rename(self, before: Field, after: Field, where: FieldLocation, *, free: bool, unheard: bool) -> None:
        self.renamed.add(after.id)
        if len(where.names) == 1:
            self.renames[before.name] = after.name
        rule, words = self._rename_rule(before, after)
        self._observe(
            rule,
            where,
            path=where.old,
            id=after.id,
            old=where.old,
            new=where.new,
            before=before,
            after=after,
            free=free,
            unheard=unheard,
            words=words,
        )

    def _rename_rule(self, before: Field, after: Field) -> tuple[str, dict[str, str]]:
        """Return the rule of a rename, and the words of its sentence."""
        if before.name.lower() == after.name.lower():
            return "FIELD_RENAMED_CASE", {}
        until = aliases(self.new, after.id, self.now).get(before.name)
        if until is None:
            return "FIELD_RENAMED", {"until": ""}
        return "FIELD_RENAMED_ALIASED", {"until": until and f" until {until}"}

    def _observe_default(self, before: Field, after: Field, where: FieldLocation) -> None:
        is_removed = after.default is None
        self._observe(
            "WRITE_DEFAULT_REMOVED" if is_removed else "WRITE_DEFAULT_CHANGED",
            where,
            id=after.id,
            old=_shown_default(before),
            new=_shown_default(after),
            before=before.default,
            after=after.default,
            variant="required" if is_removed and not after.type.nullable else "",
        )

    # ------------------------------------------------------------ types

    def _compare_types(self, old: DataType, new: DataType, where: FieldLocation, number: int | None) -> None:
        """Compare two types of one place: NOT NULL first, then what is inside, or the types as a whole."""
        self._compare_nullability(old, new, where, number)
        if isinstance(old, RowType) and isinstance(new, RowType):
            self._compare_structs(old.fields, new.fields, where)
        elif isinstance(old, ArrayType) and isinstance(new, ArrayType):
            self._compare_types(old.element, new.element, where.part("element"), number)
        elif isinstance(old, MapType) and isinstance(new, MapType):
            self._compare_keys(old.key, new.key, where.part("key"), number)
            self._compare_types(old.value, new.value, where.part("value"), number)
        elif same_type(uncommented(old), uncommented(new)):
            self._compare_comments(old, new, where, number)
        else:
            self._observe_types(type_rule(old, new), old, new, where, number)

    def _compare_keys(self, old: DataType, new: DataType, where: FieldLocation, number: int | None) -> None:
        """Compare the keys of two maps, which are never converted."""
        if not same_type(uncommented(old), uncommented(new)):
            self._observe_types(key_rule(old, new), old, new, where, number)
            return
        self._compare_comments(old.with_nullable(True), new.with_nullable(True), where, number)
        self._compare_nullability(old, new, where, number)

    def _compare_comments(self, old: DataType, new: DataType, where: FieldLocation, number: int | None) -> None:
        if not same_type(old, new):
            self._observe("FIELD_DOC_CHANGED", where, id=number, old=str(old), new=str(new))

    def _compare_nullability(self, old: DataType, new: DataType, where: FieldLocation, number: int | None) -> None:
        if old.nullable is new.nullable:
            return
        rule = "NULLABILITY_RELAXED" if new.nullable else "NULLABILITY_TIGHTENED"
        self._observe(rule, where, id=number, old=str(old), new=str(new), before=old, after=new)

    def _observe_types(self, rule: str, old: DataType, new: DataType, where: FieldLocation, number: int | None) -> None:
        before = old.with_nullable(True)
        after = new.with_nullable(True)
        self._note_replaced(after, where)
        self._observe(rule, where, id=number, old=str(before), new=str(after), before=before, after=after)

    def _note_replaced(self, kind: DataType, where: FieldLocation) -> None:
        if not isinstance(kind, AtomicType):
            self.replaced_types.append((kind, where))
            self.same_names = False

    def _observe(
        self, rule: str, where: FieldLocation, *, path: str | None = None, words: Mapping[str, str] | None = None, **details: Any
    ) -> None:
        if path is None:
            path = where.new
        self.observations.append(Observation(rule=rule, where=where, path=path, words=dict(words or {}), **details))


# ---------------------------------------------------------------- pairs


class _Pairing(NamedTuple):
    """Two lists of fields without what they have in common at the start and at the end, to be paired by id."""

    old: Sequence[Field]
    new: Sequence[Field]
    shift: int
    """How many fields the lists have in common at the start."""
    old_by_id: Mapping[int, Field]
    new_by_id: Mapping[int, Field]


def _paired(old: Sequence[Field], new: Sequence[Field]) -> _Pairing:
    least = min(len(old), len(new))
    start = next(compress(count(), map(ne, old, new)), least)
    stop = min(next(compress(count(), map(ne, reversed(old), reversed(new))), least), least - start)
    before = old[start : len(old) - stop]
    after = new[start : len(new) - stop]
    return _Pairing(before, after, start, {field.id: field for field in before}, {field.id: field for field in after})


def _is_another(before: Field, after: Field) -> bool:
    """Return whether an id of another name cannot be the same field: no conversion leads from one type to the other."""
    old = before.type
    new = after.type
    return not is_void(old) and old.root is not new.root and not cast_support(old, new.with_nullable(True)).convertible


def _shown_default(field: Field) -> str:
    return "nothing" if field.default is None else field.default


# ---------------------------------------------------------------- what is inside fields


def inside(fields: Sequence[LocatedField]) -> Iterator[LocatedField]:
    """Yield these fields, and all fields inside them."""
    stack = list(reversed(fields))
    while stack:
        field, where = stack.pop()
        yield field, where
        if type(field.wire) is not str:
            stack += reversed(list(_fields_inside(field.type, where)))


def _fields_inside(kind: DataType, where: FieldLocation) -> Iterator[LocatedField]:
    if isinstance(kind, RowType):
        for field in kind.fields:
            yield field, where.field(field, field)
    else:
        for step, part in children(kind):
            yield from _fields_inside(part, where.part(step))


def new_structs(compared: Comparison) -> Iterator[NamedStruct]:
    """Yield the structs inside what is new as a whole, with all their names."""
    stack = [*((field.type, where) for field, where in compared.added), *compared.replaced_types]
    while stack:
        kind, where = stack.pop()
        if isinstance(kind, RowType):
            yield kind.fields, where, frozenset(field.name for field in kind.fields)
            stack += [(field.type, where.field(field, field)) for field in kind.fields]
        else:
            stack += [(part, where.part(step)) for step, part in children(kind)]
