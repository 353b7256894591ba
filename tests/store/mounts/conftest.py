"""Iceberg tables behind each kind of catalog."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from airflow_provider_schemas.store import IcebergMount
from tests.servers.iceberg_rest import IcebergRest, iceberg_rest
from tests.store.mounts.iceberg.support.lakes import NAMESPACE, Lake, sql_catalog


@pytest.fixture
def rest(tmp_path: Path) -> Iterator[IcebergRest]:
    """A REST catalog with one namespace."""
    with iceberg_rest(tmp_path) as server:
        server.behind.create_namespace(NAMESPACE)
        yield server


@pytest.fixture
def sql(tmp_path: Path) -> Lake:
    """Tables in a SQL catalog."""
    catalog = sql_catalog(tmp_path)
    return Lake(catalog, IcebergMount(catalog, NAMESPACE), f"{tmp_path}/warehouse/{NAMESPACE}")


@pytest.fixture
def folder(tmp_path: Path) -> Lake:
    """The same, looked at without the catalog."""
    place = f"{tmp_path}/warehouse/{NAMESPACE}"
    return Lake(sql_catalog(tmp_path), IcebergMount(f"file://{place}"), place)


@pytest.fixture
def rested(rest: IcebergRest, tmp_path: Path) -> Lake:
    """Tables in a REST catalog."""
    return Lake(rest.behind, IcebergMount(rest.client(), NAMESPACE), f"{tmp_path}/warehouse/{NAMESPACE}")


@pytest.fixture(params=["sql", "rested", "folder"])
def lake(request: pytest.FixtureRequest) -> Lake:
    """The same test through each kind of catalog, and without one."""
    made: Lake = request.getfixturevalue(request.param)
    return made
