"""Make findings that speak of a whole table, and weigh findings by a policy."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from airflow_provider_schemas.core.contracts.lack import called
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.policies.severity import NOT_LOOKED_AT, Ruling, moment, strictest
from airflow_provider_schemas.core.report import Finding, Report, worst
from airflow_provider_schemas.core.rules import RULES, Judges


def of_table(rule: str, path: str, reason: str, fix: str) -> Finding:
    """Return a finding that speaks of the whole table."""
    row = RULES[rule]
    answers = row.answers()
    verdict = worst((answers.data_by_id, answers.jobs, answers.writers))
    return Finding(
        rule,
        path,
        row.says.format_map({"path": path, "reason": reason}),
        fix or row.fix,
        verdict,
        verdicts=answers,
        data=answers.data_by_id,
        jobs=answers.jobs,
        writers=answers.writers,
    )


def not_looked_at(table: str, reason: str, fix: str) -> Finding:
    """Return the finding that nothing but the description of a table was judged."""
    return of_table(NOT_LOOKED_AT, "table", f"{table} was judged by its description alone: {reason}.", fix)


def ruled(findings: Sequence[Finding], policy: Policy, now: datetime | None) -> tuple[Finding, ...]:
    """Return the findings as the strictest of the joined policies weighs them."""
    rulings = [Ruling(rules, moment(now)) for rules in policy.joined()]
    reports = [_rule(ruling, findings) for ruling in rulings]
    return strictest(reports).findings


def weighed(findings: Iterable[Finding], policy: Policy, now: datetime | None = None) -> tuple[Finding, ...]:
    """Return findings of an inspection, those about the metadata of others as a policy weighs them: no policy speaks of the rest."""
    return tuple(ruled([finding], policy, now)[0] if _is_about_metadata(finding) else finding for finding in findings)


def _is_about_metadata(finding: Finding) -> bool:
    return RULES[finding.rule].judges is Judges.METADATA


def _rule(ruling: Ruling, findings: Sequence[Finding]) -> Report:
    return Report(tuple(ruling.ruled(finding, called(finding)) for finding in findings))
