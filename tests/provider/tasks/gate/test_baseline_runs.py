"""Without a contract a table is judged against what the task saw when it was last green: in runs of a real Airflow, of every kind."""

from pathlib import Path
from typing import Any

import pytest

from tests.provider.support.dag_runs import Run, told

DAGS = """
from airflow.sdk import DAG, task
from airflow_provider_schemas.operators import SchemaGateOperator

for kind in ("dated", "undated", "mixed", "warned", "skipped", "cleared", "guarded", "widened", "mix", "accepted", "late", "backward"):
    with DAG(kind, schedule=None, default_args={"conn_id": "lake"}) as dag:
        outcome = {"warned": "warn", "skipped": "skip"}.get(kind, "fail")
        SchemaGateOperator(task_id="gate", reads=["shop.orders"], on_incompatible=outcome)
    globals()[kind] = dag
with DAG("mapped", schedule=None, default_args={"conn_id": "lake"}):
    @task
    def tables(dag_run): return dag_run.conf["tables"]
    SchemaGateOperator.partial(task_id="gate").expand(reads=tables())
"""

START = """
store.create_table("shop.orders", "order_id BIGINT NOT NULL, c BIGINT, amount DECIMAL(10, 2)")
store.create_table("shop.users", "user_id BIGINT NOT NULL, country STRING")
table = store.table("shop.orders")
def change(text): table.evolve(text, override="a test")
def rename(old, new): change(f"RENAME COLUMN {old} TO {new}")
"""

STORY = """
for day in (0, 1): run("dated", day)
rename("c", "d")
run("dated", 2)
accepted = run("dated", 3)
mark(accepted)
run("dated", 4)
run("dated", 1)
run("dated", -400)
rename("d", "e")
for day in (5, 6, 2): run("dated", day)

for _ in range(2): run("undated")
rename("e", "f")
for _ in range(2): accepted = run("undated")
mark(accepted)
run("undated")

run("mixed", 0)
rename("f", "g")
run("mixed")
mark(run("mixed", 1))
run("mixed")

run("warned", 0)
rename("g", "h")
for day in (1, 2): run("warned", day)
rename("h", "g")
run("warned", 3)

run("skipped", 0)
rename("g", "h")
accepted = run("skipped", 1)
mark(accepted)
run("skipped", 2)

run("widened", 0)
change("ADD COLUMN coupon STRING")
run("widened", 1)

mark(run("cleared", 0), "queued")
rename("h", "i")
run("cleared", 1)
mark(run("guarded", 0), "failed")
rename("i", "j")
run("guarded", 1)

def each(day, *tables): return run("mapped", day, {"tables": list(tables)})
each(0, "shop.orders", "shop.users")
each(1, "shop.users", "shop.orders")
rename("j", "k")
each(2, "shop.users", "shop.orders")
accepted = each(3, "shop.orders", "shop.users")
mark(accepted)
each(4, "shop.users", "shop.orders")
each(5, "shop.users")
rename("k", "l")
each(6, "shop.users", "shop.users", "shop.orders")

run("mix", 0)
change("ADD COLUMN extra STRING")
run("mix")
change("DROP COLUMN extra")
run("mix")

run("accepted", 0)
run("accepted")
rename("l", "m")
for _ in range(2): stopped = run("accepted")
mark(stopped)
for _ in range(2): run("accepted")
run("accepted", 1)

run("late")
change("ADD COLUMN extra STRING")
run("late")
change("DROP COLUMN extra")
for day in (0, 900): run("late", day)

run("backward", 0)
change("ADD COLUMN extra STRING")
run("backward")
change("DROP COLUMN extra")
for day in (1, -1): run("backward", day)
"""

RUNS = {"dated": 10, "undated": 5, "mixed": 4, "warned": 4, "skipped": 3, "widened": 2, "cleared": 2, "guarded": 2, "mapped": 7}
RUNS |= {"mix": 3, "accepted": 7, "late": 4, "backward": 4}


@pytest.fixture(scope="module")
def story(airflow_database: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Run]]:
    runs: Any = iter(told(tmp_path_factory.mktemp("sights"), airflow_database, START + STORY, sights=DAGS))
    return {kind: [next(runs) for _ in range(many)] for kind, many in RUNS.items()}


def ends(runs: list[Run]) -> list[str]:
    return [run.states["gate"] for run in runs]


