"""What tests of manifests share."""

import pytest

from airflow_provider_schemas.store.paimon import manifest_cache


@pytest.fixture(autouse=True)
def forgetful() -> None:
    manifest_cache.forget()
