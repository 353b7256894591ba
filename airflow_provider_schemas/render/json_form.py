"""Reports, plans and histories as JSON for machines: the wire forms of the core, indented, and without secrets."""

import json
import re
from collections.abc import Iterable
from typing import Any

import msgspec

from airflow_provider_schemas.core.change_text import short_text
from airflow_provider_schemas.core.changes import SchemaChange
from airflow_provider_schemas.core.version import Version
from airflow_provider_schemas.render.history import Entry, entries, provenance, written
from airflow_provider_schemas.render.masking import masked_change, masked_json

# What a terminal would obey or not show, and what no UTF-8 can hold.
_UNSEEN = re.compile("[\x7f-\x9f\xad\u0600-\u0605\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb]")


def written_out(value: Any) -> str:
    """The JSON text: readable letters, and escapes for what cannot be seen."""
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(masked_json(value), indent=2, ensure_ascii=False))


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
