"""The schemas of a mounted table as its versions: their numbers and digests are the peer's, and the newest is the one that is current.

Nothing here compares numbers: the table may have gone back to an old schema.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Self

import msgspec

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Provenance, Version
from airflow_provider_schemas.errors import NotThereError, ReadOnlyError, SchemaFileError
from airflow_provider_schemas.store.layout.identifiers import MAIN
from airflow_provider_schemas.store.mounts.mounted_files import READ_ONLY, MountedFiles, name_at_source
from airflow_provider_schemas.store.mounts.source import ChangeableSource, Heads, PastCommit, TableLook
from airflow_provider_schemas.store.storage.files import ListingEntry
from airflow_provider_schemas.store.storage.version_cache import VersionCache
from airflow_provider_schemas.store.table_location import TablePlace
from airflow_provider_schemas.store.versions.past import EarlierVersions
from airflow_provider_schemas.store.versions.version_log import Versions


def open_versions(place: TablePlace, branch: str, cache: VersionCache, *, alone: bool = False) -> Versions:
    """Return the versions of a branch at a place."""
    if isinstance(place.files, MountedFiles):
        return MountedVersions(place, place.files, branch, cache)
    return Versions(place.files, place.folder, place.layout, branch, cache, alone=alone)


class PastVersion(Version, frozen=True):
    """A version that a commit of ours has made, as far as the metadata still says."""

    changes: str = ""
    """What stands for the changes that made it."""


class MountedPast(EarlierVersions):
    """The schemas beside the current one, and the commits of ours that the metadata name."""

    _find: Callable[[str], PastCommit | None]
    _head: Version

    @classmethod
    def of_source(cls, versions: Iterable[Version], head: Version, look: TableLook, source: ChangeableSource) -> Self:
        """Return the past of a table of a source that we may have changed."""
        past = cls.of(versions)
        past._head = head
        past._find = lambda key: source.past_commit(look, key=key)
        return past

    def with_key(self, key: str | None) -> Version | None:
        """Return the version that an earlier attempt with this key has made; the current one, where its schema is gone."""
        found = self._find(key) if key else None
        if found is None:
            return None
        made = None if found.number is None else self.version(found.number)
        shown = self._head if made is None else made
        schema = msgspec.structs.replace(shown.schema, unknown=())
        return PastVersion(shown.number, shown.digest, schema, shown.branch, shown.table_id, found.changes)


class MountedVersions(Versions):
    """The schemas of one branch of a mounted table."""

    def __init__(self, place: TablePlace, mounted: MountedFiles, branch: str, cache: VersionCache) -> None:
        super().__init__(mounted, place.folder, place.layout, branch, cache)
        self.mounted = mounted
        self.table = name_at_source(place.folder)

    def look(self) -> TableLook | None:
        """Return what the source knows of the branch; None if there is no such table, or no such branch."""
        look = self.mounted.look(self.table)
        if look is None or self.branch not in (MAIN, *look.branches):
            return None
        return look

    def look_there(self) -> TableLook:
        """Return the same of a branch that is there; raise NotThereError if it is not."""
        look = self.look()
        if look is None:
            raise self.no_table(f"{self.mounted.database}.{self.table}")
        return look

    def latest(self, at_least: int | None = None, entries: Mapping[int, ListingEntry] | None = None) -> Version | None:
        """Return the current version, as the source says."""
        look = self.look()
        if look is None:
            return None
        if look.head not in look.numbers:  # else a table that nobody understands would pass for one that is not there
            message = f"the metadata of {self.table} say that schema {look.head} is current, and do not hold it."
            fix = "Have the engine that keeps the table mend its metadata."
            raise SchemaFileError(message, code="mount.no-current-schema", path=self.table, fix=fix)
        return self._version(look, look.head)

    def read(self, number: int, entry: ListingEntry | None = None) -> Version:
        return self._version(self.look_there(), number)

    def dropped(self, number: int) -> Version | None:
        look = self.look()
        if look is None or number in look.numbers:
            return None
        look.heads()  # older metadata may hold what the newest does not
        try:
            found = look.version(number)
        except NotThereError:
            return None
        return Version(found.number, found.digest, found.schema, self.branch, look.table_id)

    def to_read(self, number: int, entry: ListingEntry) -> tuple[str, int] | None:
        return None

    def listed_before(self, head: Version) -> dict[int, ListingEntry]:
        """Return the entries of all other versions: files may have been written with any of them."""
        return {number: entry for number, entry in self.entries().items() if number != head.number}

    def listed(self, version: Version) -> ListingEntry | None:
        return self.entries().get(version.number)

    def all(self, entries: Mapping[int, ListingEntry] | None = None) -> tuple[Version, ...]:
        look = self.look()
        if look is None:
            return ()
        return tuple(self._version(look, number) for number in look.numbers if entries is None or number in entries)

    def heads(self) -> Heads:
        look = self.look()
        return Heads((), whole=True) if look is None else look.heads()

    def _version(self, look: TableLook, number: int) -> Version:
        try:
            found = look.version(number)  # which may find an older one that the metadata do not hold any more
        except NotThereError as error:
            message = f"the metadata hold no schema {number} any more."
            raise NotThereError(message, code="version.not-there", path=self.table, fix="Look again.") from error
        note = self._note(look) if number == look.head else None
        schema = found.schema if note is None else note.on(found.schema)
        return Version(found.number, found.digest, schema, self.branch, look.table_id)

    def _note(self, look: TableLook) -> Provenance | None:
        """Return who made the current schema, where that was one of us."""
        source = self.mounted.source
        return source.last_note(look) if isinstance(source, ChangeableSource) else None

    def past(self, head: Version) -> EarlierVersions:
        """Return the schemas beside the current one; our commits among them are found by their keys."""
        look = self.look_there()
        versions = self.all(self.listed_before(head))
        source = self.mounted.source
        if not isinstance(source, ChangeableSource):
            return EarlierVersions.of(versions)
        return MountedPast.of_source(versions, head, look, source)

    # ------------------------------------------------------------ what is not there, and what is not written

    def where(self, number: int) -> str:
        return f"{self.mounted.url}, table {self.table}, schema {number}"

    def missing(self, number: int, table: str) -> NotThereError:
        look = self.look()
        if look is None:
            return self.no_table(table)
        numbers = ", ".join(map(str, look.numbers))
        fix = f"The metadata hold {numbers}; {look.head} is current. Older schemas go when the peer tidies up."
        return NotThereError(f"{table} has no schema {number}.", code="version.not-there", path=table, fix=fix)

    def no_table(self, table: str) -> NotThereError:
        branch = "" if self.branch == MAIN else f" on branch {self.branch!r}"
        message = f"there is no table {table}{branch} in {self.mounted.url}, which is mounted as {self.mounted.database}."
        fix = "Look at the names with `airflow-schemas ls`; or correct the mount, if the table lies in another namespace."
        return NotThereError(message, code="table.not-there", path=table, fix=fix)

    def sweep(self, number: int) -> None:
        """Nothing is written, so nothing is left behind."""

    def create(self, schema: TableSchema, head: Version | None) -> tuple[Version, str]:
        message = f"{self.mounted.source.kind} keeps {self.mounted.database}.{self.table}: no version of it is written here."
        raise ReadOnlyError(message, code=READ_ONLY, path=self.table, fix="Change the table through an engine that writes it.")
