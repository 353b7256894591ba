"""write_files: stamped, in the right place, and the folder is known to the registry before its first file."""

from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import AlreadyThereError, IncompatibleSchemaError, ReadOnlyError, SparkError, StorageError
from airflow_provider_schemas.spark import read_table, write_files
from airflow_provider_schemas.spark.writing.write_files import is_inside
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.table import Table


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def table(tmp_path: Path, data: Path) -> Table:
    """A table of plain files, whose schemas lie apart from them."""
    store = SchemaStore(tmp_path / "schemas", registry=tmp_path / "registry", actor="ana")
    store.adopt("shop.orders", str(data), "id BIGINT, dt STRING", format="parquet")
    return store.table("shop.orders")


def rows(spark: Any, *values: tuple[int, str]) -> Any:
    return spark.sql(f"SELECT * FROM VALUES {', '.join(f'({number}L, {text!r})' for number, text in values)} AS rows(id, dt)")


def files(folder: Path) -> list[str]:
    return sorted({file.relative_to(folder).parent.as_posix() for file in folder.rglob("*.parquet")})


def read(spark: Any, folder: Path) -> list[tuple[Any, ...]]:
    return sorted(tuple(row) for row in spark.read.parquet(str(folder)).select("id", "dt").collect())


def test_files_go_to_the_location_of_the_table_and_nothing_else_does(spark: Any, table: Table, data: Path) -> None:
    write_files(rows(spark, (1, "a"), (2, "b")), table, partition_by=["dt"])
    write_files(rows(spark, (3, "a")), table, partition_by="dt", options={"compression": "gzip"})
    assert files(data) == ["dt=a", "dt=b"]
    assert read(spark, data) == [(1, "a"), (2, "b"), (3, "a")]
    assert {path.name for path in data.iterdir() if not path.name.startswith((".", "_SUCCESS"))} == {"dt=a", "dt=b"}
    assert list(data.rglob("*.gz.parquet"))
    assert table.bindings() == ()


def test_a_folder_elsewhere_is_bound_once_before_its_first_file(spark: Any, table: Table, tmp_path: Path) -> None:
    other = tmp_path / "other"
    write_files(rows(spark, (1, "a")), table, str(other))
    table.evolve("ADD COLUMN note STRING")
    write_files(rows(spark, (2, "b")), table, f"file://{other}/")
    write_files(rows(spark, (3, "b")), table, str(other / "below"))
    assert [(one.folder, one.version) for one in table.bindings()] == [(str(other), 0)]
    assert len(list(other.rglob("*.parquet"))) == 3


def test_a_folder_with_files_that_nobody_knows_is_not_spoken_for(classic_spark: Any, table: Table, tmp_path: Path) -> None:
    other = tmp_path / "other"
    rows(classic_spark, (1, "a")).write.parquet(str(other))
    ways: list[dict[str, Any]] = [{}, {"mode": "overwrite", "options": {"partitionOverwriteMode": "dynamic"}}]
    for more in ways:
        with pytest.raises(SparkError, match=r"table\.bind\(") as caught:
            write_files(rows(classic_spark, (2, "b")), table, str(other), **more)
        assert caught.value.code == "spark.unknown-files"
    assert read(classic_spark, other) == [(1, "a")]
    table.bind(str(other), 0)
    write_files(rows(classic_spark, (2, "b")), table, str(other))
    assert sorted(map(tuple, read_table(classic_spark, table, path=str(other)).collect())) == [(1, "a"), (2, "b")]


def test_a_whole_overwrite_leaves_nothing_that_would_have_to_be_known(classic_spark: Any, table: Table, tmp_path: Path) -> None:
    other = tmp_path / "other"
    rows(classic_spark, (1, "a")).write.parquet(str(other))
    write_files(rows(classic_spark, (2, "b")), table, str(other), mode="overwrite")
    assert read(classic_spark, other) == [(2, "b")]
    assert [one.folder for one in table.bindings()] == [str(other)]


def test_what_does_not_fit_writes_nothing_and_binds_nothing(classic_spark: Any, table: Table, tmp_path: Path) -> None:
    other = tmp_path / "other"
    with pytest.raises(IncompatibleSchemaError):
        write_files(classic_spark.range(1).selectExpr("'x' AS id", "'y' AS dt"), table, str(other))
    assert not other.exists()
    assert table.bindings() == ()


def test_a_store_that_may_not_write_does_not_let_an_unknown_folder_be_written(classic_spark: Any, table: Table, tmp_path: Path) -> None:
    seen = SchemaStore.on(classic_spark, tmp_path / "schemas", registry=tmp_path / "registry").table("shop.orders")
    with pytest.raises(ReadOnlyError):
        write_files(rows(classic_spark, (1, "a")), seen, str(tmp_path / "other"))
    assert not (tmp_path / "other").exists()
    write_files(rows(classic_spark, (1, "a")), seen)
    assert read(classic_spark, tmp_path / "data") == [(1, "a")]


