"""What a task tells of rows that do not fit: few and plain values in XCom, a short block in the log, assertions for lineage."""

import json
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from airflow_provider_schemas.core.data_finding import DataFinding
from airflow_provider_schemas.core.report import Finding, Verdict
from airflow_provider_schemas.errors import SchemaError, SparkError, StorageError
from airflow_provider_schemas.hooks import SchemaStoreHook
from airflow_provider_schemas.spark.jobs.job_answers import MOST, Answer, findings_of, of_error, raised, report_of
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.tasks.change.run_change import TaskContext
from airflow_provider_schemas.tasks.error_handling import FinalError
from airflow_provider_schemas.tasks.spark import data_report, validate_data
from airflow_provider_schemas.tasks.spark.run import JobRun, run_folder, settled
from airflow_provider_schemas.tasks.spark.target import SparkPlace
from airflow_provider_schemas.tasks.task_run import Run

RUN = Run("reports", "check", "scheduled__2026-03-01T00:00:00+00:00")


def finding(path: str, count: int = 1, samples: tuple[Mapping[str, Any], ...] = (), verdict: Verdict = Verdict.BREAK) -> Finding:
    return DataFinding(
        rule="DATA_NULL", path=path, message=f"{path} is NULL in {count} rows.", verdict=verdict, count=count, samples=samples
    )


def answered(*found: Finding, table: str = "shop.orders", version: int | None = 0) -> Answer:
    verdict = max((one.verdict for one in found), key=list(Verdict).index, default=Verdict.OK).value
    about = {
        "table": table,
        "version": version,
        "branch": "main",
        "digest": "a" * 64,
        "verdict": verdict,
        "fits": verdict in ("ok", "warn"),
    }
    return {**about, "rows": 1_000, "checks": 7, **findings_of(found), "notes": [], "quarantine": ""}


@pytest.fixture
def here(lake: str, tmp_path: Path) -> TaskContext:
    SchemaStore(tmp_path / "lake", actor="ana").create_table("shop.orders", "order_id BIGINT NOT NULL", run="shop/r/evolve")
    return TaskContext(SchemaStoreHook(lake), RUN, {})


def told(here: TaskContext, answer: Answer) -> dict[str, Any]:
    return validate_data._entry(here, JobRun(answer, SparkPlace(kind="local"), 1.5), "fail", of_table=True)


def test_ten_thousand_bad_columns_with_long_rows_fill_neither_xcom_nor_the_log(here: TaskContext) -> None:
    row = {f"c{number}": "x" * 5_000 for number in range(50)}
    answer = answered(*(finding(f"column_{number}" * 20, samples=(row,) * 5) for number in range(10_000)))
    assert (len(answer["findings"]), answer["more"]) == (MOST, 10_000 - MOST)
    said = told(here, answer)
    assert (len(said["findings"]), said["more_findings"]) == (20, 9_980)
    assert len(json.dumps(said)) < 40_000
    lines = data_report.format_report(report_of(answer), answer, "fail", "in the task, 1.5 s")
    assert len(lines) < 150
    assert max(map(len, lines)) <= 400
    assert len(data_report.format_sentence(report_of(answer), answer)) <= 400


def test_the_worst_comes_first_and_the_block_ends_with_what_to_do(here: TaskContext) -> None:
    answer = answered(finding("a", verdict=Verdict.WARN), finding("b", 3, ({"b": None, "password": "pw"},)))
    lines = data_report.format_report(report_of(answer), answer, "fail", "in the task, 1.5 s")
    assert lines[0] == "SCHEMA DATA  ✖ breaks   shop.orders v0: 1,000 rows, 7 checks   (in the task, 1.5 s)"
    assert any("b NULL, password ****" in line for line in lines)
    assert lines[-1].startswith("what now   The task has failed and is not tried again.")
    assert data_report.format_sentence(report_of(answer), answer) == "shop.orders v0: b is NULL in 3 rows"


def test_rows_that_fit_are_one_line(here: TaskContext) -> None:
    assert data_report.format_report(report_of(answered()), answered(), "fits", "x") == ["shop.orders v0 fits: 1,000 rows, 7 checks   (x)"]


def test_lineage_is_told_the_table_with_what_was_found(here: TaskContext, tmp_path: Path) -> None:
    operator = SimpleNamespace(lineage=None, changed_by_run="")
    version = here.store.table("shop.orders").latest()
    assert validate_data.data_lineage(operator) is None
    validate_data._keep_for_lineage(operator, here, version, report_of(answered(finding("order_id"))))
    assert operator.changed_by_run == "shop/r/evolve"
    told = validate_data.data_lineage(operator)
    assert told is not None
    (dataset,) = told.inputs
    assert (dataset.namespace, dataset.name) == ("schemas://lake", "shop.orders")
    said = {one.assertion: one.success for one in dataset.inputFacets["dataQualityAssertions"].assertions}
    assert said == {"SCHEMA_FITS": False, "DATA_NULL": False}


def test_the_folder_of_a_run_is_the_same_at_every_try_and_no_partition() -> None:
    runs = [Run("d.ag", "group.check", "manual__2026-03-01T00:00:00+00:00", 3, number) for number in (1, 2)]
    folders = {run_folder(TaskContext(SchemaStoreHook("lake"), run, {})) for run in runs}
    assert folders == {"d.ag/group.check/manual__2026-03-01T00_00_00_00_00/3"}
    assert run_folder(TaskContext(SchemaStoreHook("lake"), Run("../x", "=", "_r"), {})) == "x/_/r"


class TestErrors:
    """Of a job that was submitted, and of Spark."""

    @pytest.mark.parametrize("error", [StorageError("no answer.", code="storage.x", path="s3://b"), SparkError("bad."), FinalError("no.")])
    def test_an_error_comes_out_of_an_answer_as_it_went_in(self, error: SchemaError) -> None:
        with pytest.raises(SchemaError) as again:
            raised(json.loads(json.dumps(of_error(error))))
        assert again.value.faults == error.faults
        assert type(again.value) in (type(error), SchemaError)

    @pytest.mark.parametrize(
        ("code", "tried_again"), [("spark.not-started", True), ("spark.failed", True), ("spark.no-java", False), ("spark.version", False)]
    )
    def test_what_may_be_otherwise_at_the_next_try_is_tried_again(self, code: str, tried_again: bool) -> None:
        with pytest.raises(SparkError if tried_again else FinalError), settled():
            raise SparkError("it is so.", code=code)

    def test_what_spark_itself_raises_is_tried_again(self) -> None:
        with pytest.raises(RuntimeError, match="boom"), settled():
            raise RuntimeError("boom")
