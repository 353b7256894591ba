"""Many requests to object stores at once, on the loop of their library: a thread for each of them costs more than the request.

Where the library has no such loop that we know, threads ask.
"""

from asyncio import AbstractEventLoop, Semaphore, gather
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple

from airflow_provider_schemas.store.storage import listings
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.storage.object_storage import RemoteFiles

Answer = Callable[[], Any]
"""Returns the answer to a request, or raises what went wrong with it."""


class FarRequest(NamedTuple):
    """A listing of a folder, a walk below it, or a read of a file."""

    files: Files
    kind: str
    """list, walk or read"""
    path: str
    limit: int

    def ask(self) -> Any:
        """Make the request by itself."""
        if self.kind == "read":
            return self.files.read(self.path, self.limit)
        return self.files.list(self.path) if self.kind == "list" else tuple(self.files.walk(self.path))


def answers(requests: Sequence[FarRequest], at_once: int) -> list[Answer]:
    """Make all requests, no more than so many at once; for each what returns its answer."""
    calls = {place: call for place, one in enumerate(requests) if (call := _call_of(one)) is not None}
    outcomes = dict(_on_loops(requests, calls, at_once))
    others = [place for place in range(len(requests)) if place not in calls]
    outcomes |= dict(zip(others, _in_threads([requests[place] for place in others], at_once), strict=True))
    return [outcomes[place] for place in range(len(requests))]


def _call_of(request: FarRequest) -> Callable[[], Awaitable[Any]] | None:
    """What asks on the loop of the library; None where threads have to."""
    files = request.files
    if not isinstance(files, RemoteFiles):
        return None
    try:
        fs, path = files.fs, files.at(request.path)
    except Exception:  # noqa: BLE001  # whoever asks in a thread meets the same, and says it in our words
        return None
    door = listings.door_below(fs) if request.kind == "walk" else listings.door_inside(fs)
    if door is None:
        return None
    return partial(fs._cat_file, path, start=0, end=request.limit + 1) if request.kind == "read" else partial(door, fs, path)


def _on_loops(requests: Sequence[FarRequest], calls: dict[int, Callable[[], Awaitable[Any]]], at_once: int) -> Iterator[tuple[int, Answer]]:
    loops: dict[AbstractEventLoop, list[int]] = defaultdict(list)
    for place in calls:
        files = requests[place].files
        if isinstance(files, RemoteFiles):
            loops[files.fs.loop].append(place)
    for loop, places in loops.items():
        from fsspec.asyn import sync

        found = sync(loop, _all, [calls[place] for place in places], at_once)
        yield from ((place, partial(_answer, requests[place], outcome)) for place, outcome in zip(places, found, strict=True))


async def _all(calls: Sequence[Callable[[], Awaitable[Any]]], at_once: int) -> list[Any]:
    """What each call returned or raised."""
    free = Semaphore(at_once)

    async def asked(call: Callable[[], Awaitable[Any]]) -> Any:
        async with free:
            return await call()

    return await gather(*map(asked, calls), return_exceptions=True)


def _answer(request: FarRequest, outcome: Any) -> Any:
    """The answer as the files give it, with what they make of an outcome that is an error."""

    def said(_: Any, __: str) -> Any:
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    files = request.files
    if not isinstance(files, RemoteFiles):
        raise TypeError(f"{type(files).__name__} have no loop")
    if request.kind == "read":
        return files.read_by(request.path, request.limit, said)
    return files.list_by(request.path, said) if request.kind == "list" else tuple(files.walk_by(request.path, said))


def _in_threads(requests: Sequence[FarRequest], at_once: int) -> list[Answer]:
    if len(requests) < 2:
        return [one.ask for one in requests]
    with ThreadPoolExecutor(min(at_once, len(requests)), "schemas-ask") as pool:
        return [one.result for one in [pool.submit(one.ask) for one in requests]]
