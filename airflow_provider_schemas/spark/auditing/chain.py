"""The versions of one branch of a table as a chain: which of them stand on the one before, by the digests that they name.

A version whose successor says that it was made of this very file, digest and all, was read by the writer of the successor. It is read
here without a second look, and of its columns only those are decoded that the version before does not have in the same bytes. Every other
version is read as a store reads it.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from msgspec import UNSET, Struct, UnsetType

from airflow_provider_schemas.core.schema.schema_file import CURRENT_VERSION
from airflow_provider_schemas.core.schema.strict_schema_file import Members
from airflow_provider_schemas.core.schema.table_schema import Options, TableSchema
from airflow_provider_schemas.core.schema.version import Provenance, Version, file_digest
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.spark.auditing.read_versions import Broken, PresentNumbers, read_files, read_version
from airflow_provider_schemas.store.versions.version_log import Versions

_BLANKS: Final = b" \t\r\n"
# How many beginnings of the columns are known again: that of the version before, and those that it came from.
_BEGINNINGS: Final = 3

Columns = tuple[Field, ...]


class _Origin(Struct, frozen=True):
    """Of which file a version says that it was made."""

    parent_id: int | None = None
    parent_sha256: str | None = None


class _File(Members, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A schema file of today's format whose columns have not been decoded yet."""

    fields: msgspec.Raw  # type: ignore[assignment]  # the columns as they stand in the file
    schemas: _Origin | UnsetType = UNSET  # type: ignore[assignment]  # decoded here, for all that a chain asks of it


class _Member(Struct):
    """The one member of a schema file that says where it comes from."""

    schemas: Provenance | UnsetType = UNSET


_FILE: Final = msgspec.json.Decoder(_File)
_COLUMNS: Final = msgspec.json.Decoder(Columns)
_MEMBER: Final = msgspec.json.Decoder(_Member)
_NO_ORIGIN: Final = _Origin()


class Link(Struct):
    """A version of the chain."""

    number: int
    columns: Columns
    highest: int
    keys: tuple[tuple[str, ...], tuple[str, ...]]
    """The keys of partitions, and those of rows."""
    source: "Version | _Rest"
    follows: bool
    """Whether it says that it was made of the version before it, which is as it was then."""

    @property
    def version(self) -> Version:
        """Return the version as a store has it; it is made of the file when it is first needed."""
        if not isinstance(self.source, Version):
            self.source = self.source.make_version(self)
        return self.source


class _Rest(Struct, frozen=True):
    """What a version says besides its columns."""

    digest: str
    branch: str
    options: dict[str, str]
    comment: str | None
    time_millis: int

    def make_version(self, link: Link) -> Version:
        partition_keys, primary_keys = link.keys
        schema = TableSchema(
            fields=link.columns,
            highest_field_id=link.highest,
            partition_keys=partition_keys,
            primary_keys=primary_keys,
            options=Options(self.options),
            comment=self.comment,
            id=link.number,
            time_millis=self.time_millis,
        )
        return Version(link.number, self.digest, schema, self.branch)


def link_versions(versions: Versions, numbers: Sequence[int], head: Version, head_data: bytes) -> Iterator[Link | Broken]:
    """Yield the versions before the newest one, oldest first, and then that one, whose file has these bytes."""
    chain = _Chain(versions)
    before: _Draft | None = None
    follows = False
    for number, data in read_files(versions, numbers):
        draft = _read_draft(number, data)
        is_named = before is not None and draft is not None and _is_made_of(draft, draft.origin, before)
        if before is not None and (link := chain.link(before, follows=follows, is_named=is_named)) is not None:
            yield link
        if draft is None and (link := chain.link_alone(number, data, follows=False)) is not None:
            yield link
        before = draft
        follows = is_named
    is_named = before is not None and _is_made_of(_Draft(head.number, head.schema.highest_field_id), _read_origin(head_data), before)
    if before is not None and (link := chain.link(before, follows=follows, is_named=is_named)) is not None:
        yield link
    yield _link_version(head, follows=is_named)


class _Draft(Struct):
    """A file as it decodes, before it is known whether all of it is sound."""

    number: int
    highest: int
    origin: _Origin = _NO_ORIGIN
    file: _File | None = None
    data: bytes = b""
    digest: str = ""


