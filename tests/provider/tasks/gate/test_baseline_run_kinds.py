"""What a gate without a contract compares with, run after run: dated, undated, mapped, of another bundle, failed, cleared, marked."""

from collections.abc import Mapping
from typing import Any

import pytest

from airflow_provider_schemas.tasks.gate import task_history
from airflow_provider_schemas.tasks.gate.arguments import VERDICT
from airflow_provider_schemas.tasks.gate.baseline import TaskBaseline, find_baseline
from airflow_provider_schemas.tasks.gate.earlier_verdicts import StoreBranch
from airflow_provider_schemas.tasks.gate.task_history import push_verdict
from airflow_provider_schemas.tasks.task_run import bundle_version
from tests.provider.support.task_instances import Instance, Kept

LAKE = StoreBranch("lake")
ORDERS = "shop.orders"
USERS = "shop.users"


class Task:
    """A task that runs now and then, and the versions that its tables have while it does."""

    def __init__(self, kept: Kept) -> None:
        self.kept, self.now = kept, 0

    def run(self, day: int | None, version: int, *tables: str, ends: str = "success", **about: Any) -> int | None:
        """Run once, with the tables at this version; the version of the first table that it was judged against."""
        names = tables or (ORDERS,)
        found = self.looks(day, version, *names, ends=ends, **about).since.get(names[0])
        return None if found is None else found[0]

    def looks(self, day: int | None, version: int, *tables: str, ends: str = "success", **about: Any) -> TaskBaseline:
        self.now += 1
        instance = self.kept.begin(day, now=self.now, **about)
        found = find_baseline(instance, tables, LAKE)
        outcome = "fits" if ends == "success" else "fail"
        push_verdict(instance, self._verdict(instance, found, dict.fromkeys(tables, version), outcome), is_baseline=True)
        instance.ends(ends)
        return found

    def _verdict(self, instance: Instance, found: TaskBaseline, tables: Mapping[str, int], outcome: str) -> dict[str, Any]:
        about = {table: {"seen": _seen(version)} for table, version in tables.items()}
        for table, (version, *_) in found.since.items():
            about[table]["before"] = _seen(version)
        at = {"at": f"2026-04-01T00:{self.now:02}:00", "map_index": instance.map_index, "bundle": bundle_version(instance)}
        return {"run": instance.run_id, "after": found.after, "outcome": outcome, "tables": about, **at}

    def mark(self, state: str, *, index: int = -1) -> None:
        """Give the last run another state, as a person does."""
        list(self.kept.runs.values())[-1].states[index] = state


def _seen(version: int) -> dict[str, Any]:
    return {"version": version, "digest": f"{version:064}"}


