"""The changes of columns between two schemas, fields being the same when their ids are.

Paimon applies a batch in order, so the order matters: drops free names, renames follow, then types,
comments and defaults under the new names; new fields come in the order of their ids, because ids are
handed out as fields come.
"""

from collections.abc import Sequence
from itertools import count

from airflow_provider_schemas.core.casts.cast_rules import cast_support, same_type
from airflow_provider_schemas.core.changes.schema_change import (
    DropColumn,
    RenameColumn,
    SchemaChange,
    UpdateColumnComment,
    UpdateColumnDefaultValue,
    UpdateColumnNullability,
    UpdateColumnType,
)
from airflow_provider_schemas.core.evolution.added_fields import NewField, Path, Places, added_changes
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import DataType, atomic
from airflow_provider_schemas.core.types.field_ids import numbered
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, RowType


def column_changes(old: TableSchema, new: TableSchema) -> list[SchemaChange]:
    """Return the changes of everything but order, keys, options and comment of the table."""
    diff = _ColumnDiff(old, new)
    diff.compare(old.fields, new.fields, ())
    return diff.changes()


def compared_columns(old: TableSchema, new: TableSchema) -> tuple[list[SchemaChange], list[NewField], list[SchemaChange]]:
    """Return the changes of fields that are there, the fields that are new, and the drops that wait for them."""
    diff = _ColumnDiff(old, new)
    diff.compare(old.fields, new.fields, ())
    return diff.steps, diff.added, diff.late_drops


class _ColumnDiff:
    """The changes found so far, by the step at which they are to be made."""

    def __init__(self, old: TableSchema, new: TableSchema) -> None:
        self.old = old
        self.new = new
        self.steps: list[SchemaChange] = []  # fields of a ROW after the ROW itself, whose path has its new name then
        self.late_drops: list[SchemaChange] = []
        self.added: list[NewField] = []

    def changes(self) -> list[SchemaChange]:
        """Return the changes in the order in which they are to be made."""
        adds = added_changes(self.added, self.new.primary_keys)
        return [*self.steps, *adds, *self.late_drops]

    # ------------------------------------------------------------ fields that are there already

    def compare(self, old: Sequence[Field], new: Sequence[Field], path: Path) -> None:
        """Compare two lists of fields: the columns, or those of one ROW."""
        if old == new:
            return
        if len(old) == len(new) and all(before.id == after.id for before, after in zip(old, new, strict=True)):
            pairs = [(before, after) for before, after in zip(old, new, strict=True) if before != after]
            self._rename([(before, after) for before, after in pairs if before.name != after.name], old, new, path)
            for before, after in pairs:
                self._edit(before, after, (*path, after.name))
            return
        old_by_id = {field.id: field for field in old}
        new_by_id = {field.id: field for field in new}
        gone = [field for field in old if field.id not in new_by_id]
        pairs = [(field, new_by_id[field.id]) for field in old if field.id in new_by_id]
        self._drop(gone, new, path, nothing_stays=not pairs)
        self._rename([(before, after) for before, after in pairs if before.name != after.name], old, new, path)
        places = Places(new, old_by_id, never_silent=not path and self.old.options.flag("add-column-before-partition"))
        for field in new:
            if field.id not in old_by_id:
                self.added.append(NewField((*path, field.name), field, places))
            elif field != old_by_id[field.id]:
                self._edit(old_by_id[field.id], field, (*path, field.name))

    def _drop(self, gone: list[Field], new: Sequence[Field], path: Path, *, nothing_stays: bool) -> None:
        """Drop what is gone; where nothing would be left, the last drop waits until the new fields are there."""
        if not gone:
            return
        if not nothing_stays:
            self.steps += [DropColumn((*path, field.name)) for field in gone]
            return
        names = {field.name for field in new}
        late = min(gone, key=lambda field: field.name in names)
        self.steps += [DropColumn((*path, field.name)) for field in gone if field is not late]
        late_name = late.name
        if late_name in names:
            late_name = _spare_name(names.union(field.name for field in gone))
            self.steps.append(RenameColumn((*path, late.name), late_name))
        self.late_drops.append(DropColumn((*path, late_name)))

    def _rename(self, pairs: list[tuple[Field, Field]], old: Sequence[Field], new: Sequence[Field], path: Path) -> None:
        """Rename in an order in which every name is free; a ring of names is opened with a spare one."""
        if not pairs:
            return
        waiting = {before.name: after.name for before, after in pairs}
        taken = {field.name for field in (*old, *new)}
        while waiting:
            free = [name for name, target in waiting.items() if target not in waiting]
            if not free:
                name = next(iter(waiting))
                spare = _spare_name(taken)
                taken.add(spare)
                self.steps.append(RenameColumn((*path, name), spare))
                waiting[spare] = waiting.pop(name)
            for name in free:
                self.steps.append(RenameColumn((*path, name), waiting.pop(name)))

    def _edit(self, before: Field, after: Field, path: Path) -> None:
        if before.wire != after.wire:
            retyped = not same_type(before.type, after.type)
            if before.default is not None and before.default != after.default and retyped:
                self.steps.append(UpdateColumnDefaultValue(path, None))
            self._type(before.type, after.type, path)
        if before.description != after.description:
            self.steps.append(UpdateColumnComment(path, after.description))
        if before.default != after.default:
            self.steps.append(UpdateColumnDefaultValue(path, after.default))

    def _type(self, before: DataType, after: DataType, path: Path) -> None:
        """Change containers from inside, and anything else as a whole."""
        if isinstance(before, RowType) and isinstance(after, RowType):
            self.compare(before.fields, after.fields, path)
        elif isinstance(before, ArrayType) and isinstance(after, ArrayType):
            self._type(before.element, after.element, (*path, "element"))
        elif isinstance(before, MapType) and isinstance(after, MapType) and before.key == after.key:
            self._type(before.value, after.value, (*path, "value"))
        elif not same_type(before, after):
            self.steps += _retyped(before, after, path, explicit=not self.old.options.flag("disable-explicit-type-casting"))
            return
        if before.nullable != after.nullable and not self._is_primary_key(path):
            self.steps.append(UpdateColumnNullability(path, after.nullable))

    def _is_primary_key(self, path: Path) -> bool:
        """Return whether the primary key decides about the nullability."""
        return len(path) == 1 and path[0] in self.new.primary_keys


def _retyped(before: DataType, after: DataType, path: Path, explicit: bool) -> list[SchemaChange]:
    """Return one change of type; two where only a way through TIMESTAMP is implicit and explicit casts are switched off."""
    keep = before.nullable is after.nullable
    target = after
    if keep:
        target = after.with_nullable(True)
    direct: SchemaChange = UpdateColumnType(path, numbered(target), keep)
    if explicit or before.root is not Root.TIMESTAMP_LTZ or cast_support(before, after.with_nullable(before.nullable)).implicit:
        return [direct]
    between = atomic(Root.TIMESTAMP, precision=getattr(before, "precision", None))
    return [UpdateColumnType(path, between, keep_nullability=True), direct]


def _spare_name(taken: set[str]) -> str:
    names = (f"_renamed_{number}" for number in count(1))
    return next(name for name in names if name not in taken)
