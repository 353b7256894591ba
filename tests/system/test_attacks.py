"""Attacks that once were green, run by a real scheduler: each must stop its job, and say what was looked at."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from airflow_provider_schemas.store import SchemaStore
from tests.system.support import attacks
from tests.system.support.rest import DagRun, Rest
from tests.system.support.waiting import until

pytestmark = pytest.mark.system

PREPARED: dict[str, Callable[[SchemaStore, Path], None]] = {
    "alias": lambda store, _: attacks.alias(store),
    "described": attacks.described,
    "footer": attacks.footer,
    "ambiguous": attacks.ambiguous,
    "stale": attacks.stale,
    "struct": lambda store, _: attacks.struct(store),
    "order": lambda store, _: attacks.order(store),
    "rename": lambda store, _: attacks.renamed(store),
    "emptied": lambda _, __: None,
}
SAID = {
    "alias": ("attacks.alias", "cust_id", "customer_id"),
    "described": ("attacks.described", "TABLE_NOT_LOOKED_AT"),
    "footer": ("attacks.footer", "cust_id", "footer (1 of 2)"),
    "ambiguous": ("attacks.ambiguous", "part-0.parquet", "bind"),
    "stale": ("attacks.stale", "cust_id"),
    "struct": ("attacks.struct", "r.b"),
    "order": ("attacks.order", "r.a"),
    "rename": ("attacks.rename", "nightly"),
    "emptied": ("conn_id",),
}


@pytest.fixture(scope="module")
def folder(home: Path) -> Path:
    return home / "attacks"


@pytest.fixture(scope="module")
def store(folder: Path) -> SchemaStore:
    (folder / "lake").mkdir(parents=True)
    return SchemaStore(folder / "lake", actor="flink")


@pytest.fixture(scope="module")
def attacked(store: SchemaStore, folder: Path, airflow: Rest) -> dict[str, DagRun]:
    """All attacks, begun at once."""
    for prepare in PREPARED.values():
        prepare(store, folder)
    runs = {name: airflow.start(f"attack_{name}") for name in PREPARED}
    return runs | {"two_files": airflow.start("attack_two_files", attacks.two_files(folder))}


@pytest.mark.parametrize("name", sorted(PREPARED))
def test_an_attack_stops_its_job_and_the_log_names_the_victim(name: str, attacked: dict[str, DagRun]) -> None:
    run = attacked[name]
    assert run.ended() == {("gate", -1): "failed"}, run.tell()
    log = "\n".join(run.log("gate"))
    assert [words for words in SAID[name] if words not in log] == [], log


def test_a_check_of_two_files_in_a_dag_finds_the_rename(attacked: dict[str, DagRun]) -> None:
    run = attacked["two_files"]
    assert run.ended() == {("gate", -1): "failed"}, run.tell()
    log = "\n".join(run.log("gate"))
    assert "customer_id" in log
    assert "exit code 1" in log


def test_a_registry_that_is_away_is_tried_again_and_judged_when_it_is_back(folder: Path, airflow: Rest) -> None:
    attacks.held(folder)
    shutil.move(folder / "registry", folder / "elsewhere")
    run = airflow.start("attack_unmounted")
    run.reaches("up_for_retry", "gate")
    assert not (folder / "registry").exists()
    shutil.move(folder / "elsewhere", folder / "registry")
    assert run.ended() == {("gate", -1): "success"}, run.tell()
    assert run.attempts("gate") == 2


def test_a_task_that_was_green_is_never_first_again_when_its_first_run_is_cleared(store: SchemaStore, airflow: Rest) -> None:
    store.create_table("attacks.first_run", attacks.COLUMNS)
    runs = [airflow.start("attack_first_run") for _ in range(1)]
    assert runs[0].ended()["gate", -1] == "success"
    runs.append(airflow.start("attack_first_run"))
    assert runs[1].ended()["gate", -1] == "success"
    store.table("attacks.first_run").evolve("DROP COLUMN cust_id")
    assert airflow.start("attack_first_run").ended()["gate", -1] == "failed"
    runs[0].clear("gate")
    until("it was tried again", lambda: runs[0].attempts("gate") == 2, seconds=60, tell=runs[0].tell)
    assert runs[0].ended()["gate", -1] == "failed", runs[0].tell()
    assert airflow.start("attack_first_run").ended()["gate", -1] == "failed"


def test_a_task_that_starts_on_the_triggerer_is_no_task_for_a_guard(home: Path, airflow: Rest) -> None:
    file = home / "dags" / "never_asks.py"
    file.write_text(
        "from airflow.providers.standard.sensors.date_time import DateTimeSensorAsync\n"
        "from airflow.sdk import DAG\n"
        "from airflow_provider_schemas.operators import schema_guard\n"
        "with DAG('never_asks'):\n"
        "    task = DateTimeSensorAsync(task_id='wait', target_time='2030-01-01T00:00:00Z', start_from_trigger=True)\n"
        "    schema_guard('attacked', reads={'attacks.alias': 'order_id BIGINT'}).on(task)\n"
    )
    try:
        until("the file is refused", airflow.import_errors, seconds=60, tell=lambda: str(airflow.dags()))
        (error,) = airflow.import_errors()
        assert "triggerer" in error
        assert "never_asks" not in airflow.dags()
    finally:
        file.unlink()
