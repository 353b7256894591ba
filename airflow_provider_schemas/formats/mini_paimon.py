"""Mini Paimon: its schema file and its table metadata file, read and written.

The schema file holds names, types, nullability and the two lists of keys, nothing else: ids are positions,
and everything else (ids, options, comments, defaults) is returned as losses, which a second file beside it keeps.
Types outside Mini Paimon's nine are refused, all of them at once. Early versions wrote a type as text, later
ones as an object; both are read. A type is written as text where that is possible; ARRAY and MAP are objects.
"""

import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from airflow_provider_schemas.core.common.text import MAX_NAME, shown
from airflow_provider_schemas.core.schema import java_json
from airflow_provider_schemas.core.schema.table_schema import Options, TableSchema
from airflow_provider_schemas.core.types import atomic, field_ids, nested
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import MAX_DEPTH, ArrayType, Field, MapType
from airflow_provider_schemas.errors import Fault, FormatError, collect
from airflow_provider_schemas.formats.base import Dumped, JsonValue, Loaded, Loss, check_count, json_value, table_losses, unknown_keys

# Mini Paimon's name -> the type. A type with two names is written under the first.
NAMES: dict[str, AtomicType] = {
    "INT": atomic.atomic(Root.INTEGER),
    "BIGINT": atomic.atomic(Root.BIGINT),
    "LONG": atomic.atomic(Root.BIGINT),
    "STRING": atomic.STRING,
    "BOOLEAN": atomic.atomic(Root.BOOLEAN),
    "DOUBLE": atomic.atomic(Root.DOUBLE),
    "TIMESTAMP": atomic.atomic(Root.TIMESTAMP),
}
_NAME_OF = {kind: name for name, kind in reversed(NAMES.items())}
_DECIMAL = re.compile(r"DECIMAL\s*\(\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*\)", re.IGNORECASE)
_PARTS = {"ARRAY": ("elementType",), "MAP": ("keyType", "valueType")}
_BUILD: dict[str, Callable[..., DataType]] = {"ARRAY": nested.array, "MAP": nested.map_of}
_FIX = "Mini Paimon knows INT, BIGINT, STRING, BOOLEAN, DOUBLE, TIMESTAMP, DECIMAL(p, s), ARRAY and MAP of nullable parts."

# A type is written exactly or refused: none comes back as another.
LOSSY: tuple[tuple[str, str, str], ...] = ()


# ---------------------------------------------------------------- the shape of the files

Number = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Instant = Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?Z$")]


class _File(Struct, rename="camel"):
    schema_id: Number
    fields: list[Any]
    primary_keys: tuple[str, ...]
    partition_keys: tuple[str, ...]


class _Column(Struct):
    name: Annotated[str, Meta(max_length=MAX_NAME)]
    type: Any
    nullable: bool


class TableMetadata(Struct, frozen=True, kw_only=True, rename="camel"):
    """The attributes of a table in Mini Paimon's metadata file. Times are ISO-8601 instants in UTC."""

    table_name: str
    database_name: str
    current_schema_id: Number
    table_type: str | None = None
    """APPEND_ONLY or PRIMARY_KEY; None in files of early versions, which refuse the key."""
    create_time: Instant
    last_modified_time: Instant
    description: str = ""
    properties: Options = Options()
    index_config: Any = None
    """The indexes of each column, as JSON text."""
    unknown: tuple[tuple[str, str], ...] = ()
    """The keys that we do not know, each with its value as JSON text."""


Shape = TypeVar("Shape")


def _convert(value: JsonValue, kind: type[Shape], path: str, faults: list[Fault]) -> Shape | None:
    """Return the value as a value of this kind, or None with one more fault."""
    try:
        return msgspec.convert(value, kind, dec_hook=_to_options)
    except msgspec.ValidationError as error:
        message, _, place = str(error).partition(" - at `$")
        code = "json.missing-key" if "missing" in message else "json.wrong-type"
        where = f"{path}{place.rstrip('`')}".lstrip(".")
        faults.append(Fault(code, where, f"{message[0].lower()}{message[1:]}.", "Restore the file, or write the key as Mini Paimon does."))
        return None


def _to_options(_: type[Any], value: JsonValue) -> Options:
    if not isinstance(value, dict) or not all(isinstance(option, str) for option in value.values()):
        raise ValueError("expected an object of text values")
    return Options(value)


