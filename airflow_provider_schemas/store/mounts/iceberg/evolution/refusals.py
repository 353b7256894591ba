"""What a peer lets through, and readers cannot bear: found before anything is staged, each with its reason.

Iceberg promises that old files can be read with the new schema. pyiceberg, and some catalogs, take changes that break this promise.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Raw, Struct

from airflow_provider_schemas.core.changes import schema_change
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.schema.foreign_attributes import IDENTIFIER_FIELDS
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, RowType, children, uncommented
from airflow_provider_schemas.errors import ChangeError, Fault
from airflow_provider_schemas.formats.iceberg import IcebergMetadata
from airflow_provider_schemas.formats.iceberg.partitioning import SpecField
from airflow_provider_schemas.formats.iceberg.schema_json import decoded, given

_BINARY: Final = frozenset({Root.BINARY, Root.VARBINARY})
_TEXT: Final = frozenset({Root.CHAR, Root.VARCHAR})
# Widenings that every reader of Iceberg knows; DECIMAL is looked at besides.
_PROMOTIONS: Final = frozenset({(Root.INTEGER, Root.BIGINT), (Root.FLOAT, Root.DOUBLE)})
_NEW_IN_V3: Final = frozenset({Root.VARIANT, Root.GEOMETRY, Root.GEOGRAPHY})
_NO_COLUMN: Final = (
    schema_change.SetOption,
    schema_change.RemoveOption,
    schema_change.UpdateComment,
    schema_change.DropPrimaryKey,
)
_VERSION_3: Final = 3
_NANOSECONDS: Final = 9


class _Place(NamedTuple):
    """A field, an element, a key or a value, and where it stands."""

    path: str
    type: DataType
    number: int | None
    """The id of a field; None for elements, keys and values."""
    parent: int | None
    """The id of the field around it."""


def check_bearable(metadata: IcebergMetadata, judged: TableSchema, changes: Sequence[SchemaChange]) -> None:
    """Raise a ChangeError that names all that readers of the table could not bear."""
    faults = list(unbearable(metadata, judged, changes))
    if faults:
        raise ChangeError.of(faults)


def unbearable(metadata: IcebergMetadata, judged: TableSchema, changes: Sequence[SchemaChange]) -> Iterator[Fault]:
    """Yield what readers of the table could not bear."""
    for change in changes:
        if isinstance(change, _NO_COLUMN):
            yield _no_column(change)
    head = metadata.schema(metadata.current_schema_id)
    before = {place.number: place for place in _places(head.fields)}
    after = {place.number: place for place in _places(judged.fields)}
    yield from _retyped(before, after)
    yield from _tightened(before, after)
    yield from _named_elsewhere(metadata, head, before, after)
    if metadata.format_version < _VERSION_3:
        yield from _too_new(metadata, head, judged, before)


def _no_column(change: SchemaChange) -> Fault:
    message = f"{short_text(change)} changes no column, and a schema of Iceberg holds columns only."
    fix = "Leave it out; set properties of the table with its engine, and keep owners and policies in the registry."
    return Fault("iceberg.no-schema-change", "", message, fix)


def _places(fields: Iterable[Field], path: str = "", parent: int | None = None) -> Iterator[_Place]:
    """Yield all fields, at every depth."""
    for field in fields:
        place = _Place(f"{path}{field.name}", field.type, field.id, parent)
        yield place
        yield from _inner_places(place.type, place.path, field.id)


def _inner_places(kind: DataType, path: str, parent: int) -> Iterator[_Place]:
    if isinstance(kind, RowType):
        yield from _places(kind.fields, f"{path}.", parent)
        return
    for word, part in children(kind):
        yield from _inner_places(part, f"{path}.{word}", parent)


_ById = dict[int | None, _Place]


# ---------------------------------------------------------------- types


def _retyped(before: _ById, after: _ById) -> Iterator[Fault]:
    for number, now in after.items():
        was = before.get(number)
        if was is not None:
            yield from _type_faults(now.path, was.type, now.type)


def _type_faults(path: str, old: DataType, new: DataType) -> Iterator[Fault]:
    """Yield what is wrong with a step from a type to another; fields of a ROW are looked at one by one."""
    if isinstance(old, RowType) and isinstance(new, RowType):
        return
    if isinstance(old, ArrayType) and isinstance(new, ArrayType):
        yield from _part_faults(f"{path}.element", old.element, new.element)
        return
    if isinstance(old, MapType) and isinstance(new, MapType):
        if _bare(old.key) != _bare(new.key):
            yield _map_key(path, old, new)
        yield from _part_faults(f"{path}.value", old.value, new.value)
        return
    if _same(old, new) or (isinstance(old, AtomicType) and isinstance(new, AtomicType) and is_promotion(old, new)):
        return
    yield _not_promoted(path, old, new)


def _part_faults(path: str, old: DataType, new: DataType) -> Iterator[Fault]:
    if old.nullable and not new.nullable:
        yield _required(path)
    yield from _type_faults(path, old, new)


def _bare(kind: DataType) -> str:
    return str(uncommented(kind))


def _same(old: DataType, new: DataType) -> bool:
    return str(old.with_nullable(True)) == str(new.with_nullable(True))


def is_promotion(old: AtomicType, new: AtomicType) -> bool:
    """Return whether every reader of Iceberg reads old files with the new type."""
    if old.root is Root.DECIMAL and new.root is Root.DECIMAL:
        return old.scale == new.scale and (old.precision or 0) <= (new.precision or 0)
    return (old.root, new.root) in _PROMOTIONS


def _not_promoted(path: str, old: DataType, new: DataType) -> Fault:
    """Return the fault of a change of type that old files do not survive."""
    change = f"{old.with_nullable(True)} becomes {new.with_nullable(True)}"
    roots = {old.root, new.root}
    if roots == {Root.DECIMAL} and getattr(old, "scale", None) != getattr(new, "scale", None):
        message = f"{change}: files hold the digits without the scale, so that old values are read as others or not at all."
        fix = "Keep the scale and let the precision grow; for another scale, add a column and fill it."
        return Fault("iceberg.decimal-scale", path, message, fix)
    if roots & _TEXT and roots & _BINARY:
        message = f"{change}: pyiceberg takes it, and other readers refuse the table."
        return Fault("iceberg.string-binary", path, message, "Add a column of the other type and fill it.")
    fix = "Widen INT to BIGINT, FLOAT to DOUBLE or the precision of a DECIMAL; for all else, add a column and fill it."
    return Fault("iceberg.not-promoted", path, f"{change}: no reader of Iceberg reads old files so.", fix)


def _map_key(path: str, old: MapType, new: MapType) -> Fault:
    message = f"the key of the map changes from {old.key} to {new.key}: keys of old files would no longer be found."
    return Fault("iceberg.map-key", f"{path}.key", message, "Add a column with the other map and fill it.")


def _required(path: str) -> Fault:
    message = "it may be NULL in old files, and readers that trust the schema fail there."
    fix = "Leave it nullable, and let a check of the data say that there are no NULLs."
    return Fault("iceberg.required", path, message, fix)


# ---------------------------------------------------------------- NOT NULL


def _tightened(before: _ById, after: _ById) -> Iterator[Fault]:
    for number, now in after.items():
        if now.type.nullable:
            continue
        was = before.get(number)
        if was is not None and was.type.nullable:
            yield _required(now.path)
        if was is None and (now.parent is None or now.parent in before):
            message = "it is new and NOT NULL, and rows of old files have no value for it: pyiceberg sets no initial default."
            yield Fault("iceberg.required-without-default", now.path, message, "Add it nullable.")


# ---------------------------------------------------------------- what else names columns


def _named_elsewhere(metadata: IcebergMetadata, head: TableSchema, before: _ById, after: _ById) -> Iterator[Fault]:
    """Yield the columns that go or change while partition specs, sort orders or the identifier of rows name them."""
    for number, by in _namings(metadata, head):
        was = before.get(number)
        if was is None:
            continue
        now = after.get(number)
        if now is None:
            message = f"{by} names it, and files of that time cannot be planned without it."
            yield Fault("iceberg.named", was.path, message, "Keep the column; rename it, if its name is in the way.")
        elif by != _IDENTIFIER and not _same(was.type, now.type):
            message = f"{by} names it, and its values were made of {was.type.with_nullable(True)}."
            yield Fault("iceberg.named", was.path, message, "Keep the type of the column; add another and fill it.")
        elif by == _IDENTIFIER and now.type.nullable and not was.type.nullable:
            message = f"{by} names it, and what may be NULL identifies no row."
            yield Fault("iceberg.named", was.path, message, "Take it out of the identifier fields with the engine first.")


_IDENTIFIER: Final = "the identifier of rows"


class _Spec(Struct, rename="kebab"):
    fields: tuple[SpecField, ...] = ()
    spec_id: int | None = None


class _OrderField(Struct, rename="kebab"):
    source_id: int | None = None
    source_ids: tuple[int, ...] = ()


class _Order(Struct, rename="kebab"):
    fields: tuple[_OrderField, ...] = ()
    order_id: int | None = None


_SPECS = msgspec.json.Decoder(tuple[_Spec, ...])
_SPEC_FIELDS = msgspec.json.Decoder(tuple[SpecField, ...])
_ORDERS = msgspec.json.Decoder(tuple[_Order, ...])
_VOID: Final = "void"


def _namings(metadata: IcebergMetadata, head: TableSchema) -> Iterator[tuple[int, str]]:
    """Yield the ids of columns that something names, old partition specs too; and what names them."""
    for number in head.table_attributes.get(IDENTIFIER_FIELDS, ()):
        yield number, _IDENTIFIER
    for spec in _specs(metadata):
        by = "the partition spec" if spec.spec_id == metadata.file.default_spec_id else f"the old partition spec {spec.spec_id}"
        for spec_field in spec.fields:
            if spec_field.transform != _VOID:
                yield from ((number, by) for number in _sources(spec_field))
    for order in _decoded(metadata.file.sort_orders, _ORDERS, "sort-orders"):
        for order_field in order.fields:
            yield from ((number, f"the sort order {order.order_id}") for number in _sources(order_field))


def named_columns(metadata: IcebergMetadata) -> frozenset[int]:
    """Return the ids of the columns that a partition spec, a sort order or the identifier of rows names."""
    return frozenset(number for number, _ in _namings(metadata, metadata.schema(metadata.current_schema_id)))


def _specs(metadata: IcebergMetadata) -> Sequence[_Spec]:
    specs: Sequence[_Spec] = _decoded(metadata.file.partition_specs, _SPECS, "partition-specs")
    if specs:
        return specs
    fields = _decoded(metadata.file.partition_spec, _SPEC_FIELDS, "partition-spec")
    return (_Spec(fields, metadata.file.default_spec_id),) if fields else ()


def _decoded(member: Any, decoder: Any, path: str) -> Any:
    raw: Raw | None = given(member)
    return () if raw is None else decoded(decoder, raw, path)


def _sources(field: SpecField | _OrderField) -> tuple[int, ...]:
    return field.source_ids or (() if field.source_id is None else (field.source_id,))


# ---------------------------------------------------------------- versions of the format


def _too_new(metadata: IcebergMetadata, head: TableSchema, judged: TableSchema, before: _ById) -> Iterator[Fault]:
    """Yield the types and defaults that only version 3 of the format has."""
    for place in _places(judged.fields):
        if place.number not in before and _is_new(place.type):
            message = f"{place.type} came with version 3 of Iceberg's format, and the table has version {metadata.format_version}."
            yield Fault("iceberg.format-version", place.path, message, "Upgrade the table with its engine first, or use another type.")
    for field in judged.fields:
        was = head.column(field.id)
        if field.default is not None and (was is None or was.default != field.default):
            message = f"defaults came with version 3 of Iceberg's format, and the table has version {metadata.format_version}."
            yield Fault("iceberg.format-version", field.name, message, "Upgrade the table with its engine first, or leave the default out.")


def _is_new(kind: DataType) -> bool:
    parts: Callable[[DataType], list[tuple[str, DataType]]] = children
    if isinstance(kind, RowType):
        return False  # its fields are looked at one by one
    inner = parts(kind)
    if inner:
        return any(_is_new(part) for _, part in inner)
    nanoseconds = kind.root in (Root.TIMESTAMP, Root.TIMESTAMP_LTZ) and getattr(kind, "precision", 0) == _NANOSECONDS
    return kind.root in _NEW_IN_V3 or nanoseconds
