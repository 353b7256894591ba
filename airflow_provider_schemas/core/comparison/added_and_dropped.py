"""Fields that only one of the two schemas has: added, dropped, moved to another parent, back under their id, or under a new one.

Which of these it is needs earlier schemas: an id that is not in the last one may be a field that returns, or
an id that was used before for something else.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from airflow_provider_schemas.core.casts.cast_rules import cast_support, lossless, same_type
from airflow_provider_schemas.core.comparison.fields import Comparison, inside
from airflow_provider_schemas.core.comparison.fields_by_ids import column_of, field_at, field_in, fields_around, parent_fields
from airflow_provider_schemas.core.difference import NESTED, RETURNED, FieldLocation, Observation, word
from airflow_provider_schemas.core.schema.foreign_attributes import has_ids, initial_default, is_foreign, shown_default
from airflow_provider_schemas.core.schema.history import History, State, newest_first
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import is_void
from airflow_provider_schemas.core.types.field_ids import all_ids, highest_id
from airflow_provider_schemas.core.types.nested import Field

_RENAMED = ("FIELD_RENAMED", "FIELD_RENAMED_ALIASED")
_OLD_ROWS = {"came": "new", "rows": "old rows"}
_ROWS_WITHOUT_IT = {"came": "back", "rows": "rows that were written while it was gone"}


def came_and_went(compared: Comparison, history: History, files: History) -> Iterator[Observation]:
    """Yield what became of every field that only one of the schemas has. Files are the earlier schemas that files may have."""
    if compared.dropped or compared.structs_with_new_names:
        yield from _UnpairedFields(compared, history, files).observations()


class _UnpairedFields:
    """The fields that only one of the two schemas has."""

    def __init__(self, compared: Comparison, history: History, files: History) -> None:
        self.compared = compared
        self.history = history
        self.files = files
        self.old = compared.old
        self.new = compared.new
        self.dropped = {field.id: where for field, where in inside(compared.dropped)}
        self.moved = {field.id for field, _ in inside(compared.added) if field.id in self.dropped}
        self.dropped_by_name = {(where.steps[:-1], field.name): field for field, where in compared.dropped}
        self.counts_ids = has_ids(self.old) and has_ids(self.new)
        """Whether ids are handed out one after the other; those that are made of names stand in no order."""
        self.replaced = set[int]()
        """The dropped fields whose name a new field has taken."""

    def observations(self) -> Iterator[Observation]:
        """Yield the moved fields, the new ones, those that took over a name, and then the dropped ones."""
        for field, where in inside(self.compared.added):
            if field.id in self.moved:
                yield self._moved(field, where)
        for field, where in self.compared.added:
            if field.id not in self.moved:
                yield from self._new(field, where)
        yield from self._renamed_to_earlier_names()
        for field, where in self.compared.dropped:
            if field.id not in self.moved and field.id not in self.replaced:
                yield Observation(rule="FIELD_DROPPED", where=where, path=where.old, id=field.id, old=str(field.type), before=field)

    def _moved(self, field: Field, where: FieldLocation) -> Observation:
        before = self.dropped[field.id].old
        both = FieldLocation(before, where.new, where.names, where.steps)
        return Observation(rule="FIELD_MOVED", where=both, path=before, id=field.id, old=before, new=where.new, before=field, after=field)

    # ------------------------------------------------------------ names that return

    def _renamed_to_earlier_names(self) -> Iterator[Observation]:
        """Yield the fields that were renamed to the name of another field, which is gone."""
        for observation in self.compared.observations:
            if observation.rule not in _RENAMED:
                continue
            where = observation.where
            before = self._earlier_bearer(observation.after, where)
            if before is None or field_at(self.new, (*where.steps[:-1], before.id)) is not None:
                continue
            self.replaced.add(before.id)
            yield _readded(observation.after, where, before)

    def _earlier_bearer(self, field: Field, where: FieldLocation) -> Field | None:
        """Return the field of another id that had the name before, at the same place."""
        name = field.name
        dropped = self.dropped_by_name.get((where.steps[:-1], name))
        if dropped is not None:
            return dropped
        newest = _sibling(self.old, where, name)
        if newest is not None and newest.id != field.id:
            return newest
        for state in newest_first(self._states_with(name, where)):
            earlier = _sibling_in(state, where, name)
            if earlier is not None and earlier.id != field.id:
                return earlier
        return None

    def _states_with(self, name: str, where: FieldLocation) -> Sequence[State]:
        """Return the earlier columns of a name, or those in which a field of that name may have stood."""
        if len(where.steps) == 1:
            return self.files.named(name)
        return column_of(self.files, where.steps)

    # ------------------------------------------------------------ a new field

    def _new(self, field: Field, where: FieldLocation) -> Iterator[Observation]:
        """Yield what a field is that the old schema does not have, by its id and by its name."""
        before = self._earlier_bearer(field, where)
        if before is not None:
            self.replaced.add(before.id)
            yield _readded(field, where, before)
        yield from self._by_id(field, where, is_readded=before is not None)
        yield from self._reused_inside(field, where)
        yield from self._above_highest(field, where)

    def _by_id(self, field: Field, where: FieldLocation, *, is_readded: bool) -> Iterator[Observation]:
        earlier = self._earlier_field(where)
        if earlier is not None and self._is_back(earlier, field):
            yield from self._undeleted(field, where, earlier)
        elif earlier is not None:
            path = f"{where.old[: -len(word(field.name))]}{word(earlier.name)}"
            yield self._reused(field, where, f"{path} {earlier.type}", earlier)
        elif self._was_given(field.id):
            yield self._reused(field, where, self._ever(field.id), None)
        elif not is_readded and initial_default(self.new, field.id) is not None:
            yield self._added_defaulted(field, where, _OLD_ROWS)
        elif not field.type.nullable:
            yield _added("FIELD_ADDED_REQUIRED", field, where, _OLD_ROWS)
        elif not is_readded:
            rule = "FIELD_ADDED_NULLABLE" if field.default is None else "FIELD_ADDED_WRITE_DEFAULT"
            yield _added(rule, field, where, _OLD_ROWS)

    def _added_defaulted(self, field: Field, where: FieldLocation, words: dict[str, str]) -> Observation:
        default = shown_default(initial_default(self.new, field.id))
        return _added("FIELD_ADDED_DEFAULTED", field, where, {**words, "default": default})

    def _is_back(self, earlier: Field, field: Field) -> bool:
        """Return whether a field is the earlier one: where ids are made of names, it is the one of that name, whatever its type."""
        if not self.counts_ids and earlier.name.lower() == field.name.lower():
            return True
        return _continues(earlier, field)

    def _was_given(self, number: int) -> bool:
        """Return whether an id was given to a field before, though nobody knows to which."""
        if number > self.old.highest_field_id or not self.counts_ids:
            return False
        # The highest id of a schema that others keep is that of their table, whose later schemas count, too.
        return not is_foreign(self.old) or number <= highest_id(self.old.fields)

    def _earlier_field(self, where: FieldLocation) -> Field | None:
        """Return the newest earlier field with the id, at the same place."""
        states = newest_first(column_of(self.history, where.steps))
        fields = (field_in(state.field, where.steps) for state in states)
        return next((field for field in fields if field is not None), None)

    def _undeleted(self, field: Field, where: FieldLocation, earlier: Field) -> Iterator[Observation]:
        """Yield that a field is back under its id, that rows lack it, and how it differs from what it was."""
        yield Observation(
            rule="FIELD_UNDELETED",
            where=where,
            path=where.new,
            id=field.id,
            new=str(field.type),
            before=earlier,
            after=field,
            variant=_depth(where),
        )
        if initial_default(self.new, field.id) is not None:
            yield self._added_defaulted(field, where, _ROWS_WITHOUT_IT)
        elif not field.type.nullable:
            yield _added("FIELD_ADDED_REQUIRED", field, where, _ROWS_WITHOUT_IT)
        for observation in self.compared.of_field(earlier, field, where):
            yield replace(observation, variant=RETURNED)

    def _reused(self, field: Field, where: FieldLocation, old: str, earlier: Field | None) -> Observation:
        return Observation(
            rule="FIELD_ID_REUSED",
            where=where,
            path=where.new,
            id=field.id,
            old=old,
            new=f"{where.new} {field.type}",
            before=earlier,
            after=field,
        )

    def _reused_inside(self, field: Field, where: FieldLocation) -> Iterator[Observation]:
        """Yield the fields of a new struct whose ids were used before for something else."""
        highest = self.old.highest_field_id
        if field.id <= highest or not self.counts_ids:
            return
        suspects = [place for place in inside([(field, where)]) if place[0].id <= highest and place[0].id not in self.dropped]
        if not suspects:
            return
        times = Counter(all_ids(self.new.fields))
        for inner, place in suspects:
            if times[inner.id] == 1:  # an id that stands twice is another fault
                yield self._reused(inner, place, self._ever(inner.id), None)

    def _above_highest(self, field: Field, where: FieldLocation) -> Iterator[Observation]:
        """Yield the ids that lie above the highest one of the schema, unless that fell, which is reported already."""
        highest = self.new.highest_field_id
        if highest < self.old.highest_field_id or is_foreign(self.new):
            return
        for inner, _ in inside([(field, where)]):
            if inner.id > highest:
                yield Observation(rule="HIGHEST_FIELD_ID_REGRESSED", path="highestFieldId", old=str(inner.id), new=str(highest))

    def _ever(self, number: int) -> str:
        """Return what an id was before, wherever it stood."""
        for state in newest_first(self.history.states()):
            column = state.field
            for field, where in inside([(column, FieldLocation().field(column, column))]):
                if field.id == number:
                    return f"{where.new} {field.type}"
        return "a field of an earlier schema"


def _readded(field: Field, where: FieldLocation, before: Field) -> Observation:
    old = str(before.id)
    new = str(field.id)
    if not same_type(before.type, field.type):
        old = f"{old} {before.type}"
        new = f"{new} {field.type}"
    return Observation(
        rule="FIELD_READDED",
        where=where,
        path=where.new,
        id=field.id,
        old=old,
        new=new,
        before=before,
        after=field,
        # Writers that send the old type fail, unless it turns into the new one without a loss.
        variant="" if lossless(before.type, field.type) else "retyped",
    )


def _added(rule: str, field: Field, where: FieldLocation, words: dict[str, str]) -> Observation:
    return Observation(
        rule=rule, where=where, path=where.new, id=field.id, new=str(field.type), after=field, variant=_depth(where), words=words
    )


def _depth(where: FieldLocation) -> str:
    """Return the variant of a rule for a field of a struct: jobs that move the whole struct meet a field that they do not know."""
    return NESTED if len(where.steps) > 1 else ""


def _continues(before: Field, after: Field) -> bool:
    """Return whether a field that returns with its id is the one that was dropped."""
    if before.name != after.name:
        return False
    return before.type.root is after.type.root or is_void(before.type) or cast_support(before.type, after.type).convertible


def _sibling(schema: TableSchema, where: FieldLocation, name: str) -> Field | None:
    if len(where.steps) == 1:
        return schema.field(name)
    return _named(name, parent_fields(schema, where.steps))


def _sibling_in(state: State, where: FieldLocation, name: str) -> Field | None:
    if len(where.steps) == 1:
        return state.field
    return _named(name, fields_around(state.field, where.steps))


def _named(name: str, fields: Sequence[Field]) -> Field | None:
    return next((field for field in fields if field.name == name), None)
