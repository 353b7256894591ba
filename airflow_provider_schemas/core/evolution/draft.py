"""The working copy of a schema while a batch of changes is applied to it.

A change costs little however wide the table, or the ROWs that it goes into. The old schema stays at hand:
Paimon asks its options and key lists, not those of the batch, what is allowed.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from airflow_provider_schemas.core.changes.field_paths import (
    closed,
    containers,
    dotted,
    edited,
    missing,
    no_row,
    row_within,
    with_fields,
    within,
)
from airflow_provider_schemas.core.schema.comment_directives import ListedColumn, listed
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.field_ids import FieldIds
from airflow_provider_schemas.core.types.nested import Field, RowType
from airflow_provider_schemas.errors import ChangeError

Steps = tuple[int | str, ...]

_FEW = 10


class TypePlace(NamedTuple):
    """Where a type stands: by ids, which outlive renames, and by the names of the change that touched it."""

    column: int
    steps: Steps
    names: tuple[str, ...]


class FieldList:
    """Fields in the making, in order, found at once by name and by id: the columns of a table, or the fields of one ROW.

    Each has a slot, which outlives its name: files may claim ids that are taken. The ROW that a field holds, itself or in
    ARRAYs and MAPs, may be open: its fields are then such a list, and are put back when somebody asks for the whole field.
    """

    def __init__(self, fields: Sequence[Field]) -> None:
        self._slots = list(fields)
        self._order = list(range(len(fields)))
        self._names = dict(zip([one.name for one in fields], self._order, strict=True))
        self._ids = dict(zip([one.id for one in fields], self._order, strict=True))
        self._gone: set[int] = set()  # still in the order
        self._open: dict[int, FieldList] = {}

    @property
    def ambiguous(self) -> bool:
        """Whether two of them have one name or id."""
        return not len(self._ids) == len(self._names) == len(self._order)

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields, in order."""
        for slot in list(self._open):
            self._close(slot)
        return tuple([self._slots[slot] for slot in self._settled()])

    @property
    def names(self) -> list[str]:
        """Their names, in order."""
        return [self._slots[slot].name for slot in self._settled()]

    def __len__(self) -> int:
        return len(self._order) - len(self._gone)

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def named(self, name: str) -> Field | None:
        """The field of this name. If its ROW is open, what changed inside that is not in it yet."""
        slot = self._names.get(name)
        return None if slot is None else self._slots[slot]

    def field(self, name: str) -> Field:
        """Likewise, of a name that is known to be there."""
        return self._slots[self._names[name]]

    def whole(self, name: str) -> Field | None:
        """The field of this name, with all that changed inside it."""
        slot = self._names.get(name)
        return None if slot is None else self._close(slot)

    def opened(self, name: str) -> "FieldList | None":
        """The fields of the ROW that the field of this name holds, to be changed."""
        slot = self._names[name]
        if slot not in self._open:
            row = row_within(self._slots[slot].type)
            if row is None:
                return None
            self._open[slot] = FieldList(row.fields)
        return self._open[slot]

    def _close(self, slot: int) -> Field:
        """Put the ROW back into its field."""
        inside = self._open.pop(slot, None)
        if inside is not None:
            one = self._slots[slot]
            self._slots[slot] = one.with_type(with_fields(one.type, inside.fields))
        return self._slots[slot]

    def find(self, number: int) -> Field | None:
        """The field of this id, with all that changed inside it."""
        slot = self._ids.get(number)
        return None if slot is None else self._close(slot)

    def place_of(self, name: str) -> int | None:
        """Where the field of this name stands."""
        slot = self._names.get(name)
        return None if slot is None else self._settled().index(slot)

    def put(self, before: Field, after: Field) -> None:
        """Put a field of the same id in the place of one that is there; a ROW that is open stays so."""
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
        if place is None:
            self._order.append(slot)
        else:
            self._settled().insert(place, slot)

    def remove(self, one: Field) -> None:
        """Take a field out."""
        slot = self._names.pop(one.name)
        self._gone.add(slot)
        self._open.pop(slot, None)
        if self._ids.get(one.id) == slot:
            del self._ids[one.id]

    def move(self, one: Field, place: int) -> None:
        """Put a field at this place among the others."""
        slot = self._names[one.name]
        self._settled().remove(slot)
        self._order.insert(place, slot)

    def _settled(self) -> list[int]:
        """The order without those that are gone, which leave it together: to find one of them takes a look at the others."""
        if len(self._gone) > _FEW:
            self._order = [slot for slot in self._order if slot not in self._gone]
        else:
            for slot in self._gone:
                self._order.remove(slot)
        self._gone.clear()
        return self._order


