"""The schema of a Parquet file as its library prints it, `optional int32 a = 1;` a line, read into fields with the ids in the file.

A field without an id gets a number below zero: none that a table ever gives. The types are those by which Spark reads such a column.
The text does not say where a name ends: `Price (EUR)` may be a column with a type. So names are taken from the paths of the columns.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.types import nested
from airflow_provider_schemas.core.types.atomic import BYTES, STRING, DataType, atomic
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import MAX_DEPTH, Field
from airflow_provider_schemas.errors import FormatError

_HEAD: Final = re.compile(r"(?P<repetition>required|optional|repeated) (?P<physical>group|[a-z_0-9]+(?:\(\d+\))?) ")
_TAIL: Final = re.compile(r"(?: \((?P<logical>[A-Z_0-9]+(?:\([^()]*\))?)\))?(?: = (?P<id>-?\d+))?(?P<end> \{|;)(?=\s|$)")
_ARGUMENTS: Final = re.compile(r"([A-Z_0-9]+)(?:\(([^()]*)\))?")
_FIXED: Final = re.compile(r"fixed_len_byte_array\((\d+)\)")
_PHYSICAL: Final[dict[str, DataType]] = {
    "boolean": atomic(Root.BOOLEAN),
    "int32": atomic(Root.INTEGER),
    "int64": atomic(Root.BIGINT),
    "int96": atomic(Root.TIMESTAMP_LTZ, precision=6),
    "float": atomic(Root.FLOAT),
    "double": atomic(Root.DOUBLE),
    "binary": BYTES,
}
# Unsigned numbers are read as the next wider type.
_INTEGERS: Final[dict[tuple[str, str], DataType]] = {
    ("8", "true"): atomic(Root.TINYINT),
    ("16", "true"): atomic(Root.SMALLINT),
    ("32", "true"): atomic(Root.INTEGER),
    ("64", "true"): atomic(Root.BIGINT),
    ("8", "false"): atomic(Root.SMALLINT),
    ("16", "false"): atomic(Root.INTEGER),
    ("32", "false"): atomic(Root.BIGINT),
    ("64", "false"): atomic(Root.DECIMAL, precision=20, scale=0),
}
_DIGITS: Final = {"MILLIS": 3, "MICROS": 6, "NANOS": 9}
# A column of which its writer knew no type, for it saw no value: pandas and Arrow write such. No file has a group without parts.
NOTHING: Final = nested.row(())
_NO_TYPE: Final = "UNKNOWN"
_VARIANT: Final = frozenset({"metadata", "value"})
_TYPED: Final = "typed_value"
_MAPS: Final = frozenset({"MAP", "MAP_KEY_VALUE"})


def _decimal(precision: str, scale: str) -> DataType:
    return atomic(Root.DECIMAL, precision=int(precision), scale=int(scale))


def _timestamp(unit: str, instant: str) -> DataType:
    return atomic(Root.TIMESTAMP_LTZ if instant == "true" else Root.TIMESTAMP, precision=_DIGITS[unit])


_LOGICAL: Final[dict[str, Callable[..., DataType]]] = {
    "STRING": lambda: STRING,
    "ENUM": lambda: STRING,
    "JSON": lambda: STRING,
    "INTEGER": lambda bits, signed: _INTEGERS[bits, signed],
    "DECIMAL": _decimal,
    "DATE": lambda: atomic(Root.DATE),
    "TIME": lambda unit, _instant: atomic(Root.TIME, precision=_DIGITS[unit]),
    "TIMESTAMP": _timestamp,
    "GEOMETRY": lambda *_: BYTES,
    "GEOGRAPHY": lambda *_: BYTES,
}


class _Node(NamedTuple):
    """One line of the text, with what stands in its braces."""

    repeated: bool
    required: bool
    name: str
    physical: str
    logical: str
    number: int | None
    parts: "tuple[_Node, ...]"


def parse(text: str, paths: Sequence[Sequence[str]]) -> tuple[Field, ...]:
    """The columns of a file; paths are the names on the way to each column that is no group, in their order."""
    start = text.find("{")
    if not text.startswith("message ") or start < 0:
        raise _unreadable(text)
    lines = _Lines(text, start + 1, paths)
    nodes = lines.nodes(0)
    if text[lines.place :].strip():
        raise _unreadable(text[lines.place :])
    return _Numbering().fields(nodes)


class _Lines:
    """Goes through the text, line by line."""

    def __init__(self, text: str, place: int, paths: Sequence[Sequence[str]]) -> None:
        self.text, self.place, self.paths, self.passed = text, place, paths, 0

    def nodes(self, depth: int) -> tuple[_Node, ...]:
        """The lines up to the closing brace."""
        found: list[_Node] = []
        while not self.closed():
            found.append(self.node(depth))
        return tuple(found)

    def closed(self) -> bool:
        """Whether the next sign that is no blank is a closing brace, which is passed."""
        while self.place < len(self.text) and self.text[self.place].isspace():
            self.place += 1
        if not self.text.startswith("}", self.place):
            return False
        self.place += 1
        return True

    def node(self, depth: int) -> _Node:
        head, path = _HEAD.match(self.text, self.place), self.paths[self.passed] if self.passed < len(self.paths) else ()
        name = path[depth] if depth < len(path) else None
        if head is None or name is None or depth > 3 * MAX_DEPTH or not self.text.startswith(name, head.end()):
            raise self.unreadable()
        tail = _TAIL.match(self.text, head.end() + len(name))
        if tail is None or (head["physical"] != "group" and len(path) > depth + 1):
            raise self.unreadable()
        self.place = tail.end()
        parts = self.nodes(depth + 1) if tail["end"] != ";" else ()
        self.passed += head["physical"] != "group"
        number = None if tail["id"] is None else int(tail["id"])
        repeated, required = head["repetition"] == "repeated", head["repetition"] == "required"
        return _Node(repeated, required, name, head["physical"], tail["logical"] or "", number, parts)

    def unreadable(self) -> FormatError:
        return _unreadable(self.text[self.place : self.place + 200])


def _unreadable(text: str) -> FormatError:
    fix = "Read the file with a reader of its own, and say which version it is of with bind."
    return FormatError(f"{shown(text)} is no schema of a Parquet file that we can read.", code="format.parquet-text", fix=fix)


class _Numbering:
    """Makes fields, and numbers those without an id downwards."""

    def __init__(self) -> None:
        self.next = 0

    def fields(self, nodes: tuple[_Node, ...]) -> tuple[Field, ...]:
        return tuple(self.field(one) for one in nodes)

    def field(self, one: _Node) -> Field:
        number = one.number
        if number is None or number < 0:
            self.next -= 1
            number = self.next
        kind = self.kind(one)
        return nested.field(number, one.name, nested.array(kind.with_nullable(False)) if one.repeated else kind)

    def kind(self, one: _Node) -> DataType:
        """The type; nullable unless it is required."""
        return (self.group(one) if one.physical == "group" else _leaf(one)).with_nullable(not one.required)

    def group(self, one: _Node) -> DataType:
        inner = one.parts[0] if len(one.parts) == 1 and one.parts[0].repeated else None
        if one.logical == "LIST" and inner is not None:
            return nested.array(self.kind(_element(one, inner)))
        if one.logical in _MAPS and inner is not None and len(inner.parts) == 2:  # a key and a value
            key, value = (self.kind(part) for part in inner.parts)
            return nested.map_of(key.with_nullable(False), value)
        if one.logical == "VARIANT" or _is_variant(one):
            return atomic(Root.VARIANT)
        return nested.row(self.fields(one.parts))


def _element(one: _Node, inner: _Node) -> _Node:
    """The element of a list, in the ways that writers had over the years: wrapped once, or not at all."""
    bare = inner.physical != "group" or len(inner.parts) != 1 or inner.name in ("array", f"{one.name}_tuple")
    return inner._replace(required=True) if bare else inner.parts[0]


def _is_variant(one: _Node) -> bool:
    """Whether it is a VARIANT as Spark writes it, whole or in parts, without saying so: no table gave these groups ids."""
    names = {part.name for part in one.parts}
    plain = all(part.physical == "binary" and not part.logical for part in one.parts if part.name in _VARIANT)
    return names - {_TYPED} == _VARIANT and plain and all(part.number is None for part in one.parts)


def _leaf(one: _Node) -> DataType:
    if one.logical == _NO_TYPE:
        return NOTHING
    found = _ARGUMENTS.fullmatch(one.logical)
    make = _LOGICAL.get(found[1]) if found else None
    fixed = _FIXED.fullmatch(one.physical)
    if make is not None and found is not None:
        try:
            return make(*_arguments(found[2]))
        except (KeyError, TypeError, ValueError) as error:
            raise _unreadable(one.logical) from error
    if fixed:
        return atomic(Root.BINARY, length=max(1, int(fixed[1])))
    return _PHYSICAL[one.physical] if one.physical in _PHYSICAL else _unknown(one)


def _unknown(one: _Node) -> Any:
    raise _unreadable(one.physical)


def _arguments(text: str | None) -> Iterator[str]:
    return (part.strip() for part in (text or "").split(",") if part.strip())
