"""Files of a table put together into the fewest scans: of those columns that are wanted, the files of a scan hold the same.

A scan reads by the names in its files. Two files share one if each column is called the same in both, or is missing in one in
which nothing else is called so, and if their types are read exactly by one reader. That is so where all of them turn into the
wanted type without a loss, however Spark reads the file: then Spark reads the wanted type itself.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from msgspec import Struct

from airflow_provider_schemas.core.casts.cast_rules import same_type
from airflow_provider_schemas.core.engines.readers import READERS, readable
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import Field, RowType, row
from airflow_provider_schemas.spark.files.data_file import PARQUET
from airflow_provider_schemas.spark.files.file_schemas import ResolvedFile
from airflow_provider_schemas.spark.files.partition_values import Route, route
from airflow_provider_schemas.spark.files.paths import seen_by_spark
from airflow_provider_schemas.store.footers.resolve_schema import SchemaSource, WrittenSchema

_READER: Final = "spark-4-{}"
# The types as which Spark reads unsigned numbers of 8 to 32 bits, and of 64.
_UNSIGNED: Final = frozenset({Root.SMALLINT, Root.INTEGER, Root.BIGINT})
_UNSIGNED_64: Final = (Root.DECIMAL, 20, 0)


class Scan(Struct, frozen=True):
    """Files that are read at once."""

    format: str
    paths: tuple[str, ...]
    columns: tuple[Field, ...]
    """What is read of the files: names of the files, ids of the table, types as they are to be read."""
    routes: tuple[Route, ...] = ()
    """What folders, or a manifest, say of all rows of these files."""
    base: str = ""
    """The folder below which Spark takes folders for partitions; empty if it is not to."""
    stamped: bool = False
    """Whether all files have ids. Spark refuses to read a file without any as columns with some."""

    @property
    def written(self) -> RowType:
        """Return what the scan gives."""
        return row((*self.columns, *(route.field for route in self.routes)))


class _Need(Struct, frozen=True):
    """What is read of a file; of one need, many files."""

    format: str
    columns: tuple[Field | None, ...]
    """In the order of the wanted columns; None where the file has none."""
    routes: tuple[Route, ...]
    base: str
    keys: tuple[str, ...]
    """How the folders are named by which Spark would take these files for partitioned."""
    names: frozenset[str]
    stamped: bool


def plan_scans(files: Sequence[ResolvedFile], wanted: Sequence[Field]) -> list[Scan]:
    """Return the scans that read these files as far as these columns are wanted."""
    grouping = _Grouping(wanted)
    paths_by_kind: dict[_Kind, list[str]] = {}
    for file in files:
        paths_by_kind.setdefault(grouping.kind(file), []).append(file.file.path)
    growing = _merge((grouping.need(kind), paths) for kind, paths in paths_by_kind.items())
    return [scan.finish() for scan in growing]


class _Kind(NamedTuple):
    """What tells files apart of which different things are needed. Small, because there is one for each file."""

    written: int
    format: str
    routes: tuple[Route, ...]
    base: str
    keys: tuple[str, ...]


class _Grouping:
    """Tells what is needed of files; once for all that hold the same."""

    def __init__(self, wanted: Sequence[Field]) -> None:
        self._wanted = wanted
        self._ids = frozenset(column.id for column in wanted)
        self._written: dict[int, WrittenSchema] = {}
        self._names: dict[int, frozenset[str]] = {}

    def kind(self, file: ResolvedFile) -> _Kind:
        """Return the kind of a file."""
        base, keys = seen_by_spark(file.base, file.file.path)
        if self._names_in_files(file.written) & {key.lower() for key in keys}:
            keys = ()  # Spark reads no column of a file that a folder is named for
        partition = (value for value in file.partition if value.field.id in self._ids)
        routes = tuple(route(value, seen=value.field.name in keys) for value in partition)
        if not any(way.by_folder for way in routes):
            return _Kind(id(file.written), file.file.format, routes, "", ())
        return _Kind(id(file.written), file.file.format, routes, base, keys)

    def _names_in_files(self, written: WrittenSchema) -> frozenset[str]:
        """Return the names of the columns that are read of the files themselves."""
        key = id(written)
        if key not in self._names:
            self._written[key] = written
            read = self._ids - {column.id for column in written.keys}
            self._names[key] = frozenset(column.name.lower() for column in written.columns if column.id in read)
        return self._names[key]

    def need(self, kind: _Kind) -> _Need:
        """Return what is read of the files of a kind."""
        written = self._written[kind.written]
        in_files = {column.id: column for column in written.columns}
        for column in written.keys:
            in_files.pop(column.id, None)
        columns = tuple(_column_to_read(in_files.get(column.id), column, kind.format) for column in self._wanted)
        return _Need(kind.format, columns, kind.routes, kind.base, kind.keys, written.names, written.how is SchemaSource.STAMPED)


def _column_to_read(there: Field | None, wanted: Field, file_format: str) -> Field | None:
    """Return a column of a file, with the type as which it is read."""
    if there is None:
        return None
    is_exact = _reads_exactly(file_format, there.type.with_nullable(True), wanted.type.with_nullable(True))
    return Field(there.id, there.name, wanted.wire if is_exact else there.wire)


@lru_cache(maxsize=10_000)
def _reads_exactly(file_format: str, there: DataType, wanted: DataType) -> bool:
    """Return whether Spark itself reads every value of the one type as the other."""
    if same_type(there, wanted):
        return True
    if file_format == PARQUET and wanted.root is Root.DECIMAL and _may_be_unsigned(there):
        return False
    reader = _READER.format(file_format)
    are_atomic = isinstance(there, AtomicType) and isinstance(wanted, AtomicType)
    return are_atomic and reader in READERS and readable(reader, there, wanted)


def _may_be_unsigned(there: DataType) -> bool:
    """Return whether files may hold it without a sign, and Spark reads it as a wider number.

    As a DECIMAL such a number fails, or 4294967295 is -1.
    """
    if there.root in _UNSIGNED:
        return True
    return isinstance(there, AtomicType) and (there.root, there.precision, there.scale) == _UNSIGNED_64


# ---------------------------------------------------------------- the fewest


class _GrowingScan:
    """A scan to which files are added."""

    def __init__(self, need: _Need, paths: Iterable[str]) -> None:
        self._need = need
        self._paths = list(paths)
        self._columns = list(need.columns)
        self._names = set(need.names)
        self._stamped = need.stamped

    def takes(self, need: _Need) -> bool:
        """Return whether files of another need can be read in the same scan."""
        mine = self._need
        if (mine.format, mine.routes, mine.base, mine.keys) != (need.format, need.routes, need.base, need.keys):
            return False
        return all(self._fits(own, other, need.names) for own, other in zip(self._columns, need.columns, strict=True))

    def _fits(self, own: Field | None, other: Field | None, names: frozenset[str]) -> bool:
        """Return whether a column of this scan, and that of files with these names, are read alike."""
        if own is None:
            return other is None or other.name.lower() not in self._names
        if other is None:
            return own.name.lower() not in names
        return own.name == other.name and (own.wire == other.wire or same_type(own.type, other.type))

    def add(self, need: _Need, paths: Iterable[str]) -> None:
        """Add files of a need that the scan takes."""
        self._columns = [own or other for own, other in zip(self._columns, need.columns, strict=True)]
        self._names |= need.names
        self._stamped = self._stamped and need.stamped
        self._paths += paths

    def finish(self) -> Scan:
        """Return the scan."""
        columns = tuple(column for column in self._columns if column is not None)
        return Scan(self._need.format, tuple(sorted(self._paths)), columns, self._need.routes, self._need.base, self._stamped)


def _merge(needs: Iterable[tuple[_Need, list[str]]]) -> list[_GrowingScan]:
    """Put the needs, in the order in which they come, each into the first scan that takes it."""
    scans: list[_GrowingScan] = []
    for need, paths in needs:
        scan = next((scan for scan in scans if scan.takes(need)), None)
        if scan is None:
            scans.append(_GrowingScan(need, paths))
        else:
            scan.add(need, paths)
    return scans
