"""Show that a step is alive: one line with the seconds on a terminal, a new line every ten seconds elsewhere."""

import time
from collections.abc import Callable
from typing import TextIO

_EVERY = 10
_ERASE = "\r\x1b[K"


class Progress:
    """The seconds of the step that is being waited for."""

    def __init__(self, out: TextIO, *, terminal: bool, width: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._out = out
        self._terminal = terminal
        self._width = width
        self._clock = clock
        self._activity = ""
        self._began = 0.0
        self._shown = 0

    def begin(self, activity: str) -> None:
        """Start to count the seconds of an activity."""
        self._activity = activity
        self._began = self._clock()
        self._shown = 0
        if self._terminal:
            self._write(0)

    def tick(self) -> None:
        """Show the seconds if it is time for it; to be called at least once a second."""
        seconds = int(self._clock() - self._began)
        step = 1 if self._terminal else _EVERY
        if self._activity and seconds >= self._shown + step:
            self._shown = seconds - seconds % step
            self._write(self._shown)

    def end(self) -> float:
        """Take the line away. Return the seconds that the activity took."""
        if self._activity and self._terminal:
            self._out.write(_ERASE)
            self._out.flush()
        self._activity = ""
        return self._clock() - self._began

    def _write(self, seconds: int) -> None:
        time_text = f"  {seconds} s"
        text = f"  ... {self._activity}"[: self._width - 1 - len(time_text)] + time_text
        self._out.write(f"{_ERASE}{text}" if self._terminal else f"{text}\n")
        self._out.flush()
