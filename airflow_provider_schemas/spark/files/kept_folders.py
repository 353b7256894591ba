"""Folders that a format of tables keeps are not read, and not written to, as plain files: rows that were deleted stand in such files, too.

The one check of the room. Spark does not show folders whose names begin with an underscore, so each is asked for by its name.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final
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
_FOLDERS: Final = tuple(sorted({folder for kept in KEEPERS for folder in kept.folders}))
# How many folders of a frame are asked about, and how many at a time; of more, those around them are.
_MOST: Final = 100
_AT_ONCE: Final = 16


def check_read(spark: "SparkSession", folder: str, path: str = "path") -> None:
    """ProjectionError if a format of tables keeps the folder, or one around it."""
    found = _kept(spark, folder)
    if found is not None:
        raise ProjectionError.of([_of_reading(*found, path)])


def check_pattern(spark: "SparkSession", pattern: str, path: str = "path") -> None:
    """The same for a path as Spark takes it, which may be a pattern: then for the folder above its first step that is one."""
    check_read(spark, _without_pattern(pattern), path)


def check_write(spark: "SparkSession", folder: str, path: str = "path") -> None:
    """SparkError likewise: a file that is put there is no row of the table."""
    found = _kept(spark, folder)
    if found is not None:
        kept_by, place = found
        message = f"{place} is kept by {kept_by}, and a file that is put there is no row of the table."
        raise SparkError(message, code="spark.kept-folder", path=path, fix=f"{_connector(kept_by, 'write')} Or write to another folder.")


def check_frame(frame: "DataFrame", path: str = "df") -> None:
    """The same for a frame that reads such a folder as plain files. Spark Connect keeps plans on the server: nothing is asked there."""
    spark = frame.sparkSession
    if is_connect(spark) or frame.isStreaming:
        return
    _check_each(spark, [folder for root in _plain_roots(frame) for folder in _folders_of(root)], path)


def check_matches(frame: "DataFrame", pattern: str, path: str = "path") -> None:
    """The same for the folders that a pattern has matched, by the frame that was made of it."""
    if not _PATTERN.search(pattern):
        return
    if is_connect(frame.sparkSession):
        _check_each(frame.sparkSession, (file.rpartition("/")[0] for file in map(unquote, frame.inputFiles())), path)
    else:
        check_frame(frame, path)


def _check_each(spark: "SparkSession", folders: Iterable[str], path: str) -> None:
    """The same for many folders, which are asked about together."""
    asked = _some(list(dict.fromkeys(place for folder in folders for place in _places(folder))))
    with ThreadPoolExecutor(_AT_ONCE, "schemas-kept") as pool:
        answers = list(pool.map(lambda address: _keeper(spark, address), asked))
    kept = [(kept_by, without_credentials(address)) for kept_by, address in zip(answers, asked, strict=True) if kept_by]
    if kept:
        raise ProjectionError.of([_of_reading(*kept[0], path)])


def _some(addresses: list[str]) -> list[str]:
    """These addresses; where they are too many, the folders around them."""
    while len(addresses) > _MOST:
        around = list(dict.fromkeys(address.rpartition("/")[0] for address in addresses))
        if len(around) == len(addresses):
            return addresses[:_MOST]
        addresses = around
    return addresses


def _kept(spark: "SparkSession", folder: str) -> tuple[str, str] | None:
    """The format that keeps a folder or one around it, and which; None if none does."""
    for address in _places(folder):
        kept_by = _keeper(spark, address)
        if kept_by:
            return kept_by, without_credentials(address)
    return None


def _places(folder: str) -> list[str]:
    """The folder as Spark spells it, and those around it. Nobody asks about an address that Spark completes."""
    if not _ADDRESS.match(folder):
        return []
    place = normal(folder)
    return [place, *folders_around(place)]


def _keeper(spark: "SparkSession", address: str) -> str:
    """The format that keeps a folder; empty as well where nobody may look: whoever reads it is told."""
    found = _signs(spark, address_for_spark(with_slashes(address)))
    return keeper(found.__contains__, lambda name: found[name])


def _signs(spark: "SparkSession", base: str) -> dict[str, list[str]]:
    """The folders that tell who keeps the base, with the names of the files below: one listing, and none of the data.

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
    found: dict[str, list[str]] = defaultdict(list)
    for path in map(unquote, paths):
        folder, _, name = path.partition(tail)[2].partition("/")
        found[folder].append(name.rpartition("/")[2])
    return dict(found)


def _without_pattern(folder: str) -> str:
    """The folder above the first step that is a pattern."""
    if not _PATTERN.search(folder):
        return folder
    steps = folder.split("/")
    first = next(place for place, step in enumerate(steps) if _PATTERN.search(step))
    return "/".join(steps[:first])


def _folders_of(root: str) -> tuple[str, ...]:
    """The folder that is read; where its name looks like the one of a file, the folder around it, too."""
    return (root, root.rpartition("/")[0]) if _IS_FILE.search(root) else (root,)


def _of_reading(kept_by: str, place: str, path: str) -> Fault:
    message = f"{place} is kept by {kept_by}: rows that were deleted or written over stand in its files, too, so that they are no table."
    return Fault(CODE, path, message, _connector(kept_by, "read"))


def _connector(kept_by: str, verb: str) -> str:
    return f"{verb.capitalize()} it with its own connector, format('{kept_by.lower()}'); a table over it is described by that format."


# ---------------------------------------------------------------- frames


def _plain_roots(frame: "DataFrame") -> Iterator[str]:
    """The addresses that the plan of a frame reads as plain files. What `read_table` made of a table knows which files count."""
    jvm: Any = frame
    steps = [jvm._jdf.queryExecution().analyzed()]
    while steps:
        step = steps.pop()
        if step.nodeName() == "SubqueryAlias" and str(step.alias()).startswith(ALIAS_PREFIX):
            continue
        children = list(walked(step.children()))
        steps += children
        if not children:
            yield from _roots_of(step)


def _roots_of(leaf: Any) -> Iterator[str]:
    if leaf.getClass().getSimpleName() != "LogicalRelation":
        return
    relation = leaf.relation()
    is_files = relation.getClass().getSimpleName() == "HadoopFsRelation"
    if is_files and relation.fileFormat().getClass().getSimpleName() in _READERS:
        yield from (str(root.toString()) for root in walked(relation.location().rootPaths()))
