"""The versions before the head, as whoever judges the next one asks for them: by facts, and by reading the few that matter."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Self

from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.compatibility.version_chain import unmutated
from airflow_provider_schemas.core.report import Finding
from airflow_provider_schemas.core.schema.history import History
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.store.versions.facts import VersionFacts, canonical, made_by, mutations, provenance_of

_AT_ONCE = 32


class EarlierVersions:
    """The versions before the head."""

    def __init__(self, facts: VersionFacts, load: Callable[[Sequence[int]], Iterable[Version]]) -> None:
        """Load reads versions by their numbers; what has gone meanwhile is left out."""
        self.facts, self._load = facts, load

    @classmethod
    def of(cls, versions: Iterable[Version]) -> Self:
        """Return the past that consists of these versions, lowest number first."""
        facts, known = VersionFacts(), {}
        for version in versions:
            facts.add(version)
            known[version.number] = version
        return cls(facts, lambda numbers: [known[number] for number in numbers])

    @property
    def numbers(self) -> Sequence[int]:
        """The numbers of the versions, lowest first."""
        return self.facts.spans.numbers

    @cached_property
    def history(self) -> History:
        """What the columns were."""
        return History(self.numbers, lambda: self.facts.spans, lambda numbers: (version.schema for version in self._read(numbers)))

    @property
    def highest_field_id(self) -> int:
        """The highest id that was ever given out."""
        return self.facts.highest

    # ------------------------------------------------------------ versions

    def _read(self, numbers: Sequence[int]) -> Iterator[Version]:
        for start in range(0, len(numbers), _AT_ONCE):
            some = numbers[start : start + _AT_ONCE]
            found = {version.number: version for version in self._load(some)}
            yield from (found[number] for number in some if number in found)

    def version(self, number: int) -> Version | None:
        """Return the version of a number, if there is one."""
        return next(iter(self._load([number])), None) if number in self.numbers else None

    def with_key(self, key: str | None) -> Version | None:
        """Return the version that an earlier attempt with this key has written. An empty key names no attempt."""
        numbers = self.facts.with_sign(self.facts.keys, key) if key else ()
        return next((found for number in numbers if (found := self.version(number)) is not None and has_key(found, key)), None)

    def made_by(self, changes: Sequence[SchemaChange]) -> Version | None:
        """Return the newest version that says it was made by these very changes."""
        text = canonical(change.to_json() for change in changes)
        numbers = reversed(list(self.facts.with_sign(self.facts.changes, text)))
        return next((found for number in numbers if (found := self.version(number)) is not None and made_by(found) == text), None)

    def same_as(self, schema: TableSchema) -> Version | None:
        """Return the newest version that says the same as a schema."""
        numbers = self.history.having(schema.names)[::-1]
        return next((found for found in self._read(numbers) if found.schema.content == schema.content), None)

    # ------------------------------------------------------------ what was

    def had_option(self, key: str) -> bool:
        """Return whether an earlier version had an option."""
        return key in self.facts.options

    def had_value(self, key: str, value: str) -> bool:
        """Return whether an earlier version had an option with this value: only where one had the option, they are read."""
        return self.had_option(key) and any(version.schema.options.get(key) == value for version in self._read(self.numbers))

    @property
    def had_primary_key(self) -> bool:
        """Whether an earlier version had a primary key."""
        return self.facts.keyed

    def mutated(self, head: Version) -> list[Finding]:
        """Return the findings about files that are not what the version after them was made of, up to the head."""
        broken = [*self.facts.mutated, *mutations(self.facts.last, head)]
        return [
            finding for number, digest, recorded in broken for finding in unmutated(Version(number, digest, head.schema), recorded).findings
        ]


def has_key(version: Version, key: str | None) -> bool:
    """Return whether a version was written by an attempt with this key. Nonsense by an outside writer is none of our attempts."""
    past = provenance_of(version)
    return bool(key) and past is not None and past.key == key
