"""The JSON of Spark's StructType: what `df.schema.json()` writes and `StructType.fromJson` reads.

Field ids lie in the metadata of the fields, where Spark's Parquet reader and writer look for them. They are
kept if every field of every level has an id of its own; else fields are numbered, parents first. CHAR and VARCHAR
are strings in Spark, which keeps the declared type of the whole column in its metadata. Keys of metadata that
a table does not know are losses.
"""

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from airflow_provider_schemas.core.common.text import MAX_NAME, shown
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types import atomic, field_ids, nested
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import MAX_DEPTH, Field, MapType, MultisetType, RowType, children, rebuilt
from airflow_provider_schemas.errors import Fault, FormatError, collect
from airflow_provider_schemas.formats.base import (
    Dumped,
    Loaded,
    Loss,
    check_count,
    json_member,
    json_value,
    renumbered,
    table_losses,
    unknown_keys,
)
from airflow_provider_schemas.formats.spark.ddl import MAX_DDL
from airflow_provider_schemas.formats.spark.ddl_reader import DdlReader
from airflow_provider_schemas.formats.spark_types import leaves
from airflow_provider_schemas.formats.spark_types.ddl_text import type_text

# Ours, Spark's, and what comes back.
LOSSY = tuple((ours, text, back) for ours, text, _, back in leaves.LOSSY)

COMMENT = "comment"
DEFAULT = "CURRENT_DEFAULT"
OLD_DEFAULT = "EXISTS_DEFAULT"
DECLARED = "__CHAR_VARCHAR_TYPE_STRING"
COLLATIONS = "__COLLATIONS"
FIELD_ID = "parquet.field.id"
_TEXTS = (COMMENT, DEFAULT, DECLARED)


# ---------------------------------------------------------------- reading


def load(source: str | bytes) -> Loaded:
    """Read the JSON of a StructType."""
    return of_value(json_value(source))


def of_value(value: object) -> Loaded:
    """Return the schema that a StructType's `jsonValue()` describes."""
    reader = _StructTypeReader()
    kind = reader.type(value, "", 0)
    if not reader.faults and not isinstance(kind, RowType):
        reader.fault("json.wrong-type", "", "this is no StructType.", "Pass df.schema.json().")
    if reader.faults or not isinstance(kind, RowType):
        raise FormatError.of(reader.faults)
    fields = reader.with_own_ids(kind).fields
    return Loaded(TableSchema(fields, field_ids.highest_id(fields)), tuple(reader.losses))


