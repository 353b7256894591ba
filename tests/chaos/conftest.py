"""What all tests of chaos need."""

from collections.abc import Iterator

import pytest

from airflow_provider_schemas.store.storage import commit_steps


@pytest.fixture(autouse=True)
def silence() -> Iterator[None]:
    """Let nobody listen to the steps of a commit after a test."""
    yield
    commit_steps.listen(None)
