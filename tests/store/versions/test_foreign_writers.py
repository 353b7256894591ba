"""Schemas and the data of others lie apart: whether they do is told by their addresses alone."""

import json
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import RefusedNameError
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.storage.object_storage import open_files
from airflow_provider_schemas.store.table_location import TablePlace
from airflow_provider_schemas.store.versions.foreign_writers import check_apart

TOGETHER = [
    ("s3://bucket/lake", "s3://bucket/lake"),
    ("s3://bucket/lake", "s3a://bucket/lake/"),
    ("s3://bucket/lake", "s3://bucket"),
    ("s3://bucket/lake", "s3://bucket/lake/shop.db/orders"),
    ("s3://bucket/lake", "s3://bucket/lake/shop.db/orders/data"),
    ("s3://bucket/lake", "s3://bucket/lake/shop.db//orders"),
    ("gs://bucket/lake", "gcs://bucket/lake/shop.db"),
    ("memory://lake", "memory://lake"),
    ("/srv/lake", "file:///srv/lake/"),
    ("/srv/lake", "/srv/other/../lake/shop.db"),
]
APART = [
    ("s3://bucket/lake", "s3://other/lake"),
    ("s3://bucket/lake", "s3://bucket/lake/shop.db/orders2"),
    ("s3://bucket/lake", "s3://bucket/lake/shop.db/order"),
    ("s3://bucket/lake/_schemas", "s3://bucket/lake/orders"),
    ("s3://bucket/lake", "gs://bucket/lake"),
    ("s3://bucket/lake", "/bucket/lake"),
    ("/srv/lake/_schemas", "/srv/lake/shop.db/orders"),
    ("/srv/lake", "/srv/lakes"),
]


def checked(registry: str, location: str, layout: Layout = Layout.REGISTRY) -> None:
    check_apart(TablePlace(open_files(registry), "shop.db/orders", layout), open_files(location), "shop.orders")


@pytest.mark.parametrize(("registry", "location"), TOGETHER)
def test_a_registry_in_the_folder_of_the_data_or_around_it_is_refused(registry: str, location: str) -> None:
    with pytest.raises(RefusedNameError, match="registry=") as refused:
        checked(registry, location)
    assert refused.value.faults[0].code == "table.registry-in-data"


@pytest.mark.parametrize(("registry", "location"), APART)
def test_a_registry_beside_the_data_is_fine(registry: str, location: str) -> None:
    checked(registry, location)


def test_what_lies_beside_its_data_by_its_nature_is_fine() -> None:
    checked("s3://bucket/lake", "s3://bucket/lake", Layout.PAIMON)


def test_a_link_to_the_folder_of_the_data_is_seen_through(tmp_path: Path) -> None:
    (tmp_path / "lake").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "lake")
    with pytest.raises(RefusedNameError):
        checked(str(tmp_path / "link/_schemas"), str(tmp_path / "lake"))


def location(folder: Path) -> str:
    about: dict[str, Any] = {"location": str(folder), "format": "parquet"}
    return f"SET OPTION schemas.table = '{json.dumps(about)}'"


def test_a_table_does_not_move_to_where_its_schemas_lie(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path / "lake", registry=tmp_path / "registry")
    store.adopt("shop.orders", str(tmp_path / "data"), "id INT")
    table = store.table("shop.orders")
    assert table.evolve(location(tmp_path / "data2")).created
    for folder in ("registry", "registry/shop.db/orders", "registry/shop.db/orders/data"):
        with pytest.raises(RefusedNameError):
            table.evolve(location(tmp_path / folder))
    assert table.numbers() == (0, 1)
    assert table.evolve("ADD COLUMN x INT").created
