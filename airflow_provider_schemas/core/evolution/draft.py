"""The working copy of a schema while a batch of changes is applied to it.

A change costs little however wide the table, or the ROWs that it goes into. The old schema stays at hand:
its options and key lists, not those of the batch, decide in Paimon what is allowed.
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
    within,
)
from airflow_provider_schemas.core.evolution.field_list import FieldList
from airflow_provider_schemas.core.schema.comment_directives import ListedColumn, listed
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.field_ids import FieldIds
from airflow_provider_schemas.core.types.nested import Field, RowType
from airflow_provider_schemas.errors import ChangeError

Steps = tuple[int | str, ...]


class TypePlace(NamedTuple):
    """Where a type stands: by ids, which outlive renames, and by the names of the change that touched it."""

    column: int
    steps: Steps
    names: tuple[str, ...]


class PathTarget(NamedTuple):
    """What a path leads to: a field, or through ARRAYs and MAPs a type inside it."""

    fields: FieldList
    name: str
    inside: int
    """How many ARRAYs and MAPs are around the type."""
    steps: Steps
    """The path from the column by ids, which outlive renames: ids of fields, words of containers."""

    @property
    def field(self) -> Field:
        """Return the field; see FieldList.named."""
        return self.fields.field(self.name)

    @property
    def type(self) -> DataType:
        """Return the type; if it holds a ROW that is open, what changed inside that is not in it yet."""
        return within(self.field.type, self.inside)

    def close(self) -> "PathTarget":
        """Return the same target, with all that changed inside it."""
        self.fields.whole(self.name)
        return self

    def put(self, kind: DataType) -> None:
        """Put a type here: of the same fields, or after close()."""
        field = self.field
        self.fields.put(field, field.with_type(edited(field.type, self.inside, lambda _: kind)))


class Draft:
    """A schema while changes are applied to it.

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
        """Return whether two columns have one name or id."""
        return self.columns.ambiguous

    @property
    def options(self) -> dict[str, str]:
        """Return the options, which may be changed in place."""
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
        """Return the columns, in order."""
        return self.columns.fields

    def column(self, names: Sequence[str]) -> Field:
        """Return the column that a path begins with, with all that changed inside it."""
        column = self.columns.whole(names[0])
        if column is None:
            raise missing(names[:1], self.columns.names)
        return column

    def find(self, number: int) -> Field | None:
        """Return the column of this id, if it is still there."""
        return self.columns.find(number)

    # ---------------------------------------------------------------- paths

    def target(self, names: Sequence[str]) -> PathTarget:
        """Return what a path leads to."""
        fields = self.columns
        depth = 1
        steps: list[int | str] = []
        if names[0] not in fields:
            raise missing(names[:1], fields.names)
        while True:
            kind = fields.field(names[depth - 1]).type
            inside = containers(kind, names, depth)
            steps += names[depth : depth + inside]
            if depth + inside == len(names):
                return PathTarget(fields, names[depth - 1], inside, tuple(steps))
            row = fields.opened(names[depth - 1])
            depth += inside
            if row is None:
                raise closed(within(kind, inside), names, depth)
            if names[depth] not in row:
                raise missing(names[: depth + 1], row.names)
            steps.append(row.field(names[depth]).id)
            fields = row
            depth += 1

    def row(self, names: Sequence[str], *, adding: bool = False) -> FieldList:
        """Return the fields of the ROW that names[-1] is a field of, or is to be added to: to be changed."""
        around = self.target(names[:-1])
        if isinstance(around.type, RowType):
            row = around.fields.opened(around.name)
            if row is not None:
                return row
        raise no_row(around.close().type, names, adding=adding)

    # ---------------------------------------------------------------- places and keys

    def first_partition_place(self) -> int:
        """Return where the first partition column stands; the end, if there is none."""
        places = [self.columns.place_of(name) for name in self.old.partition_keys]
        return min((place for place in places if place is not None), default=len(self.columns))

    def note_type(self, target: PathTarget, names: Sequence[str]) -> None:
        """Remember that the type here was changed, and by which change of the batch."""
        place = TypePlace(self.columns.field(names[0]).id, target.steps, tuple(names))
        self.retyped[place.column, place.steps] = (self.number, place)

    @cached_property
    def indexed(self) -> Mapping[str, str]:
        """Return the columns that an index of the primary key is on, each with the option that says so."""
        indexed: dict[str, str] = {}
        for key, value in self.old.options.items():
            if key.startswith("pk-") and key.endswith(".index.columns"):
                for name in value.split(","):
                    indexed.setdefault(name.strip(), key)
        return indexed

    def is_key(self, column: Field, keys: Sequence[str]) -> bool:
        """Return whether the column is one of these keys of the old schema, whatever the batch has named it since."""
        return any(key.id == column.id for key in map(self.old.field, keys) if key is not None)


def exists(names: Sequence[str]) -> ChangeError:
    """Return the error for a name that is taken."""
    return ChangeError("there is a column of this name.", code="column.already-exists", path=dotted(names), fix="Choose another name.")
