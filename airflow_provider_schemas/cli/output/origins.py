"""Versions as commands of columns tell them: when, by whom, and for machines every part of it."""

from typing import Any

from airflow_provider_schemas.core.blame.origin import Origin


def when(origin: Origin | None) -> str:
    """Return the moment of a version; empty where nobody knows."""
    if origin is None or origin.written is None:
        return ""
    return f"{origin.written:%Y-%m-%d %H:%M} UTC"


def origin_data(origin: Origin | None) -> dict[str, Any] | None:
    """Return what is known of a version, for machines: every key stands there."""
    if origin is None:
        return None
    return {
        "number": origin.number,
        "earliest": origin.earliest,
        "branch": origin.branch,
        "digest": origin.digest,
        "written": origin.written.isoformat() if origin.written else None,
        "actor": origin.actor,
        "run": origin.run,
        "dag_id": origin.dag_id,
        "run_id": origin.run_id,
        "task_id": origin.task_id,
        "map_index": origin.map_index,
        "approval": origin.approval,
        "policy": origin.policy,
        "commit": origin.commit,
        "restored": origin.restored,
        "outside": origin.is_outside,
        "says": origin.says,
    }
