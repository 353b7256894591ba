"""The files of a Paimon table as Spark takes them: addresses, and the values of their partitions as Python has them."""

import datetime
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import fsspec
import pytest

from airflow_provider_schemas.core.casts.carriers import Timestamp
from airflow_provider_schemas.errors import StorageError
from airflow_provider_schemas.spark.files.discovery import as_data_files
from airflow_provider_schemas.store import SchemaStore, Table
from airflow_provider_schemas.store.data_files.live_files import Live, LiveFile, live_files
from airflow_provider_schemas.store.spark.files import address_for_spark, root_for_spark
from airflow_provider_schemas.store.storage.local import LocalFiles
from airflow_provider_schemas.store.storage.remote_files import RemoteFiles
from tests.support.companion import Warehouse

FIELDS = [{"id": 0, "name": "k", "type": "BIGINT"}, {"id": 1, "name": "dt", "type": "DATE"}, {"id": 2, "name": "s", "type": "STRING"}]
DAY = datetime.date(2026, 11, 18)


def made(paimon: Warehouse, store: SchemaStore) -> Table:
    paimon.ask("create", "db.t", fields=FIELDS, partition_keys=["dt", "s"])
    paimon.ask("write", "db.t", rows=[{"k": 1, "dt": DAY, "s": "a:b"}])
    return store.table("db.t")


def live(*files: LiveFile) -> Live:
    return Live("db.t", "main", 1, 0, files)


def one(path: str = "db.db/t/x.parquet", *, outside: bool = False, partition: Any = ()) -> LiveFile:
    return LiveFile(path, outside, 10, 1, 0, "parquet", partition)


def test_a_file_has_an_address_and_the_values_of_its_partition(paimon: Warehouse, store: SchemaStore) -> None:
    table = made(paimon, store)
    (found,) = as_data_files(table, live_files(table))
    assert found.path.startswith(f"file://{paimon.folder}/db.db/t/dt=20775/s=a%3Ab/bucket-0/data-")
    assert Path(found.path.removeprefix("file://")).stat().st_size == found.size
    assert (found.version, found.format, found.rows) == (0, "parquet", 1)
    assert found.partition == (("dt", DAY), ("s", "a:b"))


def test_files_and_version_are_of_one_moment(paimon: Warehouse, store: SchemaStore) -> None:
    table = made(paimon, store)
    before = live_files(table)
    paimon.ask("alter", "db.t", changes=[{"action": "addColumn", "fieldNames": ["x"], "dataType": "INT"}])
    paimon.ask("write", "db.t", rows=[{"k": 2, "dt": None, "s": None}])
    assert (before.snapshot, before.version, len(as_data_files(table, before))) == (1, 0, 1)
    assert [(file.version, file.partition) for file in as_data_files(table, live_files(table))][1:] == [(1, (("dt", None), ("s", None)))]
    assert len(as_data_files(table, live_files(table, snapshot=1))) == 1


@pytest.mark.parametrize(
    ("kind", "carrier", "value"),
    [
        ("DATE", 20_775, DAY),
        ("DATE", 3_000_000, 3_000_000),  # in the year 10183, which Python does not have
        ("DECIMAL(10, 2)", Decimal("1.50"), Decimal("1.50")),
        ("TIME", 3_723_000, datetime.time(1, 2, 3)),
        ("TIMESTAMP(3)", Timestamp(0), datetime.datetime(1970, 1, 1)),  # noqa: DTZ001  # a clock time, in no zone
        ("TIMESTAMP(9)", Timestamp(0, 1), Timestamp(0, 1)),
        ("TIMESTAMP(6) WITH LOCAL TIME ZONE", Timestamp(0), datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)),
        ("DOUBLE", -0.0, -0.0),
        ("BYTES", b"\0", b"\0"),
        ("STRING", None, None),
    ],
)
def test_values_are_those_of_python_where_it_has_them(tmp_path: Path, kind: str, carrier: Any, value: Any) -> None:
    store = SchemaStore(tmp_path)
    store.create_table("db.t", f"k INT, p {kind}", partition_keys=["p"])
    (found,) = as_data_files(store.table("db.t"), live(one(partition=(("p", carrier),))))
    assert repr(found.partition) == repr((("p", value),))


def test_zeros_of_either_sign_stay_two_partitions(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)
    store.create_table("db.t", "k INT, p DOUBLE", partition_keys=["p"])
    files = [one(partition=(("p", value),)) for value in (0.0, -0.0)]
    assert [repr(file.partition[0][1]) for file in as_data_files(store.table("db.t"), live(*files))] == ["0.0", "-0.0"]


@pytest.mark.parametrize(
    ("said", "address"),
    [
        ("file:/data/out side/x.parquet", "file:///data/out side/x.parquet"),
        ("file:///data/x%20y.parquet", "file:///data/x%20y.parquet"),
        ("s3://bucket/x.parquet", "s3a://bucket/x.parquet"),
        ("hdfs://host:8020/x.parquet", "hdfs://host:8020/x.parquet"),
        ("oss:/bucket/x.parquet", "oss:///bucket/x.parquet"),
    ],
)
def test_a_file_outside_keeps_its_address(tmp_path: Path, said: str, address: str) -> None:
    store = SchemaStore(tmp_path)
    store.create_table("db.t", "k INT")
    (found,) = as_data_files(store.table("db.t"), live(one(said, outside=True)))
    assert found.path == address


def test_a_root_is_told_as_spark_takes_it(tmp_path: Path) -> None:
    memory = partial(lambda: (fsspec.filesystem("memory"), "/lake"))
    assert root_for_spark(LocalFiles(tmp_path)) == f"file://{tmp_path}"
    assert root_for_spark(RemoteFiles(memory, "s3", "s3://bucket/lake")) == "s3a://bucket/lake"
    assert root_for_spark(RemoteFiles(memory, "gcs", "gcs://bucket/lake")) == "gs://bucket/lake"
    # On a filesystem that was handed in, a path says no scheme.
    assert root_for_spark(RemoteFiles(memory, "s3", "bucket/lake")) == "s3a://bucket/lake"
    with pytest.raises(StorageError, match="absolute path"):
        address_for_spark("lake/here")
