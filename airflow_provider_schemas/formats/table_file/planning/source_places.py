"""Where the things that findings speak of stand in a table file: columns, what is dropped, options, keys; else the table."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas.core.difference import MARKS, word
from airflow_provider_schemas.core.report import Place
from airflow_provider_schemas.core.schema.table_schema import attribute_key
from airflow_provider_schemas.formats.table_file.field_paths import dotted, steps_of
from airflow_provider_schemas.formats.table_file.parsing.attributes import OF_TABLE, POLICY_OPTION

if TYPE_CHECKING:
    from airflow_provider_schemas.formats.table_file.model import TableFile

_KEYS = {"": "table", "primaryKeys": "primary_key", "partitionKeys": "partitioned_by", "fields": "columns", POLICY_OPTION: "policy"}


def places_of(file: "TableFile") -> dict[str, Place]:
    """By what findings call them."""
    found = {path: file.place(entry) for path, entry in _entries(file)}
    return {path: place for path, place in found.items() if place is not None}


def _entries(file: "TableFile") -> Iterator[tuple[str, tuple[Any, ...]]]:
    yield attribute_key(None), (next((key for key in OF_TABLE if file.mentions(key)), "table"),)
    for path, key in _KEYS.items():
        yield path, (key if not path or file.mentions(key) else "table",)
    for key in file.options:
        yield key, ("options", key)
    for number, one in enumerate(file.dropped):
        for path in spellings(one.name):
            yield path, ("dropped", number)
    for key in ("primary_key", "partitioned_by"):
        for number, name in enumerate(getattr(file, key)):
            yield word(name), (key, number)
    for number, column in enumerate(file.columns):
        for name in (*(column.alias or ()), *column.earlier_names, column.name):
            yield word(name), ("columns", number)


def spellings(path: str) -> tuple[str, ...]:
    """A path of a table file as findings may call it: the name of a column, or the way to a field inside one."""
    steps = steps_of(path)
    marked = "".join(MARKS.get(one) or f".{word(one)}" for one in steps).removeprefix(".")
    return (word(path), dotted(steps), marked)
