"""The schema of a frame: what of Spark's types a table can have, and a note on what was left out.

Spark gives a column of nothing but NULL the type void. No table can have it, and a guess would be written down for ever,
so such a column is left out until some row has a value.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.validation.validity import faults_of
from airflow_provider_schemas.errors import FormatError, SchemaError, SparkError
from airflow_provider_schemas.formats.spark import struct_json

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_VOID: Final = ("void", "null")
_MOST: Final = 20
# Where the types stand that a list or a map is made of.
_PARTS: Final[tuple[str, ...]] = ("elementType", "keyType", "valueType")

SparkJson = str | dict[str, Any]
"""A type as Spark writes it in JSON: a name, or a mapping."""


class FrameSchema(NamedTuple):
    """The schema of a frame."""

    schema: TableSchema
    places: dict[str, int]
    """The place of each of its columns in the frame."""
    void: tuple[str, ...]
    """The columns that were left out because every value is NULL."""
    notes: tuple[str, ...]


def read_schema(frame: "DataFrame", known: TableSchema | None = None) -> FrameSchema:
    """Return the schema of a frame, and what was left out. `known` is the schema of the table that the data are for."""
    fields: list[dict[str, Any]] = []
    places: dict[str, int] = {}
    void: list[str] = []
    notes: list[str] = []
    for place, column in enumerate(frame.schema.jsonValue()["fields"]):
        name = column["name"]
        dropped: list[str] = []
        kind = _without_void(column["type"], name, dropped)
        if kind is None:
            void.append(name)
            continue
        field = column | {"type": kind}
        reason = _refusal(field)
        if reason is None:
            fields.append(field)
            places[name] = place
        else:
            notes.append(f"{name} is left out: {reason}")
        notes += [f"{path} is left out: every value is NULL, and its type is not known" for path in dropped]
    notes = [_void_note(name, known) for name in void] + notes + _collision_notes(places)
    schema = _make_schema(fields, notes)
    return FrameSchema(schema, places, tuple(void), tuple(notes))


def _void_note(name: str, known: TableSchema | None) -> str:
    field = None if known is None else known.field(name)
    more = ", and its type is not known" if field is None else f"; in the table it is {field.type}"
    return f"{name} is left out: every value is NULL{more}"


def _make_schema(fields: list[dict[str, Any]], notes: list[str]) -> TableSchema:
    """Return the schema of these columns, and add to the notes what is lost, and what is wrong with it."""
    if not fields:
        message = "no column of the data can be one of a table."
        fix = "; ".join(notes[:5]) or "Pass data that have columns."
        raise SparkError.of(FormatError(message, code="spark.no-columns", path="data", fix=fix).faults)
    loaded = struct_json.of_value({"type": "struct", "fields": fields})
    notes += map(str, loaded.losses[:_MOST])
    notes += [f"a table cannot be created of this: {fault}" for fault in faults_of(loaded.schema)[:_MOST]]
    return loaded.schema


def _refusal(field: dict[str, Any]) -> str | None:
    """Return why no table can have a column; None if one can."""
    try:
        struct_json.of_value({"type": "struct", "fields": [field]})
    except SchemaError as error:
        return str(error.faults[0])
    return None


def _without_void(kind: SparkJson, path: str, dropped: list[str]) -> SparkJson | None:
    """Return the type without the fields that are void, whose paths are added to `dropped`; None if nothing is left of it."""
    if isinstance(kind, str):
        return None if kind in _VOID else kind
    if kind.get("type") == "struct":
        return _struct_without_void(kind, path, dropped)
    parts = {word: _without_void(kind[word], path, dropped) for word in _PARTS if word in kind}
    if None in parts.values():
        return None
    return {**kind, **parts}


def _struct_without_void(kind: dict[str, Any], path: str, dropped: list[str]) -> SparkJson | None:
    fields = []
    void = []
    for field in kind["fields"]:
        inner_path = f"{path}.{field['name']}"
        inner = _without_void(field["type"], inner_path, dropped)
        if inner is None:
            void.append(inner_path)
        else:
            fields.append(field | {"type": inner})
    dropped += void
    if void and not fields:
        return None
    return {**kind, "fields": fields}


def _collision_notes(names: Iterable[str]) -> list[str]:
    """Note names that Spark takes for one, which it does unless a setting makes it heed case."""
    spellings: dict[str, list[str]] = {}
    for name in names:
        spellings.setdefault(name.lower(), []).append(name)
    return [
        f"{' and '.join(alike)} differ in case only: Spark cannot tell them apart in a table; rename one"
        for alike in spellings.values()
        if len(alike) > 1
    ]
