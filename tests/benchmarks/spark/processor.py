"""The processor time of a process and of all processes below it: the driver of Spark, its JVM and its Python workers.

A machine that is busy with other work makes everything take longer on the clock, and little of it here. What is measured is done in turns,
and the least time of the rounds counts.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

_TICKS = os.sysconf("SC_CLK_TCK")


class _Process(NamedTuple):
    parent: int
    seconds: float
    """Its own, and those of its children that have ended."""


def spent() -> float:
    """How many seconds this process has used so far, with all below it."""
    there = _processes()
    below = [os.getpid()]
    for parent in below:
        below += [process for process, about in there.items() if about.parent == parent]
    return sum(there[process].seconds for process in below if process in there)


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
    found = dict.fromkeys(ways, float("inf"))
    for number in range(rounds):
        for name, way in list(ways.items())[:: 1 if number % 2 else -1]:
            start = spent()
            way()
            found[name] = min(found[name], spent() - start)
    return found


def goal(name: str, ours: float, beside: float, limit: float) -> str:
    """One goal with ours, what it is measured by, and whether it was kept."""
    ratio = ours / beside if beside else float("inf")
    said = "kept" if ratio <= limit else "NOT KEPT"
    return f"  {name}: ours {ours:.3f} s, beside {beside:.3f} s: {ratio:.2f} of at most {limit:g} ({said})"
