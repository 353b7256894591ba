"""A folder that a format of tables keeps is not taken for plain files, whichever function is asked, and wherever below it one looks."""

from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.spark import audit, infer, observe, prove, read_table, stamp, validate, write_files
from airflow_provider_schemas.spark.files.kept_folders import check_read
from airflow_provider_schemas.spark.jobs.job_data import rows_of
from airflow_provider_schemas.spark.jobs.job_requests import DataRequest
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.table import Table

KEEPERS = {
    "Delta": ["_delta_log/00000000000000000000.json"],
    "Hudi": [".hoodie/hoodie.properties"],
    "Iceberg": ["metadata/v1.metadata.json"],
    "Paimon": ["schema/schema-0", "snapshot/snapshot-1", "manifest/manifest-0"],
}


def keep(folder: Path, keeper: str) -> None:
    """Make a folder one that a format of tables keeps."""
    for path in KEEPERS[keeper]:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("{}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def table(tmp_path: Path, folder: Path) -> Table:
    """A table that is described as Parquet."""
    store = SchemaStore(tmp_path / "schemas", registry=tmp_path / "registry")
    store.adopt("shop.orders", str(folder), "id BIGINT, dt STRING")
    return store.table("shop.orders")


def rows(spark: Any) -> Any:
    return spark.sql("SELECT 1L AS id, 'a' AS dt")


def refused(call: Any) -> str:
    with pytest.raises(SchemaError) as error:
        call()
    assert error.value.code in ("read.kept-folder", "spark.kept-folder")
    return str(error.value)


@pytest.mark.parametrize("keeper", KEEPERS)
def test_each_format_of_tables_is_known_by_its_folders(spark: Any, table: Table, folder: Path, keeper: str) -> None:
    folder.mkdir()
    keep(folder, keeper)
    assert f"kept by {keeper}" in refused(lambda: read_table(spark, table))


def test_no_function_takes_such_a_folder_for_plain_files(spark: Any, table: Table, folder: Path) -> None:
    frame, keeper = rows(spark), "Delta"
    frame.write.parquet(str(folder))
    assert read_table(spark, table).count() == 1
    assert validate(spark.read.parquet(str(folder)), table).fits
    keep(folder, keeper)
    doors = [
        lambda: read_table(spark, table),
        lambda: read_table(spark, table, path=str(folder)),
        lambda: prove(table, "ALTER COLUMN id TYPE INT", spark=spark),
        lambda: infer(str(folder), spark=spark),
        lambda: write_files(frame, table),
        lambda: stamp(frame, table),
        lambda: rows_of(spark, DataRequest(path=str(folder))),
    ]
    for door in doors:
        assert f"kept by {keeper}" in refused(door)
    store = SchemaStore(table.subject.roots.warehouse.url, registry=table.registry.url)
    assert [row for row in audit(spark, store).collect() if f"kept by {keeper}" in str(row)]


def test_a_name_that_looks_like_a_pattern_is_a_name(classic_spark: Any, tmp_path: Path) -> None:
    folder = tmp_path / "orders [new] {1}"
    rows(classic_spark).write.parquet(str(folder))
    check_read(classic_spark, str(folder))
    keep(folder, "Delta")
    for spelled in (str(folder), f"file:{folder}", f"file://{folder}/"):
        assert "kept by Delta" in refused(lambda: check_read(classic_spark, spelled))  # noqa: B023  # called at once


@pytest.mark.parametrize("below", ["dt=a", "data", "data/dt=a"])
def test_a_part_of_such_a_table_is_none_either(classic_spark: Any, tmp_path: Path, below: str) -> None:
    keep(tmp_path / "kept", "Delta")
    rows(classic_spark).write.parquet(str(tmp_path / "kept" / below))
    assert "kept by Delta" in refused(lambda: infer(str(tmp_path / "kept" / below), spark=classic_spark))
    assert "kept by Delta" in refused(lambda: infer(f"{tmp_path}/kept/{below}/*.parquet", spark=classic_spark))


@pytest.mark.parametrize("spelled", ["//delta", "/./delta", "/other/../delta", "//delta//dt=a", "/link", "/d*", "/{delta,nothing}"])
def test_such_a_folder_is_known_however_it_is_spelled(classic_spark: Any, table: Table, tmp_path: Path, spelled: str) -> None:
    keep(tmp_path / "delta", "Delta")
    for place in ("delta", "delta/dt=a", "other"):
        rows(classic_spark).write.mode("append").parquet(str(tmp_path / place))
    (tmp_path / "link").symlink_to(tmp_path / "delta/dt=a")
    path = f"{tmp_path}{spelled}"
    doors = [lambda: infer(path, spark=classic_spark), lambda: rows_of(classic_spark, DataRequest(path=path))]
    if "*" not in spelled and "{" not in spelled:
        doors += [
            lambda: read_table(classic_spark, table, path=path),
            lambda: write_files(rows(classic_spark), table, path=path),
        ]
    for door in doors:
        assert "kept by Delta" in refused(door)


@pytest.mark.parametrize("day", ["2026", "2026/11", "2026/11/18", "2026-11-18"])
def test_a_day_of_hudi_is_none_either(classic_spark: Any, tmp_path: Path, day: str) -> None:
    keep(tmp_path / "kept", "Hudi")
    rows(classic_spark).write.parquet(str(tmp_path / "kept" / day))
    assert "kept is kept by Hudi" in refused(lambda: check_read(classic_spark, str(tmp_path / "kept" / day)))
    check_read(classic_spark, str(tmp_path / "2026"))


def test_every_folder_of_a_frame_is_asked_about(classic_spark: Any, table: Table, tmp_path: Path) -> None:
    places = [str(tmp_path / name) for name in ("a", "b", "c", "shop.orders")]
    for place in places:
        rows(classic_spark).write.parquet(place)
    keep(tmp_path / "shop.orders", "Delta")
    for seen in (classic_spark.read.parquet(places[-1]), classic_spark.read.parquet(*places)):
        assert "shop.orders is kept by Delta" in refused(lambda: validate(seen, table))  # noqa: B023  # called at once


def test_frames_that_read_such_a_folder_as_plain_files_are_refused(classic_spark: Any, table: Table, folder: Path) -> None:
    rows(classic_spark).write.parquet(str(folder))
    frame = classic_spark.read.parquet(str(folder))
    file = classic_spark.read.parquet(str(next(folder.glob("*.parquet"))))
    ours = read_table(classic_spark, table)
    keep(folder, "Delta")
    for seen in (frame, frame.select("id").where("id > 0"), file):
        for door in (lambda: validate(seen, table), lambda: observe(seen), lambda: infer(seen)):  # noqa: B023  # called at once
            assert "kept by Delta" in refused(door)
    assert validate(ours, table).fits  # which read_table made while nobody kept the folder
    assert validate(rows(classic_spark), table).fits
