"""Data files are looked at where tables are audited, without Spark, as long as all is well; whatever is not sure is left to Spark."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.spark import audit, summarize
from airflow_provider_schemas.spark.auditing import executor
from airflow_provider_schemas.spark.auditing.data_access import Reach, ThroughSpark
from airflow_provider_schemas.spark.auditing.discovery import find_targets
from airflow_provider_schemas.spark.auditing.table import Scope, TableAudit, audit_table
from airflow_provider_schemas.spark.files.data_file import DataFile
from airflow_provider_schemas.spark.files.footers import read_footers
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.footers.newest_file import DataEntry
from airflow_provider_schemas.store.footers.read_footer import read_footer
from airflow_provider_schemas.store.storage.local import LocalFiles

COLUMNS = "id BIGINT, note STRING"
HERE = Reach(disk=True, plain_paths=True)


class Warehouse:
    """Described tables, each with a folder of data."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.store = SchemaStore(root / "registry", layout="registry")

    def table(self, name: str, *, url: bool = False) -> Path:
        folder = self.root / "data" / name
        self.store.adopt(f"shop.{name}", folder.as_uri() if url else str(folder), COLUMNS)
        folder.mkdir(parents=True)
        return folder

    def audited(self, name: str, reach: Reach = HERE) -> TableAudit:
        (target,) = (target for target in find_targets(self.store, "*", "*").tables if target.name.table == name)
        return audit_table(self.store, target, Scope(reach=reach))


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    return Warehouse(tmp_path)


def write(path: Path, **columns: Any) -> None:
    import pyarrow
    from pyarrow import parquet

    path.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(pyarrow.table(columns or {"id": [1], "note": ["a"]}), path)


# ---------------------------------------------------------------- what is told without Spark


def test_files_that_are_what_the_table_says_take_no_job_of_spark_each(
    classic_spark: Any, warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(25):
        write(warehouse.table(f"t{number}") / "a.parquet")
    broken = warehouse.table("broken") / "b.parquet"
    broken.write_bytes(b"PAR1 no more than this")
    through_spark = []

    class Seen(ThroughSpark):
        def find_files(self, table: Any, head: Any) -> Any:
            through_spark.append(table.name)
            return super().find_files(table, head)

    monkeypatch.setattr(executor, "ThroughSpark", Seen)
    findings = audit(classic_spark, warehouse.store)
    assert [(row["table"], row["rule"]) for row in findings.collect()] == [("shop.broken", "FILE_UNREADABLE")]
    assert (summarize(findings).tables, summarize(findings).files) == (26, 26)
    assert through_spark == ["shop.broken"]


def test_a_job_of_an_audit_needs_no_pandas(classic_spark: Any, warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(executor._FEW):
        write(warehouse.table(f"t{number}") / "a.parquet")
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setattr(executor, "_audit_in_threads", lambda store, found, *_: [] if not found else pytest.fail("the driver did the work"))
    assert summarize(audit(classic_spark, warehouse.store)).files == executor._FEW


@pytest.mark.parametrize("url", [True, False])
def test_every_file_that_spark_shows_is_counted_and_no_other(classic_spark: Any, warehouse: Warehouse, *, url: bool) -> None:
    folder = warehouse.table("orders", url=url)
    shown = ("a.parquet", "dt=1/a.parquet", "_dt=2/a.parquet", "deep/er/a.parquet")
    for place in (*shown, "_hidden/a.parquet", ".hidden/a.parquet", "_a.parquet"):
        write(folder / place)
    (folder / "empty.parquet").touch()
    (folder / "link.parquet").symlink_to(folder / "a.parquet")
    (folder / "nowhere.parquet").symlink_to(folder / "not there")
    write(warehouse.root / "beside" / "a.parquet")
    (folder / "linked").symlink_to(warehouse.root / "beside")
    seen = warehouse.audited("orders").data
    table = warehouse.store.table("shop.orders")
    assert seen is not None
    assert seen.files == len(ThroughSpark(classic_spark).find_files(table, table.schema()).files) == 6


# ---------------------------------------------------------------- what is left to Spark


def no_folder(folder: Path) -> None:
    write(folder / "a.parquet")
    (folder / "a.parquet").rename(folder.parent / "file")
    folder.rmdir()
    (folder.parent / "file").rename(folder)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda folder: (folder / "a.parquet").write_bytes(b"PAR1 no more than this"),
        lambda folder: (folder / "a.csv").write_text("id,note"),
        lambda folder: write(folder / "a.parquet", strange=[1]),
        lambda folder: write(folder / "a.parquet", id=["x"], note=["a"]),
        no_folder,
    ],
    ids=["no footer", "no Parquet", "a strange column", "another type", "no folder"],
)
def test_whatever_is_not_well_is_left_to_spark(warehouse: Warehouse, spoil: Callable[[Path], object]) -> None:
    spoil(warehouse.table("orders"))
    assert warehouse.audited("orders").data is None


