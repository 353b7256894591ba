"""Mini Paimon: its schema file and its table metadata file, both ways.

The schema file holds names, types, nullability and the two lists of keys, nothing else: ids are positions,
and what has no place (ids, options, comments, defaults) is handed back as losses for a sidecar to keep.
Types outside Mini Paimon's nine are refused, all of them at once. Early versions wrote a type as text, later
ones as an object; both are read. Text is written where it can say the type; ARRAY and MAP are objects.
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
from airflow_provider_schemas.formats.base import Dumped, Loaded, Loss, check_count, json_value, table_losses, unknown_keys

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
_WORDS = {"ARRAY": ("elementType",), "MAP": ("keyType", "valueType")}
_BUILD: dict[str, Callable[..., DataType]] = {"ARRAY": nested.array, "MAP": nested.map_of}
_FIX = "Mini Paimon knows INT, BIGINT, STRING, BOOLEAN, DOUBLE, TIMESTAMP, DECIMAL(p, s), ARRAY and MAP of nullable parts."

# A type is said exactly or refused: none comes back as another.
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
    """What Mini Paimon says about a table beside its schemas. Times are ISO-8601 instants in UTC."""

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


def _shaped(value: Any, kind: type[Shape], path: str, faults: list[Fault]) -> Shape | None:
    """The value as a value of this kind, or None with one more fault."""
    try:
        return msgspec.convert(value, kind, dec_hook=_options)
    except msgspec.ValidationError as error:
        message, _, place = str(error).partition(" - at `$")
        code = "json.missing-key" if "missing" in message else "json.wrong-type"
        where = f"{path}{place.rstrip('`')}".lstrip(".")
        faults.append(Fault(code, where, f"{message[0].lower()}{message[1:]}.", "Restore the file, or write the key as Mini Paimon does."))
        return None


def _options(_: type[Any], value: Any) -> Options:
    if not isinstance(value, dict) or not all(isinstance(one, str) for one in value.values()):
        raise ValueError("expected an object of text values")
    return Options(value)


# ---------------------------------------------------------------- the schema file, read


def load(source: str | bytes) -> Loaded:
    """Read a schema file; fields get their position as id."""
    value, faults = json_value(source), list[Fault]()
    file = _shaped(value, _File, "", faults)
    check_count(0 if file is None else len(file.fields))
    fields = [] if file is None else [_field(one, place, faults) for place, one in enumerate(file.fields)]
    if file is None or faults:
        raise FormatError.of(faults)
    named = tuple(one for one in fields if one is not None)
    faults += _file_faults(file, named)
    if faults:
        raise FormatError.of(faults)
    schema = TableSchema(named, len(named) - 1, file.partition_keys, file.primary_keys, id=file.schema_id)
    return Loaded(schema, tuple(_key_losses(value)))


def _field(source: Any, place: int, faults: list[Fault]) -> Field | None:
    column = _shaped(source, _Column, f"fields[{place}]", faults)
    kind = None if column is None else _type(column.type, column.name, 0, faults)
    if column is None or kind is None:
        return None
    return nested.field(place, column.name, kind.with_nullable(column.nullable))


def _type(source: Any, path: str, depth: int, faults: list[Fault]) -> DataType | None:
    """The type that a text or an object stands for, or None with at least one more fault."""
    name = source.get("type") if isinstance(source, dict) else source
    words = _WORDS.get(name) if isinstance(name, str) and isinstance(source, dict) else None
    if depth > MAX_DEPTH:
        faults.append(Fault("type.too-deep", path[:200], f"types are nested deeper than {MAX_DEPTH} levels.", "Flatten the schema."))
    elif words is not None:
        parts = [_type(source.get(word), f"{path}.{word}", depth + 1, faults) for word in words]
        whole = [part for part in parts if part is not None]
        return _BUILD[str(name)](*whole) if len(whole) == len(parts) else None
    elif isinstance(source, dict) and name == "DECIMAL":
        return _atom(f"DECIMAL({source.get('precision')}, {source.get('scale')})", path, faults)
    elif isinstance(name, str):
        return _atom(name, path, faults)
    else:
        faults.append(Fault("type.json-shape", path, f"{shown(source)} is no data type.", "Write text, or an object with a 'type'."))
    return None


def _atom(text: str, path: str, faults: list[Fault]) -> DataType | None:
    known = NAMES.get(text.strip().upper())
    found = _DECIMAL.fullmatch(text.strip())
    if known is not None or found is None:
        faults += [] if known else [Fault("format.unsupported-type", path, f"{shown(text)} is no type of Mini Paimon.", _FIX)]
        return known
    precision, scale = map(int, found.groups())
    kind: DataType | None = collect(faults, lambda: atomic.atomic(Root.DECIMAL, precision=precision, scale=scale), path)
    return kind


def _file_faults(file: _File, fields: tuple[Field, ...]) -> Iterator[Fault]:
    if not fields:
        yield Fault("schema.no-fields", "fields", "the schema has no field.", "Add one.")
    yield from nested.name_faults(fields)
    names = {one.name for one in fields}
    for key, what in ((file.primary_keys, "primary key"), (file.partition_keys, "partition key")):
        for name in (one for one in key if one not in names):
            yield Fault(f"schema.{what.replace(' ', '-')}-not-a-column", name[:200], f"the {what} names no field.", "Name a field.")


def _key_losses(value: dict[str, Any]) -> Iterator[Loss]:
    of_column = _keys(_Column)
    places = [("", value, _keys(_File)), *((one["name"], one, of_column) for one in value["fields"])]
    for path, members, known in places:
        yield from unknown_keys(path, members.keys() - known, "Mini Paimon")


def _keys(kind: type[Struct]) -> set[str]:
    return {one.encode_name for one in msgspec.structs.fields(kind)}


# ---------------------------------------------------------------- the schema file, written


def dump(schema: TableSchema) -> Dumped:
    """Write a schema file, or a FormatError that names every type which Mini Paimon cannot say."""
    faults: list[Fault] = [] if schema.fields else [Fault("schema.no-fields", "", "the schema has no field.", "Add one.")]
    fields = [
        {"name": one.name, "type": _said(one.type.with_nullable(True), one.name, faults), "nullable": one.type.nullable}
        for one in schema.fields
    ]
    if faults:
        raise FormatError.of(faults)
    keys = {"primaryKeys": schema.primary_keys, "partitionKeys": schema.partition_keys}
    return Dumped(java_json.any_text({"schemaId": schema.id, "fields": fields, **keys}), tuple(_losses(schema)))


def _said(kind: DataType, path: str, faults: list[Fault], inside: bool = False) -> Any:
    """What the file says for the type: text, or an object for a container and for all that is inside one."""
    if isinstance(kind, ArrayType | MapType) and kind.nullable:
        parts = [_said(part, f"{path}.{word}", faults, inside=True) for word, part in nested.children(kind)]
        return {"type": kind.root.value, **dict(zip(_WORDS[kind.root.value], parts, strict=True))}
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
    for one in schema.fields:
        for what, value in (("description", one.description), ("default", one.default)):
            if value is not None:
                yield Loss(one.name, what, f"Mini Paimon's fields have no {what}.")


# ---------------------------------------------------------------- the metadata file


def read_metadata(source: str | bytes) -> TableMetadata:
    """Read a metadata file; keys that we do not know are kept."""
    value, faults = json_value(source), list[Fault]()
    known = _keys(TableMetadata) - {"unknown"}
    members = {key: one for key, one in value.items() if key in known and one is not None} if isinstance(value, dict) else value
    metadata = _shaped(members, TableMetadata, "", faults)
    if metadata is None:
        raise FormatError.of(faults)
    rest = tuple((key, json.dumps(one, ensure_ascii=False)) for key, one in value.items() if key not in known)
    indexes = None if metadata.index_config is None else json.dumps(metadata.index_config, ensure_ascii=False)
    return msgspec.structs.replace(metadata, unknown=rest, index_config=indexes)


def write_metadata(metadata: TableMetadata) -> str:
    """Write a metadata file; what is None is left out."""
    values = {one.encode_name: getattr(metadata, one.name) for one in msgspec.structs.fields(metadata) if one.name != "unknown"}
    values["properties"] = dict(metadata.properties)
    values |= {key: json.loads(text) for key, text in (("indexConfig", metadata.index_config), *metadata.unknown) if text is not None}
    return java_json.any_text({key: value for key, value in values.items() if value is not None})


def metadata_from(
    schema: TableSchema, *, database: str, table: str, moment: datetime, previous: TableMetadata | None = None
) -> TableMetadata:
    """The metadata that belongs to a table whose newest schema this is; without a previous one it is made anew."""
    now = moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    said: dict[str, Any] = {"table_name": table, "database_name": database, "current_schema_id": schema.id, "last_modified_time": now}
    if schema.comment is not None:
        said["description"] = schema.comment
    if previous is None:
        return TableMetadata(create_time=now, **said)
    kind = ("PRIMARY_KEY" if schema.primary_keys else "APPEND_ONLY") if previous.table_type else None
    return msgspec.structs.replace(previous, table_type=kind, **said)
