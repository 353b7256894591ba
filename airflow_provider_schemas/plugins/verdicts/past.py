"""Since when a gate is red: the first of its last runs that are all red."""

import logging
from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import takewhile
from typing import Any

from msgspec import Struct

from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.plugins.verdicts import models
from airflow_provider_schemas.plugins.verdicts.pushed import Gate
from airflow_provider_schemas.render.verdict.entries import VERDICT_KEY

RED = frozenset({Verdict.BREAK, Verdict.INVALID})
_MAX_ROWS = 10_000
_log = logging.getLogger(__name__)


class RedSince(Struct, frozen=True):
    """Since when a gate is red, and in how many runs."""

    at: datetime
    runs: int
    is_exact: bool = True
    """Whether a verdict before that is known, and was another one."""


def red_since(gates: Iterable[Gate]) -> Mapping[Gate, RedSince]:
    """Return since when these gates are red; nothing about a gate whose past cannot be read."""
    wanted = sorted(set(gates))
    if not wanted:
        return {}
    past: dict[Gate, list[tuple[datetime, str | None]]] = {}
    rows = _past(wanted)
    for dag_id, task_id, map_index, at, verdict in rows:
        past.setdefault((dag_id, task_id, map_index), []).append((at, verdict))
    is_whole = len(rows) < _MAX_ROWS
    found = ((gate, _streak(past.get(gate, []), is_whole=is_whole)) for gate in wanted)
    return {gate: since for gate, since in found if since is not None}


def _streak(newest_first: list[tuple[datetime, str | None]], *, is_whole: bool) -> RedSince | None:
    red = [*takewhile(lambda verdict: verdict[1] in RED, newest_first)]
    if not red:
        return None
    goes_on = len(red) < len(newest_first)
    return RedSince(red[-1][0], len(red), is_exact=goes_on or is_whole)


def _past(gates: list[Gate]) -> list[Any]:
    """Return the verdicts of these gates, the newest first. Of each value the database gives the one word alone."""
    from sqlalchemy import select
    from sqlalchemy.exc import SQLAlchemyError

    model = models.xcoms()
    # Two lists find their rows by an index of Airflow's, which the triples themselves do not; some rows too many come along.
    dag_ids = sorted({dag_id for dag_id, _, _ in gates})
    task_ids = sorted({task_id for _, task_id, _ in gates})
    statement = (
        select(model.dag_id, model.task_id, model.map_index, model.timestamp, model.value["verdict"].as_string())
        .where(model.dag_id.in_(dag_ids), model.task_id.in_(task_ids), model.key == VERDICT_KEY)
        .order_by(model.timestamp.desc())
        .limit(_MAX_ROWS)
    )
    try:
        with models.reading() as session:
            return [*session.execute(statement).all()]
    except SQLAlchemyError:
        # A value that is no JSON to the database: since when is then not said, and the verdicts are shown all the same.
        _log.warning("Since when gates are red cannot be read.", exc_info=True)
        return []
