"""What a job answers, as plain JSON: reports in and out, errors in and out, and the file that carries an answer to whoever asked."""

import json
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


def findings_of(found: Iterable[Finding]) -> Answer:
    """Findings, the worst first, with how many there are of which verdict."""
    ordered = sorted(found, key=lambda one: -SEVERITY[one.verdict])
    counts = {one.value: sum(finding.verdict is one for finding in ordered) for one in Verdict}
    return {"findings": [_finding(one) for one in ordered[:MOST]], "more": max(0, len(ordered) - MOST), "counts": counts}


def _finding(one: Finding) -> Answer:
    about = {"count": getattr(one, "count", 0), "samples": [shown_row(sample) for sample in getattr(one, "samples", ())]}
    return {name: getattr(one, name) for name in _MEMBERS} | {"verdict": one.verdict.value} | about


def report_of(answer: Mapping[str, Any]) -> Report:
    """The report in an answer, as far as it was carried over."""
    findings = tuple(
        DataFinding(
            **{name: one[name] for name in _MEMBERS},
            verdict=Verdict(one["verdict"]),
            data=Verdict(one["verdict"]),
            count=one["count"],
            samples=tuple(one["samples"]),
        )
        for one in answer["findings"]
    )
    return Report(findings=findings, table=answer["table"], new=answer["version"], notes=tuple(answer["notes"]))


# ---------------------------------------------------------------- errors


def of_error(error: SchemaError) -> Answer:
    """An error as an answer."""
    return {ERROR: {"kind": type(error).__name__, "faults": [list(fault) for fault in error.faults]}}


def raised(answer: Answer) -> Answer:
    """The answer; or the error in it, raised."""
    said = answer.get(ERROR)
    if said is None:
        return answer
    kind = getattr(errors, str(said["kind"]), None)
    known = kind if isinstance(kind, type) and issubclass(kind, SchemaError) else SchemaError
    raise known.of(Fault(*fault) for fault in said["faults"])


# ---------------------------------------------------------------- files


def write(spark: "SparkSession", answer: Answer, where: str) -> None:
    """The answer as a file: on the driver's disk, or, if it is an address, as a folder with one file that Spark writes."""
    text = json.dumps(answer, ensure_ascii=False, allow_nan=False)
    if "://" in where:
        spark.createDataFrame([(text,)], "value string").coalesce(1).write.mode("overwrite").text(where)
    else:
        Path(where).write_text(text, "utf-8")
