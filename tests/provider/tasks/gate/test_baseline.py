"""What a task saw when it was last green, from what Airflow keeps of it: which run counts, and what is no answer."""

from typing import Any

import pytest

from airflow_provider_schemas.errors import StorageError
from airflow_provider_schemas.tasks.gate.arguments import VERDICT
from airflow_provider_schemas.tasks.gate.baseline import find_baseline
from airflow_provider_schemas.tasks.gate.earlier_verdicts import StoreBranch
from airflow_provider_schemas.tasks.task_run import bundle_version

DIGEST = "a" * 64
LAKE = StoreBranch("lake")


def verdict(
    run: str, version: int, *, at: str, before: int | None = None, bundle: str = "", after: str = "", **more: Any
) -> dict[str, Any]:
    """What a run left behind that saw one version of shop.orders."""
    table: dict[str, Any] = {"seen": {"version": version, "digest": DIGEST}}
    if before is not None:
        table["before"] = {"version": before, "digest": DIGEST}
    tables = more.pop("tables", {"shop.orders": table})
    about = {"outcome": "fits", "map_index": -1, **more}
    return {"run": run, "at": at, "bundle": bundle, "after": after, "tables": tables, **about}


class Bundle:
    def __init__(self, version: str | None) -> None:
        self.version = version


class Airflow:
    """A task instance, and what Airflow answers it: the verdict that is newest by date, verdicts by run, states, the newest green run."""

    dag_id, task_id, run_id, map_index = "reports", "gate", "now", -1

    def __init__(self, newest: Any = None, green: str = "", bundle: str | None = None, **states: str) -> None:
        self.newest, self.green, self.states, self.runs = newest, green, states, dict[str, Any]()
        self.bundle_instance = Bundle(bundle)
        if isinstance(newest, dict):
            self.knows(newest)

    def knows(self, *verdicts: dict[str, Any]) -> "Airflow":
        self.runs |= {one["run"]: one for one in verdicts}
        return self

    def xcom_pull(self, *, key: str, include_prior_dates: bool = False, run_id: str = "", map_indexes: Any = None) -> Any:
        if key != VERDICT:  # no run without a date came after one that has one
            return None
        return self.newest if include_prior_dates else self.runs.get(run_id)

    def get_previous_ti(self, **_: Any) -> Any:
        return type("Previous", (), {"run_id": self.green}) if self.green else None

    def get_task_states(self, *, dag_id: str, task_ids: list[str], run_ids: list[str]) -> Any:
        assert (dag_id, task_ids) == ("reports", ["gate"])
        return {run: {"gate": self.states.get(run, "success")} for run in run_ids}


def seen(airflow: Airflow) -> int | None:
    found = find_baseline(airflow, ["shop.orders"], LAKE).since.get("shop.orders")
    return None if found is None else found[0]


def test_a_task_that_never_ran_has_seen_nothing() -> None:
    sight = find_baseline(Airflow(), ["shop.orders"], LAKE)
    assert (sight.since, sight.after, sight.forgotten) == ({}, "", False)


@pytest.mark.parametrize(
    ("state", "version"),
    [("success", 5), ("failed", 3), ("skipped", 3), ("upstream_failed", 3), ("queued", 3), ("running", 3), ("up_for_retry", 3)],
)
def test_a_green_run_counts_with_what_it_saw_and_any_other_with_what_was_seen_before(state: str, version: int) -> None:
    assert seen(Airflow(verdict("last", 5, before=3, at="2"), last=state)) == version


@pytest.mark.parametrize(("state", "outcome", "version"), [("queued", "fits", 5), ("queued", "fail", None), ("failed", "fits", None)])
def test_a_first_run_counts_only_as_far_as_it_may_have_been_green(state: str, outcome: str, version: int | None) -> None:
    assert seen(Airflow(verdict("last", 5, at="2", outcome=outcome), last=state)) == version


def test_of_the_run_before_by_date_and_the_last_green_one_the_later_by_the_clock_counts() -> None:
    march, today = verdict("march", 3, at="1"), verdict("today", 9, at="2")
    assert seen(Airflow(march, green="today").knows(today)) == 9
    assert seen(Airflow(today, green="march").knows(march)) == 9


def test_code_of_an_older_bundle_is_judged_by_what_a_run_before_it_saw() -> None:
    march, today = verdict("march", 3, at="1", bundle="c1"), verdict("today", 9, at="2", bundle="c9")
    assert seen(Airflow(march, green="today", bundle="c1").knows(today)) == 3
    assert seen(Airflow(march, green="today", bundle="c9").knows(today)) == 9
    assert seen(Airflow(march, green="today", bundle="c5").knows(today)) == 3


def test_a_table_that_the_last_runs_did_not_ask_about_is_looked_for_further_back() -> None:
    runs = [verdict(f"r{number}", 0, at=str(number), after=f"r{number - 1}", tables={}) for number in range(2, 8)]
    airflow = Airflow(runs[-1]).knows(*runs, verdict("r1", 4, at="1"))
    assert seen(airflow) == 4
    assert find_baseline(airflow, ["shop.orders"], LAKE).after == "r7"


def test_a_chain_of_runs_that_has_no_end_is_left_in_the_end() -> None:
    one, other = verdict("a", 0, at="1", after="b", tables={}), verdict("b", 0, at="1", after="a", tables={})
    assert seen(Airflow(one).knows(other)) is None


@pytest.mark.parametrize(
    ("about", "known"), [({"conn_id": "lake", "branch": "main"}, True), ({"conn_id": "sea"}, False), ({"branch": "dev"}, False)]
)
def test_a_table_of_the_same_name_somewhere_else_is_another(about: dict[str, str], known: bool) -> None:
    table = {"seen": {"version": 5, "digest": DIGEST}, **about}
    assert (seen(Airflow(verdict("last", 5, at="1", tables={"shop.orders": table}))) == 5) is known


def test_what_was_purged_is_told_as_that() -> None:
    assert find_baseline(Airflow(green="last"), ["shop.orders"], LAKE).forgotten


@pytest.mark.parametrize(
    "strange",
    [
        "a text",
        ["a list"],
        {"run": 7},
        {"run": "r", "tables": 5},
        {"run": "r", "tables": {"shop.orders": 5}},
        {"run": "r", "tables": {"shop.orders": {"seen": {"version": "x", "digest": 5}}}},
        {"run": None, "tables": {"shop.orders": {"seen": None}}},
    ],
    ids=str,
)
def test_what_somebody_else_pushed_under_that_name_is_nothing_seen(strange: Any) -> None:
    airflow = Airflow()
    airflow.newest, airflow.runs["r"] = strange, strange
    assert seen(airflow) is None


def test_a_backend_that_has_lost_a_value_is_an_error_and_no_first_sight() -> None:
    class Lost(Airflow):
        def xcom_pull(self, **_: Any) -> Any:
            raise FileNotFoundError("s3://xcoms/reports/gate")

    with pytest.raises(StorageError, match="cannot be read") as told:
        seen(Lost())
    assert told.value.fix


def test_a_bundle_without_versions_has_none() -> None:
    assert (bundle_version(Airflow()), bundle_version(Airflow(bundle="c1")), bundle_version(object())) == ("", "c1", "")
