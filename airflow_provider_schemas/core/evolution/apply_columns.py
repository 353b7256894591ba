"""What each change of columns does to a draft, and when it is refused.

One function per change. Checks of keys ask the old schema, by name as Paimon does, and by id where a
rename in the same batch would otherwise slip a key column past the check.
"""

from collections.abc import Callable, Sequence

from airflow_provider_schemas.core.casts.cast_rules import cast_support, same_type
from airflow_provider_schemas.core.changes.field_paths import dotted, missing
from airflow_provider_schemas.core.changes.schema_change import (
    AddColumn,
    DropColumn,
    Move,
    MoveType,
    RenameColumn,
    UpdateColumnComment,
    UpdateColumnDefaultValue,
    UpdateColumnNullability,
    UpdateColumnPosition,
    UpdateColumnType,
)
from airflow_provider_schemas.core.evolution.draft import Draft, FieldList, exists
from airflow_provider_schemas.core.schema import comment_directives
from airflow_provider_schemas.core.schema.table_schema import attribute_key
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.field_ids import all_ids
from airflow_provider_schemas.core.types.nested import Field, field
from airflow_provider_schemas.errors import CastError, ChangeError

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
    place = _place(change.move, draft.columns) if change.move else None
    if change.move is None and draft.old.options.flag("add-column-before-partition") and draft.old.partition_keys:
        place = draft.first_partition_place()
    added, listing = comment_directives.followed(_new_field(draft, change))
    draft.columns.insert(added, place)
    draft.listings += [listing] if listing else []


def _add_nested(draft: Draft, change: AddColumn) -> None:
    names = change.names
    if comment_directives.is_directive(change.comment):
        fix = "Give the directive to a top-level column."
        raise ChangeError("a comment directive works on top-level columns only.", code="directive.nested", path=dotted(names), fix=fix)
    row = draft.row(names, adding=True)
    if names[-1] in row:
        raise exists(names)
    place = _place(change.move, row) if change.move else None
    row.insert(_new_field(draft, change), place)


def _new_field(draft: Draft, change: AddColumn) -> Field:
    number = draft.ids.next()
    return field(number, change.names[-1], draft.ids.assigned(change.type), change.comment)


def _place(move: Move, fields: FieldList) -> int:
    """The index at which a new column or field goes in."""
    if move.type in (MoveType.FIRST, MoveType.LAST):
        return 0 if move.type is MoveType.FIRST else len(fields)
    beside = fields.place_of(move.reference or "")
    if beside is None:
        raise missing([move.reference or ""])
    return beside + (move.type is MoveType.AFTER)


# ---------------------------------------------------------------- rename, drop


def rename_column(draft: Draft, change: RenameColumn) -> None:
    """Rename a column or a field of a ROW; keys and options follow a top-level column."""
    names, new = change.names, change.new_name
    if len(names) > 1:
        _edit_field(draft, names, lambda one: one.with_name(new), taken=new)
        return
    _check_not_partition(draft, names[0], "rename.partition-key")
    _check_not_indexed(draft, names[0], "rename.primary-key-index")
    column = draft.spot(names).field
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
    _check_not_indexed(draft, names[0], "drop.primary-key-index")
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


# ---------------------------------------------------------------- type, nullability


def update_type(draft: Draft, change: UpdateColumnType) -> None:
    """Give a column, a field, an element or a map value another type that every file written so far can be read as."""
    names = change.names
    if len(names) == 1:
        _check_top_type(draft, names, change.type)
    spot = draft.spot(names).close()
    source = spot.type
    target = change.type.with_nullable(source.nullable) if change.keep_nullability else change.type
    if source.nullable and not target.nullable:
        _check_tightening(draft, names)
    _check_castable(draft, names, source, target)
    spot.put(target)
    if draft.columns.field(names[0]).default is not None:
        _check_default_of_column(draft, names, source)
    draft.note_type(spot, names)


def _check_default_of_column(draft: Draft, names: Sequence[str], before: DataType) -> None:
    """The default of a column must be a value of the type that was put there; otherwise the type before is put back."""
    try:
        _check_default(draft.column(names), names, "Change the default first.")
    except ChangeError:
        draft.spot(names).put(before)
        raise


def _check_top_type(draft: Draft, names: Sequence[str], target: DataType) -> None:
    _check_not_partition(draft, names[0], "type.partition-key")
    found = draft.column(names) if names[0] in draft.columns else None
    if names[0] in draft.old.primary_keys or (found and draft.is_key(found, draft.old.primary_keys)):
        fix = "Create a new table with the new type."
        raise ChangeError("the type of a primary key column cannot change.", code="type.primary-key", path=names[0], fix=fix)
    _check_not_indexed(draft, names[0], "type.primary-key-index")
    column = draft.column(names)
    if comment_directives.is_blob(column.type) or comment_directives.is_blob(target):
        fix = "Add a column of the new type instead."
        raise ChangeError("a column cannot become a BLOB, nor stop being one.", code="type.blob", path=names[0], fix=fix)
    if draft.has_snapshots and not same_type(column.type, target):
        _check_layout(draft, column, target)


