"""What forbids a change, as an error that names what breaks and whom; and what was let through, as it is recorded."""

import re
from collections.abc import Sequence
from datetime import datetime

import msgspec

from airflow_provider_schemas.core.common.deadlines import ended, readable
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.policies.severity import moment
from airflow_provider_schemas.core.report import Consumer, Finding, Report, Verdict
from airflow_provider_schemas.errors import IncompatibleSchemaError, InvalidSchemaError
from airflow_provider_schemas.store.registry.json_records import first

# The end of a waiver, as findings have it.
_UNTIL = re.compile(r"until (\d{4}-\S+?)(?:: | for )")
_LONGEST = 1_000
_SHOWN = 10


def refuse_breaks(found: Plan, *, approved: bool = False) -> None:
    """IncompatibleSchemaError if the plan breaks something that is protected; InvalidSchemaError if its result makes no sense."""
    if found.verdict is Verdict.INVALID:
        raise InvalidSchemaError.of(found.report.faults())
    if found.verdict is Verdict.BREAK and not approved:
        raise broken(found.report)


def broken(report: Report) -> IncompatibleSchemaError:
    """The error about a report that breaks something: what, whom, and what to do, in one sentence."""
    found = [one for one in report.findings if one.verdict is Verdict.BREAK]
    first = max(found, key=lambda one: len(one.consumers))
    more = f" (+{len(found) - 1} more)" if len(found) > 1 else ""
    victims = {one.name: one for finding in found for one in finding.consumers}
    whom = f" breaks {', '.join(map(called, victims.values()))}" if victims else " is refused"
    version = "" if report.new is None else f" v{report.new}"
    fix = first.fix or "Change it another way."
    fix += " Or have the plan approved, waive the rule until a day, or pass override with the reason."
    message = f"{report.table}{version}{whom}: {first.message}{more}"
    return IncompatibleSchemaError.about(report, message, fix=fix)


def outdated(report: Report, worse: Sequence[Finding]) -> IncompatibleSchemaError:
    """The error about a plan that breaks more today than it said when it was made."""
    error = broken(msgspec.structs.replace(report, findings=tuple(worse)))
    message = f"{error.message} The plan did not say so when it was made."
    fix = "Make the plan again, and have it approved again."
    return IncompatibleSchemaError.about(report, message, fix=fix)


def called(one: Consumer) -> str:
    """A job with those whom to call: daily_report (team-bi, #bi-oncall)."""
    about = ", ".join(part for part in (one.owner, one.contact) if part)
    return f"{one.name} ({about})" if about else one.name


def proven(report: Report) -> str:
    """What was let through because of evidence, as it is recorded."""
    found = [f"{one.rule} {one.path}" for one in report.findings if one.proven]
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return f"by evidence: {', '.join(found[:_SHOWN])}{more}" if found else ""


def waived(report: Report) -> str:
    """What was let through on purpose, as it is recorded."""
    found = [f"{one.rule} {one.path} ({one.waived})" for one in report.findings if one.waived]
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return f"let through: {', '.join(found[:_SHOWN])}{more}"[:_LONGEST] if found else ""


def newly_broken(now: Report, then: Report, today: datetime | None = None) -> list[Finding]:
    """What breaks, and did not when the plan was made: nobody has approved that, and what was let through until a day is no more."""
    known = {(one.rule, one.path) for one in then.findings if one.verdict is Verdict.BREAK or _let_through(one, moment(today))}
    victims = {consumer.name for one in then.findings for consumer in one.consumers}
    return [
        one
        for one in now.findings
        if one.verdict in (Verdict.BREAK, Verdict.INVALID)
        and ((one.rule, one.path) not in known or {consumer.name for consumer in one.consumers} - victims)
    ]


def accepted(now: Report, then: Report) -> str:
    """What breaks and a plan let through on purpose, in words: nothing but the plan says so."""
    breaks = {(one.rule, one.path) for one in now.findings if one.verdict is Verdict.BREAK}
    found = [one for one in then.findings if one.waived and one.verdict is not Verdict.BREAK and (one.rule, one.path) in breaks]
    return f"the plan accepts {first(f'{one.rule} at {one.path} {one.waived}' for one in found)}"[:_LONGEST] if found else ""


def _let_through(one: Finding, today: datetime) -> bool:
    """Whether a plan let this through on purpose, and until a day that is still to come."""
    return any(readable(until) and not ended(until, today) for until in _UNTIL.findall(one.waived))
