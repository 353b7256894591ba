"""The footer of a Parquet or ORC file on any storage, by pyarrow: one ranged read of the end of the file, two where a footer is long."""

import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING, Final

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.types import nested
from airflow_provider_schemas.core.types.atomic import BYTES, STRING, DataType, atomic
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import FormatError, SchemaError
from airflow_provider_schemas.store.footers.described import ORC
from airflow_provider_schemas.store.footers.footer import Footer, footer_of
from airflow_provider_schemas.store.footers.newest_file import DataEntry
from airflow_provider_schemas.store.footers.parquet_tree import Numbering, ParquetNode, unreadable
from airflow_provider_schemas.store.storage.files import Files

if TYPE_CHECKING:
    from pyarrow import DataType as ArrowType
    from pyarrow import Field as ArrowField
    from pyarrow import Schema as ArrowSchema
    from pyarrow.parquet import ParquetSchema

_END: Final = 64 * 1024
_LINE: Final = re.compile(
    r" *(?P<repetition>required|optional|repeated) (?P<physical>group|[a-z_0-9]+(?:\(\d+\))?) field_id=(?P<id>-?\d+) (?P<rest>.*)"
)
_GROUPS: Final = re.compile(r"(?P<name>.*?)(?: \((?P<logical>List|Map|Variant[^)]*)\))? \{")
_LOGICAL: Final = re.compile(r"(?P<name>[A-Za-z0-9_]+)(?:\((?P<arguments>.*)\))?")
_UNITS: Final = {"milliseconds": "MILLIS", "microseconds": "MICROS", "nanoseconds": "NANOS"}
# From the names and arguments of pyarrow to the texts of Parquet's own library.
_LOGICAL_TEXTS: Final[dict[str, Callable[[dict[str, str]], str]]] = {
    "Int": lambda arguments: f"INTEGER({arguments['bitWidth']},{arguments['isSigned']})",
    "Decimal": lambda arguments: f"DECIMAL({arguments['precision']},{arguments['scale']})",
    "Time": lambda arguments: f"TIME({_UNITS[arguments['timeUnit']]},{arguments['isAdjustedToUTC']})",
    "Timestamp": lambda arguments: f"TIMESTAMP({_UNITS[arguments['timeUnit']]},{arguments['isAdjustedToUTC']})",
    "Null": lambda _: "UNKNOWN",
    "Geometry": lambda _: "GEOMETRY",
    "Geography": lambda _: "GEOGRAPHY",
}


def read_footer(files: Files, entry: DataEntry, kind: str) -> Footer:
    """Read the columns of a file. Raise ImportError without pyarrow, FormatError if it is no such file, or an error of the storage."""
    import pyarrow as pa
    from pyarrow import orc, parquet

    handle = _Remote(files, entry)
    try:
        if kind == ORC:
            return _orc_footer(orc.ORCFile(pa.PythonFile(handle, mode="r")).schema)
        return _parquet_footer(parquet.ParquetFile(pa.PythonFile(handle, mode="r")).schema)
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
    """A file of which the end is read at once, and the rest when pyarrow asks for it."""

    def __init__(self, files: Files, entry: DataEntry) -> None:
        self._files = files
        self._path = entry.path
        self._size = entry.size or 0
        self._start = max(0, self._size - _END)
        self._end = files.read_part(entry.path, self._start, self._size)
        self._at = 0

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


def _parquet_footer(schema: "ParquetSchema") -> Footer:
    """Return the columns from the text that pyarrow makes of a schema; their names come from its columns."""
    text = str(schema).partition("\n")[2]
    return footer_of(f"pyarrow {text}", lambda: _parse_columns(text, [schema.column(place).path for place in range(len(schema))]))


def _parse_columns(text: str, paths: Sequence[str]) -> tuple[Field, ...]:
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) < 2:
        raise unreadable(text)
    parser = _LineParser(lines[1:], paths)
    nodes = tuple(parser.parse_nodes(""))
    if parser.columns != len(paths):
        raise unreadable(text)
    return Numbering().fields(nodes)


