"""A report in one line, for a pager and for the message of an error."""

from collections.abc import Mapping
from types import MappingProxyType

from airflow_provider_schemas.core.report import Finding, Report, Verdict
from airflow_provider_schemas.render.findings.view import by_urgency, readers
from airflow_provider_schemas.render.masking import masked_finding
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.render.wording import counted, listed

_MISSING = "TABLE_MISSING"
_UNREAD = "TABLE_UNREAD"
# What happened, in the fewest words; for other rules it is the first clause of the finding's sentence.
PHRASES: Mapping[str, str] = MappingProxyType({
    "EXPECT_FIELD_MISSING": "{path} is missing",
    "EXPECT_FIELD_RENAMED": "{path} renamed to {new}",
    "EXPECT_TYPE_MISMATCH": "{path} is {new} instead of {old}",
    "EXPECT_TYPE_UNSAFE": "{path} is {new} instead of {old}",
    "TABLE_MISSING": "{path} is missing",
    "FIELD_ADDED_REQUIRED": "{path} added as NOT NULL",
    "FIELD_DROPPED": "{path} dropped",
    "FIELD_RENAMED": "{old} renamed to {new}",
    "TABLE_FILE_DELETED": "its file is gone",
    "TABLE_NAME_CHANGED": "its file names another table",
    "CONTRACT_FILE_DELETED": "the file of a job is gone",
})  # fmt: skip

_NAMED_READERS = 3


def summary(report: Report) -> str:
    """Return a report in one line: shop.orders v42 breaks daily_report: cust_id renamed to customer_id (+2 more)."""
    subject = clean(report.table) or "the table"
    if report.new is not None:
        subject = f"{subject} v{report.new}"
    verdict = report.verdict
    if verdict is Verdict.OK:
        return f"{subject} fits"
    worst = by_urgency(finding for finding in report.findings if finding.verdict is verdict)
    worst.sort(key=lambda finding: not finding.consumers)
    sentence = f"{subject} {_verdict_words(verdict, worst)}: {_phrase(worst[0])}"
    if len(worst) > 1:
        return f"{sentence} (+{len(worst) - 1:,} more)"
    return sentence


def _verdict_words(verdict: Verdict, worst: list[Finding]) -> str:
    if verdict is Verdict.INVALID:
        return "is invalid"
    if verdict is Verdict.WARN:
        return f"fits, with {counted(len(worst), 'warning')}"
    if all(finding.rule == _UNREAD for finding in worst):
        return "could not be read"
    names = listed(readers(worst), _NAMED_READERS)
    return f"breaks {names or _broken_without_name(worst)}"


def _broken_without_name(worst: list[Finding]) -> str:
    """Return what breaks where no reader is registered."""
    if any(finding.rule == _MISSING for finding in worst):
        return "every reader and writer"
    if any(finding.data is Verdict.BREAK for finding in worst):
        return "old data"
    if any(finding.jobs is Verdict.BREAK for finding in worst):
        return "readers"
    if any(finding.writers is Verdict.BREAK for finding in worst):
        return "writers"
    return "a rule of its policy"


def _phrase(finding: Finding) -> str:
    masked = masked_finding(finding)
    if masked.rule in PHRASES and _phrase_says_all(masked):
        return clean(PHRASES[masked.rule].format_map({"path": masked.path, "old": masked.old, "new": masked.new}))
    clause = clean(masked.message.partition(";")[0].removesuffix("."))
    if masked.path in clause:
        return clause
    return f"{clean(masked.path)}: {clause}"


def _phrase_says_all(finding: Finding) -> bool:
    """Return whether the phrase of a rule is enough: a missing field may be there, and be ambiguous or named twice."""
    return finding.rule != "EXPECT_FIELD_MISSING" or finding.message.endswith(" is not there.")
