"""A table's schema and a schema of Arrow: columns, ids, comments, and what is lost on the way, both ways."""

from collections.abc import Callable
from functools import partial

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types import nested
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType, atomic
from airflow_provider_schemas.core.types.field_ids import highest_id
from airflow_provider_schemas.core.types.kinds import MAX_LENGTH, VECTOR_ELEMENTS, Root
from airflow_provider_schemas.core.types.nested import Field, MapType, MultisetType, RowType, VectorType, children
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
from airflow_provider_schemas.formats.arrow.paimon_types import TO_ARROW, VARIANT, WHAT, leaf_text, read_leaf
from airflow_provider_schemas.formats.base import Loaded, Loss, renumbered, table_losses, unknown_keys

FIELD_ID = "PARQUET:field_id"
DESCRIPTION = "description"
COMMENTS = (DESCRIPTION, "comment")
_LANGUAGE = "Arrow"

# ---------------------------------------------------------------- to Arrow


def from_table(schema: TableSchema) -> tuple[ArrowSchema, tuple[Loss, ...]]:
    """Return the schema as Arrow's, and what Arrow has no place for."""
    losses = list(table_losses(schema, _LANGUAGE))
    fields = tuple(_to_arrow_field(field, field.name, losses) for field in schema.fields)
    return ArrowSchema(fields), tuple(losses)


def _to_arrow_field(field: Field, path: str, losses: list[Loss]) -> ArrowField:
    if field.default is not None:
        losses.append(Loss(path, "default", "Arrow has no place for the default of a column."))
    kind = field.type
    metadata = [(FIELD_ID, str(field.id))]
    if field.description is not None:
        metadata.append((DESCRIPTION, field.description))
    return ArrowField(field.name, _to_arrow(kind, path, losses), kind.nullable, tuple(metadata))


def _to_arrow(kind: DataType, path: str, losses: list[Loss]) -> ArrowType:
    if isinstance(kind, AtomicType):
        return _to_arrow_leaf(kind, path, losses)
    if isinstance(kind, RowType):
        return struct_of(tuple(_to_arrow_field(field, joined(path, field.name), losses) for field in kind.fields))
    parts = [_to_arrow(part, f"{path}.{word}", losses) for word, part in children(kind)]
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
    if not key.nullable:
        return []
    return [Loss(path, "nullability", "the keys of Arrow's maps are never null; it reads back as NOT NULL.")]


def _to_arrow_leaf(kind: AtomicType, path: str, losses: list[Loss]) -> ArrowType:
    arrow = TO_ARROW[kind.root](kind)
    if arrow == VARIANT:
        return arrow
    back = read_leaf(arrow).type
    ours = kind.with_nullable(True)
    if back != ours:
        message = f"{ours} becomes Arrow's {leaf_text(arrow)}, which reads back as {back}."
        losses.append(Loss(path, WHAT[kind.root], message))
    return arrow


# ---------------------------------------------------------------- from Arrow


def to_table(schema: ArrowSchema) -> Loaded:
    """Return the schema of a table, and what a table has no place for; raise a FormatError that names all that it cannot hold."""
    reader = _ArrowFields()
    row = reader.read_row(schema.fields, "")
    if schema.metadata:
        reader.losses += unknown_keys("", {key for key, _ in schema.metadata}, "a table's schema")
    if reader.faults or row is None:
        raise FormatError.of(reader.faults)
    fields = reader.with_own_ids(row).fields
    return Loaded(TableSchema(fields, highest_id(fields)), tuple(reader.losses))


