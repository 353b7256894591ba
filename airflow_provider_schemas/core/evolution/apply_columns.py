"""What each change of columns does to a draft, and when it is refused.

One function per change. Checks of keys ask the old schema, by name as Paimon does, and by id where a
rename in the same batch would otherwise slip a key column past the check.
"""

from collections.abc import Callable, Sequence

from airflow_provider_schemas.core.changes.field_paths import dotted, missing
from airflow_provider_schemas.core.changes.schema_change import (
    AddColumn,
    DropColumn,
    Move,
    MoveType,
    RenameColumn,
    UpdateColumnComment,
    UpdateColumnDefaultValue,
    UpdateColumnPosition,
)
from airflow_provider_schemas.core.evolution.change_checks import check_default, check_not_indexed, check_not_partition
from airflow_provider_schemas.core.evolution.draft import Draft, exists
from airflow_provider_schemas.core.evolution.field_list import FieldList
from airflow_provider_schemas.core.schema import comment_directives
from airflow_provider_schemas.core.schema.attribute_options import attribute_key
from airflow_provider_schemas.core.types.field_ids import all_ids
from airflow_provider_schemas.core.types.nested import Field, field
from airflow_provider_schemas.errors import ChangeError

FieldEdit = Callable[[Field], Field]

# ---------------------------------------------------------------- add


def add_column(draft: Draft, change: AddColumn) -> None:
    """Add a column or a field of a ROW; the column takes the next id, then the fields inside it."""
    names = change.names
    if not change.type.nullable:
        fix = "Add it nullable, fill it, then set it NOT NULL."
        message = "a new column must be nullable: the rows that exist have no value for it."
        raise ChangeError(message, code="add.not-null", path=dotted(names), fix=fix)
    if len(names) > 1:
        _add_nested(draft, change)
    else:
        _add_top(draft, change)


def _add_top(draft: Draft, change: AddColumn) -> None:
    if change.names[0] in draft.columns:
        raise exists(change.names)
    place = _place(change.move, draft.columns)
    if change.move is None and draft.old.options.flag("add-column-before-partition") and draft.old.partition_keys:
        place = draft.first_partition_place()
    added, listing = comment_directives.followed(_new_field(draft, change))
    draft.columns.insert(added, place)
    if listing:
        draft.listings.append(listing)


def _add_nested(draft: Draft, change: AddColumn) -> None:
    names = change.names
    if comment_directives.is_directive(change.comment):
        fix = "Give the directive to a top-level column."
        raise ChangeError("a comment directive works on top-level columns only.", code="directive.nested", path=dotted(names), fix=fix)
    row = draft.row(names, adding=True)
    if names[-1] in row:
        raise exists(names)
    place = _place(change.move, row)
    row.insert(_new_field(draft, change), place)


def _new_field(draft: Draft, change: AddColumn) -> Field:
    number = draft.ids.next()
    return field(number, change.names[-1], draft.ids.assigned(change.type), change.comment)


def _place(move: Move | None, fields: FieldList) -> int | None:
    """Return the index at which a new column or field goes in; None for the end, where nothing is said."""
    if move is None:
        return None
    if move.type is MoveType.FIRST:
        return 0
    if move.type is MoveType.LAST:
        return len(fields)
    beside = fields.place_of(move.reference or "")
    if beside is None:
        raise missing([move.reference or ""])
    return beside + (move.type is MoveType.AFTER)


# ---------------------------------------------------------------- rename, drop


def rename_column(draft: Draft, change: RenameColumn) -> None:
    """Rename a column or a field of a ROW; keys and options follow a top-level column."""
    names = change.names
    new = change.new_name
    if len(names) > 1:
        _edit_field(draft, names, lambda field: field.with_name(new), taken=new)
        return
    check_not_partition(draft, names[0], "rename.partition-key")
    check_not_indexed(draft, names[0], "rename.primary-key-index")
    column = draft.target(names).field
    if comment_directives.is_blob(column.type):
        fix = "Add a column of the new name instead."
        raise ChangeError("a BLOB column cannot be renamed: its files carry the name.", code="rename.blob", path=names[0], fix=fix)
    if new in draft.columns:
        raise exists((new,))
    draft.columns.put(column, column.with_name(new))
    draft.renames.setdefault(names[0], new)  # a later column of the old name is another one


