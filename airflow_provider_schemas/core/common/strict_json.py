"""JSON, read strictly: no key twice in one object, no NaN, no half surrogate pair, no nesting without end."""

import json
from collections import Counter
from typing import Any, NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import Fault


class Read(NamedTuple):
    """The value of a JSON text, and what is wrong with the text."""

    value: Any
    faults: tuple[Fault, ...] = ()


def read_json(text: str) -> Read:
    """The value that a JSON text stands for; with faults it is not to be used."""
    try:
        value = _SOUND.decode(text)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()
    except (RecursionError, ValueError):
        return _looked_through(text)
    return Read(value)


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is no JSON number")


def _once(items: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(items)
    if len(value) < len(items):
        raise ValueError("a key stands twice")
    return value


# Made once, because making it takes longer than to read what is short.
_SOUND = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_refuse)


def _looked_through(text: str) -> Read:
    """The same with every fault by its name."""
    twice: Counter[str] = Counter()

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(items)
        if len(value) < len(items):
            twice.update({key: 1 for key, count in Counter(key for key, _ in items).items() if count > 1})
        return value

    try:
        value = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=pairs, parse_constant=_refuse)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        return _wrong("json.too-deep", "the text is nested too deep.", "Flatten it.")
    except UnicodeEncodeError:
        return _wrong("json.surrogate", "the text holds half a surrogate pair.", "Write it as valid Unicode.")
    except ValueError as error:
        return _wrong("json.invalid", f"this is no JSON: {shown(str(error))[1:-1]}.", "Pass the whole text, or restore it from a backup.")
    message, fix = "the key stands twice in one object.", "Keep the one that is meant."
    return Read(value, tuple(Fault("json.duplicate-key", shown(key)[1:-1], message, fix) for key in sorted(twice)))


def _wrong(code: str, message: str, fix: str) -> Read:
    return Read(None, (Fault(code, "", message, fix),))
