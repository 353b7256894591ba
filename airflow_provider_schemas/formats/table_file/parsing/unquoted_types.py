"""Types that lost their end: inside braces, a comma without quotes ends a value, and the rest becomes keys that nobody knows.

`{name: amount, type: DECIMAL(12, 2)}` says the type `DECIMAL(12` and the key `2)`. One fault tells what to write, in
place of those about the halves.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from airflow_provider_schemas.core.common.advice import path_text
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import Fault

_OPEN, _CLOSED = "(<", ")>"


def without_halves(values: Mapping[str, Any], faults: Iterable[Fault]) -> list[Fault]:
    """The faults of a table file, those about the halves of a type made into one."""
    found = list(faults)
    columns = values.get("columns")
    for number, column in enumerate(columns if found and isinstance(columns, list | tuple) else ()):
        rest = _rest(column) if isinstance(column, Mapping) else []
        if rest:
            entry = path_text(("columns", number, "type"))
            halves = {entry, *(path_text(("columns", number, key)) for key in rest)}
            found = [_fault(entry, [column["type"], *rest]), *(one for one in found if one.path not in halves)]
    return found


def _fault(entry: str, parts: list[str]) -> Fault:
    message = f"the type ends at a comma: {shown(parts[0])}."
    return Fault("table-file.bad-value", entry, message, f'Inside braces, put it in quotes: type: "{", ".join(parts)}".')


def _rest(column: Mapping[Any, Any]) -> list[str]:
    """The keys that are the rest of the type; none if the type is whole, or they do not complete it."""
    kind = column.get("type")
    open_ones = _unclosed(kind) if isinstance(kind, str) else 0
    rest: list[str] = []
    for key in _keys_behind(column, "type"):
        if open_ones <= 0 or column[key] is not None:
            break
        rest.append(key)
        open_ones += _unclosed(key)
    return rest if rest and open_ones == 0 else []


def _keys_behind(column: Mapping[Any, Any], name: str) -> Iterator[str]:
    keys = [key for key in column if isinstance(key, str)]
    yield from keys[keys.index(name) + 1 :] if name in keys else ()


def _unclosed(text: str) -> int:
    return sum(text.count(one) for one in _OPEN) - sum(text.count(one) for one in _CLOSED)
