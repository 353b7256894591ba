"""Does a change already hold? A table with a row for each kind of change, and what follows for a batch.

A job that is started again asks for the same changes again. Where no key says that they were applied, their
effect does: a batch all of whose changes hold is done, one of which a part holds is refused, because nobody
can tell what was meant. A change that says nothing of the past (drop this, rename that) holds only if an
earlier version shows it: otherwise a misspelled name would pass for a job done.
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


class Outcome(StrEnum):
    """What a batch is, seen from the head."""

    FRESH = "fresh"
    HOLDS = "holds"
    PART = "part"


class Effect(Struct, frozen=True):
    """What of a batch holds already; the changes as short texts."""

    outcome: Outcome
    held: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    """Changes that touch what another of the batch touches: the head cannot show the effect of one of them."""

    def refusal(self) -> ChangeError:
        """The error for a batch of which a part holds, or was made once and may hold no longer."""
        if not self.held:
            message = f"an earlier version was made by these changes, and whether they hold cannot be seen: {_some(self.unknown)}."
            fix = "Give the key of the earlier attempt; or make them one by one, if they are to be made again."
            return ChangeError(message, code="change.part-done", fix=fix)
        rest = [("these do not", self.missing), ("of these nobody can tell", self.unknown)]
        told = "; ".join(f"{words}: {_some(texts)}" for words, texts in rest if texts)
        message = f"of these changes some hold already: {_some(self.held)}; {told}."
        fix = "Take out what holds; or, if an earlier attempt made it, give the key of that attempt."
        return ChangeError(message, code="change.part-done", fix=fix)


def effect(changes: Sequence[SchemaChange], head: Version, history: EarlierVersions | Sequence[Version] = ()) -> Effect:
    """What of the changes holds in the head. The history are the earlier versions, oldest first."""
    if recorded(changes, head):
        return Effect(Outcome.HOLDS, _texts(changes))
    single = alone(changes)
    past = history if isinstance(history, EarlierVersions) else EarlierVersions.of(history)
    asked = _Asked(head.schema, past)
    held = [single[place] and HOLDS[type(change)](asked, change) for place, change in enumerate(changes)]
    if all(held):
        return Effect(Outcome.HOLDS, _texts(changes))
    if not any(held):
        again = not all(single) and past.made_by(changes) is not None
        return Effect(Outcome.PART, unknown=_texts(changes)) if again else Effect(Outcome.FRESH)
    rows = list(zip(changes, held, single, strict=True))
    return Effect(
        Outcome.PART,
        _texts(change for change, holds, _ in rows if holds),
        _texts(change for change, holds, sole in rows if sole and not holds),
        _texts(change for change, _, sole in rows if not sole),
    )


def _texts(changes: Iterable[SchemaChange]) -> tuple[str, ...]:
    return tuple(short_text(masked_change(change)) for change in changes)


def _some(texts: Sequence[str]) -> str:
    more = [f"and {len(texts) - _SHOWN} more"] if len(texts) > _SHOWN else []
    return ", ".join([*texts[:_SHOWN], *more])


def recorded(changes: Sequence[SchemaChange], head: Version) -> bool:
    """Whether the head says that it was made by these very changes."""
    return bool(changes) and made_by(head) == canonical(change.to_json() for change in changes)


# ---------------------------------------------------------------- where a path leads


class _Found(NamedTuple):
    """What stands at a path: the field it leads to, or the part of its type inside ARRAYs and MAPs."""

    field: Field
    type: DataType
    whole: bool


def _found(schema: TableSchema, names: Names) -> _Found | None:
    return _found_in(schema.field(names[0]), names)


def _found_in(one: Field | None, names: Names) -> _Found | None:
    """What stands at a path that begins with this column."""
    depth = 1
    while one is not None:
        try:
            inside = containers(one.type, names, depth)
        except ChangeError:
            return None
        kind = within(one.type, inside)
        depth += inside
        if depth == len(names):
            return _Found(one, kind, inside == 0)
        fields = kind.fields if isinstance(kind, RowType) else ()
        one, depth = next((part for part in fields if part.name == names[depth]), None), depth + 1
    return None


def _field(schema: TableSchema, names: Names) -> Field | None:
    """The column or field at the path; what is inside an ARRAY or MAP is none."""
    return _whole(_found(schema, names))


def _whole(found: _Found | None) -> Field | None:
    return found.field if found is not None and found.whole else None


class _Asked(NamedTuple):
    """The schema that is asked, and the versions before it."""

    schema: TableSchema
    past: EarlierVersions

    def earlier(self, names: Names) -> Iterator[Field]:
        """The fields that earlier versions had at the path."""
        found = (_whole(_found_in(state.field, names)) for state in self.past.history.named(names[0]))
        return (one for one in found if one is not None)


# ---------------------------------------------------------------- the table

_KEY_LISTS = {"primary-key": "primary_keys", "partition": "partition_keys"}


def _option_set(asked: _Asked, change: schema_change.SetOption) -> bool:
    value = asked.schema.options.get(change.key)
    if value is None and change.key in _KEY_LISTS:  # such an option becomes a list of keys
        return bool(tuple(table_options.names(change.value)) == getattr(asked.schema, _KEY_LISTS[change.key]))
    if change.key == "type":
        return (value or "table").lower() == change.value.lower()
    return value == change.value


def _option_removed(asked: _Asked, change: schema_change.RemoveOption) -> bool:
    return change.key not in asked.schema.options and asked.past.had_option(change.key)


def _added(asked: _Asked, change: schema_change.AddColumn) -> bool:
    there = _field(asked.schema, change.names)
    wanted = field(0, change.names[-1], change.type, change.comment)
    if len(change.names) == 1:
        try:
            wanted, _ = followed(wanted)  # a comment may ask for another type
        except SchemaError:
            return False
    return there is not None and _same(there.type, wanted.type) and there.description == wanted.description


def _same(one: DataType, other: DataType) -> bool:
    return one.nullable is other.nullable and same_type(numbered(one), numbered(other))


def _renamed(asked: _Asked, change: schema_change.RenameColumn) -> bool:
    there = _field(asked.schema, (*change.names[:-1], change.new_name))
    if there is None or _field(asked.schema, change.names) is not None:
        return False
    return any(before.id == there.id for before in asked.earlier(change.names))


def _dropped(asked: _Asked, change: schema_change.DropColumn) -> bool:
    return _field(asked.schema, change.names) is None and any(True for _ in asked.earlier(change.names))


def _retyped(asked: _Asked, change: schema_change.UpdateColumnType) -> bool:
    there = _found(asked.schema, change.names)
    if there is None:
        return False
    wanted = change.type.with_nullable(there.type.nullable) if change.keep_nullability else change.type
    return _same(there.type, wanted)


def _nullable(asked: _Asked, change: schema_change.UpdateColumnNullability) -> bool:
    there = _found(asked.schema, change.names)
    return there is not None and there.type.nullable is change.nullable


def _commented(asked: _Asked, change: schema_change.UpdateColumnComment) -> bool:
    there = _found(asked.schema, change.names)
    return there is not None and there.field.description == change.comment


def _defaulted(asked: _Asked, change: schema_change.UpdateColumnDefaultValue) -> bool:
    there = _field(asked.schema, change.names)
    return there is not None and there.default == change.default


def _placed(asked: _Asked, change: schema_change.UpdateColumnPosition) -> bool:
    names, move = asked.schema.names, change.move
    beside = [move.reference, move.field] if move.type is MoveType.AFTER else [move.field, move.reference]
    if move.type in (MoveType.FIRST, MoveType.LAST):
        return bool(names) and names[0 if move.type is MoveType.FIRST else -1] == move.field
    return any([*pair] == beside for pair in pairwise(names))


def _keyless(asked: _Asked, change: schema_change.DropPrimaryKey) -> bool:
    return not asked.schema.primary_keys and asked.past.had_primary_key


HOLDS: dict[type[SchemaChange], Callable[[_Asked, Any], bool]] = {
    schema_change.SetOption: _option_set,
    schema_change.RemoveOption: _option_removed,
    schema_change.UpdateComment: lambda asked, change: bool(asked.schema.comment == change.comment),
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