# ---------------------------------------------------------------- the schema file, read


def load(source: str | bytes) -> Loaded:
    """Read a schema file; fields get their position as id."""
    value = json_value(source)
    faults: list[Fault] = []
    file = _convert(value, _File, "", faults)
    if file is None:
        raise FormatError.of(faults)
    check_count(len(file.fields))
    read = [_read_field(source, place, faults) for place, source in enumerate(file.fields)]
    if faults:
        raise FormatError.of(faults)
    fields = tuple(field for field in read if field is not None)
    faults += _file_faults(file, fields)
    if faults:
        raise FormatError.of(faults)
    schema = TableSchema(fields, len(fields) - 1, file.partition_keys, file.primary_keys, id=file.schema_id)
    return Loaded(schema, tuple(_key_losses(value)))


def _read_field(source: JsonValue, place: int, faults: list[Fault]) -> Field | None:
    column = _convert(source, _Column, f"fields[{place}]", faults)
    if column is None:
        return None
    kind = _read_type(column.type, column.name, 0, faults)
    if kind is None:
        return None
    return nested.field(place, column.name, kind.with_nullable(column.nullable))


def _read_type(source: JsonValue, path: str, depth: int, faults: list[Fault]) -> DataType | None:
    """Return the type of a text or an object, or None with at least one more fault."""
    if depth > MAX_DEPTH:
        faults.append(Fault("type.too-deep", path[:200], f"types are nested deeper than {MAX_DEPTH} levels.", "Flatten the schema."))
        return None
    name = source.get("type") if isinstance(source, dict) else source
    if not isinstance(name, str):
        faults.append(Fault("type.json-shape", path, f"{shown(source)} is no data type.", "Write text, or an object with a 'type'."))
        return None
    if isinstance(source, dict) and name in _PARTS:
        return _read_container(name, source, path, depth, faults)
    if isinstance(source, dict) and name == "DECIMAL":
        return _read_atom(f"DECIMAL({source.get('precision')}, {source.get('scale')})", path, faults)
    return _read_atom(name, path, faults)


def _read_container(name: str, source: dict[str, Any], path: str, depth: int, faults: list[Fault]) -> DataType | None:
    read = [_read_type(source.get(word), f"{path}.{word}", depth + 1, faults) for word in _PARTS[name]]
    parts = [part for part in read if part is not None]
    if len(parts) < len(read):
        return None
    return _BUILD[name](*parts)


def _read_atom(text: str, path: str, faults: list[Fault]) -> DataType | None:
    named = NAMES.get(text.strip().upper())
    if named is not None:
        return named
    match = _DECIMAL.fullmatch(text.strip())
    if match is None:
        faults.append(Fault("format.unsupported-type", path, f"{shown(text)} is no type of Mini Paimon.", _FIX))
        return None
    precision, scale = map(int, match.groups())
    kind: DataType | None = collect(faults, lambda: atomic.atomic(Root.DECIMAL, precision=precision, scale=scale), path)
    return kind


def _file_faults(file: _File, fields: tuple[Field, ...]) -> Iterator[Fault]:
    if not fields:
        yield Fault("schema.no-fields", "fields", "the schema has no field.", "Add one.")
    yield from nested.name_faults(fields)
    names = {field.name for field in fields}
    yield from _key_faults("primary key", file.primary_keys, names)
    yield from _key_faults("partition key", file.partition_keys, names)


def _key_faults(what: str, keys: tuple[str, ...], names: set[str]) -> Iterator[Fault]:
    for key in keys:
        if key not in names:
            yield Fault(f"schema.{what.replace(' ', '-')}-not-a-column", key[:200], f"the {what} names no field.", "Name a field.")


def _key_losses(value: dict[str, Any]) -> Iterator[Loss]:
    """Yield the keys of the file and of its fields that we do not know."""
    yield from unknown_keys("", value.keys() - _keys(_File), "Mini Paimon")
    known = _keys(_Column)
    for field in value["fields"]:
        yield from unknown_keys(field["name"], field.keys() - known, "Mini Paimon")


def _keys(kind: type[Struct]) -> set[str]:
    return {member.encode_name for member in msgspec.structs.fields(kind)}


# ---------------------------------------------------------------- the schema file, written