class _StructTypeReader:
    """Reads types, and collects faults, losses and the ids in the metadata of fields."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.losses: list[Loss] = []
        self.ids: list[Any] = []

    def fault(self, code: str, path: str, message: str, fix: str) -> None:
        self.faults.append(Fault(code, path, message, fix))

    # ------------------------------------------------------------ types

    def type(self, source: object, path: str, depth: int) -> DataType | None:
        """Return the type, or None with at least one more fault."""
        if isinstance(source, str):
            kind: DataType | None = collect(self.faults, lambda: leaves.read_leaf(source, "json"), path)
            return kind
        if depth > MAX_DEPTH:
            self.fault("type.too-deep", path[:200], f"types are nested deeper than {MAX_DEPTH} levels.", "Flatten the schema.")
            return None
        tag = json_member(source, "type")
        if not isinstance(source, Mapping) or not isinstance(tag, str):
            self.fault("type.json-shape", path, f"{shown(source)} is no data type.", "Write text, or an object with a 'type'.")
            return None
        read = _CONTAINERS.get(tag)
        if read is None:
            collect(self.faults, lambda: leaves.named_type({}, tag, []), path)
            return None
        return read(self, source, path, depth + 1)

    def array(self, source: Mapping[str, Any], path: str, depth: int) -> DataType | None:
        element = self.part(source, "elementType", f"{path}.element", depth)
        nullable = self.flag(source, "containsNull", path)
        if element is None:
            return None
        return nested.array(element.with_nullable(nullable))

    def map(self, source: Mapping[str, Any], path: str, depth: int) -> DataType | None:
        key = self.part(source, "keyType", f"{path}.key", depth)
        value = self.part(source, "valueType", f"{path}.value", depth)
        nullable = self.flag(source, "valueContainsNull", path)
        if key is None or value is None:
            return None
        return nested.map_of(key.with_nullable(False), value.with_nullable(nullable))

    def part(self, source: Mapping[str, Any], word: str, path: str, depth: int) -> DataType | None:
        if word in source:
            return self.type(source[word], path, depth)
        self.fault("json.missing-key", path, f"the type has no {word!r}.", "Add it.")
        return None

    def flag(self, source: Mapping[str, Any], word: str, path: str, default: bool | None = None) -> bool:
        value = source.get(word, default)
        if isinstance(value, bool):
            return value
        if word in source:
            self.fault("json.wrong-type", path, f"{word!r} is {shown(value)}.", "Write true or false.")
        else:
            self.fault("json.missing-key", path, f"{word!r} is missing.", "Write true or false.")
        return True

    def struct(self, source: Mapping[str, Any], path: str, depth: int) -> DataType | None:
        members = source.get("fields")
        if not isinstance(members, list):
            self.fault("json.wrong-type", path, f"the fields of a struct are {shown(members)}.", "Write a list of fields.")
            return None
        read = [self.field(member, path, depth, place) for place, member in enumerate(members)]
        fields = [field for field in read if field is not None]
        if len(fields) < len(read):
            return None
        row: DataType | None = collect(self.faults, lambda: nested.row(fields), path)
        return row

    # ------------------------------------------------------------ fields

    def field(self, source: object, path: str, depth: int, place: int) -> Field | None:
        name = json_member(source, "name")
        if not isinstance(source, Mapping) or not isinstance(name, str) or len(name) > MAX_NAME:
            fix = f"Write an object with name, type, nullable and metadata; names have up to {MAX_NAME} characters."
            self.fault("json.wrong-type", f"{path}[{place}]", f"{shown(source)} is no field.", fix)
            return None
        here = f"{path}.{name}" if path else name
        metadata = self.metadata(source, here)
        number = len(self.ids)
        check_count(number)
        self.ids.append(metadata.get(FIELD_ID))
        kind = self.part(source, "type", here, depth)
        nullable = self.flag(source, "nullable", here, default=True)
        if kind is None:
            return None
        declared = self.declared(metadata, kind, here)
        return nested.field(number, name, declared.with_nullable(nullable), metadata.get(COMMENT), metadata.get(DEFAULT))

    def metadata(self, source: Mapping[str, Any], path: str) -> dict[str, Any]:
        """Return the known keys of a field's metadata; the others are losses."""
        self.losses += unknown_keys(path, source.keys() - {"name", "type", "nullable", "metadata"}, "Spark")
        metadata = source.get("metadata") or {}
        if not isinstance(metadata, Mapping):
            self.fault("json.wrong-type", path, f"the metadata are {shown(metadata)}.", "Write an object.")
            return {}
        self.losses += unknown_keys(path, metadata.keys() - {*_TEXTS, FIELD_ID, OLD_DEFAULT, COLLATIONS}, "a table's schema")
        if OLD_DEFAULT in metadata:
            message = f"{shown(metadata[OLD_DEFAULT])} is what Spark reads in rows older than the column; Paimon reads NULL."
            self.losses.append(Loss(path, "default of old rows", message))
        self.check_collations(metadata.get(COLLATIONS), path)
        for key in _TEXTS:
            if not isinstance(metadata.get(key, ""), str):
                self.fault("json.wrong-type", path, f"the metadata key {key!r} is {shown(metadata[key])}.", "Write it as text.")
        return {key: value for key, value in metadata.items() if key == FIELD_ID or (key in _TEXTS and isinstance(value, str))}

    def check_collations(self, source: object, path: str) -> None:
        """Collect a fault for each collation that no table can have; a struct of strings has several."""
        if source is None:
            return
        names = [source]
        if isinstance(source, Mapping):
            names = list(source.values())
        for name in names:
            collect(self.faults, partial(leaves.check_collation, str(name).rpartition(".")[2]), path)

    # ------------------------------------------------------------ types and ids in the metadata

    def declared(self, metadata: Mapping[str, Any], kind: DataType, path: str) -> DataType:
        """Return the type with the lengths of its CHARs and VARCHARs."""
        if DECLARED not in metadata:
            return kind
        text = metadata[DECLARED]
        declared = DdlReader(text).read_type() if len(text) <= MAX_DDL else None
        merged = declared and _with_lengths(kind, declared)
        if merged is None:
            self.losses.append(Loss(path, "length", f"the declared type {shown(text)} does not describe the column."))
            return kind
        return merged

    def with_own_ids(self, kind: RowType) -> RowType:
        """Return the fields with the ids in their metadata, if these are complete."""
        given = [number for number in self.ids if number is not None]
        if not given:
            return kind
        if len(given) < len(self.ids) or not all(map(_is_id, given)) or len(set(given)) < len(given):
            self.losses.append(Loss("", "ids", "not every field has an id of its own; the fields are numbered anew."))
            return kind
        row: RowType = renumbered(kind, self.ids)  # type: ignore[assignment]  # a ROW stays a ROW
        return row


