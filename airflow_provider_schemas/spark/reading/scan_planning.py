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
from airflow_provider_schemas.spark.files.file_schemas import Source
from airflow_provider_schemas.spark.files.partition_values import Route, route
from airflow_provider_schemas.spark.files.paths import seen_by_spark
from airflow_provider_schemas.store.footers.resolve_schema import SchemaSource, WrittenSchema

_READER: Final = "spark-4-{}"
# As what Spark reads unsigned numbers of 8 to 32 bits, and those of 64.
_UNSIGNED: Final = frozenset({Root.SMALLINT, Root.INTEGER, Root.BIGINT})
_LONGEST: Final = (Root.DECIMAL, 20, 0)


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
    """Whether all files bear ids. Spark refuses to read a file without any as columns that bear some."""

    @property
    def written(self) -> RowType:
        """What the scan gives."""
        return row((*self.columns, *(one.field for one in self.routes)))


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


def scans(sources: Sequence[Source], wanted: Sequence[Field]) -> list[Scan]:
    """The scans that read these files as far as these columns are wanted."""
    grouping = _Grouping(wanted)
    paths: dict[_Kind, list[str]] = {}
    for one in sources:
        paths.setdefault(grouping.kind(one), []).append(one.file.path)
    return [one.scan() for one in _merged((grouping.need(kind), files) for kind, files in paths.items())]


class _Kind(NamedTuple):
    """What tells files apart of which different things are needed. Small, for there is one a file."""

    written: int
    format: str
    routes: tuple[Route, ...]
    base: str
    keys: tuple[str, ...]


class _Grouping:
    """Tells what is needed of files; once for all that hold the same."""

    def __init__(self, wanted: Sequence[Field]) -> None:
        self.wanted = wanted
        self._ids = frozenset(one.id for one in wanted)
        self._written: dict[int, WrittenSchema] = {}
        self._names: dict[int, frozenset[str]] = {}

    def kind(self, one: Source) -> _Kind:
        base, keys = seen_by_spark(one.base, one.file.path)
        if self._read_of(one.written) & {key.lower() for key in keys}:
            keys = ()  # Spark reads no column of a file that a folder is named for
        routes = tuple(route(each, seen=each.field.name in keys) for each in one.given if each.field.id in self._ids)
        base, keys = (base, keys) if any(way.by_folder for way in routes) else ("", ())
        return _Kind(id(one.written), one.file.format, routes, base, keys)

    def _read_of(self, written: WrittenSchema) -> frozenset[str]:
        """The names of the columns that are read of the files themselves."""
        key = id(written)
        if key not in self._names:
            given = {one.id for one in written.keys}
            self._written[key] = written
            self._names[key] = frozenset(one.name.lower() for one in written.columns if one.id in self._ids - given)
        return self._names[key]

    def need(self, kind: _Kind) -> _Need:
        written = self._written[kind.written]
        by_id = {one.id: one for one in written.columns}
        given = {one.id for one in written.keys}
        columns = tuple(_read(by_id.get(one.id), one, kind.format) if one.id not in given else None for one in self.wanted)
        return _Need(kind.format, columns, kind.routes, kind.base, kind.keys, written.names, written.how is SchemaSource.STAMPED)


def _read(there: Field | None, wanted: Field, kind: str) -> Field | None:
    """A column of a file, of the type as which it is read."""
    if there is None:
        return None
    exact = _exactly(kind, there.type.with_nullable(True), wanted.type.with_nullable(True))
    return Field(there.id, there.name, wanted.wire if exact else there.wire)


@lru_cache(maxsize=10_000)
def _exactly(kind: str, there: DataType, wanted: DataType) -> bool:
    """Whether Spark itself reads every value of the one type as the other."""
    if same_type(there, wanted):
        return True
    if kind == PARQUET and wanted.root is Root.DECIMAL and _may_be_unsigned(there):
        return False
    reader = _READER.format(kind)
    atoms = isinstance(there, AtomicType) and isinstance(wanted, AtomicType)
    return atoms and reader in READERS and readable(reader, there, wanted)


def _may_be_unsigned(there: DataType) -> bool:
    """Whether files may hold it without a sign, and Spark reads it as a wider number: as a DECIMAL it fails, or 4294967295 is -1."""
    return there.root in _UNSIGNED or (isinstance(there, AtomicType) and (there.root, there.precision, there.scale) == _LONGEST)


# ---------------------------------------------------------------- the fewest


class _Growing:
    """A scan to which files are added."""

    def __init__(self, need: _Need, paths: Iterable[str]) -> None:
        self.need, self.paths = need, list(paths)
        self.columns, self.names, self.stamped = list(need.columns), set(need.names), need.stamped

    def takes(self, other: _Need) -> bool:
        """Whether files of another need can be read in the same scan."""
        mine = (self.need.format, self.need.routes, self.need.base, self.need.keys)
        if mine != (other.format, other.routes, other.base, other.keys):
            return False
        return all(self._fits(here, there, other) for here, there in zip(self.columns, other.columns, strict=True))

    def _fits(self, here: Field | None, there: Field | None, other: _Need) -> bool:
        if here is None or there is None:
            name = here or there
            unused = other.names if there is None else self.names
            return name is None or name.name.lower() not in unused
        return here.name == there.name and _one_type(here, there)

    def add(self, other: _Need, paths: Iterable[str]) -> None:
        self.columns = [here or there for here, there in zip(self.columns, other.columns, strict=True)]
        self.names |= other.names
        self.stamped = self.stamped and other.stamped
        self.paths += paths

    def scan(self) -> Scan:
        columns = tuple(one for one in self.columns if one is not None)
        return Scan(self.need.format, tuple(sorted(self.paths)), columns, self.need.routes, self.need.base, self.stamped)


def _one_type(here: Field, there: Field) -> bool:
    return here.wire == there.wire or same_type(here.type, there.type)


def _merged(needs: Iterable[tuple[_Need, list[str]]]) -> list[_Growing]:
    """The needs in the order in which they came, each in the first scan that takes it."""
    found: list[_Growing] = []
    for need, files in needs:
        taker = next((one for one in found if one.takes(need)), None)
        if taker is None:
            found.append(_Growing(need, files))
        else:
            taker.add(need, files)
    return found
