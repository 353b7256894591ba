"""Conversions of ARRAY, MAP and ROW to text as SQL: [1, null, 2], {k -> v} and {a, null}, as Java prints them.

A part that has no text, such as a BLOB, fails where there is a value of it, and not before: as in Java.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from airflow_provider_schemas.core.types.atomic import STRING, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import ArrayType, MapType, RowType
from airflow_provider_schemas.errors import ProjectionError
from airflow_provider_schemas.spark.conversions.conversion import Convert, Converted, unless, variable
from airflow_provider_schemas.spark.conversions.text import fits
from airflow_provider_schemas.spark.sql import name

# Finds the conversion of a part.
Resolve = Callable[[DataType, DataType], Convert]


class _Printed(NamedTuple):
    """The text of a part, and whether it has none."""

    text: str
    fails: str = ""


def _printed(kind: DataType, resolve: Resolve, v: str) -> _Printed:
    try:
        done = resolve(kind, STRING)(v)
    except ProjectionError:
        return _Printed("'null'", f"({v} is not null)")
    return _Printed(f"coalesce({done.value}, 'null')", done.fails(done.value) if done.fails else "")


def _over(array: str, part: _Printed, x: str, brackets: str) -> Converted:
    text = f"concat('{brackets[0]}', array_join(transform({array}, {x} -> {part.text}), ', '), '{brackets[1]}')"
    return unless(f"exists({array}, {x} -> {part.fails})", text) if part.fails else Converted(text)


def array_to_text(source: Any, _target: Any, resolve: Resolve) -> Convert:
    def convert(v: str) -> Converted:
        x = variable()
        return _over(v, _printed(source.element, resolve, x), x, "[]")

    return convert


def map_to_text(source: Any, _target: Any, resolve: Resolve) -> Convert:
    def convert(v: str) -> Converted:
        x = variable()
        key, value = _printed(source.key, resolve, f"{x}.key"), _printed(source.value, resolve, f"{x}.value")
        entry = _Printed(f"concat({key.text}, ' -> ', {value.text})", _either(key, value))
        return _over(f"map_entries({v})", entry, x, "{}")

    return convert


def row_to_text(source: Any, _target: Any, resolve: Resolve) -> Convert:
    def convert(v: str) -> Converted:
        parts = [_printed(one.type, resolve, f"{v}.{name(one.name)}") for one in source.fields]
        inside = ", ".join(["', '", *(part.text for part in parts)])
        text, fails = f"if({v} is null, null, concat('{{', concat_ws({inside}), '}}'))", _either(*parts)
        return unless(fails, text) if fails else Converted(text)

    return convert


def _either(*parts: _Printed) -> str:
    failing = [part.fails for part in parts if part.fails]
    return f"({' or '.join(failing)})" if failing else ""


# ---------------------------------------------------------------- the way back

# A default of Paimon's is read as such a text; what is longer is not.
_LONGEST: Final = 100_000

# A text that is taken for one element, and for itself: none of the signs of a container, no blanks around it, not null.
_SIGNS: Final = r',"\\\[\](){}'
_PLAIN: Final = rf"(?!null(?!.))(?!.*->)[^\x00-\x20{_SIGNS}]([^{_SIGNS}]*[^\x00-\x20{_SIGNS}])?"


def comes_back(kind: Any, resolve: Resolve, text: str, v: str) -> str:
    """Whether the text of a container is surely read as the same container.

    Stricter than the reader of such texts where an element is a text with signs of containers in it: it then counts as lost.
    """
    return f"(length({text}) <= {_LONGEST} and {_returns(kind, resolve, v)})"


def _returns(kind: Any, resolve: Resolve, v: str) -> str:
    if isinstance(kind, RowType):
        return f"({' and '.join(_returns(one.type, resolve, f'{v}.{name(one.name)}') for one in kind.fields) or 'true'})"
    x = variable()
    if isinstance(kind, ArrayType):
        return f"({v} is null or not exists({v}, {x} -> not {_returns(kind.element, resolve, x)}))"
    if isinstance(kind, MapType):
        entry = f"({_returns(kind.key, resolve, f'{x}.key')} and {_returns(kind.value, resolve, f'{x}.value')})"
        return f"({v} is null or not exists(map_entries({v}), {x} -> not {entry}))"
    return _leaf_returns(kind, resolve, v)


def _leaf_returns(kind: DataType, resolve: Resolve, v: str) -> str:
    try:
        text = resolve(kind, STRING)(v).value
        same = f"{resolve(STRING, kind)(text).value} <=> {v}"
    except ProjectionError:
        return f"({v} is null)"
    return f"({v} is null or ({same}{f' and {fits(text, _PLAIN)}' if kind.root in _FREE else ''}))"


_FREE: Final = (Root.CHAR, Root.VARCHAR, Root.BINARY, Root.VARBINARY)
