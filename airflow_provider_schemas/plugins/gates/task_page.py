"""The verdict on one task, out of its XCom alone: no storage is asked, so that it is there when no storage is."""

from collections.abc import Mapping

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.plugins.common.page import Asked
from airflow_provider_schemas.plugins.common.query import map_index, needed
from airflow_provider_schemas.plugins.verdicts.read import task_verdict
from airflow_provider_schemas.render.verdict.entries import read_verdict


def task_content(asked: Asked) -> Mapping[str, object]:
    """Return the verdict on the task that the query names; or why there is none."""
    dag_id, run_id, task_id = (needed(asked.query, name) for name in ("dag_id", "run_id", "task_id"))
    index = map_index(asked.query)
    pushed = task_verdict(dag_id, run_id, task_id, index)
    content = {"dag_id": dag_id, "run_id": run_id, "task_id": task_id, "map_index": index}
    if pushed is None:
        return content | {"state": "none", "verdict": None, "at": None}
    if isinstance(pushed.value, str):
        return content | {"state": "elsewhere", "verdict": None, "at": pushed.at}
    try:
        return content | {"state": "there", "verdict": read_verdict(pushed.value), "at": pushed.at}
    except FormatError:
        return content | {"state": "unreadable", "verdict": None, "at": pushed.at}
