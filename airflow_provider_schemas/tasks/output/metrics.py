"""What is counted: how often tables fitted jobs, and how often they were changed. A count that fails stops nobody.

schemas.gate.fits     a table fitted a job, tagged by table; with warnings, too
schemas.gate.warns    it fitted with warnings
schemas.gate.breaks   it did not fit, whatever the gate made of that
schemas.changes       a version was written
"""

import logging
import re

from airflow.sdk.observability.stats import Stats

from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.store.check_tables import Judgement
from airflow_provider_schemas.store.commit.commit import Committed

FITS = "schemas.gate.fits"
WARNS = "schemas.gate.warns"
BREAKS = "schemas.gate.breaks"
CHANGES = "schemas.changes"

# What statsd, with tags in the manner of Influx, takes: one other letter, and the count is lost with a traceback in the log.
_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]")
_MAX_CHARACTERS = 150

_log = logging.getLogger(__name__)


def count_verdicts(judgement: Judgement) -> None:
    """Count the verdict on each table once: one that is read and written has to fit twice."""
    for table in dict.fromkeys(answer.table for answer in judgement.tables):
        answers = [answer for answer in judgement.tables if answer.table == table]
        if not all(answer.fits for answer in answers):
            _count(BREAKS, table)
            continue
        _count(FITS, table)
        if any(answer.report.verdict is Verdict.WARN for answer in answers):
            _count(WARNS, table)


def count_change(committed: Committed) -> None:
    """Count a version that was written."""
    if committed.created:
        _count(CHANGES, committed.table)


def _count(name: str, table: str) -> None:
    try:
        Stats.incr(name, tags={"table": _UNSAFE.sub("_", table)[:_MAX_CHARACTERS]})
    except Exception:  # noqa: BLE001  # whatever a client of metrics raises, the task goes on
        _log.debug("%s was not counted.", name, exc_info=True)
