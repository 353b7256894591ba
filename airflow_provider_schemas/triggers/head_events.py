"""The events of a mounted table: one for each schema that became current, in order."""

from collections.abc import Iterator, Sequence
from typing import Any

from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.store.mounts.source import Head
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.store.versions.heads import is_head
from airflow_provider_schemas.triggers.event_payload import short, version_payload
from airflow_provider_schemas.triggers.seen_versions import SeenVersion, table_entry


def head_events(table: Table, seen: SeenVersion, came: Sequence[Head], *, is_replaced: bool) -> Iterator[dict[str, Any]]:
    """Yield an event for each head that came after the one that was seen; where the table was made again, the first of them says so."""
    versions = {version.number: version for version in table.versions()}
    past = table.subject.versions.heads().entries
    known = list(past[: max(len(past) - len(came), 0)])
    before = None if is_replaced or seen[0] < 0 else _find(versions, *seen)
    previous = seen[0] if seen[0] >= 0 else None
    for place, head in enumerate(came):
        version = _find(versions, head.number, head.digest, head.table_id)
        kind = "replaced" if is_replaced and place == 0 else "version"
        event = {"kind": kind, **_payload(table, head, version, before, previous)}
        if any(is_head((head.number, head.digest, head.table_id), earlier) for earlier in known):
            event["restored"] = True
        yield event
        known.append(head)
        before = version
        previous = head.number


def _payload(table: Table, head: Head, version: Version | None, before: Version | None, previous: int | None) -> dict[str, Any]:
    """Return what is new in a head; without its changes, where the metadata hold its schema no more."""
    if version is None:
        payload: dict[str, Any] = {"table": table.name, "branch": table.branch_name, "version": head.number, "previous": previous}
        payload |= {"digest": head.digest, "changes": [], "by": "", "run": "", **table_entry(head.table_id)}
    else:
        payload = version_payload(table, version, before, previous)
    if head.origin and not payload["by"]:
        payload["by"] = short(head.origin)
    return payload


def _find(versions: dict[int, Version], number: int, digest: str, table_id: str = "") -> Version | None:
    """Return a version, if the metadata still hold it."""
    version = versions.get(number)
    return version if version is not None and is_head((number, digest, table_id), version) else None
