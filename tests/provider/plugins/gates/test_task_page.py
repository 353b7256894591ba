"""The tab of a task: its verdict from XCom alone, or the one sentence about why there is none."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.provider.plugins.support.database import Database

Verdicts = dict[str, dict[str, Any]]


def page(browser: TestClient, *, run: str = "run_1", task: str = "gate", index: str = "{MAP_INDEX}") -> str:
    answer = browser.get("/schemas/task", params={"dag_id": "daily", "run_id": run, "task_id": task, "map_index": index})
    assert answer.status_code == 200, answer.text
    return answer.text


def test_a_verdict_is_shown_with_its_ways_out_and_the_two_versions(database: Database, viewer: TestClient, verdicts: Verdicts) -> None:
    database.push(verdicts["breaks"])
    text = page(viewer)
    assert "cust_id is now customer_id" in text
    assert 'href="diff?conn=lake&amp;t=shop.orders&amp;a=0&amp;b=1"' in text
    assert 'href="diff?conn=lake&amp;t=shop.orders&amp;a=1&amp;b=0">what would going back break?</a>' in text
    assert "airflow-schemas waive --conn lake shop.orders EXPECT_FIELD_RENAMED cust_id" in text
    assert text.count('class="copy"') >= 3


def test_no_storage_is_asked(database: Database, viewer: TestClient, verdicts: Verdicts, monkeypatch: pytest.MonkeyPatch) -> None:
    database.push(verdicts["breaks"])
    monkeypatch.delenv("AIRFLOW_CONN_LAKE")
    assert "cust_id is now customer_id" in page(viewer)


def test_each_index_of_a_mapped_task_has_its_own(database: Database, viewer: TestClient, verdicts: Verdicts) -> None:
    database.push(verdicts["breaks"], index=0)
    database.push(verdicts["fits"], index=1)
    assert "cust_id is now customer_id" in page(viewer, index="0")
    assert "cust_id is now customer_id" not in page(viewer, index="1")
    of_all = page(viewer)
    assert 'href="task?dag_id=daily&amp;run_id=run_1&amp;task_id=gate&amp;map_index=1">gate[1]</a>' in of_all


def test_of_several_tries_the_last_one_counts(database: Database, viewer: TestClient, verdicts: Verdicts) -> None:
    database.push(verdicts["breaks"], hours=1)
    database.push(verdicts["fits"], hours=2)
    assert "cust_id is now customer_id" not in page(viewer)


class TestWithoutAVerdict:
    @pytest.mark.parametrize(
        ("state", "sentence"),
        [
            ("success", "This task has no gate or guard"),
            ("failed", "This task has no gate or guard"),
            ("running", "the task is running"),
            ("deferred", "the task is deferred"),
            ("queued", "the task has not run (its state is queued)"),
            ("upstream_failed", "the task has not run (its state is upstream_failed)"),
            (None, "the task has not run."),
        ],
    )
    def test_the_state_of_the_task_says_why(self, database: Database, viewer: TestClient, state: str | None, sentence: str) -> None:
        database.task(state=state)
        assert sentence in page(viewer)

    def test_a_task_that_may_have_changed_a_table_leads_to_its_tables(self, database: Database, viewer: TestClient) -> None:
        database.task(state="success")
        assert "What it changed, if it changes tables, stands among" in page(viewer)

    def test_a_task_that_is_not_there_is_told_from_one_without_a_gate(self, database: Database, viewer: TestClient) -> None:
        database.task(index=3)
        assert "Airflow knows no such task in this run" in page(viewer, task="another")
        assert "Airflow knows no such task in this run" in page(viewer, index="4")

    def test_a_gate_whose_xcoms_are_cleaned_away_is_told_from_a_task_without_one(
        self, database: Database, viewer: TestClient, verdicts: Verdicts
    ) -> None:
        database.task(run="run_1")
        database.push(verdicts["fits"], run="run_2", hours=2)
        assert "airflow db clean" in page(viewer)

    def test_a_value_of_another_backend_is_named_as_one(self, database: Database, viewer: TestClient) -> None:
        database.push("s3://xcoms/secret/daily/gate.json")
        text = page(viewer)
        assert "another backend of XCom" in text
        assert "s3://" not in text

    @pytest.mark.parametrize("value", [None, 3, [], {}, {"tables": {"a": 1}}, {"verdict": "great", "tables": {}}])
    def test_a_value_that_is_no_verdict_is_named_as_one(self, database: Database, viewer: TestClient, value: Any) -> None:
        database.push(value)
        assert "is no verdict that this release knows" in page(viewer)


def test_what_airflow_of_another_release_keeps_elsewhere_is_said(
    database: Database, viewer: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "airflow.models.xcom", None)
    answer = viewer.get("/schemas/task?dag_id=daily&run_id=run_1&task_id=gate")
    assert answer.status_code == 400
    assert "Verdicts are not readable in this Airflow" in answer.text
