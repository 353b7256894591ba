"""Changes that people are asked about, in a mapped task group: exactly the approved one is applied."""

import pytest

from airflow_provider_schemas.store import SchemaStore
from tests.system.support.rest import DagRun, Rest
from tests.system.support.standalone import PASSWORDS

pytestmark = pytest.mark.system

NAMES = ("approved", "rejected", "unanswered")


def test_of_three_plans_exactly_the_approved_one_is_applied(conn: str, stores: dict[str, SchemaStore], people: dict[str, DagRun]) -> None:
    run = people[f"evolve_{conn}"]
    states = run.ended()
    assert {task: [states[f"schema_evolution.{task}", index] for index in range(3)] for task in ("plan", "ask", "apply", "verify")} == {
        "plan": ["success", "success", "success"],
        "ask": ["success", "failed", "failed"],
        "apply": ["success", "upstream_failed", "upstream_failed"],
        "verify": ["success", "upstream_failed", "upstream_failed"],
    }
    assert {name: stores[conn].table(f"evolved.{name}").latest().number for name in NAMES} == {
        "approved": 1,
        "rejected": 0,
        "unanswered": 0,
    }
    (_, change) = stores[conn].table("evolved.approved").versions()
    assert change.provenance is not None
    assert "ana" in (change.provenance.approval or "")


@pytest.mark.parametrize(("index", "words"), [(1, "raj rejected plan"), (2, "nobody answered in time")], ids=["rejected", "unanswered"])
def test_the_log_says_why_nothing_was_written(index: int, words: str, conn: str, people: dict[str, DagRun]) -> None:
    run = people[f"evolve_{conn}"]
    run.ended()
    said = "\n".join(run.log("schema_evolution.ask", index))
    assert words in said
    assert "Nothing was written." in said


def test_the_applied_change_links_to_where_it_was_approved(conn: str, people: dict[str, DagRun]) -> None:
    run = people[f"evolve_{conn}"]
    run.ended()
    page = run.links("schema_evolution.apply", 0)["Approval"]
    assert page is not None
    assert page.endswith("/tasks/schema_evolution.ask/mapped/0/required_actions")


def test_the_example_asks_before_it_renames_a_column_that_a_job_reads(stores: dict[str, SchemaStore], airflow: Rest) -> None:
    run = airflow.start("evolve_shop")
    run.waits("awaiting_input", "schema_evolution.ask", 0)
    asked = run.question("schema_evolution.ask", 0)
    assert "daily_report" in asked["body"]
    run.answer("schema_evolution.ask", asked["options"][0], 0, by=airflow.as_user("raj", PASSWORDS["raj"]))
    states = run.ended()
    assert set(states.values()) <= {"success", "skipped"}
    assert "customer_id" in [field.name for field in stores["lake"].table("shop.orders").schema().fields]
