"""`SchemaApprovalOperator`: somebody is asked only where a plan breaks something, and what they answer is about that plan."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from airflow.providers.standard.operators import hitl
from airflow.providers.standard.operators.empty import EmptyOperator
from airflow.sdk import DAG, exceptions
from airflow.sdk.exceptions import AirflowFailException, AirflowSkipException

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.operators import SchemaApprovalOperator, SchemaEvolveOperator, SchemaValidateOperator
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.tasks.change.approval_prompt import question_body, read_users
from airflow_provider_schemas.tasks.task_run import Run
from tests.provider.operators.support.store_with_table import Context, store_in

pytestmark = pytest.mark.usefixtures("lake")
RENAME = "RENAME COLUMN cust_id TO customer_id"
RAJ = {"id": "raj", "name": "raj"}
WHEN = datetime(2026, 11, 18, 9, 14, tzinfo=UTC)
# Airflow 3.3 parks a task that waits for somebody, 3.2 defers it.
WAITS = tuple(getattr(exceptions, name) for name in ("TaskAwaitingInput", "TaskDeferred") if hasattr(exceptions, name))


@pytest.fixture
def store(tmp_path: Path) -> SchemaStore:
    found = store_in(tmp_path)
    found.table("shop.orders").register("cust_id BIGINT", consumer="daily_report", owner="team-bi")
    return found


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What Airflow was told to ask."""
    found: list[dict[str, Any]] = []
    monkeypatch.setattr(hitl, "upsert_hitl_detail", lambda **said: found.append(said))
    return found


def plan(context: Context, changes: Any = RENAME, **said: Any) -> dict[str, Any]:
    given: dict[str, Any] = {"task_id": "plan", "conn_id": "lake", "table": "shop.orders", "save": True, "on_incompatible": "warn"}
    made = SchemaValidateOperator(changes=changes, **given | said)
    told: dict[str, Any] = made.execute(context(made, run_id="r1"))
    return told


def operator(plan: Any, **said: Any) -> SchemaApprovalOperator:
    return SchemaApprovalOperator(task_id="ask", conn_id="lake", plan=plan, **said)


def ask(context: Context, made: SchemaApprovalOperator, **about: Any) -> None:
    """Run the task up to where it waits."""
    with pytest.raises(WAITS):
        made.execute(context(made, run_id="r1", **about))


def answered(context: Context, plan: Any, chosen: list[str], by: Any = RAJ, **about: Any) -> Any:
    """What a task returns that goes on with an answer; Airflow makes a new one of the DAG file for that."""
    made = operator(plan)
    event = {"chosen_options": chosen, "params_input": {}, "responded_at": WHEN, "responded_by_user": by, "timedout": by is None}
    return made.execute_complete(context(made, run_id="r1", **about), event)


# ---------------------------------------------------------------- asking


def test_a_plan_that_breaks_somebody_is_asked_about(context: Context, store: SchemaStore, asked: list[dict[str, Any]]) -> None:
    told = plan(context)
    made = operator(told, approvers=["ana", {"id": 3, "name": "Raj"}])
    ask(context, made)
    question = asked[0]
    assert question["options"] == [f"Approve {told['plan'][:12]}", "Reject"]
    assert question["defaults"] == ["Reject"]
    assert question["assigned_users"] == [{"id": "ana", "name": "ana"}, {"id": "3", "name": "Raj"}]
    assert "shop.orders" in question["subject"]
    assert "breaks daily_report" in question["body"]
    assert "docs/rules" not in question["body"], "there are no such pages in Airflow"
    assert made.approval_run == "reports/r1/ask"
    assert made.response_timeout == timedelta(hours=24)


@pytest.mark.parametrize(
    "about", [{"changes": "ADD COLUMN coupon STRING"}, {"override": "INC-4711"}, {"changes": "ALTER COLUMN order_id COMMENT 'x'"}]
)
def test_nobody_is_asked_about_a_plan_that_breaks_nobody(
    about: dict[str, Any], context: Context, store: SchemaStore, asked: list[dict[str, Any]]
) -> None:
    made = operator(plan(context, **about))
    with pytest.raises(AirflowSkipException, match=r"shop\.orders: nobody has to be asked"):
        made.execute(context(made))
    assert asked == []


def test_it_is_the_plan_that_was_kept_that_decides_and_not_what_xcom_says(
    context: Context, store: SchemaStore, asked: list[dict[str, Any]]
) -> None:
    ask(context, operator(plan(context) | {"needs_approval": False, "verdict": "ok"}))
    assert len(asked) == 1


