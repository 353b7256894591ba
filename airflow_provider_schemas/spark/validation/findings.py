"""Findings about data: what its form lacks, and which checks how many rows break."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from airflow_provider_schemas.core.data_finding import DataFinding
from airflow_provider_schemas.core.report import worst
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.render.wording import counted
from airflow_provider_schemas.spark.validation.count_failures import FailureCounts
from airflow_provider_schemas.spark.validation.expected import Expected
from airflow_provider_schemas.spark.validation.row_checks import Check, FormIssue

DUPLICATE = "DATA_KEY_DUPLICATE"
TOO_FEW = "DATA_TOO_FEW_ROWS"
# How a report calls the primary key of a table.
_KEY_PATH = "primaryKeys"


Samples = Sequence[Mapping[str, Any]]
"""Some rows, as they are shown."""


def issue_finding(issue: FormIssue, expected: Expected) -> DataFinding:
    """Return what is wrong with the form of the data."""
    of = f" ({issue.old})" if issue.old else ""
    words = {"old": issue.old, "new": issue.new, "of": of}
    return _make_finding(issue.rule, issue.path, expected, words, variant=issue.variant, number=issue.id)


def few_rows_finding(rows: int, least: int, expected: Expected) -> DataFinding:
    """Return the finding about data that have fewer rows than they must have."""
    return _make_finding(TOO_FEW, "", expected, {"old": f"{least:,}", "new": counted(rows, "row")})


def row_findings(checks: Iterable[Check], counts: FailureCounts, samples: Mapping[Check, Samples], expected: Expected) -> list[DataFinding]:
    """Return what rows break, and which keys they share."""
    findings = []
    for check, count in zip(checks, counts.counts, strict=True):
        if count:
            findings.append(_check_finding(check, count, counts.rows, samples.get(check, ()), expected))
    if counts.shared_keys:
        findings.append(_key_finding(counts, expected))
    return findings


def _check_finding(check: Check, count: int, rows: int, samples: Samples, expected: Expected) -> DataFinding:
    words = {"old": check.old, "new": check.new, "rows": _share(count, rows)}
    finding = _make_finding(check.rule, check.path, expected, words, number=check.id)
    return msgspec.structs.replace(finding, count=count, samples=tuple(samples))


def _key_finding(counts: FailureCounts, expected: Expected) -> DataFinding:
    """Return the finding about the primary keys that several rows share."""
    words = {"old": ", ".join(expected.key), "new": counted(counts.shared_keys, "key"), "rows": _share(counts.sharing, counts.rows)}
    finding = _make_finding(DUPLICATE, _KEY_PATH, expected, words)
    return msgspec.structs.replace(finding, count=counts.sharing, samples=counts.key_samples)


def _make_finding(
    rule: str, path: str, expected: Expected, words: Mapping[str, str], *, variant: str = "", number: int | None = None
) -> DataFinding:
    """Return the finding of a rule, whose sentence has these words; what it says to the job that needs the data is the same."""
    row = RULES[rule]
    answers = row.answers(variant)
    message = row.says.format_map({"path": path, **words})
    job = expected.job
    return DataFinding(
        rule,
        path,
        message,
        row.fix,
        worst((answers.data_by_id, answers.jobs, answers.writers)),
        id=number,
        old=words.get("old", ""),
        new=words.get("new", ""),
        verdicts=answers,
        data=answers.data_by_id,
        jobs=answers.jobs,
        writers=answers.writers,
        consumers=() if job is None else (msgspec.structs.replace(job, rule=rule, message=message),),
        owner=expected.owner,
        contact=expected.contact,
    )


def _share(count: int, rows: int) -> str:
    return f"{count:,} of {rows:,} rows" if rows != 1 else f"{count} of 1 row"
