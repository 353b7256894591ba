"""Field ids: handed out once, never again, over the whole tree of columns and nested fields."""

from collections.abc import Iterable

from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.nested import Field, RowType, Wire, children, field, parts_of, rebuilt, row

# Ids from here on belong to Paimon's own columns, such as _SEQUENCE_NUMBER.
SYSTEM_IDS = 1_073_741_823


class FieldIds:
    """A counter that only goes up."""

    def __init__(self, highest: int) -> None:
        self.highest = highest

    def next(self) -> int:
        """The next id that was never used."""
        self.highest += 1
        return self.highest

    def assigned(self, kind: DataType) -> DataType:
        """The type with new ids for the fields inside it; the fields of a field before the field, as Java counts."""
        if isinstance(kind, RowType):
            fields = []
            for one in kind.fields:
                inner = self.assigned(one.type)
                fields.append(field(self.next(), one.name, inner, one.description, one.default))
            return row(fields).with_nullable(kind.nullable)
        return rebuilt(kind, [self.assigned(part) for _, part in children(kind)])


def numbered(kind: DataType) -> DataType:
    """The type with ids from 0, parents before their children: the spelling of a type that belongs to no table."""
    return kind if isinstance(kind, AtomicType) else _numbered(kind, FieldIds(-1))


def _numbered(kind: DataType, ids: FieldIds) -> DataType:
    if not isinstance(kind, RowType):
        return rebuilt(kind, [_numbered(part, ids) for _, part in children(kind)])
    fields = []
    for one in kind.fields:
        number = ids.next()
        fields.append(field(number, one.name, _numbered(one.type, ids), one.description, one.default))
    return row(fields).with_nullable(kind.nullable)


def all_ids(fields: Iterable[Field]) -> list[int]:
    """The ids of these fields and of all fields inside them."""
    ids: list[int] = []
    for one in fields:
        ids.append(one.id)
        if type(one.wire) is not str:
            _collect(one.wire, ids)
    return ids


def _collect(container: Wire, ids: list[int]) -> None:
    """The ids inside a container, in the order they are written. Not by `fold`: of wide tables, every column is asked."""
    if isinstance(container, RowType):
        for one in container.fields:
            ids.append(one.id)
            if type(one.wire) is not str:
                _collect(one.wire, ids)
        return
    for part in parts_of([container]):
        if type(part) is not str:
            _collect(part, ids)


def highest_id(fields: Iterable[Field]) -> int:
    """The largest id handed out to a user's field; -1 for none."""
    return max((number for number in all_ids(fields) if number < SYSTEM_IDS), default=-1)