def test_partition_keys_are_those_of_the_table(classic_spark: Any, tmp_path: Path) -> None:
    store = SchemaStore(tmp_path / "lake", registry=tmp_path / "registry")
    store.adopt("shop.days", str(tmp_path / "days"), "id BIGINT, dt STRING")
    keyed = store.table("shop.days").schema().create("id BIGINT, dt STRING", partition_keys=["dt"])
    store.adopt("shop.keyed", str(tmp_path / "keyed"), keyed)
    write_files(rows(classic_spark, (1, "a")), store.table("shop.keyed"))
    assert files(tmp_path / "keyed") == ["dt=a"]
    for name, asked in (("shop.keyed", "id"), ("shop.days", "day"), ("shop.days", ["id", "dt"])):
        with pytest.raises(SparkError) as caught:
            write_files(rows(classic_spark, (1, "a")), store.table(name), partition_by=asked)
        assert caught.value.code == "spark.partition-keys"


@pytest.mark.parametrize("mode", ["static", "dynamic"])
def test_a_folder_is_not_overwritten_with_what_is_read_from_it(spark: Any, table: Table, data: Path, mode: str) -> None:
    write_files(rows(spark, (1, "a"), (2, "b")), table, partition_by="dt")
    again = read_table(spark, table).where("id < 2")
    options = {"partitionOverwriteMode": mode}
    if mode == "static":
        with pytest.raises(SparkError, match=r"reads \d of its files") as caught:
            write_files(again, table, mode="overwrite", partition_by="dt", options=options)
        assert caught.value.code == "spark.overwrites-itself"
    else:  # partitions are replaced when all is written
        write_files(again, table, mode="overwrite", partition_by="dt", options=options)
    assert read(spark, data) == [(1, "a"), (2, "b")]
    write_files(rows(spark, (3, "c")), table, mode="overwrite", partition_by="dt")
    assert read(spark, data) == [(3, "c")]


@pytest.mark.parametrize("kind", ["BYTES", "ROW<a INT>"])
def test_what_no_folder_can_be_named_for_is_refused_before_it_is_written(classic_spark: Any, tmp_path: Path, kind: str) -> None:
    store = SchemaStore(tmp_path / "schemas", registry=tmp_path / "registry")
    store.adopt("shop.orders", str(tmp_path / "data"), f"id BIGINT, p {kind}", format="parquet")
    frame = classic_spark.sql(
        f"SELECT 1L AS id, cast(null as {kind.replace('BYTES', 'BINARY').replace('ROW', 'STRUCT').replace(' INT', ': INT')}) AS p"
    )
    with pytest.raises(SparkError, match=r"^partition_by: no folder can be named for p"):
        write_files(frame, store.table("shop.orders"), partition_by="p")
    assert not (tmp_path / "data").exists()


def test_files_of_ours_have_no_business_in_some_places(classic_spark: Any, table: Table, ours: SchemaStore, tmp_path: Path) -> None:
    frame, paimons = rows(classic_spark, (1, "a")), ours.table("shop.orders")
    paimons.evolve(
        ["DROP COLUMN cust_id", "DROP COLUMN amount", "DROP COLUMN coupon", "RENAME COLUMN order_id TO id", "ADD COLUMN dt STRING"],
        override="a test",
    )
    refused: list[tuple[Table, str | None, dict[str, Any], str]] = [
        (paimons, None, {}, "spark.paimon-files"),
        (paimons, str(tmp_path / "lake/shop.db/orders/bucket-0"), {}, "spark.among-schemas"),
        (paimons, str(tmp_path / "lake"), {"mode": "overwrite"}, "spark.among-schemas"),
        (table, str(tmp_path), {"mode": "overwrite"}, "spark.among-schemas"),
        (table, str(tmp_path / "registry/x"), {}, "spark.among-schemas"),
        (table, None, {"mode": "upsert"}, "spark.mode"),
    ]
    for where, path, more, code in refused:
        with pytest.raises(SparkError) as caught:
            write_files(frame, where, path, **more)
        assert caught.value.code == code
    with pytest.raises(StorageError, match="a URL or an absolute path"):
        write_files(frame, table, "data/orders")


@pytest.mark.parametrize("kind", ["orc", "avro", "iceberg", "delta"])
def test_formats_without_field_ids_are_refused_by_name(classic_spark: Any, tmp_path: Path, kind: str) -> None:
    store = SchemaStore(tmp_path / "lake", registry=tmp_path / "registry")
    store.adopt("shop.other", str(tmp_path / "other"), "id BIGINT, dt STRING", format=kind)
    with pytest.raises(SparkError, match=f"its files are {kind}"):
        write_files(rows(classic_spark, (1, "a")), store.table("shop.other"))


def test_what_is_there_already_is_told_and_what_spark_says_of_the_frame_is_left_alone(classic_spark: Any, table: Table) -> None:
    write_files(rows(classic_spark, (1, "a")), table)
    with pytest.raises(AlreadyThereError, match="is there already"):
        write_files(rows(classic_spark, (1, "a")), table, mode="error")
    broken = classic_spark.sql("SELECT CAST(raise_error('of the job') AS BIGINT) AS id, 'a' AS dt")
    with pytest.raises(Exception, match="of the job") as caught:
        write_files(broken, table)
    assert not isinstance(caught.value, StorageError)


def test_addresses_are_compared_whatever_they_are_called() -> None:
    assert is_inside("s3a://bucket/a/b", "s3://bucket/a/")
    assert is_inside("file:/data/x", "/data")
    assert is_inside("/data", "file:///data/")
    for address, folder in (("s3://bucket/ab", "s3://bucket/a"), ("/data", "/data/x"), ("s3://a/b", "gs://a/b"), ("dt=1", "/data")):
        assert not is_inside(address, folder)
