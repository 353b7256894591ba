"""Gates before jobs, mapped and in mapped task groups, run by the real scheduler; and what is left behind of one that failed."""

import pytest

from airflow_provider_schemas.store import SchemaStore
from tests.system.support.lakes import RENAME
from tests.system.support.rest import DagRun, Place, Rest
from tests.system.support.waiting import until

pytestmark = pytest.mark.system

TABLES = range(3)
BROKEN = 1


@pytest.fixture
def states(conn: str, runs: dict[str, DagRun]) -> dict[Place, str]:
    return runs[f"gate_{conn}"].ended()


def of_group(group: str, states: dict[Place, str]) -> dict[str, list[str]]:
    return {task: [states[f"{group}.{task}", index] for index in TABLES] for task in ("gate", "job", "after")}


def test_only_the_job_of_the_table_that_does_not_fit_does_not_run(states: dict[Place, str]) -> None:
    assert of_group("failing", states) == {
        "gate": ["success", "failed", "success"],
        "job": ["success", "upstream_failed", "success"],
        "after": ["success", "upstream_failed", "success"],
    }


def test_a_gate_that_skips_has_its_job_skipped(runs: dict[str, DagRun]) -> None:
    stopped = ["success", "skipped", "success"]
    assert of_group("skipping", runs["skip"].ended()) == {"gate": stopped, "job": stopped, "after": stopped}


@pytest.mark.parametrize("rule", ["all_success", "none_failed", "none_failed_min_one_success"])
def test_a_job_behind_a_mapped_gate_waits_for_all_of_it(rule: str, states: dict[Place, str]) -> None:
    assert [states["gate", index] for index in TABLES] == ["success", "failed", "success"]
    assert states[f"job_{rule}", -1] == "upstream_failed"


def test_a_job_whose_rule_walks_past_a_gate_is_named_in_the_log_of_the_gate(runs: dict[str, DagRun]) -> None:
    run = runs["skip"]
    states = run.ended()
    assert (states["gate", BROKEN], states["job_that_walks_past", -1]) == ("skipped", "success")
    assert [line for line in run.log("gate", BROKEN) if "GATE_BYPASSED: job_that_walks_past" in line]


STOPPING = pytest.mark.parametrize(
    ("dag", "gate", "outcome"),
    [("gate_lake", "failing.gate", "fail"), ("gate_lake_s3", "failing.gate", "fail"), ("skip", "skipping.gate", "skip")],
    ids=["fail", "fail on S3", "skip"],
)


@STOPPING
def test_a_gate_that_stops_leaves_its_verdict_and_is_not_tried_again(dag: str, gate: str, outcome: str, runs: dict[str, DagRun]) -> None:
    run = runs[dag]
    run.ended()
    found = [run.xcom(gate, "schema_verdict", index) for index in TABLES]
    assert [verdict["outcome"] for verdict in found] == ["fits", outcome, "fits"]
    broken = found[BROKEN]["tables"]["gated.broken"]
    assert (broken["version"], broken["fits"], broken["findings"][0]["rule"]) == (1, False, "EXPECT_FIELD_RENAMED")
    assert run.attempts(gate, BROKEN) == 1


@STOPPING
def test_the_log_of_a_gate_that_stopped_ends_with_the_reason_and_the_way_out(
    dag: str, gate: str, outcome: str, runs: dict[str, DagRun]
) -> None:
    run = runs[dag]
    run.ended()
    log = run.log(gate, BROKEN)
    while log[-1].startswith("::endgroup::"):  # Airflow's own
        log.pop()
    begins = [number for number, line in enumerate(log) if line.startswith("SCHEMA GATE")]
    assert len(begins) == 1
    assert log[begins[0] - 1].startswith("::endgroup::")
    last = log[begins[0] :]
    assert not [line for line in last if line.startswith("::")]
    assert last[-1].startswith("again")
    for words in ("gated.broken", "EXPECT_FIELD_RENAMED", "customer_id", "fix in the job", "fix in the table", "let it through"):
        assert words in "\n".join(last)
    assert f"--conn {run.xcom(gate, 'schema_verdict', BROKEN)['conn_id']}" in last[-1]


def test_a_gate_links_to_the_run_that_changed_its_table(conn: str, runs: dict[str, DagRun], states: dict[Place, str]) -> None:
    (changed,) = runs[f"gate_{conn}"].rest.runs(f"change_{conn}")[:1]
    page = runs[f"gate_{conn}"].links("failing.gate", BROKEN)["Changed by"]
    assert page is not None
    assert page.startswith(f"/dags/change_{conn}/runs/")
    assert page.endswith("/tasks/evolve")
    assert changed.run_id.partition("T")[0] in page


DATES: dict[str, list[str | None]] = {"lake": [f"2026-03-0{day}T00:00:00Z" for day in (1, 2, 3, 4)], "lake_s3": [None] * 4}
"""Runs with dates of their own, as a timetable makes them; and without, as assets do."""


def test_without_a_contract_a_gate_judges_against_what_it_saw_when_it_was_last_green(
    conn: str, stores: dict[str, SchemaStore], airflow: Rest
) -> None:
    def gated(date: str | None) -> tuple[DagRun, str]:
        run = airflow.start(f"seen_{conn}", logical_date=date)
        return run, run.ended()["gate", -1]

    dates = DATES[conn]
    (_, first), (second, green) = gated(dates[0]), gated(dates[1])
    assert (first, green) == ("success", "success")
    stores[conn].table("seen.orders").evolve(RENAME)
    stopped, failed = gated(dates[2])
    assert failed == "failed"
    stopped.mark("gate", "success")
    assert gated(dates[3])[1] == "success"
    second.clear("gate")
    until("it was tried again", lambda: second.attempts("gate") == 2, seconds=60, tell=second.tell)
    second.ended()
    assert not [line for line in second.log("gate", attempt=2) if "seen for the first time" in line]
