"""Old files as what the table is now, beside plain Spark over the same rows that are in the newest schema already.

    python -m tests.benchmarks.spark.evolved_read [--rows 20000000] [--pairs 7] [--folder DIR]

Four generations: a rename, a column added, one dropped, three widened without a loss. Both read all columns and all rows, one after
the other, and the time of each is from asking for the frame to the last row.
"""

import argparse
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.spark import read_table, stamp
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.table import Table

BUDGET = 1.05
_FILES = 4
_GENERATIONS = 4
_NAME = "bench.orders"
_COLUMNS = "id BIGINT, cust_id INT, amount DECIMAL(10, 2), note STRING, day DATE, price FLOAT"
# What each column is made of, by its newest name; all fit the narrowest type that it ever had.
_VALUES = {
    "id": "id",
    "customer_id": "id % 100000",
    "amount": "(id % 10000) / 100",
    "note": "concat('note ', id % 1000)",
    "day": "date_add(date'2025-01-01', cast(id % 365 as int))",
    "price": "(id % 1000) / 8",
    "coupon": "concat('coupon ', id % 50)",
}
_RENAMED = {"cust_id": "customer_id"}
_EDITS: tuple[tuple[Any, ...], ...] = (
    (),
    ("RENAME COLUMN cust_id TO customer_id", "ADD COLUMN coupon STRING"),
    ([{"action": "updateColumnType", "fieldNames": ["customer_id"], "newDataType": "BIGINT"}], "DROP COLUMN note"),
    (
        [{"action": "updateColumnType", "fieldNames": ["amount"], "newDataType": "DECIMAL(12, 2)"}],
        [{"action": "updateColumnType", "fieldNames": ["price"], "newDataType": "DOUBLE"}],
    ),
)


class Measured(NamedTuple):
    """Seconds of each round: ours, and plain Spark's."""

    ours: list[float]
    plain: list[float]
    rows: int

    @property
    def ratio(self) -> float:
        """The median of the pairs."""
        return statistics.median(ours / plain for ours, plain in zip(self.ours, self.plain, strict=True))

    def __str__(self) -> str:
        ours, plain = statistics.median(self.ours), statistics.median(self.plain)
        pairs = ", ".join(f"{ours / plain:.3f}" for ours, plain in zip(self.ours, self.plain, strict=True))
        verdict = "within" if self.ratio <= BUDGET else "OVER"
        return (
            f"evolved read, {self.rows:,} rows of {_GENERATIONS} generations, all columns: ours {ours:.2f} s, plain Spark over the newest "
            f"schema {plain:.2f} s, median of {len(self.ours)} pairs {self.ratio:.3f}x (budget {BUDGET}x, {verdict})\n  pairs: {pairs}"
        )


def measured(spark: Any, folder: Path, rows: int, pairs: int) -> Measured:
    """Write the data, read it once each, and then measure."""
    table = _written(spark, folder, rows)
    newest = str(folder / "newest")

    def ours() -> Any:
        return read_table(spark, table)

    def plain() -> Any:
        return spark.read.parquet(newest)

    _check(ours(), plain(), rows)
    seconds: dict[Callable[[], Any], list[float]] = {ours: [], plain: []}
    for one in (ours, plain):
        _seconds(one)
    for number in range(pairs):
        for one in (ours, plain) if number % 2 else (plain, ours):
            seconds[one].append(_seconds(one))
    return Measured(seconds[ours], seconds[plain], rows)


def _seconds(frame: Callable[[], Any]) -> float:
    start = time.perf_counter()
    frame().write.format("noop").mode("overwrite").save()
    return time.perf_counter() - start


def _check(ours: Any, plain: Any, rows: int) -> None:
    """Both give the same rows."""
    sums = [f"sum(xxhash64({', '.join(ours.columns)}) % 1000003)", "count(*)"]
    found = [one.selectExpr(*sums).collect()[0] for one in (ours, plain)]
    if found[0] != found[1] or found[0][1] != rows:
        raise AssertionError(f"they differ: {found}")


def _written(spark: Any, folder: Path, rows: int) -> Table:
    """A table of four generations; and beside it the same rows in as many files as the newest schema has them."""
    store = SchemaStore(folder / "registry", layout="registry")
    store.adopt(_NAME, str(folder / "data"), _COLUMNS)
    table = store.table(_NAME)
    parts = []
    for number, edits in enumerate(_EDITS):
        for one in edits:
            table.evolve(one, override="a benchmark")
        part = spark.range(number * rows // _GENERATIONS, (number + 1) * rows // _GENERATIONS, 1, _FILES)
        parts.append((part, table.schema()))
        frame = part.selectExpr(*(f"{_value(one)} as {one.name}" for one in table.schema().fields))
        stamp(frame, table).write.mode("append").parquet(str(folder / "data"))
    for part, schema in parts:
        frame = part.selectExpr(*(_newest(one, schema.column(one.id)) for one in table.schema().fields))
        frame.write.mode("append").parquet(str(folder / "newest"))
    return table


def _value(one: Field) -> str:
    return f"cast({_VALUES[_RENAMED.get(one.name, one.name)]} as {one.type})"


def _newest(now: Field, then: Field | None) -> str:
    """A column as it is now, of the value that was written then."""
    return f"cast({'null' if then is None else _value(then)} as {now.type}) as {now.name}"


def session(cores: int = 2) -> Any:
    """A local session, quiet."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    builder = SparkSession.builder.master(f"local[{cores}]").appName("evolved read").config("spark.ui.enabled", "false")
    quiet: Iterable[tuple[str, str]] = (
        ("spark.ui.showConsoleProgress", "false"),
        ("spark.log.level", "ERROR"),
        ("spark.driver.host", "127.0.0.1"),
    )
    for key, value in quiet:
        builder = builder.config(key, value)
    return builder.getOrCreate()


def main() -> None:
    """Measure, and print a line."""
    parser = argparse.ArgumentParser(description="Read evolved files beside plain Spark.")
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--folder", type=Path, help="where the data are put; they are taken away again")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="evolved-read-", dir=options.folder))
    spark = session()
    try:
        print(measured(spark, folder, options.rows, options.pairs), flush=True)
    finally:
        spark.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
