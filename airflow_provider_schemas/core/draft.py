"""The working copy of a schema while a batch of changes is applied to it.

Columns are kept by id, so that each change costs little however wide the table is. The old schema
stays at hand: Paimon asks its options and key lists, not those of the batch, what is allowed.
"""

from collections.abc import Sequence
from typing import NamedTuple

from airflow_provider_schemas.core.atoms import DataType
from airflow_provider_schemas.core.ids import FieldIds
from airflow_provider_schemas.core.paths import dotted, id_steps, missing
from airflow_provider_schemas.core.schema import TableSchema
from airflow_provider_schemas.core.types import Field
from airflow_provider_schemas.errors import ChangeError

Steps = tuple[int | str, ...]


class TypePlace(NamedTuple):
    """Where a type stands: by ids, which outlive renames, and by the names of the change that touched it."""

    column: int
    steps: Steps
    names: tuple[str, ...]


class Draft:
    """A schema in the making."""

    def __init__(self, old: TableSchema, *, has_snapshots: bool, history: Sequence[TableSchema]) -> None:
        self.old = old
        self.has_snapshots = has_snapshots
        self.history = history
        self.options = dict(old.options)
        self.comment = old.comment
        self.primary_keys = old.primary_keys
        self.partition_keys = old.partition_keys
        self.ids = FieldIds(old.highest_field_id)
        self.renames: dict[str, str] = {}
        self.number = 0  # of the change that is being applied
        self.retyped: dict[tuple[int, Steps], tuple[int, TypePlace]] = {}
        self._columns = {one.id: one for one in old.fields}
        self._order = [one.id for one in old.fields]
        self._named = {one.name: one.id for one in old.fields}

    @property
    def ambiguous(self) -> bool:
        """Whether two columns have one name or id."""
        return not len(self._columns) == len(self._named) == len(self._order)

    @property
    def fields(self) -> tuple[Field, ...]:
        """The columns, in order."""
        return tuple([self._columns[number] for number in self._order])

    @property
    def names(self) -> list[str]:
        """The names of the columns, in order."""
        return [self._columns[number].name for number in self._order]

    def __len__(self) -> int:
        return len(self._order)

    def __contains__(self, name: str) -> bool:
        return name in self._named

    def column(self, names: Sequence[str]) -> Field:
        """The column a path begins with."""
        number = self._named.get(names[0])
        if number is None:
            raise missing(names[:1], self.names)
        return self._columns[number]

    def put(self, one: Field) -> None:
        """Put a column of the same id in the place of the one that was there."""
        before = self._columns[one.id]
        if before.name != one.name:
            del self._named[before.name]
            self._named[one.name] = one.id
        self._columns[one.id] = one

    def put_type(self, one: Field, kind: DataType) -> None:
        """Give a column this type."""
        self.put(one.with_type(kind))

    def insert(self, one: Field, place: int | None) -> None:
        """Add a column at this place, or at the end."""
        self._columns[one.id] = one
        self._named[one.name] = one.id
        self._order.insert(len(self._order) if place is None else place, one.id)

    def remove(self, one: Field) -> None:
        """Take a column out."""
        del self._columns[one.id], self._named[one.name]
        self._order.remove(one.id)

    def place_of(self, name: str) -> int | None:
        """Where a column stands."""
        number = self._named.get(name)
        return None if number is None else self._order.index(number)

    def move(self, one: Field, place: int) -> None:
        """Put a column at this place among the others."""
        self._order.remove(one.id)
        self._order.insert(place, one.id)

    def first_partition_place(self) -> int:
        """Where the first partition column stands."""
        places = [self.place_of(name) for name in self.old.partition_keys]
        return min((place for place in places if place is not None), default=len(self._order))

    def find(self, number: int) -> Field | None:
        """The column of this id, if it is still there."""
        return self._columns.get(number)

    def note_type(self, column: Field, names: Sequence[str]) -> None:
        """Remember that the type at this path was changed, and by which change of the batch."""
        place = TypePlace(column.id, tuple(id_steps(column.type, names)), tuple(names))
        self.retyped[place.column, place.steps] = (self.number, place)

    def is_key(self, one: Field, keys: Sequence[str]) -> bool:
        """Whether the column is one of these keys of the old schema, whatever the batch has named it since."""
        return any(found.id == one.id for name in keys if (found := self.old.field(name)))


def exists(names: Sequence[str]) -> ChangeError:
    """The error for a name that is taken."""
    return ChangeError("there is a column of this name.", code="column.already-exists", path=dotted(names), fix="Choose another name.")
