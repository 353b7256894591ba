"""The storages that the contract suite asks."""

from pathlib import Path

import pytest

from tests.servers.bucket import Bucket
from tests.servers.fixtures import Flawed
from tests.store.support.backends import KINDS, Backend, Watched, of_bucket, of_kind


@pytest.fixture(params=KINDS)
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Backend:
    """The same test on every kind of storage."""
    return of_kind(request.param, tmp_path, request)


@pytest.fixture
def stored(bucket: Bucket) -> Backend:
    """The same test on every object store."""
    return of_bucket(bucket)


@pytest.fixture
def watched(bucket: Bucket, flawed: Flawed) -> Watched:
    """Likewise, and everything that is asked of it can be looked up."""
    behind, proxy = flawed(bucket)
    return Watched(of_bucket(behind), proxy)
