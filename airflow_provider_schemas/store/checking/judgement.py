"""The answer about the tables of a job, and its shape in XCom: plain and few values."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from airflow_provider_schemas.core.common.short_repr import ShortRepr, counted, joined, listed, named
from airflow_provider_schemas.core.report import VERDICT_WORDS, Finding, Report, Verdict, worst
from airflow_provider_schemas.core.report_json import basis_dict
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.registry.contract_record import Registered

_SHOWN = 20


class PolicyOrigin(Struct, frozen=True):
    """The policy by which a table was judged: its name, and where it was found."""

    name: str = ""
    found: str = ""


class TableAnswer(ShortRepr, Struct, frozen=True, kw_only=True):
    """The answer about one table."""

    table: str
    report: Report
    version: Version | None = None
    writes: bool = False
    place: str = ""
    """The folder of its schema files."""
    layout: Layout | None = None
    registered: Registered | None = None
    """The contract of the job that asks, where that is what was judged."""
    policy: PolicyOrigin | None = None

    def _short_text(self) -> str:
        number = "" if self.version is None else f" v{self.version.number}"
        return f"{named(self.table)}{number}: {VERDICT_WORDS[self.report.verdict]}, {counted(len(self.report.findings), 'finding')}"

    @property
    def fits(self) -> bool:
        return self.report.fits

    @property
    def judged_by(self) -> str:
        """What was looked at: schema files, footer (1 of 12), description."""
        return self.report.judged_by

    @property
    def at(self) -> str:
        """The moment of the look, in UTC."""
        return self.report.at

    def to_dict(self) -> dict[str, Any]:
        """Return the answer in plain and few values."""
        report = self.report
        answer: dict[str, Any] = {}
        if self.version is not None:
            answer |= {"version": self.version.number, "digest": self.version.digest, "branch": self.version.branch}
        answer |= {
            "verdict": report.verdict.value,
            "fits": self.fits,
            "findings": [_finding_dict(finding) for finding in report.findings[:_SHOWN]],
        }
        if len(report.findings) > _SHOWN:
            answer["more"] = len(report.findings) - _SHOWN
        return {**answer, "notes": list(report.notes), **basis_dict(report)}


def _finding_dict(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "path": finding.path,
        "verdict": finding.verdict.value,
        "message": finding.message,
        "fix": finding.fix,
        "waived": finding.waived,
    }


class Judgement(ShortRepr, Struct, frozen=True, kw_only=True):
    """The answer about all tables of a job."""

    tables: tuple[TableAnswer, ...]
    consumer: str = ""
    store: str = ""
    registry: str = ""
    """The id of the registry whose contracts and policies counted; empty if it has none."""
    lists: int = 0
    gets: int = 0
    puts: int = 0
    millis: int = 0

    def _short_text(self) -> str:
        unfit = [answer.table for answer in self.tables if not answer.fits]
        names = f"{len(unfit)} of {len(self.tables)} do not fit: {listed(unfit)}" if unfit else ""
        job = named(self.consumer, "of a job without a name")
        return f"{job}: {joined(self._verdict_text(), counted(len(self.tables), 'table'), names)}"

    def _verdict_text(self) -> str:
        if not self.tables:
            return "nothing was looked at"
        return VERDICT_WORDS[self.verdict]

    @property
    def verdict(self) -> Verdict:
        return worst(answer.report.verdict for answer in self.tables)

    @property
    def fits(self) -> bool:
        return all(answer.fits for answer in self.tables)

    @property
    def reports(self) -> tuple[Report, ...]:
        return tuple(answer.report for answer in self.tables)

    def to_dict(self) -> dict[str, Any]:
        """Return the answer in plain and few values."""
        tables: dict[str, dict[str, Any]] = {}
        for answer in self.tables:
            plain = answer.to_dict()
            if answer.table in tables:
                plain = _join(tables[answer.table], plain)
            tables[answer.table] = plain
        return {
            "store": self.store,
            "registry": self.registry or "none",
            "consumer": self.consumer,
            "verdict": self.verdict.value,
            "fits": self.fits,
            "tables": tables,
            "lists": self.lists,
            "gets": self.gets,
            "millis": self.millis,
        }


def _join(reads: Mapping[str, Any], writes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answers about a table that a job both reads and writes as one."""
    findings = [*reads["findings"], *(finding for finding in writes["findings"] if finding not in reads["findings"])]
    hidden = reads.get("more", 0) + writes.get("more", 0) + max(0, len(findings) - _SHOWN)
    joined = {
        **reads,
        "verdict": worst((Verdict(reads["verdict"]), Verdict(writes["verdict"]))).value,
        "fits": reads["fits"] and writes["fits"],
        "findings": findings[:_SHOWN],
    }
    if hidden:
        joined["more"] = hidden
    joined["notes"] = list(dict.fromkeys([*reads["notes"], *writes["notes"]]))
    return joined
