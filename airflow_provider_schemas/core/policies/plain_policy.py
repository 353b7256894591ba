"""A policy as a verdict needs it, and policies that nobody has written: these load nothing that reads what people write."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

from msgspec import Struct

from airflow_provider_schemas.core.engines.readers import Reader, parse_reader
from airflow_provider_schemas.core.policies.levels import Against, Level


class Questions(Protocol):
    """What a bad answer to each of the three questions does."""

    @property
    def data(self) -> Level: ...
    @property
    def jobs(self) -> Level: ...
    @property
    def writers(self) -> Level: ...


class Exemption(Protocol):
    """A finding that is accepted on purpose, as far as a verdict depends on it."""

    @property
    def rule(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def consumer(self) -> str: ...

    def ended(self, now: datetime) -> bool: ...


class Judging(Protocol):
    """A policy, as far as a verdict depends on it."""

    @property
    def protect(self) -> Questions: ...
    @property
    def against(self) -> Against: ...
    @property
    def rules(self) -> Mapping[str, str]: ...
    @property
    def exceptions(self) -> Sequence[Exemption]: ...
    @property
    def enforce_from(self) -> str | None: ...
    @property
    def registry_complete(self) -> bool: ...
    @property
    def descriptions(self) -> str: ...
    @property
    def override(self) -> str: ...
    @property
    def profiles(self) -> tuple[Reader, ...]: ...

    def enforced(self, now: datetime) -> bool: ...
    def waivers(self, rule: str, paths: Iterable[str]) -> Sequence[Exemption]: ...
    def joined(self) -> "Iterator[Judging]": ...


class Protection(NamedTuple):
    """What a bad answer to each of the three questions does; by default as in a policy that people write."""

    data: Level = Level.BLOCK
    jobs: Level = Level.CONTRACTS
    writers: Level = Level.WARN


class PlainPolicy(Struct, frozen=True):
    """A policy that says nothing but `protect`: what `Policy(protect=...)` is, without loading what reads it."""

    protect: Protection = Protection()

    @property
    def against(self) -> Against:
        return Against.LIVE

    @property
    def rules(self) -> Mapping[str, str]:
        return {}

    @property
    def exceptions(self) -> Sequence[Exemption]:
        return ()

    @property
    def enforce_from(self) -> str | None:
        return None

    @property
    def registry_complete(self) -> bool:
        return False

    @property
    def descriptions(self) -> str:
        return "warn"

    @property
    def override(self) -> str:
        return ""

    @property
    def profiles(self) -> tuple[Reader, ...]:
        return (parse_reader("paimon"),)

    def enforced(self, now: datetime) -> bool:
        """Return whether it blocks already: from the start."""
        return True

    def waivers(self, rule: str, paths: Iterable[str]) -> Sequence[Exemption]:
        """Return the exceptions for a finding: it has none."""
        return []

    def joined(self) -> Iterator[Judging]:
        """Yield this policy, which is joined with no other."""
        yield self
