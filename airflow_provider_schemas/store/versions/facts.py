"""What a commit asks of the versions before it, gathered one by one: columns, keys, changes, options, how they follow each other.

Keys and changes are kept as signs, the first bytes of their sha256: whoever finds a sign reads the version, and sees whether it is the one.
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
        self.keys, self.changes = bytearray(), bytearray()
        self.options: dict[str, None] = {}
        """Every key that an option had."""
        self.keyed = False
        """Whether there was a primary key."""
        self.highest = -1
        """The highest id that was given out."""
        self.last: tuple[int, str] | None = None
        """The number and the digest of the newest."""
        self.mutated: list[Mutated] = []

    def copy(self) -> "VersionFacts":
        """Return the same facts, to which more can be added."""
        found = VersionFacts()
        found.spans = self.spans.copy()
        found.keys, found.changes = self.keys[:], self.changes[:]
        found.options, found.mutated = {**self.options}, [*self.mutated]
        found.keyed, found.highest, found.last = self.keyed, self.highest, self.last
        return found

    def add(self, version: Version) -> None:
        """Add the next version."""
        past, schema = provenance_of(version), version.schema
        self.mutated += mutations(self.last, version)
        self.spans.add(schema)
        self.keys += _NONE if past is None or not past.key else sign(past.key)
        self.changes += _NONE if (made := made_by(version)) is None else sign(made)
        self.options.update(dict.fromkeys(schema.options))
        self.keyed = self.keyed or bool(schema.primary_keys)
        self.highest = max(self.highest, schema.highest_field_id)
        self.last = (version.number, version.digest)

    def with_sign(self, signs: bytes | bytearray, text: str) -> Iterable[int]:
        """Return the numbers of the versions that have the sign of a text, lowest first."""
        wanted, at = sign(text), -1
        while (at := signs.find(wanted, at + 1)) >= 0:
            if at % SIGN == 0:
                yield self.spans.numbers[at // SIGN]


def sign(text: str) -> bytes:
    """Return the sign of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:SIGN]


def provenance_of(version: Version) -> Provenance | None:
    """Return where a version comes from; None where nobody says so, or nobody understands it."""
    try:
        return version.provenance
    except SchemaError:
        return None


def made_by(version: Version) -> str | None:
    """Return by which changes a version says that it was made, in one spelling."""
    past = provenance_of(version)
    if past is None or past.parent_id not in (None, version.number - 1):  # somebody copied the file of another version
        return None
    return canonical(past.changes) if past.changes else None


def canonical(changes: Iterable[Mapping[str, Any]]) -> str:
    """Return changes in one spelling; a file that holds a null holds nothing."""
    return json.dumps([{key: value for key, value in change.items() if value is not None} for change in changes], sort_keys=True)


def mutations(last: tuple[int, str] | None, following: Version) -> list[Mutated]:
    """Return the version before, if its file is not the one that the following version was made of."""
    past = provenance_of(following)
    if last is None or past is None or past.parent_id != last[0] or following.number != last[0] + 1:
        return []
    return [] if past.parent_sha256 in (None, last[1]) else [Mutated(*last, past.parent_sha256)]
