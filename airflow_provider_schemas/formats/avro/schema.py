"""Read the schema in an Avro file, if its records may be given to fastavro.

Three things must not reach it: types that contain themselves, whose values end the process; lists of values without any bytes, which
take for ever; nesting without end.
"""

from collections.abc import Iterable
from typing import Any, Final

from airflow_provider_schemas.core.common.strict_json import read_json
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.formats.avro.errors import broken

MAX_SCHEMA: Final = 1024 * 1024
_MAX_DEPTH: Final = 32
# JSON nests up to three times as deep as types: a type is in the list of fields of an object.
_MAX_JSON_DEPTH: Final = 3 * _MAX_DEPTH
_SIMPLE: Final = frozenset({"boolean", "int", "long", "float", "double", "bytes", "string"})

JsonValue = Any
"""A value of JSON: what an outside writer has put into a schema, of any shape."""


def read_schema(text: bytes) -> JsonValue:
    """Return the schema as it is written, if it is small and flat enough to be looked at."""
    if len(text) > MAX_SCHEMA:
        raise broken(f"its schema is larger than {MAX_SCHEMA} bytes", "avro.too-large")
    try:
        read = read_json(text.decode("utf-8"))
    except UnicodeDecodeError:
        raise broken("its schema is no text") from None
    if read.faults:
        raise broken(f"its schema is no JSON: {read.faults[0].message.rstrip('.')}")
    _check_depth(read.value)
    return read.value


def _check_depth(schema: JsonValue) -> None:
    """Raise an error if JSON is nested too deep. Go level by level: a recursion would end where the nesting does."""
    level = [schema]
    depth = 0
    while level:
        depth += 1
        if depth > _MAX_JSON_DEPTH:
            raise broken("its schema is nested too deep")
        level = [child for value in level for child in _children(value)]


def _children(value: JsonValue) -> Iterable[JsonValue]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def check_safety(schema: JsonValue) -> None:
    """Raise an error if values of a parsed schema are dangerous to read."""
    _SafetyCheck().has_empty_values(schema)


class _SafetyCheck:
    """A walk through a schema that knows which of its named types may have values without bytes."""

    def __init__(self) -> None:
        self._empty: dict[str, bool] = {}

    def has_empty_values(self, schema: JsonValue, depth: int = 0) -> bool:
        """Return whether a value may have no bytes at all; an error if values are dangerous."""
        if depth > _MAX_DEPTH:
            raise broken("its schema is nested too deep")
        if isinstance(schema, list):
            for option in schema:
                self.has_empty_values(option, depth + 1)
            return False
        if isinstance(schema, str):
            return self._is_empty_name(schema)
        return self._is_empty_type(schema, depth)

    def _is_empty_name(self, name: str) -> bool:
        if name in _SIMPLE or name == "null":
            return name == "null"
        if name not in self._empty:
            raise broken(f"its schema is recursive: {shown(name)} contains itself")
        return self._empty[name]

    def _is_empty_type(self, schema: JsonValue, depth: int) -> bool:
        match schema.get("type"):
            case "array":
                if self.has_empty_values(schema["items"], depth + 1):
                    raise broken("its schema has lists of values without bytes")
                return False
            case "map":
                self.has_empty_values(schema["values"], depth + 1)
                return False
            case "record":
                fields = [self.has_empty_values(field["type"], depth + 1) for field in schema["fields"]]
                is_empty = all(fields)
            case "fixed":
                is_empty = schema["size"] < 1
            case "enum":
                is_empty = False
            case inner:
                return self.has_empty_values(inner, depth + 1)
        self._empty[schema["name"]] = is_empty
        return is_empty