_CONTAINERS: dict[str, Callable[[_StructTypeReader, Mapping[str, Any], str, int], DataType | None]] = {
    "array": _StructTypeReader.array,
    "map": _StructTypeReader.map,
    "struct": _StructTypeReader.struct,
}


def _is_id(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number < 2**31


def _with_lengths(kind: DataType, declared: DataType) -> DataType | None:
    """Return the type with the declared CHARs and VARCHARs in the places of its strings; None if the two do not fit."""
    if isinstance(declared, AtomicType) and declared.root in (Root.CHAR, Root.VARCHAR):
        if kind.with_nullable(True) != atomic.STRING:
            return None
        return declared.with_nullable(kind.nullable)
    our_parts = children(kind)
    declared_parts = children(declared)
    if kind.root is not declared.root or [word for word, _ in our_parts] != [word for word, _ in declared_parts]:
        return None
    merged = [_with_lengths(part, other) for (_, part), (_, other) in zip(our_parts, declared_parts, strict=True)]
    parts = [part for part in merged if part is not None]
    if len(parts) < len(merged):
        return None
    return rebuilt(kind, parts)


# ---------------------------------------------------------------- writing


def dump(schema: TableSchema) -> Dumped:
    """Write the JSON of a StructType, with the ids of the fields in their metadata."""
    losses = list(table_losses(schema, "Spark's StructType"))
    faults: list[Fault] = []
    fields = [collect(faults, partial(_field_json, column, column.name, losses, top=True), column.name) for column in schema.fields]
    if faults:
        raise FormatError.of(faults)
    text = json.dumps({"type": "struct", "fields": fields}, ensure_ascii=False, separators=(",", ":"))
    return Dumped(text, tuple(losses))


def _field_json(field: Field, path: str, losses: list[Loss], *, top: bool = False) -> dict[str, Any]:
    kind = field.type
    metadata: dict[str, str | int] = {}
    if field.description is not None:
        metadata[COMMENT] = field.description
    if field.default is not None:
        metadata[DEFAULT] = field.default
    if top and nested.fold(kind, _has_length):
        metadata[DECLARED] = type_text(kind, path, [])
    metadata[FIELD_ID] = field.id
    return {"name": field.name, "type": _type_json(kind, path, losses), "nullable": kind.nullable, "metadata": metadata}


def _has_length(kind: DataType, parts: list[bool]) -> bool:
    return any(parts) or kind.root is Root.CHAR or (kind.root is Root.VARCHAR and kind.with_nullable(True) != atomic.STRING)


def _type_json(kind: DataType, path: str, losses: list[Loss]) -> str | dict[str, Any]:
    """Return the type as JSON, without its own nullability."""
    losses += [*leaves.container_losses(kind, path), *leaves.null_losses(kind, "json", path)]
    if isinstance(kind, AtomicType):
        leaf = leaves.written(atomic.STRING if _has_length(kind, []) else kind.with_nullable(True), "json")
        if leaf.what:
            losses.append(Loss(path, leaf.what, leaf.message))
        return leaf.text
    if isinstance(kind, RowType):
        return {"type": "struct", "fields": [_field_json(field, f"{path}.{field.name}", losses) for field in kind.fields]}
    parts = [_type_json(part, f"{path}.{word}", losses) for word, part in children(kind)]
    if isinstance(kind, MapType):
        return {"type": "map", "keyType": parts[0], "valueType": parts[1], "valueContainsNull": kind.value.nullable}
    if isinstance(kind, MultisetType):
        return {"type": "map", "keyType": parts[0], "valueType": "integer", "valueContainsNull": False}
    return {"type": "array", "elementType": parts[0], "containsNull": children(kind)[0][1].nullable}
