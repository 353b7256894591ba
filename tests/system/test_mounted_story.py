"""Iceberg tables follow table files that a scheduled DAG reads: two runs at once, people who approve and reject, other programs that
change a table meanwhile, processes that are killed, and answers that are lost. What was approved lands once, and nothing else."""

from typing import Any

import pytest

from tests.system.support.rest import DagRun, Rest
from tests.system.support.standalone import PASSWORDS
from tests.system.support.story import Story
from tests.system.support.waiting import until

pytestmark = pytest.mark.system

NIGHTLY = "story_nightly"
CHANGED = ("clicks", "orders")
GROUP = ("plan", "ask", "apply", "verify")


@pytest.fixture(scope="module")
def overtaken(airflow: Rest) -> DagRun:
    """A run that asks about two tables; nobody has answered yet."""
    return airflow.start("story_overtaken")


@pytest.fixture(scope="module")
def killed(airflow: Rest) -> DagRun:
    return airflow.start("story_killed")


@pytest.fixture(scope="module")
def nights(airflow: Rest, overtaken: DagRun, killed: DagRun) -> list[DagRun]:
    """The two runs that the scheduler made, at their end: both asked before anybody answered. Ana approves, and raj rejects."""
    airflow.unpause(NIGHTLY)
    runs = [airflow.nth_run(NIGHTLY, number) for number in (1, 2)]
    for run in runs:
        for table in ("orders", "users"):
            run.waits("awaiting_input", f"{table}.ask")
    for run in runs:
        approve(run, "orders.ask", airflow)
        run.answer("users.ask", "Reject", by=airflow.as_user("raj", PASSWORDS["raj"]))
    for run in runs:
        run.ended()
    return runs


def approve(run: DagRun, task: str, airflow: Rest) -> None:
    asked = run.question(task)
    assert "daily_report" in asked["body"]
    run.answer(task, asked["options"][0], by=airflow.as_user("ana", PASSWORDS["ana"]))


def states(run: DagRun, table: str) -> list[str]:
    now = run.tasks()
    return [now[f"{table}.{task}", -1] for task in GROUP] + [now[f"{task}_{table}", -1] for task in ("gate", "job")]


def test_a_change_that_two_scheduled_runs_have_approved_lands_once_and_their_jobs_run(nights: list[DagRun], story: Story) -> None:
    assert [states(run, "orders") for run in nights] == [["success"] * 6] * 2
    assert sorted(run.xcom("orders.apply")["outcome"] for run in nights) == ["already applied", "created"]
    assert story.columns("orders") == {"order_id": 1, "customer_id": 2, "amount": 3}
    assert story.commits("orders") == 1
    assert "ana" in story.table("orders").properties["schemas.last"]


def test_a_change_that_breaks_nobody_lands_once_and_nobody_is_asked(nights: list[DagRun], story: Story) -> None:
    assert [states(run, "clicks") for run in nights] == [["success", "skipped", *["success"] * 4]] * 2
    assert story.columns("clicks") == {"order_id": 1, "cust_id": 2, "amount": 3, "device": 4}
    assert story.commits("clicks") == 1


def test_a_change_that_was_rejected_does_not_land_and_its_job_does_not_run(nights: list[DagRun], story: Story) -> None:
    assert [states(run, "users") for run in nights] == [["success", "failed", *["upstream_failed"] * 4]] * 2
    assert "Nothing was written." in "\n".join(nights[0].log("users.ask"))
    assert story.columns("users") == {"order_id": 1, "cust_id": 2, "amount": 3}
    assert story.commits("users") == 0


def test_the_gate_says_that_it_judged_the_metadata_and_links_to_the_run_that_changed_the_table(nights: list[DagRun]) -> None:
    verdict = nights[0].xcom("gate_orders", "schema_verdict")
    assert verdict["tables"]["shop.orders"]["judged_by"] == "metadata"
    assert verdict["tables"]["shop.orders"]["version"] == 1
    page = nights[1].links("gate_orders")["Changed by"]
    assert page is not None
    assert page.endswith("/tasks/orders.apply")


def test_cleared_tasks_and_runs_change_nothing_more(nights: list[DagRun], story: Story) -> None:
    before = locations(story)
    nights[0].clear("orders.apply")
    nights[0].ended()
    assert nights[0].attempts("orders.apply") == 2
    assert nights[0].xcom("orders.apply")["outcome"] == "already applied"
    nights[1].clear_all()
    nights[1].ended()
    for table in CHANGED:
        assert states(nights[1], table) == ["success", "skipped", *["success"] * 4]
        assert nights[1].xcom(f"{table}.apply")["outcome"] in {"already applied", "unchanged"}
    assert locations(story) == before


