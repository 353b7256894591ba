"""What is counted: how often tables fitted jobs, and how often they were changed. A count that fails stops nobody.

schemas.gate.fits     a table fitted a job, tagged by table; with warnings, too
schemas.gate.warns    it fitted with warnings
schemas.gate.breaks   it did not fit, whatever the gate made of that
schemas.changes       a version was written
"""

import logging
import re
from collections.abc import Iterator

from airflow.sdk.observability.stats import Stats

from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.store.check_tables import Judgement
from airflow_provider_schemas.store.commit.commit import Committed

FITS, WARNS, BREAKS, CHANGES = "schemas.gate.fits", "schemas.gate.warns", "schemas.gate.breaks", "schemas.changes"

# What statsd, with tags in the manner of Influx, takes: one other letter, and the count is lost with a traceback in the log.
_STRANGE = re.compile(r"[^A-Za-z0-9_.-]")
_LONGEST = 150

_log = logging.getLogger(__name__)


def gate(judgement: Judgement) -> None:
    """Count what a gate found: every table once."""
    for table, fits, warns in _found(judgement):
        _count(FITS if fits else BREAKS, table)
        if warns:
            _count(WARNS, table)


def changed(committed: Committed) -> None:
    """Count a version that was written."""
    if committed.created:
        _count(CHANGES, committed.table)


def _found(judgement: Judgement) -> Iterator[tuple[str, bool, bool]]:
    """Each table: whether it fits, and whether with warnings. One that is read and written has to fit twice."""
    for table in dict.fromkeys(one.table for one in judgement.tables):
        answers = [one for one in judgement.tables if one.table == table]
        fits = all(one.fits for one in answers)
        yield table, fits, fits and any(one.report.verdict is Verdict.WARN for one in answers)


def _count(name: str, table: str) -> None:
    try:
        Stats.incr(name, tags={"table": _STRANGE.sub("_", table)[:_LONGEST]})
    except Exception:  # noqa: BLE001  # whatever a client of metrics raises, the task goes on
        _log.debug("%s was not counted.", name, exc_info=True)
