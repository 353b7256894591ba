"""A version as plain and few values, for events, XComs and the lines of a log."""

from typing import Any

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import NotThereError
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.store.versions.history import HistoryEntry
from airflow_provider_schemas.triggers.seen_versions import table_entry

_MAX_CHANGES = 20
MAX_CHARACTERS = 500
# The code of the error about a table without a version, which a wait goes on for.
_NO_TABLE = "table.not-there"


def is_no_table(error: NotThereError) -> bool:
    """Return whether the table itself is not there, and not only a version or a contract of it."""
    return error.code == _NO_TABLE


def version_payload(table: Table, version: Version, before: Version | None, previous: int | None) -> dict[str, Any]:
    """Return what is new in a version since the one before."""
    entry = HistoryEntry(version, before)
    return {
        "table": table.name,
        "branch": table.branch_name,
        "version": version.number,
        "previous": previous,
        "digest": version.digest,
        "changes": [short(change) for change in entry.changes[:_MAX_CHANGES]],
        "by": short(entry.actor),
        "run": short(entry.run),
        **table_entry(version.table_id),
    }


def short(text: str) -> str:
    """Return the text on one line, without secrets, and not too long: it may come out of files of others."""
    line = without_credentials(clean(text))
    if len(line) <= MAX_CHARACTERS:
        return line
    return f"{line[: MAX_CHARACTERS - 3]}..."


def origin_text(version: Version) -> str:
    """Say when a version was made, and by whom: `09:15 UTC by ana, run ...`."""
    entry = HistoryEntry(version)
    when = f"{entry.when:%Y-%m-%d %H:%M} UTC" if entry.when else "at an unknown time"
    text = f"{when} by {entry.actor or 'an outside writer'}"
    if entry.run:
        text += f", run {entry.run}"
    return short(text)


def owner_text(version: Version) -> str:
    """Name the owner of the table and how to reach them, as its schema says; empty if it does not."""
    attributes = version.schema.table_attributes
    owner = [str(attributes[key]) for key in ("owner", "contact") if attributes.get(key)]
    if owner:
        return short(f"Owner {', '.join(owner)}.")
    return ""


def find_version(table: Table, number: int) -> Version | None:
    """Return a version, if it is there still."""
    try:
        return table.version(number)
    except NotThereError:
        return None


def display_name(table: Table) -> str:
    """Return the name of a table, with its branch if that is not the main one."""
    if table.branch_name == "main":
        return table.name
    return f"{table.name} ({table.branch_name})"