class _ArrowFields:
    """Reads fields of Arrow, and collects faults, losses and the ids in their metadata."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.losses: list[Loss] = []
        self.ids: list[str | None] = []

    def read_field(self, field: ArrowField, path: str) -> Field | None:
        number = len(self.ids)
        metadata = dict(field.metadata)
        self.ids.append(metadata.get(FIELD_ID))
        self.losses += unknown_keys(path, metadata.keys() - {FIELD_ID, *COMMENTS}, "a table's schema")
        kind = self.read_type(field, path)
        if kind is None:
            return None
        comment = next((metadata[key] for key in COMMENTS if key in metadata), None)
        return nested.field(number, field.name, kind, comment)

    def read_type(self, field: ArrowField, path: str) -> DataType | None:
        """Return the type of a field, with its nullability."""
        read = _CONTAINERS.get(field.type.kind, _ArrowFields.read_leaf)
        kind = read(self, field.type, path)
        if kind is None:
            return None
        return kind.with_nullable(field.nullable)

    def read_leaf(self, arrow: ArrowType, path: str) -> DataType | None:
        leaf = collect(self.faults, partial(read_leaf, arrow), path)
        if leaf is None:
            return None
        if leaf.lost:
            message = f"Arrow's {leaf_text(arrow)} becomes {leaf.type}, and is not written as it was."
            self.losses.append(Loss(path, leaf.lost, message))
        kind: DataType = leaf.type
        return kind

    def read_list(self, arrow: ArrowType, path: str) -> DataType | None:
        element = self.read_type(arrow.children[0], joined(path, "element"))
        if element is None:
            return None
        if arrow.kind is ArrowKind.FIXED_SIZE_LIST and element.root in VECTOR_ELEMENTS and 1 <= (arrow.length or 0) <= MAX_LENGTH:
            return nested.vector(element, arrow.length or 0)
        if arrow.kind is not ArrowKind.LIST:
            lost = "length" if arrow.kind is ArrowKind.FIXED_SIZE_LIST else "layout"
            self.losses.append(Loss(path, lost, f"Arrow's {arrow.kind} becomes an ARRAY, and is not written as it was."))
        return nested.array(element)

    def read_map(self, arrow: ArrowType, path: str) -> DataType | None:
        key, value = arrow.entry
        key_type = self.read_type(key, joined(path, "key"))
        value_type = self.read_type(value, joined(path, "value"))
        if arrow.keys_sorted:
            self.losses.append(Loss(path, "order", "that the keys of the map are sorted is said nowhere in a table."))
        if key_type is None or value_type is None:
            return None
        return nested.map_of(key_type, value_type)

    def read_struct(self, arrow: ArrowType, path: str) -> DataType | None:
        if _is_variant(arrow):
            return atomic(Root.VARIANT)
        return self.read_row(arrow.children, path)

    def read_row(self, fields: tuple[ArrowField, ...], path: str) -> RowType | None:
        read = [self.read_field(field, joined(path, field.name)) for field in fields]
        known = [field for field in read if field is not None]
        if len(known) < len(read):
            return None
        row: RowType | None = collect(self.faults, partial(nested.row, known), path)
        return row

    def read_encoded(self, arrow: ArrowType, path: str) -> DataType | None:
        """Return the type of the values of a dictionary, or of runs, which a table writes out."""
        self.losses.append(Loss(path, "layout", f"Arrow's {arrow.kind} becomes the type of its values."))
        return self.read_type(arrow.children[1], path)

    def with_own_ids(self, kind: RowType) -> RowType:
        """Return the fields with the ids in their metadata, if these are complete."""
        given = [text for text in self.ids if text is not None]
        if not given:
            return kind
        numbers = [int(text) for text in given if _is_id(text)]
        if len(set(numbers)) < len(self.ids):
            self.losses.append(Loss("", "ids", "not every field has an id of its own; the fields are numbered anew."))
            return kind
        row: RowType = renumbered(kind, numbers)  # type: ignore[assignment]  # a ROW stays a ROW
        return row


_CONTAINERS: dict[ArrowKind, Callable[[_ArrowFields, ArrowType, str], DataType | None]] = {
    **dict.fromkeys(LISTS, _ArrowFields.read_list),
    ArrowKind.MAP: _ArrowFields.read_map,
    ArrowKind.STRUCT: _ArrowFields.read_struct,
    ArrowKind.DICTIONARY: _ArrowFields.read_encoded,
    ArrowKind.RUN_END_ENCODED: _ArrowFields.read_encoded,
}


def _is_variant(arrow: ArrowType) -> bool:
    """Return whether pypaimon takes the struct for a VARIANT. A ROW of ours differs: its members have ids."""
    members = sorted(arrow.children, key=lambda member: member.name, reverse=True)
    return struct_of(tuple(members)) == VARIANT


def _is_id(text: str) -> bool:
    return text.isdecimal() and text.isascii() and len(text) <= 10 and int(text) < 2**31
