"""Gather the facts that a commit needs about earlier versions: columns, keys, changes, options, and how versions follow each other.

Keys and changes are kept as signs, the first bytes of their sha256. Who finds a sign reads that version, and compares the whole text.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from airflow_provider_schemas.core.schema.history import Spans
from airflow_provider_schemas.core.schema.version import Provenance, Version
from airflow_provider_schemas.errors import SchemaError

SIGN: Final = 8
"""How many bytes of a digest are kept."""
_NONE: Final = bytes(SIGN)


class Mutated(NamedTuple):
    """A version whose file is not the one that the next version was made of."""

    number: int
    digest: str
    recorded: str


class VersionFacts:
    """The facts about versions, lowest number first."""

    def __init__(self) -> None:
        self.spans = Spans()
        self.keys = bytearray()
        self.changes = bytearray()
        self.options: dict[str, None] = {}
        """The key of every option."""
        self.keyed = False
        """Whether a version has a primary key."""
        self.highest = -1
        """The highest id of a column."""
        self.last: tuple[int, str] | None = None
        """The number and the digest of the newest version."""
        self.mutated: list[Mutated] = []

    def copy(self) -> "VersionFacts":
        """Return the same facts, to which more can be added."""
        copy = VersionFacts()
        copy.spans = self.spans.copy()
        copy.keys = self.keys[:]
        copy.changes = self.changes[:]
        copy.options = {**self.options}
        copy.mutated = [*self.mutated]
        copy.keyed = self.keyed
        copy.highest = self.highest
        copy.last = self.last
        return copy

    def add(self, version: Version) -> None:
        """Add the next version."""
        schema = version.schema
        provenance = provenance_of(version)
        key = None if provenance is None else provenance.key
        changes = made_by(version)
        self.mutated += mutations(self.last, version)
        self.spans.add(schema)
        self.keys += sign(key) if key else _NONE
        self.changes += _NONE if changes is None else sign(changes)
        self.options.update(dict.fromkeys(schema.options))
        self.keyed = self.keyed or bool(schema.primary_keys)
        self.highest = max(self.highest, schema.highest_field_id)
        self.last = (version.number, version.digest)

    def with_sign(self, signs: bytes | bytearray, text: str) -> Iterable[int]:
        """Yield the numbers of the versions that have the sign of a text, lowest first."""
        wanted = sign(text)
        place = signs.find(wanted)
        while place >= 0:
            if place % SIGN == 0:
                yield self.spans.numbers[place // SIGN]
            place = signs.find(wanted, place + 1)


def sign(text: str) -> bytes:
    """Return the sign of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:SIGN]


def provenance_of(version: Version) -> Provenance | None:
    """Return where a version comes from; None where it does not say so, or in a way that nobody understands."""
    try:
        return version.provenance
    except SchemaError:
        return None


def made_by(version: Version) -> str | None:
    """Return the changes by which a version says that it was made, in one spelling."""
    provenance = provenance_of(version)
    if provenance is None or not provenance.changes:
        return None
    if provenance.parent_id not in (None, version.number - 1):  # somebody copied the file of another version
        return None
    return canonical(provenance.changes)


def canonical(changes: Iterable[Mapping[str, Any]]) -> str:
    """Return changes in one spelling. A null means the same as no value."""
    return json.dumps([_without_nulls(change) for change in changes], sort_keys=True)


def _without_nulls(change: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in change.items() if value is not None}


def mutations(last: tuple[int, str] | None, following: Version) -> list[Mutated]:
    """Return the version before, if its file is not the one that the following version was made of."""
    provenance = provenance_of(following)
    if last is None or provenance is None or provenance.parent_id != last[0] or following.number != last[0] + 1:
        return []
    if provenance.parent_sha256 in (None, last[1]):
        return []
    return [Mutated(*last, provenance.parent_sha256)]
