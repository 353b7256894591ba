"""The baselines of a task in the registry, where clearing a run does not reach them. `baseline` has what they mean."""

from collections.abc import Iterable, Mapping
from typing import Any

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.commit import registry_in_use
from airflow_provider_schemas.store.registry import baselines
from airflow_provider_schemas.store.registry.baselines import Baseline
from airflow_provider_schemas.store.schema_store import SchemaStore
from airflow_provider_schemas.tasks.gate.verdict import Verdict
from airflow_provider_schemas.tasks.task_run import Run

_ABOUT = ("run", "map_index", "at", "bundle", "outcome")


def read(store: SchemaStore, run: Run, tables: Iterable[str], conn_id: str) -> list[Mapping[str, Any]]:
    """What the registry keeps of a task, as its verdicts say it."""
    found: list[Mapping[str, Any]] = []
    for table in tables:
        found += [_said(table, one, conn_id, store.url) for one in _listed(store, run, table)]
    return found


def may_write(store: SchemaStore) -> bool:
    """Whether the registry keeps what its tasks saw: then nothing was seen by a task of which it keeps nothing."""
    return store.table("any.table").subject.roots.may_write


def write(store: SchemaStore, verdict: Verdict, said: Mapping[str, Any], *, ends_here: bool) -> tuple[str, ...]:
    """Keep what was seen, where that is news; return what has to be said of it.

    Ends here is for a gate, which is green as soon as it lets pass. What cannot be written stays in XCom alone.
    """
    if not may_write(store):
        return ()
    notes: list[str] = []
    for table in sorted(verdict.by_sight):
        try:
            _write(store.judging(), verdict, table, said, ends_here=ends_here)
        except SchemaError as error:
            notes.append(f"what was seen of {table} is kept in XCom alone, as the registry did not take it: {error.message}")
    return tuple(notes)


def _write(store: SchemaStore, verdict: Verdict, table: str, said: Mapping[str, Any], *, ends_here: bool) -> None:
    about, run = said["tables"][table], verdict.run
    went_on = verdict.outcome in ("fits", "warn")
    record = Baseline(
        by=store.actor,
        consumer=run.consumer,
        **{key: said[key] for key in _ABOUT},
        conn_id=verdict.conn_id,
        store=str(said["store"]),
        branch=str(about.get("branch", "main")),
        seen=about.get("seen"),
        before=about.get("seen") if ends_here and went_on else about.get("before"),
    )
    same = [one for one in _listed(store, run, table) if (one.map_index, one.branch) == (record.map_index, record.branch)]
    if record.seen is None or (went_on and same and (same[0].seen, same[0].before) == (record.seen, record.before)):
        return
    subject = store.table(table).subject
    if not verdict.judgement.registry:
        registry_in_use.check_for_records(subject)
    baselines.save(store.registry, subject.name, store.team, run.consumer, record)


def _listed(store: SchemaStore, run: Run, table: str) -> tuple[Baseline, ...]:
    return baselines.listed(store.registry, store.table(table).id, store.team, run.consumer)


def _said(table: str, one: Baseline, conn_id: str, url: str) -> dict[str, Any]:
    """A record as a verdict. Another connection to the same warehouse is the same place."""
    here = conn_id if one.store == url else one.conn_id
    about: dict[str, Any] = {"conn_id": here, "branch": one.branch}
    about |= {key: value.model_dump() for key, value in (("seen", one.seen), ("before", one.before)) if value is not None}
    return {**{key: getattr(one, key) for key in _ABOUT}, "tables": {table: about}}
