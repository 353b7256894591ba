"""The versions of one branch of a table, read a few at a time: one that cannot be read does not hide the others.

A version whose successor says that it was made of this very file, digest and all, was read by whoever wrote the successor. It is decoded
without a second look; every other one is read as a store reads it.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

import msgspec

from airflow_provider_schemas.core.schema.schema_file import CURRENT_VERSION, MAX_BYTES
from airflow_provider_schemas.core.schema.strict_schema_file import SchemaFile
from airflow_provider_schemas.core.schema.table_schema import Options, TableSchema
from airflow_provider_schemas.core.schema.version import Version, file_digest
from airflow_provider_schemas.errors import NotThereError, SchemaError
from airflow_provider_schemas.store.versions import codec
from airflow_provider_schemas.store.versions.version_log import Versions

# As many files as a storage is asked for at once, and as are held in memory.
_AT_ONCE: Final = 32
_LIMIT: Final = MAX_BYTES + 1_000
_FILE: Final = msgspec.json.Decoder(SchemaFile)


class Broken(NamedTuple):
    """A version that cannot be read."""

    number: int
    file: str
    error: SchemaError


class Link(NamedTuple):
    """A version, and whether it says that it was made of the one before it, which is as it was then."""

    version: Version
    follows: bool


def newest(versions: Versions, numbers: Sequence[int]) -> tuple[Version | None, list[Broken]]:
    """The newest version that can be read, and those after it that cannot."""
    broken: list[Broken] = []
    there = _Listing(versions)
    for number in reversed(numbers):
        if there.known and number not in there.numbers:
            continue
        for _, data in _files(versions, [number]):
            one = _whole(versions, number, data, there)
            if isinstance(one, Version):
                return one, broken
            broken += [] if one is None else [one]
    return None, broken


def read(versions: Versions, numbers: Sequence[int]) -> Iterator[Version | Broken]:
    """These versions in their order; what has gone since it was listed is left out."""
    there = _Listing(versions)
    for number, data in _files(versions, numbers):
        found = _whole(versions, number, data, there)
        if found is not None:
            yield found


def linked(versions: Versions, numbers: Sequence[int], head: Version) -> Iterator[Link | Broken]:
    """The versions before the newest one, oldest first, and that one."""
    before: _Seen | None = None
    follows, there = False, _Listing(versions)
    for number, data in _files(versions, numbers):
        seen = None if isinstance(data, SchemaError) or versions.mini else _seen(number, data)
        made = before is not None and seen is not None and seen.made_of(before)
        if before is not None:
            yield from before.link(versions, there, follows=follows, trusted=made)
        if seen is None:
            yield from _alone(versions, number, data, there)
        before, follows = seen, made
    if before is not None:
        made = _Seen(head.number, b"", _said_of(head), None, head.schema.highest_field_id, "").made_of(before)
        yield from before.link(versions, there, follows=follows, trusted=made)
        follows = made
    yield Link(head, follows)


# ---------------------------------------------------------------- files


class _Listing:
    """What is there by now, where a file that was listed is not there any more: asked once, however many have gone."""

    def __init__(self, versions: Versions) -> None:
        self._versions, self.known = versions, False

    @cached_property
    def numbers(self) -> frozenset[int]:
        self.known = True
        return frozenset(self._versions.entries())


def _files(versions: Versions, numbers: Sequence[int]) -> Iterator[tuple[int, bytes | SchemaError]]:
    for start in range(0, len(numbers), _AT_ONCE):
        some = numbers[start : start + _AT_ONCE]
        if versions.mini:  # what a file does not say stands beside it: the store knows where
            yield from ((number, b"") for number in some)
        else:
            yield from versions.numbered.read_many(some, _LIMIT).items()


def _whole(versions: Versions, number: int, data: bytes | SchemaError, there: _Listing) -> Version | Broken | None:
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
        return codec.decoded(data, number, versions.branch)
    except SchemaError as error:
        raise codec.located(error, versions.where(number)) from None


def _alone(versions: Versions, number: int, data: bytes | SchemaError, there: _Listing) -> Iterator[Link | Broken]:
    found = _whole(versions, number, data, there)
    if found is not None:
        yield Link(found, follows=False) if isinstance(found, Version) else found


# ---------------------------------------------------------------- what a file says at first sight


class _Said(msgspec.Struct):
    """Of which file a version says that it was made."""

    parent_id: int | None = None
    parent_sha256: str | None = None


_SAID: Final = msgspec.json.Decoder(_Said)
_NOTHING: Final = _Said()


class _Seen(NamedTuple):
    """A file of today's format as it decodes, before anybody has asked whether all of it is sound."""

    number: int
    data: bytes
    said: _Said
    file: SchemaFile | None
    highest: int
    digest: str

    def made_of(self, before: "_Seen") -> bool:
        """Whether it was made of another one, and by nobody who forgot an id."""
        numbers = self.number == before.number + 1 and self.said.parent_id == before.number
        return numbers and self.said.parent_sha256 == before.digest and self.highest >= before.highest

    def link(self, versions: Versions, there: _Listing, *, follows: bool, trusted: bool) -> Iterator[Link | Broken]:
        """The version. One that follows no other is looked at as a whole, for what it says of its origin."""
        if self.file is not None and trusted and (follows or self.said == _NOTHING):
            yield Link(Version(self.number, self.digest, _schema(self.file), versions.branch), follows)
            return
        for one in _alone(versions, self.number, self.data, there):
            yield one._replace(follows=follows) if isinstance(one, Link) else one


def _seen(number: int, data: bytes) -> _Seen | None:
    """What stands in a file, if it is plainly one of this number and of today's format."""
    try:
        file = _FILE.decode(data)
        value = bytes(file.schemas)
        said = _SAID.decode(value) if value else _NOTHING
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None
    if file.id != number or file.version != CURRENT_VERSION:
        return None
    return _Seen(number, data, said, file, file.highestFieldId, file_digest(data))


def _said_of(version: Version) -> _Said:
    try:
        past = version.provenance
    except SchemaError:
        past = None
    return _NOTHING if past is None else _Said(past.parent_id, past.parent_sha256)


def _schema(file: SchemaFile) -> TableSchema:
    return TableSchema(
        fields=file.fields,
        highest_field_id=file.highestFieldId,
        partition_keys=file.partitionKeys,
        primary_keys=file.primaryKeys,
        options=Options(file.options),
        comment=file.comment,
        id=file.id,
        time_millis=0 if file.timeMillis is msgspec.UNSET else file.timeMillis,
    )
