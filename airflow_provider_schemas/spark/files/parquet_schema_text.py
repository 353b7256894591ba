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
    """Return the columns of a file; paths are the names on the way to each column that is no group, in their order."""
    start = text.find("{")
    if not text.startswith("message ") or start < 0:
        raise unreadable(text)
    reader = _Reader(text, start + 1, paths)
    nodes = reader.read_nodes(0)
    rest = text[reader.place :]
    if rest.strip():
        raise unreadable(rest)
    return Numbering().fields(nodes)


class _Reader:
    """Reads the text, line by line."""

    def __init__(self, text: str, place: int, paths: Sequence[Sequence[str]]) -> None:
        self.place = place
        self._text = text
        self._paths = paths
        self._columns_read = 0

    def read_nodes(self, depth: int) -> tuple[ParquetNode, ...]:
        """Read the lines up to the closing brace."""
        nodes: list[ParquetNode] = []
        while not self._at_closing_brace():
            nodes.append(self._read_node(depth))
        return tuple(nodes)

    def _at_closing_brace(self) -> bool:
        """Return whether the next character that is no blank is a closing brace, and pass it."""
        while self.place < len(self._text) and self._text[self.place].isspace():
            self.place += 1
        if not self._text.startswith("}", self.place):
            return False
        self.place += 1
        return True

    def _read_node(self, depth: int) -> ParquetNode:
        head = _HEAD.match(self._text, self.place)
        path = self._current_path()
        if head is None or depth >= len(path) or depth > 3 * MAX_DEPTH or not self._text.startswith(path[depth], head.end()):
            raise self._unreadable()
        name = path[depth]
        is_group = head["physical"] == "group"
        tail = _TAIL.match(self._text, head.end() + len(name))
        if tail is None or (not is_group and len(path) > depth + 1):
            raise self._unreadable()
        self.place = tail.end()
        parts = () if tail["end"] == ";" else self.read_nodes(depth + 1)
        if not is_group:
            self._columns_read += 1
        repeated = head["repetition"] == "repeated"
        required = head["repetition"] == "required"
        number = None if tail["id"] is None else int(tail["id"])
        return ParquetNode(repeated, required, name, head["physical"], tail["logical"] or "", number, parts)

    def _current_path(self) -> Sequence[str]:
        """Return the names on the way to the next column; none behind the last one."""
        if self._columns_read < len(self._paths):
            return self._paths[self._columns_read]
        return ()

    def _unreadable(self) -> FormatError:
        return unreadable(self._text[self.place : self.place + 200])
