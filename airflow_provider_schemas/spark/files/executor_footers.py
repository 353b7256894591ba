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
# The storages of which a store and Spark mean the same by an address.
_SHARED_PROTOCOLS: Final = frozenset({"s3", "gs", "abfs"})
_LOCAL: Final = "file"
_AT_ONCE: Final = 16
_BATCH: Final = 64
# A storage that executors do not reach refuses every file, and may take its time for it.
_MOST_FAILURES: Final = 3


class ExecutorRoot(NamedTuple):
    """A root that executors read."""

    address: str
    """As the paths of its files begin."""
    files: Files


class _NumberedFile(NamedTuple):
    """One file: its number, and where it lies below the root."""

    number: int
    path: str
    size: int


def executor_root(spark: "SparkSession", table: Table, base: str) -> ExecutorRoot | None:
    """Return the root of a table's data files, if executors reach it; base is the plain folder that they lie in, or empty."""
    if is_connect(spark) or isinstance(table.place.files, SparkFiles):
        return None
    root = _data_root(table, base)
    if root is None:
        return None
    protocol = root.files.protocol
    if protocol in _SHARED_PROTOCOLS or (protocol == _LOCAL and is_local(spark)):
        return root
    return None


def _data_root(table: Table, base: str) -> ExecutorRoot | None:
    """Return the root of a table's data files, if it can be opened."""
    if not base:
        return ExecutorRoot(root_for_spark(table.place.files), table.place.files)
    if table.open_location is None or not table.looks:
        return None
    try:
        return ExecutorRoot(base, table.open_location(base))
    except SchemaError:
        return None


def read_in_job(spark: "SparkSession", root: ExecutorRoot, files: Sequence[DataFile]) -> dict[int, Footer]:
    """Read the footers in one job; return them by the places of the files, without those that executors could not read."""
    prefix = f"{root.address}/"
    below_root = [
        _NumberedFile(number, file.path.removeprefix(prefix), file.size)
        for number, file in enumerate(files)
        if file.format == PARQUET and file.path.startswith(prefix)
    ]
    if len(below_root) < MANY:
        return {}
    context = spark.sparkContext
    try:
        pickle.dumps(root.files)
        read = partial(_read_partition, files=root.files)
        rows = context.parallelize(below_root, context.defaultParallelism).mapPartitions(read).collect()
    except Exception:  # noqa: BLE001  # a filesystem that refuses to be sent, executors without this package: the driver reads
        return {}
    footers = {footer.key: footer_of(footer.key, partial(_columns, footer)) for _, _, footer in rows if footer is not None}
    return {number: footers[key] for number, key, _ in rows}


def _columns(footer: Footer) -> tuple[Field, ...]:
    return footer.columns


def _read_partition(numbered: Iterable[_NumberedFile], *, files: Files) -> Iterator[tuple[int, str, Footer | None]]:
    """Yield the number and the key of each file in one task, and with the first file of each key the footer."""
    sent: set[str] = set()
    threads = 1 if files.protocol == _LOCAL else _AT_ONCE
    with ThreadPoolExecutor(threads, "schemas-footers") as pool:
        remaining = iter(numbered)
        while batch := list(itertools.islice(remaining, _BATCH)):
            footers = list(pool.map(partial(_try_read, files), batch))
            for file, footer in zip(batch, footers, strict=True):
                if footer is not None:
                    yield file.number, footer.key, None if footer.key in sent else footer
                    sent.add(footer.key)
            if footers.count(None) > _MOST_FAILURES:
                return


def _try_read(files: Files, file: _NumberedFile) -> Footer | None:
    """Read the footer of a file; None if the driver is to find out why it cannot be read."""
    try:
        return read_footer(files, DataEntry(file.path, file.size, "", 0.0), PARQUET)
    except (SchemaError, ImportError):
        return None
