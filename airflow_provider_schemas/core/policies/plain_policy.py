"""Policies as who judges asks them, and the ones that nobody has written: those need nothing that reads what people write."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from msgspec import Struct

from airflow_provider_schemas.core.engines.readers import Reader, parse_reader
from airflow_provider_schemas.core.policies.levels import Against, Level

if TYPE_CHECKING:
    from airflow_provider_schemas.core.policies.policy import Waiver


class Questions(Protocol):
    """What a bad answer to each of the three questions does."""

    @property
    def data(self) -> Level: ...
    @property
    def jobs(self) -> Level: ...
    @property
    def writers(self) -> Level: ...


class Judging(Protocol):
    """A policy, as far as a verdict depends on it."""

    @property
    def protect(self) -> Questions: ...
    @property
    def against(self) -> Against: ...
    @property
    def rules(self) -> Mapping[str, str]: ...
    @property
    def exceptions(self) -> "Sequence[Waiver]": ...
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
    def waivers(self, rule: str, paths: Iterable[str]) -> "list[Waiver]": ...
    def joined(self) -> "Iterator[Judging]": ...
    def excused(self, waivers: "Iterable[Waiver]") -> "Judging": ...


class Protection(NamedTuple):
    """The three questions; by default as `Protect` answers them."""

    data: Level = Level.BLOCK
    jobs: Level = Level.CONTRACTS
    writers: Level = Level.WARN


class PlainPolicy(Struct, frozen=True):
    """A policy of which only the three questions are said: what `Policy(protect=...)` is, without reading what people write."""

    protect: Protection = Protection()

    @property
    def against(self) -> Against:
        return Against.LIVE

    @property
    def rules(self) -> Mapping[str, str]:
        return {}

    @property
    def exceptions(self) -> "Sequence[Waiver]":
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
        """Whether it blocks already: from the start."""
        return True

    def waivers(self, rule: str, paths: Iterable[str]) -> "list[Waiver]":
        """The exceptions: it has none."""
        return []

    def joined(self) -> Iterator[Judging]:
        """This policy, which is joined with no other."""
        yield self

    def excused(self, waivers: "Iterable[Waiver]") -> Judging:
        """This policy with exceptions, which make it one that people write."""
        some = tuple(waivers)
        if not some:
            return self
        from airflow_provider_schemas.core.policies.policy import Policy, Protect

        return Policy(protect=Protect(**self.protect._asdict()), exceptions=some)


_DEFAULT = PlainPolicy()


def judging(value: "Judging | Mapping[str, Any] | None") -> Judging:
    """The policy, or that of a mapping; None is the default policy, and never no policy."""
    if value is None or isinstance(value, PlainPolicy):
        return value or _DEFAULT
    from airflow_provider_schemas.core.policies.policy import Policy

    return Policy.read(value)
