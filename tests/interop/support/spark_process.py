"""What plain Spark and pyarrow do with folders of files when they are asked to. Runs in the environment of its own that Spark has."""

import contextlib
import functools
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa  # noqa: TID253  # this runs where Spark is, and pyarrow with it
import pyarrow.dataset as ds  # noqa: TID253  # likewise
import pyarrow.parquet as pq  # noqa: TID253  # likewise
from pyspark.sql import SparkSession  # noqa: TID253  # likewise

from tests.support.answering import serve

_WAREHOUSE = tempfile.TemporaryDirectory(prefix="spark-warehouse-")


@functools.cache
def spark() -> SparkSession:
    """A local Spark as small as it gets; it knows nothing of ours."""
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "1",
        "spark.default.parallelism": "1",
        "spark.sql.session.timeZone": "UTC",
    }
    builder = SparkSession.builder.master("local[1]").appName("guests")
    for key, value in {**settings, "spark.sql.warehouse.dir": _WAREHOUSE.name}.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def written_by_pyarrow(folder: str, rows: Sequence[Mapping[str, Any]], partition: Sequence[str] = ()) -> None:
    """Files as pyarrow writes them: one folder for each value of the partition columns, or flat."""
    table = pa.Table.from_pylist(list(rows))
    if partition:
        pq.write_to_dataset(table, folder, partition_cols=list(partition), basename_template="part-{i}.parquet")
        return
    Path(folder).mkdir(parents=True, exist_ok=True)
    pq.write_table(table, f"{folder}/part-0.parquet")
    pq.write_table(table.slice(0, 1), f"{folder}/part-1.parquet")


def read_by_pyarrow(folder: str) -> list[dict[str, Any]]:
    """What a dataset of the folder holds."""
    found: list[dict[str, Any]] = ds.dataset(folder, format="parquet", partitioning="hive").to_table().to_pylist()
    return _sorted(found)


def read_by_spark(folder: str, schema: str = "", options: Mapping[str, str] | None = None) -> list[dict[str, Any]]:
    """The same by Spark, with a schema that it finds out or is given."""
    reader = spark().read.options(**dict(options or {}))
    frame = (reader.schema(schema) if schema else reader).parquet(folder)
    return _sorted([row.asDict(recursive=True) for row in frame.collect()])


def read_as_table(folder: str) -> list[dict[str, Any]]:
    """The same once more, as a table over the folder."""
    frame = spark().sql(f"SELECT * FROM parquet.`{folder}`")
    return _sorted([row.asDict(recursive=True) for row in frame.collect()])


def written_by_spark(folder: str, rows: Sequence[Mapping[str, Any]], schema: str, mode: str, partition: Sequence[str] = ()) -> None:
    """Rows that are appended, or that overwrite the folder."""
    writer = spark().createDataFrame([dict(row) for row in rows], schema).write.mode(mode)
    (writer.partitionBy(*partition) if partition else writer).parquet(folder)


def _sorted(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted((dict(sorted(row.items())) for row in rows), key=repr)


if __name__ == "__main__":
    try:
        serve(
            {
                "write": written_by_pyarrow,
                "pyarrow": read_by_pyarrow,
                "spark": read_by_spark,
                "spark sql": read_as_table,
                "spark write": written_by_spark,
            }
        )
    finally:
        if spark.cache_info().currsize:
            with contextlib.suppress(Exception):
                spark().stop()
