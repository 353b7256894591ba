"""The history of a mounted table: an entry for each schema that was current, and what its source finds wrong with it."""

from collections.abc import Iterable, Iterator
from itertools import chain

import msgspec

from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.core.types.field_ids import all_ids
from airflow_provider_schemas.errors import NotThereError
from airflow_provider_schemas.store.mounts.source import Head, Heads, TableLook
from airflow_provider_schemas.store.versions.history import History, HistoryEntry
from airflow_provider_schemas.store.versions.mounted_versions import MountedVersions

_CUT = "What was current before is not known: the source keeps no older metadata."


def history(versions: MountedVersions) -> History:
    """Return the schemas of a table in the order in which they were current."""
    look = versions.look_there()
    heads = look.heads()
    return History.of(_entries(look, heads, versions.branch), _notes(look, heads))


def inspect(versions: MountedVersions, seen: Iterable[Report]) -> Report:
    """Report what is wrong with the metadata, and what became of schemas that somebody saw."""
    look = versions.look_there()
    findings = chain(look.findings(), chain.from_iterable(report.findings for report in seen))
    return Report(tuple(dict.fromkeys(findings)), new=look.head, notes=_notes(look, look.heads()))


def _entries(look: TableLook, heads: Heads, branch: str) -> Iterator[HistoryEntry]:
    """Yield an entry for each head whose schema can be shown, with the one before it in the same table."""
    before: Version | None = None
    met: set[tuple[int, str]] = set()
    for head in heads.entries:
        version = _version(look, head, branch)
        if version is not None:
            base = None if before is None else _as_it_was(before, version)
            yield HistoryEntry(version, base, head, back=(head.number, head.digest) in met)
        met.add((head.number, head.digest))
        before = version


def _as_it_was(before: Version, after: Version) -> Version:
    """Return the version before with the highest id of its time: one that is current again has that of today."""
    known = set(all_ids(before.schema.fields))
    new = [number for number in all_ids(after.schema.fields) if number not in known]
    highest = max(max(known, default=-1), min(new) - 1) if new else before.schema.highest_field_id
    if highest >= before.schema.highest_field_id:
        return before
    return msgspec.structs.replace(before, schema=msgspec.structs.replace(before.schema, highest_field_id=highest))


def _version(look: TableLook, head: Head, branch: str) -> Version | None:
    """Return the schema of a head; None where the metadata hold it no more, or hold another one of its number."""
    if _is_of_other_table(look, head):
        return None
    try:
        found = look.version(head.number)
    except NotThereError:
        return None
    if found.digest != head.digest:
        return None
    schema = found.schema if head.note is None else head.note.on(found.schema)
    return Version(found.number, found.digest, schema, branch)


def _is_of_other_table(look: TableLook, head: Head) -> bool:
    """Return whether the table was dropped since, and made anew."""
    return bool(head.table_id and look.table_id) and head.table_id != look.table_id


def _notes(look: TableLook, heads: Heads) -> tuple[str, ...]:
    """Return what is not known of the history."""
    gone = [head for head in heads.entries if _version(look, head, "") is None]
    notes = [_gone_note(look, head) for head in gone]
    return (*dict.fromkeys(notes), *(() if heads.whole else (_CUT,)))


def _gone_note(look: TableLook, head: Head) -> str:
    if _is_of_other_table(look, head):
        return f"Schema {head.number} was current in another table of this name ({head.table_id}), which is not there any more."
    return f"Schema {head.number} was current, and the metadata hold it no more: what it was is not known."
