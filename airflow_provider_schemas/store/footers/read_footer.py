"""The footer of a Parquet or ORC file on any storage, by pyarrow: one ranged read of the end of the file, two where a footer is long."""

import io
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.types import nested
from airflow_provider_schemas.core.types.atomic import BYTES, STRING, DataType, atomic
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import FormatError, SchemaError
from airflow_provider_schemas.store.footers.described import ORC
from airflow_provider_schemas.store.footers.footer import Footer, footer_of
from airflow_provider_schemas.store.footers.newest_file import DataEntry
from airflow_provider_schemas.store.footers.parquet_tree import Node, Numbering, unreadable
from airflow_provider_schemas.store.storage.files import Files

_END: Final = 64 * 1024
_LINE: Final = re.compile(
    r" *(?P<repetition>required|optional|repeated) (?P<physical>group|[a-z_0-9]+(?:\(\d+\))?) field_id=(?P<id>-?\d+) (?P<rest>.*)"
)
_GROUPS: Final = re.compile(r"(?P<name>.*?)(?: \((?P<logical>List|Map|Variant[^)]*)\))? \{")
_LOGICAL: Final = re.compile(r"(?P<name>[A-Za-z0-9_]+)(?:\((?P<arguments>.*)\))?")
_UNITS: Final = {"milliseconds": "MILLIS", "microseconds": "MICROS", "nanoseconds": "NANOS"}
# The words of pyarrow, as Parquet's own library has them.
_WORDS: Final[dict[str, Callable[[dict[str, str]], str]]] = {
    "Int": lambda said: f"INTEGER({said['bitWidth']},{said['isSigned']})",
    "Decimal": lambda said: f"DECIMAL({said['precision']},{said['scale']})",
    "Time": lambda said: f"TIME({_UNITS[said['timeUnit']]},{said['isAdjustedToUTC']})",
    "Timestamp": lambda said: f"TIMESTAMP({_UNITS[said['timeUnit']]},{said['isAdjustedToUTC']})",
    "Null": lambda _: "UNKNOWN",
    "Geometry": lambda _: "GEOMETRY",
    "Geography": lambda _: "GEOGRAPHY",
}


def read_footer(files: Files, entry: DataEntry, kind: str) -> Footer:
    """What a file says of its columns. ImportError without pyarrow; FormatError if it is no such file; or what the storage says."""
    import pyarrow as pa
    from pyarrow import orc, parquet

    handle = _Remote(files, entry)
    try:
        if kind == ORC:
            return _of_orc(orc.ORCFile(pa.PythonFile(handle, mode="r")).schema)
        return _of_parquet(parquet.ParquetFile(pa.PythonFile(handle, mode="r")).schema)
    except (pa.ArrowException, OSError, ValueError, EOFError) as error:
        if isinstance(error, SchemaError):
            raise
        message = f"{shown(entry.path)[1:-1]} cannot be read as {kind}: {shown(str(error))[1:-1]}."
        raise FormatError(
            message,
            code="read.unreadable-file",
            fix="Correct the format in the description if it is another one; take the file away only if it is no data of this table.",
        ) from None


class _Remote(io.RawIOBase):
    """A file of which the end is read at once, and the rest if somebody wants it."""

    def __init__(self, files: Files, entry: DataEntry) -> None:
        self._files, self._path = files, entry.path
        self._size = entry.size or 0
        self._start = max(0, self._size - _END)
        self._end, self._at = files.read_part(entry.path, self._start, self._size), 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        return self._at

    def read(self, size: int = -1) -> bytes:
        until = self._size if size < 0 else min(self._size, self._at + size)
        if self._at >= self._start:
            data = self._end[self._at - self._start : until - self._start]
        else:
            data = self._files.read_part(self._path, self._at, until)
        self._at += len(data)
        return data


# ---------------------------------------------------------------- Parquet


def _of_parquet(schema: Any) -> Footer:
    """The columns in the text that pyarrow makes of a schema, whose names are those of its columns."""
    text = str(schema).partition("\n")[2]
    return footer_of(f"pyarrow {text}", lambda: _columns(text, [schema.column(place).path for place in range(len(schema))]))


def _columns(text: str, paths: Sequence[str]) -> tuple[Field, ...]:
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) < 2:
        raise unreadable(text)
    reader = _Lines(lines[1:], paths)
    nodes = tuple(reader.nodes(""))
    if reader.passed != len(paths):
        raise unreadable(text)
    return Numbering().fields(nodes)


