"""Which of two policies is stricter: in what a new one is weaker than the old one, in words.

Each thing that a policy says is compared by itself. Where policies are judged by together, each of the old
ones needs one among the new that is as strict.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime

from msgspec.structs import replace

from airflow_provider_schemas.core.common.deadlines import begins
from airflow_provider_schemas.core.policies.policy import Against, Level, Policy, Protect
from airflow_provider_schemas.core.report import Report, Verdict, worst

_LEVELS = {one: number for number, one in enumerate(Level)}
_AGAINST = {one: number for number, one in enumerate(Against)}
_RULES = {"ok": 0, "warn": 1, "block": 2}


def weakened(old: Policy, new: Policy, now: datetime) -> tuple[str, ...]:
    """In what the new policy is weaker; empty if in nothing."""
    return tuple(dict.fromkeys(word for one in old.joined() for word in _nearest(one, new, now)))


def told(report: Report, path: str, less: Iterable[str], verdict: Verdict) -> Report:
    """The report, in which a change of policy that asks for less bears this verdict, unless somebody has waived it."""
    message, fix = f"the policy becomes weaker: {'; '.join(less)}.", "Make it as strict, or say why it has to be weaker."
    findings = [
        replace(one, verdict=worst((one.verdict, verdict)), message=message, fix=fix) if one.path == path and not one.waived else one
        for one in report.findings
    ]
    return replace(report, findings=tuple(findings))


def _nearest(old: Policy, new: Policy, now: datetime) -> list[str]:
    return min((list(_lacking(old, one, now)) for one in new.joined()), key=len)


def _lacking(old: Policy, new: Policy, now: datetime) -> Iterator[str]:
    for question in Protect.model_fields:
        was, will = getattr(old.protect, question), getattr(new.protect, question)
        if _LEVELS[will] < _LEVELS[was]:
            yield f"{question}: {was} becomes {will}"
    if _AGAINST[new.against] < _AGAINST[old.against]:
        yield f"against: {old.against} becomes {new.against}"
    for reader in old.readers:
        if reader not in new.readers:
            yield f"{reader} is asked no longer"
    yield from _rules(old, new)
    for one in new.exceptions:
        if one not in old.exceptions:
            yield f"{one.rule} at {one.path} is excepted"
    if _starts(new, now) > _starts(old, now):
        yield f"it blocks from {new.enforce_from} on only"
    yield from _switches(old, new)


def _switches(old: Policy, new: Policy) -> Iterator[str]:
    if old.descriptions == "block" and new.descriptions != "block":
        yield "descriptions: block becomes warn"
    if new.registry_complete and not old.registry_complete:
        yield "what no contract needs may go"


def _rules(old: Policy, new: Policy) -> Iterator[str]:
    for rule in {**old.rules, **new.rules}:
        was, will = old.rules.get(rule), new.rules.get(rule)
        lowered = will is not None and will != "block" and (was is None or _RULES[will] < _RULES[was])
        if lowered or (was == "block" and will is None):
            yield f"{rule} is {will or 'what it is by itself'}"


def _starts(policy: Policy, now: datetime) -> datetime:
    """When it begins to block; now, if it does."""
    return now if policy.enforced(now) or policy.enforce_from is None else begins(policy.enforce_from)
