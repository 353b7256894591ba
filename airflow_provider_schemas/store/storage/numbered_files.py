"""Numbered files of a folder: versions of a schema, of a contract, waivers. The next number is created exclusively.

Nothing points to the newest file: it has the highest number in a listing. A number that is taken stays taken.
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
        self.files = files
        self.folder = joined(folder)
        self.prefix = prefix
        self.alone = alone

    def path(self, number: int) -> str:
        """Return the path of the file of a number."""
        return f"{self.folder}/{self.prefix}{number}"

    def where(self, number: int) -> str:
        """Return the address of the file of a number, as people know it."""
        return f"{self.files.url}/{self.path(number)}"

    def number(self, name: str) -> int | None:
        """Return the number in the name of a file; None if the name has none, or has it in another spelling than ours."""
        digits = name.removeprefix(self.prefix)
        if digits == name or not (digits.isdecimal() and digits.isascii()) or len(digits) > _MOST_DIGITS:
            return None
        if digits[0] == "0":
            return 0 if digits == "0" else None
        number = int(digits)
        return number if number <= MAX_NUMBER else None

    def entries(self) -> dict[int, ListingEntry]:
        """Return the entries of the files by number, lowest first: one listing."""
        return self.among(self.files.list(self.folder))

    def among(self, listed: Iterable[ListingEntry]) -> dict[int, ListingEntry]:
        """Return the entries of a listing that have a number, likewise."""
        read_number = self.number
        entries = {number: entry for entry in listed if not entry.folder and (number := read_number(entry.name)) is not None}
        return {number: entries[number] for number in sorted(entries)}

    def numbers(self) -> list[int]:
        """Return the numbers of the files, lowest first: one listing."""
        return list(self.entries())

    def newest(self) -> tuple[int, bytes] | None:
        """Return the highest number and the bytes of its file; None if there is no file."""
        for _ in range(_ATTEMPTS):
            numbers = self.numbers()
            if not numbers:
                return None
            try:
                return numbers[-1], self.read(numbers[-1])
            except NotThereError:  # it was deleted between the listing and the reading
                continue
        raise StorageError(f"{self.files.url}/{self.folder} changes faster than it can be read.", fix="Try again.")

    def read(self, number: int) -> bytes:
        """Return the bytes of a file."""
        return self.files.read(self.path(number))

    def read_many(self, numbers: Iterable[int], limit: int = MAX_BYTES) -> Mapping[int, bytes | SchemaError]:
        """Return the bytes of several files, each or the error about it."""
        paths = {number: self.path(number) for number in numbers}
        contents = self.files.read_many(paths.values(), limit)
        return {number: contents[path] for number, path in paths.items()}

    def create(self, number: int, data: bytes, known: int | None = None, *, parent: Parent | None = None) -> str:
        """Write the file of a number that must be free, and return what the storage promises, in words. Raise PathTaken if it is not free.

        Known is the number of a file that is there: the storage is asked once to create it again, and has to refuse.
        Parent is the file that the new file follows: Gone is raised if it is not there any more.
        """
        if number > MAX_NUMBER:
            fix = "Somebody made a version with the highest number that there is. Look at it, and take it away."
            raise StorageError(f"{self.files.url}/{self.folder} has no number left.", code="version.no-number", path=self.folder, fix=fix)
        known_path = None if known is None else self.path(known)
        return exclusive_create.create(self.files, self.path(number), data, known=known_path, alone=self.alone, parent=parent)

    def add(self, data: bytes) -> int:
        """Write the file of the next free number, and return the number."""
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
    """Yield how long to wait after each lost attempt: longer and longer, at random, so that two writers do not meet again and again.

    No attempt follows the last one, so nobody waits after it.
    """
    for attempt in range(attempts - 1):
        longest = min(_LONGEST_PAUSE, 0.002 * 2 ** min(attempt, 10))
        yield random.uniform(0, longest)  # noqa: S311  # not a secret
    yield 0.0


def contended(url: str, folder: str) -> ConflictError:
    """Return the error of a writer who always comes second."""
    message = f"{url}/{folder}: others were first {_ATTEMPTS} times in a row."
    return ConflictError(message, code="commit.contended", path=folder, fix="Nothing was written. Try again when fewer write.")
