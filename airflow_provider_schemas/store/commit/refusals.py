"""The error for a step that breaks something, which names what breaks and whom; and what was let through, as a version records it."""

import re
from collections.abc import Sequence
from datetime import datetime

import msgspec

from airflow_provider_schemas.core.common.deadlines import ended, readable
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.policies.severity import moment
from airflow_provider_schemas.core.report import Consumer, Finding, Report, Verdict
from airflow_provider_schemas.errors import IncompatibleSchemaError, InvalidSchemaError
from airflow_provider_schemas.store.registry.json_records import first, others

# The end of a waiver, as findings have it.
_UNTIL = re.compile(r"until (\d{4}-\S+?)(?:: | for )")
_LONGEST = 1_000
_SHOWN = 10

# ---------------------------------------------------------------- refusing


def refuse_breaks(plan: Plan, *, approved: bool = False) -> None:
    """Raise IncompatibleSchemaError if the plan breaks what is protected; InvalidSchemaError if its result makes no sense."""
    if plan.verdict is Verdict.INVALID:
        raise InvalidSchemaError.of(plan.report.faults())
    if plan.verdict is Verdict.BREAK and not approved:
        raise broken(plan.report)


def broken(report: Report) -> IncompatibleSchemaError:
    """Return the error about a report that breaks something: what, whom, and what to do, in one sentence."""
    breaking = [finding for finding in report.findings if finding.verdict is Verdict.BREAK]
    worst = max(breaking, key=lambda finding: len(finding.consumers))
    version = "" if report.new is None else f" v{report.new}"
    fix = worst.fix or "Change it another way."
    fix += " Or have the plan approved, waive the rule until a day, or pass override with the reason."
    message = f"{report.table}{version} {_name_victims(breaking)}: {worst.message}{others(len(breaking))}"
    return IncompatibleSchemaError.about(report, message, fix=fix)


def _name_victims(breaking: Sequence[Finding]) -> str:
    victims: dict[str, Consumer] = {}
    for finding in breaking:
        victims |= {consumer.name: consumer for consumer in finding.consumers}
    if not victims:
        return "is refused"
    return f"breaks {', '.join(map(called, victims.values()))}"


def outdated(report: Report, worse: Sequence[Finding]) -> IncompatibleSchemaError:
    """Return the error about a plan that breaks more today than it said when it was made."""
    error = broken(msgspec.structs.replace(report, findings=tuple(worse)))
    message = f"{error.message} The plan did not say so when it was made."
    fix = "Make the plan again, and have it approved again."
    return IncompatibleSchemaError.about(report, message, fix=fix)


def called(consumer: Consumer) -> str:
    """Return a job with its owner and contact: daily_report (team-bi, #bi-oncall)."""
    about = ", ".join(part for part in (consumer.owner, consumer.contact) if part)
    return f"{consumer.name} ({about})" if about else consumer.name


def newly_broken(now: Report, then: Report, today: datetime | None = None) -> list[Finding]:
    """Return the findings that break now and did not when the plan was made: nobody has approved them."""
    now_is = moment(today)
    known = {
        (finding.rule, finding.path) for finding in then.findings if finding.verdict is Verdict.BREAK or _is_let_through(finding, now_is)
    }
    known_victims: set[str] = set()
    for finding in then.findings:
        known_victims.update(consumer.name for consumer in finding.consumers)
    return [finding for finding in now.findings if _is_new_break(finding, known, known_victims)]


def _is_new_break(finding: Finding, known: set[tuple[str, str]], known_victims: set[str]) -> bool:
    if finding.verdict not in (Verdict.BREAK, Verdict.INVALID):
        return False
    victims = {consumer.name for consumer in finding.consumers}
    return (finding.rule, finding.path) not in known or bool(victims - known_victims)


def _is_let_through(finding: Finding, today: datetime) -> bool:
    """Return whether a plan let this through on purpose, and until a day that is still to come."""
    return any(readable(until) and not ended(until, today) for until in _UNTIL.findall(finding.waived))


# ---------------------------------------------------------------- what a version records


def proven(report: Report) -> str:
    """Return what was let through because of evidence, as it is recorded."""
    names = [f"{finding.rule} {finding.path}" for finding in report.findings if finding.proven]
    return _recorded("by evidence:", names)


def waived(report: Report) -> str:
    """Return what was let through on purpose, as it is recorded."""
    names = [f"{finding.rule} {finding.path} ({finding.waived})" for finding in report.findings if finding.waived]
    return _recorded("let through:", names)[:_LONGEST]


def accepted(now: Report, then: Report) -> str:
    """Return what breaks and a plan let through on purpose, in words: nothing but the plan says so."""
    breaking = {(finding.rule, finding.path) for finding in now.findings if finding.verdict is Verdict.BREAK}
    names = [
        f"{finding.rule} at {finding.path} {finding.waived}"
        for finding in then.findings
        if finding.waived and finding.verdict is not Verdict.BREAK and (finding.rule, finding.path) in breaking
    ]
    return _recorded("the plan accepts", names, most=5)[:_LONGEST]


def _recorded(words: str, names: Sequence[str], most: int = _SHOWN) -> str:
    return f"{words} {first(names, most)}" if names else ""
