"""Encode and decode checkpoints: the facts about all versions before a version, and the marks of their files in the listing.

A column that the version still has is kept by its place there, so that a checkpoint grows with the dropped columns and not with the table.
"""

import hashlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from operator import attrgetter, itemgetter, le
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from airflow_provider_schemas.core.schema.history import Span, Spans
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.storage.files import ListingEntry
from airflow_provider_schemas.store.versions.facts import SIGN, Mutated, VersionFacts

LIMIT: Final = 16 * 1024 * 1024
"""The most bytes of a checkpoint."""
_Number = Annotated[int, Meta(ge=0, le=2**63 - 1)]
_Id = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]
_GONE: Final = -1
_ID = attrgetter("id")
_FIRST = itemgetter(1)
_LAST = itemgetter(2)


class Checkpoint(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The content of a checkpoint."""

    format: Literal["schemas-checkpoint-2"]
    number: _Number
    """The number of the version whose past this is."""
    digest: str
    """The digest of the schema of that version: its file has no mark yet when the checkpoint is written."""
    numbers: list[_Number]
    marks: str
    """The sign of the marks of all their files."""
    keys: bytes
    changes: bytes
    options: list[str]
    keyed: bool
    highest: _Id
    last: tuple[_Number, str]
    mutated: list[tuple[_Number, str, str]]
    since: list[Annotated[int, Meta(ge=_GONE)]]
    """For each column of that version: since which version it has been what it is now."""
    ended: list[Span]

    def fits(self, entries: Mapping[int, ListingEntry]) -> bool:
        """Return whether the files of all versions before that version are those that were read for this checkpoint."""
        numbers = [*entries]
        count = bisect_left(numbers, self.number)
        return numbers[:count] == self.numbers and sign_of_marks(islice(entries.values(), count)) == self.marks

    def facts(self, schema: TableSchema) -> VersionFacts | None:
        """Return the facts, by the columns of that version; None where they do not belong together."""
        fields = schema.fields
        if self.digest != schema.digest or not self._is_sound(fields):
            return None
        facts = VersionFacts()
        known = [(column, first) for column, first in zip(fields, self.since, strict=True) if first != _GONE]
        newest = fields if len(known) == len(fields) else tuple(column for column, _ in known)
        going = dict(zip(map(_ID, newest), known, strict=True))
        facts.spans = Spans.restored([*self.numbers], [*self.ended], going, newest)
        facts.keys = bytearray(self.keys)
        facts.changes = bytearray(self.changes)
        facts.options = dict.fromkeys(self.options)
        facts.keyed = self.keyed
        facts.highest = self.highest
        facts.last = self.last
        facts.mutated = [Mutated(*mutation) for mutation in self.mutated]
        return facts

    def _is_sound(self, fields: Sequence[Field]) -> bool:
        known = {*self.numbers, _GONE}
        return (
            len(self.keys) == len(self.changes) == SIGN * len(self.numbers)
            and self.numbers == sorted(known)[1:]
            and self.last[0] == self.numbers[-1] < self.number
            and len(self.since) == len(fields)
            and _has_each_id_once(fields)
            and known.issuperset(self.since)
            and known.issuperset(map(_FIRST, self.ended))
            and known.issuperset(map(_LAST, self.ended))
            and all(map(le, map(_FIRST, self.ended), map(_LAST, self.ended)))
        )


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Checkpoint)


def sign_of_marks(entries: Iterable[ListingEntry]) -> str:
    """Return one sign for the marks of several files of a listing; empty if one of them has none."""
    files = [*entries]
    if not files:
        return ""
    marks = type(files[0]).marks(files)
    return hashlib.sha256(marks).hexdigest() if marks else ""


def encode(facts: VersionFacts, marks: str, number: int, schema: TableSchema) -> bytes | None:
    """Return the checkpoint for the version of a number, which has this schema; None if there can be none."""
    spans = facts.spans
    fields = schema.fields
    if facts.last is None or not marks or spans.beside or not _has_each_id_once(fields):
        return None
    since = _find_since(spans, fields)
    kept = {column.id for column, first in zip(fields, since, strict=True) if first != _GONE}
    checkpoint = Checkpoint(
        format="schemas-checkpoint-2",
        number=number,
        digest=schema.digest,
        numbers=spans.numbers,
        marks=marks,
        keys=bytes(facts.keys),
        changes=bytes(facts.changes),
        options=[*facts.options],
        keyed=facts.keyed,
        highest=facts.highest,
        last=facts.last,
        mutated=[(number, digest, recorded) for number, digest, recorded in facts.mutated],
        since=since,
        ended=[*spans.ended, *_spans_of_dropped(spans, kept)],
    )
    data = _ENCODER.encode(checkpoint)
    return data if len(data) <= LIMIT else None


def _find_since(spans: Spans, fields: Sequence[Field]) -> list[int]:
    """Return for each column the version since which it has been what it is now."""
    going = spans.going
    since = []
    for column in fields:
        known = going.get(column.id)
        # A table may have ten thousand columns, nearly all of which are the same values as before.
        if known is not None and (known[0] is column or known[0] == column):
            since.append(known[1])
        else:
            since.append(_GONE)
    return since


def _spans_of_dropped(spans: Spans, kept: set[int]) -> Iterator[Span]:
    for number in sorted(spans.going.keys() - kept):
        yield from spans.of_going(number)


def _has_each_id_once(fields: Sequence[Field]) -> bool:
    """Return whether each column has an id of its own: an outside writer may give an id twice."""
    return len(set(map(_ID, fields))) == len(fields)


def decode(data: bytes) -> Checkpoint | None:
    """Return the checkpoint in a file; None if the file is not a checkpoint."""
    try:
        return _DECODER.decode(data)
    except (msgspec.DecodeError, SchemaError, RecursionError):
        return None
