"""What tests of the provider share: an Airflow that knows nothing yet, connections out of the environment, and a context to run tasks in.

Nothing here needs the database of Airflow. Whoever runs a DAG for real makes one in a folder of its own: `airflow_home`.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

# Airflow reads this once, while it is imported: an empty folder of this process, unless whoever started it has named one.
_HOME = tempfile.TemporaryDirectory(prefix="airflow-home-") if "airflow" not in sys.modules else None
if _HOME is not None:
    os.environ["AIRFLOW_HOME"] = _HOME.name
os.environ |= {
    "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
    "AIRFLOW__CORE__UNIT_TEST_MODE": "False",
    "AIRFLOW__CORE__TEST_CONNECTION": "Enabled",
    "AIRFLOW__LOGGING__LOGGING_LEVEL": "WARNING",
}

from airflow.sdk import DAG  # noqa: E402  # the folder must be said before
from airflow.sdk.execution_time.context import OutletEventAccessors  # noqa: E402  # likewise

from tests.provider.support.task_instances import Instance, Kept, Run  # noqa: E402  # likewise

CONN_ID = "lake"
WHEN = datetime(2026, 3, 1, tzinfo=UTC)
Connect = Callable[..., str]


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    """A process keeps what it has opened; the next test is another process, as it were."""
    from airflow_provider_schemas.hooks import filesystems
    from airflow_provider_schemas.triggers import store_cache

    filesystems._CACHE.clear()
    store_cache._STORES.clear()


@pytest.fixture
def connect(monkeypatch: pytest.MonkeyPatch) -> Connect:
    """Gives a connection of any type by the environment: `connect("lake", host=..., extra={...})`. Answers its id."""

    def make(conn_id: str = CONN_ID, *, conn_type: str = "schema_store", **fields: Any) -> str:
        said = {"conn_type": conn_type, **fields}
        monkeypatch.setenv(f"AIRFLOW_CONN_{conn_id.upper()}", json.dumps(said))
        return conn_id

    return make


@pytest.fixture
def lake(connect: Connect, tmp_path: Path) -> str:
    """The id of a connection to an empty warehouse on this disk: `tmp_path / "lake"`."""
    (tmp_path / "lake").mkdir(exist_ok=True)
    return connect(CONN_ID, host=(tmp_path / "lake").as_uri())


@pytest.fixture
def default_lake(connect: Connect, tmp_path: Path) -> str:
    """The same warehouse under the id that is meant where none is named."""
    (tmp_path / "lake").mkdir(exist_ok=True)
    return connect("schema_store_default", host=(tmp_path / "lake").as_uri())


# ---------------------------------------------------------------- contexts


class StandIn(Instance):
    """A task instance that remembers what is pushed. `pushed` holds it by key; `pulls`, by task and key, what others have pushed."""

    def __init__(self, dag_id: str, task_id: str, **more: Any) -> None:
        run = Run(more.pop("run_id", "manual__2026-03-01"), WHEN, WHEN)
        kept = Kept(task_id, dag_id)
        kept.runs[run.run_id] = run
        super().__init__(kept, run, more.pop("map_index", -1), bundle=None)
        self.try_number: int = more.pop("try_number", 1)
        self.max_tries: int = more.pop("max_tries", 0)
        self.id = more.pop("id", "019aa000-0000-7000-8000-000000000000")
        self.state, self.start_date, self.task = "running", WHEN, None
        self.pushed: dict[str, Any] = {}
        self.pulls: dict[tuple[str, str], Any] = {}
        self.__dict__.update(more)

    def xcom_push(self, key: str, value: Any) -> None:
        super().xcom_push(key, value)
        self.pushed[key] = value

    def xcom_pull(self, *asked: Any, **more: Any) -> Any:
        for (task, key), value in self.pulls.items():
            self.kept.set(key=key, value=value, task_id=task, run_id=self.run_id)
        return super().xcom_pull(*asked, **more)


class DagRun:
    """A run of a DAG, as a context shows it."""

    def __init__(self, dag_id: str, run_id: str, **more: Any) -> None:
        self.dag_id, self.run_id, self.run_type = dag_id, run_id, "manual"
        self.logical_date, self.start_date, self.conf = WHEN, WHEN, dict[str, Any]()
        self.triggering_user_name: str | None = None
        self.__dict__.update(more)


MakeContext = Callable[..., dict[str, Any]]


@pytest.fixture
def context(tmp_path: Path) -> MakeContext:
    """Makes contexts: `context()`, `context(operator)`, `context(operator, run_id=..., map_index=..., by="ann")`.

    An operator without a DAG is put into one of its own. `context(...)["ti"].pushed` is what was pushed to XCom. `fileloc` is where
    the file of the DAG is said to lie. What else is passed goes to the stand-in of the task instance.
    """

    def make(task: Any = None, *, dag_id: str = "reports", by: str | None = None, fileloc: str = "", **ti: Any) -> dict[str, Any]:
        from airflow.providers.standard.operators.empty import EmptyOperator

        task = EmptyOperator(task_id="daily") if task is None else task
        dag = task.dag if task.has_dag() else DAG(dag_id=dag_id, schedule=None)
        if not task.has_dag():
            task.owner = "sales"
            dag.add_task(task)
        dag.fileloc = fileloc or str(tmp_path / "dags" / f"{dag.dag_id}.py")
        return context_of(dag, task, StandIn(dag.dag_id, task.task_id, **ti), by)

    return make


def context_of(dag: Any, task: Any, ti: StandIn, by: str | None) -> dict[str, Any]:
    """A context as Airflow hands it to a task, as far as tasks of ours look."""
    ti.task = task
    return {
        "ti": ti,
        "task_instance": ti,
        "task": task,
        "dag": dag,
        "dag_run": DagRun(dag.dag_id, ti.run_id, triggering_user_name=by),
        "run_id": ti.run_id,
        "map_index_template": None,
        "logical_date": WHEN,
        "ds": "2026-03-01",
        "params": {},
        "var": {},
        "conn": {},
        "inlets": list(task.inlets),
        "outlets": list(task.outlets),
        "outlet_events": OutletEventAccessors(),
        "triggering_asset_events": {},
    }


# ---------------------------------------------------------------- a whole Airflow


class AirflowHome:
    """An Airflow with a database and a DAGs folder of its own; everything in it runs in processes of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.dags = folder, folder / "dags"
        self.dags.mkdir(parents=True)
        self.environment = {
            **{name: text for name, text in os.environ.items() if not name.startswith(("AIRFLOW", "_AIRFLOW"))},
            "AIRFLOW_HOME": str(folder),
            "AIRFLOW__CORE__DAGS_FOLDER": str(self.dags),
            "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
            "AIRFLOW__CORE__TEST_CONNECTION": "Enabled",
        }

    def connect(self, conn_id: str, **fields: Any) -> None:
        """Make a connection known; `extra` may be a dict."""
        self.environment[f"AIRFLOW_CONN_{conn_id.upper()}"] = json.dumps({"conn_type": "schema_store", **fields})

    def run(self, *command: str, ends: int = 0) -> str:
        """What `airflow ...` prints, standard error included."""
        return self._done("-m", "airflow", *command, ends=ends)

    def python(self, code: str) -> str:
        """What Python code prints that runs beside this Airflow."""
        return self._done("-c", code)

    def _done(self, *arguments: str, ends: int = 0) -> str:
        line = [sys.executable, *arguments]
        done = subprocess.run(line, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False)
        assert done.returncode == ends, done.stdout + done.stderr
        return done.stdout + done.stderr

    def test_dag(self, dag_id: str, *, ends: int = 0) -> str:
        """What `airflow dags test` prints."""
        return self.run("dags", "test", dag_id, ends=ends)


@pytest.fixture(scope="session")
def airflow_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database as `airflow db migrate` leaves it, made once."""
    home = AirflowHome(tmp_path_factory.mktemp("airflow-database"))
    home.run("db", "migrate")
    return home.folder / "airflow.db"


@pytest.fixture
def airflow_home(airflow_database: Path, tmp_path: Path) -> AirflowHome:
    """An Airflow of its own: write a file into `.dags`, `.connect(...)`, then `.test_dag(dag_id)`."""
    home = AirflowHome(tmp_path / "airflow")
    (home.folder / "airflow.db").write_bytes(airflow_database.read_bytes())
    return home
