"""The versions of one branch of a table, read a few at a time: one that cannot be read does not hide the others."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from airflow_provider_schemas.core.schema.schema_file import MAX_BYTES
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import NotThereError, SchemaError
from airflow_provider_schemas.store.versions import codec
from airflow_provider_schemas.store.versions.version_log import Versions

# As many files as a storage is asked for at once, and as are held in memory.
_AT_ONCE: Final = 32
_LIMIT: Final = MAX_BYTES + 1_000


class Broken(NamedTuple):
    """A version that cannot be read."""

    number: int
    file: str
    error: SchemaError


class Newest(NamedTuple):
    """The newest version that can be read."""

    version: Version | None
    """None if none can be."""
    data: bytes
    """The bytes of its file; none of Mini Paimon's, which has several."""
    broken: list[Broken]
    """Those after it."""


def read_newest(versions: Versions, numbers: Sequence[int]) -> Newest:
    """Return the newest version that can be read, and those after it that cannot."""
    broken: list[Broken] = []
    present = PresentNumbers(versions)
    for number in reversed(numbers):
        if present.listed and number not in present.numbers:
            continue
        for _, data in read_files(versions, [number]):
            version = read_version(versions, number, data, present)
            if isinstance(version, Version):
                return Newest(version, b"" if isinstance(data, SchemaError) else data, broken)
            if version is not None:
                broken.append(version)
    return Newest(None, b"", broken)


def read_in_order(versions: Versions, numbers: Sequence[int]) -> Iterator[Version | Broken]:
    """Read these versions in their order; what has gone since it was listed is left out."""
    present = PresentNumbers(versions)
    for number, data in read_files(versions, numbers):
        version = read_version(versions, number, data, present)
        if version is not None:
            yield version


# ---------------------------------------------------------------- files


class PresentNumbers:
    """The versions that are there by now, where a file that was listed has gone: listed once, however many have gone."""

    def __init__(self, versions: Versions) -> None:
        self._versions = versions
        self.listed = False

    @cached_property
    def numbers(self) -> frozenset[int]:
        self.listed = True
        return frozenset(self._versions.entries())


def read_files(versions: Versions, numbers: Sequence[int]) -> Iterator[tuple[int, bytes | SchemaError]]:
    """Read the bytes of these versions a few at a time, or why they cannot be had."""
    for start in range(0, len(numbers), _AT_ONCE):
        batch = numbers[start : start + _AT_ONCE]
        if versions.mini:  # what a file does not say stands beside it: the store knows where
            yield from ((number, b"") for number in batch)
        else:
            yield from versions.numbered.read_many(batch, _LIMIT).items()


def read_version(versions: Versions, number: int, data: bytes | SchemaError, present: PresentNumbers) -> Version | Broken | None:
    """Return the version as a store reads it; None if it has gone."""
    try:
        return _decode(versions, number, data)
    except NotThereError as error:
        if number not in present.numbers:
            return None
        return Broken(number, versions.where(number), error)
    except SchemaError as error:
        return Broken(number, versions.where(number), error)


def _decode(versions: Versions, number: int, data: bytes | SchemaError) -> Version:
    if versions.mini:
        return versions.read(number)
    if isinstance(data, SchemaError):
        raise data
    try:
        return codec.decode(data, number, versions.branch)
    except SchemaError as error:
        raise codec.locate(error, versions.where(number)) from None
