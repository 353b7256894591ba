"""The answer of a check: findings, each with its rule, path, sentence and next step. Nobody prints or raises here."""

from enum import StrEnum

from msgspec import Struct

from airflow_provider_schemas.errors import Fault


class Verdict(StrEnum):
    """How bad it is, from fine to impossible."""

    OK = "ok"
    WARN = "warn"
    BREAK = "break"
    INVALID = "invalid"


_ORDER = list(Verdict)


class Finding(Struct, frozen=True):
    """One thing that a check found."""

    rule: str
    path: str
    message: str
    fix: str = ""
    verdict: Verdict = Verdict.INVALID


class Report(Struct, frozen=True):
    """Everything that a check found."""

    findings: tuple[Finding, ...] = ()

    @property
    def verdict(self) -> Verdict:
        return max((one.verdict for one in self.findings), key=_ORDER.index, default=Verdict.OK)

    @property
    def fits(self) -> bool:
        return self.verdict in (Verdict.OK, Verdict.WARN)

    def faults(self) -> list[Fault]:
        """What forbids going on, as an error carries it."""
        return [Fault(one.rule, one.path, one.message, one.fix) for one in self.findings if one.verdict is Verdict.INVALID]
