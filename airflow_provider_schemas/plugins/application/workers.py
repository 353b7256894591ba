"""A few threads of our own: what hangs in them stops no other part of the API server, and its number does not grow.

Airflow's own routes share one pool of threads with its task execution API. Whatever waits for a storage there stops both.
The threads are daemons: one that hangs does not keep the process from ending.
"""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable
from threading import Lock, Thread
from typing import Any, NamedTuple, TypeVar

from airflow_provider_schemas.plugins.common.time_limit import SECONDS

T = TypeVar("T")
THREADS = 4
THREADS_OF_ONE = 2
"""So many threads may wait for one connection: the others are left to other connections."""
MAX_WAITING = 200
MAX_WAITING_OF_ONE = 40


class BusyError(Exception):
    """All threads have waited for longer than the limit, or too many requests are waiting already."""


class _Job(NamedTuple):
    """A function that a thread runs, and who waits for its result."""

    function: Callable[[], Any]
    group: str
    loop: asyncio.AbstractEventLoop
    result: "asyncio.Future[Any]"


class Workers:
    """At most so many threads at a time, each for one call."""

    def __init__(self, name: str, *, threads: int = THREADS, of_one: int = THREADS, limit: float = SECONDS) -> None:
        self._name = name
        self._threads = threads
        self._of_one = of_one
        self.limit = limit
        self._lock = Lock()
        self._begun: dict[int, tuple[str, float]] = {}
        self._waiting: deque[_Job] = deque()
        self._number = 0

    async def run(self, function: Callable[[], T], group: str = "") -> T:
        """Return what the function returns; TimeoutError past the limit, BusyError at once where it could not begin within it."""
        loop = asyncio.get_running_loop()
        job = _Job(function, group, loop, loop.create_future())
        with self._lock:
            if self._is_stuck(group):
                raise BusyError
            self._waiting.append(job)
            self._begin()
        try:
            result: T = await asyncio.wait_for(job.result, self.limit)
        finally:
            self._forget(job)
        return result

    def hangs(self, group: str) -> bool:
        """Return whether a thread of the group has been running for longer than the limit."""
        with self._lock:
            return any(name == group and self._is_overdue(moment) for name, moment in self._begun.values())

    @property
    def running(self) -> int:
        """Return how many threads there are."""
        return len(self._begun)

    def _is_overdue(self, moment: float) -> bool:
        return time.monotonic() - moment > self.limit

    def _is_stuck(self, group: str) -> bool:
        """Return whether no thread will be free for the group: those that are overdue may never be."""
        overdue = Counter(name for name, moment in self._begun.values() if self._is_overdue(moment))
        if overdue.total() >= self._threads or overdue[group] >= self._of_one:
            return True
        # Whoever waits for one connection takes no place from those who wait for another.
        of_group = sum(job.group == group for job in self._waiting)
        return of_group >= MAX_WAITING_OF_ONE or len(self._waiting) >= MAX_WAITING

    def _begin(self) -> None:
        """Start a thread for each waiting job for which there is room."""
        running = Counter(name for name, _ in self._begun.values())
        for job in list(self._waiting):
            if running.total() >= self._threads:
                return
            if running[job.group] < self._of_one:
                running[job.group] += 1
                self._waiting.remove(job)
                self._start(job)

    def _start(self, job: _Job) -> None:
        self._number += 1
        number = self._number
        self._begun[number] = (job.group, time.monotonic())
        Thread(target=self._work, args=(number, job), name=f"schemas-{self._name}-{number}", daemon=True).start()

    def _work(self, number: int, job: _Job) -> None:
        try:
            value, error = job.function(), None
        except BaseException as raised:  # whoever waits for the result gets it  # noqa: BLE001
            value, error = None, raised
        with self._lock:
            del self._begun[number]
            self._begin()
        _hand_over(job, value, error)

    def _forget(self, job: _Job) -> None:
        with self._lock:
            if job in self._waiting:
                self._waiting.remove(job)


def _hand_over(job: _Job, value: object, error: BaseException | None) -> None:
    try:
        job.loop.call_soon_threadsafe(_settle, job.result, value, error)
    except RuntimeError:
        return  # the loop has ended, and with it whoever waited


def _settle(result: "asyncio.Future[Any]", value: object, error: BaseException | None) -> None:
    if result.done():
        return
    if error is None:
        result.set_result(value)
    else:
        result.set_exception(error)
