"""A table's schema and a schema of Arrow: columns, ids, comments, and what is lost on the way, both ways."""

from collections.abc import Callable
from functools import partial

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types import nested
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType, atomic
from airflow_provider_schemas.core.types.field_ids import highest_id
from airflow_provider_schemas.core.types.kinds import MAX_LENGTH, VECTOR_ELEMENTS, Root
from airflow_provider_schemas.core.types.nested import Field, MapType, MultisetType, RowType, VectorType, children, rebuilt
from airflow_provider_schemas.errors import Fault, FormatError, collect
from airflow_provider_schemas.formats.arrow.model import (
    LISTS,
    PLAIN,
    ArrowField,
    ArrowKind,
    ArrowSchema,
    ArrowType,
    joined,
    list_of,
    map_of,
    struct_of,
)
from airflow_provider_schemas.formats.arrow.paimon_types import TO_ARROW, VARIANT, WHAT, leaf_of, leaf_text
from airflow_provider_schemas.formats.base import Loaded, Loss, table_losses, unknown_keys

FIELD_ID = "PARQUET:field_id"
DESCRIPTION = "description"
COMMENTS = (DESCRIPTION, "comment")
_LANGUAGE = "Arrow"

# ---------------------------------------------------------------- to Arrow


def of_table(schema: TableSchema) -> tuple[ArrowSchema, tuple[Loss, ...]]:
    """The schema as Arrow has it, and what Arrow has no place for."""
    losses = list(table_losses(schema, _LANGUAGE))
    return ArrowSchema(tuple(_field_of(one, one.name, losses) for one in schema.fields)), tuple(losses)


def _field_of(one: Field, path: str, losses: list[Loss]) -> ArrowField:
    if one.default is not None:
        losses.append(Loss(path, "default", "Arrow has no place for the default of a column."))
    kind = one.type
    metadata = [(FIELD_ID, str(one.id)), *([] if one.description is None else [(DESCRIPTION, one.description)])]
    return ArrowField(one.name, _type_of(kind, path, losses), kind.nullable, tuple(metadata))


def _type_of(kind: DataType, path: str, losses: list[Loss]) -> ArrowType:
    if isinstance(kind, AtomicType):
        return _leaf_of(kind, path, losses)
    if isinstance(kind, RowType):
        return struct_of(tuple(_field_of(one, joined(path, one.name), losses) for one in kind.fields))
    parts = [_type_of(part, f"{path}.{word}", losses) for word, part in children(kind)]
    if isinstance(kind, MapType):
        losses += _key_losses(kind.key, f"{path}.key")
        return map_of(ArrowField("key", parts[0], nullable=False), ArrowField("value", parts[1], kind.value.nullable))
    if isinstance(kind, MultisetType):
        losses.append(Loss(path, "type", "MULTISET becomes Arrow's map from the element to its count; it reads back as a MAP."))
        losses += _key_losses(kind.element, f"{path}.element")
        return map_of(ArrowField("key", parts[0], nullable=False), ArrowField("value", PLAIN[ArrowKind.INT32], nullable=False))
    (_, item), *_ = children(kind)
    if isinstance(kind, VectorType):
        return list_of(parts[0], item.nullable, ArrowKind.FIXED_SIZE_LIST, kind.length)
    return list_of(parts[0], item.nullable)


def _key_losses(key: DataType, path: str) -> list[Loss]:
    return [Loss(path, "nullability", "the keys of Arrow's maps are never null; it reads back as NOT NULL.")] if key.nullable else []


def _leaf_of(kind: AtomicType, path: str, losses: list[Loss]) -> ArrowType:
    arrow = TO_ARROW[kind.root](kind)
    back = atomic(Root.VARIANT) if arrow == VARIANT else leaf_of(arrow).type
    ours = kind.with_nullable(True)
    if back != ours:
        message = f"{ours} becomes Arrow's {leaf_text(arrow)}, which reads back as {back}."
        losses.append(Loss(path, WHAT[kind.root], message))
    return arrow


# ---------------------------------------------------------------- from Arrow


def to_table(schema: ArrowSchema) -> Loaded:
    """The schema of a table, and what a table has no place for; a FormatError names all that it cannot hold."""
    reader = _Reader()
    row = reader.row(schema.fields, "")
    if schema.metadata:
        reader.losses += unknown_keys("", {key for key, _ in schema.metadata}, "a table's schema")
    if reader.faults or row is None:
        raise FormatError.of(reader.faults)
    fields = reader.numbered(row).fields
    return Loaded(TableSchema(fields, highest_id(fields)), tuple(reader.losses))


