"""Follow every field of a table through its versions: what each version did to it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from airflow_provider_schemas.core.blame.field_changes import FieldChange, changes_between
from airflow_provider_schemas.core.blame.lifelines import CellState
from airflow_provider_schemas.core.blame.origin import Origin
from airflow_provider_schemas.core.blame.path_fields import FieldKey, PathField, path_fields
from airflow_provider_schemas.core.blame.version_steps import VersionSteps
from airflow_provider_schemas.core.evolution.column_moves import moved
from airflow_provider_schemas.core.schema.table_schema import TableSchema

Fields = Mapping[FieldKey, PathField]
_ADDED: Final = (CellState.ADDED,)
_DROPPED: Final = (CellState.DROPPED,)
_RESTORED: Final = (CellState.RESTORED,)


class TracedColumns:
    """The fields of each version, and what changed in it."""

    def __init__(self, versions: VersionSteps) -> None:
        self.versions = versions
        self.fields: list[Fields | None] = []
        """The fields of each step; None where nothing is known of it."""
        self.changes: list[Mapping[FieldKey, FieldChange]] = []
        """What each step did, by field; what the first known one has counts as added if it made the table."""
        self.newest: dict[FieldKey, PathField] = {}
        """Each field as the newest version that has it has it."""
        self._follow()

    def origin(self, place: int) -> Origin:
        """Return where the changes of a step come from: the step, or also those before it of which nothing is known."""
        origin = self.versions.steps[place].origin
        before = place
        while before > 0 and self.fields[before - 1] is None:
            before -= 1
        if before == place:
            return origin
        return origin.since(self.versions.steps[before].origin.number)

    def dropped(self, key: FieldKey, place: int) -> PathField | None:
        """Return a field as it was before the step that dropped it."""
        before = next((fields for fields in reversed(self.fields[:place]) if fields is not None), {})
        return before.get(key)

    def events(self) -> Mapping[FieldKey, Sequence[tuple[int, FieldChange]]]:
        """Return the changes of each field, the newest first, each with the place of its step."""
        events: dict[FieldKey, list[tuple[int, FieldChange]]] = defaultdict(list)
        for place in range(len(self.changes) - 1, -1, -1):
            for key, change in self.changes[place].items():
                events[key].append((place, change))
        return events

    def _follow(self) -> None:
        known: Fields | None = None
        previous_schema: TableSchema | None = None
        for step in self.versions.steps:
            schema = step.schema
            if schema is None:
                self.fields.append(None)
                self.changes.append({})
                continue
            if known is not None and previous_schema is not None and _is_alike(previous_schema, schema):
                fields = known
                changes: Mapping[FieldKey, FieldChange] = {}
            else:
                fields = path_fields(schema)
                changes = self._changes(known, fields, step.origin)
                self.newest.update(fields)
            self.fields.append(fields)
            self.changes.append(changes)
            known = fields
            previous_schema = schema

    def _changes(self, before: Fields | None, after: Fields, origin: Origin) -> Mapping[FieldKey, FieldChange]:
        if before is None:
            if not self.versions.is_whole:
                return {}
            return {key: FieldChange(_ADDED, found.type) for key, found in after.items()}
        changes = dict(self._changed(before, after, origin))
        for key, found in before.items():
            if key not in after:
                changes[key] = FieldChange(_DROPPED, found.type)
        return changes

    def _changed(self, before: Fields, after: Fields, origin: Origin) -> Iterator[tuple[FieldKey, FieldChange]]:
        reordered = _reordered(before, after)
        is_restored = origin.restored is not None
        for key, found in after.items():
            earlier = before.get(key)
            if earlier is None:
                yield key, self._appeared(found, is_restored=is_restored)
                continue
            if earlier is found:
                continue
            change = changes_between(earlier, found, has_moved=key in reordered)
            if change is not None:
                yield key, change._replace(states=(CellState.RESTORED, *change.states)) if is_restored else change

    def _appeared(self, found: PathField, *, is_restored: bool) -> FieldChange:
        """Return that a field is new, or back; where no version was restored, also in what it differs from the one that was dropped."""
        last = self.newest.get(found.key)
        if last is None:
            return FieldChange(_ADDED, found.type)
        change = None if is_restored else changes_between(last, found)
        if change is None:
            return FieldChange(_RESTORED, found.type)
        return change._replace(states=(CellState.RESTORED, *change.states))


def _is_alike(old: TableSchema, new: TableSchema) -> bool:
    """Return whether two schemas say the same of their fields."""
    return old.fields == new.fields and old.options == new.options


def _reordered(before: Fields, after: Fields) -> frozenset[FieldKey]:
    """Return the fields that stand at another place among those of their struct that both versions have."""
    if list(before) == list(after):
        return frozenset()
    want: dict[FieldKey, list[FieldKey]] = defaultdict(list)
    have: dict[FieldKey, list[FieldKey]] = defaultdict(list)
    for fields, groups in ((before, have), (after, want)):
        for key, found in fields.items():
            if key in before and key in after and before[key].parent == after[key].parent:
                groups[found.parent].append(key)
    changed: set[FieldKey] = set()
    for parent, keys in want.items():
        if keys != have[parent]:
            changed.update(moved(have[parent], keys))
    return frozenset(changed)
