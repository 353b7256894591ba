"""Links of a task: where they lead, and when there is none."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from airflow.sdk import BaseOperator, BaseOperatorLink

from airflow_provider_schemas.tasks.output.extra_links import ApprovalLink, ChangedByLink, page_of
from airflow_provider_schemas.tasks.task_run import Run

NO_KEY = cast("Any", None)


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AIRFLOW__API__BASE_URL", "http://localhost:8080/")


def link(kind: type[BaseOperatorLink], **said: str) -> str:
    return kind().get_link(cast("BaseOperator", SimpleNamespace(**said)), ti_key=NO_KEY)


def test_a_run_as_it_is_recorded_leads_to_its_task() -> None:
    run = Run(dag_id="evolve_shop", task_id="group.apply", run_id="scheduled__2026-11-18T01:12:00+00:00")
    assert page_of(run.text) == "/dags/evolve_shop/runs/scheduled__2026-11-18T01%3A12%3A00%2B00%3A00/tasks/group.apply"


def test_a_mapped_task_leads_to_its_index() -> None:
    run = Run(dag_id="d", task_id="t", run_id="r", map_index=3)
    assert page_of(run.text) == "/dags/d/runs/r/tasks/t/mapped/3"
    assert link(ApprovalLink, approval_run=run.text) == "/dags/d/runs/r/tasks/t/mapped/3/required_actions"


def test_a_deployment_below_a_path_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AIRFLOW__API__BASE_URL", "https://example.org/team-a/airflow/")
    assert link(ChangedByLink, changed_by_run="d/r/t") == "/team-a/airflow/dags/d/runs/r/tasks/t"


@pytest.mark.parametrize(
    "run",
    [
        "",
        None,
        "flink-job-17",
        "https://ci.example.org/run/1",
        "a/b",
        "a/b/c/d",
        "d/r/t[x]",
        "d/r/t[-1]",
        "../r/t",
        "d/../t",
        "d/r/..",
        "d d/r/t",
        "d/r/t\n",
        "javascript:alert(1)//x",
    ],
)
def test_what_is_no_run_is_no_link(run: Any) -> None:
    assert page_of(run) == ""


def test_what_a_run_is_called_cannot_leave_its_place_in_the_address() -> None:
    assert page_of("d/r?x=1#y/t") == "/dags/d/runs/r%3Fx%3D1%23y/tasks/t"
    assert page_of("d/<b>/t") == "/dags/d/runs/%3Cb%3E/tasks/t"


@pytest.mark.parametrize("kind", [ChangedByLink, ApprovalLink])
def test_a_task_that_never_ran_has_none(kind: type[BaseOperatorLink]) -> None:
    assert link(kind) == ""


def test_the_keys_under_which_airflow_keeps_them_differ() -> None:
    assert {ChangedByLink().xcom_key, ApprovalLink().xcom_key} == {"_link_ChangedByLink", "_link_ApprovalLink"}
    assert {ChangedByLink().name, ApprovalLink().name} == {"Changed by", "Approval"}
