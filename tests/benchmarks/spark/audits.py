"""An audit of many tables, beside the bare listing and reading of the same files: in threads, in processes, and in a job of Spark.

    python -m tests.benchmarks.spark.audits [--tables 10000] [--versions 10] [--rounds 5] [--folder DIR]

The session is there before anything is measured, and its Python workers have started. In the first part no table has data files: what is
measured is what an audit makes of schema files. Memory is that of the driver and of Spark's Python workers, looked at ten times a second.
The second part counts processor time of all processes, and prints each goal with ours and the limit: a first audit, one of files that are
as they were, and one of tables with three files of data each.
"""

import argparse
import os
import resource
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple, Self

from msgspec.structs import replace

from airflow_provider_schemas.core import TableSchema, evolve, parse_changes
from airflow_provider_schemas.core.schema.version import Provenance, file_digest
from airflow_provider_schemas.spark import audit, summarize
from airflow_provider_schemas.spark.auditing import executor
from airflow_provider_schemas.store import SchemaStore
from tests.benchmarks.spark import processor
from tests.benchmarks.store import bare

BUDGET = 2.0
_DATABASES = 20
_COLUMNS = 20
_TYPES = ("BIGINT", "STRING", "DECIMAL(10, 2)", "TIMESTAMP(6)", "INT", "DATE", "DOUBLE", "BOOLEAN")
_THREADS = 16
_CHUNK = 50
_LINE = "audit"
_LIMITS = ("bare, threads", "bare, processes", "bare, Spark's workers")


class Line(NamedTuple):
    """One way to do it: seconds of each round."""

    name: str
    seconds: list[float]

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)


# ---------------------------------------------------------------- files


def warehouse(root: Path, tables: int, versions: int) -> None:
    """Tables of some twenty columns, no two alike, whose versions say which they were made of."""
    for number in range(tables):
        folder = root / f"db{number % _DATABASES}.db" / f"t{number}" / "schema"
        folder.mkdir(parents=True)
        for version, data in enumerate(_history(number, versions)):
            (folder / f"schema-{version}").write_bytes(data)


def _history(table: int, versions: int) -> Iterator[bytes]:
    columns = ", ".join(f"c{place}_{table % 97} {_TYPES[(place + table) % len(_TYPES)]}" for place in range(_COLUMNS))
    schema, parent = TableSchema.create(columns, comment=f"table {table}"), ""
    changes: tuple[dict[str, Any], ...] = ()
    for number in range(versions):
        about: dict[str, Any] = {"parent_id": number - 1, "parent_sha256": parent} if number else {}
        said = Provenance(actor="somebody", run=f"run {number}", commit=f"{table:016x}{number:016x}", changes=changes, **about)
        data = said.on(replace(schema, id=number, time_millis=1_700_000_000_000 + table)).to_json().encode()
        yield data
        parent = file_digest(data)
        batch = parse_changes([f"ADD COLUMN more_{number} STRING" if number % 2 == 0 else f"RENAME COLUMN more_{number - 1} TO m_{number}"])
        changes = tuple(one.to_json() for one in batch)
        schema = evolve(schema, batch)


# ---------------------------------------------------------------- ways


def _read(folder: str) -> int:
    """List one table and read its versions, and nothing else."""
    return sum(map(len, bare.everything(f"{folder}/schema")))


def _in_threads(root: str) -> int:
    with ThreadPoolExecutor(_THREADS) as pool:
        return sum(pool.map(_read, bare.tables(root)))


def _in_processes(root: str, pool: ProcessPoolExecutor) -> int:
    return sum(pool.map(_read, bare.tables(root), chunksize=_CHUNK))


