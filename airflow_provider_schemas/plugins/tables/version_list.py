"""The newest versions of a table, read at once. A version that cannot be read is named, and hides no other."""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from airflow_provider_schemas.core.blame.origin import Origin
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import NotThereError, SchemaError, StorageError
from airflow_provider_schemas.plugins.tables.hidden_addresses import without_addresses
from airflow_provider_schemas.plugins.tables.open_table import OpenTable
from airflow_provider_schemas.render.version_entries import VersionEntry, entries
from airflow_provider_schemas.render.wording import counted
from airflow_provider_schemas.store.storage.files import ListingEntry
from airflow_provider_schemas.store.versions.history import HistoryEntry
from airflow_provider_schemas.store.versions.version_log import Versions

SHOWN: Final = 50


class VersionList(Struct, frozen=True):
    """Versions, the newest first, and what is not known of them."""

    entries: tuple[VersionEntry, ...]
    versions: tuple[Version, ...]
    """The same versions and one before them, oldest first."""
    numbers: tuple[int, ...]
    """The numbers of all versions that there are, lowest first."""
    older: int = 0
    """The number of versions that are older than those."""
    unread: Mapping[int, str] = {}
    """Versions that are there and cannot be read, each with the reason."""
    notes: tuple[str, ...] = ()
    origins: tuple[Origin, ...] = ()
    """Who made each entry current, where others keep the table: what its source says. Of our own tables the versions tell."""


def newest_versions(opened: OpenTable, count: int = SHOWN) -> VersionList:
    """Return the newest versions of a table; raise NotThereError if it has none."""
    listed = _of_mounted(opened, count) if opened.is_mounted else _of_own(opened, count)
    if opened.may_see_addresses:
        return listed
    shown = {version.identity: without_addresses(version) for version in listed.versions}
    return replace(
        listed,
        entries=tuple(VersionEntry(_shown(entry.version, shown), entry.before and _shown(entry.before, shown)) for entry in listed.entries),
        versions=tuple(shown.values()),
    )


def _shown(version: Version, shown: Mapping[tuple[str, int, str], Version]) -> Version:
    known = shown.get(version.identity)
    return without_addresses(version) if known is None else known


# ---------------------------------------------------------------- tables of ours


def _of_own(opened: OpenTable, count: int) -> VersionList:
    subject = opened.table.subject
    there = subject.versions.entries()
    if not there:
        raise subject.missing()
    numbers = sorted(there)
    wanted = {number: there[number] for number in numbers[-count - 1 :]}
    versions, unread = _read(subject.versions, wanted)
    log = entries(versions)
    shown = log if len(numbers) <= count else [entry for entry in log if entry.version.number != numbers[-count - 1]]
    return VersionList(tuple(shown), versions, tuple(numbers), max(0, len(numbers) - count), unread, _unread_notes(unread))


def _read(versions: Versions, wanted: Mapping[int, ListingEntry]) -> tuple[tuple[Version, ...], dict[int, str]]:
    """Return the versions that can be read, and the numbers of the others. A storage in trouble is no fault of a version."""
    try:
        return versions.all(wanted), {}
    except StorageError:
        raise
    except SchemaError:
        pass
    read: list[Version] = []
    unread: dict[int, str] = {}
    for number, entry in wanted.items():
        try:
            read.append(versions.read(number, entry))
        except StorageError:
            raise
        except NotThereError:
            continue
        except SchemaError as error:
            unread[number] = f"its file is broken ({error.code})."
    return tuple(read), unread


def _unread_notes(numbers: Collection[int]) -> tuple[str, ...]:
    if not numbers:
        return ()
    named = ", ".join(f"v{number}" for number in sorted(numbers))
    return (f"{counted(len(numbers), 'version')} cannot be read: {named}. What they changed is not known.",)


# ---------------------------------------------------------------- mounted tables


def _of_mounted(opened: OpenTable, count: int) -> VersionList:
    """Return the schemas of a table that others keep, as they were current."""
    history = opened.table.history()
    log = [VersionEntry(_dated(entry), entry.before) for entry in history]
    newest = log[:count]
    versions = _each_once(entry.version for entry in reversed(newest))
    numbers = sorted({entry.version.number for entry in log})
    origins = tuple(_origin(entry, shown) for entry, shown in zip(history, newest, strict=False))
    return VersionList(tuple(newest), versions, tuple(numbers), max(0, len(log) - count), notes=tuple(history.notes), origins=origins)


def _each_once(versions: Iterable[Version]) -> tuple[Version, ...]:
    """Return each version once, where it stands last: a schema may have been current several times."""
    last = {version.identity: version for version in versions}
    return tuple(last.values())


def _origin(entry: HistoryEntry, shown: VersionEntry) -> Origin:
    """Return who made a schema current, as the source says it, or the note of our commit."""
    return replace(Origin.of(shown.version), written=entry.when, says=entry.origin)


def _dated(entry: HistoryEntry) -> Version:
    """Return the version with the moment from which on it was current, and the note of our commit, if there is one."""
    schema = entry.version.schema
    if entry.when is not None:
        schema = replace(schema, time_millis=int(entry.when.timestamp() * 1000))
    note = None if entry.head is None else entry.head.note
    return replace(entry.version, schema=schema if note is None else note.on(schema))
