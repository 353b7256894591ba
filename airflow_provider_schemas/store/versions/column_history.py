"""The versions of a table as lifelines and blame follow them: of those that are expired or cannot be read nothing is known."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec

from airflow_provider_schemas.core.blame.origin import Origin, moment_of
from airflow_provider_schemas.core.blame.version_steps import VersionStep, VersionSteps, origins_of, steps_of
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import NotThereError, SchemaError, StorageError
from airflow_provider_schemas.store.mounts.source import Head
from airflow_provider_schemas.store.storage.files import ListingEntry
from airflow_provider_schemas.store.versions import mounted_history
from airflow_provider_schemas.store.versions.mounted_versions import MountedVersions
from airflow_provider_schemas.store.versions.version_log import Versions


def steps(versions: Versions, table: str) -> VersionSteps:
    """Return what is known of the versions of a branch, the oldest first. Raise StorageError where the storage does not answer."""
    if isinstance(versions, MountedVersions):
        return _steps_of_source(versions, table)
    try:
        return steps_of(table, versions.all())
    except StorageError:
        raise
    except SchemaError:
        return steps_of(table, *_read_each(versions, versions.entries()))


class NewestVersions(NamedTuple):
    """The newest versions that can be read, each once, in the order in which they were current."""

    versions: tuple[Version, ...]
    origins: tuple[Origin, ...]
    notes: tuple[str, ...] = ()
    """Which of them cannot be read."""


def newest(versions: Versions, count: int) -> NewestVersions:
    """Return so many of the newest versions."""
    if isinstance(versions, MountedVersions):
        return _newest_of_source(versions, count)
    entries = versions.entries()
    wanted = {number: entries[number] for number in sorted(entries)[-count:]} if count else {}
    notes: tuple[str, ...] = ()
    try:
        found = versions.all(wanted)
    except StorageError:
        raise
    except SchemaError:
        readable, unreadable = _read_each(versions, wanted)
        found = tuple(readable)
        notes = tuple(f"v{number} cannot be read: {reason}" for number, reason in unreadable.items())
    return NewestVersions(found, tuple(origins_of(found)), notes)


# ---------------------------------------------------------------- our own layouts


def _read_each(versions: Versions, entries: Mapping[int, ListingEntry]) -> tuple[list[Version], dict[int, str]]:
    """Return the versions that can be read, and why the others cannot, by number."""
    readable: list[Version] = []
    unreadable: dict[int, str] = {}
    for number, entry in entries.items():
        try:
            readable.append(versions.read(number, entry))
        except NotThereError:  # expired meanwhile
            continue
        except StorageError:
            raise
        except SchemaError as error:
            unreadable[number] = error.message.removeprefix(f"{versions.where(number)}: ")
    return readable, unreadable


# ---------------------------------------------------------------- tables that others keep


def _steps_of_source(versions: MountedVersions, table: str) -> VersionSteps:
    """Return the schemas of a table in the order in which they were current, without those of another table that had its name before."""
    look = versions.look_there()
    heads = look.heads()
    own = [head for head in heads.entries if not mounted_history.is_of_other_table(look, head)]
    met: set[tuple[int, str]] = set()
    found: list[VersionStep] = []
    for head in own:
        version = mounted_history.version_of(look, head, versions.branch)
        if version is None:
            found.append(VersionStep(Origin(head.number, versions.branch, head.digest, moment_of(head.moment), is_gone=True)))
        else:
            is_back = (head.number, head.digest) in met
            found.append(VersionStep(_origin(version, head, is_back=is_back), version.schema))
        met.add((head.number, head.digest))
    is_made_anew = own != [*heads.entries] and own == [*heads.entries[-len(own) :]]
    is_whole = (heads.whole or is_made_anew) and bool(found) and found[0].schema is not None
    return VersionSteps(table, tuple(found), is_whole, tuple(_notes(mounted_history.notes(look, heads), is_whole=is_whole)))


def _newest_of_source(versions: MountedVersions, count: int) -> NewestVersions:
    """Return the schemas of a table that were current last; one that came back stands where it was current last."""
    look = versions.look_there()
    found: dict[tuple[int, str], tuple[Version, Origin]] = {}
    for head in reversed(look.heads().entries):
        version = mounted_history.version_of(look, head, versions.branch)
        if version is not None and len(found) < count:
            found.setdefault((head.number, head.digest), (version, _origin(version, head, is_back=False)))
    oldest_first = [*reversed(found.values())]
    return NewestVersions(tuple(version for version, _ in oldest_first), tuple(origin for _, origin in oldest_first))


def _origin(version: Version, head: Head, *, is_back: bool) -> Origin:
    """Return who made a schema current, and when: as the source says, or as the note of a commit of ours."""
    origin = Origin.of(version)
    restored = head.number if is_back and origin.restored is None else origin.restored
    return msgspec.structs.replace(origin, written=moment_of(head.moment), says=head.origin, restored=restored)


def _notes(notes: tuple[str, ...], *, is_whole: bool) -> Iterator[str]:
    yield from notes
    if not is_whole:
        yield "A column without a version is older than the first schema that is known."
