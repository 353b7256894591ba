"""Measure the processor time of this process and of every process below it, in seconds."""

import os
from collections.abc import Iterator
from pathlib import Path

_PROCESSES = Path("/proc")


class Meter:
    """The processor time of the tree, as a sum that never falls: what a process took along that ended without its parent stays counted."""

    def __init__(self) -> None:
        self._last = tree_seconds()
        self._lost = 0.0

    def read(self) -> float:
        """Return the seconds so far."""
        now = tree_seconds()
        self._lost += max(self._last - now, 0.0)
        self._last = now
        return now + self._lost


def tree_seconds() -> float:
    """Return what this process, its ended children and its living descendants have used. Without /proc, the living ones are unknown."""
    if not _PROCESSES.is_dir():
        return sum(os.times()[:4])
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for number, parent, used in _every_process():
        parents[number] = parent
        ticks[number] = used
    below = _descendants(os.getpid(), parents)
    return sum(ticks[number] for number in below) / os.sysconf("SC_CLK_TCK")


def _every_process() -> Iterator[tuple[int, int, int]]:
    """Yield the number, the parent and the ticks of every process; the ticks of ended children count for their parent."""
    for folder in _PROCESSES.iterdir():
        if not folder.name.isdigit():
            continue
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # the process has just ended
            continue
        yield int(folder.name), int(fields[1]), sum(map(int, fields[11:15]))


def _descendants(root: int, parents: dict[int, int]) -> set[int]:
    children: dict[int, list[int]] = {}
    for number, parent in parents.items():
        children.setdefault(parent, []).append(number)
    found = {root}
    open_ones = [root]
    while open_ones:
        new = [child for child in children.get(open_ones.pop(), ()) if child not in found]
        found.update(new)
        open_ones.extend(new)
    return found
