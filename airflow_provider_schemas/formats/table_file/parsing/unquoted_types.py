"""Types that lost their end: inside braces, a comma without quotes ends a value, and the rest becomes unknown keys.

`{name: amount, type: DECIMAL(12, 2)}` gives the type `DECIMAL(12` and the key `2)`. One fault with the right text
takes the place of the faults about the halves.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from airflow_provider_schemas.core.common.advice import path_text
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import Fault

_OPENING = "(<"
_CLOSING = ")>"


def without_halves(values: Mapping[str, Any], faults: Iterable[Fault]) -> list[Fault]:
    """Return the faults of a table file, those about the halves of a type made into one."""
    merged = list(faults)
    columns = values.get("columns")
    if not merged or not isinstance(columns, list | tuple):
        return merged
    for number, column in enumerate(columns):
        rest = _rest_of_type(column) if isinstance(column, Mapping) else []
        if rest:
            entry = path_text(("columns", number, "type"))
            halves = {entry, *(path_text(("columns", number, key)) for key in rest)}
            merged = [_fault(entry, [column["type"], *rest]), *(fault for fault in merged if fault.path not in halves)]
    return merged


def _fault(entry: str, parts: list[str]) -> Fault:
    message = f"the type ends at a comma: {shown(parts[0])}."
    return Fault("table-file.bad-value", entry, message, f'Inside braces, put it in quotes: type: "{", ".join(parts)}".')


def _rest_of_type(column: Mapping[Any, Any]) -> list[str]:
    """Return the keys that are the rest of the type; none if the type is whole, or they do not complete it."""
    sql = column.get("type")
    depth = _unclosed(sql) if isinstance(sql, str) else 0
    rest: list[str] = []
    for key in _keys_behind(column, "type"):
        if depth <= 0 or column[key] is not None:
            break
        rest.append(key)
        depth += _unclosed(key)
    return rest if depth == 0 else []


def _keys_behind(column: Mapping[Any, Any], name: str) -> Iterator[str]:
    keys = [key for key in column if isinstance(key, str)]
    if name in keys:
        yield from keys[keys.index(name) + 1 :]


def _unclosed(text: str) -> int:
    """Return how many brackets of a text are not closed in it."""
    return sum(map(text.count, _OPENING)) - sum(map(text.count, _CLOSING))
