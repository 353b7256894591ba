"""Reports, plans and histories as JSON for machines: the wire forms of the core, indented, and without secrets."""

import json
import re
from collections.abc import Iterable
from typing import Any

import msgspec

from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.changes.schema_change import SchemaChange
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.render.masking import masked_json
from airflow_provider_schemas.render.version_entries import Entry, entries, provenance, written

# Where something may stand that a terminal would obey or not show, or that no UTF-8 can hold.
_BEYOND_ASCII = re.compile("[^\x00-\x7e]")


def written_out(value: Any) -> str:
    """The JSON text: readable letters, and escapes for what cannot be seen."""
    return _BEYOND_ASCII.sub(_visible, json.dumps(masked_json(value), indent=2, ensure_ascii=False))


def _visible(found: re.Match[str]) -> str:
    return found[0] if found[0].isprintable() else json.dumps(found[0])[1:-1]


def history_dict(versions: Iterable[Version], table: str = "") -> dict[str, Any]:
    """The versions, newest first, each with its origin and what changed since the one before."""
    return {"table": table, "versions": [_version(one) for one in entries(versions)]}


def _version(entry: Entry) -> dict[str, Any]:
    version, before = entry.version, entry.before
    at, origin = written(version), provenance(version)
    changes, remainder = entry.changes()
    return {
        "number": version.number,
        "branch": version.branch,
        "digest": version.digest,
        "written": at.isoformat() if at else None,
        "provenance": None if origin is None else msgspec.to_builtins(origin),
        "since": before.number if before else None,
        "changes": [_change(one) for one in changes],
        "remainder": [{"path": one.path, "message": one.message} for one in remainder],
    }


def _change(change: SchemaChange) -> dict[str, Any]:
    found = masked_change(change)
    return {"text": short_text(found), "change": found.to_json()}
