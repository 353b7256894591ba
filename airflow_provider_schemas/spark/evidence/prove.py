"""Evidence from the live files of a table that a tightening is safe: footers where they suffice, a scan where not."""

import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.policies.evidence import Evidence
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import ContractError
from airflow_provider_schemas.spark.evidence.from_footers import Said, by_footers
from airflow_provider_schemas.spark.evidence.questions import Question, questions, under_old_names
from airflow_provider_schemas.spark.files.discovery import FoundFiles, find_files
from airflow_provider_schemas.spark.reading.bad_values import BAD
from airflow_provider_schemas.spark.reading.read_table import read_table
from airflow_provider_schemas.spark.session import checked, described, time_zone
from airflow_provider_schemas.spark.sql import literal, name
from airflow_provider_schemas.spark.validation.count_failures import counted
from airflow_provider_schemas.spark.validation.expected import Column, Expected
from airflow_provider_schemas.spark.validation.form import compared, form_of
from airflow_provider_schemas.spark.validation.row_checks import NULL, Check, Lack
from airflow_provider_schemas.spark.validation.value_checks import INEXACT
from airflow_provider_schemas.store.data_files.live_files import live_files
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.roots import location_of
from airflow_provider_schemas.store.table import Table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_log = logging.getLogger("airflow_provider_schemas.spark")
_SAY: Final = "Pass store.table(name)."


class _Looked(NamedTuple):
    """What is looked at."""

    spark: "SparkSession"
    table: Table
    head: Version
    found: FoundFiles
    snapshot: int | None
    path: str | None


def prove(
    table: Table,
    changes: Any = None,
    *,
    target: Any = None,
    spark: "SparkSession | None" = None,
    path: str | None = None,
    branch: str | None = None,
) -> tuple[Evidence, ...]:
    """What all live files of a table prove of these changes, for `table.plan(changes, evidence=...)` and `table.evolve`.

    One Evidence a path and a question that holds: no live value is NULL, or all fit the new type. Of what does not hold
    the log says how many rows break it. Evidence is about the files that there were: each says which snapshot that was,
    and the log tells if there is a newer one by the end. Path is a folder that is read instead of the table's own data.
    Evidence is weighed by the plan: a reader that fails on the old type in the file fails whatever the values are.
    Changes and target are what `plan` takes. Without a session, the one that is active is used.
    """
    session, found = _session(spark), _table(table, branch)
    head, plan = found.latest(), found.plan(changes, target)
    asked = questions(plan, head.schema)
    if not asked:
        return ()
    looked = _looked(session, found, head, path)
    with described(looked.spark, f"prove {looked.table.name}"):
        said = by_footers(looked.spark, looked.table, looked.found, asked)
        rest = [one for one in asked if one not in said]
        scanned = _by_rows(looked, rest, plan) if rest else {}
    for one, answer in {**said, **scanned}.items():
        if not answer.holds:
            _log.warning("%s: %s is not proven: %s.", looked.table.name, _claim(one), answer.reason)
    _tell_of_newer(looked)
    of = [*((one, "footers") for one in said if said[one].holds), *((one, "a scan") for one in scanned if scanned[one].holds)]
    return tuple(_evidence(one, how, looked) for one, how in of)


def _session(spark: "SparkSession | None") -> "SparkSession":
    if spark is None:
        from pyspark.sql import SparkSession

        spark = SparkSession.getActiveSession()
    return checked(spark)


def _table(table: object, branch: str | None) -> Table:
    if not isinstance(table, Table):
        raise ContractError(f"a {type(table).__name__} is no table.", code="read.no-table", path="table", fix=_SAY)
    return table if branch is None else table.branch(branch)


def _looked(spark: "SparkSession", table: Table, head: Version, path: str | None) -> _Looked:
    snapshot = _snapshot(table) if path is None else None
    return _Looked(spark, table, head, find_files(spark, table, snapshot=snapshot, tag=None, path=path), snapshot, path)


