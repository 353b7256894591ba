"""Unknown keys inside the columns of a schema file: set aside, so that the strict reader reads the rest.

A column that has one is read as plain JSON and written again without it. All others stay as they are.
"""

import json
import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import Raw, Struct

from airflow_provider_schemas.core.common.strict_json import JsonValue, Place, read_json
from airflow_provider_schemas.core.types.kinds import CONTAINER_KEYS, FIELD_KEYS, PART_KEYS
from airflow_provider_schemas.core.types.nested import Field

Unknown = tuple[tuple[Place, str], ...]

# The message of msgspec for a column with an unknown key.
_REFUSED = re.compile(r"Object contains unknown field `.*` - at `\$\.fields\[([0-9]+)\].*`", re.DOTALL)
# Where more columns have unknown keys, the tolerant reader is not much slower.
_MOST = 16


class _Columns(Struct):
    """A file whose columns are not read yet."""

    fields: list[Raw]


@cache
def _decoder(kind: type[Struct]) -> "msgspec.json.Decoder[Any]":
    """Return the decoder of columns or of a column, which few files need and takes a millisecond to make."""
    return msgspec.json.Decoder(kind)


class KnownPart:
    """A schema file without the unknown keys that were set aside, and these keys."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self._columns: list[Raw] = _decoder(_Columns).decode(raw).fields
        self._aside: dict[int, list[tuple[Place, str]]] = {}

    @property
    def unknown(self) -> Unknown:
        """The keys that were set aside, each with its place and its value as JSON."""
        entries: list[tuple[Place, str]] = []
        for number in sorted(self._aside):
            entries += self._aside[number]
        return tuple(entries)

    def without_refused(self, error: msgspec.ValidationError) -> bytes | None:
        """Return the file without the unknown keys of the column that was refused; None where something else is wrong.

        Mostly one column has such keys. Where a second one has, all columns behind it are checked.
        """
        refused = _REFUSED.fullmatch(str(error))
        # A column that is refused again was not the one of these bytes: something else in the file reads like it.
        if refused is None or int(refused[1]) in self._aside:
            return None
        first = int(refused[1])
        numbers = self._refused_columns(first) if self._aside else [first]
        if len(numbers) > _MOST or not all(map(self._set_aside, numbers)):
            return None
        return self._raw

    def _refused_columns(self, first: int) -> Sequence[int]:
        return [number for number in range(first, len(self._columns)) if not _is_known(self._columns[number])]

    def _set_aside(self, number: int) -> bool:
        """Set aside the unknown keys of a column; return False where the column is no sound JSON."""
        written = bytes(self._columns[number])
        column, faults = read_json(written.decode())
        if faults:
            return False
        unknown: list[tuple[Place, Any]] = []
        known = _known_of_field(column, ("fields", number), unknown)
        self._aside[number] = [(place, json.dumps(value, ensure_ascii=False)) for place, value in unknown]
        self._raw = self._raw.replace(written, json.dumps(known, ensure_ascii=False).encode(), 1)
        return True


def _is_known(column: Raw) -> bool:
    try:
        _decoder(Field).decode(column)
    except msgspec.ValidationError:
        return False
    return True


# ---------------------------------------------------------------- what is known, in the order in which the tolerant reader looks


def _known_of_field(source: JsonValue, place: Place, unknown: list[tuple[Place, Any]]) -> JsonValue:
    """Return the known members of a field, and note the others. What is no field stays as it is: the strict reader refuses it."""
    if not isinstance(source, dict):
        return source
    known = {key: value for key, value in source.items() if key in FIELD_KEYS}
    if "type" in known:
        known["type"] = _known_of_type(known["type"], (*place, "type"), unknown)
    unknown += [((*place, key), value) for key, value in source.items() if key not in FIELD_KEYS]
    return known


def _known_of_type(source: JsonValue, place: Place, unknown: list[tuple[Place, Any]]) -> JsonValue:
    """Return the known members of a type, and note the others."""
    tag = source.get("type") if isinstance(source, dict) else None
    if not isinstance(source, dict) or not isinstance(tag, str):
        return source
    root = tag.removesuffix(" NOT NULL")
    if root not in PART_KEYS:
        return source
    wanted = CONTAINER_KEYS[root]
    unknown += [((*place, key), value) for key, value in source.items() if key not in wanted]
    known = {key: value for key, value in source.items() if key in wanted}
    for key in PART_KEYS[root]:
        if key in known:
            known[key] = _known_of_type(known[key], (*place, key), unknown)
    fields = known.get("fields")
    if isinstance(fields, list):
        known["fields"] = [_known_of_field(field, (*place, "fields", number), unknown) for number, field in enumerate(fields)]
    return known
