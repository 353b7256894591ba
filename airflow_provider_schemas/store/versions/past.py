"""Answer questions about the versions before the head: by facts, and by reading the few versions that matter."""

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
        """Load reads versions by their numbers, and leaves out those that have gone meanwhile."""
        self.facts = facts
        self._load = load

    @classmethod
    def of(cls, versions: Iterable[Version]) -> Self:
        """Return the past that consists of these versions, lowest number first."""
        facts = VersionFacts()
        known = {}
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
        """The columns that there were."""
        return History(self.numbers, lambda: self.facts.spans, lambda numbers: (version.schema for version in self._read(numbers)))

    @property
    def highest_field_id(self) -> int:
        """The highest id that a column ever had."""
        return self.facts.highest

    # ------------------------------------------------------------ versions

    def _read(self, numbers: Sequence[int]) -> Iterator[Version]:
        for start in range(0, len(numbers), _AT_ONCE):
            batch = numbers[start : start + _AT_ONCE]
            loaded = {version.number: version for version in self._load(batch)}
            yield from (loaded[number] for number in batch if number in loaded)

    def _read_each(self, numbers: Iterable[int]) -> Iterator[Version]:
        """Yield versions, each read once it is asked for."""
        for number in numbers:
            version = self.version(number)
            if version is not None:
                yield version

    def version(self, number: int) -> Version | None:
        """Return the version of a number, if there is one."""
        if number not in self.numbers:
            return None
        return next(iter(self._load([number])), None)

    def with_key(self, key: str | None) -> Version | None:
        """Return the version that an earlier attempt with this key has written. An empty key names no attempt."""
        if not key:
            return None
        versions = self._read_each(self.facts.with_sign(self.facts.keys, key))
        return next((version for version in versions if has_key(version, key)), None)

    def made_by(self, changes: Sequence[SchemaChange]) -> Version | None:
        """Return the newest version that says that it was made by these very changes."""
        text = canonical(change.to_json() for change in changes)
        numbers = list(self.facts.with_sign(self.facts.changes, text))
        return next((version for version in self._read_each(reversed(numbers)) if made_by(version) == text), None)

    def same_as(self, schema: TableSchema) -> Version | None:
        """Return the newest version that says the same as a schema."""
        numbers = self.history.having(schema.names)[::-1]
        return next((version for version in self._read(numbers) if version.schema.content == schema.content), None)

    # ------------------------------------------------------------ what was

    def had_option(self, key: str) -> bool:
        """Return whether an earlier version had an option."""
        return key in self.facts.options

    def had_value(self, key: str, value: str) -> bool:
        """Return whether an earlier version had an option with this value. Versions are read only if one had the option."""
        return self.had_option(key) and any(version.schema.options.get(key) == value for version in self._read(self.numbers))

    @property
    def had_primary_key(self) -> bool:
        """Whether an earlier version had a primary key."""
        return self.facts.keyed

    def mutated(self, head: Version) -> list[Finding]:
        """Return the findings about files that are not what the version after them was made of, up to the head."""
        findings: list[Finding] = []
        for number, digest, recorded in [*self.facts.mutated, *mutations(self.facts.last, head)]:
            findings += unmutated(Version(number, digest, head.schema), recorded).findings
        return findings


def has_key(version: Version, key: str | None) -> bool:
    """Return whether a version was written by an attempt with this key. What nobody understands was not written by us."""
    provenance = provenance_of(version)
    return bool(key) and provenance is not None and provenance.key == key
