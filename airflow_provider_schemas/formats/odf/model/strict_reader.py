"""The checks that all readers of ODF's maps share: of maps, keys, words and numbers, with the faults gathered.

Keys are exact and closed: an unknown key is refused, and the nearest known one is named.
"""

from collections.abc import Collection, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, TypeVar

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats import base
from airflow_provider_schemas.formats.odf.model.attributes import PlainValue
from airflow_provider_schemas.formats.odf.model.kinds import ParameterForm

if TYPE_CHECKING:
    from typing_extensions import TypeIs

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


class DocumentFaults(base.Faults):
    """The faults of one document."""

    def wrong(self, value: PlainValue, path: str, wanted: str, fix: str = "") -> None:
        """Note that a value is not what is wanted there."""
        is_scalar = isinstance(value, str | int | float) and not isinstance(value, bool)
        text = shown(value) if is_scalar else _kind_text(value)
        self.add("odf.wrong-type", path, f"{text} stands where {wanted} is wanted.", fix or f"Write {wanted}.")


def _kind_text(value: PlainValue) -> str:
    """Return what sort of value it is, in words of documents."""
    return next((words for kind, words in _KINDS_OF_VALUES if isinstance(value, kind)), f"a {type(value).__name__}")


def below(path: str, error: FormatError) -> FormatError:
    """Return the error with the paths of all its faults below `path`."""
    return FormatError.of(fault.at(path) for fault in error.faults)


def nearest(word: object, known: Collection[str]) -> str:
    """Return the question whether the nearest known word was meant; empty if none is near, or for another value than text."""
    if not isinstance(word, str) or len(word) > _LONGEST_GUESS:
        return ""
    near = get_close_matches(word, known, 1)
    if not near:
        return ""
    return f"Did you mean {near[0]}?"


def members(value: PlainValue, path: str, known: Collection[str], required: Collection[str], faults: DocumentFaults) -> Mapping[str, Any]:
    """Return the value as a map, and note unknown and missing keys; return an empty map, with a fault, if it is none."""
    if not is_map(value):
        faults.wrong(value, path, "a map")
        return {}
    for key in value:
        if key not in known:
            unknown_key(key, path, known, faults)
    for key in required:
        if key not in value:
            faults.add("odf.missing-key", joined(path, key), f"the key {key} is missing.", f"Add {key}.")
    return value


def is_map(value: PlainValue) -> "TypeIs[Mapping[str, Any]]":
    """Return whether a value is a map."""
    # The dicts of JSON first: there are so many of them.
    return type(value) is dict or isinstance(value, Mapping)


def unknown_key(key: object, path: str, known: Collection[str], faults: DocumentFaults) -> None:
    """Note a key that means nothing there."""
    fix = " ".join(part for part in (nearest(key, known), _list_keys(known)) if part)
    faults.add("odf.unknown-key", joined(path, str(key)), f"the key {shown(key)} means nothing here.", fix)


def _list_keys(known: Collection[str]) -> str:
    if not known:
        return "There are none."
    verb = "are" if len(known) > 1 else "is"
    return f"There {verb} {', '.join(known)}."


def word(
    value: PlainValue, path: str, spelled: Mapping[str, _Word], what: str, faults: DocumentFaults, *, code: str = "odf.unknown-word"
) -> _Word | None:
    """Return the word that a text spells, or None with a fault."""
    if not isinstance(value, str):
        faults.wrong(value, path, what)
        return None
    meant = spelled.get(value)
    if meant is None:
        canonical = list(dict.fromkeys(map(str, spelled.values())))
        fix = nearest(value, canonical) or nearest(value.capitalize(), canonical) or f"There are {', '.join(canonical)}."
        faults.add(code, path, f"{shown(value)} is not {what}.", fix)
    return meant


def number(value: PlainValue, path: str, form: ParameterForm, faults: DocumentFaults) -> int | None:
    """Return the whole number within the range of its form, or None with a fault."""
    low, high = form.value
    if isinstance(value, bool) or not isinstance(value, int):
        faults.wrong(value, path, "a whole number", "Write it without quotes, point or exponent.")
        return None
    if not low <= value <= high:
        faults.add("odf.number", path, f"{shown(value)} is out of range.", f"Write a number from {low} to {high}.")
        return None
    return value


def joined(path: str, key: str) -> str:
    """Return the path of a key below another path."""
    if not path:
        return key
    return f"{path}.{key}"