class _Lines:
    """Goes through the text, line by line; the path of each column says what it is called."""

    def __init__(self, lines: list[str], paths: Sequence[str]) -> None:
        self.lines, self.paths, self.place, self.passed = lines, paths, 0, 0

    def nodes(self, inside: str) -> Iterator[Node]:
        while self.place < len(self.lines):
            line = self.lines[self.place]
            self.place += 1
            if line.strip() == "}":
                return
            yield self.node(line, inside)

    def node(self, line: str, inside: str) -> Node:
        found = _LINE.fullmatch(line)
        if found is None:
            raise unreadable(line)
        if found["physical"] == "group":
            return self.group(found, inside)
        path = self.paths[self.passed] if self.passed < len(self.paths) else ""
        self.passed += 1
        name, rest = path[len(inside) :], found["rest"].removesuffix(";")
        logical = rest[len(name) :].strip()
        if not path.startswith(inside) or not rest.startswith(name) or (logical and not logical.startswith("(")):
            raise unreadable(line)
        return _node(found, name, _logical(logical[1:-1]), ())

    def group(self, found: re.Match[str], inside: str) -> Node:
        said = _GROUPS.fullmatch(found["rest"])
        if said is None:
            raise unreadable(found[0])
        parts = tuple(self.nodes(f"{inside}{said['name']}."))
        return _node(found, said["name"], (said["logical"] or "").partition("(")[0].upper(), parts)


def _node(found: re.Match[str], name: str, logical: str, parts: tuple[Node, ...]) -> Node:
    number = int(found["id"])
    repeated, required = found["repetition"] == "repeated", found["repetition"] == "required"
    return Node(repeated, required, name, found["physical"], logical, number if number >= 0 else None, parts)


def _logical(text: str) -> str:
    found = _LOGICAL.fullmatch(text)
    if found is None:
        return ""
    make = _WORDS.get(found["name"])
    pairs = (one.partition("=") for one in (found["arguments"] or "").split(","))
    said = {key.strip(): value.strip() for key, _, value in pairs}
    try:
        return found["name"].upper() if make is None else make(said)
    except KeyError:
        raise unreadable(text) from None


# ---------------------------------------------------------------- ORC


# Spark reads a TIMESTAMP of ORC as one with a time zone, unless the file says that Spark wrote one without.
_LEAVES: Final[dict[str, DataType]] = {
    "bool": atomic(Root.BOOLEAN),
    "int8": atomic(Root.TINYINT),
    "int16": atomic(Root.SMALLINT),
    "int32": atomic(Root.INTEGER),
    "int64": atomic(Root.BIGINT),
    "float": atomic(Root.FLOAT),
    "double": atomic(Root.DOUBLE),
    "string": STRING,
    "large_string": STRING,
    "binary": BYTES,
    "large_binary": BYTES,
    "date32[day]": atomic(Root.DATE),
}


_SPARK_TYPE: Final = b"spark.sql.catalyst.type"


def _of_orc(schema: Any) -> Footer:
    return footer_of(
        f"orc {schema.to_string(truncate_metadata=False, show_schema_metadata=False)}",
        lambda: _orc_fields(schema, iter(range(1, 1_000_000))),
    )


def _orc_fields(fields: Any, numbers: Iterator[int]) -> tuple[Field, ...]:
    return tuple(nested.field(-next(numbers), one.name, _orc_field(one, numbers)) for one in fields)


def _orc_field(field: Any, numbers: Iterator[int]) -> DataType:
    """The type; Spark writes a timestamp without a time zone as a number, and says so beside it."""
    if (field.metadata or {}).get(_SPARK_TYPE) == b"timestamp_ntz":
        return atomic(Root.TIMESTAMP, precision=6)
    return _orc_type(field.type, numbers)


def _orc_type(kind: Any, numbers: Iterator[int]) -> DataType:
    from pyarrow import types

    if types.is_struct(kind):
        return nested.row(_orc_fields([kind.field(place) for place in range(kind.num_fields)], numbers))
    if types.is_list(kind) or types.is_large_list(kind):
        return nested.array(_orc_field(kind.value_field, numbers))
    if types.is_map(kind):
        return nested.map_of(_orc_field(kind.key_field, numbers).with_nullable(False), _orc_field(kind.item_field, numbers))
    if types.is_decimal(kind):
        return atomic(Root.DECIMAL, precision=kind.precision, scale=kind.scale)
    if types.is_timestamp(kind):
        return atomic(Root.TIMESTAMP_LTZ if kind.tz else Root.TIMESTAMP, precision=6)
    if str(kind) in _LEAVES:
        return _LEAVES[str(kind)]
    raise FormatError(f"{shown(str(kind))} is no type of a column that we can read.", code="format.orc", fix="Read the file with Spark.")
