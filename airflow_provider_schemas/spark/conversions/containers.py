"""Conversions of ARRAY, MAP and ROW to text as SQL: [1, null, 2], {k -> v} and {a, null}, as Java prints them.

A part that has no text, such as a BLOB, fails where there is a value of it, and not before: as in Java.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from airflow_provider_schemas.core.types.atomic import STRING, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import ArrayType, MapType, RowType
from airflow_provider_schemas.errors import ProjectionError
from airflow_provider_schemas.spark.conversions.conversion import Convert, Converted, fail_where, new_variable
from airflow_provider_schemas.spark.conversions.text import matches
from airflow_provider_schemas.spark.sql import name

Resolve = Callable[[DataType, DataType], Convert]
"""Finds the conversion of a part."""


class _PartText(NamedTuple):
    """The text of a part, and whether it has none."""

    text: str
    fails: str = ""


def _part_text(data_type: DataType, resolve: Resolve, value: str) -> _PartText:
    try:
        converted = resolve(data_type, STRING)(value)
    except ProjectionError:
        return _PartText("'null'", f"({value} is not null)")
    text = f"coalesce({converted.value}, 'null')"
    if converted.fails is None:
        return _PartText(text)
    return _PartText(text, converted.fails(converted.value))


def _elements_text(array: str, element: str, part: _PartText, brackets: str) -> Converted:
    """Write the text of all elements of an array, of which `element` is the variable."""
    text = f"concat('{brackets[0]}', array_join(transform({array}, {element} -> {part.text}), ', '), '{brackets[1]}')"
    if not part.fails:
        return Converted(text)
    return fail_where(f"exists({array}, {element} -> {part.fails})", text)


def array_to_text(source: ArrayType, _target: DataType, resolve: Resolve) -> Convert:
    """Write an ARRAY as text."""

    def convert(value: str) -> Converted:
        element = new_variable()
        return _elements_text(value, element, _part_text(source.element, resolve, element), "[]")

    return convert


def map_to_text(source: MapType, _target: DataType, resolve: Resolve) -> Convert:
    """Write a MAP as text."""

    def convert(value: str) -> Converted:
        entry = new_variable()
        key_text = _part_text(source.key, resolve, f"{entry}.key")
        value_text = _part_text(source.value, resolve, f"{entry}.value")
        entry_text = _PartText(f"concat({key_text.text}, ' -> ', {value_text.text})", _any_fails(key_text, value_text))
        return _elements_text(f"map_entries({value})", entry, entry_text, "{}")

    return convert


def row_to_text(source: RowType, _target: DataType, resolve: Resolve) -> Convert:
    """Write a ROW as text."""

    def convert(value: str) -> Converted:
        parts = [_part_text(field.type, resolve, f"{value}.{name(field.name)}") for field in source.fields]
        inside = ", ".join(["', '", *(part.text for part in parts)])
        text = f"if({value} is null, null, concat('{{', concat_ws({inside}), '}}'))"
        fails = _any_fails(*parts)
        return fail_where(fails, text) if fails else Converted(text)

    return convert


def _any_fails(*parts: _PartText) -> str:
    """Write whether any part fails; empty if none can."""
    failing = [part.fails for part in parts if part.fails]
    return f"({' or '.join(failing)})" if failing else ""


# ---------------------------------------------------------------- the way back

# A default of Paimon's is read as such a text; what is longer is not.
_LONGEST: Final = 100_000

# A text that is taken for one element, and for itself: none of the signs of a container, no blanks around it, not null.
_SIGNS: Final = r',"\\\[\](){}'
_PLAIN: Final = rf"(?!null(?!.))(?!.*->)[^\x00-\x20{_SIGNS}]([^{_SIGNS}]*[^\x00-\x20{_SIGNS}])?"
# Types whose texts may hold anything.
_FREE: Final = (Root.CHAR, Root.VARCHAR, Root.BINARY, Root.VARBINARY)


def comes_back(data_type: DataType, resolve: Resolve, text: str, value: str) -> str:
    """Write whether the text of a container is surely read as the same container.

    Stricter than the reader of such texts where an element is a text with signs of containers in it: it then counts as lost.
    """
    return f"(length({text}) <= {_LONGEST} and {_part_comes_back(data_type, resolve, value)})"


def _part_comes_back(data_type: DataType, resolve: Resolve, value: str) -> str:
    if isinstance(data_type, RowType):
        fields = (_part_comes_back(field.type, resolve, f"{value}.{name(field.name)}") for field in data_type.fields)
        return f"({' and '.join(fields) or 'true'})"
    if isinstance(data_type, ArrayType):
        element = new_variable()
        return f"({value} is null or not exists({value}, {element} -> not {_part_comes_back(data_type.element, resolve, element)}))"
    if isinstance(data_type, MapType):
        entry = new_variable()
        key_returns = _part_comes_back(data_type.key, resolve, f"{entry}.key")
        value_returns = _part_comes_back(data_type.value, resolve, f"{entry}.value")
        return f"({value} is null or not exists(map_entries({value}), {entry} -> not ({key_returns} and {value_returns})))"
    return _atom_comes_back(data_type, resolve, value)


def _atom_comes_back(data_type: DataType, resolve: Resolve, value: str) -> str:
    try:
        text = resolve(data_type, STRING)(value).value
        condition = f"{resolve(STRING, data_type)(text).value} <=> {value}"
    except ProjectionError:
        return f"({value} is null)"
    if data_type.root in _FREE:
        condition = f"{condition} and {matches(text, _PLAIN)}"
    return f"({value} is null or ({condition}))"