def test_a_backfill_of_old_dates_does_not_undo_what_another_program_did_since(nights: list[DagRun], airflow: Rest, story: Story) -> None:
    with story.table("clicks").update_schema() as update:
        update.delete_column("device")
    before = locations(story)
    days = {"from_date": "2026-01-01T00:00:00Z", "to_date": "2026-01-01T00:00:00Z"}
    airflow.ask("/api/v2/backfills", {"dag_id": NIGHTLY, **days, "reprocess_behavior": "completed", "max_active_runs": 2})
    tried = nights[0].attempts("clicks.plan") + 1
    until("the day is done again", lambda: nights[0].attempts("clicks.plan") == tried, seconds=120, tell=nights[0].tell)
    nights[0].ended()
    assert states(nights[0], "orders") == ["success", "skipped", *["success"] * 4]
    assert states(nights[0], "clicks") == ["success", "skipped", "success", "success", "failed", "upstream_failed"]
    assert "It is left as it is" in "\n".join(nights[0].log("clicks.plan", attempt=tried))
    assert "device is not there" in "\n".join(nights[0].log("gate_clicks", attempt=tried))
    assert locations(story) == before


def test_a_plan_is_not_applied_to_a_table_that_pyiceberg_has_changed_since_and_is_made_again(
    overtaken: DagRun, airflow: Rest, story: Story
) -> None:
    for table in ("grown", "returned"):
        overtaken.waits("awaiting_input", f"{table}.ask")
        add_salary(story, table)
    with story.table("returned").update_schema() as update:
        update.delete_column("salary")
    before = {table: story.columns(table) for table in ("grown", "returned")}
    assert story.table("returned").metadata.current_schema_id == 0
    for table in before:
        approve(overtaken, f"{table}.ask", airflow)
    ended = overtaken.ended()
    for table in before:
        assert ended[f"{table}.apply", -1] == "failed"
        assert "Make the plan again, and have it approved again." in "\n".join(overtaken.log(f"{table}.apply"))
    assert {table: story.columns(table) for table in before} == before
    again = airflow.start("story_overtaken")
    for table in before:
        again.waits("awaiting_input", f"{table}.ask")
        approve(again, f"{table}.ask", airflow)
    assert set(again.ended().values()) == {"success"}
    assert story.columns("grown") == {"order_id": 1, "customer_id": 2, "amount": 3, "salary": 4, "opt_in": 5}
    assert story.columns("returned") == {"order_id": 1, "customer_id": 2, "amount": 3, "opt_in": 5}
    assert rows(story, "returned") == [{"order_id": 1, "customer_id": None, "amount": None, "opt_in": None}]


def add_salary(story: Story, table: str) -> None:
    """Add a column and write a row, as a program does that knows nothing of plans."""
    import pyarrow as pa
    from pyiceberg.types import DoubleType

    with story.table(table).update_schema() as update:
        update.add_column("salary", DoubleType())
    columns = pa.schema([pa.field("order_id", pa.int64(), nullable=False), pa.field("salary", pa.float64())])
    story.table(table).append(pa.table([[1], [99_999.0]], schema=columns))


def rows(story: Story, table: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = story.table(table).scan().to_arrow().to_pylist()
    return found


@pytest.mark.parametrize(("moment", "outcome"), [("before", "created"), ("after", "already applied")])
def test_a_change_whose_process_was_killed_is_made_once_by_the_next_try(moment: str, outcome: str, killed: DagRun, story: Story) -> None:
    assert set(killed.ended().values()) == {"success"}
    assert killed.attempts(moment) == 2
    assert killed.xcom(moment)["outcome"] == outcome
    assert story.columns(f"killed_{moment}") == {"order_id": 1, "cust_id": 2, "amount": 3, "device": 4}
    assert story.commits(f"killed_{moment}") == 1


def test_a_change_whose_answer_was_lost_is_found_again_without_another_try(airflow: Rest, story: Story) -> None:
    story.rest.lost_answers = 1
    run = airflow.start("story_unanswered")
    assert run.ended() == {("evolve", -1): "success"}
    assert run.attempts("evolve") == 1
    assert run.xcom("evolve")["outcome"] == "created"
    assert story.rest.lost_answers == 0
    metadata = story.rest.behind.load_table(("web", "visits")).metadata
    assert [field.name for field in metadata.schema().fields] == ["order_id", "cust_id", "amount", "device"]
    assert len(metadata.metadata_log) == 1


def locations(story: Story) -> dict[str, str]:
    """Where the metadata of the nightly tables lie: another place after each commit."""
    return {table: story.table(table).metadata_location for table in (*CHANGED, "users")}
