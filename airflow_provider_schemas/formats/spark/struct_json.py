"""The JSON of Spark's StructType: what `df.schema.json()` writes and `StructType.fromJson` reads.

Field ids lie in the metadata of the fields, where Spark's Parquet reader and writer look for them. They are
kept if every field of every level has one of its own; else fields are numbered, parents first. CHAR and VARCHAR
are strings to Spark, which keeps the declared type of the whole column in its metadata. Keys of metadata that
mean nothing to a table are losses.
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
from airflow_provider_schemas.formats.base import Dumped, Loaded, Loss, check_count, json_value, table_losses, unknown_keys
from airflow_provider_schemas.formats.spark.ddl import MAX_DDL
from airflow_provider_schemas.formats.spark.ddl_reader import Reader
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


def of_value(value: Any) -> Loaded:
    """The schema that a StructType's `jsonValue()` describes."""
    reader = _Reader()
    kind = reader.type(value, "", 0)
    if not reader.faults and not isinstance(kind, RowType):
        reader.fault("json.wrong-type", "", "this is no StructType.", "Pass df.schema.json().")
    if reader.faults or not isinstance(kind, RowType):
        raise FormatError.of(reader.faults)
    fields = reader.numbered(kind).fields
    return Loaded(TableSchema(fields, field_ids.highest_id(fields)), tuple(reader.losses))


class _Reader:
    """Reads types, and collects faults, losses and the ids that fields bring along."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.losses: list[Loss] = []
        self.ids: list[Any] = []

    def fault(self, code: str, path: str, message: str, fix: str) -> None:
        self.faults.append(Fault(code, path, message, fix))

    # ------------------------------------------------------------ types

    def type(self, source: Any, path: str, depth: int) -> DataType | None:
        """The type, or None with at least one more fault."""
        if isinstance(source, str):
            kind: DataType | None = collect(self.faults, lambda: leaves.read_leaf(source, "json"), path)
            return kind
        tag = source.get("type") if isinstance(source, Mapping) else source
        read = _CONTAINERS.get(tag) if isinstance(tag, str) else None
        if depth > MAX_DEPTH:
            self.fault("type.too-deep", path[:200], f"types are nested deeper than {MAX_DEPTH} levels.", "Flatten the schema.")
        elif read is not None:
            return read(self, source, path, depth + 1)
        elif isinstance(tag, str):
            collect(self.faults, lambda: leaves.kind_of({}, tag, []), path)
        else:
            self.fault("type.json-shape", path, f"{shown(source)} is no data type.", "Write text, or an object with a 'type'.")
        return None

    def array(self, source: Mapping[str, Any], path: str, depth: int) -> DataType | None:
        element = self.part(source, "elementType", f"{path}.element", depth)
        nullable = self.flag(source, "containsNull", path)
        return None if element is None else nested.array(element.with_nullable(nullable))

    def map(self, source: Mapping[str, Any], path: str, depth: int) -> DataType | None:
        key = self.part(source, "keyType", f"{path}.key", depth)
        value = self.part(source, "valueType", f"{path}.value", depth)
        nullable = self.flag(source, "valueContainsNull", path)
        return None if key is None or value is None else nested.map_of(key.with_nullable(False), value.with_nullable(nullable))

    def part(self, source: Mapping[str, Any], word: str, path: str, depth: int) -> DataType | None:
        if word in source:
            return self.type(source[word], path, depth)
        self.fault("json.missing-key", path, f"the type has no {word!r}.", "Add it.")
        return None

    def flag(self, source: Mapping[str, Any], word: str, path: str, default: bool | None = None) -> bool:
        value = source.get(word, default)
        if not isinstance(value, bool):
            code = "json.wrong-type" if word in source else "json.missing-key"
            self.fault(code, path, f"{word!r} is {'missing' if word not in source else shown(value)}.", "Write true or false.")
        return value is not False

    def struct(self, source: Mapping[str, Any], path: str, depth: int) -> DataType | None:
        fields = source.get("fields")
        if not isinstance(fields, list):
            self.fault("json.wrong-type", path, f"the fields of a struct are {shown(fields)}.", "Write a list of fields.")
            return None
        found = [self.field(one, path, depth, place) for place, one in enumerate(fields)]
        if None in found:
            return None
        kind: DataType | None = collect(self.faults, lambda: nested.row(one for one in found if one is not None), path)
        return kind

    # ------------------------------------------------------------ fields

    def field(self, source: Any, path: str, depth: int, place: int) -> Field | None:
        name = source.get("name") if isinstance(source, Mapping) else None
        if not isinstance(name, str) or len(name) > MAX_NAME:
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
        """What we know of a field's metadata; the rest is lost."""
        self.losses += unknown_keys(path, source.keys() - {"name", "type", "nullable", "metadata"}, "Spark")
        found = source.get("metadata") or {}
        if not isinstance(found, Mapping):
            self.fault("json.wrong-type", path, f"the metadata are {shown(found)}.", "Write an object.")
            return {}
        self.losses += unknown_keys(path, found.keys() - {*_TEXTS, FIELD_ID, OLD_DEFAULT, COLLATIONS}, "a table's schema")
        if OLD_DEFAULT in found:
            message = f"{shown(found[OLD_DEFAULT])} is what Spark reads in rows older than the column; Paimon reads NULL."
            self.losses.append(Loss(path, "default of old rows", message))
        self.collations(found.get(COLLATIONS), path)
        for key in _TEXTS:
            if not isinstance(found.get(key, ""), str):
                self.fault("json.wrong-type", path, f"the metadata key {key!r} is {shown(found[key])}.", "Write it as text.")
        return {key: value for key, value in found.items() if key == FIELD_ID or (key in _TEXTS and isinstance(value, str))}

    def collations(self, names: Any, path: str) -> None:
        for name in names.values() if isinstance(names, Mapping) else [] if names is None else [names]:
            collect(self.faults, partial(leaves.check_collation, str(name).rpartition(".")[2]), path)

    # ------------------------------------------------------------ what metadata say about types

    def declared(self, metadata: Mapping[str, Any], kind: DataType, path: str) -> DataType:
        """The type with the lengths of its CHARs and VARCHARs."""
        if DECLARED not in metadata:
            return kind
        text = metadata[DECLARED]
        declared = Reader(text).whole_type() if len(text) <= MAX_DDL else None
        merged = None if declared is None else _with_lengths(kind, declared)
        if merged is None:
            self.losses.append(Loss(path, "length", f"the declared type {shown(text)} does not describe the column."))
        return merged or kind

    def numbered(self, kind: RowType) -> RowType:
        """The fields with the ids they brought along, if these are complete."""
        given = [one for one in self.ids if one is not None]
        whole = all(isinstance(one, int) and not isinstance(one, bool) and 0 <= one < 2**31 for one in given)
        if not given:
            return kind
        if not whole or len(given) < len(self.ids) or len(set(given)) < len(given):
            self.losses.append(Loss("", "ids", "not every field has an id of its own; the fields are numbered anew."))
            return kind
        answer: RowType = _renumbered(kind, self.ids)  # type: ignore[assignment]  # a ROW stays a ROW
        return answer


