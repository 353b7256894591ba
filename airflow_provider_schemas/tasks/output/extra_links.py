"""Links of a task: to the run that changed the table, and to the task in which somebody was asked.

Airflow asks for them in the worker when the task has ended, whatever its end, and keeps the answer: they are
made of attributes of the operator alone. An empty text is no link, and the UI shows no button for it; None would
become a link to a page of that name.
"""

import re
from urllib.parse import quote, urlsplit

from airflow.sdk import BaseOperator, BaseOperatorLink, conf
from airflow.sdk.types import TaskInstanceKey

# The form in which `Run.text` is recorded: DAG, run, task, and the index of one that is mapped.
_RUN = re.compile(r"(?P<dag>[\w.-]+)/(?P<run>[^/]+)/(?P<task>[\w.-]+?)(?:\[(?P<index>[0-9]{1,9})\])?")
_UPWARDS = (".", "..")
_REQUIRED_ACTIONS = "/required_actions"


def page_of(run: object, page: str = "") -> str:
    """Return the page of a task in this Airflow, by the run as a version records it; empty if the text names no run."""
    parts = _RUN.fullmatch(run) if isinstance(run, str) else None
    if parts is None or any(name in _UPWARDS for name in parts.groups()):
        return ""
    dag, run_id, task = (quote(parts[key], safe="") for key in ("dag", "run", "task"))
    mapped = f"/mapped/{int(parts['index'])}" if parts["index"] else ""
    return f"{_root()}/dags/{dag}/runs/{run_id}/tasks/{task}{mapped}{page}"


def _root() -> str:
    """Return the path under which this Airflow lies: deployments may share a host."""
    return urlsplit(conf.get("api", "base_url", fallback="") or "").path.rstrip("/")


class ChangedByLink(BaseOperatorLink):
    """To the run that wrote the version which the task found; none, if an engine or a person wrote it."""

    name = "Changed by"

    def get_link(self, operator: BaseOperator, *, ti_key: TaskInstanceKey) -> str:
        return page_of(getattr(operator, "changed_by_run", ""))


class ApprovalLink(BaseOperatorLink):
    """To the task in which somebody was asked."""

    name = "Approval"

    def get_link(self, operator: BaseOperator, *, ti_key: TaskInstanceKey) -> str:
        return page_of(getattr(operator, "approval_run", ""), _REQUIRED_ACTIONS)
