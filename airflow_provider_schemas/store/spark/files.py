"""Files that a Spark session reads, with the credentials it has: `binaryFile`, classic or through Spark Connect. Nothing is written.

The session is handed in; no library of Spark is imported here. Spark does not show files whose names begin with a
dot or an underscore, and lists a folder with all that lies below it: what that makes unsafe is refused with an error.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar
from urllib.parse import unquote, urlsplit

from airflow_provider_schemas.core.common.secrets import without_passwords
from airflow_provider_schemas.errors import NotThereError, ReadOnlyError, SchemaError, StorageError
from airflow_provider_schemas.store.common.data_location import with_small_scheme
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.layout.paths import DEFAULT_REGISTRY, Layout
from airflow_provider_schemas.store.roots import Roots
from airflow_provider_schemas.store.spark.errors import is_missing, spark_trouble
from airflow_provider_schemas.store.storage.errors import check_size
from airflow_provider_schemas.store.storage.files import MAX_BYTES, Count, Files, ListingEntry, Parent, tried
from airflow_provider_schemas.store.storage.guarantees import one_name
from airflow_provider_schemas.store.table_location import LocatedTable, place_of
from airflow_provider_schemas.store.table_location import find as find_place

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Spark's scheme for storages that have several.
_SCHEMES: Final = {"s3": "s3a", "s3n": "s3a", "gcs": "gs"}
_WILDCARDS: Final = str.maketrans({char: f"\\{char}" for char in "\\{}[]*?,"})
# A file that is missing or broken is an error, even where the session ignores such files in its own reads.
_OPTIONS: Final = {"ignoreMissingFiles": "false", "ignoreCorruptFiles": "false", "recursiveFileLookup": "true"}
# How many threads use one session.
_JOBS: Final = 8
# Root, database, table: below them lies the data of the tables, and Spark would list all of it.
_FOLDERS_OF_DATA: Final = 3
_WITHOUT_SPARK: Final = "Open it without Spark: SchemaStore(url)."

Answer = TypeVar("Answer")


class SparkFiles:
    """The files below an address, read through a session."""

    def __init__(self, spark: "SparkSession", url: str | PathLike[str], *, with_data: bool = False) -> None:
        self._spark = session_of(spark)
        self._with_data = with_data
        self._root = address_for_spark(url)
        self.url = without_passwords(fspath(url).rstrip("/"))
        self.protocol = one_name(urlsplit(self._root).scheme or "file")
        self.count = Count()

    def __repr__(self) -> str:
        return f"SparkFiles({self.url!r})"

    @property
    def address(self) -> str:
        """The root in the form that Spark takes."""
        return self._root

    @property
    def identity(self) -> str:
        return self.url

    @property
    def at_once(self) -> int:
        return _JOBS

    def _call(self, call: Callable[[], Answer], path: str, doing: str) -> Answer:
        """Return the answer of Spark, or raise an error of ours."""
        try:
            return call()
        except Exception as error:
            raise spark_trouble(error, url=self.url, path=path, doing=doing) from error

    def _frame(self, path: str, **options: str) -> "DataFrame":
        reader = self._spark.read.format("binaryFile").options(**_OPTIONS, **options)
        address = self._root
        if path:
            address = f"{address}/{path}"
        return reader.load(address.translate(_WILDCARDS))

    def _paths_below(self, path: str) -> list[str]:
        """Return the paths of all files below a folder, or the path of a file. Takes a listing, and starts no job."""
        depth = len(_parts(self._root))
        addresses: list[str] = self._frame(path).inputFiles()
        return ["/".join(_parts(unquote(address))[depth:]) for address in addresses]

    def check_root(self) -> None:
        """Check nothing: Spark would list all data to find out whether a folder is there."""

    # ------------------------------------------------------------ looking

    def list(self, folder: str) -> list[ListingEntry]:
        """Return the entries of the folder; none if there is no such folder."""
        return [ListingEntry(name, folder=is_folder) for name, is_folder in self._names_in(folder).items()]

    def _names_in(self, folder: str) -> dict[str, bool]:
        """Return the names in a folder, each with whether it is a folder."""
        names: dict[str, bool] = {}
        for path in self._listed(folder):
            name, deeper, _ = path.removeprefix(f"{folder}/" if folder else "").partition("/")
            names[name] = bool(deeper)
        return names

    def walk(self, folder: str) -> Iterator[tuple[str, ListingEntry]]:
        for path in sorted(self._listed(folder)):
            yield path, ListingEntry(path.rpartition("/")[2], folder=False)

    def _listed(self, folder: str) -> Iterable[str]:
        """Return the paths of all files below a folder, unless it is so high that data of many tables lie below it."""
        if self._with_data and len(_parts(folder)) < _FOLDERS_OF_DATA:
            raise self._too_much(folder)
        self.count.add(lists=1)
        try:
            return self._paths_below(folder)
        except Exception as error:
            if is_missing(error):
                return []
            raise spark_trouble(error, url=self.url, path=folder, doing="list") from error

    def _too_much(self, folder: str) -> StorageError:
        place = f"{self.url}/{folder}" if folder else self.url
        message = f"Spark lists a folder with all that lies below it, so {place} is not listed through it."
        fix = "Name the table that is meant; or open the store without Spark: SchemaStore(url)."
        return StorageError(message, code="spark.no-listing", path=folder, fix=fix)

    def exists(self, path: str) -> bool:
        self.count.add(gets=1)
        try:
            self._frame(path).inputFiles()
        except Exception as error:
            if is_missing(error):
                return False
            raise spark_trouble(error, url=self.url, path=path, doing="look for") from error
        return True

    def read(self, path: str, limit: int = MAX_BYTES) -> bytes:
        self.count.add(gets=1)
        contents = self._read_rows(path, limit)
        name = path.rpartition("/")[2]
        if name in contents:
            return contents[name]
        return self._read_without_row(path, limit)

    def read_part(self, path: str, start: int, end: int) -> bytes:
        return self.read(path)[start:end]

    def _read_rows(self, path: str, limit: int, **options: str) -> dict[str, bytes]:
        """Return the bytes of the files that Spark shows there, by their names. A larger file is not even sent."""
        try:
            rows = self._frame(path, **options).where(f"length <= {limit}").select("path", "content").collect()
        except Exception as error:
            if is_missing(error) and self._is_there(path):
                raise self._closed(path) from error
            raise spark_trouble(error, url=self.url, path=path, doing="read") from error
        return {row[0].rpartition("/")[2]: bytes(row[1]) for row in rows}

    def _is_there(self, path: str) -> bool:
        try:
            return self.exists(path)
        except SchemaError:
            return False

    def _read_without_row(self, path: str, limit: int) -> bytes:
        """Return the content of a file for which Spark shows no row: an empty one. Refuse one that is too large or hidden."""
        listed = self._call(lambda: self._paths_below(path), path, "read")
        if path.rpartition("/")[2].startswith((".", "_")):
            raise self._hidden(path)
        if listed != [path]:
            message = f"{self.url}/{path} is no file."
            raise StorageError(message, code="storage.no-file", path=path, fix="Look what it is, and take it away.")
        sizes = self._call(lambda: self._frame(path).select("length").collect(), path, "read")
        data = b"\0" * (limit + 1) if sizes else b""
        return check_size(data, limit, path, self.url)

    def _hidden(self, path: str) -> StorageError:
        message = f"Spark hides files whose names begin with a dot or an underscore, so {self.url}/{path} cannot be read through it."
        fix = "A version of Mini Paimon is whole only with such a file: read the table without Spark, SchemaStore(url)."
        return StorageError(message, code="spark.hidden", fix=fix)

    def _closed(self, path: str) -> StorageError:
        message = f"{self.url}/{path} is there, and Spark cannot open it."
        return StorageError(message, code="storage.forbidden", path=path, fix="Grant those that Spark runs as the right to read it.")

    def read_many(self, paths: Iterable[str], limit: int = MAX_BYTES) -> Mapping[str, bytes | SchemaError]:
        """Return the contents of several files, by one job a folder. A file without a row is read by itself, to learn why."""
        folders: dict[str, list[str]] = defaultdict(list)
        for path in dict.fromkeys(paths):
            folder, _, name = path.rpartition("/")
            folders[folder].append(name)
        contents: dict[str, bytes | SchemaError] = {}
        for folder, names in folders.items():
            contents.update(self._read_folder(folder, names, limit))
        return contents

    def _read_folder(self, folder: str, names: Iterable[str], limit: int) -> Iterator[tuple[str, bytes | SchemaError]]:
        paths = {name: f"{folder}/{name}" if folder else name for name in names}
        contents: Mapping[str, bytes] = {}
        if len(paths) > 1:
            pattern = "{" + ",".join(name.translate(_WILDCARDS) for name in paths) + "}"
            self.count.add(gets=len(paths))
            try:
                contents = self._read_rows(folder, limit, pathGlobFilter=pattern)
            except NotThereError:
                pass
            except SchemaError as error:
                yield from ((path, error) for path in paths.values())
                return
        for name, path in paths.items():
            yield path, contents[name] if name in contents else tried(self, path, limit)

    # ------------------------------------------------------------ writing

    def _refused(self, path: str) -> NoReturn:
        message = f"{self.url}/{path} was not written: a store on a Spark session is read only."
        raise ReadOnlyError(message, path=path, fix=_WITHOUT_SPARK)

    def create(self, path: str, data: bytes, parent: Parent | None = None) -> None:  # nothing is written
        self._refused(path)

    def refuses(self, path: str, data: bytes) -> bool:
        self._refused(path)

    def put(self, path: str, data: bytes, *, make_folder: bool = True) -> None:  # nothing is written
        self._refused(path)

    def delete(self, path: str) -> None:
        self._refused(path)

    def delete_folder(self, folder: str) -> bool:
        self._refused(folder)

    def move_folder(self, source: str, target: str) -> None:
        self._refused(source)

    def make_folder(self, folder: str) -> None:
        self._refused(folder)

    def sweep(self, folder: str) -> None:
        """Nothing is written, so nothing is left behind."""


class RootsOfSpark(Roots):
    """Two roots whose layout is found table by table: Spark cannot tell what kind of folders a warehouse holds."""

    @property
    def layout(self) -> Layout:
        return self.said or Layout.PAIMON

    def check_writable(self, files: Files, what: str) -> None:
        """Raise ReadOnlyError: nothing is written through Spark."""
        message = f"{what} was not written: a store on a Spark session is read only."
        raise ReadOnlyError(message, path=what, fix=_WITHOUT_SPARK)

    def find(self, name: TableName) -> LocatedTable:
        """Return where a table lies: beside its data as Paimon has it, in the registry, or as Mini Paimon has it."""
        place = super().find(name)
        if place.entries or self.said is not None:
            return place
        mini = place_of(name, self.warehouse, Layout.MINI_PAIMON)
        mini_place = find_place(name, mini, mini, certain=True)
        if not mini_place.entries:
            return place
        return mini_place


def roots_of_spark(
    spark: "SparkSession", url: str | PathLike[str], *, registry: str | PathLike[str] | None, layout: Layout | None, team: str
) -> RootsOfSpark:
    """Return the roots of a store that is read through a session."""
    warehouse = SparkFiles(spark, url, with_data=True)
    beside = f"{fspath(url).rstrip('/')}/{DEFAULT_REGISTRY}" if registry is None else registry
    named = registry is not None
    return RootsOfSpark(warehouse, SparkFiles(spark, beside), layout, read_only=True, team=team, registry_named=named)


def session_of(spark: Any) -> "SparkSession":
    """Return the session, and refuse anything else."""
    if not hasattr(spark, "read") or not hasattr(spark, "conf"):
        fix = "Pass a SparkSession, classic or of Spark Connect."
        raise StorageError(f"a {type(spark).__name__} is no Spark session.", code="spark.no-session", path="spark", fix=fix)
    session: SparkSession = spark
    return session


def root_for_spark(files: Files) -> str:
    """Return the root of these files in the form that Spark takes: a path is one of a disk, whatever the default storage of Spark is."""
    if isinstance(files, SparkFiles):
        return files.address
    if "://" in files.url:
        return address_for_spark(files.url)
    return address_for_spark(f"{files.protocol}://{files.url}")  # a path, on a disk or on a filesystem that was handed in


def address_for_spark(url: str | PathLike[str]) -> str:
    """Return the address in the form that Spark takes. Spark decides where a path without a scheme leads; a relative path is refused."""
    text: object = fspath(url) if isinstance(url, PathLike) else url
    if not isinstance(text, str) or not ("://" in text or text.startswith("/")):
        fix = "Pass a URL, such as s3://bucket/warehouse, or a path that begins with a slash."
        raise StorageError("an address for Spark is a URL or an absolute path.", code="storage.no-address", path="url", fix=fix)
    scheme, mark, rest = with_small_scheme(text.rstrip("/")).partition("://")
    return f"{_SCHEMES.get(scheme, scheme)}{mark}{rest}"


def _parts(path: str) -> list[str]:
    """Return the parts of a path, without scheme and host."""
    _, mark, rest = path.partition("://")
    if mark:
        path = rest.partition("/")[2]
    return [part for part in path.split("/") if part]
