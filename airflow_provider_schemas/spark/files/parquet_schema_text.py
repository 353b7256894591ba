"""The schema of a Parquet file as its library prints it, `optional int32 a = 1;` a line, read into fields with the ids in the file.

A field without an id gets a number below zero: none that a table ever gives. The types are those by which Spark reads such a column.
The text does not say where a name ends: `Price (EUR)` may be a column with a type. So names are taken from the paths of the columns.
"""

import re
from collections.abc import Sequence
from typing import Final

from airflow_provider_schemas.core.types.nested import MAX_DEPTH, Field
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.store.footers.parquet_tree import Numbering, ParquetNode, unreadable

_HEAD: Final = re.compile(r"(?P<repetition>required|optional|repeated) (?P<physical>group|[a-z_0-9]+(?:\(\d+\))?) ")
_TAIL: Final = re.compile(r"(?: \((?P<logical>[A-Z_0-9]+(?:\([^()]*\))?)\))?(?: = (?P<id>-?\d+))?(?P<end> \{|;)(?=\s|$)")


def parse(text: str, paths: Sequence[Sequence[str]]) -> tuple[Field, ...]:
    """The columns of a file; paths are the names on the way to each column that is no group, in their order."""
    start = text.find("{")
    if not text.startswith("message ") or start < 0:
        raise unreadable(text)
    lines = _Lines(text, start + 1, paths)
    nodes = lines.nodes(0)
    if text[lines.place :].strip():
        raise unreadable(text[lines.place :])
    return Numbering().fields(nodes)


class _Lines:
    """Goes through the text, line by line."""

    def __init__(self, text: str, place: int, paths: Sequence[Sequence[str]]) -> None:
        self.text, self.place, self.paths, self.passed = text, place, paths, 0

    def nodes(self, depth: int) -> tuple[ParquetNode, ...]:
        """The lines up to the closing brace."""
        found: list[ParquetNode] = []
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

    def node(self, depth: int) -> ParquetNode:
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
        return ParquetNode(repeated, required, name, head["physical"], tail["logical"] or "", number, parts)

    def unreadable(self) -> FormatError:
        return unreadable(self.text[self.place : self.place + 200])
