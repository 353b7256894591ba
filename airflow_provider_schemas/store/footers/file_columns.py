"""The columns of a file that no version explains, as a schema that can be compared with what is needed."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import count

from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import DataType, atomic
from airflow_provider_schemas.core.types.field_ids import highest_id
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, RowType, children, rebuilt, wire
from airflow_provider_schemas.store.footers.footer import Footer
from airflow_provider_schemas.store.footers.type_likeness import alike


def as_described(footer: Footer, head: TableSchema, folders: Iterable[str], contract: Contract, known: Mapping[str, Field]) -> TableSchema:
    """The columns of the file and of its folders: with the ids and the types of the head, where a file does not show the difference.

    Spark finds a column whatever the case of its name, so that one is called as the table or the job calls it. Known are the
    columns of which it is known what they are, by their names in the file: there a name of the head may be that of another column,
    and inside of a struct that of another field.
    """
    spelled = _spellings(head, contract)
    names = {one.name for one in footer.columns}
    found: dict[str, Field] = {}
    numbers = count(max(head.highest_field_id, highest_id(known.values()), 0) + 1)
    for one in footer.held:
        name = one.name if one.name in spelled.values() else spelled.get(one.name.lower(), one.name)
        if name != one.name and name in names:
            name = one.name
        meant = known.get(one.name)
        ours = head.field(name) if meant is None else head.column(meant.id)
        found.setdefault(name, _column(one, name, ours, meant, numbers))
    taken = {one.id for one in found.values()}
    for name in [*footer.nothing, *folders]:  # a column without a value is NULL, and a folder is typed by whoever reads it
        ours = head.field(spelled.get(name.lower(), name))
        if ours is not None and ours.id not in taken:
            found.setdefault(ours.name, Field(ours.id, ours.name, ours.wire))
    fields = tuple(found.values())
    keys = tuple(one for one in head.partition_keys if one in found)
    return TableSchema(fields, max(head.highest_field_id, highest_id(fields)), partition_keys=keys)


def _spellings(head: TableSchema, contract: Contract) -> dict[str, str]:
    """Names as the table has them, else as the job does, by their small letters."""
    asked = {one.name.lower(): one.name for one in contract.columns if "." not in one.name}
    return asked | {one.name.lower(): one.name for one in head.fields}


def _column(one: Field, name: str, ours: Field | None, meant: Field | None, numbers: Iterator[int]) -> Field:
    """The column under this name: as ours, if there is one; with the ids of what it is known to be."""
    inside = None if meant is None else meant.type
    if ours is None:
        return Field(next(numbers) if meant is None else meant.id, name, wire(_numbered(one.type, None, inside, numbers)))
    same = alike(one.type, ours.type, ids=False) and (inside is None or alike(inside, ours.type))
    kind = ours.type.with_nullable(True) if same else _numbered(one.type, ours.type, inside, numbers)
    return Field(ours.id, name, wire(kind))


def _numbered(kind: DataType, ours: DataType | None, meant: DataType | None, numbers: Iterator[int]) -> DataType:
    """The type, in which fields bear the ids of what they are known to be; else those that ours of the same names bear, or new ones."""
    if isinstance(kind, RowType):
        there, known = _by_name(ours), _by_name(meant)
        fields = (_numbered_field(one, there.get(one.name), known.get(one.name), numbers) for one in kind.fields)
        return type(kind)(tuple(fields))
    parts = [part for _, part in children(kind)]
    others, insides = _children(ours, len(parts)), _children(meant, len(parts))
    return rebuilt(kind, [_numbered(*three, numbers) for three in zip(parts, others, insides, strict=True)])


def _by_name(kind: DataType | None) -> dict[str, Field]:
    return {one.name: one for one in kind.fields} if isinstance(kind, RowType) else {}


def _children(kind: DataType | None, many: int) -> list[DataType | None]:
    """So many parts of a type; None for each that it does not have."""
    parts: list[DataType | None] = [] if kind is None else [part for _, part in children(kind)]
    return [*parts[:many], *[None] * (many - len(parts))]


def _numbered_field(one: Field, ours: Field | None, meant: Field | None, numbers: Iterator[int]) -> Field:
    inside = None if meant is None else meant.type
    if meant is not None and meant.id >= 0:
        same = ours if ours is not None and ours.id == meant.id else None
        return Field(meant.id, one.name, wire(_numbered(one.type, None if same is None else same.type, inside, numbers)))
    number = next(numbers) if ours is None else ours.id
    return Field(number, one.name, wire(_numbered(one.type, None if ours is None else ours.type, inside, numbers)))


# ---------------------------------------------------------------- timestamps of ORC


def meant_timestamps(footer: Footer, head: TableSchema) -> Footer:
    """The footer of an ORC file, whose TIMESTAMP is of the kind that the table says; else with a time zone, as Spark reads it."""
    columns = tuple(_meant_fields(footer.columns, head.fields))
    return Footer(columns, footer.key, footer.stamped, footer.partly)


def _meant_fields(there: tuple[Field, ...], ours: tuple[Field, ...]) -> Iterator[Field]:
    by_name = {one.name: one.type for one in ours}
    for one in there:
        yield Field(one.id, one.name, wire(_meant(one.type, by_name.get(one.name))))


def _meant(there: DataType, ours: DataType | None) -> DataType:
    if there.root is Root.TIMESTAMP and (ours is None or ours.root is Root.TIMESTAMP_LTZ):
        return atomic(Root.TIMESTAMP_LTZ, precision=6).with_nullable(there.nullable)
    if isinstance(there, RowType):
        fields = ours.fields if isinstance(ours, RowType) else ()
        return type(there)(tuple(_meant_fields(there.fields, fields)))
    if isinstance(there, ArrayType):
        return rebuilt(there, [_meant(there.element, ours.element if isinstance(ours, ArrayType) else None)])
    if isinstance(there, MapType):
        key, value = (ours.key, ours.value) if isinstance(ours, MapType) else (None, None)
        return rebuilt(there, [_meant(there.key, key), _meant(there.value, value)])
    return there
