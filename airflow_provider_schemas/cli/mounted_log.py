"""The log of a table that others keep: when each schema became current, also one that was current before, and what is not known."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas.cli.output.result import Answer, Part, Rows, TextLine
from airflow_provider_schemas.render.history import changed, name
from airflow_provider_schemas.render.page import LIMIT
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.render.version_entries import VersionEntry
from airflow_provider_schemas.render.wording import counted

if TYPE_CHECKING:
    from airflow_provider_schemas.store.table import Table
    from airflow_provider_schemas.store.versions.history import HistoryEntry


def answer(table: "Table", newest: int | None, since: datetime | None) -> Answer:
    """Answer with the schemas in the order in which they were current, the newest first."""
    history = table.history()
    entries = [entry for entry in history if since is None or (entry.when is not None and entry.when >= since)][:newest]
    doubts = [f"{finding.rule} {finding.path}: {finding.message}" for finding in table.inspect().findings]
    lines = [TextLine(clean(text)) for text in (*history.notes, *doubts)]
    data = {"table": table.name, "versions": list(map(_plain, entries)), "doubts": doubts, "notes": list(history.notes), "removals": []}
    return Answer([*_parts(table.name, entries), *lines], data)


def _parts(table: str, entries: Sequence["HistoryEntry"]) -> Iterator[Part]:
    if entries:
        yield TextLine(f"{table}  {counted(len(entries), 'schema')} current, one after the other")
    else:
        yield TextLine(f"{table}  no schema since then")
    for entry in entries:
        yield Rows([(name(entry.version), _when(entry), clean(entry.byline))], ("schema", "current since", "by"))
        yield from (TextLine(step.text, 6, typed=step.typed) for step in changed(VersionEntry(entry.version, entry.before), LIMIT))


def _when(entry: "HistoryEntry") -> str:
    return f"{entry.when:%Y-%m-%d %H:%M} UTC" if entry.when else "at an unknown time"


def _plain(entry: "HistoryEntry") -> dict[str, Any]:
    """Return an entry for machines, with the keys that entries of other tables have."""
    return {
        "number": entry.number,
        "branch": entry.version.branch,
        "digest": entry.version.digest,
        "written": entry.when.isoformat() if entry.when else None,
        "provenance": None,
        "since": entry.before.number if entry.before else None,
        "changes": [{"text": text} for text in entry.changes],
        "back": entry.back,
        "says": entry.origin,
    }
