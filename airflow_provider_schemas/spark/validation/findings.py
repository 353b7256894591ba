"""Findings about data: what its form lacks, and which checks how many rows break."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from airflow_provider_schemas.core.data_finding import DataFinding
from airflow_provider_schemas.core.report import worst
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.spark.validation.count_failures import Counted
from airflow_provider_schemas.spark.validation.expected import Expected
from airflow_provider_schemas.spark.validation.row_checks import Check, Lack

DUPLICATE = "DATA_KEY_DUPLICATE"
TOO_FEW = "DATA_TOO_FEW_ROWS"
# How a report calls the primary key of a table.
_KEY_PATH = "primaryKeys"


def of_lack(lack: Lack, expected: Expected) -> DataFinding:
    """What the form of the data lacks."""
    of = f" ({lack.old})" if lack.old else ""
    return _finding(lack.rule, lack.path, expected, {"old": lack.old, "new": lack.new, "of": of}, variant=lack.variant, number=lack.id)


def of_check(check: Check, count: int, rows: int, samples: Sequence[Mapping[str, Any]], expected: Expected) -> DataFinding:
    """What some rows break."""
    words = {"old": check.old, "new": check.new, "rows": _of(count, rows)}
    found = _finding(check.rule, check.path, expected, words, number=check.id)
    return msgspec.structs.replace(found, count=count, samples=tuple(samples))


def of_key(counts: Counted, expected: Expected) -> DataFinding:
    """The primary keys that several rows share."""
    keys = _many(counts.shared_keys, "key")
    words = {"old": ", ".join(expected.key), "new": keys, "rows": _of(counts.sharing, counts.rows)}
    found = _finding(DUPLICATE, _KEY_PATH, expected, words)
    return msgspec.structs.replace(found, count=counts.sharing, samples=counts.key_samples)


def of_few(rows: int, least: int, expected: Expected) -> DataFinding:
    """The data as a whole, which has fewer rows than it must have."""
    return _finding(TOO_FEW, "", expected, {"old": f"{least:,}", "new": _many(rows, "row")})


def of_rows(
    checks: Iterable[Check], counts: Counted, shown: Mapping[Check, Sequence[Mapping[str, Any]]], expected: Expected
) -> list[DataFinding]:
    """What rows break, and which keys they share."""
    broken = ((check, count) for check, count in zip(checks, counts.counts, strict=True) if count)
    found = [of_check(check, count, counts.rows, shown.get(check, ()), expected) for check, count in broken]
    return [*found, of_key(counts, expected)] if counts.shared_keys else found


def _finding(
    rule: str, path: str, expected: Expected, words: Mapping[str, str], *, variant: str = "", number: int | None = None
) -> DataFinding:
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


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def _of(count: int, rows: int) -> str:
    return f"{count:,} of {rows:,} rows" if rows != 1 else f"{count} of 1 row"