def dump(schema: TableSchema) -> Dumped:
    """Write a schema file, or raise a FormatError that names every type which Mini Paimon does not have."""
    faults: list[Fault] = []
    if not schema.fields:
        faults.append(Fault("schema.no-fields", "", "the schema has no field.", "Add one."))
    fields = [_field_json(field, faults) for field in schema.fields]
    if faults:
        raise FormatError.of(faults)
    keys = {"primaryKeys": schema.primary_keys, "partitionKeys": schema.partition_keys}
    return Dumped(java_json.any_text({"schemaId": schema.id, "fields": fields, **keys}), tuple(_losses(schema)))


def _field_json(field: Field, faults: list[Fault]) -> dict[str, Any]:
    kind = field.type
    return {"name": field.name, "type": _type_json(kind.with_nullable(True), field.name, faults), "nullable": kind.nullable}


def _type_json(kind: DataType, path: str, faults: list[Fault], inside: bool = False) -> JsonValue:
    """Return the type as the file has it: as text; as an object for a container and for everything inside one."""
    if isinstance(kind, ArrayType | MapType) and kind.nullable:
        parts = [_type_json(part, f"{path}.{word}", faults, inside=True) for word, part in nested.children(kind)]
        return {"type": kind.root.value, **dict(zip(_PARTS[kind.root.value], parts, strict=True))}
    if isinstance(kind, AtomicType) and kind.nullable and kind.root is Root.DECIMAL:
        return {"type": "DECIMAL", "precision": kind.precision, "scale": kind.scale} if inside else str(kind)
    name = _NAME_OF.get(kind) if isinstance(kind, AtomicType) else None
    if name is None:
        faults.append(Fault("format.unsupported-type", path, f"Mini Paimon has no {kind}.", _FIX))
    return {"type": name} if inside else name


def _losses(schema: TableSchema) -> Iterator[Loss]:
    yield from table_losses(schema, "Mini Paimon's schema file", keeps=("primary key", "partition keys"))
    if field_ids.all_ids(schema.fields) != list(range(len(schema.fields))):
        yield Loss("", "ids", "Mini Paimon's fields have no ids; they read back as their positions.")
    for field in schema.fields:
        if field.description is not None:
            yield Loss(field.name, "description", "Mini Paimon's fields have no description.")
        if field.default is not None:
            yield Loss(field.name, "default", "Mini Paimon's fields have no default.")


# ---------------------------------------------------------------- the metadata file


def read_metadata(source: str | bytes) -> TableMetadata:
    """Read a metadata file; keys that we do not know are kept."""
    value = json_value(source)
    known = _keys(TableMetadata) - {"unknown"}
    members = value
    if isinstance(value, dict):
        members = {key: member for key, member in value.items() if key in known and member is not None}
    faults: list[Fault] = []
    metadata = _convert(members, TableMetadata, "", faults)
    if metadata is None:
        raise FormatError.of(faults)
    unknown = tuple((key, json.dumps(member, ensure_ascii=False)) for key, member in value.items() if key not in known)
    indexes = None if metadata.index_config is None else json.dumps(metadata.index_config, ensure_ascii=False)
    return msgspec.structs.replace(metadata, unknown=unknown, index_config=indexes)


def write_metadata(metadata: TableMetadata) -> str:
    """Write a metadata file; values of None are left out."""
    members = [member for member in msgspec.structs.fields(metadata) if member.name != "unknown"]
    values = {member.encode_name: getattr(metadata, member.name) for member in members}
    values["properties"] = dict(metadata.properties)
    if metadata.index_config is not None:
        values["indexConfig"] = json.loads(metadata.index_config)
    values |= {key: json.loads(text) for key, text in metadata.unknown}
    return java_json.any_text({key: value for key, value in values.items() if value is not None})


def metadata_from(
    schema: TableSchema, *, database: str, table: str, moment: datetime, previous: TableMetadata | None = None
) -> TableMetadata:
    """Return the metadata of a table whose newest schema this is; without previous metadata they are new."""
    now = moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    values: dict[str, Any] = {"table_name": table, "database_name": database, "current_schema_id": schema.id, "last_modified_time": now}
    if schema.comment is not None:
        values["description"] = schema.comment
    if previous is None:
        return TableMetadata(create_time=now, **values)
    table_type = None
    if previous.table_type:
        table_type = "PRIMARY_KEY" if schema.primary_keys else "APPEND_ONLY"
    return msgspec.structs.replace(previous, table_type=table_type, **values)
