"""The baselines of a task in the registry, where clearing a run does not reach them. `baseline` says what they mean."""

from collections.abc import Iterable
from typing import Any

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.commit import registry_in_use
from airflow_provider_schemas.store.registry import baselines
from airflow_provider_schemas.store.registry.baselines import Baseline
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.tasks.gate.task_history import Record
from airflow_provider_schemas.tasks.gate.verdict import GateVerdict
from airflow_provider_schemas.tasks.task_run import Run

_SHARED_KEYS = ("run", "map_index", "at", "bundle", "outcome")
"""What a record of the registry and a verdict in XCom both have."""
# A store shows by its tables alone whether its registry may be written. None of this name need be there: nothing is read.
_ANY_TABLE = "any.table"


def read_kept(store: SchemaStore, run: Run, tables: Iterable[str], conn_id: str) -> list[Record]:
    """Read what the registry keeps of a task, in the form of verdicts."""
    records: list[Record] = []
    for table in tables:
        records += [_as_verdict(table, record, conn_id, store.url) for record in _list(store, run, table)]
    return records


def keeps_baselines(store: SchemaStore) -> bool:
    """Return whether the registry keeps what its tasks see: then a task of which it keeps nothing has seen nothing."""
    return store.table(_ANY_TABLE).subject.roots.may_write


def save(store: SchemaStore, verdict: GateVerdict, xcom_value: Record, *, ends_here: bool) -> tuple[str, ...]:
    """Keep what the task saw, where that is news; return notes about what the registry did not take.

    A gate ends here, and is green as soon as it lets pass. What cannot be written stays in XCom alone.
    """
    if not keeps_baselines(store):
        return ()
    notes: list[str] = []
    for table in sorted(verdict.baseline_tables):
        try:
            _save(store.judging(), verdict, table, _record(store, verdict, table, xcom_value, ends_here=ends_here))
        except SchemaError as error:
            notes.append(f"what was seen of {table} is kept in XCom alone, as the registry did not take it: {error.message}")
    return tuple(notes)


def _record(store: SchemaStore, verdict: GateVerdict, table: str, xcom_value: Record, *, ends_here: bool) -> Baseline:
    """Return the record of one table, from the entry of the table in the verdict."""
    entry = xcom_value["tables"][table]
    is_green = ends_here and verdict.lets_pass
    return Baseline(
        by=store.actor,
        consumer=verdict.run.consumer,
        **{key: xcom_value[key] for key in _SHARED_KEYS},
        conn_id=verdict.conn_id,
        store=str(xcom_value["store"]),
        branch=str(entry.get("branch", "main")),
        seen=entry.get("seen"),
        before=entry.get("seen" if is_green else "before"),
    )


def _save(store: SchemaStore, verdict: GateVerdict, table: str, record: Baseline) -> None:
    is_known = _is_known(store, verdict.run, table, record)
    if record.seen is None or (verdict.lets_pass and is_known):
        return
    subject = store.table(table).subject
    if not verdict.judgement.registry:
        registry_in_use.check_for_records(subject)
    baselines.save(store.registry, subject.name, store.team, verdict.run.consumer, record)


def _is_known(store: SchemaStore, run: Run, table: str, record: Baseline) -> bool:
    """Return whether the registry keeps these versions already."""
    for kept in _list(store, run, table):
        if (kept.map_index, kept.branch) == (record.map_index, record.branch):
            return (kept.seen, kept.before) == (record.seen, record.before)
    return False


def _list(store: SchemaStore, run: Run, table: str) -> tuple[Baseline, ...]:
    return baselines.listed(store.registry, store.table(table).id, store.team, run.consumer)


def _as_verdict(table: str, record: Baseline, conn_id: str, url: str) -> dict[str, Any]:
    """Return a record in the form of a verdict. Another connection to the same warehouse is the same place."""
    entry: dict[str, Any] = {"conn_id": conn_id if record.store == url else record.conn_id, "branch": record.branch}
    if record.seen is not None:
        entry["seen"] = record.seen.model_dump(exclude_none=True)
    if record.before is not None:
        entry["before"] = record.before.model_dump(exclude_none=True)
    return {**{key: getattr(record, key) for key in _SHARED_KEYS}, "tables": {table: entry}}
