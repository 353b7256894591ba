"""The processor time of a process and of all processes below it: the driver of Spark, its JVM and its Python workers.

A machine that is busy with other work makes everything take longer on the clock, and little of it here. What is measured is done in turns,
and the least time of the rounds counts. A round in which a process ended does not count: Spark asks nobody what its workers have used that
it ends after a minute without work, so that their time would be taken off.
"""

import math
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

_TICKS = os.sysconf("SC_CLK_TCK")
_ATTEMPTS = 4


class _Process(NamedTuple):
    parent: int
    seconds: float
    """Its own, and those of its children that have ended."""


def _spent() -> Mapping[int, float]:
    """How many seconds this process has used so far, and each below it."""
    there = _processes()
    below = [os.getpid()]
    for parent in below:
        below += [process for process, about in there.items() if about.parent == parent]
    return {process: there[process].seconds for process in below if process in there}


def _processes() -> Mapping[int, _Process]:
    found: dict[int, _Process] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                words = (folder / "stat").read_text().rpartition(") ")[2].split()
            except OSError:
                continue
            found[int(folder.name)] = _Process(int(words[1]), sum(map(int, words[11:15])) / _TICKS)
    return found


def least(ways: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Each way once to warm up, then all of them in turns: the least time of each."""
    for way in ways.values():
        way()
    found = dict.fromkeys(ways, math.inf)
    for number in range(rounds):
        for name, way in list(ways.items())[:: 1 if number % 2 else -1]:
            found[name] = min(found[name], _of_one_round(way))
    return found


def _of_one_round(way: Callable[[], object]) -> float:
    """The time of one round in which no process ended; infinite if there is none."""
    for _ in range(_ATTEMPTS):
        before = _spent()
        way()
        after = _spent()
        if before.keys() <= after.keys():
            return sum(after.values()) - sum(before.values())
    return math.inf


def goal(name: str, ours: float, beside: float, limit: float) -> str:
    """One goal with ours, what it is measured by, and whether it was kept."""
    if not (beside and math.isfinite(ours) and math.isfinite(beside)):
        return f"  {name}: not measured (at most {limit:g}: NOT KEPT)"
    ratio = ours / beside
    said = "kept" if ratio <= limit else "NOT KEPT"
    return f"  {name}: ours {ours:.3f} s, beside {beside:.3f} s: {ratio:.2f} of at most {limit:g} ({said})"