def drop_column(draft: Draft, change: DropColumn) -> None:
    """Drop a column or a field of a ROW. The options that name it are the user's to remove, but for its attributes."""
    names = change.names
    if len(names) > 1:
        _drop_field(draft, names)
        return
    if names[0] in (*draft.old.partition_keys, *draft.old.primary_keys):
        message = "a partition or primary key column cannot be dropped."
        raise ChangeError(message, code="drop.key-column", path=names[0], fix="Create a new table without it.")
    check_not_indexed(draft, names[0], "drop.primary-key-index")
    column = draft.column(names)
    if len(draft.columns) == 1:
        raise _last(names)
    draft.columns.remove(column)
    draft.listings += comment_directives.unlistings(column)
    draft.forget(comment_directives.own_options(column))
    _forget(draft, column)


def _last(names: Sequence[str]) -> ChangeError:
    fix = "Add another first; in one batch, too."
    return ChangeError("the last column cannot be dropped.", code="drop.last-field", path=dotted(names), fix=fix)


def _forget(draft: Draft, gone: Field) -> None:
    """Drop the attributes of a column that is dropped, and of the fields inside it."""
    draft.forget(map(attribute_key, all_ids([gone])))


def _drop_field(draft: Draft, names: Sequence[str]) -> None:
    row = draft.row(names)
    gone = row.whole(names[-1])
    if gone is None:
        raise missing(names, row.names)
    if len(row) == 1:
        raise _last(names)
    _forget(draft, gone)
    row.remove(gone)


def _edit_field(draft: Draft, names: Sequence[str], change: FieldEdit, taken: str | None = None) -> None:
    """Edit the field of a ROW at this path."""
    row = draft.row(names)
    before = row.named(names[-1])
    if before is None:
        raise missing(names, row.names)
    if taken is not None and taken in row:
        raise exists((*names[:-1], taken))
    row.put(before, change(before))


# ---------------------------------------------------------------- comment, default, position


def update_comment(draft: Draft, change: UpdateColumnComment) -> None:
    """Set the comment of a column or field; on an element or map value, that of the column or field around it."""
    names = change.names
    if comment_directives.is_directive(change.comment):
        message = "a comment directive works when a column is added, not later."
        raise ChangeError(message, code="directive.comment-change", path=dotted(names), fix="Begin the comment with another word.")
    target = draft.target(names)
    before = target.field
    target.fields.put(before, Field(before.id, before.name, before.wire, change.comment, before.default))


def update_default(draft: Draft, change: UpdateColumnDefaultValue) -> None:
    """Set the default of a column or field; it must be a value of its type."""
    names = change.names

    def with_default(before: Field) -> Field:
        after = Field(before.id, before.name, before.wire, before.description, change.default)
        check_default(after, names, "Write a value of this type, as text.")
        return after

    if len(names) > 1:
        draft.row(names).whole(names[-1])
        _edit_field(draft, names, with_default)
    else:
        column = draft.column(names)
        draft.columns.put(column, with_default(column))


def update_position(draft: Draft, change: UpdateColumnPosition) -> None:
    """Move a column among the others."""
    move = change.move
    columns = draft.columns
    here = columns.place_of(move.field)
    if here is None:
        message = "there is no such top-level column to move."
        raise ChangeError(message, code="move.unknown-field", path=move.field, fix="Name a column of the table.")
    beside = None if move.reference is None else columns.place_of(move.reference)
    if move.type in (MoveType.AFTER, MoveType.BEFORE) and beside is None:
        message = f"there is no column {move.reference!r} to stand beside."
        raise ChangeError(message, code="move.unknown-reference", path=move.field, fix="Name a column of the table.")
    there = {MoveType.FIRST: 0, MoveType.LAST: len(columns) - 1}.get(move.type, beside)
    if here == there:
        fix = "Leave it where it is."
        raise ChangeError("the column stands there already.", code="move.itself", path=move.field, fix=fix)
    columns.move(draft.column([move.field]), _target(move, here, there or 0))


def _target(move: Move, here: int, there: int) -> int:
    """Return the index at which the column goes in after it was taken out."""
    if move.type in (MoveType.FIRST, MoveType.LAST):
        return there
    return there - (here < there) + (move.type is MoveType.AFTER)
