"""Show that jobs are alive: one line that is rewritten on a terminal, a line now and then elsewhere."""

import sys
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from tools.suite import outcome
from tools.suite.jobs import Job

_CLEAR = "\r\033[K"
_TERMINAL_SECONDS = 1.0
_ELSEWHERE_SECONDS = 30.0
_WIDTH = 110
# The last percent sign of pytest is near the end of its output.
_TAIL = 20_000


class Progress:
    """Prints lines, and between them what runs just now."""

    def __init__(self) -> None:
        self._began = self._last = time.monotonic()
        self._terminal = sys.stdout.isatty()
        self._every = _TERMINAL_SECONDS if self._terminal else _ELSEWHERE_SECONDS

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._clear()

    def look(self, jobs: Sequence[Job]) -> None:
        """Show the running jobs, if it is time."""
        if not jobs or time.monotonic() - self._last < self._every:
            return
        self._last = time.monotonic()
        line = f"{_clock(self._last - self._began)}  {', '.join(map(_state, jobs))}"
        if self._terminal:
            print(f"{_CLEAR}{line[:_WIDTH]}", end="", flush=True)
        else:
            print(line, flush=True)

    def say(self, text: str) -> None:
        """Print text that stays."""
        self._clear()
        print(text, flush=True)

    def _clear(self) -> None:
        if self._terminal:
            print(_CLEAR, end="", flush=True)


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def _state(job: Job) -> str:
    with job.log.open("rb") as log:
        log.seek(max(0, job.log.stat().st_size - _TAIL))
        done = outcome.percent(log.read())
    return job.name if done is None else f"{job.name} {done}%"
