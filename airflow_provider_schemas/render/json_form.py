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
from airflow_provider_schemas.render.masking import JsonValue, masked_json
from airflow_provider_schemas.render.version_entries import VersionEntry, entries, provenance, written

# Characters that a terminal may obey or not show, or that UTF-8 cannot hold.
_BEYOND_ASCII = re.compile("[^\x00-\x7e]")


def written_out(value: JsonValue) -> str:
    """Return the JSON text, with letters as they are, and escapes for what cannot be seen."""
    return _BEYOND_ASCII.sub(_visible, json.dumps(masked_json(value), indent=2, ensure_ascii=False))


def _visible(match: re.Match[str]) -> str:
    character = match[0]
    if character.isprintable():
        return character
    return json.dumps(character)[1:-1]


def history_dict(versions: Iterable[Version], table: str = "") -> dict[str, Any]:
    """Return the versions, newest first, each with its origin and what changed since the one before."""
    return {"table": table, "versions": [_version_dict(entry) for entry in entries(versions)]}


def _version_dict(entry: VersionEntry) -> dict[str, Any]:
    version = entry.version
    at = written(version)
    changes, remainder = entry.changes()
    return {
        "number": version.number,
        "branch": version.branch,
        "digest": version.digest,
        "written": at.isoformat() if at else None,
        "provenance": msgspec.to_builtins(provenance(version)),
        "since": entry.before.number if entry.before else None,
        "changes": [_change_dict(change) for change in changes],
        "remainder": [{"path": difference.path, "message": difference.message} for difference in remainder],
    }


def _change_dict(change: SchemaChange) -> dict[str, Any]:
    masked = masked_change(change)
    return {"text": short_text(masked), "change": masked.to_json()}
