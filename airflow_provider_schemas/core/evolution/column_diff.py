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
    """Everything but order, keys, options and comment of the table."""
    work = _Work(old, new)
    work.fields(old.fields, new.fields, ())
    return work.changes()


class _Work:
    """The changes found so far, by the step at which they are to be made."""

    def __init__(self, old: TableSchema, new: TableSchema) -> None:
        self.old = old
        self.new = new
        self.steps: list[SchemaChange] = []  # fields of a ROW after the ROW itself, whose path has its new name then
        self.late_drops: list[SchemaChange] = []
        self.added: list[NewField] = []

    def changes(self) -> list[SchemaChange]:
        adds = added_changes(self.added, self.new.primary_keys)
        return [*self.steps, *adds, *self.late_drops]

    # ------------------------------------------------------------ fields that are there already

    def fields(self, old: Sequence[Field], new: Sequence[Field], path: Path) -> None:
        """Compare two lists of fields: the columns, or those of one ROW."""
        if old == new:
            return
        if len(old) == len(new) and all(before.id == after.id for before, after in zip(old, new, strict=True)):
            pairs = [(before, after) for before, after in zip(old, new, strict=True) if before != after]
            self._rename([(before, after) for before, after in pairs if before.name != after.name], old, new, path)
            for before, after in pairs:
                self._edit(before, after, (*path, after.name))
            return
        mine, theirs = {one.id: one for one in old}, {one.id: one for one in new}
        self._drop([one for one in old if one.id not in theirs], [one for one in new if one.id in mine], new, path)
        self._rename([(one, theirs[one.id]) for one in old if one.id in theirs and one.name != theirs[one.id].name], old, new, path)
        places = Places(new, mine, never_silent=not path and self.old.options.flag("add-column-before-partition"))
        for one in new:
            if one.id not in mine:
                self.added.append(NewField((*path, one.name), one, places))
            elif one != mine[one.id]:
                self._edit(mine[one.id], one, (*path, one.name))

    def _drop(self, gone: list[Field], stay: list[Field], new: Sequence[Field], path: Path) -> None:
        """Drop what is gone; where nothing would be left, the last drop waits until the new fields are there."""
        if not gone:
            return
        names = {one.name for one in new}
        late = min(gone, key=lambda one: one.name in names) if not stay else None
        self.steps += [DropColumn((*path, one.name)) for one in gone if one is not late]
        if late is not None and late.name in names:
            spare = _spare({one.name for one in gone} | names)
            self.steps.append(RenameColumn((*path, late.name), spare))
            self.late_drops.append(DropColumn((*path, spare)))
        elif late is not None:
            self.late_drops.append(DropColumn((*path, late.name)))

    def _rename(self, pairs: list[tuple[Field, Field]], old: Sequence[Field], new: Sequence[Field], path: Path) -> None:
        """Rename in an order in which every name is free; a ring of names is opened with a spare one."""
        if not pairs:
            return
        waiting = {before.name: after.name for before, after in pairs}
        taken = {one.name for one in old} | {one.name for one in new}
        while waiting:
            free = [name for name, target in waiting.items() if target not in waiting]
            if not free:
                name = next(iter(waiting))
                spare = _spare(taken)
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
        """Containers are changed from inside; anything else as a whole."""
        if isinstance(before, RowType) and isinstance(after, RowType):
            self.fields(before.fields, after.fields, path)
        elif isinstance(before, ArrayType) and isinstance(after, ArrayType):
            self._type(before.element, after.element, (*path, "element"))
        elif isinstance(before, MapType) and isinstance(after, MapType) and before.key == after.key:
            self._type(before.value, after.value, (*path, "value"))
        elif not same_type(before, after):
            self.steps += _retyped(before, after, path, explicit=not self.old.options.flag("disable-explicit-type-casting"))
            return
        if before.nullable != after.nullable and not self._by_key(path):
            self.steps.append(UpdateColumnNullability(path, after.nullable))

    def _by_key(self, path: Path) -> bool:
        """Whether the primary key decides about the nullability."""
        return len(path) == 1 and path[0] in self.new.primary_keys


def _retyped(before: DataType, after: DataType, path: Path, explicit: bool) -> list[SchemaChange]:
    """One change of type; two where only a way through TIMESTAMP is implicit and explicit casts are switched off."""
    keep = before.nullable is after.nullable
    direct: SchemaChange = UpdateColumnType(path, numbered(after.with_nullable(True) if keep else after), keep)
    if explicit or before.root is not Root.TIMESTAMP_LTZ or cast_support(before, after.with_nullable(before.nullable)).implicit:
        return [direct]
    between = atomic(Root.TIMESTAMP, precision=getattr(before, "precision", None))
    return [UpdateColumnType(path, between, keep_nullability=True), direct]


def _spare(taken: set[str]) -> str:
    return next(name for number in count(1) if (name := f"_renamed_{number}") not in taken)
