"""The working copy of a schema while a batch of changes is applied to it.

A change costs little however wide the table, or the ROW that it goes into. The old schema stays at hand:
Paimon asks its options and key lists, not those of the batch, what is allowed.
"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from airflow_provider_schemas.core.atoms import DataType
from airflow_provider_schemas.core.directives import Listing, listed
from airflow_provider_schemas.core.ids import FieldIds
from airflow_provider_schemas.core.paths import dotted, fields_edited, id_steps, missing
from airflow_provider_schemas.core.schema import TableSchema
from airflow_provider_schemas.core.types import Field
from airflow_provider_schemas.errors import ChangeError

Steps = tuple[int | str, ...]


class TypePlace(NamedTuple):
    """Where a type stands: by ids, which outlive renames, and by the names of the change that touched it."""

    column: int
    steps: Steps
    names: tuple[str, ...]


class FieldList:
    """Fields in the making, in order, found at once by name and by id: the columns of a table, or the fields of one ROW.

    Each has a slot, which outlives its name: files may claim ids that are taken.
    """

    def __init__(self, fields: Sequence[Field]) -> None:
        self._slots = list(fields)
        self._order = list(range(len(fields)))
        self._names = dict(zip([one.name for one in fields], self._order, strict=True))
        self._ids = dict(zip([one.id for one in fields], self._order, strict=True))

    @property
    def ambiguous(self) -> bool:
        """Whether two of them have one name or id."""
        return not len(self._ids) == len(self._names) == len(self._order)

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields, in order."""
        return tuple([self._slots[slot] for slot in self._order])

    @property
    def names(self) -> list[str]:
        """Their names, in order."""
        return [self._slots[slot].name for slot in self._order]

    def __len__(self) -> int:
        return len(self._order)

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def named(self, name: str) -> Field | None:
        """The field of this name."""
        slot = self._names.get(name)
        return None if slot is None else self._slots[slot]

    def find(self, number: int) -> Field | None:
        """The field of this id."""
        slot = self._ids.get(number)
        return None if slot is None else self._slots[slot]

    def place_of(self, name: str) -> int | None:
        """Where the field of this name stands."""
        slot = self._names.get(name)
        return None if slot is None else self._order.index(slot)

    def put(self, before: Field, after: Field) -> None:
        """Put a field of the same id in the place of one that is there."""
        slot = self._names.pop(before.name)
        self._names[after.name] = slot
        self._slots[slot] = after

    def insert(self, one: Field, place: int | None) -> None:
        """Add a field at this place, or at the end."""
        if one.id in self._ids:
            message = f"the new field would have the id {one.id}, which is taken."
            raise ChangeError(message, code="fields.duplicate-id", path=one.name, fix="Correct the highestFieldId of the file.")
        slot = len(self._slots)
        self._slots.append(one)
        self._names[one.name] = self._ids[one.id] = slot
        self._order.insert(len(self._order) if place is None else place, slot)

    def remove(self, one: Field) -> None:
        """Take a field out."""
        slot = self._names.pop(one.name)
        self._order.remove(slot)
        if self._ids.get(one.id) == slot:
            del self._ids[one.id]

    def move(self, one: Field, place: int) -> None:
        """Put a field at this place among the others."""
        slot = self._names[one.name]
        self._order.remove(slot)
        self._order.insert(place, slot)


class OpenRow(NamedTuple):
    """A ROW that changes go into, and the path that leads to it."""

    names: tuple[str, ...]
    fields: FieldList


class Draft:
    """A schema in the making.

    The ROW of a column that the last change went into stays open, and is put back into the column when somebody asks for
    that. Likewise columns are listed in options when somebody asks for these: a batch may add thousands of fields.
    """

    def __init__(self, old: TableSchema, *, has_snapshots: bool, history: Sequence[TableSchema]) -> None:
        self.old = old
        self.has_snapshots = has_snapshots
        self.history = history
        self.comment = old.comment
        self.primary_keys = old.primary_keys
        self.partition_keys = old.partition_keys
        self.ids = FieldIds(old.highest_field_id)
        self.renames: dict[str, str] = {}
        self.number = 0  # of the change that is being applied
        self.retyped: dict[tuple[int, Steps], tuple[int, TypePlace]] = {}
        self.listings: list[Listing] = []
        self.columns = FieldList(old.fields)
        self._options = dict(old.options)
        self._rows: dict[str, OpenRow] = {}

    @property
    def ambiguous(self) -> bool:
        """Whether two columns have one name or id."""
        return self.columns.ambiguous

    @property
    def options(self) -> dict[str, str]:
        """The options; to be changed in place."""
        if self.listings:
            self._options = listed(self._options, self.listings)
            self.listings = []
        return self._options

    @options.setter
    def options(self, options: dict[str, str]) -> None:
        self._options = options

    @property
    def fields(self) -> tuple[Field, ...]:
        """The columns, in order."""
        for name in list(self._rows):
            self._close(name)
        return self.columns.fields

    def column(self, names: Sequence[str]) -> Field:
        """The column a path begins with."""
        self._close(names[0])
        found = self.columns.named(names[0])
        if found is None:
            raise missing(names[:1], self.columns.names)
        return found

    def find(self, number: int) -> Field | None:
        """The column of this id, if it is still there."""
        found = self.columns.find(number)
        return found and self.column([found.name])

    def put_type(self, one: Field, kind: DataType) -> None:
        """Give a column this type."""
        self.columns.put(one, one.with_type(kind))

    # ---------------------------------------------------------------- ROWs

    def row(self, names: Sequence[str], *, adding: bool = False) -> FieldList:
        """The fields of the ROW that names[-1] is a field of, or is to be added to: to be changed."""
        opened = self._rows.get(names[0])
        if opened is None or opened.names != tuple(names[:-1]):
            found: list[FieldList] = []
            kind = self.column(names).type
            fields_edited(kind, names, partial(_looked_at, found), adding=adding)
            opened = self._rows[names[0]] = OpenRow(tuple(names[:-1]), found[0])
        return opened.fields

    def _close(self, column: str) -> None:
        """Put the ROW back into its column."""
        opened = self._rows.pop(column, None)
        found = self.columns.named(column)
        if opened and found:
            fields = opened.fields.fields
            self.put_type(found, fields_edited(found.type, (*opened.names, ""), lambda _: fields, adding=True))

    # ---------------------------------------------------------------- places and keys

    def first_partition_place(self) -> int:
        """Where the first partition column stands."""
        places = [self.columns.place_of(name) for name in self.old.partition_keys]
        return min((place for place in places if place is not None), default=len(self.columns))

    def note_type(self, column: Field, names: Sequence[str]) -> None:
        """Remember that the type at this path was changed, and by which change of the batch."""
        place = TypePlace(column.id, tuple(id_steps(column.type, names)), tuple(names))
        self.retyped[place.column, place.steps] = (self.number, place)

    def is_key(self, one: Field, keys: Sequence[str]) -> bool:
        """Whether the column is one of these keys of the old schema, whatever the batch has named it since."""
        return any(found.id == one.id for name in keys if (found := self.old.field(name)))


def _looked_at(found: list[FieldList], fields: tuple[Field, ...]) -> tuple[Field, ...]:
    found.append(FieldList(fields))
    return fields


def exists(names: Sequence[str]) -> ChangeError:
    """The error for a name that is taken."""
    return ChangeError("there is a column of this name.", code="column.already-exists", path=dotted(names), fix="Choose another name.")
