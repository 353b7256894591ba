"""Each pair judged twice: by the library, and by Spark, which executes the job."""

import contextlib
import logging
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec

from airflow_provider_schemas.core import TableSchema, check_contract
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.core.types.nested import Field, RowType
from tests.truth.jobs import Fields
from tests.truth.pairs import Pair
from tests.truth.values import ROWS, neutral, received, rows_of, rows_received

_CONF = {"spark.sql.session.timeZone": "America/New_York", "spark.sql.shuffle.partitions": "1"}


class Outcome(StrEnum):
    """What Spark did."""

    RIGHT = "right"
    RAISED = "raised"
    OTHER = "other values"


class Judged(NamedTuple):
    """A pair with both answers."""

    pair: Pair
    outcome: Outcome
    green: bool
    findings: tuple[str, ...]
    misread: bool = False
    """Whether an engine that is handed a schema is the reason."""
    detail: str = ""


def judged(session: Any, several: Iterable[Pair]) -> Iterator[Judged]:
    """Judge each pair; the session is one of its own."""
    for key, value in _CONF.items():
        session.conf.set(key, value)
    log = logging.getLogger("SQLQueryContextLogger")
    level = log.level
    log.setLevel(logging.CRITICAL)
    try:
        for pair in several:
            outcome, detail = executed(session, pair)
            yield answered(pair, outcome, detail)
    finally:
        log.setLevel(level)


# ---------------------------------------------------------------- Spark


def executed(session: Any, pair: Pair) -> tuple[Outcome, str]:
    """What the job gets, or what Spark said."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        frame = pair.job.run(session, asked(pair), pair.theirs, pair.form)
        got = [neutral(one, frame.schema) for one in frame.collect()]
    except (PySparkException, Py4JError) as error:
        return Outcome.RAISED, str(error).strip().splitlines()[0][:200]
    except (ValueError, OverflowError) as error:
        # A date beyond the year 9999, which no row was sent as.
        return Outcome.OTHER, str(error)
    return (Outcome.RIGHT, "") if _is_right(pair, got) else (Outcome.OTHER, str(got)[:200])


def _is_right(pair: Pair, got: list[Any]) -> bool:
    job = pair.job
    if job.paths:
        return _paths_right(pair, got)
    receiver, sender = (pair.theirs, pair.mine) if job.writes else (pair.mine, pair.theirs)
    return rows_received(receiver, sender, got, job.reading, more=job.more_columns)


def asked(pair: Pair) -> Fields:
    """The columns that the job names: paths, for one that goes by paths."""
    return tuple(one for one, _ in _leaves(pair.mine)) if pair.job.paths else pair.mine


def _leaves(fields: Fields, above: str = "", way: tuple[int, ...] = ()) -> Iterator[tuple[Field, tuple[int, ...]]]:
    for one in fields:
        if isinstance(one.type, RowType):
            yield from _leaves(one.type.fields, f"{above}{one.name}.", (*way, one.id))
        else:
            yield one.with_name(f"{above}{one.name}"), (*way, one.id)


def _paths_right(pair: Pair, got: list[Any]) -> bool:
    there = {one.id: one for one, _ in _leaves(pair.theirs)}
    ways = list(_leaves(pair.mine))
    for sent, line in zip(rows_of(pair.theirs), got, strict=True):
        for (one, way), (_, part) in zip(ways, line, strict=True):
            source = there.get(one.id)
            if source is None or not received(one.type, source.type, _at(sent, way), part, pair.job.reading):
                return False
    return len(got) == ROWS


def _at(sent: Any, way: tuple[int, ...]) -> Any:
    for step in way:
        with contextlib.suppress(KeyError):
            sent = None if sent is None else sent[step]
    return sent


# ---------------------------------------------------------------- the library


def answered(pair: Pair, outcome: Outcome, detail: str = "") -> Judged:
    """The pair with what Spark did and what the library says."""
    contract = {
        "name": "job",
        "shape": pair.job.shape,
        "columns": [{"name": one.name, "type": str(one.type), "role": "write" if pair.job.writes else "select"} for one in asked(pair)],
        **({"read_with": f"spark-4-{pair.form}"} if pair.job.says_how else {}),
    }
    before = schema_of(pair.mine) if pair.knows_before else None
    report = check_contract(schema_of(pair.theirs), contract, seen=before, policy={"readers": [f"spark-4-{pair.form}"]})
    findings = tuple(f"{one.rule} {one.path}" for one in report.findings if one.verdict is Verdict.BREAK)
    misread = any("with a schema of its own" in one.message for one in report.findings)
    return Judged(pair, outcome, report.fits, findings, misread, detail)


def schema_of(fields: Fields) -> TableSchema:
    """The schema of a table with these columns."""
    blank = TableSchema.create("id INT")
    return msgspec.structs.replace(blank, fields=fields, highest_field_id=1_000)
