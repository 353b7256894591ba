"""Storages for tests: a server starts when the first test asks for it and serves the whole run; each test gets a bucket of its own."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.servers.azure import azure
from tests.servers.bucket import Bucket, Storage
from tests.servers.faulty import Proxy, faulty
from tests.servers.gcs import gcs_dishonest, gcs_honest
from tests.servers.haste import hasty
from tests.servers.s3 import s3
from tests.servers.slow_s3 import Far, slow_s3

__all__ = ["hasty"]

Flawed = Callable[[Bucket], tuple[Bucket, Proxy]]


@pytest.fixture(scope="session")
def s3_server() -> Iterator[Storage]:
    with s3() as storage:
        yield storage


@pytest.fixture(scope="session")
def azure_server() -> Iterator[Storage]:
    with azure() as storage:
        yield storage


@pytest.fixture(scope="session")
def gcs_server() -> Iterator[Storage]:
    with gcs_honest() as storage:
        yield storage


@pytest.fixture(scope="session")
def dishonest_gcs_server() -> Iterator[Storage]:
    with gcs_dishonest() as storage:
        yield storage


@pytest.fixture(scope="module")
def far() -> Iterator[Far]:
    """An S3 far away that counts requests: one for each file of tests, so that no thread of another file is counted."""
    with slow_s3() as server:
        yield server


@pytest.fixture
def s3_bucket(s3_server: Storage) -> Bucket:
    return s3_server.bucket()


@pytest.fixture
def azure_bucket(azure_server: Storage) -> Bucket:
    return azure_server.bucket()


@pytest.fixture
def gcs_bucket(gcs_server: Storage) -> Bucket:
    return gcs_server.bucket()


@pytest.fixture
def dishonest_gcs_bucket(dishonest_gcs_server: Storage) -> Bucket:
    return dishonest_gcs_server.bucket()


@pytest.fixture(params=["s3", "azure", "gcs"])
def bucket(request: pytest.FixtureRequest) -> Bucket:
    """The same test on each of the object stores."""
    server: Storage = request.getfixturevalue(f"{request.param}_server")
    return server.bucket()


@pytest.fixture
def flawed() -> Iterator[Flawed]:
    """Gives a bucket through a proxy, and the proxy: `there, proxy = flawed(bucket)`."""
    with ExitStack() as open_ones:

        def through(bucket: Bucket) -> tuple[Bucket, Proxy]:
            proxy = open_ones.enter_context(faulty(bucket.port))
            return bucket.through(proxy.port), proxy

        yield through
