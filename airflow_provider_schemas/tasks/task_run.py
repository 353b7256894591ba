"""Who asks: the task of a run, as the store, contracts and messages name it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from msgspec import Struct

from airflow_provider_schemas.tasks.dag_bundle import bundle_folder

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
        """The run that a context is about."""
        ti, dag, dag_run = context["ti"], context.get("dag"), context.get("dag_run")
        file = getattr(dag, "fileloc", None)
        return cls(
            dag_id=ti.dag_id,
            task_id=ti.task_id,
            run_id=ti.run_id,
            map_index=-1 if ti.map_index is None else ti.map_index,
            try_number=ti.try_number,
            owner=_owner(dag, context["task"]),
            by=getattr(dag_run, "triggering_user_name", None) or "",
            folder=Path(file).parent if isinstance(file, str) and file else None,
            bundle=bundle_folder(ti, dag),
        )

    @property
    def consumer(self) -> str:
        """The name under which its needs are registered."""
        return f"{self.dag_id}.{self.task_id}"

    @property
    def actor(self) -> str:
        """Who is recorded as having done what it does."""
        return self.by or self.owner or self.dag_id

    @property
    def text(self) -> str:
        """The run as it is recorded in a version: DAG, run and task, and the index if it is mapped."""
        index = f"[{self.map_index}]" if self.map_index >= 0 else ""
        return f"{self.dag_id}/{self.run_id}/{self.task_id}{index}"


def _owner(dag: Any, task: Any) -> str:
    """Who owns the task; if nobody was named there, who owns the DAG."""
    named = {one for one in (getattr(task, "owner", ""), *str(getattr(dag, "owner", "") or "").split(", ")) if isinstance(one, str)}
    own = getattr(task, "owner", "")
    return own if isinstance(own, str) and own not in ("", _NOBODY) else ", ".join(sorted(named - {"", _NOBODY}))
