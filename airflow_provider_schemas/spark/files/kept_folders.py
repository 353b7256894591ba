"""Folders that a format of tables keeps are not read, and not written to, as plain files: rows that were deleted stand in such files, too.

The one check of the room. Spark does not show folders whose names begin with an underscore, so each is asked for by its name.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import unquote

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.errors import Fault, ProjectionError, SparkError
from airflow_provider_schemas.spark.files.hadoop import fits_nothing, walked
from airflow_provider_schemas.spark.files.paths import ALIAS_PREFIX, escaped, with_slashes
from airflow_provider_schemas.spark.session import is_connect
from airflow_provider_schemas.store.common.data_location import normal
from airflow_provider_schemas.store.footers.keepers import KEEPERS, folders_around, keeper
from airflow_provider_schemas.store.spark.files import address_for_spark

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_Jvm = Any
"""An object of the JVM, which py4j types as nothing."""

CODE: Final = "read.kept-folder"
# The formats of plain files, as Spark calls them; and the classes that read them, of which those formats of tables have their own.
PLAIN: Final = frozenset({"parquet", "orc", "avro", "csv", "json", "text"})
_READERS: Final = frozenset({
    "ParquetFileFormat", "OrcFileFormat", "AvroFileFormat", "CSVFileFormat", "JsonFileFormat", "TextFileFormat",
})  # fmt: skip
_PATTERN: Final = re.compile(r"[*?{\[]")
_ADDRESS: Final = re.compile(r"/|[A-Za-z][A-Za-z0-9+.-]*:/")
_IS_FILE: Final = re.compile(r"\.[A-Za-z0-9]{1,8}$")
_OPTIONS: Final = {"recursiveFileLookup": "true", "ignoreMissingFiles": "true"}
_FOLDERS: Final = tuple(sorted(frozenset[str]().union(*(kept.folders for kept in KEEPERS))))
# How many folders of a frame are asked about, and how many at a time; instead of more, those around them are.
_MOST: Final = 100
_AT_ONCE: Final = 16


class _KeptFolder(NamedTuple):
    """A format of tables, and the folder that it keeps."""

    table_format: str
    folder: str


def check_read(spark: "SparkSession", folder: str, path: str = "path") -> None:
    """Raise ProjectionError if a format of tables keeps the folder, or one around it. `path` is what the error is about."""
    kept = _find_keeper(spark, folder)
    if kept is not None:
        raise ProjectionError.of([_read_fault(kept, path)])


def check_pattern(spark: "SparkSession", pattern: str, path: str = "path") -> None:
    """Check a path as Spark takes it, which may be a pattern: then the folder above the first step that is one."""
    check_read(spark, _without_pattern(pattern), path)


def check_write(spark: "SparkSession", folder: str, path: str = "path") -> None:
    """Raise SparkError if a format of tables keeps the folder: a file that is put there is no row of the table."""
    kept = _find_keeper(spark, folder)
    if kept is not None:
        message = f"{kept.folder} is kept by {kept.table_format}, and a file that is put there is no row of the table."
        fix = f"{_connector_advice(kept.table_format, 'write')} Or write to another folder."
        raise SparkError(message, code="spark.kept-folder", path=path, fix=fix)


def check_frame(frame: "DataFrame", path: str = "df") -> None:
    """Check the folders that a frame reads as plain files. Spark Connect keeps plans on the server: nothing is asked there."""
    spark = frame.sparkSession
    if is_connect(spark) or frame.isStreaming:
        return
    folders: list[str] = []
    for root in _plain_roots(frame):
        folders += _folders_of_root(root)
    _check_folders(spark, folders, path)


def check_matches(frame: "DataFrame", pattern: str, path: str = "path") -> None:
    """Check the folders that a pattern has matched, by the frame that was made of it."""
    if not _PATTERN.search(pattern):
        return
    if is_connect(frame.sparkSession):
        files = map(unquote, frame.inputFiles())
        _check_folders(frame.sparkSession, (file.rpartition("/")[0] for file in files), path)
    else:
        check_frame(frame, path)


def _check_folders(spark: "SparkSession", folders: Iterable[str], path: str) -> None:
    """Check many folders, which are asked about together."""
    around: dict[str, None] = {}
    for folder in folders:
        around.update(dict.fromkeys(_addresses(folder)))
    addresses = _limit(list(around))
    with ThreadPoolExecutor(_AT_ONCE, "schemas-kept") as pool:
        formats = list(pool.map(lambda address: _keeping_format(spark, address), addresses))
    for table_format, address in zip(formats, addresses, strict=True):
        if table_format:
            raise ProjectionError.of([_read_fault(_KeptFolder(table_format, without_credentials(address)), path)])


def _limit(addresses: list[str]) -> list[str]:
    """Return these addresses; where they are too many, the folders around them."""
    while len(addresses) > _MOST:
        around = list(dict.fromkeys(address.rpartition("/")[0] for address in addresses))
        if len(around) == len(addresses):
            return addresses[:_MOST]
        addresses = around
    return addresses


def _find_keeper(spark: "SparkSession", folder: str) -> _KeptFolder | None:
    """Find the format that keeps a folder or one around it; None if none does."""
    for address in _addresses(folder):
        table_format = _keeping_format(spark, address)
        if table_format:
            return _KeptFolder(table_format, without_credentials(address))
    return None


def _addresses(folder: str) -> list[str]:
    """Return the folder as Spark spells it, and those around it; none of an address that Spark completes."""
    if not _ADDRESS.match(folder):
        return []
    place = normal(folder)
    return [place, *folders_around(place)]


def _keeping_format(spark: "SparkSession", address: str) -> str:
    """Return the format that keeps a folder; empty as well where nobody may look: a read then raises that."""
    signs = _list_signs(spark, address_for_spark(with_slashes(address)))
    return keeper(signs.__contains__, lambda name: signs[name])


def _list_signs(spark: "SparkSession", base: str) -> dict[str, list[str]]:
    """Return the folders by which a format is known, with the names of the files below: one listing, and none of the data.

    A pattern that fits nothing is quiet, and so are two paths: of one path that is not there, Spark warns with a trace of the JVM.
    """
    pattern = f"{escaped(base)}/{{{','.join(_FOLDERS)}}}"
    if fits_nothing(spark, pattern):
        return {}
    try:
        paths = spark.read.format("binaryFile").options(**_OPTIONS).load([pattern, pattern]).inputFiles()
    except Exception:  # noqa: BLE001  # nothing fits, or nobody may look
        return {}
    tail = f"{base.rpartition('://')[2].rstrip('/')}/"
    signs: dict[str, list[str]] = defaultdict(list)
    for path in map(unquote, paths):
        folder, _, name = path.partition(tail)[2].partition("/")
        signs[folder].append(name.rpartition("/")[2])
    return dict(signs)


def _without_pattern(folder: str) -> str:
    """Return the folder above the first step that is a pattern."""
    steps = folder.split("/")
    for place, step in enumerate(steps):
        if _PATTERN.search(step):
            return "/".join(steps[:place])
    return folder


def _folders_of_root(root: str) -> tuple[str, ...]:
    """Return the folder that is read; where its name looks like the name of a file, the folder around it, too."""
    if _IS_FILE.search(root):
        return (root, root.rpartition("/")[0])
    return (root,)


def _read_fault(kept: _KeptFolder, path: str) -> Fault:
    message = (
        f"{kept.folder} is kept by {kept.table_format}: rows that were deleted or written over stand in its files, too, "
        "so that they are no table."
    )
    return Fault(CODE, path, message, _connector_advice(kept.table_format, "read"))


def _connector_advice(table_format: str, verb: str) -> str:
    connector = f"format('{table_format.lower()}')"
    return f"{verb.capitalize()} it with its own connector, {connector}; a table over it is described by that format."


# ---------------------------------------------------------------- frames


def _plain_roots(frame: "DataFrame") -> Iterator[str]:
    """Yield the addresses that the plan of a frame reads as plain files. What `read_table` made of a table knows which files count."""
    jvm: _Jvm = frame
    nodes = [jvm._jdf.queryExecution().analyzed()]
    while nodes:
        node = nodes.pop()
        if node.nodeName() == "SubqueryAlias" and str(node.alias()).startswith(ALIAS_PREFIX):
            continue
        children = list(walked(node.children()))
        nodes += children
        if not children:
            yield from _roots_of_leaf(node)


def _roots_of_leaf(leaf: _Jvm) -> Iterator[str]:
    if leaf.getClass().getSimpleName() != "LogicalRelation":
        return
    relation = leaf.relation()
    is_files = relation.getClass().getSimpleName() == "HadoopFsRelation"
    if is_files and relation.fileFormat().getClass().getSimpleName() in _READERS:
        yield from (str(root.toString()) for root in walked(relation.location().rootPaths()))
