"""Sensors in a real run of a DAG, with Airflow's own deferral; and assets with watchers as Airflow's database has them."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from airflow_provider_schemas.store import SchemaStore
from tests.provider.conftest import AirflowHome
from tests.provider.support.trigger_runs import made

SENSORS = """
from airflow.sdk import dag, task
from airflow_provider_schemas.sensors import SchemaContractSensor, SchemaVersionSensor

@dag(schedule=None, default_args={"conn_id": "lake", "poke_interval": 0.2, "timeout": 300})
def waits():
    version = SchemaVersionSensor(task_id="version", table="shop.{{ 'orders' }}")
    wait = SchemaContractSensor(task_id="wait", reads={"shop.orders": "coupon STRING"})

    @task
    def show(version, verdict):
        print("SAW", version["version"], verdict["tables"]["shop.orders"]["version"])

    shown = show(version.output, wait.output)
    version >> wait >> shown

waits()
"""


def run_of(home: AirflowHome, dag_id: str, at: str, happens: Callable[[], object]) -> str:
    """What `airflow dags test` prints, where something happens as soon as it has said this."""
    line = [sys.executable, "-m", "airflow", "dags", "test", dag_id]
    said: list[str] = []
    with subprocess.Popen(
        line, cwd=home.folder, env=home.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        for one in process.stdout:
            said.append(one)
            if at in one:
                happens()
                at = "\0"
    assert process.returncode == 0, "".join(said)
    return "".join(said)


def test_sensors_defer_and_resume_and_a_second_run_waits_for_what_the_first_has_not_seen(airflow_home: AirflowHome, tmp_path: Path) -> None:
    (tmp_path / "lake").mkdir()
    store = SchemaStore(tmp_path / "lake", actor="ana")
    made(store)
    airflow_home.connect("lake", host=(tmp_path / "lake").as_uri())
    (airflow_home.dags / "waits.py").write_text(SENSORS)
    first = run_of(airflow_home, "waits", "no coupon yet", lambda: made(store, "ADD COLUMN coupon STRING"))
    assert "SAW 0 1" in first
    assert "Pausing task as DEFERRED" in first
    second = run_of(airflow_home, "waits", "nothing newer than v0 yet", lambda: None)
    assert "nothing newer" not in second
    assert "SAW 1 1" in second
    third = run_of(airflow_home, "waits", "nothing newer than v1 yet", lambda: made(store, "ADD COLUMN other STRING"))
    assert "shop.orders v2: newer than v1" in third
    assert "SAW 2 2" in third


ONE = """
from airflow.sdk import DAG
from airflow.providers.standard.operators.empty import EmptyOperator
from airflow_provider_schemas.assets import schema_asset

with DAG({dag_id!r}, schedule=[{schedule}]):
    EmptyOperator(task_id="t", inlets=[{inlets}])
"""


def watchers(home: AirflowHome) -> dict[str, str]:
    """By the name of an asset, the settings of its watcher."""
    query = "select asset.name, trigger.kwargs from asset_watcher join asset on asset.id = asset_id join trigger on trigger.id = trigger_id"
    with sqlite3.connect(home.folder / "airflow.db") as database:
        return dict(database.execute(query))


def test_no_file_takes_away_the_watcher_of_another(airflow_home: AirflowHome) -> None:
    """Airflow deletes a watcher at each parse of a file that declares the same asset without it."""
    watched, slower, plain = (f"schema_asset('lake', 'shop.orders'{more})" for more in (", watch='lake'", ", watch='lake', poll=300", ""))
    files = {
        "a_watches": ONE.format(dag_id="a_watches", schedule=watched, inlets=""),
        "b_slower": ONE.format(dag_id="b_slower", schedule=slower, inlets=plain),
        "c_announced": ONE.format(dag_id="c_announced", schedule=plain, inlets=watched),
        "d_again": ONE.format(dag_id="d_again", schedule=watched, inlets=plain),
    }
    airflow_home.environment["AIRFLOW__CORE__DAGS_ARE_PAUSED_AT_CREATION"] = "False"
    for name, text in files.items():
        (airflow_home.dags / f"{name}.py").write_text(text)
    for _ in range(3):
        airflow_home.run("dags", "reserialize")
    found = watchers(airflow_home)
    assert set(found) == {"lake/shop.orders?poll=60&start=latest&watch=lake", "lake/shop.orders?poll=300&start=latest&watch=lake"}
    with sqlite3.connect(airflow_home.folder / "airflow.db") as database:
        ids = database.execute("select count(*), max(id) from trigger").fetchone()
        assets = dict(
            database.execute("select asset.uri, count(*) from asset_active join asset on asset_active.uri = asset.uri group by 1")
        )
    assert ids == (2, 2), "a trigger that was deleted and made again would have another id"
    assert assets == {
        "schemas://lake/shop/orders": 1,
        "schemas://lake/shop/orders?poll=60&start=latest&watch=lake": 1,
        "schemas://lake/shop/orders?poll=300&start=latest&watch=lake": 1,
    }


def test_an_asset_that_names_no_table_is_an_import_error(airflow_home: AirflowHome) -> None:
    text = "from airflow.sdk import Asset, DAG\nDAG('d', schedule=[Asset(uri='schemas://lake/orders')])\n"
    (airflow_home.dags / "wrong.py").write_text(text)
    said = airflow_home.run("dags", "list-import-errors", "-o", "json", "-l", ends=1)
    errors = json.loads(said[said.index("[{") :])
    assert "names no table" in errors[0]["error"]
