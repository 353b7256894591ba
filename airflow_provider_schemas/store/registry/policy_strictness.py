"""Which of two policies is stricter: in what a new one is weaker than the old one, in words.

Each part of a policy is compared by itself. Where several policies are joined, each of the old ones needs one among the new that is
as strict.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime

from msgspec.structs import replace

from airflow_provider_schemas.core.common.deadlines import begins
from airflow_provider_schemas.core.policies.policy import Against, Level, Policy, Protect
from airflow_provider_schemas.core.report import Finding, Report, Verdict, worst

_LEVELS = {level: number for number, level in enumerate(Level)}
_AGAINST = {against: number for number, against in enumerate(Against)}
_RULES = {"ok": 0, "warn": 1, "block": 2}


def weakened(old: Policy, new: Policy, now: datetime) -> tuple[str, ...]:
    """Return in what the new policy is weaker; empty if in nothing."""
    weaker: dict[str, None] = {}
    for policy in old.joined():
        differences = [list(_differences(policy, candidate, now)) for candidate in new.joined()]
        fewest: list[str] = min(differences, key=len)
        weaker |= dict.fromkeys(fewest)
    return tuple(weaker)


def with_verdict(report: Report, path: str, weaker: Iterable[str], verdict: Verdict) -> Report:
    """Return the report in which a change to a weaker policy has this verdict, unless it is waived."""
    message = f"the policy becomes weaker: {'; '.join(weaker)}."
    fix = "Make it as strict, or say why it has to be weaker."
    findings: list[Finding] = []
    for finding in report.findings:
        if finding.path == path and not finding.waived:
            findings.append(replace(finding, verdict=worst((finding.verdict, verdict)), message=message, fix=fix))
        else:
            findings.append(finding)
    return replace(report, findings=tuple(findings))


def _differences(old: Policy, new: Policy, now: datetime) -> Iterator[str]:
    """Yield in what one policy is weaker than another."""
    for question in Protect.model_fields:
        was = getattr(old.protect, question)
        will = getattr(new.protect, question)
        if _LEVELS[will] < _LEVELS[was]:
            yield f"{question}: {was} becomes {will}"
    if _AGAINST[new.against] < _AGAINST[old.against]:
        yield f"against: {old.against} becomes {new.against}"
    for reader in old.readers:
        if reader not in new.readers:
            yield f"{reader} is asked no longer"
    yield from _rules(old, new)
    for waiver in new.exceptions:
        if waiver not in old.exceptions:
            yield f"{waiver.rule} at {waiver.path} is excepted"
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
        was = old.rules.get(rule)
        will = new.rules.get(rule)
        lowered = will is not None and will != "block" and (was is None or _RULES[will] < _RULES[was])
        if lowered or (was == "block" and will is None):
            yield f"{rule} is {will or 'what it is by itself'}"


def _starts(policy: Policy, now: datetime) -> datetime:
    """Return when a policy begins to block; now, if it does."""
    if policy.enforce_from is None or policy.enforced(now):
        return now
    return begins(policy.enforce_from)
