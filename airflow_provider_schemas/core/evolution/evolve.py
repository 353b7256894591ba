"""A schema and a batch of changes -> the next schema, all or nothing, as Java Paimon decides.

Where Java accepts a change that loses data or does not do what it says, it is refused here;
docs/deviations.md lists every case.
"""

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from airflow_provider_schemas.core.changes import schema_change
from airflow_provider_schemas.core.changes.field_paths import RowsById
from airflow_provider_schemas.core.changes.parse import parse_changes
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.evolution import apply_columns, apply_options
from airflow_provider_schemas.core.evolution.draft import Draft
from airflow_provider_schemas.core.evolution.own_aliases import without_own_names
from airflow_provider_schemas.core.evolution.rename_references import renamed_list, renamed_options
from airflow_provider_schemas.core.evolution.type_history import unreadable
from airflow_provider_schemas.core.schema.file_size import size_faults
from airflow_provider_schemas.core.schema.key_lists import normalised
from airflow_provider_schemas.core.schema.schema_file import CURRENT_VERSION
from airflow_provider_schemas.core.schema.table_schema import PROVENANCE, Options, TableSchema, checked_schema
from airflow_provider_schemas.core.validation.validity import faults_of
from airflow_provider_schemas.errors import MAX_FAULTS, ChangeError, ColumnNotFoundError, Fault, SchemaError

# Java's readers and writers live with these in a stored schema.
_LET_IN = frozenset({"default.invalid", "attributes.invalid", "attributes.alias-taken"})

_SHORT = 64  # bytes: more than a NOT NULL, or what a change leaves unsaid, takes


class Refusal(NamedTuple):
    """A change that is refused, by its number in the batch; an echo follows a refused change on the same column."""

    number: int
    faults: tuple[Fault, ...]
    echo: bool = False


def evolve(
    schema: TableSchema,
    changes: Iterable[SchemaChange | Mapping[str, Any] | str],
    *,
    has_snapshots: bool = False,
    history: Sequence[TableSchema] = (),
    branches: Collection[str] | None = None,
) -> TableSchema:
    """The next schema. Every change of the batch that is refused is reported.

    With has_snapshots the table holds data, which forbids more. The history, earlier schemas whose files
    may still be read, makes a type change answer for all of them and not only for the last. Branches are
    those that have a schema, for options that name one; None is unknown, and then nobody asks.
    """
    batch = parse_changes(changes)
    after, refusals = attempt(schema, batch, has_snapshots=has_snapshots, history=history, branches=branches)
    if refusals:
        faults = [_told(fault, batch, one.number) for one in refusals if not one.echo for fault in one.faults]
        absent = all(fault.code == ColumnNotFoundError.default_code for fault in faults)
        raise (ColumnNotFoundError if absent else ChangeError).of(faults)
    return after


def attempt(
    schema: TableSchema,
    batch: Sequence[SchemaChange],
    *,
    has_snapshots: bool = False,
    history: Sequence[TableSchema] = (),
    branches: Collection[str] | None = None,
) -> tuple[TableSchema, list[Refusal]]:
    """The next schema and the changes that are refused; with any, the schema is not to be used.

    Number -1 stands for the batch as a whole, whose result would be invalid.
    """
    draft, refusals = applied(schema, batch, has_snapshots=has_snapshots, history=history)
    if refusals:
        return schema, refusals
    after, faults = _finished(draft, batch, branches)
    return after, [Refusal(-1, tuple(faults))] if faults else []


def applied(
    schema: TableSchema, batch: Sequence[SchemaChange], *, has_snapshots: bool = False, history: Sequence[TableSchema] = ()
) -> tuple[Draft, list[Refusal]]:
    """The draft that the batch makes of the schema, not yet validated, and the changes that are refused."""
    draft = Draft(checked_schema(schema), has_snapshots=has_snapshots, history=list(map(checked_schema, history)))
    if draft.ambiguous:
        message = "the schema has two columns of one name or id, so no change can say which it means."
        raise ChangeError(message, code="schema.duplicate-column", fix="Restore an earlier version of the schema.")
    refusals: list[Refusal] = []
    doubtful: set[str] = set()
    for number, change in enumerate(batch):
        draft.number = number
        try:
            APPLY[type(change)](draft, change)
        except SchemaError as error:
            refusals.append(Refusal(number, error.faults, echo=bool(doubtful & _columns(change))))
            if len(refusals) >= MAX_FAULTS:
                break
            doubtful |= _columns(change)
    rows = RowsById()
    chains = ((number, tuple(unreadable(draft, place, rows))) for number, place in draft.retyped.values())
    refusals += [Refusal(number, faults) for number, faults in chains if faults]
    return draft, sorted(refusals)


