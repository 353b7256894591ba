"""Whether an answer lets somebody apply a plan: exactly Approve, by somebody, to this plan, in this run. Every other answer does not."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from airflow_provider_schemas.errors import PlanError
from airflow_provider_schemas.tasks.change.approvals import ApprovalTerms, answer_entry, approve_option, asking_run, check_approval
from airflow_provider_schemas.tasks.change.make_plan import GivenPlan
from airflow_provider_schemas.tasks.task_run import Run

DIGEST, OTHER = "7c1e94a0" * 8, "9f3c0b12" * 8
RUN = Run("evolve_shop", "schema_evolution.apply", "scheduled__1", map_index=1)
ASKED = Run("evolve_shop", "schema_evolution.ask", "scheduled__1", map_index=1)
WANTED = ApprovalTerms(DIGEST, RUN)
WHEN = datetime(2026, 11, 18, 9, 14, tzinfo=UTC)


def given(**about: Any) -> dict[str, Any]:
    """The answer of raj to the plan, with something else about it."""
    event = {"chosen_options": [approve_option(DIGEST)], "responded_by_user": {"id": "3", "name": "raj"}, "responded_at": WHEN}
    return answer_entry(event, plan=GivenPlan(DIGEST, "shop.orders"), run=ASKED) | about


def test_approve_by_somebody_names_who_it_was() -> None:
    assert check_approval(given(), WANTED) == "raj (3)"
    assert check_approval(given(responded_by_user={"id": "raj", "name": "raj"}), WANTED) == "raj"
    assert asking_run(given()) == "evolve_shop/scheduled__1/schema_evolution.ask[1]"


def test_an_answer_may_come_as_text_out_of_jinja() -> None:
    assert check_approval(str(given()), WANTED) == "raj (3)"


@pytest.mark.parametrize("nothing", [None, "", "None"], ids=repr)
def test_where_nobody_was_asked_nobody_has_approved(nothing: Any) -> None:
    assert check_approval(nothing, WANTED) == ""
    assert asking_run(nothing) == ""


STOCK = {
    "chosen_options": ["Approve"],
    "params_input": {},
    "responded_at": "2026-11-18T09:14:00Z",
    "responded_by_user": {"id": "3", "name": "raj"},
}


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (STOCK, "stock"),
        ("raj", "none"),
        (True, "none"),
        (["Approve"], "none"),
        ({}, "stock"),
        (given(plan=None), "stock"),
        (given(plan=OTHER), "other-plan"),
        (given(plan=DIGEST[:12]), "other-plan"),
        (given(dag_id="another"), "other-run"),
        (given(run_id="scheduled__2"), "other-run"),
        (given(map_index=0), "other-run"),
        (given(map_index=-1), "other-run"),
        (given(map_index="1"), "other-run"),
        (given(responded_by_user=None), "nobody"),
        (given(responded_by_user={}), "nobody"),
        (given(responded_by_user={"id": " ", "name": ""}), "nobody"),
        (given(responded_by_user="raj"), "nobody"),
        (given(chosen_options=["Reject"]), "not-approved"),
        (given(chosen_options=["Approve"]), "not-approved"),
        (given(chosen_options=[approve_option(OTHER)]), "not-approved"),
        (given(chosen_options=[approve_option(DIGEST), "Reject"]), "not-approved"),
        (given(chosen_options=approve_option(DIGEST)), "not-approved"),
        (given(chosen_options=[]), "not-approved"),
        (given(chosen_options=None), "not-approved"),
    ],
)
def test_every_other_answer_lets_nothing_through(value: Any, code: str) -> None:
    with pytest.raises(PlanError) as raised:
        check_approval(value, WANTED)
    assert raised.value.code == f"approval.{code}"
    assert "Nothing was written." in str(raised.value)
    assert raised.value.fix


def refusal(value: Any, **about: Any) -> PlanError:
    with pytest.raises(PlanError) as raised:
        check_approval(value, ApprovalTerms(DIGEST, RUN, **about))
    return raised.value


def test_only_an_approver_approves() -> None:
    assert check_approval(given(), ApprovalTerms(DIGEST, RUN, ("7", "3"))) == "raj (3)"
    for other in ("ana", "raj", "33"):
        assert refusal(given(), approvers=(other,)).code == "approval.not-an-approver", "ids count, and not names"
    assert "raj (3) answered, and the approvers are ana, eve." in str(refusal(given(), approvers=("ana", "eve")))


def test_the_answer_of_a_task_that_does_not_ask_is_none() -> None:
    assert check_approval(given(), ApprovalTerms(DIGEST, RUN, askers={"schema_evolution.ask"})) == "raj (3)"
    for value in (given(task_id="forged"), given(task_id=None), {key: one for key, one in given().items() if key != "task_id"}):
        assert refusal(value, askers={"schema_evolution.ask"}).code == "approval.other-task"
    assert "those that ask about plans are: none" in str(refusal(given(), askers=()))


def test_what_xcom_is_told_of_an_answer_is_plain() -> None:
    told = given()
    assert told["responded_at"] == "2026-11-18T09:14:00+00:00"
    assert (told["plan"], told["table"], told["map_index"], told["timed_out"]) == (DIGEST, "shop.orders", 1, False)


@pytest.mark.parametrize("event", [{}, {"chosen_options": ["Reject"], "responded_by_user": None, "responded_at": None}])
def test_no_answer_is_told_as_that(event: Mapping[str, Any]) -> None:
    assert answer_entry(event, plan=GivenPlan(DIGEST, "shop.orders"), run=ASKED)["timed_out"]
