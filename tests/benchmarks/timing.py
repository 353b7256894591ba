"""How calls are timed: on one core, without the garbage collector, in rounds that go over all of them.

The clock is that of this process, which stands still while others have the core; nothing measured here
waits for a disk or a network. Rounds are interleaved, so what disturbs the machine disturbs everybody.
The least time says what the work costs, the median what it cost here.
"""

import gc
import os
import statistics
import time
from collections.abc import Mapping
from typing import NamedTuple

from tests.benchmarks.contest import Calls, Case

# A sample this long is far above the resolution of the clock; shorter calls are repeated.
_SAMPLE = 0.002


class Effort(NamedTuple):
    """How long to measure: rounds, and the seconds after which a slow call has been measured enough."""

    rounds: int
    seconds: float


class Timing(NamedTuple):
    """Seconds per call."""

    least: float
    median: float
    samples: int


def pin() -> int | None:
    """Stay on one core where the system allows it; which one."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return core


def measure(calls: Mapping[Case, Calls], effort: Effort) -> dict[Case, Timing]:
    """Time every call."""
    gc.collect()
    gc.freeze()  # the inputs are not garbage, and need not be looked at after every round
    first = {case: _sample(copies, 1) for case, copies in calls.items()}
    repeats = {case: max(1, int(_SAMPLE / (first[case] * len(copies)))) for case, copies in calls.items()}
    samples: dict[Case, list[float]] = {case: [] for case in calls}
    left = {case: effort.seconds - first[case] * len(copies) for case, copies in calls.items()}
    for _ in range(effort.rounds):
        for case, copies in calls.items():
            if left[case] > 0:
                samples[case].append(_sample(copies, repeats[case]))
                left[case] -= samples[case][-1] * repeats[case] * len(copies)
        gc.collect()
    gc.unfreeze()
    return {case: _timing(found or [first[case]]) for case, found in samples.items()}


def _sample(copies: Calls, repeats: int) -> float:
    """The mean seconds of one call."""
    gc.disable()
    start = time.process_time()
    for _ in range(repeats):
        for call in copies:
            call()
    seconds = time.process_time() - start
    gc.enable()
    return seconds / (repeats * len(copies))


def _timing(samples: list[float]) -> Timing:
    return Timing(min(samples), statistics.median(samples), len(samples))
