"""The ids of the fields inside a column that a contract is pinned to, by paths such as `r.a` or `r.element.a`."""

from collections.abc import Iterator, Mapping

from airflow_provider_schemas.core.contracts.field_match import fields_of
from airflow_provider_schemas.core.difference import word
from airflow_provider_schemas.core.schema.field_names import FieldNames
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.nested import Field, RowType, children, rebuilt, wire


def inner_pins(path: str, mine: DataType, theirs: DataType | None, known: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Yield the fields that a type of a job means: those that are known, and for the rest the field of that name in the table's type."""
    if isinstance(mine, AtomicType):
        return
    if not isinstance(mine, RowType):
        parts: Mapping[str, DataType] = {}
        if theirs is not None and theirs.root is mine.root:
            parts = dict(children(theirs))
        for step, part in children(mine):
            yield from inner_pins(f"{path}.{step}", part, parts.get(step), known)
        return
    fields = fields_of(theirs)
    names = FieldNames(fields)
    by_id = {field.id: field for field in fields}
    for field in mine.fields:
        field_path = f"{path}.{word(field.name)}"
        meant = by_id.get(known[field_path]) if field_path in known else names.in_any_case(field.name)
        if field_path in known:
            yield field_path, known[field_path]
        elif meant is not None:
            yield field_path, meant.id
        yield from inner_pins(field_path, field.type, None if meant is None else meant.type, known)


def by_column(pins: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """Return the pins inside of each column, and of each field that a contract may name by its path."""
    columns: dict[str, dict[str, int]] = {}
    for path, number in pins.items():
        for place, sign in enumerate(path):
            if sign == ".":
                columns.setdefault(path[:place], {})[path] = number
    return columns


def as_pinned(path: str, kind: DataType, pins: Mapping[str, int]) -> DataType:
    """Return the type with the ids of the fields that are meant; fields of which that is not known are left out."""
    if isinstance(kind, AtomicType):
        return kind
    if not isinstance(kind, RowType):
        return rebuilt(kind, [as_pinned(f"{path}.{step}", part, pins) for step, part in children(kind)])
    fields: list[Field] = []
    for field in kind.fields:
        field_path = f"{path}.{word(field.name)}"
        if field_path in pins:
            fields.append(Field(pins[field_path], field.name, wire(as_pinned(field_path, field.type, pins))))
    return type(kind)(tuple(fields))
