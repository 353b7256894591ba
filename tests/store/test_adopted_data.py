"""A description that is adopted is compared with the newest files."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa  # noqa: TID253  # the files of these tests are made by it
import pytest

from airflow_provider_schemas.errors import IncompatibleSchemaError
from airflow_provider_schemas.store import SchemaStore
from tests.store.support.described_tables import NAME, lake, written

# ---------------------------------------------------------------- adopting


def _adopt(store: SchemaStore, folder: Path, columns: str, **about: Any) -> Any:
    return store.adopt(NAME, str(folder / "data"), columns, **about)


def _create(store: SchemaStore, folder: Path, columns: str, *, format: str = "parquet", **about: Any) -> Any:  # noqa: A002  # as adopt has it
    options = {"schemas.table": json.dumps({"location": str(folder / "data"), "format": format})}
    return store.create_table(NAME, columns, options=options, **about)


@pytest.mark.parametrize("make", [_adopt, _create])
@pytest.mark.parametrize("kind", ["parquet", "orc"])
def test_a_description_that_the_newest_files_contradict_is_refused_with_every_column(
    tmp_path: Path, make: Callable[..., Any], kind: str
) -> None:
    written(tmp_path / f"data/dt=1/part-0.{kind}", kind, order_id=1, cust_id="seven", Name="x")
    store = SchemaStore(lake(tmp_path))
    with pytest.raises(IncompatibleSchemaError) as caught:
        make(store, tmp_path, "order_id BIGINT, cust_id BIGINT, foo BIGINT, name STRING, dt STRING", format=kind)
    assert [one.path for one in caught.value.faults] == ["cust_id", "foo", "name"]
    said = str(caught.value)
    assert "cust_id is described as BIGINT" in said
    assert "has STRING" in said
    assert "foo is described as BIGINT" in said
    assert "unchecked" in said
    assert not store.exists(NAME)
    done = make(store, tmp_path, "order_id BIGINT, foo BIGINT", format=kind, unchecked="INC-7: the files are written anew tonight")
    assert done.created
    assert "INC-7" in str(store.table(NAME).latest().provenance)
    assert not make(store, tmp_path, "order_id BIGINT, foo BIGINT", format=kind).created  # it is there


@pytest.mark.parametrize("make", [_adopt, _create])
def test_a_description_that_fits_says_what_it_leaves_out(tmp_path: Path, make: Callable[..., Any]) -> None:
    written(tmp_path / "data/part-0.parquet", order_id=1, cust_id=7)
    done = make(SchemaStore(lake(tmp_path)), tmp_path, "order_id BIGINT")
    assert done.notes == ("part-0.parquet also has cust_id, which the description leaves out",)


def test_a_folder_that_is_iceberg_or_delta_is_not_adopted_as_plain(tmp_path: Path) -> None:
    (tmp_path / "data/metadata").mkdir(parents=True)
    (tmp_path / "data/metadata/00000-a.metadata.json").write_text("{}")
    store = SchemaStore(lake(tmp_path))
    with pytest.raises(IncompatibleSchemaError, match="kept by Iceberg"):
        _adopt(store, tmp_path, "foo BIGINT")
    assert _adopt(store, tmp_path, "foo BIGINT", format="iceberg").created


def test_what_cannot_be_looked_at_is_adopted_with_a_note(tmp_path: Path) -> None:
    done = _adopt(SchemaStore(lake(tmp_path), look=False), tmp_path, "foo BIGINT")
    assert done.created
    assert "not compared" in done.notes[0]
    assert "there is no folder" in _adopt(SchemaStore(tmp_path / "other"), tmp_path, "foo BIGINT").notes[1]
    (tmp_path / "data").mkdir()
    assert "no data file" in _adopt(SchemaStore(tmp_path / "third"), tmp_path, "foo BIGINT").notes[1]


def _three(folder: Path, *files: dict[str, Any]) -> None:
    """Data files, the oldest first."""
    for age, columns in enumerate(files):
        path = folder / f"data/part-{age}.parquet"
        written(path, **columns)
        os.utime(path, (1_000 + age, 1_000 + age))


@pytest.mark.parametrize("make", [_adopt, _create])
def test_older_files_may_lack_what_came_later_and_have_what_was_widened(tmp_path: Path, make: Callable[..., Any]) -> None:
    _three(tmp_path, {"id": pa.array([1], pa.int32())}, {"id": 1, "r": {"a": 1}}, {"id": 1, "r": {"a": 1, "b": "x"}, "n": "x"})
    store = SchemaStore(lake(tmp_path))
    for wrong, column in (
        ("id INT, n STRING, r ROW<a BIGINT, b STRING>", "id"),  # the newest has BIGINT
        ("id BIGINT, n STRING NOT NULL, r ROW<a BIGINT, b STRING>", "n"),
        ("id BIGINT, n STRING, m STRING, r ROW<a BIGINT, b STRING>", "m"),  # in none of them
    ):
        with pytest.raises(IncompatibleSchemaError) as caught:
            make(store, tmp_path, wrong)
        assert [one.path for one in caught.value.faults] == [column]
    assert make(store, tmp_path, "id BIGINT, n STRING, r ROW<a BIGINT, b STRING>").created


@pytest.mark.parametrize("older", [pa.array(["x"]), pa.array([1], pa.int64())])
def test_older_files_of_a_type_that_was_not_widened_are_refused(tmp_path: Path, older: pa.Array) -> None:
    _three(tmp_path, {"id": older}, {"id": pa.array([1], pa.int32())})
    with pytest.raises(IncompatibleSchemaError, match=r"part-0\.parquet"):
        _adopt(SchemaStore(lake(tmp_path)), tmp_path, "id INT")


def test_a_column_that_the_newest_file_left_out_may_be_in_an_older_one(tmp_path: Path) -> None:
    _three(tmp_path, {"id": 1, "n": "x"}, {"id": 1})
    assert _adopt(SchemaStore(lake(tmp_path)), tmp_path, "id BIGINT, n STRING").created
