"""Which files of a plain folder somebody bound to a version: by patterns of folders or files below its location, or by addresses."""

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Final

from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import ConflictError, Fault
from airflow_provider_schemas.store.registry.bindings import Binding
from airflow_provider_schemas.store.spark.files import address_for_spark

_SPECIAL: Final = re.compile(r"([*?\[])")


class Bound:
    """The bindings of a table, for the files below one folder."""

    def __init__(self, bindings: Iterable[Binding], base: str) -> None:
        self._patterns = [(_steps(one.folder, base), one) for one in sorted(bindings, key=lambda one: one.number, reverse=True)]
        self._base = base
        self._deepest = max((len(pattern) for pattern, _ in self._patterns if pattern is not None), default=0)
        self._numbers = lru_cache(maxsize=10_000)(self._number)

    def number(self, path: str) -> int | None:
        """The version that the newest binding about the file names; None if there is none."""
        if not self._patterns:
            return None
        inside = path.removeprefix(f"{self._base}/")
        folder = inside.rpartition("/")[0]
        told_by_folder = bool(folder) and folder.count("/") + 1 >= self._deepest
        return self._numbers(folder if told_by_folder else inside)

    def _number(self, place: str) -> int | None:
        steps = place.split("/")
        for pattern, one in self._patterns:
            if pattern is not None and len(pattern) <= len(steps) and all(map(fnmatchcase, steps, pattern)):
                return one.version
        return None


def _steps(folder: str, base: str) -> list[str] | None:
    """The pattern step by step below the base; nothing of it, if it is the base or lies around it; None if it lies elsewhere."""
    if "://" not in folder and not folder.startswith("/"):
        return folder.strip("/").split("/")
    address = address_for_spark(folder if "://" in folder else f"file://{folder}")
    if f"{base}/".startswith(f"{address}/"):
        return []
    return address.removeprefix(f"{base}/").split("/") if address.startswith(f"{base}/") else None


def check_bindings(table: str, bindings: Iterable[Binding], versions: Iterable[Version]) -> None:
    """ConflictError if a version that files are bound to is another one by now."""
    digests = {one.number: one.digest for one in versions}
    faults = [
        Fault(
            "read.binding-moved",
            table,
            f"{one.folder} was bound to version {one.version} ({one.digest[:8]}), and that version is another one by now.",
            "Find out who wrote over it, then bind the folder again.",
        )
        for one in bindings
        if digests.get(one.version, one.digest) != one.digest
    ]
    if faults:
        raise ConflictError.of(faults)


def pattern_of(path: str) -> str:
    """The pattern that a path below the location, and nothing else, fits."""
    return _SPECIAL.sub(r"[\1]", path)
