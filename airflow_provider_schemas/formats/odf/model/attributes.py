"""The attributes of a schema or field: a map of any keys to JSON values, frozen, compared and written as ODF does.

They are kept as the one text that blocks hold: compact, keys sorted at every level, numbers as written. So 1
is not 1.0, the order of keys means nothing, and an empty map is not an absent one.
"""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from airflow_provider_schemas.core.common.text import half_pair, shown
from airflow_provider_schemas.errors import FormatError

PlainValue: TypeAlias = bool | int | float | str | Sequence[Any] | Mapping[Any, Any] | None
"""A value as JSON and YAML hold it. YAML also has keys other than text, and readers refuse them."""

MAX_DEPTH: Final = 100
_LOWEST: Final = -(2**63)
_BEYOND_HIGHEST: Final = 2**64
# Python itself writes exponents below -4 and from 16 on.
_PLAIN_EXPONENTS: Final = range(-5, 16)


class Attributes(Mapping[str, Any]):
    """A frozen map of attributes. The values that it gives are copies."""

    __slots__ = ("text",)
    text: str
    """The whole map as JSON text, as blocks hold it."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        object.__setattr__(self, "text", json_text(dict(values)))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("attributes are frozen")

    def _values(self) -> dict[str, Any]:
        values: dict[str, Any] = json.loads(self.text)
        return values

    def __getitem__(self, key: str) -> Any:
        return self._values()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values())

    def __len__(self) -> int:
        return len(self._values())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Attributes):
            return NotImplemented
        return self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Attributes({self.text})"

    def __reduce__(self) -> tuple[Callable[..., "Attributes"], tuple[dict[str, Any]]]:
        return Attributes, (self._values(),)

    def without(self, *keys: str) -> "Attributes":
        """Return the attributes without these keys."""
        return Attributes({key: value for key, value in self._values().items() if key not in keys})

    def with_(self, key: str, value: PlainValue) -> "Attributes":
        """Return the attributes with `key` set to `value`."""
        return Attributes({**self._values(), key: value})


# ---------------------------------------------------------------- text

_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False).encode


def json_text(value: PlainValue) -> str:
    """Return the compact JSON text of a value, with sorted keys; raise a FormatError for what has no place in JSON."""
    if _has_floats(value, "", 0):
        return _text_with_floats(value)
    return _ENCODE(value)


def _has_floats(value: PlainValue, path: str, depth: int) -> bool:
    """Return whether a value holds floats, which Python writes otherwise; refuse what JSON cannot hold."""
    if isinstance(value, str):
        if half_pair(value):
            raise _refusal("json.surrogate", path, "a text holds half a surrogate pair.", "Write it as valid Unicode.")
        return False
    if value is None or isinstance(value, bool):
        return False
    if isinstance(value, int):
        if not _LOWEST <= value < _BEYOND_HIGHEST:
            raise _refusal("odf.number", path, "a number has more than 64 bits.", "Write it as text, in quotes.")
        return False
    if isinstance(value, float):
        if not math.isfinite(value):
            raise _refusal("odf.number", path, f"{value} is no number of JSON.", "Use null, or text.")
        return True
    if depth >= MAX_DEPTH:
        raise _refusal("odf.too-deep", path, f"an attribute is deeper than {MAX_DEPTH} levels.", "Flatten it.")
    return _parts_have_floats(value, path, depth + 1)


def _parts_have_floats(value: PlainValue, path: str, depth: int) -> bool:
    # The lists make sure that all parts are checked: `any` would stop at the first float.
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str) or half_pair(key):
                raise _refusal("odf.attribute-key", path, f"the key {shown(key)} is no text that can be kept.", "Use text as key.")
        return True in [_has_floats(part, f"{path}.{key}" if path else key, depth) for key, part in value.items()]
    if isinstance(value, list | tuple):
        return True in [_has_floats(part, f"{path}[{number}]", depth) for number, part in enumerate(value)]
    message = f"{shown(value)} has no place in JSON."
    raise _refusal("odf.attribute", path, message, "Use text, numbers, true, false, null, lists and maps.")


def _refusal(code: str, path: str, message: str, fix: str) -> FormatError:
    return FormatError(message, code=code, path=path[:200], fix=fix)


def _text_with_floats(value: PlainValue) -> str:
    if isinstance(value, Mapping):
        entries = [f"{_ENCODE(key)}:{_text_with_floats(value[key])}" for key in sorted(value)]
        return f"{{{','.join(entries)}}}"
    if isinstance(value, list | tuple):
        return f"[{','.join(map(_text_with_floats, value))}]"
    if isinstance(value, float):
        return float_text(value)
    return _ENCODE(value)


def float_text(value: float) -> str:
    """Return a float as the reference writes it: with a decimal point for exponents from -5 to 15, else a bare exponent."""
    mantissa, _, exponent = repr(value).partition("e")
    if not exponent:
        return mantissa
    power = int(exponent)
    if power not in _PLAIN_EXPONENTS:
        return f"{mantissa}e{power}"
    sign = "-" if value < 0 else ""
    digits = mantissa.lstrip("-").replace(".", "")
    return f"{sign}0.{'0' * (-power - 1)}{digits}"
