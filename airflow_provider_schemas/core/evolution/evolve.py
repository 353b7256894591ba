"""A schema and a batch of changes -> the next schema, all or nothing, as Java Paimon decides.

The batch is applied to a draft, change by change; then types are checked against earlier files, and the result is
validated. Where Java accepts a change that loses data or does not do what it says, it is refused here;
docs/deviations.md lists every case.
"""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from airflow_provider_schemas.core.casts.cast_rules import cast_support, same_type
from airflow_provider_schemas.core.changes import schema_change
from airflow_provider_schemas.core.changes.field_paths import RowsById, by_ids, dotted
from airflow_provider_schemas.core.changes.parse import parse_changes
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.evolution import apply_columns, apply_options, apply_types
from airflow_provider_schemas.core.evolution.draft import Draft, TypePlace
from airflow_provider_schemas.core.evolution.own_aliases import without_own_names
from airflow_provider_schemas.core.evolution.rename_references import renamed_list, renamed_options
from airflow_provider_schemas.core.schema.file_size import size_faults
from airflow_provider_schemas.core.schema.key_lists import normalised
from airflow_provider_schemas.core.schema.schema_file import CURRENT_VERSION
from airflow_provider_schemas.core.schema.table_schema import PROVENANCE, Options, TableSchema, checked_schema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import ArrayType, MapType, RowType
from airflow_provider_schemas.core.validation.validity import faults_of
from airflow_provider_schemas.errors import MAX_FAULTS, ChangeError, ColumnNotFoundError, Fault, SchemaError

# Java's readers and writers live with these in a stored schema.
_LET_IN = frozenset({"default.invalid", "attributes.invalid", "attributes.alias-taken"})

# Bytes: more than a NOT NULL, or what a change leaves unsaid, takes.
_SHORT = 64
_SHOWN_TEXT = 100


class Refusal(NamedTuple):
    """A change that is refused, by its number in the batch; an echo follows a refused change on the same column."""

    number: int
    faults: tuple[Fault, ...]
    echo: bool = False


WHOLE_BATCH = -1
"""The number of a refusal of the batch as a whole, whose result would be invalid."""


def evolve(
    schema: TableSchema,
    changes: Iterable[SchemaChange | Mapping[str, Any] | str],
    *,
    has_snapshots: bool = False,
    history: Sequence[TableSchema] = (),
    branches: Collection[str] | None = None,
) -> TableSchema:
    """Return the next schema; or refuse, and report every change of the batch that is refused.

    With has_snapshots the table holds data, which forbids more. The history, earlier schemas whose files
    may still be read, makes a type change answer for all of them and not only for the last. Branches are
    those that have a schema, for options that name one; None is unknown, and then nobody asks.
    """
    batch = parse_changes(changes)
    after, refusals = attempt(schema, batch, has_snapshots=has_snapshots, history=history, branches=branches)
    if refusals:
        raise _refusal_error(refusals, batch)
    return after


def attempt(
    schema: TableSchema,
    batch: Sequence[SchemaChange],
    *,
    has_snapshots: bool = False,
    history: Sequence[TableSchema] = (),
    branches: Collection[str] | None = None,
) -> tuple[TableSchema, list[Refusal]]:
    """Return the next schema and the changes that are refused; with any, the schema is not to be used.

    Number -1 stands for the batch as a whole, whose result would be invalid.
    """
    draft, refusals = applied(schema, batch, has_snapshots=has_snapshots, history=history)
    if refusals:
        return schema, refusals
    after, faults = _finished(draft, batch, branches)
    if faults:
        refusals = [Refusal(WHOLE_BATCH, tuple(faults))]
    return after, refusals


def applied(
    schema: TableSchema, batch: Sequence[SchemaChange], *, has_snapshots: bool = False, history: Sequence[TableSchema] = ()
) -> tuple[Draft, list[Refusal]]:
    """Return the draft that the batch makes of the schema, not yet validated, and the changes that are refused."""
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
    return draft, sorted([*refusals, *_unreadable_types(draft)])


def _refusal_error(refusals: Sequence[Refusal], batch: Sequence[SchemaChange]) -> ChangeError:
    faults: list[Fault] = []
    for refusal in refusals:
        if not refusal.echo:
            faults += [_with_change(fault, batch, refusal.number) for fault in refusal.faults]
    if all(fault.code == ColumnNotFoundError.default_code for fault in faults):
        return ColumnNotFoundError.of(faults)
    return ChangeError.of(faults)


