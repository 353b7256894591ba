"""What these tests share: the store behind the connection, and no store that an earlier test has opened."""

from pathlib import Path

import pytest

from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.triggers import store_cache


@pytest.fixture(autouse=True)
def forgetful() -> None:
    store_cache._STORES.clear()


@pytest.fixture
def store(tmp_path: Path) -> SchemaStore:
    """The warehouse of the connection `lake`, opened by somebody else."""
    return SchemaStore(tmp_path / "lake", actor="ana")
