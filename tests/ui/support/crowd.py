"""Rows of Airflow's database that no scheduler has time to make: hundreds of gates, and verdicts of hostile texts."""

import contextlib
import json
import sqlite3
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.cases.hostile_names import HOSTILE_NAMES, replaced_texts

DAGS = 40
GATES = 10
HOSTILE_DAG = "hostile"
# What is read and never shown as it is: with another word in it, it would be no verdict.
_KEPT = frozenset({"verdict", "outcome", "at"})
_KEY = "schema_verdict"
COLOURS = ("break", "warn", "ok", "ok", "ok")


def copy_database(old: Path, new: Path) -> None:
    """Copy a database that others may be writing."""
    with contextlib.closing(sqlite3.connect(old, timeout=60)) as source, contextlib.closing(sqlite3.connect(new)) as target:
        source.backup(target)


def add_crowd(database: Path, dag: str, task: str) -> None:
    """Add DAGs of gates whose verdicts are that of a task, each third one in another colour."""
    with _rows(database) as rows:
        for number in range(DAGS):
            run = rows.copy_run(dag, f"crowd_{number:02}", "manual__crowd")
            for gate in range(GATES):
                verdict = rows.verdict(dag, task)
                colour = COLOURS[(number + gate) % len(COLOURS)]
                verdict |= {"verdict": colour, "fits": colour != "break", "outcome": "fail" if colour == "break" else "fits"}
                rows.copy_verdict(run, task, f"gate_{gate}", verdict)


def add_hostile(database: Path, dag: str, task: str) -> dict[str, str]:
    """Add a run for each hostile text, whose verdict says nothing else; return the ids of the runs by what the text tries."""
    runs: dict[str, str] = {}
    with _rows(database) as rows:
        for name, text in HOSTILE_NAMES.items():
            written = text.encode("utf-8", "replace").decode("utf-8")[:200].replace("\0", "")
            runs[name] = f"{written}{len(runs)}"
            run = rows.copy_run(dag, HOSTILE_DAG, runs[name])
            verdict = replaced_texts(rows.verdict(dag, task), text, keep=_KEPT)
            rows.copy_verdict(run, task, f"gate_{len(runs)}", verdict)
    return runs


class _Run:
    """A copied run of a copied DAG, and the run that it is a copy of."""

    def __init__(self, number: int, old_dag: str, dag: str, run_id: str) -> None:
        self.number, self.old_dag, self.dag, self.run_id = number, old_dag, dag, run_id


class _Rows:
    """The tables of one database."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def verdict(self, dag: str, task: str) -> dict[str, Any]:
        """Return the last verdict of a task as plain JSON."""
        line = "SELECT value FROM xcom WHERE dag_id = ? AND task_id = ? AND key = ? ORDER BY timestamp DESC"
        (value,) = self._connection.execute(line, (dag, task, _KEY)).fetchone()
        found: dict[str, Any] = json.loads(json.loads(value)) if json.loads(value).__class__ is str else json.loads(value)
        return found

    def copy_run(self, dag: str, new_dag: str, run_id: str) -> _Run:
        """Copy a DAG, unless that is done, and its last run under another id."""
        if not self._connection.execute("SELECT 1 FROM dag WHERE dag_id = ?", (new_dag,)).fetchone():
            self._copy("dag", {"dag_id": dag}, dag_id=new_dag)
        self._copy("dag_run", {"dag_id": dag}, id=None, dag_id=new_dag, run_id=run_id)
        (number,) = self._connection.execute("SELECT id FROM dag_run WHERE dag_id = ? AND run_id = ?", (new_dag, run_id)).fetchone()
        return _Run(number, dag, new_dag, run_id)

    def copy_verdict(self, run: _Run, task: str, new_task: str, verdict: object) -> None:
        """Copy a task instance and its verdict, with another value, into a copied run."""
        place = {"dag_id": run.dag, "run_id": run.run_id, "task_id": new_task}
        origin = {"dag_id": run.old_dag, "task_id": task}
        self._copy("task_instance", origin, **place, id=uuid.uuid4().hex)
        self._copy("xcom", origin | {"key": _KEY}, **place, dag_run_id=run.number, value=json.dumps(verdict))

    def _copy(self, table: str, where: Mapping[str, object], **changes: object) -> None:
        columns = [row[1] for row in self._connection.execute(f"PRAGMA table_info({table})")]
        values = [":" + name if name in changes else f'"{name}"' for name in columns]
        conditions = " AND ".join(f"{name} = :old_{name}" for name in where)
        listed = ", ".join(f'"{name}"' for name in columns)
        line = f"INSERT INTO {table} ({listed}) SELECT {', '.join(values)} FROM {table} WHERE {conditions} LIMIT 1"
        self._connection.execute(line, changes | {f"old_{name}": value for name, value in where.items()})


@contextlib.contextmanager
def _rows(database: Path) -> Iterator[_Rows]:
    with contextlib.closing(sqlite3.connect(database, timeout=60)) as connection:
        yield _Rows(connection)
        connection.commit()