_CONTAINERS: dict[str, Callable[[_Reader, Mapping[str, Any], str, int], DataType | None]] = {
    "array": _Reader.array,
    "map": _Reader.map,
    "struct": _Reader.struct,
}


def _renumbered(kind: DataType, numbers: list[int]) -> DataType:
    kind = rebuilt(kind, [_renumbered(part, numbers) for _, part in children(kind)])
    if not isinstance(kind, RowType):
        return kind
    return type(kind)(tuple(Field(numbers[one.id], one.name, one.wire, one.description, one.default) for one in kind.fields))


def _with_lengths(kind: DataType, declared: DataType) -> DataType | None:
    """The type with the declared CHARs and VARCHARs in the places of its strings; None if the two do not fit."""
    if isinstance(declared, AtomicType) and declared.root in (Root.CHAR, Root.VARCHAR):
        return declared.with_nullable(kind.nullable) if kind.with_nullable(True) == atomic.STRING else None
    ours, theirs = children(kind), children(declared)
    words = [word for word, _ in ours]
    if kind.root is not declared.root or words != [word for word, _ in theirs]:
        return None
    parts = [_with_lengths(part, other) for (_, part), (_, other) in zip(ours, theirs, strict=True)]
    whole = [part for part in parts if part is not None]
    return rebuilt(kind, whole) if len(whole) == len(parts) else None


# ---------------------------------------------------------------- writing


def dump(schema: TableSchema) -> Dumped:
    """Write the JSON of a StructType, with the ids of the fields in their metadata."""
    losses, faults = list(table_losses(schema, "Spark's StructType")), list[Fault]()
    fields = [collect(faults, partial(_field, one, one.name, losses, top=True), one.name) for one in schema.fields]
    if faults:
        raise FormatError.of(faults)
    text = json.dumps({"type": "struct", "fields": fields}, ensure_ascii=False, separators=(",", ":"))
    return Dumped(text, tuple(losses))


def _field(one: Field, path: str, losses: list[Loss], *, top: bool = False) -> dict[str, Any]:
    kind = one.type
    metadata = {
        COMMENT: one.description,
        DEFAULT: one.default,
        DECLARED: type_text(kind, path, []) if top and nested.fold(kind, _has_length) else None,
        FIELD_ID: one.id,
    }
    said = {key: value for key, value in metadata.items() if value is not None}
    return {"name": one.name, "type": _value(kind, path, losses), "nullable": kind.nullable, "metadata": said}


def _has_length(kind: DataType, parts: list[bool]) -> bool:
    return any(parts) or kind.root is Root.CHAR or (kind.root is Root.VARCHAR and kind.with_nullable(True) != atomic.STRING)


def _value(kind: DataType, path: str, losses: list[Loss]) -> Any:
    """The type as JSON, without its own nullability."""
    losses += [*leaves.container_losses(kind, path), *leaves.null_losses(kind, "json", path)]
    if isinstance(kind, AtomicType):
        leaf = leaves.written(atomic.STRING if _has_length(kind, []) else kind.with_nullable(True), "json")
        losses += [Loss(path, leaf.what, leaf.message)] if leaf.what else []
        return leaf.text
    if isinstance(kind, RowType):
        return {"type": "struct", "fields": [_field(one, f"{path}.{one.name}", losses) for one in kind.fields]}
    parts = [_value(part, f"{path}.{word}", losses) for word, part in children(kind)]
    if isinstance(kind, MapType):
        return {"type": "map", "keyType": parts[0], "valueType": parts[1], "valueContainsNull": kind.value.nullable}
    if isinstance(kind, MultisetType):
        return {"type": "map", "keyType": parts[0], "valueType": "integer", "valueContainsNull": False}
    return {"type": "array", "elementType": parts[0], "containsNull": children(kind)[0][1].nullable}
