"""Differences of ODF schemas as findings of a report, so that a policy judges them and they are printed like all others."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.policies.policy import Policy, policy_of
from airflow_provider_schemas.core.policies.severity import Ruling, moment, strictest
from airflow_provider_schemas.core.report import Answers, Finding, Report, Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.compatibility.comparison import SchemaComparison
from airflow_provider_schemas.formats.odf.compatibility.differences import NOTHING, SchemaDifference

NO_CHANGE = SchemaDifference("NO_CHANGE", "")
# Rules whose next step names what ODF does not have: ids, evidence, NOT NULL.
FIXES: Mapping[str, str] = {
    "FIELD_ADDED_REQUIRED": "Make it an Option.",
    "FIELD_DROPPED": "Keep it; readers that do not name it do not mind.",
    "NULLABILITY_RELAXED": "Take the Option away again, or add an Option field beside it.",
    "NULLABILITY_TIGHTENED": "Make it an Option again; that no value is missing can be checked where data is written.",
}
_WORDS = {"came": "new", "rows": "old rows"}
# ODF has no NOT NULL.
_SAYS: Mapping[str, str] = {
    "FIELD_ADDED_REQUIRED": "{path} is new and required: {new}; old rows have no value for it.",
    "NULLABILITY_RELAXED": "{path} is optional now: {new} (was {old}).",
    "NULLABILITY_TIGHTENED": "{path} is required now: {new} (was {old}); old rows may have no value.",
    "TYPE_SPELLING_CHANGED": "{path} is now {new} (was {old}), which promises the same in other words.",
}


def report(
    found: SchemaComparison | Iterable[SchemaDifference],
    policy: Policy | Mapping[str, Any] | None = None,
    *,
    table: str = "",
    now: datetime | None = None,
) -> Report:
    """Judge the differences under a policy. Rules about ids and jobs, which no ODF schema shows, are not applied."""
    compared = _differences(found) or (NO_CHANGE,)
    policies = policy_of(policy)
    at = moment(now)
    reports = []
    for single_policy in policies.joined():
        ruling = Ruling(single_policy, at)
        findings = tuple(ruling.ruled(finding(difference), _exception_paths(difference)) for difference in compared)
        reports.append(Report(findings, table=table, notes=tuple(ruling.notes())))
    return strictest(reports)


def _differences(found: SchemaComparison | Iterable[SchemaDifference]) -> tuple[SchemaDifference, ...]:
    differences = found.differences if isinstance(found, SchemaComparison) else found
    if isinstance(differences, Iterable):
        listed = tuple(differences)
        if all(isinstance(difference, SchemaDifference) for difference in listed):
            return listed
    raise FormatError(f"{shown(found)} is no comparison.", code="format.wrong-type", fix="Pass what compare returns.")


def finding(difference: SchemaDifference, verdict: Verdict = Verdict.OK, fix: str = "") -> Finding:
    """Return a difference as a finding, with the answers of its rule for engines that find columns by name: ODF has no ids."""
    rule = RULES[difference.rule]
    by_rule = rule.answers()
    answers = Answers(by_rule.data_by_name, by_rule.data_by_name, by_rule.jobs, by_rule.writers)
    return Finding(
        difference.rule,
        difference.path,
        _message(difference),
        fix or FIXES.get(difference.rule) or rule.fix,
        verdict,
        old=_side(difference, difference.old),
        new=_side(difference, difference.new),
        verdicts=answers,
        data=answers.data_by_name,
        jobs=answers.jobs,
        writers=answers.writers,
    )


def _exception_paths(difference: SchemaDifference) -> tuple[str, ...]:
    """Return the paths by which the exceptions of a policy may name a difference."""
    if not difference.path:
        return ()
    return (difference.path,)


def _side(difference: SchemaDifference, text: str) -> str:
    """Return one side as a finding shows it: the value of an attribute with its key."""
    if difference.attribute and text != NOTHING:
        return f"{difference.attribute}: {text}"
    return text


def _message(difference: SchemaDifference) -> str:
    path = difference.path or "the schema"
    if difference.attribute is not None:
        what = "the map of attributes"
        if difference.attribute:
            what = f"the attribute {difference.attribute}"
        return f"{what} of {path} is now {difference.new} (was {difference.old})."
    sentence = _SAYS.get(difference.rule, RULES[difference.rule].says)
    return sentence.format(path=path, old=difference.old, new=difference.new, **_WORDS)
