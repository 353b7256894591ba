"""Make many requests to object stores at once, on the loop of their library: a thread for each request costs more than the request.

Where no such loop of the library is known, threads ask.
"""

from asyncio import AbstractEventLoop, Semaphore, gather
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple

from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.storage.remote import listings
from airflow_provider_schemas.store.storage.remote_files import RemoteFiles

Answer = Callable[[], Any]
"""Returns the answer to a request, or raises what went wrong with it."""

Call = Callable[[], Awaitable[Any]]
"""Makes a request on the loop of a library."""


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
        if self.kind == "list":
            return self.files.list(self.path)
        return tuple(self.files.walk(self.path))


def answers(requests: Sequence[FarRequest], at_once: int) -> list[Answer]:
    """Make all requests, no more than so many at once, and return for each what gives its answer."""
    calls = {place: call for place, request in enumerate(requests) if (call := _make_call(request)) is not None}
    outcomes = dict(_on_loops(requests, calls, at_once))
    others = [place for place in range(len(requests)) if place not in calls]
    outcomes |= dict(zip(others, _in_threads([requests[place] for place in others], at_once), strict=True))
    return [outcomes[place] for place in range(len(requests))]


def _make_call(request: FarRequest) -> Call | None:
    """Return what makes a request on the loop of the library; None where a thread has to make it."""
    files = request.files
    if not isinstance(files, RemoteFiles):
        return None
    try:
        fs = files.fs
        path = files.at(request.path)
    except Exception:  # noqa: BLE001  # a thread that asks meets the same, and tells it in our words
        return None
    listing = listings.async_below(fs) if request.kind == "walk" else listings.async_inside(fs)
    if listing is None:
        return None
    if request.kind == "read":
        return partial(fs._cat_file, path, start=0, end=request.limit + 1)
    return partial(listing, fs, path)


def _on_loops(requests: Sequence[FarRequest], calls: dict[int, Call], at_once: int) -> Iterator[tuple[int, Answer]]:
    loops: dict[AbstractEventLoop, list[int]] = defaultdict(list)
    for place in calls:
        files = requests[place].files
        if isinstance(files, RemoteFiles):
            loops[files.fs.loop].append(place)
    for loop, places in loops.items():
        from fsspec.asyn import sync

        outcomes = sync(loop, _make_all, [calls[place] for place in places], at_once)
        for place, outcome in zip(places, outcomes, strict=True):
            yield place, partial(_shape_answer, requests[place], outcome)


async def _make_all(calls: Sequence[Call], at_once: int) -> list[Any]:
    """Return what each call returned or raised."""
    free = Semaphore(at_once)

    async def make(call: Call) -> Any:
        async with free:
            return await call()

    return await gather(*map(make, calls), return_exceptions=True)


def _shape_answer(request: FarRequest, outcome: Any) -> Any:
    """Return the answer as the files give it, or raise the error that they make of an outcome."""

    def repeat(_: listings.FileSystem, __: str) -> Any:
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    files = request.files
    if not isinstance(files, RemoteFiles):
        raise TypeError(f"{type(files).__name__} have no loop")
    if request.kind == "read":
        return files.read_by(request.path, request.limit, repeat)
    if request.kind == "list":
        return files.list_by(request.path, repeat)
    return tuple(files.walk_by(request.path, repeat))


def _in_threads(requests: Sequence[FarRequest], at_once: int) -> list[Answer]:
    if len(requests) < 2:
        return [request.ask for request in requests]
    with ThreadPoolExecutor(min(at_once, len(requests)), "schemas-ask") as pool:
        futures = [pool.submit(request.ask) for request in requests]
        return [future.result for future in futures]
