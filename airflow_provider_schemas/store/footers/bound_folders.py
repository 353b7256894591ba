"""Which files of a plain folder users bound to a version: by patterns of folders or files below its location, or by addresses."""

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
        newest_first = sorted(bindings, key=lambda binding: binding.number, reverse=True)
        self._patterns = [(_steps_below(binding.folder, base), binding) for binding in newest_first]
        self._base = base
        self._deepest = max((len(pattern) for pattern, _ in self._patterns if pattern is not None), default=0)
        self._cached_number = lru_cache(maxsize=10_000)(self._find_number)

    def number(self, path: str) -> int | None:
        """Return the version that the newest binding about the file names; None if there is none."""
        if not self._patterns:
            return None
        inside = path.removeprefix(f"{self._base}/")
        folder = inside.rpartition("/")[0]
        if folder and folder.count("/") + 1 >= self._deepest:  # then the folder decides, for all files in it
            return self._cached_number(folder)
        return self._cached_number(inside)

    def _find_number(self, place: str) -> int | None:
        steps = place.split("/")
        for pattern, binding in self._patterns:
            if pattern is not None and len(pattern) <= len(steps) and all(map(fnmatchcase, steps, pattern)):
                return binding.version
        return None


def _steps_below(folder: str, base: str) -> list[str] | None:
    """Split a pattern into its steps below the base.

    The list is empty if the pattern is the base or a folder around it. None is returned if the pattern lies elsewhere.
    """
    if "://" not in folder and not folder.startswith("/"):
        return folder.strip("/").split("/")
    address = address_for_spark(folder if "://" in folder else f"file://{folder}")
    if f"{base}/".startswith(f"{address}/"):
        return []
    if not address.startswith(f"{base}/"):
        return None
    return address.removeprefix(f"{base}/").split("/")


def check_bindings(table: str, bindings: Iterable[Binding], versions: Iterable[Version]) -> None:
    """Raise ConflictError if a version that files are bound to is another one by now."""
    digests = {version.number: version.digest for version in versions}
    faults = [
        Fault(
            "read.binding-moved",
            table,
            f"{binding.folder} was bound to version {binding.version} ({binding.digest[:8]}), and that version is another one by now.",
            "Find out who wrote over it, then bind the folder again.",
        )
        for binding in bindings
        if digests.get(binding.version, binding.digest) != binding.digest
    ]
    if faults:
        raise ConflictError.of(faults)


def pattern_of(path: str) -> str:
    """Return the pattern that fits this path below the location, and nothing else."""
    return _SPECIAL.sub(r"[\1]", path)
