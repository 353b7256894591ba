"""The schema of a Parquet file as a tree of its groups and columns, and what Spark reads them as, with the ids in the file.

A field without an id gets a number below zero: none that a table ever gives.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.types import nested
from airflow_provider_schemas.core.types.atomic import BYTES, STRING, DataType, atomic
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.store.footers.footer import NOTHING

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


class Node(NamedTuple):
    """One line of the text, with what stands in its braces."""

    repeated: bool
    required: bool
    name: str
    physical: str
    logical: str
    number: int | None
    parts: "tuple[Node, ...]"


def unreadable(text: str) -> FormatError:
    fix = "Read the file with a tool of its own, and say which version it is of with bind."
    return FormatError(f"{shown(text)} is no schema of a Parquet file that we can read.", code="format.parquet-text", fix=fix)


class Numbering:
    """Makes fields, and numbers those without an id downwards."""

    def __init__(self) -> None:
        self.next = 0

    def fields(self, nodes: tuple[Node, ...]) -> tuple[Field, ...]:
        return tuple(self.field(one) for one in nodes)

    def field(self, one: Node) -> Field:
        number = one.number
        if number is None or number < 0:
            self.next -= 1
            number = self.next
        kind = self.kind(one)
        return nested.field(number, one.name, nested.array(kind.with_nullable(False)) if one.repeated else kind)

    def kind(self, one: Node) -> DataType:
        """The type; nullable unless it is required."""
        return (self.group(one) if one.physical == "group" else _leaf(one)).with_nullable(not one.required)

    def group(self, one: Node) -> DataType:
        inner = one.parts[0] if len(one.parts) == 1 and one.parts[0].repeated else None
        if one.logical == "LIST" and inner is not None:
            return nested.array(self.kind(_element(one, inner)))
        if one.logical in _MAPS and inner is not None and len(inner.parts) == 2:  # a key and a value
            key, value = (self.kind(part) for part in inner.parts)
            return nested.map_of(key.with_nullable(False), value)
        if one.logical == "VARIANT" or _is_variant(one):
            return atomic(Root.VARIANT)
        return nested.row(self.fields(one.parts))


def _element(one: Node, inner: Node) -> Node:
    """The element of a list, in the ways that writers had over the years: wrapped once, or not at all."""
    bare = inner.physical != "group" or len(inner.parts) != 1 or inner.name in ("array", f"{one.name}_tuple")
    return inner._replace(required=True) if bare else inner.parts[0]


def _is_variant(one: Node) -> bool:
    """Whether it is a VARIANT as Spark writes it, whole or in parts, without saying so: no table gave these groups ids."""
    names = {part.name for part in one.parts}
    plain = all(part.physical == "binary" and not part.logical for part in one.parts if part.name in _VARIANT)
    return names - {_TYPED} == _VARIANT and plain and all(part.number is None for part in one.parts)


def _leaf(one: Node) -> DataType:
    if one.logical == _NO_TYPE:
        return NOTHING
    found = _ARGUMENTS.fullmatch(one.logical)
    make = _LOGICAL.get(found[1]) if found else None
    fixed = _FIXED.fullmatch(one.physical)
    if make is not None and found is not None:
        try:
            return make(*_arguments(found[2]))
        except (KeyError, TypeError, ValueError) as error:
            raise unreadable(one.logical) from error
    if fixed:
        return atomic(Root.BINARY, length=max(1, int(fixed[1])))
    return _PHYSICAL[one.physical] if one.physical in _PHYSICAL else _unknown(one)


def _unknown(one: Node) -> Any:
    raise unreadable(one.physical)


def _arguments(text: str | None) -> Iterator[str]:
    return (part.strip() for part in (text or "").split(",") if part.strip())
