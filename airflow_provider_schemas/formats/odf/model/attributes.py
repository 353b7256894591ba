"""The attributes of a schema or field: a map of any keys to JSON values, frozen, compared and written as ODF does.

They are kept as the one text that blocks hold: compact, keys sorted at every level, numbers as written. So 1
is not 1.0, the order of keys means nothing, and an empty map is not an absent one.
"""

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

from airflow_provider_schemas.core.common.text import half_pair, shown
from airflow_provider_schemas.errors import FormatError

MAX_DEPTH: Final = 100
_SIGNED, _UNSIGNED = -(2**63), 2**64
# Python itself goes over to exponents below -4 and from 16 on.
_PLAIN_EXPONENTS = range(-5, 16)


class Attributes(Mapping[str, Any]):
    """A frozen map of attributes. What it hands out is a copy."""

    __slots__ = ("text",)
    text: str
    """The whole map as JSON text, as blocks hold it."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        object.__setattr__(self, "text", json_text(dict(values)))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("attributes are frozen")

    def _values(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.text)
        return found

    def __getitem__(self, key: str) -> Any:
        return self._values()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values())

    def __len__(self) -> int:
        return len(self._values())

    def __eq__(self, other: object) -> bool:
        return self.text == other.text if isinstance(other, Attributes) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Attributes({self.text})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Attributes, (self._values(),)

    def without(self, *keys: str) -> "Attributes":
        """The same attributes but for these."""
        return Attributes({key: value for key, value in self._values().items() if key not in keys})

    def with_(self, key: str, value: Any) -> "Attributes":
        """The same attributes with this one set."""
        return Attributes({**self._values(), key: value})


# ---------------------------------------------------------------- text

_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False).encode


def json_text(value: Any) -> str:
    """The compact JSON text of a value, with sorted keys; a FormatError names what has no place in JSON."""
    if _checked(value, "", 0):
        return _with_floats(value)
    return _ENCODE(value)


def _checked(value: Any, path: str, depth: int) -> bool:
    """Whether there are fractions in it, which Python writes otherwise; a value that JSON cannot hold is refused."""
    if isinstance(value, str):
        if half_pair(value):
            raise _refusal("json.surrogate", path, "a text holds half a surrogate pair.", "Write it as valid Unicode.")
        return False
    if value is None or isinstance(value, bool):
        return False
    if isinstance(value, int):
        if not _SIGNED <= value < _UNSIGNED:
            raise _refusal("odf.number", path, "a number has more than 64 bits.", "Write it as text, in quotes.")
        return False
    if isinstance(value, float):
        if not math.isfinite(value):
            raise _refusal("odf.number", path, f"{value} is no number of JSON.", "Use null, or text.")
        return True
    if depth >= MAX_DEPTH:
        raise _refusal("odf.too-deep", path, f"an attribute is deeper than {MAX_DEPTH} levels.", "Flatten it.")
    return _checked_parts(value, path, depth)


def _checked_parts(value: Any, path: str, depth: int) -> bool:
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str) or half_pair(key):
                raise _refusal("odf.attribute-key", path, f"the key {shown(key)} is no text that can be kept.", "Use text as key.")
        return True in [_checked(one, f"{path}.{key}" if path else key, depth + 1) for key, one in value.items()]
    if isinstance(value, list | tuple):
        return True in [_checked(one, f"{path}[{number}]", depth + 1) for number, one in enumerate(value)]
    raise _refusal("odf.attribute", path, f"{shown(value)} has no place in JSON.", "Use text, numbers, true, false, null, lists and maps.")


def _refusal(code: str, path: str, message: str, fix: str) -> FormatError:
    return FormatError(message, code=code, path=path[:200], fix=fix)


def _with_floats(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{_ENCODE(key)}:{_with_floats(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_with_floats, value)) + "]"
    return float_text(value) if isinstance(value, float) else _ENCODE(value)


def float_text(value: float) -> str:
    """A fraction as the reference writes it: a decimal point for exponents from -5 to 15, else a bare exponent."""
    mantissa, _, exponent = repr(value).partition("e")
    if not exponent:
        return mantissa
    power = int(exponent)
    if power not in _PLAIN_EXPONENTS:
        return f"{mantissa}e{power}"
    sign, digits = ("-" if value < 0 else ""), mantissa.lstrip("-").replace(".", "")
    return f"{sign}0.{'0' * (-power - 1)}{digits}"
