"""A filesystem in memory that counts what it is asked from outside, and not what it asks itself."""

from collections import Counter
from typing import Any, ClassVar

from fsspec.implementations.memory import MemoryFileSystem


class CountingStorage(MemoryFileSystem):  # type: ignore[misc]  # fsspec has no types
    """The class that the filesystems of the tests share; it counts nothing itself."""

    protocol = "memory"
    cachable = False
    asked: ClassVar[Counter[str]]
    depth: ClassVar[int]


def counting_storage(*names: str) -> type[CountingStorage]:
    """Return a filesystem of its own that counts the calls of these names."""

    class Counted(CountingStorage):
        asked: ClassVar[Counter[str]] = Counter()
        depth: ClassVar[int] = 0

    for name in names:
        setattr(Counted, name, _counted(Counted, name))
    return Counted


def _counted(storage: type[CountingStorage], name: str) -> Any:
    inner = getattr(MemoryFileSystem, name)

    def call(self: Any, *given: Any, **more: Any) -> Any:
        if storage.depth == 0:
            storage.asked[name] += 1
        storage.depth += 1
        try:
            return inner(self, *given, **more)
        finally:
            storage.depth -= 1

    return call
