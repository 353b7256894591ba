"""What the verdicts of earlier runs say of a table: which version counts as seen from then on."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from airflow_provider_schemas.store.layout.identifiers import MAIN
from airflow_provider_schemas.tasks.gate.task_history import GREEN, Record, States, TaskHistory, at_index
from airflow_provider_schemas.triggers.seen_versions import SeenVersion, read_seen

_ENDED = frozenset({"failed", "skipped", "upstream_failed", "removed"})


class StoreBranch(Struct, frozen=True):
    """The connection and the branch that a task reads its tables on: what it saw elsewhere is no baseline here."""

    conn_id: str
    branch: str = MAIN

    def holds(self, entry: Record) -> bool:
        """Return whether an entry is about a table here: a table of the same name in another store, or on another branch, is another."""
        conn_id = entry.get("conn_id", self.conn_id)
        branch = entry.get("branch", self.branch)
        return (conn_id, branch) == (self.conn_id, self.branch)


class EarlierVerdict(Struct, frozen=True):
    """The verdict of one earlier run of the task, and how that run ended."""

    run_id: str
    at: str
    bundle: str
    tables: Record
    state: str
    went_on: bool
    """Whether the verdict let the task go on."""
    after: str
    """The run before it."""

    def seen_version(self, table: str, store_branch: StoreBranch) -> SeenVersion | None:
        """Return the version of a table that counts from this run on; None if none does."""
        entry = self.tables.get(table)
        if not isinstance(entry, Mapping) or not store_branch.holds(entry):
            return None
        if self.state == GREEN:
            return read_seen(entry.get("seen"))
        before = read_seen(entry.get("before"))
        if before is not None:
            return before
        # A run that was cleared, and has not ended again, was green or not: then the older version is the safer one.
        is_open_again = self.state not in _ENDED and self.went_on
        if is_open_again:
            return read_seen(entry.get("seen"))
        return None


def read_verdicts(history: TaskHistory, run_ids: Sequence[str], tables: Sequence[str]) -> Iterator[EarlierVerdict]:
    """Yield the verdicts of these runs: of a mapped task that of the same index, and all of them if a table has changed its index."""
    states = history.read_states(list(run_ids))
    for run_id in run_ids:
        own = history.own_verdict(run_id)
        records = [] if own is None else [own]
        if history.map_index >= 0 and not _is_about(own, tables):
            records += history.verdicts_of_run(run_id)
        for record in records:
            yield _earlier_verdict(run_id, record, _state(history, states, run_id, record))


def _is_about(record: Record | None, tables: Sequence[str]) -> bool:
    """Return whether a verdict is about all of these tables."""
    return record is not None and all(table in record.get("tables", {}) for table in tables)


def kept_verdicts(history: TaskHistory, records: Sequence[Record]) -> list[EarlierVerdict]:
    """Return the records of the registry as verdicts: those of the same map index, and all about tables that no such record is about."""
    own = at_index(records, history.map_index)
    own_tables = set().union(*(record["tables"] for record in own))
    others = [record for record in records if record not in own and own_tables.isdisjoint(record["tables"])]
    run_ids = dict.fromkeys(str(record["run"]) for record in (*own, *others))
    states = history.read_states(list(run_ids))
    verdicts = []
    for record in (*own, *others):
        run_id = str(record["run"])
        verdicts.append(_earlier_verdict(run_id, record, _state(history, states, run_id, record)))
    return verdicts


def _state(history: TaskHistory, states: States, run_id: str, record: Record) -> Any:
    """Return the state in which the task left a run, at the map index of the verdict."""
    states_of_run = states.get(run_id)
    if not isinstance(states_of_run, Mapping):
        return None
    return states_of_run.get(history.name_at(record.get("map_index", -1)))


def _earlier_verdict(run_id: str, record: Record, state: Any) -> EarlierVerdict:
    tables = record.get("tables")
    return EarlierVerdict(
        run_id=run_id,
        at=str(record.get("at", "")),
        bundle=str(record.get("bundle", "")),
        tables=tables if isinstance(tables, Mapping) else {},
        state=str(state or ""),
        went_on=record.get("outcome") in ("fits", "warn"),
        after=str(record.get("after", "")),
    )
