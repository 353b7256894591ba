"""Sample rows as they may be shown: plain JSON values, no secrets, nothing long. They are kept where many people read."""

import math
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final

from airflow_provider_schemas.core.common.secrets import MASK, is_secret, without_credentials
from airflow_provider_schemas.render.sanitize import clean

_TEXT: Final = 200
_ITEMS: Final = 10
_DEEP: Final = 4
_MORE: Final = "..."


JsonValue = Any
"""A value that JSON can hold."""


def shown_row(row: Mapping[str, Any]) -> dict[str, JsonValue]:
    """Return a row without what nobody should read."""
    return _show_mapping(row, _DEEP)


def _show_mapping(values: Mapping[Any, Any], room: int) -> dict[str, JsonValue]:
    shown: dict[str, JsonValue] = {}
    for key, value in islice(values.items(), _ITEMS):
        is_hidden = value is not None and is_secret(str(key))
        shown[_show_text(str(key))] = MASK if is_hidden else _show_value(value, room - 1)
    if len(values) > _ITEMS:
        shown[_MORE] = f"{len(values) - _ITEMS} more"
    return shown


def _show_value(value: Any, room: int) -> JsonValue:
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Mapping) and room > 0:
        return _show_mapping(value, room)
    if isinstance(value, list | tuple) and room > 0:
        return _show_list(value, room)
    return _show_text(str(value))


def _show_list(values: Sequence[Any], room: int) -> list[JsonValue]:
    shown = [_show_value(value, room - 1) for value in values[:_ITEMS]]
    if len(values) > _ITEMS:
        shown.append(_MORE)
    return shown


def _show_text(text: str) -> str:
    cleaned = clean(without_credentials(text))
    return cleaned if len(cleaned) <= _TEXT else f"{cleaned[: _TEXT - 3]}{_MORE}"
