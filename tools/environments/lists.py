"""Read lists of requirements: what a list includes, what it names, and what the pins say."""

import re
from collections.abc import Iterable
from pathlib import Path


def canonical(name: str) -> str:
    """Return the one spelling of a distribution's name."""
    return re.sub(r"[-_.]+", "-", re.split(r"[<>=!~;\[ ]", name)[0]).lower()


def lines(path: Path) -> list[str]:
    """Return the lines of a list without comments."""
    stripped = (line.partition(" #")[0].strip() for line in path.read_text("utf-8").splitlines())
    return [line for line in stripped if line and not line.startswith("#")]


def included(path: Path) -> set[Path]:
    """Return a list with all lists that it includes."""
    found = {path.resolve()}
    for line in lines(path):
        if line.startswith("-r"):
            found |= included(path.parent / line.removeprefix("-r").strip())
    return found


def widest(paths: Iterable[Path]) -> list[Path]:
    """Return the lists that no other list includes."""
    unique = {path.resolve(): path for path in paths}
    covered = {inner for path in unique for inner in included(path) - {path}}
    return sorted(path for resolved, path in unique.items() if resolved not in covered)


def names(path: Path) -> list[str]:
    """Return the names of the distributions in a list, without those of the lists that it includes."""
    return [canonical(line) for line in lines(path) if not line.startswith("-")]
