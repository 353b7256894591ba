"""Footers of many files are read by executors; what they cannot read is told by the driver, as that of few files is."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import ProjectionError, StorageError
from airflow_provider_schemas.spark import read_table
from airflow_provider_schemas.spark.files import executor_footers, footers
from airflow_provider_schemas.spark.files.executor_footers import MANY
from airflow_provider_schemas.store import SchemaStore

NAME = "shop.orders"


@pytest.fixture
def store(tmp_path: Path) -> SchemaStore:
    """A table with many files of two versions."""
    import pyarrow
    from pyarrow import parquet

    made = SchemaStore(tmp_path / "registry", layout="registry")
    data = tmp_path / "data"
    made.adopt(NAME, str(data), "id BIGINT, note STRING")
    made.table(NAME).evolve("ADD COLUMN more STRING")
    data.mkdir()
    old, new = {"id": [1], "note": ["a"]}, {"id": [2], "note": ["b"], "more": ["c"]}
    for number in range(MANY + 10):
        path = data / f"{number}.parquet"
        if number < 2:
            parquet.write_table(pyarrow.table(new if number else old), path)
        else:
            shutil.copy(data / f"{number % 2}.parquet", path)
    return made


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files whose footers the driver reads."""
    found: list[str] = []
    ask = footers._read_and_remember

    def seen(read: Any, file: Any) -> Any:
        found.append(Path(file.path).name)
        return ask(read, file)

    monkeypatch.setattr(footers, "_read_and_remember", seen)
    return found


def test_many_footers_are_read_by_executors_and_once(classic_spark: Any, store: SchemaStore, asked: list[str], monkeypatch: Any) -> None:
    rows = read_table(classic_spark, store.table(NAME)).groupBy("id", "more").count().collect()
    assert sorted(map(tuple, rows)) == [(1, None, MANY / 2 + 5), (2, "c", MANY / 2 + 5)]
    monkeypatch.setattr(executor_footers, "_read_partition", None)
    assert read_table(classic_spark, store.table(NAME)).count() == MANY + 10
    assert asked == []


def test_what_executors_cannot_read_is_told_by_the_driver(classic_spark: Any, store: SchemaStore, asked: list[str], tmp_path: Path) -> None:
    (tmp_path / "data" / "7.parquet").write_bytes(b"PAR1 no more than this")
    with pytest.raises(StorageError) as caught:
        read_table(classic_spark, store.table(NAME))
    assert caught.value.faults[0].path.endswith("/7.parquet")
    assert asked == ["7.parquet"]


def test_what_no_version_explains_is_told_likewise(classic_spark: Any, store: SchemaStore, asked: list[str], tmp_path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    parquet.write_table(pyarrow.table({"strange": [1]}), tmp_path / "data" / "7.parquet")
    with pytest.raises(ProjectionError, match="more columns"):
        read_table(classic_spark, store.table(NAME))
    assert asked == []


def test_executors_that_cannot_do_it_leave_it_to_the_driver(
    classic_spark: Any, store: SchemaStore, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def nowhere(*_: Any, **__: Any) -> Any:
        raise ModuleNotFoundError("No module named 'airflow_provider_schemas'")

    monkeypatch.setattr(executor_footers, "_read_partition", nowhere)
    assert read_table(classic_spark, store.table(NAME)).count() == MANY + 10
    assert len(asked) == MANY + 10


def test_a_store_that_may_not_look_at_data_leaves_it_to_the_driver(classic_spark: Any, store: SchemaStore, asked: list[str]) -> None:
    closed = SchemaStore(store.url, layout="registry", look=False)
    assert read_table(classic_spark, closed.table(NAME)).count() == MANY + 10
    assert len(asked) == MANY + 10
