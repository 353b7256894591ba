"""What a job answers, as plain JSON: reports in and out, errors in and out, and the file that carries an answer to who started the job."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from airflow_provider_schemas import errors
from airflow_provider_schemas.core.data_finding import DataFinding
from airflow_provider_schemas.core.report import SEVERITY, Finding, Report, Verdict
from airflow_provider_schemas.errors import Fault, SchemaError
from airflow_provider_schemas.spark.jobs.job_samples import shown_row

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Answer = dict[str, Any]

MOST: Final = 1_000
"""More findings than anybody reads: ten thousand columns may all be bad."""
ERROR: Final = "error"
_MEMBERS: Final = ("rule", "path", "message", "fix", "old", "new", "owner", "contact")


def findings_of(findings: Iterable[Finding]) -> Answer:
    """Return findings, the worst first, with how many there are of which verdict."""
    ordered = sorted(findings, key=lambda finding: -SEVERITY[finding.verdict])
    numbers = Counter(finding.verdict for finding in ordered)
    return {
        "findings": [_finding_answer(finding) for finding in ordered[:MOST]],
        "more": max(0, len(ordered) - MOST),
        "counts": {verdict.value: numbers[verdict] for verdict in Verdict},
    }


def _finding_answer(finding: Finding) -> Answer:
    answer = {name: getattr(finding, name) for name in _MEMBERS} | {"verdict": finding.verdict.value, "count": 0, "samples": []}
    if isinstance(finding, DataFinding):
        answer |= {"count": finding.count, "samples": [shown_row(sample) for sample in finding.samples]}
    return answer


def report_of(answer: Mapping[str, Any]) -> Report:
    """Return the report in an answer, as far as it was carried over."""
    findings = tuple(map(_read_finding, answer["findings"]))
    return Report(findings=findings, table=answer["table"], new=answer["version"], notes=tuple(answer["notes"]))


def _read_finding(answer: Mapping[str, Any]) -> DataFinding:
    verdict = Verdict(answer["verdict"])
    members = {name: answer[name] for name in _MEMBERS}
    return DataFinding(**members, verdict=verdict, data=verdict, count=answer["count"], samples=tuple(answer["samples"]))


# ---------------------------------------------------------------- errors


def of_error(error: SchemaError) -> Answer:
    """Return an error as an answer."""
    return {ERROR: {"kind": type(error).__name__, "faults": [list(fault) for fault in error.faults]}}


def raised(answer: Answer) -> Answer:
    """Return the answer, or raise the error in it."""
    error = answer.get(ERROR)
    if error is None:
        return answer
    kind = getattr(errors, str(error["kind"]), None)
    if not isinstance(kind, type) or not issubclass(kind, SchemaError):
        kind = SchemaError
    raise kind.of(Fault(*fault) for fault in error["faults"])


# ---------------------------------------------------------------- files


def write(spark: "SparkSession", answer: Answer, where: str) -> None:
    """Write the answer as a file: on the driver's disk, or, if it is an address, as a folder with one file that Spark writes."""
    text = json.dumps(answer, ensure_ascii=False, allow_nan=False)
    if "://" in where:
        spark.createDataFrame([(text,)], "value string").coalesce(1).write.mode("overwrite").text(where)
    else:
        Path(where).write_text(text, "utf-8")