def test_a_plan_that_changes_nothing_is_not_asked_about(context: Context, store: SchemaStore, asked: list[dict[str, Any]]) -> None:
    store.table("shop.orders").evolve("ADD COLUMN coupon STRING")
    made = operator(plan(context, "ADD COLUMN coupon STRING"))
    with pytest.raises(AirflowSkipException):
        made.execute(context(made))


def test_hostile_comments_neither_template_nor_fill_the_page(context: Context, store: SchemaStore, asked: list[dict[str, Any]]) -> None:
    evil = "{{ 7 * 7 }}<script>alert(1)</script>" + "x" * 4_000
    changes = [RENAME, *(f"ADD COLUMN c{number} STRING COMMENT '{evil}'" for number in range(200))]
    ask(context, operator(plan(context, changes)))
    text = asked[0]["body"]
    assert len(text) < 25_000
    assert "<script>" not in text.partition("```")[0], "but inside a block, where it is text"
    assert "49" not in text.partition("```")[0]


def test_a_page_begins_with_who_asks_however_much_there_is_to_say() -> None:
    text = question_body("line\n" * 100_000, Run("evolve_shop", "ask", "scheduled__1", map_index=2))
    assert len(text) < 21_000
    assert text.startswith(
        "Asked by run `scheduled__1` of `evolve_shop`, index 2. Reject, or no answer in time, writes nothing. The plan is too long"
    )


# ---------------------------------------------------------------- answers


def test_approve_goes_on_and_names_plan_run_and_person(context: Context, store: SchemaStore) -> None:
    told = plan(context)
    answer = answered(context, told, [f"Approve {told['plan'][:12]}"], map_index=1)
    assert {key: answer[key] for key in ("plan", "run_id", "map_index", "responded_by_user", "timed_out")} == {
        "plan": told["plan"], "run_id": "r1", "map_index": 1, "responded_by_user": RAJ, "timed_out": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("chosen", "by", "words"),
    [
        (["Reject"], RAJ, "raj rejected plan"),
        (["Reject"], None, "nobody answered in time"),
        (["Approve 000000000000"], RAJ, "the page showed an earlier question"),
        (["Approve"], RAJ, "the page showed an earlier question"),
        (["Approve", "Reject"], RAJ, "the page showed an earlier question"),
        ([], RAJ, "the page showed an earlier question"),
    ],
)
def test_every_other_answer_fails_for_good_and_is_told(
    chosen: list[str], by: Any, words: str, context: Context, store: SchemaStore
) -> None:
    made = operator(plan(context))
    here = context(made, run_id="r1")
    event = {"chosen_options": chosen, "params_input": {}, "responded_at": WHEN, "responded_by_user": by}
    with pytest.raises(AirflowFailException, match=words):
        made.execute_complete(here, event)
    assert here["ti"].pushed["schema_approval"]["chosen_options"] == chosen


def test_nobody_cannot_approve_even_where_the_button_fits(context: Context, store: SchemaStore) -> None:
    told = plan(context)
    with pytest.raises(AirflowFailException, match="nobody answered in time"):
        answered(context, told, [f"Approve {told['plan'][:12]}"], by=None)


def test_a_question_that_went_wrong_fails_for_good(context: Context, store: SchemaStore) -> None:
    made = operator(plan(context))
    with pytest.raises(AirflowFailException, match="the question was not answered: 'too late'"):
        made.execute_complete(context(made), {"error": "too late", "error_type": "timeout"})


# ---------------------------------------------------------------- from the answer to the table


def evolve(context: Context, plan: Any, approval: Any, **about: Any) -> dict[str, Any]:
    said = {name: about.pop(name) for name in ("approvers",) if name in about}
    with DAG("reports", schedule=None):
        before = operator(plan)
        made = SchemaEvolveOperator(task_id="apply", conn_id="lake", plan=plan, approval=approval, **said)
        EmptyOperator(task_id="forger") >> before >> made
    told: dict[str, Any] = made.execute(context(made, run_id="r1", **about))
    return told


def test_what_was_approved_is_applied_and_the_version_says_by_whom(context: Context, store: SchemaStore) -> None:
    told = plan(context)
    answer = answered(context, told, [f"Approve {told['plan'][:12]}"])
    done = evolve(context, told, answer)
    assert (done["outcome"], done["approval"]) == ("created", "raj")
    past = store.table("shop.orders").latest().provenance
    assert past is not None
    assert past.approval == "raj"


def test_the_answer_of_somebody_who_is_no_approver_is_refused(context: Context, store: SchemaStore) -> None:
    told = plan(context)
    answer = answered(context, told, [f"Approve {told['plan'][:12]}"])
    with pytest.raises(AirflowFailException, match="raj answered, and the approvers are ana, eve"):
        evolve(context, told, answer, approvers="ana, eve")
    assert store.table("shop.orders").latest().number == 0
    assert evolve(context, told, answer, approvers=["ana", {"id": "raj", "name": "Raj"}])["approval"] == "raj"


