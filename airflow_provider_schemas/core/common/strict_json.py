"""JSON, read strictly: no key twice in one object, no NaN, no half surrogate pair, no nesting without end."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import Fault

JsonValue: TypeAlias = bool | int | float | str | Sequence[Any] | Mapping[str, Any] | None
"""A value as it comes out of JSON, or as a user writes it in Python."""
Place: TypeAlias = tuple[str | int, ...]
"""The way to a value inside a JSON text: keys of objects and positions in lists."""


class JsonReading(NamedTuple):
    """The value of a JSON text, and the faults of the text."""

    value: Any
    faults: tuple[Fault, ...] = ()


def read_json(text: str) -> JsonReading:
    """Read a JSON text; with faults, the value must not be used."""
    try:
        value = _STRICT_DECODER.decode(text)
        _refuse_half_pairs(text, value)
    except (RecursionError, ValueError):
        return _read_with_faults(text)
    return JsonReading(value)


def _refuse_half_pairs(text: str, value: Any) -> None:
    """Raise a UnicodeEncodeError if an escape of the text is half a surrogate pair."""
    if "\\u" in text:
        json.dumps(value, ensure_ascii=False).encode()


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is no JSON number")


def _object_of_distinct_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a key stands twice")
    return value


# Made once, because making a decoder takes longer than reading a short text.
_STRICT_DECODER = json.JSONDecoder(object_pairs_hook=_object_of_distinct_keys, parse_constant=_refuse_constant)


def _read_with_faults(text: str) -> JsonReading:
    """Read the text again, slower, and name every fault."""
    repeated: set[str] = set()

    def note_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) < len(pairs):
            counts = Counter([key for key, _ in pairs])
            repeated.update([key for key, count in counts.items() if count > 1])
        return value

    try:
        value = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=note_repeated_keys, parse_constant=_refuse_constant)
        _refuse_half_pairs(text, value)
    except RecursionError:
        return _refusal("json.too-deep", "the text is nested too deep.", "Flatten it.")
    except UnicodeEncodeError:
        return _refusal("json.surrogate", "the text holds half a surrogate pair.", "Write it as valid Unicode.")
    except ValueError as error:
        return _refusal("json.invalid", f"this is no JSON: {shown(str(error))[1:-1]}.", "Pass the whole text, or restore it from a backup.")
    message = "the key stands twice in one object."
    fix = "Keep the one that is meant."
    return JsonReading(value, tuple(Fault("json.duplicate-key", shown(key)[1:-1], message, fix) for key in sorted(repeated)))


def _refusal(code: str, message: str, fix: str) -> JsonReading:
    return JsonReading(None, (Fault(code, "", message, fix),))
