"""A version that was seen, as plain values: in XCom, in events, in records of the registry, and in the state of a watcher.

What was written before tables could be mounted names no table. Without the library, because the triggerer imports it on its one loop.
"""

from collections.abc import Mapping
from typing import Any

SeenVersion = tuple[int, str] | tuple[int, str, str]
"""The number and the digest of a version; and the peer's id of its table, where others keep the table."""


def seen_version(number: int, digest: str, table_id: str = "") -> SeenVersion:
    """Return a version that was seen; the id of the table stands there if there is one."""
    return (number, digest, table_id) if table_id else (number, digest)


def seen_entry(seen: SeenVersion) -> dict[str, Any]:
    """Return a version that was seen as plain values."""
    entry: dict[str, Any] = {"version": seen[0], "digest": seen[1]}
    return entry | table_entry(*seen[2:])


def table_entry(table_id: str = "") -> dict[str, str]:
    """Return the id of a table as plain values; nothing where there is none."""
    return {"table_id": table_id} if table_id else {}


def read_seen(value: object) -> SeenVersion | None:
    """Return the version in plain values; None if they are of another shape."""
    if not isinstance(value, Mapping):
        return None
    number = value.get("version")
    digest = value.get("digest")
    table_id = value.get("table_id") or ""
    if not isinstance(number, int) or not isinstance(digest, str) or not isinstance(table_id, str):
        return None
    return seen_version(number, digest, table_id)
