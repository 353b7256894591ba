"""Real runs of DAGs, several in one process, told as a story: a script runs DAGs and changes tables, the test looks at what came of it.

A script is Python. It knows `run(dag_id, day, conf=..., **more)`, which runs a DAG for a day of March 2026 or without a date (None),
`mark(run, state)`, as a person does in the UI, `store`, and `note(anything)`. Each answers what happened; the test gets the list.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

_TOLD = "STORY "


class Run(NamedTuple):
    """What came of one run: states and verdicts by task, those of mapped tasks as `task[index]`, and the log."""

    states: dict[str, str]
    verdicts: dict[str, dict[str, Any]]
    tries: dict[str, int]
    log: str = ""


def told(home: Path, database: Path, script: str, **dags: str) -> list[Any]:
    """What a script tells, of DAGs that are given as text by the name of their file; the log of each run with it."""
    (folder := home / "dags").mkdir(parents=True, exist_ok=True)
    (home / "airflow.db").write_bytes(database.read_bytes())
    for name, text in dags.items():
        (folder / f"{name}.py").write_text(text)
    environment = {
        **{name: text for name, text in os.environ.items() if not name.startswith(("AIRFLOW", "_AIRFLOW"))},
        "AIRFLOW_HOME": str(home),
        "AIRFLOW__CORE__DAGS_FOLDER": str(folder),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "AIRFLOW_CONN_LAKE": json.dumps({"conn_type": "schema_store", "host": (home / "lake").as_uri()}),
        "NO_COLOR": "1",
        "PYTHONPATH": os.pathsep.join((str(Path(__file__).parents[3]), os.environ.get("PYTHONPATH", ""))),
    }
    output = _done([sys.executable, "-m", "tests.provider.support.dag_runs", script], environment)
    return list(_read(output))


def _done(command: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout[-5_000:]
    return done.stdout


def _read(output: str) -> Iterator[Any]:
    """What was told, and between one thing and the next the log."""
    log: list[str] = []
    for line in output.splitlines():
        if not line.startswith(_TOLD):
            log.append(line)
            continue
        said = json.loads(line.removeprefix(_TOLD))
        yield Run(**said["run"], log="\n".join(log)) if "run" in said else said["note"]
        log.clear()


# ---------------------------------------------------------------- in the process of the script


class _Teller:
    """Runs DAGs, and prints what came of it."""

    def __init__(self) -> None:
        from airflow.dag_processing.dagbag import DagBag

        self.bag = DagBag(os.environ["AIRFLOW__CORE__DAGS_FOLDER"])
        assert self.bag.import_errors == {}, self.bag.import_errors

    def run(self, dag_id: str, day: int | None = None, conf: dict[str, Any] | None = None, **more: Any) -> Any:
        when = None if day is None else datetime(2026, 3, 1, tzinfo=UTC) + timedelta(days=day)
        _keep_runs_without_a_date()
        done = self.bag.dags[dag_id].test(logical_date=when, run_conf=conf, **more)
        self.tell(run=self._what(done.dag_id, done.run_id))
        return done

    def mark(self, done: Any, state: str = "success", task: str = "gate") -> None:
        from airflow.models.taskinstance import TaskInstance
        from airflow.utils.session import create_session
        from sqlalchemy import update

        with create_session() as session:
            where = (TaskInstance.dag_id == done.dag_id, TaskInstance.run_id == done.run_id, TaskInstance.task_id == task)
            session.execute(update(TaskInstance).where(*where).values(state=state))

    def note(self, value: Any) -> None:
        self.tell(note=value)

    def tell(self, **said: Any) -> None:
        sys.stderr.flush()
        print(f"\n{_TOLD}{json.dumps(said)}", flush=True)

    def _what(self, dag_id: str, run_id: str) -> dict[str, Any]:
        from airflow.models.taskinstance import TaskInstance
        from airflow.models.xcom import XComModel
        from airflow.utils.session import create_session
        from sqlalchemy import select

        with create_session() as session:
            tasks = list(session.scalars(select(TaskInstance).where(TaskInstance.dag_id == dag_id, TaskInstance.run_id == run_id)))
            xcoms = session.scalars(select(XComModel).where(XComModel.run_id == run_id, XComModel.key == "schema_verdict"))
            verdicts = {_name(one): json.loads(one.value) if isinstance(one.value, str) else one.value for one in xcoms}
            states = {_name(one): str(one.state) for one in tasks}
            return {"states": states, "verdicts": verdicts, "tries": {_name(one): one.try_number for one in tasks}}


def _name(one: Any) -> str:
    return one.task_id if one.map_index < 0 else f"{one.task_id}[{one.map_index}]"


def _keep_runs_without_a_date() -> None:
    """`dag.test` removes earlier runs of the same date; no scheduler does, so those without one get another while it looks."""
    import airflow.models.dagrun as module
    from airflow.serialization.definitions.dag import SerializedDAG
    from sqlalchemy import select

    if getattr(module, "_told", None):
        return
    create, clear = module.get_or_create_dagrun, SerializedDAG.clear_dags

    def kept(**said: Any) -> Any:
        if said["logical_date"] is not None:
            return create(**said)
        session, mine = said["session"], (module.DagRun.dag_id == said["dag"].dag_id, module.DagRun.logical_date.is_(None))
        hidden = list(session.scalars(select(module.DagRun).where(*mine)))
        for number, one in enumerate(hidden):
            one.logical_date = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=number)
        session.flush()
        made = create(**said)
        for one in hidden:
            one.logical_date = None
        session.commit()
        return made

    def cleared(*args: Any, **said: Any) -> Any:
        return clear(*args, **said) if said.get("start_date") is not None else 0

    for owner, name, value in ((module, "get_or_create_dagrun", kept), (SerializedDAG, "clear_dags", cleared), (module, "_told", True)):
        setattr(owner, name, value)


def _serialize() -> None:
    """Do what `airflow dags reserialize` does, in this process: a process of its own would import Airflow once more."""
    from airflow.cli.cli_parser import get_parser

    arguments = get_parser().parse_args(["dags", "reserialize"])
    arguments.func(arguments)


def _main() -> None:
    from airflow_provider_schemas.store import SchemaStore

    _serialize()
    teller = _Teller()
    lake = json.loads(os.environ["AIRFLOW_CONN_LAKE"])["host"]
    names = {"run": teller.run, "mark": teller.mark, "note": teller.note, "store": SchemaStore(lake, actor="ana"), "os": os}
    exec(sys.argv[1], names)


if __name__ == "__main__":
    _main()
