"""Buckets and objects in memory, as Google Cloud Storage keeps them.

Each write makes another generation of its object, and a condition on that is decided in one step.
"""

import base64
import hashlib
import itertools
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple


class Refused(Exception):  # noqa: N818  # an answer of the server and no fault of it
    """A request that is answered with an error."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status, self.message = status, message


class Stored(NamedTuple):
    """One object."""

    bucket: str
    name: str
    data: bytes
    content_type: str
    generation: int
    moment: str

    def told(self) -> dict[str, Any]:
        """The object as listings have it."""
        digest = base64.b64encode(hashlib.md5(self.data, usedforsecurity=False).digest()).decode()
        return {
            "kind": "storage#object",
            "bucket": self.bucket,
            "name": self.name,
            "size": str(len(self.data)),
            "contentType": self.content_type,
            "generation": str(self.generation),
            "metageneration": "1",
            "etag": f"gen-{self.generation}",
            "md5Hash": digest,
            "timeCreated": self.moment,
            "updated": self.moment,
        }


class Page(NamedTuple):
    """One page of a listing."""

    items: list[Stored]
    prefixes: list[str]
    more: str
    """Where the next one begins; empty at the end."""


class Objects:
    """All buckets of a server."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._buckets: dict[str, dict[str, Stored]] = {}
        self._generations = itertools.count(time.time_ns() // 1000)

    def make_bucket(self, name: str) -> None:
        with self._lock:
            if name in self._buckets:
                raise Refused(409, "Your previous request to create the named bucket succeeded and you already own it.")
            self._buckets[name] = {}

    def bucket(self, name: str) -> dict[str, Stored]:
        if name not in self._buckets:
            raise Refused(404, "The specified bucket does not exist.")
        return self._buckets[name]

    def get(self, bucket: str, name: str) -> Stored:
        found = self.bucket(bucket).get(name)
        if found is None:
            raise Refused(404, f"No such object: {bucket}/{name}")
        return found

    def put(self, bucket: str, name: str, data: bytes, content_type: str, condition: int | None) -> Stored:
        """Write it, if the object is of the generation that the condition names; 0 is none at all."""
        with self._lock:
            objects = self.bucket(bucket)
            _check(objects.get(name), condition)
            moment = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
            made = objects[name] = Stored(bucket, name, data, content_type, next(self._generations), moment)
            return made

    def delete(self, bucket: str, name: str, condition: int | None) -> None:
        with self._lock:
            found = self.get(bucket, name)
            _check(found, condition)
            del self._buckets[bucket][name]

    def page(self, bucket: str, prefix: str, delimiter: str, begin: str, most: int) -> Page:
        with self._lock:
            names = sorted(name for name in self.bucket(bucket) if name.startswith(prefix))
            objects = dict(self.bucket(bucket))
        found = [one for one in _entries(names, prefix, delimiter) if one >= begin]
        shown, rest = found[:most], found[most:]
        # An object whose own name ends in the delimiter is shown as a folder, except from inside.
        folders = {one for one in shown if delimiter and one[len(prefix) :].endswith(delimiter)}
        return Page([objects[one] for one in shown if one not in folders], sorted(folders), rest[0] if rest else "")


def _check(found: Stored | None, condition: int | None) -> None:
    if condition is not None and condition != (found.generation if found else 0):
        raise Refused(412, "At least one of the pre-conditions you specified did not hold.")


def _entries(names: list[str], prefix: str, delimiter: str) -> Iterator[str]:
    """The names, and instead of those that lie deeper the folders they lie in, each once."""
    last = None
    for name in names:
        head, mark, _ = name[len(prefix) :].partition(delimiter) if delimiter else (name, "", "")
        one = f"{prefix}{head}{mark}" if mark else name
        if one != last:
            yield one
        last = one
