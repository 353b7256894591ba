"""What the footers of Parquet files say of the values of a column: how many are NULL, the least and the greatest. Classic sessions only.

Nobody has to have written it down, and of text and decimals it is not asked for: what is not known is None, and somebody has to look at
the rows.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from airflow_provider_schemas.core.casts.carriers import BITS
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.nested import Field, children
from airflow_provider_schemas.spark.files.data_file import DataFile
from airflow_provider_schemas.spark.progress import progress

if TYPE_CHECKING:
    from py4j.java_gateway import JavaObject
    from pyspark.sql import SparkSession

_AT_ONCE: Final = 8


class Range(Struct, frozen=True):
    """What is known of a column of one file."""

    nulls: int | None = None
    least: int | None = None
    most: int | None = None
    empty: bool = False
    """Whether it is known that no value is there."""


UNKNOWN: Final = Range()


def read_ranges(spark: "SparkSession", table: str, files: Sequence[tuple[DataFile, tuple[Field, ...], str]]) -> list[Range]:
    """Return for each file, with its columns and the name of one, what is known of this column."""
    reader = _StatisticsReader(spark)
    with ThreadPoolExecutor(_AT_ONCE, "schemas-statistics") as pool, progress(f"{table}: statistics read", len(files)) as step:
        ranges = []
        for file_range in pool.map(lambda arguments: reader.read(*arguments), files):
            ranges.append(file_range)
            step()
    return ranges


class _StatisticsReader:
    """Reads footers with Parquet's own library, whose classes are looked up once."""

    def __init__(self, spark: "SparkSession") -> None:
        jvm: JavaObject = spark._jvm
        self._conf = spark._jsc.hadoopConfiguration()
        self._path = jvm.org.apache.hadoop.fs.Path
        self._reader = jvm.org.apache.parquet.hadoop.ParquetFileReader
        self._all = jvm.org.apache.parquet.format.converter.ParquetMetadataConverter.NO_FILTER

    def read(self, file: DataFile, columns: tuple[Field, ...], name: str) -> Range:
        """Return what the file says of a column; nothing, if it has no statistics of it."""
        place, column = _find_leaf(columns, name)
        if column is None:
            return UNKNOWN
        blocks = self._reader.readFooter(self._conf, self._path(file.path), self._all).getBlocks()
        return _join([_read_block(block, place, name, column.type) for block in blocks])


def _read_block(block: "JavaObject", place: int, name: str, kind: DataType) -> Range:
    column = block.getColumns().get(place)
    if column.getPath().toDotString() != name:
        return UNKNOWN
    statistics = column.getStatistics()
    if statistics is None or statistics.isEmpty():
        return UNKNOWN
    nulls = statistics.getNumNulls() if statistics.isNumNullsSet() else None
    if nulls is not None and nulls == column.getValueCount():
        return Range(nulls, empty=True)
    if kind.root not in BITS or not statistics.hasNonNullValue():
        return Range(nulls)
    return Range(nulls, int(statistics.minAsString()), int(statistics.maxAsString()))  # in Java, large numbers without a sign are negative


def _join(ranges: list[Range]) -> Range:
    """Return what is known of a column of a file, by what is known of its blocks."""
    nulls = None if any(block.nulls is None for block in ranges) else sum(block.nulls or 0 for block in ranges)
    filled = [block for block in ranges if not block.empty]
    if not filled:
        return Range(nulls, empty=True)
    least = [block.least for block in filled if block.least is not None]
    most = [block.most for block in filled if block.most is not None]
    if len(least) < len(filled):
        return Range(nulls)
    return Range(nulls, min(least), max(most))


def _find_leaf(columns: tuple[Field, ...], name: str) -> tuple[int, Field | None]:
    """Return where a column stands among the leaves of a file; and the column, if it is no container."""
    place = 0
    for column in columns:
        if column.name == name:
            return place, column if isinstance(column.type, AtomicType) else None
        place += _count_leaves(column.type)
    return place, None


def _count_leaves(kind: DataType) -> int:
    if isinstance(kind, AtomicType):
        return 1
    return sum(_count_leaves(part) for _, part in children(kind))
