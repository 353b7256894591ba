"""The schema of a Parquet file as a tree of its groups and columns, and the types that Spark reads, with the ids in the file.

A field without an id gets a number below zero: none that a table ever gives.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

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


class ParquetNode(NamedTuple):
    """One line of the text, with what stands in its braces."""

    repeated: bool
    required: bool
    name: str
    physical: str
    logical: str
    number: int | None
    parts: "tuple[ParquetNode, ...]"


def unreadable(text: str) -> FormatError:
    fix = "Read the file with a tool of its own, and say which version it is of with bind."
    return FormatError(f"{shown(text)} is no schema of a Parquet file that we can read.", code="format.parquet-text", fix=fix)


class Numbering:
    """Makes fields, and numbers those without an id downwards."""

    def __init__(self) -> None:
        self.next = 0

    def fields(self, nodes: tuple[ParquetNode, ...]) -> tuple[Field, ...]:
        return tuple(self.field(node) for node in nodes)

    def field(self, node: ParquetNode) -> Field:
        number = node.number
        if number is None or number < 0:
            self.next -= 1
            number = self.next
        kind = self.kind(node)
        if node.repeated:
            kind = nested.array(kind.with_nullable(False))
        return nested.field(number, node.name, kind)

    def kind(self, node: ParquetNode) -> DataType:
        """Return the type of a node; nullable unless the node is required."""
        kind = self.group(node) if node.physical == "group" else _leaf_type(node)
        return kind.with_nullable(not node.required)

    def group(self, node: ParquetNode) -> DataType:
        inner = node.parts[0] if len(node.parts) == 1 and node.parts[0].repeated else None
        if node.logical == "LIST" and inner is not None:
            return nested.array(self.kind(_list_element(node, inner)))
        if node.logical in _MAPS and inner is not None and len(inner.parts) == 2:  # a key and a value
            key, value = (self.kind(part) for part in inner.parts)
            return nested.map_of(key.with_nullable(False), value)
        if node.logical == "VARIANT" or _is_variant(node):
            return atomic(Root.VARIANT)
        return nested.row(self.fields(node.parts))


def _list_element(node: ParquetNode, inner: ParquetNode) -> ParquetNode:
    """Return the element of a list, which writers wrapped once over the years, or not at all."""
    bare = inner.physical != "group" or len(inner.parts) != 1 or inner.name in ("array", f"{node.name}_tuple")
    if bare:
        return inner._replace(required=True)
    return inner.parts[0]


def _is_variant(node: ParquetNode) -> bool:
    """Return whether the group is an unmarked VARIANT of Spark, whole or in parts: no table gave such groups ids."""
    names = {part.name for part in node.parts}
    plain = all(part.physical == "binary" and not part.logical for part in node.parts if part.name in _VARIANT)
    return names - {_TYPED} == _VARIANT and plain and all(part.number is None for part in node.parts)


def _leaf_type(node: ParquetNode) -> DataType:
    if node.logical == _NO_TYPE:
        return NOTHING
    logical = _logical_type(node.logical)
    if logical is not None:
        return logical
    fixed = _FIXED.fullmatch(node.physical)
    if fixed:
        return atomic(Root.BINARY, length=max(1, int(fixed[1])))
    if node.physical not in _PHYSICAL:
        raise unreadable(node.physical)
    return _PHYSICAL[node.physical]


def _logical_type(text: str) -> DataType | None:
    """Return the type that a logical type of Parquet stands for; None if the physical type decides."""
    match = _ARGUMENTS.fullmatch(text)
    make = _LOGICAL.get(match[1]) if match else None
    if match is None or make is None:
        return None
    try:
        return make(*_arguments(match[2]))
    except (KeyError, TypeError, ValueError) as error:
        raise unreadable(text) from error


def _arguments(text: str | None) -> Iterator[str]:
    return (part.strip() for part in (text or "").split(",") if part.strip())
