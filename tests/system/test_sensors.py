"""Sensors that sleep in the triggerer while somebody outside of Airflow changes the table."""

import pytest

from airflow_provider_schemas.store import SchemaStore
from tests.system.support.rest import DagRun

pytestmark = pytest.mark.system


def test_a_deferred_sensor_goes_on_when_what_it_waits_for_is_there_and_no_sooner(
    conn: str, stores: dict[str, SchemaStore], runs: dict[str, DagRun]
) -> None:
    run, table = runs[f"wait_{conn}"], stores[conn].table("waiting.orders")
    for task in ("newer", "column"):
        run.waits("deferred", task)
    table.evolve("ADD COLUMN other STRING")
    run.reaches("success", "newer")
    assert run.tasks()["column", -1] == "deferred"
    table.evolve("ADD COLUMN coupon STRING")
    assert set(run.ended().values()) == {"success"}
    assert run.xcom("newer")["version"] == 1


def test_a_deferred_sensor_gives_up_in_time_and_says_what_it_waited_for(runs: dict[str, DagRun]) -> None:
    run = runs["give_up"]
    assert run.ended() == {("newer", -1): "failed"}
    said = "\n".join(run.log("newer"))
    assert "in vain" in said
    assert "nothing newer than v0 yet" in said
