"""The history of a mounted table: an entry for each schema that was current, and what its source finds wrong with it."""

from collections.abc import Iterable, Iterator
from itertools import chain

import msgspec

from airflow_provider_schemas.core.compatibility.id_audit import reused_ids
from airflow_provider_schemas.core.report import Finding, Report
from airflow_provider_schemas.core.schema.foreign_attributes import has_ids
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.core.types.field_ids import all_ids
from airflow_provider_schemas.errors import FormatError, NotThereError
from airflow_provider_schemas.store.common.table_findings import of_table
from airflow_provider_schemas.store.mounts.source import Head, Heads, TableLook
from airflow_provider_schemas.store.versions.history import History, HistoryEntry
from airflow_provider_schemas.store.versions.mounted_versions import MountedVersions

_CUT = "What was current before is not known: the source keeps no older metadata."


def history(versions: MountedVersions) -> History:
    """Return the schemas of a table in the order in which they were current."""
    look = versions.look_there()
    heads = look.heads()
    return History.of(_entries(look, heads, versions.branch), notes(look, heads))


def inspect(versions: MountedVersions, seen: Iterable[Report]) -> Report:
    """Report what is wrong with the metadata, and what became of schemas that somebody saw."""
    look = versions.look_there()
    heads = look.heads()
    of_seen = chain.from_iterable(report.findings for report in seen)
    findings = chain(look.findings(), _unreadable(look), _reused_ids(look, heads), of_seen)
    return Report(tuple(dict.fromkeys(findings)), new=look.head, notes=notes(look, heads))


def _unreadable(look: TableLook) -> Iterator[Finding]:
    """Yield the schemas that nobody can read, but for those of one id, which the source reports."""
    known = {finding.fault for finding in look.findings()}
    for number in look.numbers:
        try:
            look.version(number)
        except FormatError as error:
            for fault in error.faults:
                if fault.code not in known:
                    finding = of_table("TABLE_UNREAD", f"schema {number}", fault.message, fault.fix)
                    yield msgspec.structs.replace(finding, fault=fault.code, versions=(number,))
        except NotThereError:  # it went away while somebody tidied up
            continue


def _reused_ids(look: TableLook, heads: Heads) -> Iterator[Finding]:
    """Yield the ids that came to mean another column, in the order in which schemas were current."""
    versions = [version_of(look, head, "") for head in heads.entries]
    schemas = [version.schema for version in versions if version is not None]
    return reused_ids(filter(has_ids, schemas), "COLUMN_ID_REUSED")


def _entries(look: TableLook, heads: Heads, branch: str) -> Iterator[HistoryEntry]:
    """Yield an entry for each head whose schema can be shown, with the one before it in the same table."""
    before: Version | None = None
    met: set[tuple[int, str]] = set()
    last_with = FieldOwners()
    for head in heads.entries:
        version = version_of(look, head, branch)
        if version is not None:
            earlier = last_with.owners_of(version, before)
            yield HistoryEntry(version, before, head, back=(head.number, head.digest) in met, earlier=earlier)
            last_with.add(version)
        if not is_of_other_table(look, head):
            met.add((head.number, head.digest))
        before = version


class FieldOwners:
    """The last schema that had each field, as a history is told from its beginning."""

    def __init__(self) -> None:
        self._owners: dict[int, TableSchema] = {}

    def add(self, version: Version) -> None:
        """Note the fields of the next schema, at all depths."""
        self._owners.update(dict.fromkeys(all_ids(version.schema.fields), version.schema))

    def owners_of(self, version: Version, before: Version | None) -> tuple[TableSchema, ...]:
        """Return the last schemas that had the fields that a schema has and the one before it has not."""
        if before is None:
            return ()
        added = set(all_ids(version.schema.fields)).difference(all_ids(before.schema.fields))
        owners = {owner.id: owner for number in sorted(added) if (owner := self._owners.get(number)) is not None}
        return tuple(owners.values())


def version_of(look: TableLook, head: Head, branch: str) -> Version | None:
    """Return the schema of a head; None where the metadata hold it no more or nobody can read it, or hold another one of its number."""
    if is_of_other_table(look, head):
        return None
    try:
        found = look.version(head.number)
    except (NotThereError, FormatError):
        return None
    if found.digest != head.digest:
        return None
    schema = found.schema if head.note is None else head.note.on(found.schema)
    return Version(found.number, found.digest, schema, branch)


def is_of_other_table(look: TableLook, head: Head) -> bool:
    """Return whether the table was dropped since, and made anew."""
    return bool(head.table_id and look.table_id) and head.table_id != look.table_id


def notes(look: TableLook, heads: Heads) -> tuple[str, ...]:
    """Return what is not known of the history."""
    gone = [head for head in heads.entries if version_of(look, head, "") is None]
    gone_notes = [_gone_note(look, head) for head in gone]
    return (*dict.fromkeys(gone_notes), *(() if heads.whole else (_CUT,)))


def _gone_note(look: TableLook, head: Head) -> str:
    if is_of_other_table(look, head):
        return f"Schema {head.number} was current in another table of this name ({head.table_id}), which is not there any more."
    try:
        look.version(head.number)
    except FormatError as error:
        return f"Schema {head.number} was current, and cannot be read: {error.message}"
    except NotThereError:
        pass
    return f"Schema {head.number} was current, and the metadata hold it no more: what it was is not known."
