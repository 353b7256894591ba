"""DAGs that a new version starts, whoever made it: once a version."""

from typing import Any

import pytest

from airflow_provider_schemas.store import SchemaStore
from tests.system.support.rest import DagRun, Rest
from tests.system.support.waiting import until

pytestmark = pytest.mark.system


def test_a_version_written_outside_of_airflow_starts_a_dag_once_and_several_at_once_are_all_announced(
    conn: str, stores: dict[str, SchemaStore], airflow: Rest
) -> None:
    dag, table = f"watch_{conn}", stores[conn].table("watched.orders")
    wait_until_it_watches(dag, airflow)
    for number in (1, 2):
        made = table.evolve(f"ADD COLUMN c{number} STRING")
        run = airflow.nth_run(dag, number)
        assert set(run.ended().values()) == {"success"}
        (event,) = run.xcom("heard")
        assert event["from_trigger"]
        assert {key: event["payload"][key] for key in ("table", "version", "digest")} == {
            "table": "watched.orders",
            "version": number,
            "digest": made.digest,
        }
    assert len(airflow.runs(dag)) == 2
    for number in (3, 4, 5):
        table.evolve(f"ADD COLUMN c{number} STRING")

    def announced() -> bool:
        return [event["extra"]["payload"]["version"] for event in airflow.announced(dag)] == [1, 2, 3, 4, 5]

    until("all five are announced", announced, seconds=60, tell=lambda: str(airflow.announced(dag)))

    def heard() -> bool:
        return sorted(event["payload"]["version"] for run in airflow.runs(dag) for event in said(run)) == [1, 2, 3, 4, 5]

    def said(run: DagRun) -> list[dict[str, Any]]:
        assert set(run.ended().values()) == {"success"}
        return list(run.xcom("heard"))

    until("each version has started the DAG", heard, seconds=120, tell=lambda: airflow.tell_runs(dag))


def test_a_version_made_by_an_operator_starts_a_dag_once_and_a_task_that_changes_nothing_starts_none(conn: str, airflow: Rest) -> None:
    outcomes, hears = [], f"hear_{conn}"
    for changes, runs in (("ADD COLUMN a STRING", 1), ("ADD COLUMN a STRING", 1), ("ADD COLUMN b STRING", 2)):
        made = airflow.start(f"change_{conn}", {"table": "announced.orders", "changes": changes})
        assert set(made.ended().values()) == {"success"}
        outcomes.append(made.xcom("evolve")["outcome"])
        heard = airflow.nth_run(hears, runs)
        assert set(heard.ended().values()) == {"success"}
        assert [(event["table"], event["version"]) for event in heard.xcom("heard")] == [("announced.orders", runs)]
    assert outcomes == ["created", "already applied", "created"]
    assert len(airflow.runs(hears)) == 2


def test_the_example_that_watches_a_table_is_started_by_a_version(stores: dict[str, SchemaStore], airflow: Rest) -> None:
    wait_until_it_watches("watch_a_table", airflow)
    made = stores["lake"].table("shop.orders").evolve("ADD COLUMN note STRING")

    def heard() -> list[DagRun]:
        return [run for run in airflow.runs("watch_a_table") if made.number in [one["version"] for one in done(run).xcom("tell")]]

    def done(run: DagRun) -> DagRun:
        assert set(run.ended().values()) == {"success"}
        return run

    assert len(until("the version is heard of", heard, seconds=120, tell=lambda: airflow.tell_runs("watch_a_table"))) == 1


def wait_until_it_watches(dag: str, airflow: Rest) -> None:
    """A watcher begins at the newest version that it finds: one that was written before is none of its business."""
    until(f"the watcher of {dag} has begun", lambda: airflow.remembered(dag), seconds=120, tell=lambda: airflow.tell_runs(dag))
