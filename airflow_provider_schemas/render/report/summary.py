"""A report in one line, for a pager and for the message of an error."""

from collections.abc import Mapping
from types import MappingProxyType

from airflow_provider_schemas.core.report import Finding, Report, Verdict
from airflow_provider_schemas.render.finding_view import by_urgency, readers
from airflow_provider_schemas.render.masking import masked_finding
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.render.wording import counted, listed

# What happened, in the fewest words; for other rules it is the first clause of the finding's sentence.
# What is not there breaks whoever wants it; of its data nobody knows anything.
_MISSING = "TABLE_MISSING"
PHRASES: Mapping[str, str] = MappingProxyType({
    "EXPECT_FIELD_MISSING": "{path} is missing",
    "EXPECT_FIELD_RENAMED": "{path} renamed to {new}",
    "EXPECT_TYPE_MISMATCH": "{path} is {new} instead of {old}",
    "EXPECT_TYPE_UNSAFE": "{path} is {new} instead of {old}",
    "TABLE_MISSING": "{path} is missing",
    "FIELD_ADDED_REQUIRED": "{path} added as NOT NULL",
    "FIELD_DROPPED": "{path} dropped",
    "FIELD_RENAMED": "{old} renamed to {new}",
})  # fmt: skip

_VICTIMS = 3


def summary(report: Report) -> str:
    """shop.orders v42 breaks daily_report: cust_id renamed to customer_id (+2 more)."""
    subject = clean(report.table) or "the table"
    number = "" if report.new is None else f" v{report.new}"
    verdict = report.verdict
    if verdict is Verdict.OK:
        return f"{subject}{number} fits"
    bad = by_urgency(one for one in report.findings if one.verdict is verdict)
    bad.sort(key=lambda one: not one.consumers)
    more = f" (+{len(bad) - 1:,} more)" if len(bad) > 1 else ""
    return f"{subject}{number} {_says(verdict, bad)}: {_phrase(bad[0])}{more}"


def _says(verdict: Verdict, bad: list[Finding]) -> str:
    if verdict is Verdict.INVALID:
        return "is invalid"
    if verdict is Verdict.WARN:
        return f"fits, with {counted(len(bad), 'warning')}"
    names = listed(readers(bad), _VICTIMS)
    return f"breaks {names or _question(bad)}"


def _question(bad: list[Finding]) -> str:
    """What breaks where no reader is known to."""
    if any(one.rule == _MISSING for one in bad):
        return "every reader and writer"
    asked = (("old data", [one.data for one in bad]), ("readers", [one.jobs for one in bad]), ("writers", [one.writers for one in bad]))
    return next((word for word, verdicts in asked if Verdict.BREAK in verdicts), "a rule of its policy")


def _says_no_more(finding: Finding) -> bool:
    """Whether the few words are enough: a field may be there, and be ambiguous or named twice."""
    return finding.rule != "EXPECT_FIELD_MISSING" or finding.message.endswith(" is not there.")


def _phrase(finding: Finding) -> str:
    found = masked_finding(finding)
    says = PHRASES.get(found.rule) if _says_no_more(found) else None
    words = {"path": found.path, "old": found.old, "new": found.new}
    if says:
        return clean(says.format_map(words))
    told = clean(found.message.partition(";")[0].removesuffix("."))
    return told if found.path in told else f"{clean(found.path)}: {told}"
