"""Files that a Spark session reads, with the credentials it has: `binaryFile`, classic or through Spark Connect. Nothing is written.

The session is handed in; no library of Spark is imported here. Spark does not show files whose names begin with a
dot or an underscore, and lists a folder with all that lies below it: what that makes unsafe is refused in words.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Final, NoReturn
from urllib.parse import unquote, urlsplit

from airflow_provider_schemas.core.common.secrets import without_passwords
from airflow_provider_schemas.errors import NotThereError, ReadOnlyError, SchemaError, StorageError
from airflow_provider_schemas.store.common.data_location import with_small_scheme
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.layout.paths import DEFAULT_REGISTRY, Layout
from airflow_provider_schemas.store.roots import Roots
from airflow_provider_schemas.store.spark.errors import is_missing, spark_trouble
from airflow_provider_schemas.store.storage.files import MAX_BYTES, Count, Entry, Files, Parent, tried
from airflow_provider_schemas.store.storage.guarantees import one_name
from airflow_provider_schemas.store.storage.local import within
from airflow_provider_schemas.store.table_location import LocatedTable, place_of
from airflow_provider_schemas.store.table_location import find as find_place

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# What Spark calls storages that go by several names.
_SCHEMES: Final = {"s3": "s3a", "s3n": "s3a", "gcs": "gs"}
_WILDCARDS: Final = str.maketrans({char: f"\\{char}" for char in "\\{}[]*?,"})
# A file that is missing or broken is an error, whatever the session makes of such files in its own reads.
_OPTIONS: Final = {"ignoreMissingFiles": "false", "ignoreCorruptFiles": "false", "recursiveFileLookup": "true"}
# How many threads ask one session.
_JOBS: Final = 8
# Root, database, table: below them lies the data of the tables, and Spark would list all of it.
_FOLDERS_OF_DATA: Final = 3
_WITHOUT_SPARK: Final = "Open it without Spark: SchemaStore(url)."


class SparkFiles:
    """The files below an address, read through a session."""

    def __init__(self, spark: "SparkSession", url: str | PathLike[str], *, with_data: bool = False) -> None:
        self._spark, self._with_data = session_of(spark), with_data
        self._root = address_for_spark(url)
        self.url = without_passwords(fspath(url).rstrip("/"))
        self.protocol = one_name(urlsplit(self._root).scheme or "file")
        self.count = Count()

    def __repr__(self) -> str:
        return f"SparkFiles({self.url!r})"

    @property
    def address(self) -> str:
        """The root as Spark takes it."""
        return self._root

    @property
    def identity(self) -> str:
        return self.url

    @property
    def at_once(self) -> int:
        return _JOBS

    def _at(self, path: str) -> str:
        return f"{self._root}/{path}" if path else self._root

    def _asked(self, call: Callable[[], Any], path: str, doing: str) -> Any:
        """The answer of Spark; what went wrong comes out as one of our errors."""
        try:
            return call()
        except Exception as error:
            raise spark_trouble(error, url=self.url, path=path, doing=doing) from error

    def _frame(self, path: str, **options: str) -> "DataFrame":
        reader = self._spark.read.format("binaryFile").options(**_OPTIONS, **options)
        return reader.load(self._at(path).translate(_WILDCARDS))

    def _below(self, path: str) -> list[str]:
        """The paths of what lies below one, itself if it is a file. Asks for a listing, and starts no job."""
        inside = len(_parts(self._root))
        found: list[str] = self._frame(path).inputFiles()
        return ["/".join(_parts(unquote(one))[inside:]) for one in found]

    def check_root(self) -> None:
        """Nothing to look for: Spark would list all data to tell whether a folder is there."""

    # ------------------------------------------------------------ looking

    def list(self, folder: str) -> list[Entry]:
        """What lies in the folder; nothing if there is no such folder."""
        return [Entry(name, folder=deeper) for name, deeper in self._inside(folder).items()]

    def _inside(self, folder: str) -> dict[str, bool]:
        found: dict[str, bool] = {}
        for path in self._listed(folder):
            name, deeper, _ = path.removeprefix(f"{folder}/" if folder else "").partition("/")
            found[name] = bool(deeper)
        return found

    def walk(self, folder: str) -> Iterator[tuple[str, Entry]]:
        for path in sorted(self._listed(folder)):
            yield path, Entry(path.rpartition("/")[2], folder=False)

    def _listed(self, folder: str) -> Iterable[str]:
        if self._with_data and len(_parts(folder)) < _FOLDERS_OF_DATA:
            raise self._too_much(folder)
        self.count.add(lists=1)
        try:
            return self._below(folder)
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
        found = self._contents(path, limit)
        name = path.rpartition("/")[2]
        return found[name] if name in found else self._without_row(path, limit)

    def read_part(self, path: str, start: int, end: int) -> bytes:
        return self.read(path)[start:end]

    def _contents(self, path: str, limit: int, **options: str) -> dict[str, bytes]:
        """The bytes of the files that Spark shows there, by their names. A larger one is not even sent."""
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

    def _without_row(self, path: str, limit: int) -> bytes:
        """What a file holds of which Spark shows no row: nothing, too much, or what it hides."""
        listed, name = self._asked(lambda: self._below(path), path, "read"), path.rpartition("/")[2]
        if name.startswith((".", "_")):
            raise self._hidden(path)
        if listed != [path]:
            message = f"{self.url}/{path} is no file."
            raise StorageError(message, code="storage.no-file", path=path, fix="Look what it is, and take it away.")
        sizes = self._asked(lambda: self._frame(path).select("length").collect(), path, "read")
        return within(b"" if not sizes else b"\0" * (limit + 1), limit, path, self.url)

    def _hidden(self, path: str) -> StorageError:
        message = f"Spark hides files whose names begin with a dot or an underscore, so {self.url}/{path} cannot be read through it."
        fix = "A version of Mini Paimon is whole only with such a file: read the table without Spark, SchemaStore(url)."
        return StorageError(message, code="spark.hidden", fix=fix)

    def _closed(self, path: str) -> StorageError:
        message = f"{self.url}/{path} is there, and Spark cannot open it."
        return StorageError(message, code="storage.forbidden", path=path, fix="Grant those that Spark runs as the right to read it.")

    def read_many(self, paths: Iterable[str], limit: int = MAX_BYTES) -> Mapping[str, bytes | SchemaError]:
        """Several files: one job a folder. What is not found so is asked for by itself, to learn why."""
        folders: dict[str, list[str]] = defaultdict(list)
        for path in dict.fromkeys(paths):
            folders[path.rpartition("/")[0]].append(path.rpartition("/")[2])
        return {path: data for folder, names in folders.items() for path, data in self._read_in(folder, names, limit)}

    def _read_in(self, folder: str, names: Iterable[str], limit: int) -> Iterator[tuple[str, bytes | SchemaError]]:
        wanted = {name: f"{folder}/{name}" if folder else name for name in names}
        found: Mapping[str, bytes] = {}
        if len(wanted) > 1:
            pattern = "{" + ",".join(name.translate(_WILDCARDS) for name in wanted) + "}"
            self.count.add(gets=len(wanted))
            try:
                found = self._contents(folder, limit, pathGlobFilter=pattern)
            except NotThereError:
                pass
            except SchemaError as error:
                yield from ((path, error) for path in wanted.values())
                return
        for name, path in wanted.items():
            yield path, found[name] if name in found else tried(self, path, limit)

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
    """Two roots whose layout is found out table by table: Spark cannot look what kind of folders a warehouse holds."""

    @property
    def layout(self) -> Layout:
        return self.said or Layout.PAIMON

    def check_writable(self, files: Files, what: str) -> None:
        """ReadOnlyError: nothing is written through Spark."""
        message = f"{what} was not written: a store on a Spark session is read only."
        raise ReadOnlyError(message, path=what, fix=_WITHOUT_SPARK)

    def find(self, name: TableName) -> LocatedTable:
        """Where a table lies: beside its data as Paimon has it, in the registry, or as Mini Paimon has it."""
        found = super().find(name)
        if found.entries or self.said is not None:
            return found
        mini = place_of(name, self.warehouse, Layout.MINI_PAIMON)
        there = find_place(name, mini, mini, certain=True)
        return there if there.entries else found


def roots_of_spark(
    spark: "SparkSession", url: str | PathLike[str], *, registry: str | PathLike[str] | None, layout: Layout | None, team: str
) -> RootsOfSpark:
    """The roots of a store that is read through a session."""
    warehouse = SparkFiles(spark, url, with_data=True)
    beside = f"{fspath(url).rstrip('/')}/{DEFAULT_REGISTRY}" if registry is None else registry
    named = registry is not None
    return RootsOfSpark(warehouse, SparkFiles(spark, beside), layout, read_only=True, team=team, registry_named=named)


def session_of(spark: Any) -> "SparkSession":
    """The session, if it is one."""
    if not hasattr(spark, "read") or not hasattr(spark, "conf"):
        fix = "Pass a SparkSession, classic or of Spark Connect."
        raise StorageError(f"a {type(spark).__name__} is no Spark session.", code="spark.no-session", path="spark", fix=fix)
    session: SparkSession = spark
    return session


def root_for_spark(files: Files) -> str:
    """The root of these files as Spark takes it: a path is one of a disk, whatever storage Spark takes for its own."""
    if isinstance(files, SparkFiles):
        return files.address
    if "://" in files.url:
        return address_for_spark(files.url)
    return address_for_spark(f"{files.protocol}://{files.url}")  # a path, on a disk or on a filesystem that was handed in


def address_for_spark(url: str | PathLike[str]) -> str:
    """The address as Spark takes it. Where a path without a scheme leads is for Spark to say; a relative one could lead anywhere."""
    text: object = fspath(url) if isinstance(url, PathLike) else url
    if not isinstance(text, str) or not ("://" in text or text.startswith("/")):
        fix = "Pass a URL, such as s3://bucket/warehouse, or a path that begins with a slash."
        raise StorageError("an address for Spark is a URL or an absolute path.", code="storage.no-address", path="url", fix=fix)
    scheme, mark, rest = with_small_scheme(text.rstrip("/")).partition("://")
    return f"{_SCHEMES.get(scheme, scheme)}{mark}{rest}"


def _parts(path: str) -> list[str]:
    """The parts of a path, without scheme and host."""
    _, mark, rest = path.partition("://")
    return [part for part in (rest.partition("/")[2] if mark else path).split("/") if part]
