"""Each kind of storage under one face, so that one suite asks all of them the same."""

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.layout.paths import REGISTRY_ID
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.storage.object_storage import open_files
from tests.servers.bucket import Bucket
from tests.servers.faulty import Proxy

KINDS = ("local", "memory", "s3", "azure", "gcs")
OBJECT_STORES = ("s3", "azure", "gcs")
MEANS = {"local": "hard link", "memory": "lock within the process", **dict.fromkeys(OBJECT_STORES, "conditional put")}

_NUMBERS = itertools.count(1)
_OPEN: dict[str, Files] = {}


class Backend(NamedTuple):
    """A root in a storage, empty at first."""

    kind: str
    url: str
    options: dict[str, Any]
    nowhere: str = ""
    """An address in a bucket that nobody made."""

    def files(self) -> Files:
        """Its files, opened once: it takes a client of S3 a quarter of a second to be made."""
        if self.url not in _OPEN:
            _OPEN[self.url] = self.anew()
        return _OPEN[self.url]

    def anew(self) -> Files:
        """Its files, as somebody else opens them."""
        return open_files(self.url, storage_options=self.options)

    def store(self, **said: Any) -> SchemaStore:
        """A store there, opened anew."""
        return SchemaStore(self.url, storage_options=self.options, **{"actor": "ana", **said})

    def paths(self) -> list[str]:
        """Every file that is there, but the id of a registry."""
        return sorted(path for path, one in self.files().walk("") if one.name != REGISTRY_ID)


def of_bucket(bucket: Bucket) -> Backend:
    """A root in a bucket."""
    return Backend(bucket.storage.kind, bucket.url("lake"), bucket.storage_options, bucket.named("nobody-made-this").url("lake"))


def of_kind(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Backend:
    """A new and empty root of a kind."""
    if kind == "local":
        (tmp_path / "lake").mkdir(exist_ok=True)
        return Backend(kind, str(tmp_path / "lake"), {})
    if kind == "memory":
        return Backend(kind, f"memory://contract-{next(_NUMBERS)}/lake", {})
    bucket: Bucket = request.getfixturevalue(f"{kind}_bucket")
    return of_bucket(bucket)


class Watched(NamedTuple):
    """A root in an object store, and everything that its server is asked."""

    backend: Backend
    proxy: Proxy

    def asked(self, call: Callable[[], Any]) -> list[str]:
        """What the server is asked on account of a call: methods and paths."""
        before = len(self.proxy.seen)
        call()
        return [f"{method} {path}" for method, path in self.proxy.seen[before:]]
