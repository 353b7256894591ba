"""The short way in which `odf_blocks.md` writes schemas: `{a: Int64, b: List<String?>}`, or each type as ODF's documents have it.

A question mark stands for an Option, `TS` for a Timestamp with nothing set. Parameters stand in brackets, in
the order of the documents' keys, or as `key: value`.
"""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats.odf.model.kinds import PARAMETERS, SPELLED_KINDS, Kind, ParameterForm
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.serialization.reader import schema_of
from airflow_provider_schemas.formats.yaml.reading import read
from tests.conformance.odf.arrow_text import UNITS

_SHORT = {"TS": "Timestamp"}
_WORD = re.compile(r"\s*([A-Za-z]\w*)")
_NAME = re.compile(r"\s*[\"'`]?([^\"'`:{}<>,]*?)[\"'`]?\s*:")
_CLOSING = {"(": ")", "<": ">", "{": "}"}
_SCALAR = re.compile(r"\s*(?:(\w+)\s*[:=]\s*)?([^,(){}<>]+)")


class NoSchemaError(Exception):
    """The text is no schema in this way of writing."""


def schema_in(text: str) -> DataSchema:
    """The schema that a text tells of; a NoSchemaError if it tells of none."""
    plain = text.strip().strip("`").strip()
    if plain in ("no fields", "{}"):
        return DataSchema(())
    found = _attempt(lambda: {"fields": _whole(plain)}) or _attempt(lambda: read(plain).value) or _attempt(lambda: _fields_of(plain))
    if found is None:
        raise NoSchemaError(f"{text!r} is no schema that can be read.")
    return found


def _attempt(value: Callable[[], Any]) -> DataSchema | None:
    try:
        return schema_of(value())
    except (SchemaError, NoSchemaError):
        return None


def _fields_of(text: str) -> dict[str, Any]:
    """`{a: {kind: Int8}}`, where the names of fields are the keys."""
    value = read(text).value
    if not isinstance(value, dict):
        raise NoSchemaError(text)
    return {"fields": [{"name": name, "type": kind} for name, kind in value.items()]}


def _whole(text: str) -> list[Any]:
    reader = _Reader(text)
    fields = reader.fields("{")
    if reader.rest.strip():
        raise NoSchemaError(text)
    return fields


class _Reader:
    def __init__(self, text: str) -> None:
        self.rest = text

    def takes(self, mark: str) -> bool:
        found = self.rest.lstrip().startswith(mark)
        if found:
            self.rest = self.rest.lstrip()[len(mark) :]
        return found

    def wants(self, mark: str) -> None:
        if not self.takes(mark):
            raise NoSchemaError(self.rest)

    def match(self, pattern: re.Pattern[str]) -> re.Match[str]:
        found = pattern.match(self.rest)
        if found is None:
            raise NoSchemaError(self.rest)
        self.rest = self.rest[found.end() :]
        return found

    def fields(self, opening: str) -> list[Any]:
        self.wants(opening)
        found: list[Any] = []
        while not self.takes(_CLOSING[opening]):
            found.append({"name": self.match(_NAME)[1], "type": self.type()})
            self.takes(",")
        return found

    def type(self) -> dict[str, Any]:
        word = self.match(_WORD)[1]
        name = _SHORT.get(word, word)
        if name not in SPELLED_KINDS:
            raise NoSchemaError(word)
        kind = SPELLED_KINDS[name]
        found: dict[str, Any] = {"kind": str(kind), **self.inside(kind)}
        while self.takes("?"):
            found = {"kind": str(Kind.OPTION), "inner": found}
        return found

    def inside(self, kind: Kind) -> dict[str, Any]:
        """What stands in the brackets of a type."""
        if kind is Kind.STRUCT:
            return {"fields": self.fields("<" if self.rest.lstrip().startswith("<") else "{")}
        parts = [one.key for one in PARAMETERS.get(kind, ()) if one.form is ParameterForm.TYPE]
        scalars = [one.key for one in PARAMETERS.get(kind, ()) if one.form is not ParameterForm.TYPE]
        found: dict[str, Any] = {}
        for place, key in enumerate(parts):
            self.wants("," if place else "<")
            found[key] = self.type()
        opening = next((one for one in _CLOSING if not parts and self.takes(one)), None)
        if opening or (parts and self.takes(",")):
            found |= self.scalars(scalars)
        if opening or parts:
            self.wants(_CLOSING[opening or "<"])
        if parts and (opening := next((one for one in "({" if self.takes(one)), None)):
            found |= self.scalars(scalars)
            self.wants(_CLOSING[opening])
        return found

    def scalars(self, keys: list[str]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for place, key in enumerate(keys):
            if place and not self.takes(","):
                break
            said = self.match(_SCALAR)
            text = said[2].strip()
            found[said[1] or key] = read(UNITS.get(text, text)).value
        return found


class Place(NamedTuple):
    """What a text before a table says of all blocks in it."""

    time: str
    number: int
    first: bool
    """Whether nothing comes before it."""


_TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")
_NUMBER = re.compile(r"sequence[_ ]number (\d+)", re.IGNORECASE)
_FIRST = re.compile(r"no prev|without prev|prev_block_hash (?:unset|absent|none)", re.IGNORECASE)
_SECOND = re.compile(r"prev_block_hash =", re.IGNORECASE)


def place_in(text: str, before: Place) -> Place:
    """What a line says of the blocks after it; the rest is as it was before."""
    time, number = _TIME.search(text), _NUMBER.search(text)
    first = bool(_FIRST.search(text)) or (before.first and not _SECOND.search(text))
    return Place(time[0] if time else before.time, int(number[1]) if number else before.number, first)
