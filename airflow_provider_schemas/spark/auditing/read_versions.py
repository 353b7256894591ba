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


def newest(versions: Versions, numbers: Sequence[int]) -> Newest:
    """The newest version that can be read, and those after it that cannot."""
    broken: list[Broken] = []
    there = Listing(versions)
    for number in reversed(numbers):
        if there.known and number not in there.numbers:
            continue
        for _, data in in_batches(versions, [number]):
            one = whole(versions, number, data, there)
            if isinstance(one, Version):
                return Newest(one, b"" if isinstance(data, SchemaError) else data, broken)
            broken += [] if one is None else [one]
    return Newest(None, b"", broken)


def read(versions: Versions, numbers: Sequence[int]) -> Iterator[Version | Broken]:
    """These versions in their order; what has gone since it was listed is left out."""
    there = Listing(versions)
    for number, data in in_batches(versions, numbers):
        found = whole(versions, number, data, there)
        if found is not None:
            yield found


# ---------------------------------------------------------------- files


class Listing:
    """What is there by now, where a file that was listed is not there any more: asked once, however many have gone."""

    def __init__(self, versions: Versions) -> None:
        self._versions, self.known = versions, False

    @cached_property
    def numbers(self) -> frozenset[int]:
        self.known = True
        return frozenset(self._versions.entries())


def in_batches(versions: Versions, numbers: Sequence[int]) -> Iterator[tuple[int, bytes | SchemaError]]:
    """The bytes of these versions, or why they cannot be had."""
    for start in range(0, len(numbers), _AT_ONCE):
        some = numbers[start : start + _AT_ONCE]
        if versions.mini:  # what a file does not say stands beside it: the store knows where
            yield from ((number, b"") for number in some)
        else:
            yield from versions.numbered.read_many(some, _LIMIT).items()


def whole(versions: Versions, number: int, data: bytes | SchemaError, there: Listing) -> Version | Broken | None:
    """The version as a store reads it; None if it has gone."""
    try:
        return versions.read(number) if versions.mini else _decoded(versions, number, data)
    except NotThereError as error:
        return Broken(number, versions.where(number), error) if number in there.numbers else None
    except SchemaError as error:
        return Broken(number, versions.where(number), error)


def _decoded(versions: Versions, number: int, data: bytes | SchemaError) -> Version:
    if isinstance(data, SchemaError):
        raise data
    try:
        return codec.decode(data, number, versions.branch)
    except SchemaError as error:
        raise codec.locate(error, versions.where(number)) from None
