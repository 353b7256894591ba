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
        """Return the next id that was never used."""
        self.highest += 1
        return self.highest

    def assigned(self, kind: DataType) -> DataType:
        """Return the type with new ids for the fields inside it; the fields of a field before the field, as Java counts."""
        if isinstance(kind, RowType):
            fields = []
            for old in kind.fields:
                inner = self.assigned(old.type)
                fields.append(field(self.next(), old.name, inner, old.description, old.default))
            return row(fields).with_nullable(kind.nullable)
        return rebuilt(kind, [self.assigned(part) for _, part in children(kind)])


def numbered(kind: DataType) -> DataType:
    """Return the type with ids from 0, parents before their children: the spelling of a type that belongs to no table."""
    if isinstance(kind, AtomicType):
        return kind
    return _number_fields(kind, FieldIds(-1))


def _number_fields(kind: DataType, ids: FieldIds) -> DataType:
    if not isinstance(kind, RowType):
        return rebuilt(kind, [_number_fields(part, ids) for _, part in children(kind)])
    fields = []
    for old in kind.fields:
        number = ids.next()
        fields.append(field(number, old.name, _number_fields(old.type, ids), old.description, old.default))
    return row(fields).with_nullable(kind.nullable)


def all_ids(fields: Iterable[Field]) -> list[int]:
    """Return the ids of these fields and of all fields inside them."""
    ids: list[int] = []
    _collect_ids(fields, ids)
    return ids


def _collect_ids(fields: Iterable[Field], ids: list[int]) -> None:
    for column in fields:
        ids.append(column.id)
        if type(column.wire) is not str:
            _collect_ids_inside(column.wire, ids)


def _collect_ids_inside(container: Wire, ids: list[int]) -> None:
    """Collect the ids inside a container, in the order they are written. Not by `fold`, which is slower: wide tables have many columns."""
    if isinstance(container, RowType):
        _collect_ids(container.fields, ids)
        return
    for part in parts_of([container]):
        if type(part) is not str:
            _collect_ids_inside(part, ids)


def highest_id(fields: Iterable[Field]) -> int:
    """Return the largest id handed out to a user's field; -1 for none."""
    return max((number for number in all_ids(fields) if number < SYSTEM_IDS), default=-1)
