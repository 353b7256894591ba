"""Which files of tests are asked first: those that name a module by its name, then those of the same room."""

import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath


def nearness(test_file: Path, text: str, modules: Iterable[str]) -> int:
    """Return how near a file of tests is to the nearest of some modules: the greater, the nearer."""
    words = set(re.findall(r"\w+", text))
    return max((_to_module(test_file, words, PurePosixPath(module)) for module in modules), default=0)


def _to_module(test_file: Path, words: set[str], module: PurePosixPath) -> int:
    own_name = module.parent.name if module.stem == "__init__" else module.stem.removeprefix("_")
    same_name = set(own_name.split("_")) <= set(test_file.stem.split("_"))
    rooms = set(module.parts[1:-1]) & set(test_file.parts)
    return 8 * same_name + 4 * (own_name in words) + len(rooms)
