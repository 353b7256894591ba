"""Measure how fast this machine is just now, so that budgets hold on slow and on busy machines alike.

A unit is the processor time of eight million rounds of one loop: about a second on a server of 2026.
"""

import statistics
import time

_ROUNDS = 200_000
_UNIT = 8_000_000


class Calibration:
    """Samples of the loop, taken now and then during a run."""

    def __init__(self) -> None:
        self._samples: list[float] = []
        self._last = float("-inf")

    def sample(self, *, every: float = 20.0) -> None:
        """Measure once more, unless the last sample is younger than `every` seconds."""
        if time.monotonic() - self._last < every:
            return
        self._samples.append(_seconds_of_loop())
        self._last = time.monotonic()

    @property
    def unit(self) -> float:
        """The processor seconds of a unit: the median of the samples."""
        return statistics.median(self._samples) * _UNIT / _ROUNDS


def _seconds_of_loop() -> float:
    began = time.process_time()
    table: dict[int, str] = {}
    for number in range(_ROUNDS):
        key = number * 7919 % 1009
        table[key] = table.get(key, "")[-3:] + "x"
    return time.process_time() - began