def _read_draft(number: int, data: bytes | SchemaError) -> _Draft | None:
    """Decode a file, if it is plainly one of this number and of today's format. There are no bytes of a version of Mini Paimon's."""
    if not data or isinstance(data, SchemaError):
        return None
    try:
        file = _FILE.decode(data)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None
    if file.id != number or file.version != CURRENT_VERSION:
        return None
    origin = file.schemas if isinstance(file.schemas, _Origin) else _NO_ORIGIN
    return _Draft(number, file.highestFieldId, origin, file, data, file_digest(data))


def _is_made_of(draft: _Draft, origin: _Origin, before: _Draft) -> bool:
    """Return whether a version was made of another one, and by nobody who forgot an id."""
    numbers = draft.number == before.number + 1 and origin.parent_id == before.number
    return numbers and origin.parent_sha256 == before.digest and draft.highest >= before.highest


def _read_origin(data: bytes) -> _Origin:
    """Return of which file a version was made; of none, if not all that it says of its origin is sound."""
    try:
        provenance = _MEMBER.decode(data).schemas
    except (msgspec.DecodeError, ValueError, RecursionError):
        return _NO_ORIGIN
    if not isinstance(provenance, Provenance):
        return _NO_ORIGIN
    return _Origin(provenance.parent_id, provenance.parent_sha256)


class _Chain:
    """Makes the links of one chain, one after the other."""

    def __init__(self, versions: Versions) -> None:
        self._versions = versions
        self._present = PresentNumbers(versions)
        self._columns = _ColumnsInTurn()

    def link(self, draft: _Draft, *, follows: bool, is_named: bool) -> Link | Broken | None:
        """Return the link of a file that the next one names, or does not.

        A version that follows no other is read as a whole, for its origin.
        """
        if draft.file is not None and is_named and (follows or draft.origin == _NO_ORIGIN):
            try:
                columns = self._columns.decode(bytes(draft.file.fields))
            except (msgspec.DecodeError, ValueError, RecursionError):
                pass  # read as a whole, it says what is wrong
            else:
                return _link_file(draft, draft.file, columns, self._versions.branch, follows=follows)
        return self.link_alone(draft.number, draft.data, follows=follows)

    def link_alone(self, number: int, data: bytes | SchemaError, *, follows: bool) -> Link | Broken | None:
        """Return the link of a version that a store reads; None if it has gone."""
        version = read_version(self._versions, number, data, self._present)
        if isinstance(version, Version):
            return _link_version(version, follows=follows)
        return version


class _ColumnsInTurn:
    """Decodes the columns of one version after the other.

    An array that begins with the bytes of another one up to its last column, and goes on with a comma, has the columns of that one, and
    then others: only these are decoded.
    """

    def __init__(self) -> None:
        self._beginnings: list[tuple[bytes, Columns]] = []

    def decode(self, text: bytes) -> Columns:
        """Return the columns in the text of an array."""
        for place in reversed(range(len(self._beginnings))):
            beginning, known = self._beginnings[place]
            rest = text[len(beginning) :].lstrip(_BLANKS) if text.startswith(beginning) else b""
            if rest == b"]":
                return known
            if rest.startswith(b","):
                del self._beginnings[place + 1 :]
                return self._keep(text, known + _COLUMNS.decode(b"[" + rest[1:]))
        self._beginnings.clear()
        return self._keep(text, _COLUMNS.decode(text))

    def _keep(self, text: bytes, columns: Columns) -> Columns:
        """Remember the columns as a beginning of those that come, and return them."""
        beginning = text[:-1].rstrip(_BLANKS)
        if beginning.endswith(b"}"):  # of an empty array nothing can begin
            self._beginnings = [*self._beginnings[1 - _BEGINNINGS :], (beginning, columns)]
        return columns


def _link_file(draft: _Draft, file: _File, columns: Columns, branch: str, *, follows: bool) -> Link:
    time_millis = file.timeMillis if isinstance(file.timeMillis, int) else 0
    rest = _Rest(draft.digest, branch, file.options, file.comment, time_millis)
    return Link(draft.number, columns, draft.highest, (file.partitionKeys, file.primaryKeys), rest, follows)


def _link_version(version: Version, *, follows: bool) -> Link:
    schema = version.schema
    return Link(version.number, schema.fields, schema.highest_field_id, (schema.partition_keys, schema.primary_keys), version, follows)