@pytest.fixture(params=[False, True], ids=["undated last", "undated first"])
def task(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Task:
    """A task that never ran, on each kind of database."""
    made = Kept(undated_first=request.param)
    monkeypatch.setattr(task_history, "XCom", made)
    return Task(made)


# ---------------------------------------------------------------- runs with a date


def test_a_run_is_judged_against_what_the_last_green_one_saw(task: Task) -> None:
    assert task.run(0, 0) is None
    assert task.run(1, 0) == 0
    assert task.run(2, 1) == 0
    assert task.run(3, 2) == 1


def test_what_a_failed_run_saw_does_not_count_until_it_is_marked_as_success(task: Task) -> None:
    task.run(0, 0)
    for day in (1, 2, 3):
        assert task.run(day, 1, ends="failed") == 0
    task.mark("success")
    assert task.run(4, 2) == 1


def test_a_first_run_that_failed_has_seen_nothing(task: Task) -> None:
    task.run(0, 0, ends="failed")
    assert task.run(1, 1) is None


def test_an_earlier_date_is_judged_against_what_was_seen_last_by_the_clock(task: Task) -> None:
    for day, version in ((0, 0), (1, 1), (2, 2)):
        task.run(day, version)
    assert task.run(-400, 3) == 2
    assert task.run(1, 3, run_id="again") == 2


def test_a_run_that_is_cleared_is_judged_against_what_it_was_judged_against_before(task: Task) -> None:
    task.run(0, 0)
    task.run(1, 1, run_id="cleared")
    assert task.run(1, 1, run_id="cleared") == 0


def test_what_a_later_run_saw_counts_for_one_that_is_cleared(task: Task) -> None:
    task.run(0, 0, run_id="cleared")
    task.run(1, 1)
    assert task.run(0, 2, run_id="cleared") == 1


def test_a_bundle_of_an_older_version_is_judged_against_what_its_own_runs_saw(task: Task) -> None:
    task.run(0, 0, bundle="c1")
    task.run(5, 5, bundle="c2")
    assert task.run(1, 6, bundle="c1") == 0
    assert task.run(2, 6, bundle="c2") == 6  # the run before it has seen it
    assert task.run(6, 6, bundle="c3") == 5


def test_a_table_that_some_runs_did_not_ask_about_is_found_further_back(task: Task) -> None:
    task.run(0, 3, ORDERS)
    for day in range(1, 9):
        task.run(day, 0, USERS)
    found = task.looks(9, 4, ORDERS, USERS)
    assert {table: version for table, (version, *_) in found.since.items()} == {ORDERS: 3, USERS: 0}
    runs = list(task.kept.runs)
    assert [found.runs[table] for table in (ORDERS, USERS)] == [runs[0], runs[8]]


def test_a_table_that_too_many_runs_did_not_ask_about_is_new(task: Task) -> None:
    task.run(0, 3, ORDERS)
    for day in range(1, 15):
        task.run(day, 0, USERS)
    assert task.run(15, 4, ORDERS) is None


# ---------------------------------------------------------------- runs without a date


def test_runs_without_a_date_are_told_apart_by_the_clock(task: Task) -> None:
    assert [task.run(None, version) for version in (0, 1, 2)] == [None, 0, 1]
    assert task.run(None, 3, ends="failed") == 2
    assert task.run(None, 3) == 2


def test_runs_with_and_without_a_date_see_what_the_other_saw(task: Task) -> None:
    task.run(0, 0)
    assert task.run(None, 1) == 0
    assert task.run(1, 2) == 1
    assert task.run(None, 3) == 2
    assert task.run(None, 4) == 3
    assert task.run(-1, 5) == 4


def test_the_first_run_with_a_date_sees_what_those_without_saw(task: Task) -> None:
    task.run(None, 0)
    task.run(None, 1)
    assert task.run(0, 2) == 1
    assert task.run(900, 3) == 2


def test_what_a_run_without_a_date_saw_and_failed_counts_for_nobody(task: Task) -> None:
    task.run(0, 0)
    assert task.run(None, 1, ends="failed") == 0
    assert task.run(1, 1, ends="failed") == 0
    assert task.run(None, 1) == 0
    task.mark("success")
    assert task.run(2, 1) == 1


@pytest.mark.parametrize("strange", ["a text", 7, ["a list"], {}, {"run": None}, {"run": 7, "run_after": "0"}], ids=str)
@pytest.mark.parametrize("key", ["schema_verdict_later", "schema_verdict_undated"])
def test_a_mark_that_somebody_else_left_says_nothing(task: Task, key: str, strange: Any) -> None:
    task.run(0, 0, run_id="green")
    task.kept.set(key=key, value=strange, task_id="gate", run_id="green")
    assert task.run(1, 1) == 0
    assert task.run(None, 2) == 1


# ---------------------------------------------------------------- mapped tasks


def each(task: Task, day: int | None, versions: Mapping[int, int], *, ends: str = "success") -> list[int | None]:
    """Run each map index for one table of its own, which has this version; what each was judged against."""
    return [task.run(day, version, f"shop.t{index}", index=index, ends=ends, run_id=f"run {day}") for index, version in versions.items()]


def test_each_index_of_a_mapped_task_has_a_baseline_of_its_own(task: Task) -> None:
    assert each(task, 0, {0: 10, 1: 20, 2: 30}) == [None, None, None]
    assert each(task, 1, {0: 11, 1: 21, 2: 31}) == [10, 20, 30]
    assert each(task, 2, {2: 32, 0: 12, 1: 22}) == [31, 11, 21]


def test_one_index_that_failed_keeps_its_baseline_and_the_others_move_on(task: Task) -> None:
    each(task, 0, {0: 10, 1: 20})
    assert each(task, 1, {0: 11}, ends="failed") == [10]
    assert each(task, 1, {1: 21}) == [20]
    assert each(task, 2, {0: 12, 1: 22}) == [10, 21]


def test_a_table_is_found_again_at_whatever_index_it_was(task: Task) -> None:
    task.run(0, 10, ORDERS, index=0, run_id="first")
    task.run(0, 20, USERS, index=1, run_id="first")
    assert task.run(1, 11, USERS, index=0, run_id="second") == 20
    assert task.run(1, 21, ORDERS, index=1, run_id="second") == 10


def test_the_same_table_at_two_indexes_is_each_ones_own(task: Task) -> None:
    """What an index saw itself comes before what others saw later."""
    task.run(0, 10, ORDERS, index=0, run_id="first")
    task.run(0, 20, ORDERS, index=1, run_id="first")
    assert task.run(1, 30, ORDERS, index=0, run_id="second") == 10
    assert task.run(1, 30, ORDERS, index=1, run_id="second") == 20


def test_an_index_that_is_new_sees_what_another_saw_of_its_table(task: Task) -> None:
    task.run(0, 10, ORDERS, index=0, run_id="first")
    assert task.run(1, 11, ORDERS, index=0, run_id="second") == 10
    assert task.run(1, 11, USERS, index=1, run_id="second") is None


def test_mapped_runs_without_a_date_have_baselines_of_their_own_too(task: Task) -> None:
    for number, judged in enumerate(([None, None], [10, 20], [11, 21])):
        found = [task.run(None, 10 * index + number, f"shop.t{index}", index=index, run_id=f"run {number}") for index in (1, 2)]
        assert found == judged


def test_mapped_runs_with_and_without_a_date_see_what_the_other_saw(task: Task) -> None:
    for number, (day, judged) in enumerate(((0, [None, None]), (None, [10, 20]), (1, [11, 21]), (None, [12, 22]))):
        found = [task.run(day, 10 * index + number, f"shop.t{index}", index=index, run_id=f"run {number}") for index in (1, 2)]
        assert found == judged


def test_an_index_that_was_not_there_in_the_newest_runs_without_a_date_is_found_before_them(task: Task) -> None:
    task.run(None, 10, USERS, index=1)
    for version in range(12):
        task.run(None, version, ORDERS, index=0)
    assert task.run(0, 11, USERS, index=1) == 10


# ---------------------------------------------------------------- where a run leaves its verdict


def test_a_run_with_a_date_leaves_its_verdict_and_no_mark(task: Task) -> None:
    task.run(0, 0)
    task.run(1, 1)
    assert {key for run in task.kept.runs.values() for _, key, _ in run.xcoms} == {VERDICT}


def test_a_run_without_a_date_leaves_a_mark_at_the_last_green_run_that_has_one(task: Task) -> None:
    task.run(0, 0, run_id="green")
    task.run(1, 1, run_id="red", ends="failed")
    task.run(None, 2, run_id="undated")
    keys = {run_id: {key for _, key, _ in run.xcoms} for run_id, run in task.kept.runs.items()}
    undated = {VERDICT, "schema_verdict_undated"}
    assert keys == {"green": {VERDICT, "schema_verdict_later"}, "red": {VERDICT}, "undated": undated}
    (_, mark) = task.kept.runs["green"].xcoms["gate", "schema_verdict_later", -1]
    assert (mark["run"], mark["after"]) == ("undated", "red")


def test_a_verdict_that_rests_on_contracts_leaves_no_mark(task: Task) -> None:
    task.run(0, 0)
    instance = task.kept.begin(None, now=9, run_id="undated")
    push_verdict(instance, {"at": "2026", "after": ""}, is_baseline=False)
    assert {key for _, key, _ in task.kept.runs["undated"].xcoms} == {VERDICT}