class Spot(NamedTuple):
    """Where a path leads: to a field, or through ARRAYs and MAPs to a type inside it."""

    fields: FieldList
    name: str
    inside: int
    """How many ARRAYs and MAPs are around the type."""
    steps: Steps
    """The path from the column by ids, which outlive renames: ids of fields, words of containers."""

    @property
    def field(self) -> Field:
        """The field; see FieldList.named."""
        return self.fields.field(self.name)

    @property
    def type(self) -> DataType:
        """The type; if it holds a ROW that is open, what changed inside that is not in it yet."""
        return within(self.field.type, self.inside)

    def close(self) -> "Spot":
        """The same, with all that changed inside it."""
        self.fields.whole(self.name)
        return self

    def put(self, kind: DataType) -> None:
        """Put a type here: of the same fields, or after close()."""
        one = self.field
        self.fields.put(one, one.with_type(edited(one.type, self.inside, lambda _: kind)))


class Draft:
    """A schema in the making.

    ROWs that changes go into stay open, see FieldList. Likewise columns are listed in options, and taken off the lists,
    when somebody asks for these: a batch may add or drop thousands.
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
        self.listings: list[ListedColumn] = []
        self.columns = FieldList(old.fields)
        self._options = dict(old.options)

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

    def forget(self, keys: Iterable[str]) -> None:
        """Take these options away; none of them lists columns."""
        for key in keys:
            self._options.pop(key, None)

    @property
    def fields(self) -> tuple[Field, ...]:
        """The columns, in order."""
        return self.columns.fields

    def column(self, names: Sequence[str]) -> Field:
        """The column a path begins with, with all that changed inside it."""
        found = self.columns.whole(names[0])
        if found is None:
            raise missing(names[:1], self.columns.names)
        return found

    def find(self, number: int) -> Field | None:
        """The column of this id, if it is still there."""
        return self.columns.find(number)

    # ---------------------------------------------------------------- paths

    def spot(self, names: Sequence[str]) -> Spot:
        """Where a path leads."""
        fields, depth, steps = self.columns, 1, list[int | str]()
        if names[0] not in fields:
            raise missing(names[:1], fields.names)
        while True:
            kind = fields.field(names[depth - 1]).type
            inside = containers(kind, names, depth)
            steps += names[depth : depth + inside]
            if depth + inside == len(names):
                return Spot(fields, names[depth - 1], inside, tuple(steps))
            row = fields.opened(names[depth - 1])
            depth += inside
            if row is None:
                raise closed(within(kind, inside), names, depth)
            if names[depth] not in row:
                raise missing(names[: depth + 1], row.names)
            steps.append(row.field(names[depth]).id)
            fields, depth = row, depth + 1

    def row(self, names: Sequence[str], *, adding: bool = False) -> FieldList:
        """The fields of the ROW that names[-1] is a field of, or is to be added to: to be changed."""
        around = self.spot(names[:-1])
        row = around.fields.opened(around.name) if isinstance(around.type, RowType) else None
        if row is None:
            raise no_row(around.close().type, names, adding=adding)
        return row

    # ---------------------------------------------------------------- places and keys

    def first_partition_place(self) -> int:
        """Where the first partition column stands."""
        places = [self.columns.place_of(name) for name in self.old.partition_keys]
        return min((place for place in places if place is not None), default=len(self.columns))

    def note_type(self, spot: Spot, names: Sequence[str]) -> None:
        """Remember that the type here was changed, and by which change of the batch."""
        place = TypePlace(self.columns.field(names[0]).id, spot.steps, tuple(names))
        self.retyped[place.column, place.steps] = (self.number, place)

    @cached_property
    def indexed(self) -> Mapping[str, str]:
        """The columns that an index of the primary key is on, each with the option that says so."""
        found: dict[str, str] = {}
        for key, value in self.old.options.items():
            if key.startswith("pk-") and key.endswith(".index.columns"):
                found |= {one.strip(): key for one in value.split(",") if one.strip() not in found}
        return found

    def is_key(self, one: Field, keys: Sequence[str]) -> bool:
        """Whether the column is one of these keys of the old schema, whatever the batch has named it since."""
        return any(found.id == one.id for name in keys if (found := self.old.field(name)))


def exists(names: Sequence[str]) -> ChangeError:
    """The error for a name that is taken."""
    return ChangeError("there is a column of this name.", code="column.already-exists", path=dotted(names), fix="Choose another name.")
