"""The guard in runs of a real Airflow: each kind of task is stopped or goes on, once a try, and the log says why where nothing folds it."""

from pathlib import Path
from typing import Any

import pytest

from tests.provider.support.dag_runs import Run, told

DAGS = """
import os
from datetime import timedelta

from airflow.providers.standard.operators.bash import BashOperator
from airflow.providers.standard.triggers.temporal import TimeDeltaTrigger
from airflow.sdk import DAG, BaseOperator, BaseSensorOperator, task, task_group

from airflow_provider_schemas.operators import schema_guard
from airflow_provider_schemas.store import SchemaStore

NEEDS = {"shop.orders": "order_id BIGINT NOT NULL, cust_id BIGINT"}
guard = schema_guard("lake", reads=NEEDS)
ABOUT = {"retries": 2, "retry_delay": timedelta(seconds=0)}

class Waits(BaseOperator):
    "Submits a job and waits for it in the triggerer; meanwhile somebody changes its table."
    def execute(self, context):
        print("SUBMITTED")
        SchemaStore(os.path.join(os.environ["AIRFLOW_HOME"], "lake")).table("shop.orders").evolve(
            "RENAME COLUMN cust_id TO customer_id", run="evolve_shop/1/apply", approval="raj", override="a test")
        self.defer(trigger=TimeDeltaTrigger(timedelta(milliseconds=1)), method_name="done")
    def done(self, context, event=None):
        print("RESUMED")

with DAG("kinds", schedule=None, default_args=ABOUT):
    guard.on(BashOperator(task_id="plain", bash_command="echo RAN"))
    guard.on(BashOperator.partial(task_id="mapped").expand(bash_command=["echo RAN", "echo RAN"]))

    @task(pre_execute=guard)
    def decorated(): print("RAN")
    decorated()

    @task
    def inner(x): print("RAN")

    @task_group
    def each(x):
        guard.on(inner(x))
    each.expand(x=[1, 2])

class Pauses(BaseSensorOperator):
    "Looks until it finds, and gives its place back in between."
    def poke(self, context):
        print("LOOKS")
        return context["ti"].get_first_reschedule_date(context) is not None

with DAG("pauses", schedule=None, default_args=ABOUT):
    guard.on(Pauses(task_id="job", mode="reschedule", poke_interval=0.1, timeout=60))

class Renames(Pauses):
    "Somebody changes its table while it pauses."
    def poke(self, context):
        found = super().poke(context)
        table = SchemaStore(os.path.join(os.environ["AIRFLOW_HOME"], "lake")).table("shop.users")
        if not found and context["ds"] == "2026-03-01":
            table.evolve("RENAME COLUMN user_id TO id", override="a test")
        return found

with DAG("sight", schedule=None, default_args=ABOUT):
    schema_guard("lake", reads=["shop.users"]).on(Renames(task_id="job", mode="reschedule", poke_interval=0.1, timeout=60))

with DAG("waits", schedule=None, default_args=ABOUT):
    guard.on(Waits(task_id="job"))

for outcome in ("warn", "skip"):
    with DAG(outcome, schedule=None, default_args=ABOUT) as dag:
        soft = schema_guard("lake", reads=NEEDS, on_incompatible=outcome)
        soft.on(BashOperator(task_id="job", bash_command="echo RAN"))
    globals()[outcome] = dag

with DAG("part", schedule=None, default_args=ABOUT):
    @task(map_index_template="{{ task.op_kwargs['table'] }}")
    def job(table): print("RAN")
    schema_guard("lake", reads=["{{ task.op_kwargs['table'] }}"]).on(job.expand(table=["shop.orders", "shop.users", "shop.nope"]))

with DAG("storage", schedule=None, default_args={"retries": 1, "retry_delay": timedelta(seconds=0)}):
    schema_guard("broken", reads=NEEDS).on(BashOperator(task_id="job", bash_command="echo RAN"))
"""

STORY = """
import json
os.environ["AIRFLOW_CONN_BROKEN"] = json.dumps({"conn_type": "schema_store", "host": "http://127.0.0.1:9/lake"})
store.create_table("shop.orders", "order_id BIGINT NOT NULL, cust_id BIGINT")
store.create_table("shop.users", "user_id BIGINT NOT NULL")
run("kinds", 0)
run("part", 0)
run("pauses", 0)
run("waits", 0)
run("kinds", 1)
run("waits", 1)
run("warn", 1)
run("skip", 1)
run("part", 1)
run("storage", 1)
for day in (-1, 0, 1): run("sight", day)
"""
TOLD = ("fits", "part", "pauses", "waits", "broken", "waits again", "warn", "skip", "part again", "storage", "green", "went on", "stopped")
TASKS = ("plain", "mapped[0]", "mapped[1]", "decorated", "each.inner[0]", "each.inner[1]")


