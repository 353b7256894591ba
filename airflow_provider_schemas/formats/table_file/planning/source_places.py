"""The places in a table file by the paths that findings have: columns, dropped columns, options, keys; else the table."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from airflow_provider_schemas.core.difference import MARKS, word
from airflow_provider_schemas.core.report import Place
from airflow_provider_schemas.core.schema.attribute_options import attribute_key
from airflow_provider_schemas.formats.table_file.field_paths import dotted, steps_of
from airflow_provider_schemas.formats.table_file.parsing.attributes import OF_TABLE, POLICY_OPTION

if TYPE_CHECKING:
    from airflow_provider_schemas.formats.table_file.model import TableFile

_KEYS = {"": "table", "primaryKeys": "primary_key", "partitionKeys": "partitioned_by", "fields": "columns", POLICY_OPTION: "policy"}

EntryPath = tuple[str | int, ...]


def places_of(file: "TableFile") -> dict[str, Place]:
    """Return the places in a file by the paths of findings."""
    places: dict[str, Place] = {}
    for path, entry in _entries(file):
        place = file.place(entry)
        if place is not None:
            places[path] = place
    return places


def _entries(file: "TableFile") -> Iterator[tuple[str, EntryPath]]:
    """Yield the paths of findings, each with its entry; of two entries for one path, the later one counts."""
    yield attribute_key(None), (next((key for key in OF_TABLE if file.mentions(key)), "table"),)
    for path, key in _KEYS.items():
        yield path, (key if not path or file.mentions(key) else "table",)
    for key in file.options:
        yield key, ("options", key)
    for number, dropped in enumerate(file.dropped):
        for path in spellings(dropped.name):
            yield path, ("dropped", number)
    for key in ("primary_key", "partitioned_by"):
        for number, name in enumerate(getattr(file, key)):
            yield word(name), (key, number)
    for number, column in enumerate(file.columns):
        for name in (*(column.alias or ()), *column.earlier_names, column.name):
            yield word(name), ("columns", number)


def spellings(path: str) -> tuple[str, ...]:
    """Return the spellings of a path of a table file that findings may have: a name of a column, or the way to a field inside one."""
    steps = steps_of(path)
    marked = "".join(MARKS.get(step) or f".{word(step)}" for step in steps).removeprefix(".")
    return (word(path), dotted(steps), marked)
