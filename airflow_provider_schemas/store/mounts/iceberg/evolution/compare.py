"""Is the schema that pyiceberg has staged the one that was judged?

Columns that are there are compared by id, new ones by name and type: Iceberg numbers elements, keys and values as well, so that the
ids of new columns are the peer's to give. Any other difference stops the commit.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from airflow_provider_schemas.core.schema.foreign_attributes import ELEMENT_IDS
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import Field, MapType, RowType, children
from airflow_provider_schemas.errors import ChangeError

_NEW: Final = "new"
_SHOWN: Final = 5

_FIX: Final = "Nothing was changed. Make the plan again; if it says the same, tell the maintainers of this library."


def check_as_judged(base: TableSchema, judged: TableSchema, staged: TableSchema, last_column_id: int) -> None:
    """Raise a ChangeError if the staged schema is not the judged one, or gives a field an id that was used before."""
    known = set(all_ids(base))
    faults = [*_differences(known, judged, staged), *_moved_elements(base, staged)]
    used = [number for number in all_ids(staged) if number not in known and number <= last_column_id]
    if used:
        faults.append(f"ids that were given before are given again: {_listed(map(str, used))}")
    if faults:
        message = f"pyiceberg makes another schema of these changes than the one that was judged: {'; '.join(faults)}."
        raise ChangeError(message, code="iceberg.not-as-judged", fix=_FIX)


def all_ids(schema: TableSchema) -> Iterator[int]:
    """Yield the ids of all fields, and of the elements, keys and values of lists and maps."""
    for field in schema.fields:
        yield from _field_ids(field)
        yield from element_ids(schema, field.id).values()


def _field_ids(field: Field) -> Iterator[int]:
    yield field.id
    yield from _inner_ids(field.type)


def _inner_ids(kind: DataType) -> Iterator[int]:
    if isinstance(kind, RowType):
        for field in kind.fields:
            yield from _field_ids(field)
        return
    for _, part in children(kind):
        yield from _inner_ids(part)


def element_ids(schema: TableSchema, number: int) -> Mapping[str, int]:
    """Return the ids of elements, keys and values inside a column."""
    value = schema.attributes(number).get(ELEMENT_IDS)
    return value if isinstance(value, Mapping) else {}


# ---------------------------------------------------------------- what differs


def _differences(known: set[int], judged: TableSchema, staged: TableSchema) -> Iterator[str]:
    wanted = [_field(judged, field, known) for field in judged.fields]
    made = [_field(staged, field, known) for field in staged.fields]
    if wanted == made:
        return
    wanted_names = [field.name for field in judged.fields]
    made_names = [field.name for field in staged.fields]
    if wanted_names != made_names:
        yield f"judged were the columns {_listed(wanted_names)}, and staged are {_listed(made_names)}"
        return
    for name, ours, theirs in zip(wanted_names, wanted, made, strict=True):
        if ours != theirs:
            yield f"{name!r} was judged as {_shown(judged, name)}, and is staged as {_shown(staged, name)}"


def _shown(schema: TableSchema, name: str) -> str:
    field = schema.field(name)
    return "nothing" if field is None else f"{field.type} (id {field.id})"


def _field(schema: TableSchema, field: Field, known: set[int]) -> Any:
    """Return all that counts of a field; the ids of new fields and of elements do not."""
    number = field.id if field.id in known else _NEW
    attributes = {key: value for key, value in schema.attributes(field.id).items() if key != ELEMENT_IDS}
    return (number, field.name, _type(schema, field.type, known), field.description, field.default, attributes)


def _type(schema: TableSchema, kind: DataType, known: set[int]) -> Any:
    if isinstance(kind, RowType):
        return ("ROW", kind.nullable, [_field(schema, field, known) for field in kind.fields])
    parts = children(kind)
    if not parts:
        return str(kind)
    if isinstance(kind, MapType):  # in Iceberg, a key is never NULL, whether or not somebody says so
        parts = [("key", kind.key.with_nullable(False)), ("value", kind.value)]
    return (kind.root.name, kind.nullable, [_type(schema, part, known) for _, part in parts])


def _moved_elements(base: TableSchema, staged: TableSchema) -> Iterator[str]:
    """Yield the columns whose elements, keys or values have another id than before: old data would not be found."""
    for field in base.fields:
        before = element_ids(base, field.id)
        now = element_ids(staged, field.id)
        moved = [path for path, number in before.items() if now.get(path, number) != number]
        if moved:
            yield f"in {field.name!r}, the ids of {_listed(moved)} differ from before"
        other = [path for path, number in now.items() if path in before and staged.attributes(number) != base.attributes(number)]
        if other:
            yield f"in {field.name!r}, {_listed(other)} mean something else than before"


def _listed(texts: Any) -> str:
    found = list(texts)
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return f"{', '.join(found[:_SHOWN])}{more}"
