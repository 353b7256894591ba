"""Who changed what: a note in the properties of the table, written in the same commit as the schema.

`schemas.last` is the whole note of our last commit, and the next one overwrites it. `schemas.commits` lists the last hundred: the id of
each commit, the sha256 of its key, and the digest of the schema that it made, so that a key is found without older metadata.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.schema.version import Provenance
from airflow_provider_schemas.formats.iceberg import IcebergMetadata
from airflow_provider_schemas.store.mounts.source import changes_sign

LAST: Final = "schemas.last"
COMMITS: Final = "schemas.commits"
_MOST: Final = 100
# Catalogs keep properties in their databases, and some cut long ones.
_LONGEST_NOTE: Final = 3_500


class CommitEntry(Struct, frozen=True, omit_defaults=True):
    """One of our commits, in few bytes."""

    commit: str
    digest: str
    """The digest of the schema that it made."""
    key: str = ""
    """The sha256 of its key; empty where it had none."""
    changes: str = ""
    """The sha256 of its changes."""


_ENTRIES = msgspec.json.Decoder(tuple[CommitEntry, ...])
_NOTE = msgspec.json.Decoder(Provenance)


def key_hash(key: str | None) -> str:
    """Return what stands for a key; empty for none."""
    return hashlib.sha256(key.encode()).hexdigest()[:32] if key else ""


def entries_of(properties: Mapping[str, str]) -> tuple[CommitEntry, ...]:
    """Return the list of our last commits, oldest first; empty, where somebody else wrote something there."""
    try:
        return _ENTRIES.decode(properties.get(COMMITS, "[]"))
    except (msgspec.DecodeError, RecursionError, ValueError):
        return ()


def note_of(properties: Mapping[str, str]) -> Provenance | None:
    """Return the note of our last commit, if there is one that can be read."""
    text = properties.get(LAST)
    if text is None:
        return None
    try:
        return _NOTE.decode(text)
    except (msgspec.DecodeError, RecursionError, ValueError):
        return None


def note_of_current(metadata: IcebergMetadata) -> Provenance | None:
    """Return the note of our last commit, as long as the schema that it made is the current one."""
    last = note_of(metadata.properties)
    entries = entries_of(metadata.properties)
    if last is None or not entries or entries[-1].commit != last.commit:
        return None
    return last if entries[-1].digest == metadata.digest(metadata.current_schema_id) else None


def has_commit(properties: Mapping[str, str], commit: str) -> bool:
    """Return whether the properties name a commit of ours."""
    last = note_of(properties)
    if last is not None and last.commit == commit:
        return True
    return any(entry.commit == commit for entry in entries_of(properties))


def noted(properties: Mapping[str, str], note: Provenance, digest: str) -> dict[str, str]:
    """Return the properties that a commit sets, beside those that the table has."""
    entry = CommitEntry(note.commit or "", digest, key_hash(note.key), changes_sign(note.changes))
    entries = (*entries_of(properties), entry)[-_MOST:]
    return {LAST: _note_text(note), COMMITS: msgspec.json.encode(entries).decode()}


def _note_text(note: Provenance) -> str:
    """Return the note; without its changes, if they make it too long."""
    text = json.dumps(msgspec.to_builtins(note), ensure_ascii=False)
    if len(text) <= _LONGEST_NOTE:
        return text
    return json.dumps(msgspec.to_builtins(msgspec.structs.replace(note, changes=())), ensure_ascii=False)
