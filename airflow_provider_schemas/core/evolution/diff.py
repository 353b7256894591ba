"""Two schemas -> the changes that lead from one to the other, and the remainder that no change can say.

Fields are the same when their ids are. The changes are tried: what they make of the old schema is
compared with the new one, and whatever still differs is the remainder. So evolving by the changes gives
the new schema, but for id and time, exactly when the remainder is empty. diff knows no policy.
"""

from collections.abc import Sequence
from itertools import chain

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.changes.schema_change import (
    DropPrimaryKey,
    RemoveOption,
    SchemaChange,
    SetOption,
    UpdateComment,
)
from airflow_provider_schemas.core.common.short_repr import ShortRepr, counted, joined, named
from airflow_provider_schemas.core.evolution.column_diff import column_changes
from airflow_provider_schemas.core.evolution.column_moves import moves
from airflow_provider_schemas.core.evolution.draft import Draft
from airflow_provider_schemas.core.evolution.evolve import WHOLE_BATCH, Refusal, applied, attempt
from airflow_provider_schemas.core.evolution.match_by_name import RenameCandidate, matched_by_name
from airflow_provider_schemas.core.evolution.own_aliases import without_own_names
from airflow_provider_schemas.core.evolution.rename_references import renamed_list, renamed_options
from airflow_provider_schemas.core.schema.table_schema import Options, TableSchema, checked_schema


class Difference(ShortRepr, Struct, frozen=True):
    """Something of the new schema that no change brings about."""

    path: str
    message: str

    def _short_text(self) -> str:
        return f"{named(self.path, 'of the table')}: {self.message}"


class Diff(ShortRepr, Struct, frozen=True):
    """What leads from one schema to another."""

    changes: tuple[SchemaChange, ...] = ()
    remainder: tuple[Difference, ...] = ()
    candidates: tuple[RenameCandidate, ...] = ()

    @property
    def empty(self) -> bool:
        """Return whether the schemas say the same."""
        return not self.changes and not self.remainder

    def _short_text(self) -> str:
        changes = self.changes and counted(len(self.changes), "change")
        remainder = self.remainder and f"{counted(len(self.remainder), 'difference')} that no change makes"
        candidates = self.candidates and counted(len(self.candidates), "possible rename")
        same = "the schemas say the same" if self.empty else ""
        return joined(same, changes or "", remainder or "", candidates or "")


def diff(old: TableSchema, new: TableSchema, *, by_name: bool = False) -> Diff:
    """Return the changes from old to new, and what they leave undone.

    By name, for schemas whose ids mean nothing (read from another language): a column that is gone and one
    that is new are a drop and an add, with a candidate where they may be one renamed column.
    """
    candidates: tuple[RenameCandidate, ...] = ()
    old = checked_schema(old)
    new = checked_schema(new)
    if by_name:
        new, candidates = matched_by_name(old, new)
    if old.content == new.content:
        return Diff()
    changes = _changes(old, new)
    while True:
        after, refusals = attempt(old, changes)
        if not refusals:
            return Diff(tuple(changes), tuple(_remainder(after, new)), candidates)
        if any(refusal.number == WHOLE_BATCH for refusal in refusals):  # the changes are fine, but their result would be invalid
            faults = chain.from_iterable(refusal.faults for refusal in refusals)
            reasons = tuple(Difference(fault.path, f"{fault.message} {fault.fix}") for fault in faults)
            return Diff(tuple(changes), reasons, candidates)
        # Without the changes that were refused, others may be allowed; each round takes out one at least.
        changes = _without_refused(changes, refusals)


def _changes(old: TableSchema, new: TableSchema) -> list[SchemaChange]:
    """Return changes of columns first; then, on the draft that they make, of the order, the keys, the options and the comment."""
    changes = [*_dropped_key(old, new), *column_changes(old, new)]
    draft, refusals = applied(old, changes)
    changes = _without_refused(changes, refusals)
    changes += moves([column.name for column in draft.fields], [column.name for column in new.fields])
    changes += _key_changes(draft, new)
    changes += _option_changes(draft, new)
    if draft.comment != new.comment:
        changes.append(UpdateComment(new.comment))
    return changes


