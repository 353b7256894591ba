"""The tables that a DAG reads and writes: what its gates judged, and what its tasks changed, out of their XComs alone."""

from collections.abc import Iterable, Mapping
from datetime import datetime

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.plugins.common.page import Asked
from airflow_provider_schemas.plugins.common.query import needed
from airflow_provider_schemas.plugins.gates.gate_list import ROWS
from airflow_provider_schemas.plugins.gates.gate_row import GateRow, GateState, GateTable, gate_rows
from airflow_provider_schemas.plugins.verdicts.failed import failed_without_verdict
from airflow_provider_schemas.plugins.verdicts.past import red_since
from airflow_provider_schemas.plugins.verdicts.pushed import CHANGE_KEY, Pushed
from airflow_provider_schemas.plugins.verdicts.read import last_pushed

_MAX_TABLES = 500


class ChangeValue(Struct, frozen=True):
    """What a task that changes a table has pushed, as far as the page shows it."""

    table: str
    conn_id: str = ""
    outcome: str = ""
    version: int | None = None
    previous: int | None = None
    verdict: Verdict = Verdict.INVALID


class TableChange(Struct, frozen=True):
    """The last change of a table by a task of the DAG."""

    pushed: Pushed
    value: ChangeValue


class TableVerdict(Struct, frozen=True):
    """What a gate says of one table."""

    gate: GateRow
    table: GateTable

    @property
    def task(self) -> str:
        """Return the name of the task: load[2] of a mapped one."""
        return self.gate.name.removeprefix(f"{self.gate.pushed.dag_id}.")


class DagTable(Struct, frozen=True):
    """A table of a DAG: the gates that judge it, the worst first, and the last task that changed it."""

    name: str
    conn_id: str
    version: int | None
    at: datetime
    judged_by: tuple[TableVerdict, ...] = ()
    change: TableChange | None = None


def dag_content(asked: Asked) -> Mapping[str, object]:
    """Return the tables of the DAG that the query names, and the last verdict of each of its gates."""
    dag_id = needed(asked.query, "dag_id")
    verdicts = last_pushed((dag_id,))
    rows = gate_rows(verdicts.values, failed_without_verdict(verdicts.values))
    pushed = last_pushed((dag_id,), CHANGE_KEY)
    changes = [change for change in map(_change, pushed.values) if change is not None]
    tables = _tables(rows, changes)
    shown = rows[:ROWS]
    return {
        "dag_id": dag_id,
        "rows": shown,
        "more_rows": len(rows) - len(shown),
        "since": red_since(row.gate for row in shown if row.state is GateState.BROKEN),
        "tables": tables[:_MAX_TABLES],
        "more_tables": max(0, len(tables) - _MAX_TABLES),
        "unreadable_changes": len(pushed.values) - len(changes),
        "is_cut": verdicts.is_cut or pushed.is_cut,
    }


def _change(pushed: Pushed) -> TableChange | None:
    """Return a change; None where its value lies elsewhere or is none that this release knows."""
    try:
        return TableChange(pushed, msgspec.convert(pushed.value, ChangeValue))
    except (msgspec.ValidationError, RecursionError):
        return None


def _tables(rows: Iterable[GateRow], changes: Iterable[TableChange]) -> list[DagTable]:
    """Return the tables by name, each once: the same name behind two connections is two tables."""
    found: dict[tuple[str, str], DagTable] = {}
    for row in rows:
        for table in row.tables:
            known = found.get((table.name, table.conn_id)) or DagTable(table.name, table.conn_id, table.new, row.at)
            found[table.name, table.conn_id] = _judged(known, TableVerdict(row, table))
    # The newest comes first: of several changes it is the one that is kept.
    for change in changes:
        place = (change.value.table, change.value.conn_id)
        known = found.get(place) or DagTable(*place, change.value.version, change.pushed.at)
        if known.change is None:
            found[place] = _changed(known, change)
    return [found[place] for place in sorted(found)]


def _judged(known: DagTable, verdict: TableVerdict) -> DagTable:
    """Return the table with one more gate; the version is the one that was seen last."""
    at, version = known.at, known.version
    if verdict.gate.at >= at:
        at, version = verdict.gate.at, verdict.table.new
    return msgspec.structs.replace(known, judged_by=(*known.judged_by, verdict), version=version, at=at)


def _changed(known: DagTable, change: TableChange) -> DagTable:
    version, at = known.version, known.at
    if change.value.version is not None and change.pushed.at >= known.at:
        version, at = change.value.version, change.pushed.at
    return msgspec.structs.replace(known, change=change, version=version, at=at)
