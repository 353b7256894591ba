"""Data checks of many columns, beside one plain aggregation over the same columns of the same files, and beside pandera.

    python -m tests.benchmarks.spark.validation [--rows 1000000] [--pairs 7] [--columns 200] [--wide 5000] [--peer-rows 100000]

Every column is checked for NULL, and for its length or range: two checks a column. The plain aggregation is max() of each column, and
count() beside it, which is the least that any look at all values costs. Pandera does the same checks over fewer rows, and so do we for it.
"""

import argparse
import os
import resource
import shutil
import statistics
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.spark import validate
from airflow_provider_schemas.spark.validation.result import Validation

BUDGET = 1.3
_FILES = 4
# By place: what the column is in the files, what it is to be, and its values.
_KINDS = (
    ("INT", "SMALLINT", "id * {n} % 30000"),
    ("BIGINT", "INT", "id * {n} % 10000000"),
    ("STRING", "VARCHAR(12)", "concat('v', id * {n} % 5000)"),
    ("DECIMAL(18, 2)", "DECIMAL(12, 2)", "(id * {n} % 1000000) / 100"),
)

Job = Callable[[], Any]


class Compared(NamedTuple):
    """Seconds of each round, by contestant."""

    title: str
    seconds: dict[str, list[float]]
    base: str

    def ratio(self, who: str) -> float:
        """The median of the pairs."""
        return statistics.median(mine / base for mine, base in zip(self.seconds[who], self.seconds[self.base], strict=True))

    def __str__(self) -> str:
        lines = [f"{who} {statistics.median(found):.2f} s ({self.ratio(who):.2f}x)" for who, found in self.seconds.items()]
        return f"{self.title}: {', '.join(lines)}"


def write(spark: Any, folder: Path, rows: int, columns: int) -> str:
    """Files of so many columns and a key."""
    made = [_column(place) for place in range(columns)]
    place = str(folder / f"{rows}x{columns}")
    spark.range(0, rows, 1, _FILES).selectExpr("id", *made).write.parquet(place)
    return place


def _column(place: int) -> str:
    kind, _, value = _KINDS[place % len(_KINDS)]
    return f"cast({value.format(n=place + 3)} as {kind}) as c{place}"


def schema(columns: int, *, key: bool = False) -> TableSchema:
    """What the files are to be."""
    checked = [f"c{place} {_KINDS[place % len(_KINDS)][1]} NOT NULL" for place in range(columns)]
    return TableSchema.create(", ".join(["id BIGINT NOT NULL" if key else "id BIGINT", *checked]), primary_keys=["id"] if key else ())


def raced(title: str, jobs: dict[str, Job], pairs: int, base: str) -> Compared:
    """Every job once to warm up, then in rounds that begin with another each time."""
    names = list(jobs)
    for one in names:
        jobs[one]()
    seconds: dict[str, list[float]] = {one: [] for one in names}
    for number in range(pairs):
        for one in names[number % len(names) :] + names[: number % len(names)]:
            start = time.perf_counter()
            jobs[one]()
            seconds[one].append(time.perf_counter() - start)
    return Compared(title, seconds, base)


def plainly(spark: Any, place: str, columns: int, function: str) -> Job:
    """One aggregation that looks at every value."""
    return lambda: spark.read.parquet(place).selectExpr("count(1)", *[f"{function}(c{one})" for one in range(columns)]).collect()


def ours(spark: Any, place: str, wanted: TableSchema, *, broken: int = 0) -> Job:
    """Read and validate. So many columns break something in the last row."""

    def run() -> Validation:
        found = validate(spark.read.parquet(place), wanted)
        if len(found.findings) != broken or found.rows is None:
            raise AssertionError(f"{len(found.findings)} findings instead of {broken}")
        return found

    return run


def pandera(spark: Any, place: str, columns: int) -> Job | None:
    """The same checks as pandera has them; None where it is not installed."""
    try:
        warnings.filterwarnings("ignore", module="pandera")
        pa, t = import_module("pandera.pyspark"), import_module("pyspark.sql.types")
    except ImportError:
        return None

    def column(one: int) -> Any:
        kind = one % len(_KINDS)
        ends = {0: (-32768, 32767), 1: (-(2**31), 2**31 - 1), 3: (-9999999999, 9999999999)}
        types = (t.IntegerType(), t.LongType(), t.StringType(), t.DecimalType(18, 2))
        check = pa.Check.str_matches("^.{0,12}$") if kind == 2 else pa.Check.in_range(*ends[kind])
        return pa.Column(types[kind], check, nullable=False)

    wanted = pa.DataFrameSchema({f"c{one}": column(one) for one in range(columns)})

    def run() -> Any:
        checked = wanted.validate(spark.read.parquet(place))
        if checked.pandera.errors:
            raise AssertionError(checked.pandera.errors)
        return checked

    return run


def measured(spark: Any, folder: Path, options: argparse.Namespace) -> Iterator[Compared]:
    """All comparisons."""
    columns = options.columns
    place = write(spark, folder, options.rows, columns)
    jobs = {
        "max() of each": plainly(spark, place, columns, "max"),
        "count() of each": plainly(spark, place, columns, "count"),
        "ours": ours(spark, place, schema(columns)),
        "ours with a primary key": ours(spark, place, schema(columns, key=True)),
    }
    yield raced(f"{options.rows:,} rows, {columns} columns, {2 * columns} checks", jobs, options.pairs, "max() of each")
    small = write(spark, folder, options.peer_rows, columns)
    peer = pandera(spark, small, columns)
    if peer is not None:
        jobs = {"ours": ours(spark, small, schema(columns)), "pandera": peer}
        yield raced(f"{options.peer_rows:,} rows, {columns} columns, beside pandera", jobs, options.peer_pairs, "ours")
    if options.wide:
        wide = write(spark, folder, options.wide_rows, options.wide)
        jobs = {"max() of each": plainly(spark, wide, options.wide, "max"), "ours": ours(spark, wide, schema(options.wide))}
        yield raced(f"{options.wide_rows:,} rows, {options.wide:,} columns", jobs, options.wide_pairs, "max() of each")


def session(cores: int = 2) -> Any:
    """A local session, quiet."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    builder = SparkSession.builder.master(f"local[{cores}]").appName("validation")
    quiet = {
        "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR",
        "spark.driver.host": "127.0.0.1", "spark.driver.memory": "3g", "spark.sql.shuffle.partitions": "4",
    }  # fmt: skip
    for key, value in quiet.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def main() -> None:
    """Measure, and print a line for each comparison."""
    parser = argparse.ArgumentParser(description="Check data beside a plain aggregation.")
    for name, value in (("rows", 1_000_000), ("pairs", 7), ("columns", 200), ("wide", 5_000), ("wide-rows", 5_000), ("wide-pairs", 1)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--peer-rows", type=int, default=100_000)
    parser.add_argument("--peer-pairs", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where the data are put; they are taken away again")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="validation-", dir=options.folder))
    spark = session()
    try:
        print(f"load of the machine: {os.getloadavg()[0]:.1f}")
        results = []
        for one in measured(spark, folder, options):
            results.append(one)
            print(one, flush=True)
        ratio = results[0].ratio("ours")
        print(f"budget: ours at most {BUDGET}x max() of each: {ratio:.2f}x, {'within' if ratio <= BUDGET else 'OVER'}")
        print(f"most memory of Python: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")
    finally:
        spark.stop()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
