"""The version that a task has seen which waits for the next one, and what the task leaves behind for its next run."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Protocol

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import NotThereError
from airflow_provider_schemas.hooks.schema_store import SchemaStoreHook
from airflow_provider_schemas.store.layout.identifiers import branch_name, table_name
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.store.versions.heads import heads_of, moment_of
from airflow_provider_schemas.store.versions.history import HistoryEntry
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.gate.baseline import find_baseline
from airflow_provider_schemas.tasks.gate.earlier_verdicts import StoreBranch
from airflow_provider_schemas.tasks.gate.task_history import push_verdict
from airflow_provider_schemas.tasks.task_run import Run, bundle_version
from airflow_provider_schemas.tasks.template_values import Value
from airflow_provider_schemas.triggers import store_cache
from airflow_provider_schemas.triggers.seen_versions import SeenVersion, seen_entry, seen_version
from airflow_provider_schemas.triggers.version_poller import NOTHING

LAST_RUN = "last_run"
NOW = "now"
_DIGEST = re.compile(r"[0-9a-f]{64}")
_SINCE = f"Pass {LAST_RUN!r}, {NOW!r}, the number of a version, or the digest of its file."


class VersionWait(Protocol):
    """A sensor that waits for a version: its arguments, and what it leaves for links."""

    conn_id: str
    table: str
    branch: str
    since: int | str
    changed_by_run: str


def read_request(sensor: VersionWait, context: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of the trigger, as plain values; the templates of the sensor were rendered."""
    conn_id = _read_conn_id(sensor)
    name = str(table_name(template_values.read_text(sensor.table, "table")))
    branch = branch_name(template_values.read_text(sensor.branch, "branch"))
    baseline = _Baseline(store_cache.store(conn_id).table(name, branch), StoreBranch(conn_id, branch), context)
    return {"conn_id": conn_id, "table": name, "branch": branch, **seen_entry(baseline.read(sensor.since))}


def finish(sensor: VersionWait, context: Mapping[str, Any], event: Mapping[str, Any]) -> dict[str, Any]:
    """Return the version that came, in plain and few values."""
    version = {key: value for key, value in event.items() if key not in ("status", "said")}
    sensor.changed_by_run = version["run"]
    push_verdict(context["ti"], _verdict(version, _read_conn_id(sensor), context), is_baseline=True)
    return version


def _read_conn_id(sensor: VersionWait) -> str:
    return template_values.read_text(sensor.conn_id, "conn_id") or SchemaStoreHook.default_conn_name


class _Baseline:
    """The version of a table that counts as seen."""

    def __init__(self, table: Table, where: StoreBranch, context: Mapping[str, Any]) -> None:
        self._table = table
        self._where = where
        self._context = context

    def read(self, value: Value) -> SeenVersion:
        """Return number and digest, by the argument `since`; without a digest only a higher number is newer."""
        since = str(value).strip() if isinstance(value, str) else value
        if not template_values.is_given(since, "since") or since == LAST_RUN:
            return self._last_run()
        if since == NOW:
            return self._now()
        if isinstance(since, str) and _DIGEST.fullmatch(since.lower()):
            return self._by_digest(since.lower())
        if since == "-1" or (since == NOTHING and not isinstance(since, bool)):
            return NOTHING, ""
        number = None
        if _is_number(since):
            number = template_values.read_version_number(since, "since")
        if number is None:
            raise template_values.argument_error(f"{shown(value)} is nothing that could have been seen.", "since", _SINCE)
        return self._by_number(number)

    def _last_run(self) -> SeenVersion:
        past = find_baseline(self._context["ti"], [self._table.name], self._where)
        return past.since.get(self._table.name, (NOTHING, ""))

    def _versions(self) -> tuple[Version, ...]:
        try:
            return self._table.versions()
        except NotThereError:
            return ()

    def _now(self) -> SeenVersion:
        """Return the newest version; where a worker looks again and again in new processes, the newest one when it began to."""
        began = self._first_look()
        if began is not None:
            return self._newest_before(began)
        try:
            head = self._table.latest()
        except NotThereError:
            return NOTHING, ""
        return _seen(head)

    def _first_look(self) -> datetime | None:
        """Return when the first of several processes looked; None in the first one."""
        if not self._context.get("task_reschedule_count"):
            return None
        began: datetime | None = self._context["ti"].get_first_reschedule_date(self._context)
        return began

    def _newest_before(self, began: datetime) -> SeenVersion:
        # Versions have milliseconds: one of the same millisecond may have come after the first look, and a sensor must not miss it.
        began = began.replace(microsecond=began.microsecond // 1000 * 1000)
        for when, version in self._newest_first():
            if when is None or when < began:
                return version
        return NOTHING, ""

    def _newest_first(self) -> Iterator[tuple[datetime | None, SeenVersion]]:
        """Yield the versions with the time since which each was the newest; in a mounted table one may stand there twice."""
        versions = self._versions()
        heads = heads_of(self._table.subject.versions) if versions else None
        if heads is None:
            yield from ((HistoryEntry(version).when, _seen(version)) for version in reversed(versions))
            return
        for head in reversed(heads.entries):
            yield moment_of(head), seen_version(head.number, head.digest, head.table_id)

    def _by_number(self, number: int) -> SeenVersion:
        try:
            return _seen(self._table.version(number))
        except NotThereError:
            return number, ""

    def _by_digest(self, digest: str) -> SeenVersion:
        """Return the version with this file; where none has it, the one that was seen has gone, and every other one is new."""
        for version in self._versions():
            if version.digest == digest:
                return _seen(version)
        return NOTHING, ""


def _seen(version: Version) -> SeenVersion:
    return seen_version(version.number, version.digest, version.table_id)


def _is_number(since: Any) -> bool:
    return not isinstance(since, str) or since.isdecimal()


def _verdict(version: Mapping[str, Any], conn_id: str, context: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a later run of the task looks back at, in the form of a gate's verdict."""
    run = Run.of(context)
    ti = context["ti"]
    name = version["table"]
    past = find_baseline(ti, [name], StoreBranch(conn_id, version["branch"]))
    old = past.since.get(name)
    seen = {key: version[key] for key in ("version", "digest", "table_id") if key in version}
    table: dict[str, Any] = {
        **seen,
        "conn_id": conn_id,
        "branch": version["branch"],
        "verdict": "ok",
        "fits": True,
        "findings": [],
        "notes": [],
        "seen": seen,
    }
    if old is not None:
        table["before"] = seen_entry(old)
    return {
        "consumer": run.consumer,
        "conn_id": conn_id,
        "verdict": "ok",
        "fits": True,
        "outcome": "fits",
        "run": run.run_id,
        "map_index": run.map_index,
        "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "bundle": bundle_version(ti),
        "after": past.after,
        "notes": [],
        "tables": {name: table},
    }
