"""Reports and plans as a page lays them out."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime

from msgspec import Struct

from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.report import SEVERITY, Finding, Report, Verdict
from airflow_provider_schemas.core.schema.foreign_attributes import is_foreign
from airflow_provider_schemas.render.findings.groups import ViewGroup, grouped, without_repetitions
from airflow_provider_schemas.render.findings.view import readers
from airflow_provider_schemas.render.page import LIMIT, Sheet
from airflow_provider_schemas.render.plan.text import changing, columns, headline, identity, left_over, table_and_branch, to_do
from airflow_provider_schemas.render.report.text import (
    by_loudness,
    fine_text,
    job,
    labelled_facts,
    more,
    quiet_subject,
    split_findings,
    subject,
    table_counts,
    tables_sentence,
)
from airflow_provider_schemas.render.sanitize import JOINED, clean
from airflow_provider_schemas.render.version_entries import Versions, numbered, written_by
from airflow_provider_schemas.render.wording import SIGNS, counts, listed

_NAMED_READERS = 5
_NO_OWNER = "no owner named"
_BARS = 20
_WIDTH = 100


class ReportView(Struct, frozen=True):
    """One report, and what is computed of it."""

    report: Report
    subject: str
    victims: str
    """The registered readers that break."""
    facts: tuple[str, ...]
    groups: tuple[ViewGroup, ...]
    hidden: str
    fine: str
    counts: str


def report_view(report: Report, versions: Versions, now: datetime | None) -> ReportView:
    """Return the report as it is laid out; versions tell who wrote the one that it is about."""
    sheet = Sheet(now=now)
    loud, fine = split_findings(report, verbose=False)
    found = grouped(loud, LIMIT, report.table, kept_elsewhere=report.kept_elsewhere)
    breaking = readers(finding for finding in report.findings if finding.verdict is Verdict.BREAK)
    facts = [*labelled_facts(report, sheet)]
    version = numbered(versions, report)
    if version is not None:
        facts.insert(0, written_by(version, report))
    return ReportView(
        report,
        _plain(subject(report)),
        listed(breaking, _NAMED_READERS),
        tuple(_plain(fact) for fact in facts if fact),
        tuple(without_repetitions(found.groups, job_is_known=bool(job(report, sheet)))),
        more(found.hidden) if found.hidden else "",
        fine_text(fine) if fine else "",
        counts(finding.verdict for finding in report.findings),
    )


def _plain(text: str) -> str:
    return text.replace(JOINED, " ")


# ---------------------------------------------------------------- plans


class PlanView(Struct, frozen=True):
    """A plan, and what is computed of it."""

    plan: Plan
    table: str
    headline: str
    identity: str
    groups: tuple[ViewGroup, ...]
    signs: tuple[str, ...]
    """What each group does: `+`, `-` or `~`."""
    hidden: str
    changes: tuple[str, ...]
    columns: tuple[str, ...]
    rest: tuple[str, ...]
    """What the file leaves alone, and the notes."""


def plan_view(plan: Plan) -> PlanView:
    """Return the plan as it is laid out."""
    found = grouped(changing(plan), LIMIT, table_and_branch(plan), kept_elsewhere=is_foreign(plan.result))
    groups = tuple(without_repetitions(found.groups))
    return PlanView(
        plan,
        clean(plan.table) or "the table",
        headline(plan),
        "" if plan.unchanged else identity(plan),
        groups,
        tuple(SIGNS.get(group.first.rule, "~") for group in groups),
        more(found.hidden) if found.hidden else "",
        tuple(to_do(plan, LIMIT)),
        tuple(columns(plan, LIMIT)),
        tuple(left_over(plan, LIMIT)),
    )


# ---------------------------------------------------------------- audits


class Bar(Struct, frozen=True):
    """How many findings an owner or a rule has; the lengths of both parts are of the longest bar, which has 100."""

    name: str
    breaking: int
    warning: int
    break_length: float
    warn_length: float


class AuditView(Struct, frozen=True):
    """The reports of several tables, and what is computed of them."""

    sentence: str
    counts: str
    verdict: Verdict
    owners: tuple[Bar, ...]
    rules: tuple[Bar, ...]
    loud: tuple[Report, ...]
    silent: tuple[str, ...]


def audit_view(reports: Sequence[Report]) -> AuditView:
    """Return the reports as they are laid out: how many findings each owner and each rule has, then each table."""
    loud, silent = by_loudness(reports)
    findings = [finding for report in loud for finding in report.findings]
    return AuditView(
        tables_sentence(reports),
        table_counts(reports),
        max((report.verdict for report in reports), key=SEVERITY.__getitem__, default=Verdict.OK),
        _bars((_owner(finding), finding.verdict) for finding in findings),
        _bars((finding.rule, finding.verdict) for finding in findings),
        tuple(loud),
        tuple(_plain(quiet_subject(report)) for report in silent),
    )


def _owner(finding: Finding) -> str:
    """Return who answers for the table of a finding."""
    return ", ".join(part for part in (finding.owner, finding.contact) if part) or _NO_OWNER


def _bars(named: Iterable[tuple[str, Verdict]]) -> tuple[Bar, ...]:
    """Return a bar for each name that has findings which are not fine, those with most first."""
    numbers = Counter(named)
    breaking = Counter({name: numbers[name, Verdict.BREAK] + numbers[name, Verdict.INVALID] for name, _ in numbers})
    warning = Counter({name: numbers[name, Verdict.WARN] for name, _ in numbers})
    total = breaking + warning
    longest = max(total.values(), default=1)
    ordered = sorted(total, key=lambda name: (-breaking[name], -warning[name], name))
    return tuple(
        Bar(name, breaking[name], warning[name], _WIDTH * breaking[name] / longest, _WIDTH * warning[name] / longest)
        for name in ordered[:_BARS]
    )