def _snapshot(table: Table) -> int | None:
    """The newest snapshot of a table of Paimon's; None if there is none, and of plain folders."""
    if location_of(table.schema()) or table.place.layout is not Layout.PAIMON:
        return None
    return live_files(table).snapshot


# ---------------------------------------------------------------- rows


def _by_rows(looked: _Looked, asked: Sequence[Question], plan: Plan) -> dict[Question, Said]:
    """One scan of the columns that are asked about, as the newest version has them, held against what they are to be."""
    names = tuple(dict.fromkeys(one.column for one in asked))
    where: dict[str, Any] = {"version": looked.head.number, "snapshot": looked.snapshot, "path": looked.path}
    noted = read_table(looked.spark, looked.table, columns=names, bad_values="quarantine", **where)
    frame = noted.drop(BAD)
    wanted = (one for one in under_old_names(plan.result, looked.head.schema) if one.name in names)
    expected = Expected(tuple(Column((one.name,), one.type, one.type.nullable, id=one.id) for one in wanted), closed=False)
    seen = compared(form_of(frame.schema.jsonValue()), expected, time_zone(looked.spark))
    mine = [one for one in seen.checks if any(_is_about(one, question) for question in asked)] + [_lost(one) for one in asked]
    found = counted(noted, mine)
    counts = dict(zip(mine, found.counts, strict=True))
    return {one: _said(one, seen.lacks, counts, found.rows) for one in asked}


def _lost(asked: Question) -> Check:
    """That the column holds what cannot be read as it is now: nothing is proven of a value that nobody has."""
    inside = f"startswith(`a note`.column, {literal(f'{asked.column}.')})"
    lost = f"exists({name(BAD)}, `a note` -> `a note`.column = {literal(asked.column)} or {inside})"
    return Check(INEXACT, asked.column, lost, asked.column)


def _is_about(check: Check, asked: Question) -> bool:
    return check.path == asked.path and (check.rule == NULL) is asked.not_null


def _said(asked: Question, lacks: Sequence[Lack], counts: Mapping[Check, int], rows: int) -> Said:
    if any(one.path == asked.path for one in lacks):
        return Said(False, "values of these types cannot be held against each other")
    lost = counts[_lost(asked)]
    if lost:
        return Said(
            False, f"{lost:,} of {rows:,} rows hold what cannot be read as {asked.now.with_nullable(True)}, which {asked.column} is now"
        )
    broken = max((count for check, count in counts.items() if _is_about(check, asked)), default=0)
    return Said(not broken, f"{broken:,} of {rows:,} rows break it" if broken else "")


# ---------------------------------------------------------------- words


def _claim(asked: Question) -> str:
    return f"that {asked.path} is never NULL" if asked.not_null else f"that {asked.path} fits {asked.kind.with_nullable(True)}"


def _evidence(asked: Question, how: str, looked: _Looked) -> Evidence:
    moment = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    where = f"snapshot {looked.snapshot}" if looked.snapshot is not None else shown(looked.found.base)[1:-1] if looked.found.base else ""
    found = f"{moment}, {how}{f' of {where}' if where else ''}"
    fits = None if asked.not_null else str(asked.kind.with_nullable(True))
    about: dict[str, Any] = {"path": asked.path, "id": asked.id, "table": looked.table.name, "files": len(looked.found.files)}
    return Evidence(not_null=asked.not_null, fits=fits, found=found, **about)


def _tell_of_newer(looked: _Looked) -> None:
    """What came while it was looked at is not in the evidence."""
    name, head = looked.table.name, looked.table.latest()
    if head.identity != looked.head.identity:
        _log.warning("%s: version %s came while the data were looked at: prove it again before you plan.", name, head.number)
    newest = _snapshot(looked.table) if looked.snapshot is not None else None
    if newest != looked.snapshot:
        _log.warning("%s: snapshot %s came while %s was looked at: its rows are not proven.", name, newest, looked.snapshot)
