"""S3 as it is from afar: what a call asked of it, and what had to wait for what.

with slow_s3() as far:
    bucket = far.bucket()
    with far.watched(latency=0.03, at_once=64) as asked:
        ...
    assert asked.requests <= 10 and asked.waits <= 4
    asked = far.requests_of(call, quiet=QUIET)
"""

import contextlib
import http.client
import json
import os
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from tests.servers.bucket import Bucket, Storage
from tests.servers.process import HOST, free_port, python_server
from tests.servers.s3 import make_bucket, options

# With quiet, requests are answered in rounds: once for so many seconds no other request came. The server also sees threads at work.
QUIET = 0.1


class Call(NamedTuple):
    """One request."""

    method: str
    path: str
    prefix: str
    """What is listed, if it is a listing."""
    came: float
    ended: float
    round: int
    status: int
    bytes: int = 0
    """What was sent and answered, without heads."""

    def __str__(self) -> str:
        return f"LIST {self.prefix}" if self.prefix else f"{self.method} {self.path}"


class Asked:
    """What was asked while it was watched."""

    def __init__(self) -> None:
        self.calls: tuple[Call, ...] = ()
        self.seconds = 0.0
        self.processor = 0.0
        """Seconds of the processor in the process that asked."""

    @property
    def requests(self) -> int:
        return len(self.calls)

    @property
    def bytes(self) -> int:
        """How many bytes went to and fro."""
        return sum(call.bytes for call in self.calls)

    @property
    def waits(self) -> int:
        """How many requests the longest chain has of which each came after the one before it was answered."""
        return max(self.depths(), default=0)

    def depths(self) -> list[int]:
        """For each request, in the order in which they came, how many were waited for one after the other, itself counted."""
        if any(one.round for one in self.calls):
            return [one.round for one in self.calls]
        ends: list[float] = []
        deepest: list[int] = []
        found: list[int] = []
        waiting = sorted(self.calls, key=lambda one: one.ended)
        place = 0
        known: dict[int, int] = {}
        for one in sorted(self.calls, key=lambda call: call.came):
            while place < len(waiting) and waiting[place].ended <= one.came:
                ends.append(waiting[place].ended)
                deepest.append(max(known[id(waiting[place])], deepest[-1] if deepest else 0))
                place += 1
            before = bisect_right(ends, one.came)
            known[id(one)] = 1 + (deepest[before - 1] if before else 0)
            found.append(known[id(one)])
        return found

    def told(self) -> str:
        """Each request with its depth, a line each."""
        calls = sorted(self.calls, key=lambda call: call.came)
        return "\n".join(f"{depth:3} {one} -> {one.status}" for depth, one in zip(self.depths(), calls, strict=True))


class Far(NamedTuple):
    """The server."""

    port: int

    def bucket(self) -> Bucket:
        """A new bucket, without any latency until somebody watches."""
        return Storage("s3", "s3", self.port, options, make_bucket).bucket()

    @contextlib.contextmanager
    def watched(self, **settings: float) -> Iterator[Asked]:
        """Log what is asked while the block runs: with a latency and at once so many, or in rounds with quiet."""
        asked = Asked()
        self._talk("POST", "/-/settings", {**settings, "client": os.getpid()})
        began, worked = time.perf_counter(), time.process_time()
        try:
            yield asked
        finally:
            asked.seconds, asked.processor = time.perf_counter() - began, time.process_time() - worked
            asked.calls = tuple(_call(one) for one in self._talk("GET", "/-/log"))
            self._talk("POST", "/-/settings", {})

    def requests_of(self, call: Callable[[], object], **settings: float) -> Asked:
        """Return what a call asks, with the settings of `watched`."""
        with self.watched(**settings) as asked:
            call()
        return asked

    def _talk(self, method: str, path: str, said: Mapping[str, float] | None = None) -> Any:
        connection = http.client.HTTPConnection(HOST, self.port, timeout=60)
        try:
            connection.request(method, path, None if said is None else json.dumps(said))
            answer = connection.getresponse().read()
            return json.loads(answer) if answer else None
        finally:
            connection.close()


def _call(one: Mapping[str, Any]) -> Call:
    query = one["query"]
    prefix = query.get("prefix", "") or "/" if "list-type" in query else ""
    more = f" {one['path']} {query}" if query and not prefix else ""
    return Call(
        one["method"],
        one["path"] + more,
        prefix,
        one["came"],
        one.get("ended", float("inf")),
        one.get("round", 0),
        one.get("status", 0),
        one["bytes"],
    )


@contextlib.contextmanager
def slow_s3() -> Iterator[Far]:
    """The server while the block runs."""
    port = free_port()
    with python_server("tests.servers.slow_s3_process", str(port), port=port):
        yield Far(port)
