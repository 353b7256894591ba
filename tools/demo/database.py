"""Airflow's own database: the states of its runs, and an empty copy that spares the next demo `airflow db migrate`."""

import contextlib
import hashlib
import sqlite3
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

_LAST_RUN = "SELECT id, run_id, state FROM dag_run WHERE dag_id = ? ORDER BY id DESC LIMIT 1"
_COUNT = "SELECT count(*) FROM dag_run WHERE dag_id = ?"
_TASKS = "SELECT task_id, state FROM task_instance WHERE dag_id = ? AND run_id = ?"


class Run(NamedTuple):
    """A run of a DAG as Airflow has recorded it."""

    number: int
    state: str
    tasks: dict[str, str]


def last_run(home: Path, dag_id: str) -> Run | None:
    """Return the latest run of a DAG, with the states of its tasks."""
    with _opened(home / "airflow.db") as database:
        found = database.execute(_LAST_RUN, (dag_id,)).fetchone()
        if found is None:
            return None
        number = database.execute(_COUNT, (dag_id,)).fetchone()[0]
        tasks = database.execute(_TASKS, (dag_id, found[1])).fetchall()
    return Run(number, str(found[2]), {task: str(state) for task, state in tasks})


def copy(source: Path, target: Path) -> None:
    """Copy a database, whole or not at all."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_suffix(".part")
    part.unlink(missing_ok=True)
    with _opened(source) as old, contextlib.closing(sqlite3.connect(part)) as new:
        old.backup(new)
    part.replace(target)


def empty_copy(cache: Path) -> Path:
    """Return where the empty database of this Airflow and these providers is kept."""
    distributions = {f"{found.name}=={found.version}" for found in metadata.distributions() if found.name.startswith("apache-airflow")}
    key = hashlib.sha256(" ".join(sorted(distributions)).encode()).hexdigest()
    return cache / f"airflow-{key[:16]}.db"


@contextlib.contextmanager
def _opened(file: Path) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, timeout=30)) as database:
        yield database
