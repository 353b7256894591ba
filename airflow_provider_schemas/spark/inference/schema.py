"""The schema of a frame: what of Spark's types a table can have, and a note on what was left out.

Spark gives a column of nothing but NULL the type void. No table can have it, and a guess would be written down for ever,
so such a column is left out until some row has a value.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.validation.validity import faults_of
from airflow_provider_schemas.errors import FormatError, SchemaError, SparkError
from airflow_provider_schemas.formats.spark import struct_json

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_VOID: Final = ("void", "null")
_MOST: Final = 20


def schema_of(frame: "DataFrame", known: TableSchema | None = None) -> tuple[TableSchema, dict[str, int], tuple[str, ...], tuple[str, ...]]:
    """The schema; the place of each of its columns in the frame; which columns were left out for being void; notes."""
    fields = frame.schema.jsonValue()["fields"]
    kept, places, void, notes = [], dict[str, int](), list[str](), list[str]()
    for place, one in enumerate(fields):
        dropped: list[str] = []
        kind = _without_void(one["type"], one["name"], dropped)
        if kind is None:
            void.append(one["name"])
        elif (reason := _refused(one | {"type": kind})) is not None:
            notes.append(f"{one['name']} is left out: {reason}")
        else:
            kept.append(one | {"type": kind})
            places[one["name"]] = place
        notes += [f"{path} is left out: every value is NULL, and its type is not known" for path in dropped if kind is not None]
    notes = [_of_void(name, known) for name in void] + notes + _collisions(places)
    return _read(kept, notes), places, tuple(void), tuple(notes)


def _of_void(name: str, known: TableSchema | None) -> str:
    there = None if known is None else known.field(name)
    more = f"; in the table it is {there.type}" if there is not None else ", and its type is not known"
    return f"{name} is left out: every value is NULL{more}"


def _read(kept: list[Any], notes: list[str]) -> TableSchema:
    if not kept:
        message = "no column of the data can be one of a table."
        raise SparkError.of(
            FormatError(message, code="spark.no-columns", path="data", fix="; ".join(notes[:5]) or "Pass data that have columns.").faults
        )
    loaded = struct_json.of_value({"type": "struct", "fields": kept})
    notes += [str(one) for one in loaded.losses[:_MOST]]
    schema = loaded.schema
    notes += [f"a table cannot be created of this: {one}" for one in faults_of(schema)[:_MOST]]
    return schema


def _refused(one: dict[str, Any]) -> str | None:
    try:
        struct_json.of_value({"type": "struct", "fields": [one]})
    except SchemaError as error:
        return str(error.faults[0])
    return None


def _without_void(kind: Any, path: str, dropped: list[str]) -> Any:
    """The type without the fields that are void; None if nothing is left of it."""
    if isinstance(kind, str):
        return None if kind in _VOID else kind
    if kind.get("type") == "struct":
        parts = [(one, _without_void(one["type"], f"{path}.{one['name']}", dropped)) for one in kind["fields"]]
        dropped += [f"{path}.{one['name']}" for one, inner in parts if inner is None]
        fields = [one | {"type": inner} for one, inner in parts if inner is not None]
        return {**kind, "fields": fields} if fields or not parts else None
    inner = {word: _without_void(kind[word], path, dropped) for word in ("elementType", "keyType", "valueType") if word in kind}
    return None if None in inner.values() else {**kind, **inner}


def _collisions(names: Iterable[str]) -> list[str]:
    """Names that Spark takes for one, which it does unless it is told to heed case."""
    spellings: dict[str, list[str]] = {}
    for name in names:
        spellings.setdefault(name.lower(), []).append(name)
    return [
        f"{' and '.join(same)} differ in case only: Spark cannot tell them apart in a table; rename one"
        for same in spellings.values()
        if len(same) > 1
    ]
