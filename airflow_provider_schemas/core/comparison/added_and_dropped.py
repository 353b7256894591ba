"""Fields that came and fields that went: added, dropped, moved to another parent, back under their id, or under a new one.

Which of these it is needs earlier schemas: an id that is not in the last one may be a field that returns, or
an id that was used before for something else.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from airflow_provider_schemas.core.casts.cast_rules import cast_support, lossless, same_type
from airflow_provider_schemas.core.changes.field_paths import by_ids
from airflow_provider_schemas.core.comparison.fields import Comparison, inside
from airflow_provider_schemas.core.difference import NESTED, RETURNED, FieldLocation, Observation, word
from airflow_provider_schemas.core.schema.history import History, State, newest_first
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.field_ids import all_ids
from airflow_provider_schemas.core.types.nested import Field, RowType

Place = tuple[Field, FieldLocation]
_RENAMED = ("FIELD_RENAMED", "FIELD_RENAMED_ALIASED")


def came_and_went(compared: Comparison, history: History, files: History) -> Iterator[Observation]:
    """What became of every field that is in one of the two schemas only. Files are the earlier schemas that files may have."""
    if compared.gone or compared.named:
        yield from _Fields(compared, history, files).observations()


class _Fields:
    def __init__(self, compared: Comparison, history: History, files: History) -> None:
        self.compared, self.history, self.files = compared, history, files
        self.old, self.new = compared.old, compared.new
        self.gone, self.fresh = compared.gone, compared.fresh
        self.lost = {one.id: (one, where) for one, where in inside(compared.gone)}
        self.moved = {one.id for one, _ in inside(self.fresh) if one.id in self.lost}
        self.returned = set[int]()
        self.by_name = {(where.steps[:-1], one.name): one for one, where in compared.gone}

    def observations(self) -> Iterator[Observation]:
        yield from (self._moved(one, where) for one, where in inside(self.fresh) if one.id in self.moved)
        for one, where in self.fresh:
            if one.id not in self.moved:
                yield from self._fresh(one, where)
        for seen in self.compared.seen:
            if seen.rule in _RENAMED and (before := self._taken_over(seen)) is not None:
                self.returned.add(before.id)
                yield self._readded(seen.after, seen.where, before)
        for one, where in self.gone:
            if one.id not in self.moved and one.id not in self.returned:
                yield Observation(rule="FIELD_DROPPED", where=where, path=where.old, id=one.id, old=str(one.type), before=one)

    def _fresh(self, one: Field, where: FieldLocation) -> Iterator[Observation]:
        before = self._under_its_name(one, where)
        if before is not None:
            self.returned.add(before.id)
            yield self._readded(one, where, before)
        yield from self._came(one, where, readded=before is not None)

    # ------------------------------------------------------------ one field

    def _moved(self, one: Field, where: FieldLocation) -> Observation:
        _, was = self.lost[one.id]
        both = FieldLocation(was.old, where.new, where.names, where.steps)
        return Observation(rule="FIELD_MOVED", where=both, path=was.old, id=one.id, old=was.old, new=where.new, before=one, after=one)

    def _under_its_name(self, one: Field, where: FieldLocation) -> Field | None:
        """The field that bore its name at its place before, under another id."""
        found = self.by_name.get((where.steps[:-1], one.name))
        if found is not None:
            return found
        now = _sibling(self.old, where, one.name)
        earlier = (now, *(_sibling_in(state, where, one.name) for state in newest_first(self._beside(where, one.name))))
        return next((before for before in earlier if before is not None and before.id != one.id), None)

    def _beside(self, where: FieldLocation, name: str) -> Sequence[State]:
        """The earlier columns of a name, or those in which a field of that name may have stood."""
        return self.files.named(name) if len(where.steps) == 1 else column_of(self.files, where.steps)

    def _taken_over(self, seen: Observation) -> Field | None:
        """The field whose name a renamed one bears now, and that is there no more."""
        before = self._under_its_name(seen.after, seen.where)
        steps = (*seen.where.steps[:-1], before.id) if before is not None else ()
        return before if before is not None and field_at(self.new, steps) is None else None

    def _readded(self, one: Field, where: FieldLocation, before: Field) -> Observation:
        types = "" if same_type(before.type, one.type) else f" {before.type}", "" if same_type(before.type, one.type) else f" {one.type}"
        old, new = f"{before.id}{types[0]}", f"{one.id}{types[1]}"
        # Writers that send the old type fail, unless it turns into the new one without a loss.
        variant = "" if lossless(before.type, one.type) else "retyped"
        at = Observation(rule="FIELD_READDED", where=where, path=where.new, id=one.id, before=before, after=one, variant=variant)
        return msgspec.structs.replace(at, old=old, new=new)

    def _came(self, one: Field, where: FieldLocation, *, readded: bool) -> Iterator[Observation]:
        earlier = self._earlier(where)
        if earlier is not None and _continues(earlier, one):
            returned = Observation(rule="FIELD_UNDELETED", where=where, path=where.new, id=one.id, before=earlier, after=one)
            yield msgspec.structs.replace(returned, new=str(one.type), variant=_depth(where))
            if not one.type.nullable:  # rows that were written while it was gone have no value
                yield self._added("FIELD_ADDED_REQUIRED", one, where, came="back", rows="rows that were written while it was gone")
            yield from (msgspec.structs.replace(seen, variant=RETURNED) for seen in self.compared.of_field(earlier, one, where))
        elif earlier is not None or one.id <= self.old.highest_field_id:
            old = self._ever(one.id) if earlier is None else f"{where.old[: -len(word(one.name))]}{word(earlier.name)} {earlier.type}"
            new = f"{where.new} {one.type}"
            yield Observation(rule="FIELD_ID_REUSED", where=where, path=where.new, id=one.id, old=old, new=new, before=earlier, after=one)
        elif not one.type.nullable:
            yield self._added("FIELD_ADDED_REQUIRED", one, where)
        elif not readded:
            yield self._added("FIELD_ADDED_NULLABLE" if one.default is None else "FIELD_ADDED_WRITE_DEFAULT", one, where)
        yield from self._reused_inside(one, where)
        fell = self.new.highest_field_id < self.old.highest_field_id  # which is told already
        for inner, _ in inside([(one, where)] if not fell else []):
            if inner.id > self.new.highest_field_id:
                below = str(self.new.highest_field_id)
                yield Observation(rule="HIGHEST_FIELD_ID_REGRESSED", path="highestFieldId", old=str(inner.id), new=below)

    def _reused_inside(self, one: Field, where: FieldLocation) -> Iterator[Observation]:
        """Fields of a struct that is new, under ids that were used before for something else."""
        if one.id <= self.old.highest_field_id:
            return
        suspect = [place for place in inside([(one, where)]) if place[0].id <= self.old.highest_field_id and place[0].id not in self.lost]
        there = Counter(all_ids(self.new.fields)) if suspect else Counter[int]()
        for inner, place in suspect:
            if there[inner.id] == 1:  # one that stands twice is another matter
                new, old = f"{place.new} {inner.type}", self._ever(inner.id)
                yield Observation(rule="FIELD_ID_REUSED", where=place, path=place.new, id=inner.id, old=old, new=new, after=inner)

    def _added(self, rule: str, one: Field, where: FieldLocation, *, came: str = "new", rows: str = "old rows") -> Observation:
        words = {"came": came, "rows": rows}
        return Observation(
            rule=rule, where=where, path=where.new, id=one.id, new=str(one.type), after=one, variant=_depth(where), words=words
        )

    def _earlier(self, where: FieldLocation) -> Field | None:
        """The newest earlier field with its id, at its place."""
        found = (field_in(state.field, where.steps) for state in newest_first(column_of(self.history, where.steps)))
        return next((earlier for earlier in found if earlier is not None), None)

    def _ever(self, number: int) -> str:
        """What an id was before, wherever it stood."""
        for state in newest_first(self.history.states()):
            column = state.field
            found = next(
                (f"{where.new} {one.type}" for one, where in inside([(column, FieldLocation().field(column, column))]) if one.id == number),
                None,
            )
            if found is not None:
                return found
        return "a field of an earlier schema"


def _depth(where: FieldLocation) -> str:
    """The variant of a rule for a field of a struct: jobs that move the whole struct meet one that they do not know."""
    return NESTED if len(where.steps) > 1 else ""


def _continues(before: Field, after: Field) -> bool:
    """Whether a field that returns with its id is the one that was dropped."""
    return before.name == after.name and (before.type.root is after.type.root or cast_support(before.type, after.type).convertible)


def field_at(schema: TableSchema, steps: Sequence[int | str]) -> Field | None:
    """The field at the end of a path of ids."""
    column = schema.column(steps[0]) if isinstance(steps[0], int) else None
    return None if column is None else field_in(column, steps)


def field_in(column: Field, steps: Sequence[int | str]) -> Field | None:
    """The same in a column that the path begins with: itself, or a field inside it."""
    if len(steps) == 1:
        return column
    return next((one for one in _fields_in(column, steps) if one.id == steps[-1]), None)


def fields_beside(column: Field, steps: Sequence[int | str]) -> Sequence[Field]:
    """The fields beside the one at the end of a path of ids that goes into a column."""
    return [one for one in _fields_in(column, steps) if one.id != steps[-1]]


def column_of(history: History, steps: Sequence[int | str]) -> Sequence[State]:
    """What the column was with which a path of ids begins."""
    return history.column(steps[0]) if isinstance(steps[0], int) else ()


def parent_fields(schema: TableSchema, steps: Sequence[int | str]) -> Sequence[Field]:
    """The fields of the struct in which a path of ids ends."""
    if len(steps) == 1:
        return schema.fields
    column = schema.column(steps[0]) if isinstance(steps[0], int) else None
    return () if column is None else _fields_in(column, steps)


def _fields_in(column: Field, steps: Sequence[int | str]) -> Sequence[Field]:
    kind = by_ids(column.type, steps[1:-1])
    return kind.fields if isinstance(kind, RowType) else ()


def _sibling(schema: TableSchema, where: FieldLocation, name: str) -> Field | None:
    if len(where.steps) == 1:
        return schema.field(name)
    return next((one for one in parent_fields(schema, where.steps) if one.name == name), None)


def _sibling_in(state: State, where: FieldLocation, name: str) -> Field | None:
    if len(where.steps) == 1:
        return state.field
    return next((one for one in _fields_in(state.field, where.steps) if one.name == name), None)
