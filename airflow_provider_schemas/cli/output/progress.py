"""How far a command is, on standard error: one line that appears after a second and is gone before the answer.

Only somebody who sits before a terminal sees it. A thread writes it, so that it also moves while a storage is waited for.
"""

import os
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator
from threading import Event, Lock, Thread
from time import monotonic
from types import TracebackType
from typing import Self, TextIO, TypeVar

from airflow_provider_schemas.cli.output.pager import in_ci
from airflow_provider_schemas.render.layout import shortened
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.render.terminal import is_terminal, terminal_columns

_Value = TypeVar("_Value")

_COLUMNS = 80
_FIRST = 1.0
"""So many seconds a command runs before it tells of itself."""
_NEXT = 0.2
_ERASE = "\r\x1b[K"


class ProgressLine:
    """What a command is doing, and how much of it is done. Any thread may say so."""

    def __init__(self, stream: TextIO | None, step: str = "working", first: float = _FIRST) -> None:
        self._stream = stream
        self._first = first
        self._start = monotonic()
        self._step = step
        self._done = 0
        self._total = 0
        self._lock = Lock()
        self._ended = Event()
        self._thread: Thread | None = None

    @classmethod
    def of(cls, args: Namespace) -> Self:
        """Return the progress of a command; nothing is shown where nobody looks, or where somebody types."""
        told = not args.quiet and is_terminal(sys.stderr) and not in_ci() and os.environ.get("TERM") != "dumb"
        return cls(sys.stderr if told and not _reads_typing(args) else None, getattr(args, "command", "working"))

    def begin(self, step: str, total: int = 0) -> None:
        """Tell what is done from now on, and of how many things."""
        with self._lock:
            self._step = step
            self._done = 0
            self._total = total

    def advance(self, number: int = 1) -> None:
        """Tell that so many things more are done."""
        with self._lock:
            self._done += number

    def reach(self, done: int, total: int) -> None:
        """Tell that so many of all things are done."""
        with self._lock:
            self._done = done
            self._total = total

    def each(self, step: str, values: Iterable[_Value], total: int) -> Iterator[_Value]:
        """Yield the values, and tell of each that it is done when the next one is asked for."""
        self.begin(step, total)
        for value in values:
            yield value
            self.advance()

    def line(self) -> str:
        """Return what is shown now: reading tables: 1,200 of 20,000, 3 s."""
        with self._lock:
            step, done, total = self._step, self._done, self._total
        seconds = f"{monotonic() - self._start:.0f} s"
        if total:
            return f"{clean(step)}: {min(done, total):,} of {total:,}, {seconds}"
        return f"{clean(step)}: {seconds}"

    def __enter__(self) -> Self:
        if self._stream is not None:
            self._thread = Thread(target=self._tell, args=(self._stream,), name="schemas-progress", daemon=True)
            self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._ended.set()
        if self._thread is not None:
            self._thread.join()

    def _tell(self, stream: TextIO) -> None:
        """Write the line again and again until the command ends, and take it away then."""
        if self._ended.wait(self._first):
            return
        try:
            while True:
                stream.write(_ERASE + shortened(self.line(), terminal_columns(_COLUMNS) - 1))
                stream.flush()
                if self._ended.wait(_NEXT):
                    break
            stream.write(_ERASE)
            stream.flush()
        except (OSError, ValueError):  # nobody can be told any more
            return


def _reads_typing(args: Namespace) -> bool:
    """Return whether the command reads what somebody types: the line would stand in the middle of it."""
    values = [value if isinstance(value, list) else [value] for value in vars(args).values()]
    return is_terminal(sys.stdin) and any("-" in words for words in values)