def seen(run: Run, task: str = "gate") -> tuple[Any, Any]:
    """The version that counts if the task is green, and the one that does if it is not."""
    said = run.verdicts[task]["tables"]["shop.orders"]
    return said.get("seen", {}).get("version"), said.get("before", {}).get("version")


def test_what_breaks_readers_stops_it_until_a_person_marks_it_as_success(story: dict[str, list[Run]]) -> None:
    first, second, breaks, again, after, *_ = story["dated"]
    assert ends([first, second, breaks, again, after]) == ["success", "success", "failed", "failed", "success"]
    assert [seen(one) for one in (first, second, breaks, again, after)] == [(0, None), (0, 0), (1, 0), (1, 0), (1, 1)]
    assert "seen for the first time: judged from now on by what comes after version 0" in first.log
    assert "as in manual__" in second.log


def test_a_run_that_is_cleared_and_a_backfill_are_judged_by_what_was_seen_last_by_the_clock(story: dict[str, list[Run]]) -> None:
    *_, cleared, backfill, _, _, _ = story["dated"]
    assert ends([cleared, backfill]) == ["success", "success"]
    assert [seen(cleared), seen(backfill)] == [(1, 1), (1, 1)]


def test_and_they_are_stopped_like_any_other(story: dict[str, list[Run]]) -> None:
    assert ends(story["dated"][-3:]) == ["failed", "failed", "failed"]


def test_runs_without_a_date_are_told_apart_by_the_clock(story: dict[str, list[Run]]) -> None:
    assert ends(story["undated"]) == ["success", "success", "failed", "failed", "success"]
    assert [after - before for after, before in map(seen, story["undated"][1:])] == [0, 1, 1, 0]


def test_runs_with_and_without_a_date_see_what_the_other_saw(story: dict[str, list[Run]]) -> None:
    assert ends(story["mixed"]) == ["success", "failed", "failed", "success"]


def test_what_a_run_without_a_date_saw_counts_for_the_next_one_though_others_have_dates(story: dict[str, list[Run]]) -> None:
    assert ends(story["mix"]) == ["success", "success", "failed"]
    seen_first, seen_last = seen(story["mix"][1]), seen(story["mix"][2])
    assert seen_last[1] == seen_first[0]


def test_a_run_without_a_date_that_is_marked_as_success_is_seen_by_those_with_and_without(story: dict[str, list[Run]]) -> None:
    assert ends(story["accepted"]) == ["success", "success", "failed", "failed", "success", "success", "success"]


def test_the_first_run_with_a_date_sees_what_those_without_saw(story: dict[str, list[Run]]) -> None:
    assert ends(story["late"]) == ["success", "success", "failed", "failed"]


def test_a_run_of_an_earlier_date_sees_what_a_later_one_without_a_date_saw(story: dict[str, list[Run]]) -> None:
    assert ends(story["backward"]) == ["success", "success", "failed", "failed"]


def test_a_warning_is_repeated_until_it_is_no_more(story: dict[str, list[Run]]) -> None:
    assert ends(story["warned"]) == ["success"] * 4
    assert [run.verdicts["gate"]["outcome"] for run in story["warned"]] == ["fits", "warn", "warn", "fits"]


def test_a_skip_is_accepted_like_a_failure(story: dict[str, list[Run]]) -> None:
    assert ends(story["skipped"]) == ["success", "skipped", "success"]


def test_what_no_reader_notices_stops_nothing_and_is_seen(story: dict[str, list[Run]]) -> None:
    assert ends(story["widened"]) == ["success", "success"]
    after, before = seen(story["widened"][1])
    assert after == before + 1


def test_a_run_that_was_cleared_and_has_not_ended_counts_as_what_it_was(story: dict[str, list[Run]]) -> None:
    assert ends(story["cleared"]) == ["success", "failed"]


def test_what_a_guard_saw_counts_also_where_the_job_failed_behind_it(story: dict[str, list[Run]]) -> None:
    assert ends(story["guarded"]) == ["success", "failed"]
    assert seen(story["guarded"][1])[1] == seen(story["guarded"][0])[0]


def test_of_a_mapped_task_a_table_is_found_again_at_whatever_index(story: dict[str, list[Run]]) -> None:
    states = [[one.states[task] for task in sorted(one.states) if "gate" in task] for one in story["mapped"]]
    assert states[:5] == [
        ["success", "success"],
        ["success", "success"],
        ["success", "failed"],
        ["failed", "success"],
        ["success", "success"],
    ]
    assert states[5:] == [["success"], ["success", "success", "failed"]]
