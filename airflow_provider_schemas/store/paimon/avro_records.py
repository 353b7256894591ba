"""A few fields of the records in an Avro file, wherever the writer put them; the rest is skipped.

The reading itself is fastavro's. What it cannot bear is kept from it: types that contain themselves, whose
values end the process; lists of values without any bytes, which take for ever; nesting without end.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from io import BytesIO
from typing import Any, Final, NamedTuple

from airflow_provider_schemas.core.common.strict_json import read_json
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.store.paimon.avro_container import Block, broken, missing, opened

_MAX_SCHEMA: Final = 1024 * 1024
_MAX_DEPTH: Final = 32
_SIMPLE: Final = frozenset({"boolean", "int", "long", "float", "double", "bytes", "string"})


class Wanted(NamedTuple):
    """A field that is wanted: of a simple type, or a record of which some fields are wanted."""

    name: str
    type: str = ""
    fields: tuple["Wanted", ...] = ()
    optional: bool = False
    """Whether it may be null, or missing because the writer was older: None then."""
    many: bool = False
    """Whether it is a list of these."""


class _Reading(NamedTuple):
    """How fastavro reads the records of a schema."""

    writer: Any
    reader: Any


def records(data: bytes, wanted: tuple[Wanted, ...]) -> Iterator[Mapping[str, Any]]:
    """The wanted fields of every record in the file with these bytes."""
    container = opened(data)
    reading = _reading(container.schema, wanted)
    for block in container.blocks:
        yield from _read(block, reading)


def _read(block: Block, reading: _Reading) -> list[Mapping[str, Any]]:
    """The records of a block: with their count before and a zero behind them, they are one list of Avro, read in one go."""
    if not block.records and not block.data:
        return []
    if not 0 < block.records <= len(block.data):
        raise broken("a block of it holds another number of records than it says")
    stream = BytesIO(b"".join((_varint(block.records), block.data, b"\0")))
    size = len(stream.getbuffer())
    found = _tried(stream, reading)
    if len(found) != block.records or stream.tell() != size:
        raise broken("a block of it holds another number of records than it says")
    if not all(isinstance(one, dict) for one in found):
        raise broken("a record of it is empty")
    return found


def _tried(stream: BytesIO, reading: _Reading) -> list[Any]:
    fastavro = _fastavro()
    try:
        return list(fastavro.schemaless_reader(stream, reading.writer, reading.reader))
    except Exception as error:  # noqa: BLE001  # fastavro raises whatever it stumbles over, and the bytes are anybody's
        raise broken(f"its records cannot be read: {_reason(error)}") from None


def _fastavro() -> Any:
    try:
        import fastavro
    except ImportError:
        raise missing("fastavro") from None
    return fastavro


def _reason(error: BaseException) -> str:
    return shown(str(error) or type(error).__name__)[1:-1]


def _varint(value: int) -> bytes:
    value <<= 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


# ---------------------------------------------------------------- schemas


@lru_cache(maxsize=64)
def _reading(text: bytes, wanted: tuple[Wanted, ...]) -> _Reading:
    """How to read records of this schema. The manifests of a table share one, and it takes longer to read than they do."""
    fastavro = _fastavro()
    schema = _schema(text)
    try:
        writer = fastavro.parse_schema({"type": "array", "items": schema})
        _Safety().check(writer)
        reader = fastavro.parse_schema({"type": "array", "items": _projected(writer["items"], wanted)})
    except FormatError:
        raise
    except Exception as error:  # noqa: BLE001  # as above
        raise broken(f"its schema cannot be read: {_reason(error)}") from None
    return _Reading(writer, reader)


def _schema(text: bytes) -> Any:
    """The schema as it is written, if it is small and flat enough to be looked at."""
    if len(text) > _MAX_SCHEMA:
        raise broken(f"its schema is larger than {_MAX_SCHEMA} bytes", "avro.too-large")
    try:
        read = read_json(text.decode("utf-8"))
    except UnicodeDecodeError:
        raise broken("its schema is no text") from None
    if read.faults:
        raise broken(f"its schema is no JSON: {read.faults[0].message.rstrip('.')}")
    level, depth = [read.value], 0
    while level:
        depth += 1
        if depth > 3 * _MAX_DEPTH:
            raise broken("its schema is nested too deep")
        level = [inner for one in level for inner in _inside(one)]
    return read.value


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _projected(schema: Any, wanted: tuple[Wanted, ...]) -> dict[str, Any]:
    """The record as we want to read it, under the name that its writer gave it."""
    kind = _record(schema)
    return {"type": "record", "name": kind["name"], "fields": [_wanted(kind, one) for one in wanted]}


def _wanted(kind: Mapping[str, Any], one: Wanted) -> dict[str, Any]:
    plain: Any = one.type or _projected(_field(kind, one.name), one.fields)
    listed = {"type": "array", "items": plain} if one.many else plain
    return {"name": one.name, "type": ["null", listed], "default": None} if one.optional else {"name": one.name, "type": listed}


def _record(schema: Any) -> dict[str, Any]:
    """The record that this is, or that it may be besides null: so writes Rust."""
    options = schema if isinstance(schema, list) else [schema]
    for one in options:
        if isinstance(one, dict) and one.get("type") == "record":
            return one
    raise broken("its schema is not that of a manifest: where a record should be there is none")


def _field(kind: Mapping[str, Any], name: str) -> Any:
    for one in kind["fields"]:
        if one["name"] == name:
            return one["type"]
    raise broken(f"its schema is not that of a manifest: {name} is missing")


class _Safety:
    """Looks through a schema for what must not be read."""

    def __init__(self) -> None:
        self._empty: dict[str, bool] = {}

    def check(self, schema: Any, depth: int = 0) -> bool:
        """Whether a value of it may have no bytes at all; an error if values of it are dangerous."""
        if depth > _MAX_DEPTH:
            raise broken("its schema is nested too deep")
        if isinstance(schema, list):
            for one in schema:
                self.check(one, depth + 1)
            return False
        if isinstance(schema, str):
            return self._named(schema)
        return self._kind(schema, depth)

    def _named(self, name: str) -> bool:
        if name in _SIMPLE or name == "null":
            return name == "null"
        if name not in self._empty:
            raise broken(f"its schema is recursive: {shown(name)} contains itself")
        return self._empty[name]

    def _kind(self, schema: Any, depth: int) -> bool:
        match schema.get("type"):
            case "array" | "map" as kind:
                if self.check(schema["items" if kind == "array" else "values"], depth + 1) and kind == "array":
                    raise broken("its schema has lists of values without bytes")
                return False
            case "record":
                fields = [self.check(one["type"], depth + 1) for one in schema["fields"]]
                empty = all(fields)
            case "fixed":
                empty = schema["size"] < 1
            case "enum":
                empty = False
            case inner:
                return self.check(inner, depth + 1)
        self._empty[schema["name"]] = empty
        return empty
