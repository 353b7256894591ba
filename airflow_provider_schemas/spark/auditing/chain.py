"""The versions of one branch of a table as a chain: which of them stand on the one before, by the digests that they name.

A version whose successor says that it was made of this very file, digest and all, was read by whoever wrote the successor. It is read
here without a second look, and of its columns only those are decoded that the version before does not have in the same bytes. Every other
version is read as a store reads it.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from msgspec import UNSET, Struct, UnsetType

from airflow_provider_schemas.core.schema.schema_file import CURRENT_VERSION
from airflow_provider_schemas.core.schema.strict_schema_file import Int, Long
from airflow_provider_schemas.core.schema.table_schema import Options, TableSchema
from airflow_provider_schemas.core.schema.version import Provenance, Version, file_digest
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.spark.auditing.read_versions import Broken, Listing, in_batches, whole
from airflow_provider_schemas.store.versions.version_log import Versions

_BLANKS: Final = b" \t\r\n"
# How many beginnings of the columns are known again: that of the version before, and those that it came from.
_BEGINNINGS: Final = 3

Columns = tuple[Field, ...]


class _Origin(Struct, frozen=True):
    """Of which file a version says that it was made."""

    parent_id: int | None = None
    parent_sha256: str | None = None


class _File(Struct, forbid_unknown_fields=True):
    """A schema file of today's format whose columns have not been decoded yet."""

    id: Int
    fields: msgspec.Raw
    highestFieldId: Int  # noqa: N815  # the file spells it so
    partitionKeys: tuple[str, ...]  # noqa: N815  # likewise
    primaryKeys: tuple[str, ...]  # noqa: N815  # likewise
    options: dict[str, str]
    version: Int | UnsetType = UNSET
    comment: str | None = None
    timeMillis: Long | UnsetType = UNSET  # noqa: N815  # likewise
    schemas: _Origin | UnsetType = UNSET


class _Member(Struct):
    """The one member of a schema file that says where it comes from."""

    schemas: Provenance | UnsetType = UNSET


_FILE: Final = msgspec.json.Decoder(_File)
_COLUMNS: Final = msgspec.json.Decoder(Columns)
_MEMBER: Final = msgspec.json.Decoder(_Member)
_NOTHING: Final = _Origin()


class Link(Struct):
    """A version of the chain."""

    number: int
    columns: Columns
    highest: int
    keys: tuple[tuple[str, ...], tuple[str, ...]]
    """The keys of partitions, and those of rows."""
    read: "Version | _Unread"
    follows: bool
    """Whether it says that it was made of the version before it, which is as it was then."""

    @property
    def version(self) -> Version:
        """The version as a store has it; made of the file for whoever asks."""
        if not isinstance(self.read, Version):
            self.read = self.read.version(self)
        return self.read


class _Unread(Struct, frozen=True):
    """What a version says besides its columns."""

    digest: str
    branch: str
    options: dict[str, str]
    comment: str | None
    time_millis: int

    def version(self, link: Link) -> Version:
        schema = TableSchema(
            fields=link.columns,
            highest_field_id=link.highest,
            partition_keys=link.keys[0],
            primary_keys=link.keys[1],
            options=Options(self.options),
            comment=self.comment,
            id=link.number,
            time_millis=self.time_millis,
        )
        return Version(link.number, self.digest, schema, self.branch)


def linked(versions: Versions, numbers: Sequence[int], head: Version, head_data: bytes) -> Iterator[Link | Broken]:
    """The versions before the newest one, oldest first, and that one, which has these bytes."""
    chain = _Chain(versions)
    before: _Seen | None = None
    follows = False
    for number, data in in_batches(versions, numbers):
        seen = None if isinstance(data, SchemaError) or versions.mini else _seen(number, data)
        made = before is not None and seen is not None and _is_made_of(seen, seen.origin, before)
        if before is not None and (link := chain.link(before, follows=follows, is_named=made)) is not None:
            yield link
        if seen is None and (link := chain.alone(number, data, follows=False)) is not None:
            yield link
        before, follows = seen, made
    made = before is not None and _is_made_of(_Seen(head.number, head.schema.highest_field_id), _origin_of(head_data), before)
    if before is not None and (link := chain.link(before, follows=follows, is_named=made)) is not None:
        yield link
    yield _of_version(head, follows=made)


