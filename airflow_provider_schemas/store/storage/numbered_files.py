"""Files in a folder that bear a name and a number: versions of a schema, of a contract, waivers. The next one is created exclusively.

Nothing points to the newest: the highest number in a listing is it. A number that is taken stays taken.
"""

import random
import time
from collections.abc import Iterable, Iterator, Mapping

from airflow_provider_schemas.errors import ConflictError, NotThereError, SchemaError, StorageError
from airflow_provider_schemas.store.layout.paths import joined
from airflow_provider_schemas.store.storage import exclusive_create
from airflow_provider_schemas.store.storage.files import MAX_BYTES, Files, ListingEntry, Parent, PathTaken

# A number as it is written: without a sign or leading zeros, and within what Paimon can count.
_MOST_DIGITS = 19
MAX_NUMBER = 2**63 - 1
_ATTEMPTS = 200
_LONGEST_PAUSE = 0.5


class Numbered:
    """The files of one folder whose names are a prefix and a number."""

    def __init__(self, files: Files, folder: str, prefix: str, *, alone: bool = False) -> None:
        self.files, self.folder, self.prefix, self.alone = files, joined(folder), prefix, alone

    def path(self, number: int) -> str:
        """Where the file of this number lies."""
        return f"{self.folder}/{self.prefix}{number}"

    def where(self, number: int) -> str:
        """The same, as people know it."""
        return f"{self.files.url}/{self.path(number)}"

    def number(self, name: str) -> int | None:
        """The number in the name of a file; None if it is no such name."""
        rest = name.removeprefix(self.prefix)
        if rest == name or not (rest.isdecimal() and rest.isascii()) or len(rest) > _MOST_DIGITS:
            return None
        found = int(rest)
        return found if found <= MAX_NUMBER and (found == 0 or rest[0] != "0") and (found or rest == "0") else None

    def entries(self) -> dict[int, ListingEntry]:
        """What is there, by number, lowest first: one listing."""
        return self.among(self.files.list(self.folder))

    def among(self, listed: Iterable[ListingEntry]) -> dict[int, ListingEntry]:
        """The files of a listing that bear a number, likewise."""
        number = self.number
        found = {known: one for one in listed if not one.folder and (known := number(one.name)) is not None}
        return {known: found[known] for known in sorted(found)}

    def numbers(self) -> list[int]:
        """The numbers that are there, lowest first: one listing."""
        return list(self.entries())

    def newest(self) -> tuple[int, bytes] | None:
        """The highest number and the bytes of its file; None if there is none."""
        for _ in range(_ATTEMPTS):
            numbers = self.numbers()
            if not numbers:
                return None
            try:
                return numbers[-1], self.read(numbers[-1])
            except NotThereError:  # it went between the listing and the reading
                continue
        raise StorageError(f"{self.files.url}/{self.folder} changes faster than it can be read.", fix="Try again.")

    def read(self, number: int) -> bytes:
        """The bytes of one file."""
        return self.files.read(self.path(number))

    def read_many(self, numbers: Iterable[int], limit: int = MAX_BYTES) -> Mapping[int, bytes | SchemaError]:
        """The bytes of several files, or what went wrong with one."""
        paths = {number: self.path(number) for number in numbers}
        found = self.files.read_many(paths.values(), limit)
        return {number: found[path] for number, path in paths.items()}

    def create(self, number: int, data: bytes, known: int | None = None, *, parent: Parent | None = None) -> str:
        """Write the file of a number that must be free: Taken if it is not. What was promised, in words.

        Known is the number of a file that is there: the storage is asked for it once, to see whether it refuses.
        Parent is the file that this one follows: Gone if it is not there any more.
        """
        if number > MAX_NUMBER:
            fix = "Somebody made a version with the highest number that there is. Look at it, and take it away."
            raise StorageError(f"{self.files.url}/{self.folder} has no number left.", code="version.no-number", path=self.folder, fix=fix)
        there = None if known is None else self.path(known)
        return exclusive_create.create(self.files, self.path(number), data, known=there, alone=self.alone, parent=parent)

    def add(self, data: bytes) -> int:
        """Write the file of the next number that is free."""
        for pause in pauses():
            newest = max(self.entries(), default=None)
            number = 0 if newest is None else newest + 1
            try:
                self.create(number, data, newest)
            except PathTaken:
                time.sleep(pause)
                continue
            return number
        raise contended(self.files.url, self.folder)


def pauses(attempts: int = _ATTEMPTS) -> Iterator[float]:
    """How long to wait after each attempt that was lost: longer and longer, and never as long as anybody else."""
    for attempt in range(attempts):
        yield random.uniform(0, min(_LONGEST_PAUSE, 0.002 * 2 ** min(attempt, 10)))  # noqa: S311  # nobody's secret


def contended(url: str, folder: str) -> ConflictError:
    """The error of a writer who always comes second."""
    message = f"{url}/{folder}: others were first {_ATTEMPTS} times in a row."
    return ConflictError(message, code="commit.contended", path=folder, fix="Nothing was written. Try again when fewer write.")