def _with_change(fault: Fault, batch: Sequence[SchemaChange], number: int) -> Fault:
    """Return the fault with the change that it belongs to, where there are several."""
    if number == WHOLE_BATCH or len(batch) == 1:
        return fault
    text = short_text(batch[number])
    if len(text) > _SHOWN_TEXT:
        text = f"{text[: _SHOWN_TEXT - 3]}..."
    return fault._replace(message=f"{fault.message} (change {number + 1} of {len(batch)}: {text})")


def _columns(change: SchemaChange) -> set[str]:
    """Return the top-level columns that a change names."""
    columns = set[str](getattr(change, "names", ())[:1])
    if isinstance(change, schema_change.RenameColumn):
        columns.add(change.new_name)
    move = getattr(change, "move", None)
    if move:
        columns.add(move.field)
    return columns


# ---------------------------------------------------------------- types and earlier files


def _unreadable_types(draft: Draft) -> Iterator[Refusal]:
    """Yield the type changes after which files of an earlier schema could not be read.

    Files outlive the schemas they were written under, and their values are converted straight from the type in the file
    to the current type. A chain of allowed steps can end where no such conversion exists: DATE to STRING to INT. Java
    looks at the last step only.
    """
    rows = RowsById()
    for number, place in draft.retyped.values():
        fault = _unreadable_type(draft, place, rows)
        if fault is not None:
            yield Refusal(number, (fault,))


def _unreadable_type(draft: Draft, place: TypePlace, rows: RowsById) -> Fault | None:
    """Return the fault of the first earlier type at a place that the batch has left without a conversion."""
    column = draft.find(place.column)
    after = None if column is None else by_ids(column.type, place.steps, rows)
    if after is None:
        return None  # dropped by the same batch
    for schema in (*draft.history, draft.old):
        column = schema.column(place.column)
        before = None if column is None else by_ids(column.type, place.steps, rows)
        if before is not None and not _is_readable(before, after):
            message = f"files of schema {schema.id} hold {before}, for which there is no conversion to {after}."
            fix = "Add a column of the new type instead, or rewrite those files first."
            return Fault("type.chain", dotted(place.names), message, fix)
    return None


def _is_readable(before: DataType, after: DataType) -> bool:
    if before.root is after.root and isinstance(after, ArrayType | MapType | RowType):
        return True  # read part by part
    return same_type(before, after) or cast_support(before, after).convertible


# ---------------------------------------------------------------- the next schema


def _finished(draft: Draft, batch: Sequence[SchemaChange], branches: Collection[str] | None) -> tuple[TableSchema, list[Fault]]:
    """Return the schema that the draft has become, and what is wrong with it."""
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
    faults = list(faults) or _new_faults(draft.old, after, branches)
    if faults:
        return after, faults
    _set_size(after, draft.old, batch)
    return after, size_faults(after)


def _set_size(after: TableSchema, old: TableSchema, batch: Sequence[SchemaChange]) -> None:
    """Set how large the fields are at most, so that nobody goes through all of them for it.

    Each change writes its own text to one field; ids and NOT NULL are short.
    """
    try:
        written = len(msgspec.json.encode(batch))
    except (TypeError, ValueError):
        return  # made by hand, of what no file can hold: the fields are looked at
    vars(after)["fields_size"] = old.fields_size + 2 * written + _SHORT * (len(batch) + len(after.primary_keys))


def _new_faults(old: TableSchema, after: TableSchema, branches: Collection[str] | None) -> list[Fault]:
    """Return what is wrong with the schema; but a bad default or attribute that Java let in before is not the batch's fault."""
    faults = faults_of(after, branches=branches)
    if not any(fault.code in _LET_IN for fault in faults):
        return faults
    known = {fault for fault in faults_of(old) if fault.code in _LET_IN}
    return [fault for fault in faults if fault not in known]


def carried(schema: TableSchema) -> tuple[tuple[tuple[str | int, ...], str], ...]:
    """Return the unknown keys of a file that its successor keeps: those about the table, not those about the version."""
    return tuple((place, value) for place, value in schema.unknown if len(place) == 1 and place[0] != PROVENANCE)


# ---------------------------------------------------------------- changes of the table


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
    schema_change.UpdateColumnType: apply_types.update_type,
    schema_change.UpdateColumnNullability: apply_types.update_nullability,
    schema_change.UpdateColumnComment: apply_columns.update_comment,
    schema_change.UpdateColumnDefaultValue: apply_columns.update_default,
    schema_change.UpdateColumnPosition: apply_columns.update_position,
    schema_change.DropPrimaryKey: _drop_primary_key,
}