class _LineParser:
    """Parses the text line by line. The names of columns come from their paths, since a name may hold anything."""

    def __init__(self, lines: list[str], paths: Sequence[str]) -> None:
        self.lines = lines
        self.paths = paths
        self.place = 0
        self.columns = 0
        """How many columns were parsed."""

    def parse_nodes(self, inside: str) -> Iterator[ParquetNode]:
        """Yield the nodes up to the brace that ends the group with the path `inside`."""
        while self.place < len(self.lines):
            line = self.lines[self.place]
            self.place += 1
            if line.strip() == "}":
                return
            yield self._parse_node(line, inside)

    def _parse_node(self, line: str, inside: str) -> ParquetNode:
        match = _LINE.fullmatch(line)
        if match is None:
            raise unreadable(line)
        if match["physical"] == "group":
            return self._parse_group(match, inside)
        path = self.paths[self.columns] if self.columns < len(self.paths) else ""
        self.columns += 1
        name = path[len(inside) :]
        rest = match["rest"].removesuffix(";")
        logical = rest[len(name) :].strip()
        if not path.startswith(inside) or not rest.startswith(name) or (logical and not logical.startswith("(")):
            raise unreadable(line)
        return _node(match, name, _logical_text(logical[1:-1]), ())

    def _parse_group(self, match: re.Match[str], inside: str) -> ParquetNode:
        group = _GROUPS.fullmatch(match["rest"])
        if group is None:
            raise unreadable(match[0])
        parts = tuple(self.parse_nodes(f"{inside}{group['name']}."))
        return _node(match, group["name"], (group["logical"] or "").partition("(")[0].upper(), parts)


def _node(match: re.Match[str], name: str, logical: str, parts: tuple[ParquetNode, ...]) -> ParquetNode:
    number = int(match["id"])
    repetition = match["repetition"]
    return ParquetNode(
        repeated=repetition == "repeated",
        required=repetition == "required",
        name=name,
        physical=match["physical"],
        logical=logical,
        number=number if number >= 0 else None,
        parts=parts,
    )


def _logical_text(text: str) -> str:
    match = _LOGICAL.fullmatch(text)
    if match is None:
        return ""
    to_text = _LOGICAL_TEXTS.get(match["name"])
    if to_text is None:
        return match["name"].upper()
    pairs = (argument.partition("=") for argument in (match["arguments"] or "").split(","))
    try:
        return to_text({key.strip(): value.strip() for key, _, value in pairs})
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


def _orc_footer(schema: "ArrowSchema") -> Footer:
    key = f"orc {schema.to_string(truncate_metadata=False, show_schema_metadata=False)}"
    return footer_of(key, lambda: _orc_fields(schema, count(1)))


def _orc_fields(fields: "Iterable[ArrowField]", numbers: Iterator[int]) -> tuple[Field, ...]:
    return tuple(nested.field(-next(numbers), field.name, _orc_field_type(field, numbers)) for field in fields)


def _orc_field_type(field: "ArrowField", numbers: Iterator[int]) -> DataType:
    """Return the type of a field; Spark writes a timestamp without a time zone as a number, with a mark beside it."""
    if (field.metadata or {}).get(_SPARK_TYPE) == b"timestamp_ntz":
        return atomic(Root.TIMESTAMP, precision=6)
    return _orc_type(field.type, numbers)


def _orc_type(kind: "ArrowType", numbers: Iterator[int]) -> DataType:
    from pyarrow import types

    if types.is_struct(kind):
        return nested.row(_orc_fields([kind.field(place) for place in range(kind.num_fields)], numbers))
    if types.is_list(kind) or types.is_large_list(kind):
        return nested.array(_orc_field_type(kind.value_field, numbers))
    if types.is_map(kind):
        key = _orc_field_type(kind.key_field, numbers)
        return nested.map_of(key.with_nullable(False), _orc_field_type(kind.item_field, numbers))
    if types.is_decimal(kind):
        return atomic(Root.DECIMAL, precision=kind.precision, scale=kind.scale)
    if types.is_timestamp(kind):
        return atomic(Root.TIMESTAMP_LTZ if kind.tz else Root.TIMESTAMP, precision=6)
    if str(kind) in _LEAVES:
        return _LEAVES[str(kind)]
    raise FormatError(f"{shown(str(kind))} is no type of a column that we can read.", code="format.orc", fix="Read the file with Spark.")
