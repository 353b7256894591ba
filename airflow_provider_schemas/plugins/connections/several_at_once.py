"""Call a function for many values, several at once, in threads that keep no process from ending: a storage may hang for ever."""

from collections.abc import Callable, Sequence
from itertools import count
from threading import Thread
from typing import Final, Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")
_THREADS: Final = 8


def each(function: Callable[[T], R], values: Sequence[T], threads: int = _THREADS) -> list[R]:
    """Return what the function returns for each value, in their order; raise the first error, in their order."""
    if len(values) < 2:
        return [function(value) for value in values]
    calls: list[_Call[T, R]] = [_Call(function, value) for value in values]
    places = count()  # its next number is drawn by one thread alone
    workers = [Thread(target=_work, args=(calls, places), name="schemas-page", daemon=True) for _ in range(min(threads, len(calls)))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return [call.result() for call in calls]


class _Call(Generic[T, R]):
    """A call, and what came of it."""

    def __init__(self, function: Callable[[T], R], value: T) -> None:
        self._function = function
        self._value = value
        self._results: list[R] = []
        self._error: BaseException | None = None

    def run(self) -> None:
        """Call the function, and keep what it returns or raises."""
        try:
            self._results.append(self._function(self._value))
        except BaseException as error:  # noqa: BLE001  # whoever asks for the result gets it
            self._error = error

    def result(self) -> R:
        """Return what the function returned, or raise what it raised."""
        if self._error is not None:
            raise self._error
        return self._results[0]


def _work(calls: "Sequence[_Call[T, R]]", places: "count[int]") -> None:
    while (place := next(places)) < len(calls):
        calls[place].run()
