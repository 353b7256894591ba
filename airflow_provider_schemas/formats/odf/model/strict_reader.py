"""What every reader of ODF's maps checks: that it is a map, its keys, its words and its numbers, with the faults gathered.

Keys are exact and closed: what is not known is refused, with the nearest name that is.
"""

from collections.abc import Collection, Mapping
from difflib import get_close_matches
from typing import Any, TypeVar

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.formats import base
from airflow_provider_schemas.formats.odf.model.kinds import Form

_Word = TypeVar("_Word")
_KINDS_OF_VALUES: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (type(None), "null"),
    (bool, "a truth value"),
    ((int, float), "a number"),
    (str, "text"),
    ((list, tuple), "a list"),
    (Mapping, "a map"),
)
_LONGEST_GUESS = 64


class Faults(base.Faults):
    """The faults of one document."""

    def wrong(self, value: object, path: str, wanted: str, fix: str = "") -> None:
        """Note that the value is not of the wanted form."""
        said = shown(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else kind_of(value)
        self.add("odf.wrong-type", path, f"{said} stands where {wanted} is wanted.", fix or f"Write {wanted}.")


def kind_of(value: object) -> str:
    """What a value is, in words of documents."""
    return next((words for kind, words in _KINDS_OF_VALUES if isinstance(value, kind)), f"a {type(value).__name__}")


def nearest(word: str, known: Collection[str]) -> str:
    """What to do about a word that is not known."""
    near = get_close_matches(word, known, 1) if len(word) <= _LONGEST_GUESS else []
    return f"Did you mean {near[0]}?" if near else ""


def members(value: Any, path: str, known: Collection[str], required: Collection[str], faults: Faults) -> Mapping[str, Any]:
    """The value as a map with no other keys than the known ones; empty, with a fault, if it is none."""
    if not is_map(value):
        faults.wrong(value, path, "a map")
        return {}
    for key in value:
        if key not in known:
            unknown_key(key, path, known, faults)
    for key in required:
        if key not in value:
            faults.add("odf.missing-key", joined(path, key), f"the key {key} is missing.", f"Add {key}.")
    found: Mapping[str, Any] = value
    return found


def is_map(value: object) -> bool:
    """Whether a value is a map; the one of JSON is asked for first, because there are so many."""
    return type(value) is dict or isinstance(value, Mapping)


def unknown_key(key: object, path: str, known: Collection[str], faults: Faults) -> None:
    """Note a key that means nothing."""
    there = f"There {'are' if len(known) > 1 else 'is'} {', '.join(known)}." if known else "There are none."
    fix = " ".join(part for part in (nearest(key, known) if isinstance(key, str) else "", there) if part)
    faults.add("odf.unknown-key", joined(path, str(key)), f"the key {shown(key)} means nothing here.", fix)


def word(value: Any, path: str, spelled: Mapping[str, _Word], what: str, faults: Faults, *, code: str = "odf.unknown-word") -> _Word | None:
    """The word that a text spells, or None with a fault."""
    if not isinstance(value, str):
        faults.wrong(value, path, what)
        return None
    found = spelled.get(value)
    if found is None:
        canonical = list(dict.fromkeys(str(one) for one in spelled.values()))
        fix = nearest(value, canonical) or nearest(value.capitalize(), canonical) or f"There are {', '.join(canonical)}."
        faults.add(code, path, f"{shown(value)} is not {what}.", fix)
    return found


def number(value: Any, path: str, form: Form, faults: Faults) -> int | None:
    """The whole number within the range of its form, or None with a fault."""
    low, high = form.value
    if isinstance(value, bool) or not isinstance(value, int):
        faults.wrong(value, path, "a whole number", "Write it without quotes, point or exponent.")
        return None
    if not low <= value <= high:
        faults.add("odf.number", path, f"{shown(value)} is out of range.", f"Write a number from {low} to {high}.")
        return None
    return value


def joined(path: str, key: str) -> str:
    """The path of a key."""
    return f"{path}.{key}" if path else key