class _Reader:
    """Reads types, and collects faults, losses and the ids that fields bring along."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.losses: list[Loss] = []
        self.ids: list[str | None] = []

    def field(self, one: ArrowField, path: str) -> Field | None:
        number = len(self.ids)
        said = dict(one.metadata)
        self.ids.append(said.get(FIELD_ID))
        self.losses += unknown_keys(path, said.keys() - {FIELD_ID, *COMMENTS}, "a table's schema")
        kind = self.type(one, path)
        comment = next((said[key] for key in COMMENTS if key in said), None)
        return None if kind is None else nested.field(number, one.name, kind, comment)

    def type(self, one: ArrowField, path: str) -> DataType | None:
        """The type of a field, with its nullability."""
        read = _CONTAINERS.get(one.type.kind, _Reader.leaf)
        kind = read(self, one.type, path)
        return None if kind is None else kind.with_nullable(one.nullable)

    def leaf(self, arrow: ArrowType, path: str) -> DataType | None:
        taken = collect(self.faults, partial(leaf_of, arrow), path)
        if taken is None:
            return None
        if taken.what:
            message = f"Arrow's {leaf_text(arrow)} becomes {taken.type}, and is not written as it was."
            self.losses.append(Loss(path, taken.what, message))
        answer: DataType = taken.type
        return answer

    def list(self, arrow: ArrowType, path: str) -> DataType | None:
        item = arrow.children[0]
        element = self.type(item, joined(path, "element"))
        if element is None:
            return None
        if arrow.kind is ArrowKind.FIXED_SIZE_LIST and element.root in VECTOR_ELEMENTS and 1 <= (arrow.length or 0) <= MAX_LENGTH:
            return nested.vector(element, arrow.length or 0)
        if arrow.kind is not ArrowKind.LIST:
            what = "length" if arrow.kind is ArrowKind.FIXED_SIZE_LIST else "layout"
            self.losses.append(Loss(path, what, f"Arrow's {arrow.kind} becomes an ARRAY, and is not written as it was."))
        return nested.array(element)

    def map(self, arrow: ArrowType, path: str) -> DataType | None:
        key, value = arrow.entry
        key_type, value_type = self.type(key, joined(path, "key")), self.type(value, joined(path, "value"))
        if arrow.keys_sorted:
            self.losses.append(Loss(path, "order", "that the keys of the map are sorted is said nowhere in a table."))
        return None if key_type is None or value_type is None else nested.map_of(key_type, value_type)

    def struct(self, arrow: ArrowType, path: str) -> DataType | None:
        if _is_variant(arrow):
            return atomic(Root.VARIANT)
        return self.row(arrow.children, path)

    def row(self, fields: tuple[ArrowField, ...], path: str) -> RowType | None:
        found = [self.field(one, joined(path, one.name)) for one in fields]
        whole = [one for one in found if one is not None]
        kind: RowType | None = None
        if len(whole) == len(found):
            kind = collect(self.faults, partial(nested.row, whole), path)
        return kind

    def encoded(self, arrow: ArrowType, path: str) -> DataType | None:
        """What stands in a dictionary, or in runs: the same values, written out."""
        self.losses.append(Loss(path, "layout", f"Arrow's {arrow.kind} becomes the type of its values."))
        return self.type(arrow.children[1], path)

    def numbered(self, kind: RowType) -> RowType:
        """The fields with the ids they brought along, if these are complete."""
        given = [one for one in self.ids if one is not None]
        numbers = [int(one) for one in given if one.isdecimal() and one.isascii() and len(one) <= 10 and int(one) < 2**31]
        if not given:
            return kind
        if len(set(numbers)) < len(self.ids):
            self.losses.append(Loss("", "ids", "not every field has an id of its own; the fields are numbered anew."))
            return kind
        answer: RowType = _renumbered(kind, numbers)  # type: ignore[assignment]  # a ROW stays a ROW
        return answer


_CONTAINERS: dict[ArrowKind, Callable[[_Reader, ArrowType, str], DataType | None]] = {
    **dict.fromkeys(LISTS, _Reader.list),
    ArrowKind.MAP: _Reader.map,
    ArrowKind.STRUCT: _Reader.struct,
    ArrowKind.DICTIONARY: _Reader.encoded,
    ArrowKind.RUN_END_ENCODED: _Reader.encoded,
}


def _is_variant(arrow: ArrowType) -> bool:
    """Whether pypaimon takes the struct for a VARIANT. A ROW of ours differs: its members bear ids."""
    members = sorted(arrow.children, key=lambda one: one.name, reverse=True)
    return struct_of(tuple(members)) == VARIANT


def _renumbered(kind: DataType, numbers: list[int]) -> DataType:
    kind = rebuilt(kind, [_renumbered(part, numbers) for _, part in children(kind)])
    if not isinstance(kind, RowType):
        return kind
    return type(kind)(tuple(Field(numbers[one.id], one.name, one.wire, one.description, one.default) for one in kind.fields))
