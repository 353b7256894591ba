"""Sample rows as they may be shown: plain JSON values, no secrets, nothing long. They are kept where many people read."""

import math
from collections.abc import Mapping
from typing import Any, Final

from airflow_provider_schemas.core.common.secrets import MASK, is_secret, without_credentials
from airflow_provider_schemas.render.sanitize import clean

_TEXT: Final = 200
_ITEMS: Final = 10
_DEEP: Final = 4
_MORE: Final = "..."


def shown_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row without what nobody should read."""
    return _mapping(row, _DEEP)


def _mapping(values: Mapping[Any, Any], room: int) -> dict[str, Any]:
    some = list(values.items())[:_ITEMS]
    found = {_text(str(key)): MASK if is_secret(str(key)) and value is not None else _value(value, room - 1) for key, value in some}
    return {**found, **({_MORE: f"{len(values) - _ITEMS} more"} if len(values) > _ITEMS else {})}


def _value(value: Any, room: int) -> Any:
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Mapping) and room > 0:
        return _mapping(value, room)
    if isinstance(value, list | tuple) and room > 0:
        return [*(_value(one, room - 1) for one in value[:_ITEMS]), *([_MORE] if len(value) > _ITEMS else [])]
    return _text(str(value))


def _text(text: str) -> str:
    said = clean(without_credentials(text))
    return said if len(said) <= _TEXT else f"{said[: _TEXT - 3]}{_MORE}"
