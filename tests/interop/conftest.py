"""The companions of these tests: pypaimon and Spark, each in its own environment, each started once a run."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from airflow_provider_schemas.store import SchemaStore
from tests.support.companion import Companion, Warehouse


@pytest.fixture(scope="session")
def pypaimon() -> Iterator[Companion]:
    companion = Companion(".venv-paimon", "tests.support.paimon.pypaimon_process")
    yield companion
    companion.end()


@pytest.fixture
def paimon(pypaimon: Companion, tmp_path: Path) -> Warehouse:
    """An empty warehouse in pypaimon's eyes."""
    return Warehouse(pypaimon, tmp_path / "lake")


@pytest.fixture
def store(tmp_path: Path) -> SchemaStore:
    """The same warehouse in ours."""
    return SchemaStore(tmp_path / "lake", actor="ours")


@pytest.fixture(scope="session")
def spark() -> Iterator[Companion]:
    """Plain Spark and pyarrow, which know nothing of our library."""
    companion = Companion(".venv-paimon", "tests.interop.support.spark_process", {"SPARK_LOCAL_IP": "127.0.0.1"})
    yield companion
    companion.end()
