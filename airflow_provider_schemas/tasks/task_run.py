"""One try of a task in a run, as the store, contracts and messages name it."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from airflow.sdk import conf
from msgspec import Struct

# What Airflow calls an owner whom nobody named.
_NOBODY = "airflow"


class Run(Struct, frozen=True):
    """One try of a task."""

    dag_id: str
    task_id: str
    run_id: str
    map_index: int = -1
    try_number: int = 1
    owner: str = ""
    by: str = ""
    """Who started the run by hand."""
    folder: Path | None = None
    """Where the file of the DAG lies."""
    bundle: Path | None = None
    """Where the bundle lies that the file of the DAG is in."""

    @classmethod
    def of(cls, context: Mapping[str, Any]) -> Self:
        """Return the run that a context is about."""
        ti = context["ti"]
        dag = context.get("dag")
        dag_run = context.get("dag_run")
        return cls(
            dag_id=ti.dag_id,
            task_id=ti.task_id,
            run_id=ti.run_id,
            map_index=-1 if ti.map_index is None else ti.map_index,
            try_number=ti.try_number,
            owner=_owner(dag, context["task"]),
            by=getattr(dag_run, "triggering_user_name", None) or "",
            folder=_dag_folder(dag),
            bundle=_bundle_folder(ti, dag),
        )

    @property
    def consumer(self) -> str:
        """Return the name under which its contracts are registered."""
        return f"{self.dag_id}.{self.task_id}"

    @property
    def actor(self) -> str:
        """Return who is recorded as having done what it does."""
        return self.by or self.owner or self.dag_id

    @property
    def text(self) -> str:
        """Return the run as it is recorded in a version: DAG, run and task, and the index if it is mapped."""
        index = f"[{self.map_index}]" if self.map_index >= 0 else ""
        return f"{self.dag_id}/{self.run_id}/{self.task_id}{index}"


def bundle_version(ti: object) -> str:
    """Return the version of the bundle that the task is run from; empty where bundles have none."""
    version = getattr(getattr(ti, "bundle_instance", None), "version", None)
    return version if isinstance(version, str) else ""


def _owner(dag: Any, task: Any) -> str:
    """Return who owns the task; if nobody was named there, who owns the DAG."""
    owner = getattr(task, "owner", "")
    if isinstance(owner, str) and owner not in ("", _NOBODY):
        return owner
    owners = set(str(getattr(dag, "owner", "") or "").split(", "))
    return ", ".join(sorted(owners - {"", _NOBODY}))


def _dag_folder(dag: Any) -> Path | None:
    file = _dag_file(dag)
    return None if file is None else file.parent


def _dag_file(dag: Any) -> Path | None:
    file = getattr(dag, "fileloc", None)
    if not isinstance(file, str) or not file:
        return None
    return Path(file)


def _bundle_folder(ti: Any, dag: Any) -> Path | None:
    """Return the folder of the bundle that the DAG lies in, which is all that a worker has of the files of its DAGs.

    `dag.test()` prepares none: the path of the DAG file in its bundle says where it begins, or else the DAGs folder is meant.
    """
    path = getattr(getattr(ti, "bundle_instance", None), "path", None)
    if isinstance(path, str | os.PathLike):
        return Path(path)
    file = _dag_file(dag)
    if file is None:
        return None
    return _folder_by_relative_path(file, getattr(dag, "relative_fileloc", None)) or _dags_folder(file)


def _folder_by_relative_path(file: Path, relative: object) -> Path | None:
    """Return the folder from which the DAG file has this relative path; None where the path does not end in it."""
    if not isinstance(relative, str) or not relative:
        return None
    inside = Path(relative)
    if inside.is_absolute() or file.parts[-len(inside.parts) :] != inside.parts:
        return None
    return file.parents[len(inside.parts) - 1]


def _dags_folder(file: Path) -> Path | None:
    """Return the folder of all DAGs, if the DAG file lies in it."""
    folder = conf.get("core", "dags_folder", fallback="") or ""
    if not folder or not file.is_relative_to(folder):
        return None
    return Path(folder)
