"""What the step between two versions breaks, judged by the policy and the contracts of today; what is not known is not green."""

from typing import Final

from msgspec import Struct

from airflow_provider_schemas.core.compatibility.check import check
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.report import Report, Verdict, worst
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import SchemaError, StorageError
from airflow_provider_schemas.plugins.tables.open_table import OpenTable
from airflow_provider_schemas.render.html.marks import MARKS_IN_HTML
from airflow_provider_schemas.render.wording import VERDICTS, counted
from airflow_provider_schemas.store.registry.contracts import Contracts, active
from airflow_provider_schemas.store.registry.stale_contracts import with_warnings

_UNKNOWN_POLICY: Final = "The policy of the table cannot be read: the step was judged by the default one."


class StepAnswer(Struct, frozen=True):
    """The answer to one question about a step."""

    question: str
    text: str
    verdict: Verdict | None = None
    """None where it is not known."""

    @property
    def mark(self) -> str:
        return "?" if self.verdict is None else MARKS_IN_HTML[self.verdict]

    @property
    def word(self) -> str:
        return "not known" if self.verdict is None else VERDICTS[self.verdict]


class JudgedStep(Struct, frozen=True):
    """The step between two versions."""

    report: Report
    answers: tuple[StepAnswer, ...]
    notes: tuple[str, ...] = ()
    is_doubtful: bool = False
    """Whether a contract or the policy could not be read."""


def judge_step(opened: OpenTable, old: Version, new: Version) -> JudgedStep:
    """Judge the step from one version to the other."""
    jobs = opened.table.registered()
    policy, notes = _policy(opened)
    known = active(jobs)
    report = check(old, new, policy, contracts=known.blocking, table=opened.name)
    report = with_warnings(report, known.stale, old.schema, new.schema, policy=policy)
    notes += _unreadable_notes(jobs)
    return JudgedStep(report, (_data(report, old), _jobs(report, jobs), _writers(report), *_ruled(report, policy)), notes, bool(notes))


def _policy(opened: OpenTable) -> tuple[Policy, tuple[str, ...]]:
    try:
        return opened.table.policy(), ()
    except StorageError:
        raise
    except SchemaError:
        return Policy(), (_UNKNOWN_POLICY,)


def _unreadable_notes(jobs: Contracts) -> tuple[str, ...]:
    number = len(jobs.unreadable)
    if not number:
        return ()
    return (f"{counted(number, 'contract')} cannot be read: whether the step breaks these jobs is not known.",)


# ---------------------------------------------------------------- three questions


def _data(report: Report, old: Version) -> StepAnswer:
    verdict = worst(finding.data for finding in report.findings)
    return StepAnswer("data", f"files that were written with v{old.number}", verdict)


def _jobs(report: Report, jobs: Contracts) -> StepAnswer:
    """Answer for the registered contracts. Where there is none, or one cannot be read, nobody knows who reads the table."""
    verdict = worst(finding.jobs for finding in report.findings)
    broken = len(report.consumers)
    text = f"{broken} of {counted(len(jobs), 'registered contract')}" if len(jobs) else "no contract is registered"
    if verdict is Verdict.BREAK and not broken and len(jobs):
        text += "; jobs without one may break"
    is_known = bool(len(jobs)) and not jobs.unreadable
    return StepAnswer("jobs", text, verdict if is_known or verdict is not Verdict.OK else None)


def _writers(report: Report) -> StepAnswer:
    verdict = worst(finding.writers for finding in report.findings)
    return StepAnswer("writers", "who writes as before", verdict)


def _ruled(report: Report, policy: Policy) -> tuple[StepAnswer, ...]:
    """Answer for the policy where waivers let something of all that through."""
    waived = sum(bool(finding.waived) for finding in report.findings)
    if not waived:
        return ()
    name = f"policy {policy.name}" if policy.name else "the policy"
    return (StepAnswer("as the policy weighs it", f"{name}, with {counted(waived, 'waiver')}", report.verdict),)