def test_a_file_that_goes_while_it_is_read_is_left_to_spark(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = warehouse.table("orders")
    write(folder / "a.parquet")
    walk = LocalFiles.walk

    def gone(files: LocalFiles, inside: str) -> Any:
        found = [(path, entry) for path, entry in walk(files, inside) if entry.size]
        shutil.rmtree(folder, ignore_errors=True)
        return found

    monkeypatch.setattr(LocalFiles, "walk", gone)
    assert warehouse.audited("orders").data is None


@pytest.mark.parametrize(
    "reach",
    [Reach(), Reach(disk=False, plain_paths=True), Reach(disk=True, plain_paths=False)],
    ids=["nothing", "another machine", "another file system"],
)
def test_a_path_that_may_lie_on_another_disk_is_left_to_spark(warehouse: Warehouse, reach: Reach) -> None:
    write(warehouse.table("orders") / "a.parquet")
    assert warehouse.audited("orders", reach).data is None


def test_a_store_that_may_not_look_at_data_leaves_them_to_spark(warehouse: Warehouse) -> None:
    write(warehouse.table("orders") / "a.parquet")
    warehouse.store = SchemaStore(warehouse.store.url, layout="registry", look=False)
    assert warehouse.audited("orders").data is None


def test_a_version_that_cannot_be_read_leaves_the_data_to_spark(warehouse: Warehouse) -> None:
    write(warehouse.table("orders") / "a.parquet")
    warehouse.store.table("shop.orders").evolve("ADD COLUMN more STRING")
    warehouse.store.table("shop.orders").evolve("ADD COLUMN again STRING")
    assert warehouse.audited("orders").data is not None
    (path,) = warehouse.root.rglob("schema-1")
    path.write_text("{")
    assert warehouse.audited("orders").data is None


def test_a_folder_that_is_not_there_yet_and_an_empty_one_hold_no_file(warehouse: Warehouse) -> None:
    folder = warehouse.table("orders")
    for _ in range(2):
        seen = warehouse.audited("orders").data
        assert seen is not None
        assert seen.files == 0
        shutil.rmtree(folder, ignore_errors=True)


# ---------------------------------------------------------------- both read the same


_SPARK_ROW = (
    "SELECT 1L id, 1Y t, 2S s, cast(1.20 as decimal(10, 2)) n, cast(1 as decimal(38, 0)) big, timestamp'2026-01-01 00:00:00' at, "
    "timestamp_ntz'2026-01-01 00:00:00' ntz, date'2026-01-01' d, 1f f, true b, array(array(1)) ll, map('k', map(1, array(named_struct('q', "
    "1)))) mm, named_struct('x', 1, 'y', array(named_struct('z', 'a'))) r, X'00' raw, interval '1' day iv, 1 as `a = 1`, 2 as `x.y`"
)
_NUMBERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64")
_ARROW = ("numbers", "times", "nested", "bytes")


def _tables() -> dict[str, Any]:
    """What pyarrow writes."""
    import pyarrow

    return {
        "numbers": pyarrow.table({name: pyarrow.array([1], getattr(pyarrow, name)()) for name in _NUMBERS}),
        "times": pyarrow.table(
            {
                "t": pyarrow.array([1], pyarrow.time64("us")),
                "ms": pyarrow.array([1], pyarrow.timestamp("ms", "UTC")),
                "us": pyarrow.array([1], pyarrow.timestamp("us")),
                "ns": pyarrow.array([1000], pyarrow.timestamp("ns")),
                "d": pyarrow.array([1], pyarrow.date64()),
            }
        ),
        "nested": pyarrow.table(
            {
                "ll": pyarrow.array([[[1]]], pyarrow.list_(pyarrow.list_(pyarrow.int8()))),
                "m": pyarrow.array([[("a", 1)]], pyarrow.map_(pyarrow.string(), pyarrow.int32())),
                "s": pyarrow.array([{"a": 1, "b": {"c": "x"}}]),
            }
        ),
        "bytes": pyarrow.table(
            {
                "fixed": pyarrow.array([b"xx"], pyarrow.binary(2)),
                "nothing": pyarrow.nulls(1),
                "json": pyarrow.array(["1"], pyarrow.json_()),
                "uuid": pyarrow.array([b"x" * 16], pyarrow.uuid()),
            }
        ),
    }


@pytest.mark.parametrize("kind", ["INT96", "TIMESTAMP_MILLIS", "TIMESTAMP_MICROS", *_ARROW])
def test_a_footer_says_the_same_with_spark_and_without(classic_spark: Any, tmp_path: Path, kind: str) -> None:
    if kind in _ARROW:
        from pyarrow import parquet

        parquet.write_table(_tables()[kind], tmp_path / "a.parquet", version="1.0" if kind == "times" else "2.6")
    else:
        classic_spark.conf.set("spark.sql.parquet.outputTimestampType", kind)
        try:
            classic_spark.sql(_SPARK_ROW).coalesce(1).write.mode("append").parquet(str(tmp_path))
        finally:
            classic_spark.conf.unset("spark.sql.parquet.outputTimestampType")
    (path,) = tmp_path.glob("*.parquet")
    size = path.stat().st_size
    (by_spark,) = read_footers(classic_spark, [DataFile(path=path.as_uri(), size=size, version=None)], "shop.orders")
    without = read_footer(LocalFiles(str(tmp_path)), DataEntry(path.name, size, "", 0.0), "parquet")
    assert (without.columns, without.stamped) == (by_spark.columns, by_spark.stamped)
