"""The columns of a table as they were at a snapshot, as one of our schemas: every id at every depth, as the catalog gives it."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, NoReturn

import msgspec

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.attribute_options import attribute_key
from airflow_provider_schemas.core.schema.foreign_attributes import (
    ELEMENT_IDS,
    FORMAT,
    INITIAL_DEFAULT,
    LOCATION,
    LOGICAL,
    PARTITION_TRANSFORMS,
    UUID,
    WRITE_DEFAULT,
)
from airflow_provider_schemas.core.schema.table_schema import Options, TableSchema
from airflow_provider_schemas.core.types.nested import (
    MAX_DEPTH,
    ArrayType,
    ArrayTypeNotNull,
    Field,
    MapType,
    MapTypeNotNull,
    RowType,
    RowTypeNotNull,
    Wire,
)
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.base import check_count
from airflow_provider_schemas.store.mounts.ducklake.catalog_rows import CatalogColumn, CatalogTable, PartitionColumn
from airflow_provider_schemas.store.mounts.ducklake.leaf_types import our_text

DUCKLAKE: Final = "ducklake"
_STRUCT: Final = "struct"
_LIST: Final = "list"
_MAP: Final = "map"
_VARIANT: Final = "variant"
_IDENTITY: Final = "identity"
_NO_DEFAULT: Final = "NULL"
_LARGEST_ID: Final = 2**31 - 1


def columns_at(table: CatalogTable, snapshot: int) -> list[CatalogColumn]:
    """Return the columns, and their parts, at a snapshot, in their order."""
    columns = [column for column in table.columns if column.span.holds(snapshot)]
    return sorted(columns, key=lambda column: (column.order, column.id))


def partitions_at(table: CatalogTable, snapshot: int) -> list[PartitionColumn]:
    """Return what new data was partitioned by at a snapshot, in order."""
    return sorted((column for column in table.partitions if column.span.holds(snapshot)), key=lambda column: column.index)


def digest_at(table: CatalogTable, snapshot: int) -> str:
    """Return the sha256 of what the catalog itself says of the schema at a snapshot."""
    columns = [[*msgspec.structs.astuple(column)[2:], column.id] for column in columns_at(table, snapshot)]
    partitions = [msgspec.structs.astuple(column)[1:] for column in partitions_at(table, snapshot)]
    return hashlib.sha256(msgspec.json.encode([columns, partitions])).hexdigest()


def schema_at(table: CatalogTable, snapshot: int) -> TableSchema:
    """Return the schema at a snapshot, or raise a FormatError that says what is wrong with the catalog."""
    columns = columns_at(table, snapshot)
    check_count(len(columns))
    tree = _ColumnTree(columns)
    fields = tree.fields(None, 0)
    tree.check_all_reached()
    partitions = partitions_at(table, snapshot)
    about: dict[str, Any] = {FORMAT: DUCKLAKE, LOCATION: table.location}
    if any(column.transform != _IDENTITY for column in partitions):
        about[PARTITION_TRANSFORMS] = [{"source-id": column.column, "transform": column.transform} for column in partitions]
    names = {field.id: field.name for field in fields}
    keys = tuple(names[column.column] for column in partitions if column.transform == _IDENTITY and column.column in names)
    options = Options([*tree.options, _option(None, about)])
    highest = max((column.id for column in table.columns), default=-1)
    return TableSchema(fields, highest, partition_keys=keys, options=options, id=snapshot)


def _option(number: int | None, attributes: Mapping[str, Any]) -> tuple[str, str]:
    return attribute_key(number), json.dumps(attributes, ensure_ascii=False, sort_keys=True)


class _ColumnTree:
    """Columns by the one they are parts of, and the options of the fields that were made of them."""

    def __init__(self, columns: Iterable[CatalogColumn]) -> None:
        self.options: list[tuple[str, str]] = []
        self._parts: dict[int | None, list[CatalogColumn]] = {}
        self._unseen: set[int] = set()
        for column in columns:
            self._check_id(column)
            self._unseen.add(column.id)
            self._parts.setdefault(column.parent, []).append(column)

    def _check_id(self, column: CatalogColumn) -> None:
        if column.id in self._unseen:
            message = f"two columns have the id {column.id}, so that data of one would be read as the other."
            _refuse(column, "ducklake.duplicate-field-id", message)
        if column.id > _LARGEST_ID:
            _refuse(column, "ducklake.field-id", f"{column.id} is larger than any id that a file can hold.")

    def check_all_reached(self) -> None:
        """Raise an error if a column is a part of none that is there."""
        lost = [column for parts in self._parts.values() for column in parts if column.id in self._unseen]
        if lost:
            _refuse(lost[0], "ducklake.lost-field", f"it is a part of column {lost[0].parent}, which is not there, or has no such part.")

    def fields(self, parent: int | None, depth: int) -> tuple[Field, ...]:
        """Return the fields of a struct, or the columns of the table."""
        fields = tuple(self._field(column, depth) for column in self._parts.get(parent, ()))
        seen: set[str] = set()
        for field, column in zip(fields, self._parts.get(parent, ()), strict=True):
            if field.name in seen:
                _refuse(column, "fields.duplicate-name-in-row", "two fields of one struct have this name.")
            seen.add(field.name)
        return fields

    def _field(self, column: CatalogColumn, depth: int) -> Field:
        attributes: dict[str, Any] = {}
        ids: dict[str, int] = {}
        logical: dict[str, str] = {}
        wire = self._wire(column, depth, _Found(ids, logical), "")
        if logical:
            attributes[LOGICAL] = logical.get("", logical)
        if ids:
            attributes[ELEMENT_IDS] = ids
        if column.initial_default is not None:
            attributes[INITIAL_DEFAULT] = column.initial_default
        if column.default not in (None, _NO_DEFAULT):
            attributes[WRITE_DEFAULT] = column.default
        if attributes:
            self.options.append(_option(column.id, attributes))
        return Field(column.id, column.name, wire)

    def _wire(self, column: CatalogColumn, depth: int, found: "_Found", path: str) -> Wire:
        """Return the type of a column or a part, as a schema file spells it."""
        if depth > MAX_DEPTH:
            _refuse(column, "type.too-deep", f"types are nested deeper than {MAX_DEPTH} levels.")
        self._unseen.discard(column.id)
        if column.type == _STRUCT:
            fields = self.fields(column.id, depth + 1)
            return RowType(fields) if column.nullable else RowTypeNotNull(fields)
        if column.type == _LIST:
            (element,) = self._parts_of(column, 1)
            wire = self._part(element, depth, found, path, "element")
            return ArrayType(wire) if column.nullable else ArrayTypeNotNull(wire)
        if column.type == _MAP:
            key, value = self._parts_of(column, 2)
            key_wire = self._part(msgspec.structs.replace(key, nullable=False), depth, found, path, "key")
            value_wire = self._part(value, depth, found, path, "value")
            return MapType(key_wire, value_wire) if column.nullable else MapTypeNotNull(key_wire, value_wire)
        return self._leaf(column, found, path)

    def _leaf(self, column: CatalogColumn, found: "_Found", path: str) -> Wire:
        if column.type == UUID:
            found.logical[path] = UUID
        if column.type == _VARIANT:
            self._forget_below(column.id)  # parts by which its values are stored, and no fields
        text = our_text(column.type)
        return text if column.nullable else f"{text} NOT NULL"

    def _forget_below(self, number: int) -> None:
        waiting = [number]
        while waiting:
            for part in self._parts.pop(waiting.pop(), ()):
                self._unseen.discard(part.id)
                waiting.append(part.id)

    def _part(self, column: CatalogColumn, depth: int, found: "_Found", path: str, word: str) -> Wire:
        inner = f"{path}.{word}" if path else word
        found.ids[inner] = column.id
        return self._wire(column, depth + 1, found, inner)

    def _parts_of(self, column: CatalogColumn, count: int) -> list[CatalogColumn]:
        parts = self._parts.get(column.id, [])
        if len(parts) != count:
            _refuse(column, "ducklake.parts", f"a {column.type} has {count} parts, and this one has {len(parts)}.")
        return parts


class _Found(msgspec.Struct, frozen=True):
    """What the types inside one field have that ours cannot hold, by the way to them."""

    ids: dict[str, int]
    logical: dict[str, str]


def _refuse(column: CatalogColumn, code: str, message: str) -> NoReturn:
    fix = "Repair the catalog of DuckLake, or go back to a snapshot in which it is sound."
    raise FormatError(message, code=code, path=shown(column.name), fix=fix)
