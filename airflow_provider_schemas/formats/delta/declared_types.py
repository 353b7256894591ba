"""CHAR and VARCHAR: strings in Delta, whose declared type stands as text in the metadata of the column, with all that is around it.

The text is Spark's: array<varchar(10)>, struct<a:char(5),b:int>. It is read beside the type that it describes, so that no name in it
can be taken for something else.
"""

import re
from collections.abc import Callable
from typing import Final

from airflow_provider_schemas.core.types import atomic, nested
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import MapType, RowType, children, rebuilt
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats.spark_types import leaves

_LENGTH: Final = re.compile(r"\s*(char|character|varchar)\s*\(\s*([0-9]{1,10})\s*\)\s*", re.IGNORECASE)
_BRACKET: Final = {"(": 1, "<": 1, ")": -1, ">": -1}
_ROOTS: Final = {"varchar": Root.VARCHAR}


class _Mismatch(Exception):  # noqa: N818  # an answer and not a fault
    """The text does not describe the type."""


def with_lengths(kind: DataType, text: str) -> DataType | None:
    """Return the type with the lengths of its CHARs and VARCHARs; None if the text does not describe it."""
    try:
        reader = _Reader(text)
        found = reader.read(kind)
    except (_Mismatch, SchemaError):
        return None
    return found if reader.at == len(text) else None


class _Reader:
    """Reads a text along a type."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def read(self, kind: DataType) -> DataType:
        if isinstance(kind, AtomicType):
            return self.leaf(kind)
        if isinstance(kind, RowType):
            return self.row(kind)
        self.take("map<" if isinstance(kind, MapType) else "array<")
        parts = []
        for place, (_, part) in enumerate(children(kind)):
            if place:
                self.take(",")
            parts.append(self.read(part))
        self.take(">")
        return rebuilt(kind, parts)

    def row(self, kind: RowType) -> DataType:
        self.take("struct<")
        parts = []
        for place, field in enumerate(kind.fields):
            if place:
                self.take(",")
            self.name(field.name)
            parts.append(self.read(field.type))
        self.take(">")
        return rebuilt(kind, parts)

    def name(self, name: str) -> None:
        quoted = f"`{name.replace('`', '``')}`"
        for written in (f"{quoted}:", f"{name}:"):
            if self.text.startswith(written, self.at):
                self.at += len(written)
                return
        raise _Mismatch

    def take(self, word: str) -> None:
        end = self.at + len(word)
        if self.text[self.at : end].lower() != word:
            raise _Mismatch
        self.at = end

    def skip_leaf(self) -> None:
        """Go on behind a type of which nothing is wanted, whatever parameters it has."""
        start = self.at
        depth = 0
        while self.at < len(self.text):
            letter = self.text[self.at]
            if depth == 0 and letter in ",>)":
                break
            depth += _BRACKET.get(letter, 0)
            self.at += 1
        if self.at == start:
            raise _Mismatch

    def leaf(self, kind: AtomicType) -> DataType:
        length = _LENGTH.match(self.text, self.at)
        if length is None:
            self.skip_leaf()
            return kind
        if kind.with_nullable(True) != atomic.STRING:
            raise _Mismatch
        self.at = length.end()
        root = _ROOTS.get(length[1].lower(), Root.CHAR)
        return atomic.atomic(root, kind.nullable, length=int(length[2]))


def has_length(kind: DataType) -> bool:
    """Return whether a CHAR or a VARCHAR with a length is in the type."""
    return nested.fold(kind, lambda part, inner: any(inner) or _has_own_length(part))


def _has_own_length(kind: DataType) -> bool:
    return kind.root is Root.CHAR or (kind.root is Root.VARCHAR and kind.with_nullable(True) != atomic.STRING)


def declared_text(kind: DataType, other: Callable[[AtomicType], str]) -> str:
    """Return the type as Spark declares it; `other` writes the types without parts that have no length."""
    if isinstance(kind, AtomicType):
        return leaves.written(kind.with_nullable(True), "ddl").text.lower() if _has_own_length(kind) else other(kind)
    if isinstance(kind, RowType):
        fields = [f"{field.name}:{declared_text(field.type, other)}" for field in kind.fields]
        return f"struct<{','.join(fields)}>"
    parts = [declared_text(part, other) for _, part in children(kind)]
    if kind.root is Root.MULTISET:
        parts.append("int")
    return f"{'map' if len(parts) > 1 else 'array'}<{','.join(parts)}>"