def _in_job(spark: Any, root: str) -> int:
    folders = list(bare.tables(root))

    def work(batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow

        for batch in batches:
            sizes = [_read(folders[number]) for number in batch.column(0).to_pylist()]
            yield pyarrow.RecordBatch.from_pydict({"size": sizes})

    return sum(row[0] for row in spark.range(len(folders)).mapInArrow(work, "size BIGINT").collect())


def _audited(spark: Any, root: str, tables: int, versions: int) -> None:
    found = _counts(audit(spark, root, data=False, cache=False))
    if found != (tables, tables * versions, 0):
        raise AssertionError(f"the audit saw {found}")


def _counts(findings: Any) -> tuple[int | None, int | None, int]:
    """What was looked at, and how much was found."""
    summary = summarize(findings)
    return summary.tables, summary.versions, summary.findings


# ---------------------------------------------------------------- memory


class Memory:
    """The most memory that a process and the Python processes below it held, in MB."""

    def __init__(self) -> None:
        self.workers = 0.0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    @property
    def driver(self) -> float:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    def _look(self) -> None:
        while not self._ended.wait(0.1):
            self.workers = max(self.workers, sum(_held(one) for one in _below(os.getpid()) if _is_worker(one)))


def _below(process: int) -> list[int]:
    """All processes that this one started, and those that they did."""
    parents: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parent = int((folder / "stat").read_text().rpartition(") ")[2].split()[1])
            except (OSError, ValueError):
                continue
            parents.setdefault(parent, []).append(int(folder.name))
    found, waiting = [], [process]
    while waiting:
        mine = parents.get(waiting.pop(), [])
        found += mine
        waiting += mine
    return found


def _is_worker(process: int) -> bool:
    try:
        return b"pyspark.daemon" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False


def _held(process: int) -> float:
    """What belongs to the process, and to nobody else."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(one.split()[1]) for one in lines if one.startswith("Private_")) / 1024


# ---------------------------------------------------------------- measuring


def measured(spark: Any, root: str, tables: int, versions: int, rounds: int) -> tuple[list[Line], Memory]:
    """Every way once to warm up, and then in turns."""
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool, Memory() as memory:
        ways: dict[str, Callable[[], object]] = {
            _LIMITS[0]: lambda: _in_threads(root),
            _LIMITS[1]: lambda: _in_processes(root, pool),
            _LIMITS[2]: lambda: _in_job(spark, root),
            _LINE: lambda: _audited(spark, root, tables, versions),
            "audit, threads of the driver": lambda: _alone(spark, root, tables, versions),
        }
        for way in ways.values():
            way()
        lines = {name: Line(name, []) for name in ways}
        for number in range(rounds):
            for name, way in list(ways.items())[:: 1 if number % 2 else -1]:
                start = time.perf_counter()
                way()
                lines[name].seconds.append(time.perf_counter() - start)
    return list(lines.values()), memory


def _alone(spark: Any, root: str, tables: int, versions: int) -> None:
    """The same as it is on Spark Connect, or where executors lack this package."""
    few, executor._FEW = executor._FEW, sys.maxsize  # type: ignore[misc]
    try:
        _audited(spark, root, tables, versions)
    finally:
        executor._FEW = few  # type: ignore[misc]


def told(lines: list[Line], memory: Memory, tables: int, versions: int) -> str:
    """The table, and what the budget says."""
    of = {one.name: one.median for one in lines}
    head = f"audit of {tables:,} tables of {versions} versions, seconds (median, least) and times each bare way"
    rows = [f"  {'':30}{'median':>8}{'least':>8}" + "".join(f"{one:>23}" for one in _LIMITS)]
    for one in lines:
        ratios = "".join(f"{one.median / of[limit]:>22.2f}x" for limit in _LIMITS)
        rows.append(f"  {one.name:30}{one.median:>8.2f}{min(one.seconds):>8.2f}{ratios}")
    verdicts = ", ".join(f"{of[_LINE] / of[one]:.2f}x {one} ({'within' if of[_LINE] <= BUDGET * of[one] else 'OVER'})" for one in _LIMITS)
    held = f"driver {memory.driver:,.0f} MB at most, Python workers together {memory.workers:,.0f} MB at most of their own"
    return "\n".join([head, *rows, f"  budget {BUDGET:g}x: {verdicts}", f"  memory: {held}"])


# ---------------------------------------------------------------- goals, by processor time


_FIRST, _AGAIN, _DATA = 2.5, 0.3, 3.0
_FILES = 3


def goals(spark: Any, root: Path, tables: int, versions: int, rounds: int) -> Iterator[str]:
    """Each goal of audits, with ours and the limit."""
    yield f"goals, {tables:,} tables, least processor time of {rounds} rounds"
    cache = root / "cache"
    lake = str(root / "lake")
    spent = processor.least(
        {
            "bare": lambda: sum(map(_read, bare.tables(lake))),
            "first": lambda: _audited(spark, lake, tables, versions),
            "again": lambda: audit(spark, lake, data=False, cache=cache),
            "times": lambda: sum(map(_times, bare.tables(lake))),
        },
        rounds,
    )
    yield processor.goal("a first audit, beside listing and reading the same files", spent["first"], spent["bare"], _FIRST)
    yield processor.goal("an audit of files that are as they were, beside the same", spent["again"], spent["bare"], _AGAIN)
    ratio = spent["times"] / spent["bare"]
    yield f"    of that, only listing and asking for the times of each file: {spent['times']:.3f} s, {ratio:.2f} of the same"
    store = _with_data(root, tables)
    spent = processor.least({"bare": lambda: _footers(root / "data"), "data": lambda: _of_data(spark, store, tables)}, rounds)
    yield processor.goal(f"with {_FILES} files a table, beside a listing and one footer a file", spent["data"], spent["bare"], _DATA)


def _times(folder: str) -> int:
    """List one table and ask for the times of its versions: the least that tells whether any of them was written over."""
    handle = os.open(f"{folder}/schema", os.O_RDONLY)
    try:
        return sum(os.stat(name, dir_fd=handle).st_size for name in os.listdir(handle))  # noqa: PTH208  # as `folder_print` does
    finally:
        os.close(handle)


def _with_data(root: Path, tables: int) -> SchemaStore:
    """Described tables of one version, each with a folder of files."""
    import pyarrow
    from pyarrow import parquet

    store = SchemaStore(root / "registry", layout="registry", actor="somebody")
    names = [f"c{number}" for number in range(_COLUMNS)]
    parquet.write_table(pyarrow.table({name: pyarrow.array([1], pyarrow.int64()) for name in names}), root / "one.parquet")
    for number in range(tables):
        folder = root / "data" / f"t{number}"
        folder.mkdir(parents=True)
        store.adopt(f"db{number % _DATABASES}.t{number}", str(folder), ", ".join(f"{name} BIGINT" for name in names))
        for file in range(_FILES):
            shutil.copy(root / "one.parquet", folder / f"{file}.parquet")
    return store


def _footers(root: Path) -> int:
    from pyarrow import parquet

    return sum(
        len(parquet.ParquetFile(f"{root}/{name}/{file}").schema) for name in bare.names(str(root)) for file in bare.names(f"{root}/{name}")
    )


def _of_data(spark: Any, store: SchemaStore, tables: int) -> None:
    summary = summarize(audit(spark, store, cache=False))
    if (summary.tables, summary.files, summary.findings) != (tables, tables * _FILES, 0):
        raise AssertionError(f"the audit saw {summary}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.spark.audits", description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", type=int, default=10_000)
    parser.add_argument("--versions", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder", type=Path, help="where the warehouse is made, and taken away again")
    options = parser.parse_args()
    root = Path(tempfile.mkdtemp(prefix="schemas-audits-", dir=options.folder))
    spark = _session()
    try:
        warehouse(root / "lake", options.tables, options.versions)
        found = measured(spark, str(root / "lake"), options.tables, options.versions, options.rounds)
        print(told(*found, options.tables, options.versions), f"load of the machine at the end: {os.getloadavg()[0]:.1f}", sep="\n")
        print(*goals(spark, root, options.tables, options.versions, options.rounds), sep="\n", flush=True)
    finally:
        spark.stop()
        shutil.rmtree(root)


def _session() -> Any:
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    from pyspark.sql import SparkSession

    conf = {"spark.ui.enabled": "false", "spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
    builder = SparkSession.builder.master("local[*]").appName("audits").config("spark.ui.showConsoleProgress", "false")
    for key, value in {**conf, "spark.log.level": "ERROR"}.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


if __name__ == "__main__":
    main()
