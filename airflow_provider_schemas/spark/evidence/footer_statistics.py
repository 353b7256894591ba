"""What the footers of Parquet files say of the values of a column: how many are NULL, the least and the greatest. Classic sessions only.

Nobody has to have written it down, and of text and decimals it is not asked for: what is not known is None, and somebody has to look at
the rows.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from airflow_provider_schemas.core.casts.carriers import BITS
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.nested import Field, children
from airflow_provider_schemas.spark.files.data_file import DataFile
from airflow_provider_schemas.spark.progress import progress

if TYPE_CHECKING:
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


def ranges(spark: "SparkSession", table: str, files: Sequence[tuple[DataFile, tuple[Field, ...], str]]) -> list[Range]:
    """Of each file and its columns, what is known of the column of this name."""
    reader = _Reader(spark)
    with ThreadPoolExecutor(_AT_ONCE, "schemas-statistics") as pool, progress(f"{table}: statistics read", len(files)) as step:
        found = []
        for one in pool.map(lambda asked: reader.read(*asked), files):
            found.append(one)
            step()
    return found


class _Reader:
    """Parquet's own library. What it is called is looked up once."""

    def __init__(self, spark: "SparkSession") -> None:
        jvm: Any = spark._jvm
        self._conf, self._path = spark._jsc.hadoopConfiguration(), jvm.org.apache.hadoop.fs.Path
        self._reader = jvm.org.apache.parquet.hadoop.ParquetFileReader
        self._all = jvm.org.apache.parquet.format.converter.ParquetMetadataConverter.NO_FILTER

    def read(self, file: DataFile, columns: tuple[Field, ...], name: str) -> Range:
        """What the file says of a column; nothing, if it cannot be asked."""
        place, column = _place(columns, name)
        if column is None:
            return UNKNOWN
        blocks = self._reader.readFooter(self._conf, self._path(file.path), self._all).getBlocks()
        return _joined([_of_block(block, place, name, column.type) for block in blocks])


def _of_block(block: Any, place: int, name: str, kind: DataType) -> Range:
    found = block.getColumns().get(place)
    if found.getPath().toDotString() != name:
        return UNKNOWN
    said = found.getStatistics()
    if said is None or said.isEmpty():
        return UNKNOWN
    nulls = said.getNumNulls() if said.isNumNullsSet() else None
    if nulls is not None and nulls == found.getValueCount():
        return Range(nulls, empty=True)
    if kind.root not in BITS or not said.hasNonNullValue():
        return Range(nulls)
    return Range(nulls, int(said.minAsString()), int(said.maxAsString()))  # in Java, large numbers without a sign are below zero


def _joined(found: list[Range]) -> Range:
    nulls = None if any(one.nulls is None for one in found) else sum(one.nulls or 0 for one in found)
    filled = [one for one in found if not one.empty]
    least, most = [one.least for one in filled if one.least is not None], [one.most for one in filled if one.most is not None]
    if not filled:
        return Range(nulls, empty=True)
    known = len(least) == len(filled)
    return Range(nulls, min(least) if known else None, max(most) if known else None)


def _place(columns: tuple[Field, ...], name: str) -> tuple[int, Field | None]:
    """Where a column that is no container stands among the leaves of a file."""
    place = 0
    for one in columns:
        if one.name == name:
            return place, one if isinstance(one.type, AtomicType) else None
        place += _leaves(one.type)
    return place, None


def _leaves(kind: DataType) -> int:
    return 1 if isinstance(kind, AtomicType) else sum(_leaves(part) for _, part in children(kind))