@pytest.mark.parametrize("task_id", ["forger", "apply", "gone", None])
def test_the_answer_of_a_task_that_asks_nobody_is_refused(task_id: Any, context: Context, store: SchemaStore) -> None:
    told = plan(context)
    answer = answered(context, told, [f"Approve {told['plan'][:12]}"]) | {"task_id": task_id}
    with pytest.raises(AirflowFailException, match="those that ask about plans are: ask"):
        evolve(context, told, answer)
    assert store.table("shop.orders").latest().number == 0


def test_what_nobody_approved_is_refused(context: Context, store: SchemaStore) -> None:
    with pytest.raises(AirflowFailException, match=r"breaks daily_report .* have the plan approved"):
        evolve(context, plan(context), None)


def test_the_approval_of_another_index_is_refused(context: Context, store: SchemaStore) -> None:
    told = plan(context)
    answer = answered(context, told, [f"Approve {told['plan'][:12]}"], map_index=0)
    with pytest.raises(AirflowFailException, match="the answer is of map_index 0"):
        evolve(context, told, answer, map_index=1)


def test_the_approval_of_a_plan_whose_table_moved_on_is_refused(context: Context, store: SchemaStore) -> None:
    told = plan(context)
    answer = answered(context, told, [f"Approve {told['plan'][:12]}"])
    store.table("shop.orders").evolve("ADD COLUMN other INT")
    with pytest.raises(AirflowFailException, match="the plan was made on version 0"):
        evolve(context, told, answer)


def test_a_job_that_came_after_the_answer_is_not_covered_by_it(context: Context, store: SchemaStore) -> None:
    told = plan(context)
    answer = answered(context, told, [f"Approve {told['plan'][:12]}"])
    store.table("shop.orders").register("cust_id BIGINT", consumer="ltv_model", owner="team-ml")
    with pytest.raises(AirflowFailException, match="The plan did not say so when it was made"):
        evolve(context, told, answer)


def test_a_rejected_plan_is_refused_even_if_it_breaks_nobody(context: Context, store: SchemaStore) -> None:
    told = plan(context, "ADD COLUMN coupon STRING")
    rejected = {
        "chosen_options": ["Reject"],
        "plan": told["plan"],
        "dag_id": "reports",
        "run_id": "r1",
        "map_index": -1,
        "responded_by_user": RAJ,
    }
    with pytest.raises(AirflowFailException, match="'Reject', and not 'Approve"):
        evolve(context, told, rejected)
    assert store.table("shop.orders").latest().number == 0


# ---------------------------------------------------------------- who, and mistakes


@pytest.mark.parametrize(
    ("said", "ids"),
    [
        ((), []), (None, []), ("ana", ["ana"]), ("ana, raj", ["ana", "raj"]), ('["ana", "raj"]', ["ana", "raj"]), (["3", 4], ["3", "4"]),
        ({"id": "ana", "name": "Ana"}, ["ana"]),
    ],
    ids=str,
)  # fmt: skip
def test_approvers_may_come_out_of_jinja(said: Any, ids: list[str]) -> None:
    assert [one["id"] for one in read_users(said)] == ids


@pytest.mark.parametrize("said", ["", " ", "None", "[]", "()", "{}", [], {}, ","], ids=repr)
def test_approvers_that_come_out_as_nobody_do_not_let_everybody_answer(said: Any) -> None:
    with pytest.raises(SchemaError, match="approvers") as told:
        read_users(said)
    assert "ids of users" in told.value.fix


@pytest.mark.parametrize("said", [7, b"ana", [None], [{"name": "Ana"}], [""], [True], [["ana"]]], ids=str)
def test_what_names_nobody_is_refused(said: Any) -> None:
    with pytest.raises(SchemaError):
        read_users(said)


@pytest.mark.parametrize("name", ["defaults", "fail_on_reject", "options", "body", "multiple", "ignore_downstream_trigger_rules"])
def test_what_decides_whether_reject_stops_anything_is_not_left_to_an_author(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} cannot be given"):
        operator({}, **{name: ["Approve"]})


@pytest.mark.parametrize("value", [None, "None", "7c1e94a0", [1], {"chosen_options": ["Approve"]}], ids=repr)
def test_what_is_no_plan_is_not_asked_about(value: Any, context: Context, store: SchemaStore) -> None:
    made = operator(value)
    with pytest.raises(AirflowFailException):
        made.execute(context(made))
