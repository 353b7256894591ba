"""The columns of a file that no version explains, as a schema that can be compared with what a job needs."""

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
    """Return the columns of the file and of its folders, with the ids and the types of the head where a file does not show the difference.

    Spark finds a column whatever the case of its name, so the column gets the name that the table or the job uses. `known` are the
    columns of which it is known what they are, by their names in the file: there a name of the head may be that of another column,
    and inside of a struct that of another field.
    """
    spellings = _spellings(head, contract)
    spelled = frozenset(spellings.values())
    names = footer.names
    numbers = count(max(head.highest_field_id, highest_id(known.values()), 0) + 1)
    columns: dict[str, Field] = {}
    for column in footer.held:
        name = column.name if column.name in spelled else spellings.get(column.name.lower(), column.name)
        if name in names:  # another column of the file is spelled so
            name = column.name
        meant = known.get(column.name)
        ours = head.field(name) if meant is None else head.column(meant.id)
        columns.setdefault(name, _column(column, name, ours, meant, numbers))
    taken = {column.id for column in columns.values()}
    for name in [*footer.nothing, *folders]:  # a column without a value is NULL, and the reader of a folder decides on its type
        ours = head.field(spellings.get(name.lower(), name))
        if ours is not None and ours.id not in taken:
            columns.setdefault(ours.name, Field(ours.id, ours.name, ours.wire))
    fields = tuple(columns.values())
    keys = tuple(key for key in head.partition_keys if key in columns)
    return TableSchema(fields, max(head.highest_field_id, highest_id(fields)), partition_keys=keys)


def _spellings(head: TableSchema, contract: Contract) -> dict[str, str]:
    """Return the names in lower case, each with the name as the table spells it, else as the job does."""
    in_contract = {column.name.lower(): column.name for column in contract.columns if "." not in column.name}
    return in_contract | {column.name.lower(): column.name for column in head.fields}


def _column(there: Field, name: str, ours: Field | None, meant: Field | None, numbers: Iterator[int]) -> Field:
    """Return the column of a file under this name: as ours, if there is one; with the ids of the column that it is known to be."""
    inside = _type_of(meant)
    if ours is None:
        number = next(numbers) if meant is None else meant.id
        return Field(number, name, wire(_with_ids(there.type, None, inside, numbers)))
    same = alike(there.type, ours.type, ids=False) and (inside is None or alike(inside, ours.type))
    kind = ours.type.with_nullable(True) if same else _with_ids(there.type, ours.type, inside, numbers)
    return Field(ours.id, name, wire(kind))


def _with_ids(kind: DataType, ours: DataType | None, meant: DataType | None, numbers: Iterator[int]) -> DataType:
    """Return the type with ids: those of the fields they are known to be, else those of our fields of the same names, else new ones."""
    if isinstance(kind, RowType):
        by_name = _fields_of(ours)
        known = _fields_of(meant)
        fields = (_field_with_id(there, by_name.get(there.name), known.get(there.name), numbers) for there in kind.fields)
        return type(kind)(tuple(fields))
    parts = [part for _, part in children(kind)]
    our_parts = _parts_of(ours, len(parts))
    meant_parts = _parts_of(meant, len(parts))
    return rebuilt(kind, [_with_ids(*three, numbers) for three in zip(parts, our_parts, meant_parts, strict=True)])


def _field_with_id(there: Field, ours: Field | None, meant: Field | None, numbers: Iterator[int]) -> Field:
    if meant is not None and meant.id >= 0:
        same = ours if ours is not None and ours.id == meant.id else None
        return Field(meant.id, there.name, wire(_with_ids(there.type, _type_of(same), meant.type, numbers)))
    number = next(numbers) if ours is None else ours.id
    return Field(number, there.name, wire(_with_ids(there.type, _type_of(ours), _type_of(meant), numbers)))


def _type_of(field: Field | None) -> DataType | None:
    return None if field is None else field.type


def _fields_of(kind: DataType | None) -> dict[str, Field]:
    if not isinstance(kind, RowType):
        return {}
    return {field.name: field for field in kind.fields}


def _parts_of(kind: DataType | None, number: int) -> list[DataType | None]:
    """Return so many parts of a type; None for each that it does not have."""
    if kind is None:
        return [None] * number
    parts = [part for _, part in children(kind)][:number]
    return [*parts, *[None] * (number - len(parts))]


# ---------------------------------------------------------------- timestamps of ORC


def meant_timestamps(footer: Footer, head: TableSchema) -> Footer:
    """Return the footer of an ORC file with TIMESTAMPs of the kind that the table says, else with a time zone, as Spark reads them."""
    columns = tuple(_meant_fields(footer.columns, head.fields))
    return Footer(columns, footer.key, footer.stamped, footer.partly)


def _meant_fields(there: tuple[Field, ...], ours: tuple[Field, ...]) -> Iterator[Field]:
    types = {field.name: field.type for field in ours}
    for field in there:
        yield Field(field.id, field.name, wire(_meant_type(field.type, types.get(field.name))))


def _meant_type(there: DataType, ours: DataType | None) -> DataType:
    if there.root is Root.TIMESTAMP and (ours is None or ours.root is Root.TIMESTAMP_LTZ):
        return atomic(Root.TIMESTAMP_LTZ, precision=6).with_nullable(there.nullable)
    if isinstance(there, RowType):
        fields = ours.fields if isinstance(ours, RowType) else ()
        return type(there)(tuple(_meant_fields(there.fields, fields)))
    if isinstance(there, ArrayType):
        element = ours.element if isinstance(ours, ArrayType) else None
        return rebuilt(there, [_meant_type(there.element, element)])
    if isinstance(there, MapType) and isinstance(ours, MapType):
        return rebuilt(there, [_meant_type(there.key, ours.key), _meant_type(there.value, ours.value)])
    if isinstance(there, MapType):
        return rebuilt(there, [_meant_type(there.key, None), _meant_type(there.value, None)])
    return there