class _Seen(Struct):
    """A file as it decodes, before anybody has asked whether all of it is sound."""

    number: int
    highest: int
    origin: _Origin = _NOTHING
    file: _File | None = None
    data: bytes = b""
    digest: str = ""


def _seen(number: int, data: bytes) -> _Seen | None:
    """What stands in a file, if it is plainly one of this number and of today's format."""
    try:
        file = _FILE.decode(data)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None
    if file.id != number or file.version != CURRENT_VERSION:
        return None
    origin = file.schemas if isinstance(file.schemas, _Origin) else _NOTHING
    return _Seen(number, file.highestFieldId, origin, file, data, file_digest(data))


def _is_made_of(seen: _Seen, origin: _Origin, before: _Seen) -> bool:
    """Whether a version was made of another one, and by nobody who forgot an id."""
    numbers = seen.number == before.number + 1 and origin.parent_id == before.number
    return numbers and origin.parent_sha256 == before.digest and seen.highest >= before.highest


def _origin_of(data: bytes) -> _Origin:
    """Of which file a version was made; of none, if not all that it says of its origin is sound."""
    try:
        said = _MEMBER.decode(data).schemas
    except (msgspec.DecodeError, ValueError, RecursionError):
        return _NOTHING
    return _Origin(said.parent_id, said.parent_sha256) if isinstance(said, Provenance) else _NOTHING


class _Chain:
    """Makes the links of one chain, one after the other."""

    def __init__(self, versions: Versions) -> None:
        self._versions, self._there = versions, Listing(versions)
        self._columns = _ColumnsInTurn()

    def link(self, seen: _Seen, *, follows: bool, is_named: bool) -> Link | Broken | None:
        """The version of a file that the next one names, or does not. One that follows no other is looked at as a whole, for its origin."""
        if seen.file is not None and is_named and (follows or seen.origin == _NOTHING):
            try:
                columns = self._columns.decoded(bytes(seen.file.fields))
            except (msgspec.DecodeError, ValueError, RecursionError):
                pass  # read as a whole, it says what is wrong
            else:
                return _of_file(seen, seen.file, columns, self._versions.branch, follows=follows)
        return self.alone(seen.number, seen.data, follows=follows)

    def alone(self, number: int, data: bytes | SchemaError, *, follows: bool) -> Link | Broken | None:
        """The version as a store reads it; None if it has gone."""
        found = whole(self._versions, number, data, self._there)
        return _of_version(found, follows=follows) if isinstance(found, Version) else found


class _ColumnsInTurn:
    """Decodes the columns of one version after the other.

    An array that begins with the bytes of another one up to its last column, and goes on with a comma, has the columns of that one, and
    then others: only these are decoded.
    """

    def __init__(self) -> None:
        self._beginnings: list[tuple[bytes, Columns]] = []

    def decoded(self, text: bytes) -> Columns:
        """The columns in the text of an array."""
        for place in reversed(range(len(self._beginnings))):
            beginning, known = self._beginnings[place]
            rest = text[len(beginning) :].lstrip(_BLANKS) if text.startswith(beginning) else b""
            if rest == b"]":
                return known
            if rest.startswith(b","):
                del self._beginnings[place + 1 :]
                return self._kept(text, known + _COLUMNS.decode(b"[" + rest[1:]))
        self._beginnings.clear()
        return self._kept(text, _COLUMNS.decode(text))

    def _kept(self, text: bytes, columns: Columns) -> Columns:
        beginning = text[:-1].rstrip(_BLANKS)
        if beginning.endswith(b"}"):  # of an empty array nothing can begin
            self._beginnings = [*self._beginnings[1 - _BEGINNINGS :], (beginning, columns)]
        return columns


def _of_file(seen: _Seen, file: _File, columns: Columns, branch: str, *, follows: bool) -> Link:
    time_millis = file.timeMillis if isinstance(file.timeMillis, int) else 0
    unread = _Unread(seen.digest, branch, file.options, file.comment, time_millis)
    return Link(seen.number, columns, seen.highest, (file.partitionKeys, file.primaryKeys), unread, follows)


def _of_version(version: Version, *, follows: bool) -> Link:
    schema = version.schema
    return Link(version.number, schema.fields, schema.highest_field_id, (schema.partition_keys, schema.primary_keys), version, follows)
