"""What a change of a type or of NOT NULL does to a draft, and when it is refused.

Checks of keys ask the old schema, by name as Paimon does, and by id where a rename in the same batch would otherwise slip a
key column past the check.
"""

from collections.abc import Sequence

from airflow_provider_schemas.core.casts.cast_rules import cast_support, same_type
from airflow_provider_schemas.core.changes.field_paths import dotted
from airflow_provider_schemas.core.changes.schema_change import UpdateColumnNullability, UpdateColumnType
from airflow_provider_schemas.core.evolution.change_checks import check_default, check_not_indexed, check_not_partition
from airflow_provider_schemas.core.evolution.draft import Draft
from airflow_provider_schemas.core.schema import comment_directives
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import ChangeError


def update_type(draft: Draft, change: UpdateColumnType) -> None:
    """Give a column, a field, an element or a map value another type that every file written so far can be read as."""
    names = change.names
    if len(names) == 1:
        _check_top_type(draft, names, change.type)
    place = draft.target(names).close()
    source = place.type
    target = change.type
    if change.keep_nullability:
        target = target.with_nullable(source.nullable)
    if source.nullable and not target.nullable:
        _check_tightening(draft, names)
    _check_castable(draft, names, source, target)
    place.put(target)
    if draft.columns.field(names[0]).default is not None:
        _check_default_of_column(draft, names, source)
    draft.note_type(place, names)


def _check_default_of_column(draft: Draft, names: Sequence[str], before: DataType) -> None:
    """Refuse a type that the default of the column is no value of, and put the type before back."""
    try:
        check_default(draft.column(names), names, "Change the default first.")
    except ChangeError:
        draft.target(names).put(before)
        raise


def _check_top_type(draft: Draft, names: Sequence[str], target: DataType) -> None:
    check_not_partition(draft, names[0], "type.partition-key")
    if _is_primary(draft, names):
        fix = "Create a new table with the new type."
        raise ChangeError("the type of a primary key column cannot change.", code="type.primary-key", path=names[0], fix=fix)
    check_not_indexed(draft, names[0], "type.primary-key-index")
    column = draft.column(names)
    if comment_directives.is_blob(column.type) or comment_directives.is_blob(target):
        fix = "Add a column of the new type instead."
        raise ChangeError("a column cannot become a BLOB, nor stop being one.", code="type.blob", path=names[0], fix=fix)
    if draft.has_snapshots and not same_type(column.type, target):
        _check_layout(draft, column, target)


def _is_primary(draft: Draft, names: Sequence[str]) -> bool:
    """Return whether a column is part of the primary key, by its name or by that which it had before the batch."""
    if names[0] in draft.old.primary_keys:
        return True
    return names[0] in draft.columns and draft.is_key(draft.column(names), draft.old.primary_keys)


def _check_layout(draft: Draft, column: Field, target: DataType) -> None:
    """Refuse, with data, another type of a bucket key, which moves equal rows, and of a sequence field that may sort another way."""
    for key, code in (("bucket-key", "type.bucket-key"), ("sequence.field", "type.sequence-field")):
        columns = [name.strip() for name in draft.old.options.get(key, "").split(",")]
        harmless = key == "sequence.field" and cast_support(column.type, target.with_nullable(column.type.nullable)).lossless
        if draft.is_key(column, columns) and not harmless:
            message = f"the column is in {key}, which decides where rows lie and which of them wins."
            raise ChangeError(message, code=code, path=column.name, fix="Create a new table with the new type and move the data.")


def _check_castable(draft: Draft, names: Sequence[str], source: DataType, target: DataType) -> None:
    support = cast_support(source, target)
    explicit = not draft.old.options.flag("disable-explicit-type-casting")
    if explicit and support.alterable:
        return
    if not explicit and support.implicit and support.convertible:
        return
    why = ""
    if support.alterable and not explicit:
        why = " while disable-explicit-type-casting is on"
    fix = _castable_fix(source, target)
    raise ChangeError(f"{source} cannot become {target}{why}.", code="type.not-castable", path=dotted(names), fix=fix)


def _castable_fix(source: DataType, target: DataType) -> str:
    if same_type(source, target):
        return "It has this type already: leave the change out."
    if source.root is target.root and not isinstance(source, AtomicType):
        return "Change the parts inside it one by one."
    return "Add a column of the new type instead."


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

    place = draft.target(names)
    kind = place.type
    if kind.nullable and not change.nullable:
        _check_tightening(draft, names)
        draft.note_type(place, names)
    place.put(kind.with_nullable(change.nullable))
