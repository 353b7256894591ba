"""Does a change already hold? A table with a row for each kind of change, and what follows for a batch.

A job that is started again asks for the same changes again. Where no key says that they were applied, their effect does: a batch
all of whose changes hold is done. A batch of which a part holds is refused, because nobody can tell what was meant. A change that
says nothing of the past (drop this, rename that) holds only if an earlier version shows it: otherwise a misspelled name would pass
for a job done.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Any, NamedTuple

from msgspec import Struct

from airflow_provider_schemas.core.casts.cast_rules import same_type
from airflow_provider_schemas.core.changes import schema_change
from airflow_provider_schemas.core.changes.field_paths import containers, within
from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.changes.schema_change import MoveType, SchemaChange
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.schema import table_options
from airflow_provider_schemas.core.schema.comment_directives import followed
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.field_ids import numbered
from airflow_provider_schemas.core.types.nested import Field, RowType, field
from airflow_provider_schemas.errors import ChangeError, SchemaError
from airflow_provider_schemas.store.commit.touched_paths import alone
from airflow_provider_schemas.store.versions.facts import canonical, made_by
from airflow_provider_schemas.store.versions.past import EarlierVersions

Names = tuple[str, ...]

_SHOWN = 10


class BatchState(StrEnum):
    """How much of a batch holds in the head."""

    FRESH = "fresh"
    HOLDS = "holds"
    PART = "part"


class Effect(Struct, frozen=True):
    """The changes of a batch that hold already, and those that do not, as short texts."""

    state: BatchState
    held: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    """Changes that touch what another of the batch touches: the head cannot show the effect of one of them."""

    def refusal(self) -> ChangeError:
        """Return the error for a batch of which a part holds, or was made once and may hold no longer."""
        if not self.held:
            message = f"an earlier version was made by these changes, and whether they hold cannot be seen: {_shorten(self.unknown)}."
            fix = "Give the key of the earlier attempt; or make them one by one, if they are to be made again."
            return ChangeError(message, code="change.part-done", fix=fix)
        rest = [("these do not", self.missing), ("of these nobody can tell", self.unknown)]
        others = "; ".join(f"{words}: {_shorten(texts)}" for words, texts in rest if texts)
        message = f"of these changes some hold already: {_shorten(self.held)}; {others}."
        fix = "Take out what holds; or, if an earlier attempt made it, give the key of that attempt."
        return ChangeError(message, code="change.part-done", fix=fix)


def effect(changes: Sequence[SchemaChange], head: Version, history: EarlierVersions | Sequence[Version] = ()) -> Effect:
    """Return which of the changes hold in the head. The history are the earlier versions, oldest first."""
    if recorded(changes, head):
        return Effect(BatchState.HOLDS, _texts(changes))
    single = alone(changes)
    past = history if isinstance(history, EarlierVersions) else EarlierVersions.of(history)
    now = _SchemaAndPast(head.schema, past)
    held = [single[place] and HOLDS[type(change)](now, change) for place, change in enumerate(changes)]
    if all(held):
        return Effect(BatchState.HOLDS, _texts(changes))
    if not any(held):
        if not all(single) and past.made_by(changes) is not None:
            return Effect(BatchState.PART, unknown=_texts(changes))
        return Effect(BatchState.FRESH)
    rows = list(zip(changes, held, single, strict=True))
    return Effect(
        BatchState.PART,
        _texts(change for change, holds, _ in rows if holds),
        _texts(change for change, holds, is_single in rows if is_single and not holds),
        _texts(change for change, _, is_single in rows if not is_single),
    )


def _texts(changes: Iterable[SchemaChange]) -> tuple[str, ...]:
    return tuple(short_text(masked_change(change)) for change in changes)


def _shorten(texts: Sequence[str]) -> str:
    if len(texts) <= _SHOWN:
        return ", ".join(texts)
    return ", ".join([*texts[:_SHOWN], f"and {len(texts) - _SHOWN} more"])


def recorded(changes: Sequence[SchemaChange], head: Version) -> bool:
    """Return whether the head says that it was made by these very changes."""
    return bool(changes) and made_by(head) == canonical(change.to_json() for change in changes)


# ---------------------------------------------------------------- where a path leads


class _PathEnd(NamedTuple):
    """What stands at a path: a field, and its type or the part of it inside ARRAYs and MAPs to which the path leads."""

    field: Field
    type: DataType
    is_whole: bool
    """Whether the path leads to the field itself, and not into an ARRAY or MAP."""


def _follow(column: Field | None, names: Names) -> _PathEnd | None:
    """Return what stands at a path that begins with this column."""
    current = column
    depth = 1
    while current is not None:
        try:
            inside = containers(current.type, names, depth)
        except ChangeError:
            return None
        part = within(current.type, inside)
        depth += inside
        if depth == len(names):
            return _PathEnd(current, part, inside == 0)
        fields = part.fields if isinstance(part, RowType) else ()
        current = next((field for field in fields if field.name == names[depth]), None)
        depth += 1
    return None


def _field_at(column: Field | None, names: Names) -> Field | None:
    """Return the field at a path that begins with this column; the inside of an ARRAY or MAP is none."""
    end = _follow(column, names)
    if end is None or not end.is_whole:
        return None
    return end.field


class _SchemaAndPast(NamedTuple):
    """The schema of the head, and the versions before it."""

    schema: TableSchema
    past: EarlierVersions

    def end(self, names: Names) -> _PathEnd | None:
        """Return what stands at a path."""
        return _follow(self.schema.field(names[0]), names)

    def field(self, names: Names) -> Field | None:
        """Return the column or field at a path."""
        return _field_at(self.schema.field(names[0]), names)

    def earlier(self, names: Names) -> Iterator[Field]:
        """Yield the fields that earlier versions had at a path."""
        for state in self.past.history.named(names[0]):
            field = _field_at(state.field, names)
            if field is not None:
                yield field


# ---------------------------------------------------------------- the table

_KEY_LISTS = {"primary-key": "primary_keys", "partition": "partition_keys"}


def _option_set(now: _SchemaAndPast, change: schema_change.SetOption) -> bool:
    value = now.schema.options.get(change.key)
    if value is None and change.key in _KEY_LISTS:  # such an option becomes a list of keys
        return bool(tuple(table_options.names(change.value)) == getattr(now.schema, _KEY_LISTS[change.key]))
    if change.key == "type":
        return (value or "table").lower() == change.value.lower()
    return value == change.value


def _option_removed(now: _SchemaAndPast, change: schema_change.RemoveOption) -> bool:
    return change.key not in now.schema.options and now.past.had_option(change.key)


def _added(now: _SchemaAndPast, change: schema_change.AddColumn) -> bool:
    current = now.field(change.names)
    wanted = field(0, change.names[-1], change.type, change.comment)
    if len(change.names) == 1:
        try:
            wanted, _ = followed(wanted)  # a comment may ask for another type
        except SchemaError:
            return False
    return current is not None and _same(current.type, wanted.type) and current.description == wanted.description


def _same(current: DataType, wanted: DataType) -> bool:
    return current.nullable is wanted.nullable and same_type(numbered(current), numbered(wanted))


def _renamed(now: _SchemaAndPast, change: schema_change.RenameColumn) -> bool:
    current = now.field((*change.names[:-1], change.new_name))
    if current is None or now.field(change.names) is not None:
        return False
    return any(before.id == current.id for before in now.earlier(change.names))


def _dropped(now: _SchemaAndPast, change: schema_change.DropColumn) -> bool:
    return now.field(change.names) is None and any(True for _ in now.earlier(change.names))


def _retyped(now: _SchemaAndPast, change: schema_change.UpdateColumnType) -> bool:
    current = now.end(change.names)
    if current is None:
        return False
    if change.keep_nullability:
        return _same(current.type, change.type.with_nullable(current.type.nullable))
    return _same(current.type, change.type)


def _nullable(now: _SchemaAndPast, change: schema_change.UpdateColumnNullability) -> bool:
    current = now.end(change.names)
    return current is not None and current.type.nullable is change.nullable


def _commented(now: _SchemaAndPast, change: schema_change.UpdateColumnComment) -> bool:
    current = now.end(change.names)
    return current is not None and current.field.description == change.comment


def _defaulted(now: _SchemaAndPast, change: schema_change.UpdateColumnDefaultValue) -> bool:
    current = now.field(change.names)
    return current is not None and current.default == change.default


def _placed(now: _SchemaAndPast, change: schema_change.UpdateColumnPosition) -> bool:
    names = now.schema.names
    move = change.move
    if move.type is MoveType.FIRST:
        return bool(names) and names[0] == move.field
    if move.type is MoveType.LAST:
        return bool(names) and names[-1] == move.field
    if move.type is MoveType.AFTER:
        return any(pair == (move.reference, move.field) for pair in pairwise(names))
    return any(pair == (move.field, move.reference) for pair in pairwise(names))


def _keyless(now: _SchemaAndPast, change: schema_change.DropPrimaryKey) -> bool:
    return not now.schema.primary_keys and now.past.had_primary_key


HOLDS: dict[type[SchemaChange], Callable[[_SchemaAndPast, Any], bool]] = {
    schema_change.SetOption: _option_set,
    schema_change.RemoveOption: _option_removed,
    schema_change.UpdateComment: lambda now, change: bool(now.schema.comment == change.comment),
    schema_change.AddColumn: _added,
    schema_change.RenameColumn: _renamed,
    schema_change.DropColumn: _dropped,
    schema_change.UpdateColumnType: _retyped,
    schema_change.UpdateColumnNullability: _nullable,
    schema_change.UpdateColumnComment: _commented,
    schema_change.UpdateColumnDefaultValue: _defaulted,
    schema_change.UpdateColumnPosition: _placed,
    schema_change.DropPrimaryKey: _keyless,
}
