"""What the rows mean that a catalog answers with: the columns of a table with the snapshots from which and to which each was so."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import FormatError

_TRUE: Final = frozenset({"true", "t", "1"})
_FALSE: Final = frozenset({"false", "f", "0"})
_LARGEST: Final = 2**63 - 1
_MOST_ROWS: Final = 1_000_000


class ColumnSpan(Struct, frozen=True):
    """From which snapshot on something was so, and from which on it was not."""

    begin: int
    end: int | None

    def holds(self, snapshot: int) -> bool:
        """Return whether it was so at a snapshot."""
        return self.begin <= snapshot and (self.end is None or snapshot < self.end)


class CatalogColumn(Struct, frozen=True):
    """A column, or a part of one, as it was for some time."""

    id: int
    span: ColumnSpan
    order: int
    name: str
    type: str
    initial_default: str | None
    default: str | None
    nullable: bool
    parent: int | None


class PartitionColumn(Struct, frozen=True):
    """A column that new data of the table was partitioned by for some time."""

    span: ColumnSpan
    index: int
    column: int
    transform: str


class SnapshotRow(Struct, frozen=True):
    """A commit: when it was made, and what its author says."""

    moment: int | None
    author: str
    message: str


class CatalogTable(Struct, frozen=True):
    """Everything that a catalog knows of one table."""

    mark: str
    newest: int
    """The newest snapshot of the whole catalog."""
    kept_from: int
    """From this snapshot on, none was expired."""
    table_id: str
    begin: int
    """The snapshot that made the table."""
    changes: tuple[int, ...]
    """The snapshots that changed the table or its name, lowest first."""
    location: str
    columns: tuple[CatalogColumn, ...]
    partitions: tuple[PartitionColumn, ...]
    snapshots: dict[int, SnapshotRow]


Row = Sequence[Any]
T = TypeVar("T")


def read_rows(rows: Iterable[Row], where: str) -> CatalogTable | None:
    """Return what the rows of an answer say of a table; None if there is no such table. Raise a FormatError for rows that make no sense."""
    try:
        return _table(_by_word(rows))
    except (ValueError, TypeError, IndexError, KeyError, AttributeError, OverflowError) as error:
        message = f"{where} answers with rows that are none of a catalog of DuckLake: {shown(str(error))}."
        fix = "Give run_sql a connection to the database that holds the tables ducklake_table and ducklake_column."
        raise FormatError(message, code="mount.no-ducklake", path=where, fix=fix) from None


def _by_word(rows: Iterable[Row]) -> dict[str, list[Row]]:
    words: dict[str, list[Row]] = {}
    for count, row in enumerate(rows):
        if count >= _MOST_ROWS:
            raise ValueError(f"more than {_MOST_ROWS:,} rows about one table")
        words.setdefault(row[0], []).append(tuple(row[1:]))
    return words


def _table(words: dict[str, list[Row]]) -> CatalogTable | None:
    mark = words["mark"][0]
    tables = words.get("table", [])
    if not tables:
        return None
    if len({row[0] for row in tables}) > 1:
        raise ValueError("two tables have this name")
    current = [row for row in tables if row[3] is None]
    if len(current) != 1:
        raise ValueError(f"the table has {len(current)} names")
    return CatalogTable(
        mark_of(mark[0], mark[2]),
        _number(mark[1]),
        _number(words["kept"][0][0]),
        str(current[0][1]),
        min(_number(row[2]) for row in tables),
        tuple(sorted({_number(row[0]) for row in words["version"]})),
        _location(words, current[0]),
        tuple(_column(row) for row in words.get("column", [])),
        tuple(_partition(row) for row in words.get("partition", [])),
        {_number(row[0]): SnapshotRow(_moment(row[1]), row[2] or "", row[3] or "") for row in words.get("snapshot", [])},
    )


def is_marked(rows: Sequence[Row], mark: str) -> bool:
    """Return whether an answer says that no schema has changed since the mark."""
    try:
        ((version, lake),) = rows
        return mark_of(version, lake) == mark
    except (ValueError, TypeError):
        return False


def mark_of(version: Any, lake: Any) -> str:
    """Return what changes whenever a schema does, of the version of all schemas and the id of the lake."""
    return f"{_number(version)} {lake}"


def _column(row: Row) -> CatalogColumn:
    number, begin, end, order, name, kind, initial, default, nullable, parent = row
    return CatalogColumn(
        _number(number),
        ColumnSpan(_number(begin), _maybe_number(end)),
        _number(order),
        str(name),
        str(kind),
        initial,
        default,
        _flag(nullable),
        _maybe_number(parent),
    )


def _partition(row: Row) -> PartitionColumn:
    begin, end, index, column, transform = row[:5]
    return PartitionColumn(ColumnSpan(_number(begin), _maybe_number(end)), _number(index), _number(column), str(transform))


def _location(words: dict[str, list[Row]], row: Row) -> str:
    """Return where the data of a table lie: its own path, below that of its schema, below that of the catalog."""
    base = next((str(data[0]) for data in words.get("data", []) if data[0]), "")
    schema_path, schema_relative, path, relative = row[4:8]
    schema = base + (schema_path or "") if _flag(schema_relative) else schema_path or ""
    return schema + (path or "") if _flag(relative) else path or ""


def _number(value: Any) -> int:
    number = int(value)
    if not 0 <= number <= _LARGEST:
        raise ValueError(f"{number} is no number of a snapshot, table or column")
    return number


def _maybe_number(value: Any) -> int | None:
    return None if value is None else _number(value)


def _flag(value: Any) -> bool:
    text = str(value).lower()
    if text not in _TRUE | _FALSE:
        raise ValueError(f"{value!r} is neither true nor false")
    return text in _TRUE


def _moment(value: Any) -> int | None:
    """Return milliseconds since 1970. A time without a zone is one of UTC; one that cannot be read is unknown."""
    try:
        time = datetime.fromisoformat(str(value))
        if time.tzinfo is None:
            time = time.replace(tzinfo=UTC)
        return int(time.timestamp() * 1000)
    except (ValueError, OverflowError):
        return None