def _finished(draft: Draft, batch: Sequence[SchemaChange], branches: Collection[str] | None) -> tuple[TableSchema, list[Fault]]:
    """The schema that the draft has become, and what is wrong with it."""
    options = renamed_options(draft.options, draft.renames)
    primary_keys = renamed_list(draft.primary_keys, draft.renames)
    keyed, faults = normalised(draft.fields, draft.partition_keys, primary_keys, options)
    after = TableSchema(
        fields=keyed.fields,
        highest_field_id=draft.ids.highest,
        partition_keys=keyed.partition_keys,
        primary_keys=keyed.primary_keys,
        options=Options(keyed.options),
        comment=draft.comment,
        id=draft.old.id + 1,
        version=CURRENT_VERSION,
        time_millis=int(time.time() * 1000),
        unknown=carried(draft.old),
    )
    after = without_own_names(draft.old, after)
    found = list(faults) or _new_faults(draft.old, after, branches)
    if found:
        return after, found
    _tell_size(draft.old, batch, after)
    return after, size_faults(after)


def _tell_size(old: TableSchema, batch: Sequence[SchemaChange], after: TableSchema) -> None:
    """How large the fields are at most, so that nobody goes through all of them for it.

    Each change writes its own text to one field; ids and NOT NULL are short.
    """
    try:
        written = len(msgspec.json.encode(batch))
    except (TypeError, ValueError):
        return  # made by hand, of what no file can hold: the fields are looked at
    vars(after)["fields_size"] = old.fields_size + 2 * written + _SHORT * (len(batch) + len(after.primary_keys))


def _new_faults(old: TableSchema, after: TableSchema, branches: Collection[str] | None) -> list[Fault]:
    """What is wrong with the schema; but a bad default or attribute that Java let in before is not the batch's fault."""
    faults = faults_of(after, branches=branches)
    if not any(fault.code in _LET_IN for fault in faults):
        return faults
    known = {fault for fault in faults_of(old) if fault.code in _LET_IN}
    return [fault for fault in faults if fault not in known]


def carried(schema: TableSchema) -> tuple[tuple[tuple[str | int, ...], str], ...]:
    """The unknown keys of a file that its successor keeps: those about the table, not those about the version."""
    return tuple((place, value) for place, value in schema.unknown if len(place) == 1 and place[0] != PROVENANCE)


def _columns(change: SchemaChange) -> set[str]:
    """The top-level columns that a change speaks of."""
    names: tuple[str, ...] = getattr(change, "names", ())[:1]
    move = getattr(change, "move", None)
    return {*names, *([change.new_name] if hasattr(change, "new_name") else []), *([move.field] if move else [])}


def _told(fault: Fault, batch: Sequence[SchemaChange], number: int) -> Fault:
    """The fault with the change it belongs to, where there are several."""
    if number < 0 or len(batch) == 1:
        return fault
    text = short_text(batch[number])
    text = text if len(text) <= 100 else f"{text[:97]}..."
    return fault._replace(message=f"{fault.message} (change {number + 1} of {len(batch)}: {text})")


def _update_table_comment(draft: Draft, change: schema_change.UpdateComment) -> None:
    draft.comment = change.comment


def _drop_primary_key(draft: Draft, change: schema_change.DropPrimaryKey) -> None:
    if draft.has_snapshots:
        message = "the table holds data that was merged by its primary key."
        raise ChangeError(message, code="primary-key.drop-with-snapshots", fix="Create a new table without the key and move the data.")
    draft.primary_keys = ()


HELD_BY_DATA: Final = (
    schema_change.SetOption,
    schema_change.RemoveOption,
    schema_change.UpdateColumnType,
    schema_change.DropPrimaryKey,
)
"""The changes of which some are refused because the table holds data."""

APPLY: dict[type[SchemaChange], Callable[[Draft, Any], None]] = {
    schema_change.SetOption: apply_options.set_option,
    schema_change.RemoveOption: apply_options.remove_option,
    schema_change.UpdateComment: _update_table_comment,
    schema_change.AddColumn: apply_columns.add_column,
    schema_change.RenameColumn: apply_columns.rename_column,
    schema_change.DropColumn: apply_columns.drop_column,
    schema_change.UpdateColumnType: apply_columns.update_type,
    schema_change.UpdateColumnNullability: apply_columns.update_nullability,
    schema_change.UpdateColumnComment: apply_columns.update_comment,
    schema_change.UpdateColumnDefaultValue: apply_columns.update_default,
    schema_change.UpdateColumnPosition: apply_columns.update_position,
    schema_change.DropPrimaryKey: _drop_primary_key,
}
