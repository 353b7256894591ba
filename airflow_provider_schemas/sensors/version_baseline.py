"""What counts as seen of a table by a task that waits for its next version, and what it leaves behind for its next run."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Protocol

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import NotThereError
from airflow_provider_schemas.hooks.schema_store import SchemaStoreHook
from airflow_provider_schemas.store.layout.identifiers import branch_name, table_name
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.store.versions.history import Entry
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.gate.baseline import Where, bundle_of, looked_back, push
from airflow_provider_schemas.tasks.task_run import Run
from airflow_provider_schemas.triggers import store_cache
from airflow_provider_schemas.triggers.version_poller import NOTHING

LAST_RUN, NOW = "last_run", "now"
_DIGEST = re.compile(r"[0-9a-f]{64}")
_SINCE = f"Pass {LAST_RUN!r}, {NOW!r}, the number of a version, or the digest of its file."

Seen = tuple[int, str]


class VersionWait(Protocol):
    """A sensor that waits for a version: what it was asked with, and what it leaves for links."""

    conn_id: str
    table: str
    branch: str
    since: int | str
    changed_by_run: str


def asked(sensor: VersionWait, context: Mapping[str, Any]) -> dict[str, Any]:
    """What a sensor asks, as plain values; its templates were rendered."""
    conn_id = _connection(sensor)
    name, branch = (
        str(table_name(template_values.read_text(sensor.table, "table"))),
        branch_name(template_values.read_text(sensor.branch, "branch")),
    )
    number, digest = _Since(store_cache.store(conn_id).table(name, branch), Where(conn_id, branch), context).seen(sensor.since)
    return {"conn_id": conn_id, "table": name, "branch": branch, "version": number, "digest": digest}


def ended(sensor: VersionWait, context: Mapping[str, Any], event: Mapping[str, Any]) -> dict[str, Any]:
    """The version that came, in plain and few values."""
    found = {key: value for key, value in event.items() if key not in ("status", "said")}
    sensor.changed_by_run = found["run"]
    push(context["ti"], _verdict(found, _connection(sensor), context), by_sight=True)
    return found


def _connection(sensor: VersionWait) -> str:
    return template_values.read_text(sensor.conn_id, "conn_id") or SchemaStoreHook.default_conn_name


class _Since:
    """What counts as seen of a table."""

    def __init__(self, table: Table, where: Where, context: Mapping[str, Any]) -> None:
        self._table, self._where, self._context = table, where, context

    def seen(self, said: Any) -> Seen:
        """Number and digest; without a digest only a higher number is newer."""
        text = str(said).strip() if isinstance(said, str) else said
        if not template_values.is_given(text, "since") or text == LAST_RUN:
            looked = looked_back(self._context["ti"], [self._table.name], self._where)
            return looked.since.get(self._table.name, (NOTHING, ""))
        if text == NOW:
            return self._now()
        if isinstance(text, str) and _DIGEST.fullmatch(text.lower()):
            return self._by_digest(text.lower())
        if text == "-1" or (text == NOTHING and not isinstance(text, bool)):
            return NOTHING, ""
        number = template_values.read_version_number(text, "since") if _is_number(text) else None
        if number is None:
            raise template_values.argument_error(f"{shown(said)} is nothing that could have been seen.", "since", _SINCE)
        return self._by_number(number)

    def _versions(self) -> tuple[Version, ...]:
        try:
            return self._table.versions()
        except NotThereError:
            return ()

    def _now(self) -> Seen:
        """The newest version; where a worker looks again and again in new processes, the newest one when it began to."""
        began = self._began()
        if began is not None:
            # Versions tell milliseconds: one of the same millisecond may have come after the first look, and a sensor must not miss it.
            began = began.replace(microsecond=began.microsecond // 1000 * 1000)
            versions = [version for version in self._versions() if (when := Entry(version).when) is None or when < began]
            return (versions[-1].number, versions[-1].digest) if versions else (NOTHING, "")
        try:
            head = self._table.latest()
        except NotThereError:
            return NOTHING, ""
        return head.number, head.digest

    def _began(self) -> datetime | None:
        if not self._context.get("task_reschedule_count"):
            return None
        found: datetime | None = self._context["ti"].get_first_reschedule_date(self._context)
        return found

    def _by_number(self, number: int) -> Seen:
        try:
            return number, self._table.version(number).digest
        except NotThereError:
            return number, ""

    def _by_digest(self, digest: str) -> Seen:
        """The version with this file; where none has it, the one that was seen has gone, and any other is news."""
        return next(((one.number, one.digest) for one in self._versions() if one.digest == digest), (NOTHING, ""))


def _is_number(text: Any) -> bool:
    return not isinstance(text, str) or text.isdecimal()


def _verdict(found: Mapping[str, Any], conn_id: str, context: Mapping[str, Any]) -> dict[str, Any]:
    """What a later run of the task looks back at, in the form of a gate's verdict."""
    run, ti, name = Run.of(context), context["ti"], found["table"]
    looked = looked_back(ti, [name], Where(conn_id, found["branch"]))
    old = looked.since.get(name)
    seen = {"version": found["version"], "digest": found["digest"]}
    before = {} if old is None else {"before": {"version": old[0], "digest": old[1]}}
    table = {
        **seen,
        "conn_id": conn_id,
        "branch": found["branch"],
        "verdict": "ok",
        "fits": True,
        "findings": [],
        "notes": [],
        "seen": seen,
        **before,
    }
    about = {"consumer": run.consumer, "conn_id": conn_id, "verdict": "ok", "fits": True, "outcome": "fits"}
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    at = {"run": run.run_id, "map_index": run.map_index, "at": now, "bundle": bundle_of(ti), "after": looked.after}
    return {**about, **at, "notes": [], "tables": {name: table}}