@pytest.fixture(scope="module")
def story(airflow_database: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    runs: list[Any] = told(tmp_path_factory.mktemp("guards"), airflow_database, STORY, guards=DAGS)
    return dict(zip(TOLD, runs, strict=True))


def ran(run: Run) -> int:
    return sum(line.startswith("RAN") or " RAN  " in line for line in run.log.splitlines())


def test_where_all_fits_every_kind_of_task_runs(story: dict[str, Run]) -> None:
    assert story["fits"].states == dict.fromkeys(TASKS, "success")
    assert ran(story["fits"]) == len(TASKS)
    assert {one["outcome"] for one in story["fits"].verdicts.values()} == {"fits"}
    assert set(story["fits"].verdicts) == set(TASKS)


def test_where_a_table_breaks_them_none_runs_and_none_is_tried_again(story: dict[str, Run]) -> None:
    run = story["broken"]
    assert run.states == dict.fromkeys(TASKS, "failed")
    assert run.tries == dict.fromkeys(TASKS, 1)
    assert ran(run) == 0
    assert {one["outcome"] for one in run.verdicts.values()} == {"fail"}
    assert run.log.count("Marked as success, this task does not run") == len(TASKS)
    assert "lets the tasks behind it run" not in run.log


def test_a_task_whose_table_breaks_while_it_waits_ends_well(story: dict[str, Run]) -> None:
    run = story["waits"]
    assert (run.states, run.tries) == ({"job": "success"}, {"job": 1})
    assert "RESUMED" in run.log
    assert run.verdicts["job"]["tables"]["shop.orders"]["version"] == 0


def test_a_sensor_that_pauses_leaves_its_verdict_behind(story: dict[str, Run]) -> None:
    assert story["pauses"].verdicts["job"]["outcome"] == "fits"
    assert story["green"].verdicts["job"]["tables"]["shop.users"]["seen"]["version"] == 0


def test_what_breaks_it_while_it_pauses_is_warned_of_and_stops_its_next_run(story: dict[str, Run]) -> None:
    assert (story["went on"].states, story["went on"].verdicts["job"]["outcome"]) == ({"job": "success"}, "warn")
    assert story["stopped"].states == {"job": "failed"}


def test_a_sensor_that_pauses_is_asked_about_at_each_look(story: dict[str, Run]) -> None:
    run = story["pauses"]
    assert run.states == {"job": "success"}
    assert run.log.count("LOOKS") > 1
    assert run.log.count("shop.orders v0 fits") == run.log.count("LOOKS")


def test_its_next_run_does_not_begin(story: dict[str, Run]) -> None:
    assert story["waits again"].states == {"job": "failed"}
    assert "SUBMITTED" not in story["waits again"].log


def test_a_guard_that_warns_or_skips_does_that(story: dict[str, Run]) -> None:
    assert (story["warn"].states, ran(story["warn"])) == ({"job": "success"}, 1)
    assert (story["skip"].states, ran(story["skip"])) == ({"job": "skipped"}, 0)


def test_each_of_mapped_tasks_is_asked_about_its_own_table(story: dict[str, Run]) -> None:
    assert story["part"].states == {"job[0]": "success", "job[1]": "success", "job[2]": "failed"}
    assert story["part again"].states == {"job[0]": "failed", "job[1]": "success", "job[2]": "failed"}


def test_a_storage_that_does_not_answer_is_tried_again(story: dict[str, Run]) -> None:
    assert (story["storage"].states, story["storage"].tries) == ({"job": "failed"}, {"job": 2})


# ---------------------------------------------------------------- the log


def open_groups(lines: list[str], words: str) -> set[int]:
    """In how many groups the lines with these words stand."""
    found, inside = set(), 0
    for line in lines:
        inside = inside + 1 if "::group::" in line else max(0, inside - 1) if "::endgroup::" in line else inside
        if words in line:
            found.add(inside)
    return found


@pytest.mark.parametrize(
    ("name", "words"), [("warn", "SCHEMA GATE"), ("skip", "SCHEMA GATE"), ("broken", "SCHEMA GATE"), ("fits", "shop.orders v0 fits")]
)
def test_what_is_said_stands_in_no_group(story: dict[str, Run], name: str, words: str) -> None:
    lines = ["::group::Pre Execute" if "[DAG TEST] running task" in line else line for line in story[name].log.splitlines()]
    assert open_groups(lines, words) == {0}


def test_the_block_comes_after_everything_that_airflow_says_of_the_failure(story: dict[str, Run]) -> None:
    lines = story["waits again"].log.splitlines()
    block = next(number for number, line in enumerate(lines) if "SCHEMA GATE" in line)
    failed = [number for number, line in enumerate(lines) if "Task failed with exception" in line or "Traceback" in line]
    assert failed
    assert max(failed) < block
    assert "cust_id is now customer_id" in "\n".join(lines[block:]) or "FIELD_RENAMED" in "\n".join(lines[block:])
