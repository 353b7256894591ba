"""Differences of ODF schemas as findings of a report, so that they are judged by a policy and printed like all others."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.policies.policy import Policy, policy_of
from airflow_provider_schemas.core.policies.severity import Ruling, moment, strictest
from airflow_provider_schemas.core.report import Answers, Finding, Report, Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.compatibility.comparison import Compared
from airflow_provider_schemas.formats.odf.compatibility.differences import NOTHING, Difference

NO_CHANGE = Difference("NO_CHANGE", "")
# Where the next step of the rule names what ODF has not: ids, evidence, NOT NULL.
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
    found: Compared | Iterable[Difference],
    policy: Policy | Mapping[str, Any] | None = None,
    *,
    table: str = "",
    now: datetime | None = None,
) -> Report:
    """The differences under a policy. What nobody can see in an ODF schema, such as ids and jobs, is not asked."""
    seen = _differences(found) or (NO_CHANGE,)
    rules, at = policy_of(policy), moment(now)
    reports = []
    for one in rules.joined():
        ruling = Ruling(one, at)
        ruled = tuple(ruling.ruled(finding(difference), paths_of(difference)) for difference in seen)
        reports.append(Report(ruled, table=table, notes=tuple(ruling.notes())))
    return strictest(reports)


def _differences(found: object) -> tuple[Difference, ...]:
    seen = found.differences if isinstance(found, Compared) else found
    if isinstance(seen, Iterable):
        listed = tuple(seen)
        if all(isinstance(one, Difference) for one in listed):
            return listed
    raise FormatError(f"{shown(found)} is no comparison.", code="format.wrong-type", fix="Pass what compare returns.")


def finding(one: Difference, verdict: Verdict = Verdict.OK, fix: str = "") -> Finding:
    """A difference as a finding, with what its rule answers: by name, since ODF has no ids."""
    said = RULES[one.rule].answers()
    answers = Answers(said.data_by_name, said.data_by_name, said.jobs, said.writers)
    return Finding(
        one.rule,
        one.path,
        _message(one),
        fix or FIXES.get(one.rule) or RULES[one.rule].fix,
        verdict,
        old=_side(one, one.old),
        new=_side(one, one.new),
        verdicts=answers,
        data=answers.data_by_name,
        jobs=answers.jobs,
        writers=answers.writers,
    )


def paths_of(one: Difference) -> tuple[str, ...]:
    """The paths by which exceptions may speak of it."""
    return (one.path,) if one.path else ()


def _side(one: Difference, text: str) -> str:
    """What a finding shows of one side: the value of an attribute with its key."""
    return f"{one.attribute}: {text}" if one.attribute and text != NOTHING else text


def _message(one: Difference) -> str:
    path = one.path or "the schema"
    if one.attribute is not None:
        what = f"the attribute {one.attribute}" if one.attribute else "the map of attributes"
        return f"{what} of {path} is now {one.new} (was {one.old})."
    return _SAYS.get(one.rule, RULES[one.rule].says).format(path=path, old=one.old, new=one.new, **_WORDS)
