"""To which fields inside of a column a contract is pinned: by paths such as `r.a` or `r.element.a`, as columns are by their names."""

from collections.abc import Iterator, Mapping

from airflow_provider_schemas.core.difference import word
from airflow_provider_schemas.core.schema.field_names import FieldNames
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.nested import Field, RowType, children, rebuilt, wire


def inner_pins(path: str, mine: DataType, theirs: DataType | None, known: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Yield the fields that a type of a job means: those that are known, and for the rest whatever bears the name in the table's type."""
    if isinstance(mine, AtomicType):
        return
    if not isinstance(mine, RowType):
        parts = dict(children(theirs)) if theirs is not None and theirs.root is mine.root else {}
        for step, part in children(mine):
            yield from inner_pins(f"{path}.{step}", part, parts.get(step), known)
        return
    fields = theirs.fields if isinstance(theirs, RowType) else ()
    names, numbers = FieldNames(fields), {field.id: field for field in fields}
    for one in mine.fields:
        place = f"{path}.{word(one.name)}"
        meant = numbers.get(known[place]) if place in known else names.in_any_case(one.name)
        number = known.get(place, None if meant is None else meant.id)
        if number is not None:
            yield place, number
        yield from inner_pins(place, one.type, None if meant is None else meant.type, known)


def by_column(pins: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """Return the pins inside of each column, and of each field that a contract may name by its path."""
    found: dict[str, dict[str, int]] = {}
    for path, number in pins.items():
        for place, sign in enumerate(path):
            if sign == ".":
                found.setdefault(path[:place], {})[path] = number
    return found


def as_pinned(path: str, kind: DataType, pins: Mapping[str, int]) -> DataType:
    """Return the type with the ids of the fields that are meant; fields of which that is not known are left out."""
    if isinstance(kind, AtomicType):
        return kind
    if not isinstance(kind, RowType):
        return rebuilt(kind, [as_pinned(f"{path}.{step}", part, pins) for step, part in children(kind)])
    places = ((one, f"{path}.{word(one.name)}") for one in kind.fields)
    known = ((one, place) for one, place in places if place in pins)
    return type(kind)(tuple(Field(pins[place], one.name, wire(as_pinned(place, one.type, pins))) for one, place in known))