def _without_refused(changes: Sequence[SchemaChange], refusals: Sequence[Refusal]) -> list[SchemaChange]:
    refused = {refusal.number for refusal in refusals}
    return [change for number, change in enumerate(changes) if number not in refused]


def _dropped_key(old: TableSchema, new: TableSchema) -> list[SchemaChange]:
    if not old.primary_keys:
        return []
    pairs = ((column, new.column(column.id)) for column in old.fields)
    renamed = {before.name: after.name for before, after in pairs if after is not None}
    if renamed_list(old.primary_keys, renamed) == new.primary_keys:
        return []
    return [DropPrimaryKey()]


def _key_changes(draft: Draft, new: TableSchema) -> list[SchemaChange]:
    """Return the options that set keys, where there were none: Paimon sets keys in no other way."""
    changes: list[SchemaChange] = []
    if new.primary_keys and not draft.primary_keys:
        changes.append(SetOption("primary-key", ",".join(new.primary_keys)))
    if new.partition_keys and not draft.partition_keys:
        changes.append(SetOption("partition", ",".join(new.partition_keys)))
    return changes


def _option_changes(draft: Draft, new: TableSchema) -> list[SchemaChange]:
    have = dict(zip(draft.options, renamed_options(draft.options, draft.renames).items(), strict=True))
    named = {after: before for before, (after, _) in have.items()}
    there = _without_own_names(draft, dict(have.values()))
    changes: list[SchemaChange] = [RemoveOption(named[after]) for after in there if after not in new.options]
    back = {after: before for before, after in draft.renames.items()}
    for key, value in new.options.items():
        if there.get(key) != value:
            changes.append(_set(key, value, draft.renames, back))
    return changes


def _without_own_names(draft: Draft, options: dict[str, str]) -> dict[str, str]:
    """Return the options that the columns of the draft leave: an alias that becomes its own column's name needs no change to go."""
    drafted = msgspec.structs.replace(draft.old, fields=draft.fields, options=Options(options))
    return dict(without_own_names(draft.old, drafted).options)


def _set(key: str, value: str, renames: dict[str, str], back: dict[str, str]) -> SetOption:
    """Return the change whose option, once the renames of the batch have gone over it, is this one."""
    if renamed_options({key: value}, renames) == {key: value}:
        return SetOption(key, value)
    return SetOption(*next(iter(renamed_options({key: value}, back).items())))


# ---------------------------------------------------------------- the remainder


def _remainder(after: TableSchema, new: TableSchema) -> list[Difference]:
    """Return where the schema that the changes make differs from the new one."""
    pairs = [
        ("highestFieldId", after.highest_field_id, new.highest_field_id),
        ("partitionKeys", after.partition_keys, new.partition_keys),
        ("primaryKeys", after.primary_keys, new.primary_keys),
        ("comment", after.comment, new.comment),
        *((f"options.{key}", after.options.get(key), new.options.get(key)) for key in sorted({*after.options, *new.options})),
    ]
    return _field_differences(after, new) + [
        Difference(path, f"the changes leave {mine!r} where the new schema has {theirs!r}.")
        for path, mine, theirs in pairs
        if mine != theirs
    ]


def _field_differences(after: TableSchema, new: TableSchema) -> list[Difference]:
    if after.fields == new.fields:
        return []
    differences = []
    for column in new.fields:
        mine = after.column(column.id)
        if mine is None:
            differences.append(Difference(column.name, f"no change brings the column with id {column.id}."))
        elif mine != column:
            differences.append(Difference(column.name, f"the changes leave {mine}, not {column}."))
    extra = [column for column in after.fields if not new.column(column.id)]
    differences += [Difference(column.name, f"no change takes out the column with id {column.id}.") for column in extra]
    return differences or [Difference("fields", "no change brings the columns into this order.")]