def _check_layout(draft: Draft, column: Field, target: DataType) -> None:
    """With data, a retyped bucket key sends equal rows to other buckets, and a sequence field may sort another way."""
    for key, code in (("bucket-key", "type.bucket-key"), ("sequence.field", "type.sequence-field")):
        columns = [one.strip() for one in draft.old.options.get(key, "").split(",")]
        harmless = key == "sequence.field" and cast_support(column.type, target.with_nullable(column.type.nullable)).lossless
        if draft.is_key(column, columns) and not harmless:
            message = f"the column is in {key}, which decides where rows lie and which of them wins."
            raise ChangeError(message, code=code, path=column.name, fix="Create a new table with the new type and move the data.")


def _check_castable(draft: Draft, names: Sequence[str], source: DataType, target: DataType) -> None:
    support = cast_support(source, target)
    explicit = not draft.old.options.flag("disable-explicit-type-casting")
    if not (support.alterable if explicit else support.implicit and support.convertible):
        why = "" if explicit or not support.alterable else " while disable-explicit-type-casting is on"
        fix = "Add a column of the new type instead."
        if same_type(source, target):
            fix = "It has this type already: leave the change out."
        elif source.root is target.root and not isinstance(source, AtomicType):
            fix = "Change the parts inside it one by one."
        raise ChangeError(f"{source} cannot become {target}{why}.", code="type.not-castable", path=dotted(names), fix=fix)


def _check_default(one: Field, names: Sequence[str], fix: str) -> None:
    if one.default is None:
        return
    # Few columns have defaults, and what reads values takes long to load.
    from airflow_provider_schemas.core.casts.cast_value import default_value

    try:
        default_value(one.default, one.type)
    except CastError as error:
        message = f"the default {one.default!r} is no {one.type}: {error.message}"
        raise ChangeError(message, code="default.invalid", path=dotted(names), fix=fix) from None


def _check_tightening(draft: Draft, names: Sequence[str]) -> None:
    if draft.old.options.flag("alter-column-null-to-not-null.disabled", default=True):
        fix = "Fill it, then set alter-column-null-to-not-null.disabled = false in a change of its own."
        message = "the column is nullable, and rows may hold NULL."
        raise ChangeError(message, code="nullability.null-to-not-null-disabled", path=dotted(names), fix=fix)


def update_nullability(draft: Draft, change: UpdateColumnNullability) -> None:
    """Let a column, a field, an element or a map value hold NULL, or not."""
    names = change.names
    if change.nullable and len(names) == 1 and names[0] in draft.old.primary_keys:
        fix = "Leave it NOT NULL."
        raise ChangeError("a primary key column cannot hold NULL.", code="nullability.primary-key", path=names[0], fix=fix)

    spot = draft.spot(names)
    kind = spot.type
    if kind.nullable and not change.nullable:
        _check_tightening(draft, names)
        draft.note_type(spot, names)
    spot.put(kind.with_nullable(change.nullable))


# ---------------------------------------------------------------- comment, default, position


def update_comment(draft: Draft, change: UpdateColumnComment) -> None:
    """Set the comment of a column or field; on an element or map value, that of the column or field around it."""
    names = change.names
    if comment_directives.is_directive(change.comment):
        message = "a comment directive works when a column is added, not later."
        raise ChangeError(message, code="directive.comment-change", path=dotted(names), fix="Begin the comment with another word.")
    fields, name, *_ = draft.spot(names)
    one = fields.field(name)
    fields.put(one, Field(one.id, one.name, one.wire, change.comment, one.default))


def update_default(draft: Draft, change: UpdateColumnDefaultValue) -> None:
    """Set the default of a column or field; it must be a value of its type."""
    names, text = change.names, change.default

    def with_default(one: Field) -> Field:
        after = Field(one.id, one.name, one.wire, one.description, text)
        _check_default(after, names, "Write a value of this type, as text.")
        return after

    if len(names) > 1:
        draft.row(names).whole(names[-1])
        _edit_field(draft, names, with_default)
    else:
        column = draft.column(names)
        draft.columns.put(column, with_default(column))


def update_position(draft: Draft, change: UpdateColumnPosition) -> None:
    """Move a column among the others."""
    move, columns = change.move, draft.columns
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
    """The index after the column was taken out."""
    if move.type in (MoveType.FIRST, MoveType.LAST):
        return there
    return there - (here < there) + (move.type is MoveType.AFTER)


# ---------------------------------------------------------------- common checks


def _check_not_partition(draft: Draft, name: str, code: str) -> None:
    if name in draft.old.partition_keys:
        message = "a partition column cannot change: folders carry its name and values."
        raise ChangeError(message, code=code, path=name, fix="Create a new table.")


def _check_not_indexed(draft: Draft, name: str, code: str) -> None:
    if name in draft.indexed:
        raise ChangeError(f"the column is indexed by {draft.indexed[name]}.", code=code, path=name, fix="Drop the index first.")
