"""A bucket, or a container, of its own for one test: its address, and the options with which fsspec reaches it."""

import itertools
import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

_NUMBERS = itertools.count(1)


class Storage(NamedTuple):
    """A server that holds buckets."""

    kind: str
    """s3, gcs or azure"""
    protocol: str
    port: int
    options: Callable[[int], dict[str, Any]]
    """What fsspec is given to reach it on a port: that of the server, or of a proxy in front of it."""
    make: Callable[[int, str], None]
    """Makes a bucket."""

    def bucket(self) -> "Bucket":
        """A new and empty bucket."""
        name = new_name()
        self.make(self.port, name)
        return Bucket(self, name, self.port)


class Bucket(NamedTuple):
    """One bucket, seen directly or through a proxy."""

    storage: Storage
    name: str
    port: int

    def url(self, prefix: str = "") -> str:
        """The address for fsspec."""
        return f"{self.storage.protocol}://{self.name}/{prefix}".rstrip("/")

    @property
    def storage_options(self) -> dict[str, Any]:
        """The options for fsspec."""
        return self.storage.options(self.port)

    def through(self, port: int) -> "Bucket":
        """The same bucket, reached through a proxy."""
        return self._replace(port=port)

    def named(self, name: str) -> "Bucket":
        """Another bucket on the same server, whether it is there or not."""
        return self._replace(name=name)

    def filesystem(self, **options: Any) -> Any:
        """A new filesystem of fsspec; it is given the protocol, and paths begin with the bucket."""
        import fsspec

        given: Mapping[str, Any] = self.storage_options | options
        return fsspec.filesystem(self.storage.protocol, skip_instance_cache=True, use_listings_cache=False, **given)


def new_name() -> str:
    """A name of a bucket that no other test has."""
    return f"schemas-{os.getpid()}-{next(_NUMBERS)}"
