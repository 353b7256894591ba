"""What all tests of chaos need."""

from collections.abc import Iterator

import pytest

from airflow_provider_schemas.store import phases


@pytest.fixture(autouse=True)
def silence() -> Iterator[None]:
    """Let nobody listen to the steps of a commit after a test."""
    yield
    phases.listen(None)
