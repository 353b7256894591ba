"""Footers of many Parquet files, read by the executors of a session with the storage's own library.

A footer that executors do not read is left to the driver: nothing here says that a file cannot be read.
"""

import itertools
import pickle
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.spark.files.data_file import PARQUET, DataFile
from airflow_provider_schemas.spark.session import is_connect, is_local
from airflow_provider_schemas.store.footers.footer import Footer, footer_of
from airflow_provider_schemas.store.footers.newest_file import DataEntry
from airflow_provider_schemas.store.footers.read_footer import read_footer
from airflow_provider_schemas.store.spark.files import SparkFiles, root_for_spark
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.table import Table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# From so many files on a job costs less than it saves.
MANY: Final = 200
# Of which a store and Spark mean the same by an address.
_ALIKE: Final = frozenset({"s3", "gs", "abfs"})
_AT_ONCE: Final = 16
_BATCH: Final = 64
# A storage that executors do not reach refuses every file, and may take its time for it.
_MOST_FAILURES: Final = 3


class Reached(NamedTuple):
    """A root that executors read."""

    address: str
    """As the paths of its files begin."""
    files: Files


class _Asked(NamedTuple):
    """One file: its number, and where it lies below the root."""

    number: int
    path: str
    size: int


def reached(spark: "SparkSession", table: Table, base: str) -> Reached | None:
    """The root of a table's data files, if executors reach it; base is the plain folder that they lie in, or empty."""
    if is_connect(spark) or isinstance(table.place.files, SparkFiles):
        return None
    if not base:
        found = Reached(root_for_spark(table.place.files), table.place.files)
    elif table.open_location is None or not table.looks:
        return None
    else:
        try:
            found = Reached(base, table.open_location(base))
        except SchemaError:
            return None
    return found if found.files.protocol in _ALIKE or (found.files.protocol == "file" and is_local(spark)) else None


def read_in_job(spark: "SparkSession", root: Reached, files: Sequence[DataFile]) -> dict[int, Footer]:
    """The footers by the places of the files; those that executors could not read are not among them."""
    prefix = f"{root.address}/"
    asked = [
        _Asked(number, file.path.removeprefix(prefix), file.size)
        for number, file in enumerate(files)
        if file.format == PARQUET and file.path.startswith(prefix)
    ]
    if len(asked) < MANY:
        return {}
    context = spark.sparkContext
    try:
        pickle.dumps(root.files)
        read = partial(_read_some, files=root.files)
        rows = context.parallelize(asked, context.defaultParallelism).mapPartitions(read).collect()
    except Exception:  # noqa: BLE001  # a filesystem that refuses to be sent, executors without this package: the driver reads
        return {}
    kinds = {footer.key: footer_of(footer.key, partial(_columns, footer)) for _, _, footer in rows if footer is not None}
    return {number: kinds[key] for number, key, _ in rows}


def _columns(footer: Footer) -> tuple[Field, ...]:
    return footer.columns


def _read_some(asked: Iterable[_Asked], *, files: Files) -> Iterator[tuple[int, str, Footer | None]]:
    """The work of one task: the number of each file and what it says, which is told once."""
    told: set[str] = set()
    threads = 1 if files.protocol == "file" else _AT_ONCE
    with ThreadPoolExecutor(threads, "schemas-footers") as pool:
        waiting = iter(asked)
        while some := list(itertools.islice(waiting, _BATCH)):
            footers = list(pool.map(partial(_footer, files), some))
            for file, footer in zip(some, footers, strict=True):
                if footer is not None:
                    yield file.number, footer.key, None if footer.key in told else footer
                    told.add(footer.key)
            if footers.count(None) > _MOST_FAILURES:
                return


def _footer(files: Files, file: _Asked) -> Footer | None:
    """What a file says of itself; None if it is for the driver to find out why it says nothing."""
    try:
        return read_footer(files, DataEntry(file.path, file.size, "", 0.0), PARQUET)
    except (SchemaError, ImportError):
        return None
