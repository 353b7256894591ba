"""An Airflow in which everything has happened that its pages are to show: tables have changed, and gates have judged them."""

import shutil
from pathlib import Path
from typing import NamedTuple

from airflow_provider_schemas.store import SchemaStore
from tests.system.support.rest import DagRun, Rest
from tests.system.support.waiting import until
from tests.ui.support import lakes
from tests.ui.support.site import Site

FILES = Path(__file__).parents[1] / "dag_files"
_FIRST = ("evolve_shop", "seen", "green")
_SECOND = ("daily", "ltv", "weekly", "payroll", "waived", "seen")
_STATES = {
    ("daily", "gate", -1): "failed",
    ("ltv", "load", 0): "success",
    ("ltv", "load", 1): "failed",
    ("waived", "gate", -1): "success",
    ("payroll", "gate", -1): "success",
    ("weekly", "report", -1): "success",
    ("seen", "gate", -1): "success",
}


class Scene(NamedTuple):
    """One API server."""

    site: Site
    runs: dict[str, str]
    """The last run of each DAG."""
    folder: Path
    """Where the warehouses are."""
    home: Path
    """The home of the Airflow."""

    def task(self, dag: str, task: str, index: int = -1) -> str:
        """Return the address of a task instance in Airflow's own pages."""
        mapped = f"/mapped/{index}" if index >= 0 else ""
        return f"{self.site.url}/dags/{dag}/runs/{self.runs[dag]}/tasks/{task}{mapped}"


def lay_out(dags: Path) -> None:
    """Copy the DAGs to where Airflow looks for them."""
    shutil.copytree(FILES, dags)


def act(rest: Rest, folder: Path) -> dict[str, str]:
    """Run every DAG, those first that the others are to look back at; return the ids of the runs."""
    wanted = {*_FIRST, *_SECOND}
    until("all DAGs are read", lambda: wanted <= rest.dags() or rest.import_errors(), seconds=120, tell=lambda: str(rest.dags()))
    assert rest.import_errors() == []
    _ended(rest, _FIRST)
    prices = SchemaStore(folder / lakes.LAKE, actor="raj").table("shop.prices")
    prices.evolve("ALTER COLUMN price FIRST")
    runs = _ended(rest, _SECOND)
    for (dag, task, index), state in _STATES.items():
        assert runs[dag].tasks()[task, index] == state, runs[dag].tell()
    green = rest.runs("green")[0]
    return {dag: run.run_id for dag, run in runs.items()} | {"green": green.run_id, "evolve_shop": rest.runs("evolve_shop")[0].run_id}


def _ended(rest: Rest, dags: tuple[str, ...]) -> dict[str, DagRun]:
    runs = {dag: rest.start(dag) for dag in dags}
    for run in runs.values():
        run.ended()
    return runs
