"""Threads of our own: bounded, in time, and never waited for by anybody else."""

import asyncio
import threading
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from airflow_provider_schemas.plugins.application.workers import MAX_WAITING_OF_ONE, BusyError, Workers

SHORT = 1.0
"""A limit that a test can wait for."""


class Hanging:
    """A function that returns when it is told to."""

    def __init__(self) -> None:
        self.release = threading.Event()
        self.begun = 0
        self.most = 0
        self._now = 0
        self._lock = threading.Lock()

    def __call__(self) -> str:
        with self._lock:
            self.begun += 1
            self._now += 1
            self.most = max(self.most, self._now)
        self.release.wait(30)
        with self._lock:
            self._now -= 1
        return "late"


@pytest.fixture
def hanging() -> Iterator[Hanging]:
    made = Hanging()
    yield made
    made.release.set()


async def outcomes(calls: Any) -> list[str]:
    """What became of calls that run at once: a value, or the name of an error."""
    results = await asyncio.gather(*calls, return_exceptions=True)
    return [type(result).__name__ if isinstance(result, BaseException) else result for result in results]


async def idle(workers: Workers) -> None:
    """Wait until no thread runs."""
    while workers.running:
        await asyncio.sleep(0.01)


def missing() -> str:
    raise KeyError("missing")


def test_a_value_and_an_error_come_back() -> None:
    async def story() -> list[Any]:
        workers = Workers("test")
        return await outcomes([workers.run(lambda: "value"), workers.run(missing)])

    assert asyncio.run(story()) == ["value", "KeyError"]


def test_what_hangs_ends_for_whoever_waits(hanging: Hanging) -> None:
    async def story() -> list[str]:
        return await outcomes([Workers("test", limit=SHORT).run(hanging)])

    assert asyncio.run(story()) == ["TimeoutError"]


def test_however_many_ask_there_are_no_more_threads_than_allowed(hanging: Hanging) -> None:
    async def story() -> list[str]:
        workers = Workers("test", threads=4, limit=SHORT)
        first = await outcomes(workers.run(hanging) for _ in range(60))
        second = await outcomes(workers.run(hanging) for _ in range(60))
        assert workers.running == 4
        return first + second

    ended = asyncio.run(story())
    assert set(ended) == {"TimeoutError", "BusyError"}
    assert (hanging.begun, hanging.most) == (4, 4)


def test_whoever_comes_when_all_hang_is_refused_at_once(hanging: Hanging) -> None:
    async def story() -> None:
        workers = Workers("test", threads=2, limit=SHORT)
        await outcomes(workers.run(hanging) for _ in range(2))
        with pytest.raises(BusyError):
            # A limit of its own that is far shorter than that of the workers: nobody has waited.
            await asyncio.wait_for(workers.run(hanging), SHORT / 4)

    asyncio.run(story())


def test_one_group_leaves_threads_to_the_others(hanging: Hanging) -> None:
    async def story() -> list[str]:
        workers = Workers("test", threads=4, of_one=2, limit=SHORT)
        ended = asyncio.gather(*(workers.run(hanging, "hangs") for _ in range(20)), return_exceptions=True)
        await asyncio.sleep(0)
        answered = await outcomes(workers.run(lambda: "answered", "other") for _ in range(20))
        await ended
        assert workers.hangs("hangs")
        assert not workers.hangs("other")
        return answered

    assert set(asyncio.run(story())) == {"answered"}
    assert hanging.begun == 2


def test_more_than_there_are_threads_wait_for_their_turn() -> None:
    async def story() -> list[str]:
        workers = Workers("test", threads=2)
        return await outcomes(workers.run(partial(str, number)) for number in range(MAX_WAITING_OF_ONE))

    assert asyncio.run(story()) == [str(number) for number in range(MAX_WAITING_OF_ONE)]


def test_what_nobody_waits_for_any_more_does_not_begin(hanging: Hanging) -> None:
    async def story() -> None:
        workers = Workers("test", threads=1, limit=SHORT)
        waiting = [asyncio.ensure_future(workers.run(hanging)) for _ in range(5)]
        await asyncio.sleep(0)
        for task in waiting[1:]:
            task.cancel()
        await outcomes(waiting)
        hanging.release.set()
        await idle(workers)

    asyncio.run(story())
    assert hanging.begun == 1


def test_they_work_again_when_what_hung_has_ended(hanging: Hanging) -> None:
    async def story() -> list[str]:
        workers = Workers("test", threads=2, limit=SHORT)
        await outcomes(workers.run(hanging) for _ in range(2))
        hanging.release.set()
        await idle(workers)
        return await outcomes([workers.run(lambda: "again")])

    assert asyncio.run(story()) == ["again"]


def test_a_thread_that_hangs_does_not_keep_the_process(hanging: Hanging) -> None:
    async def story() -> list[bool]:
        workers = Workers("kept", threads=1, limit=SHORT)
        await outcomes([workers.run(hanging)])
        return [thread.daemon for thread in threading.enumerate() if thread.name.startswith("schemas-kept-")]

    assert asyncio.run(story()) == [True]


def test_a_loop_that_has_ended_takes_no_thread_along(hanging: Hanging) -> None:
    workers = Workers("test", threads=1, limit=SHORT)

    async def ask(function: Any) -> list[str]:
        return await outcomes([workers.run(function)])

    asyncio.run(ask(hanging))
    hanging.release.set()
    asyncio.run(idle(workers))
    assert asyncio.run(ask(lambda: "another loop")) == ["another loop"]
