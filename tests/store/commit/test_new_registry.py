"""A registry that was named and is empty: new, or on a disk that is not mounted. A table is not called missing there."""

from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import StorageError
from airflow_provider_schemas.store import SchemaStore, judge

NAME = "shop.orders"


def named(folder: Path, **about: Any) -> SchemaStore:
    """A store whose registry lies apart."""
    for name in ("lake", "registry"):
        (folder / name).mkdir(exist_ok=True)
    return SchemaStore(folder / "lake", registry=folder / "registry", **about)


def alone(folder: Path) -> SchemaStore:
    """A store that has a registry alone."""
    (folder / "lake").mkdir(exist_ok=True)
    return SchemaStore(folder / "lake", layout="registry")


@pytest.mark.parametrize("make", [named, alone])
@pytest.mark.parametrize("on_missing", ["fail", "warn", "ok"])
def test_a_table_is_not_missing_where_nothing_is(tmp_path: Path, make: Any, on_missing: str) -> None:
    with pytest.raises(StorageError, match="is empty") as error:
        judge(make(tmp_path), [NAME], on_missing=on_missing)
    assert error.value.code == "storage.no-root"
    assert "registry_id" in error.value.fix


@pytest.mark.parametrize("make", [named, alone])
def test_the_first_table_says_that_the_registry_is_new_and_how_it_is_called(tmp_path: Path, make: Any) -> None:
    store = make(tmp_path)
    first = store.adopt(NAME, str(tmp_path / "data"), "x BIGINT")
    (note,) = [one for one in first.notes if one.startswith("new registry at")]
    assert f"registry_id={store.registry_id}" in note
    again = store.adopt("shop.other", str(tmp_path / "data"), "x BIGINT")
    assert not [one for one in again.notes if one.startswith("new registry")]
    assert judge(store, ["shop.none"], on_missing="warn").tables[0].version is None  # which is missing, as others are there


def test_whoever_writes_the_id_into_the_connection_begins_no_second_registry(tmp_path: Path) -> None:
    store = named(tmp_path)
    store.adopt(NAME, str(tmp_path / "data"), "x BIGINT")
    (tmp_path / "registry").rename(tmp_path / "elsewhere")
    with pytest.raises(StorageError):
        named(tmp_path, registry_id=store.registry_id).adopt("shop.other", str(tmp_path / "data"), "x BIGINT")
    with pytest.raises(StorageError):
        judge(named(tmp_path), [NAME], on_missing="ok")


def test_a_registry_beside_tables_may_be_empty(tmp_path: Path) -> None:
    SchemaStore(tmp_path / "lake").create_table(NAME, "x BIGINT")
    for path in (tmp_path / "lake/_schemas").rglob("*"):
        if path.is_file():
            path.unlink()
    store = SchemaStore(tmp_path)
    assert judge(store, ["shop.none"], on_missing="warn").tables[0].version is None
