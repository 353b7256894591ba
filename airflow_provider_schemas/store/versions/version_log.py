"""The version log of one branch of a table: list its versions, read them, and create the next one."""

import contextlib
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import msgspec

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.schema_file import MAX_BYTES
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version, file_digest
from airflow_provider_schemas.errors import NotThereError, SchemaError, StorageError
from airflow_provider_schemas.store.layout.paths import SCHEMA_FILE, Layout, schema_folder, sidecar_file
from airflow_provider_schemas.store.mounts.source import Head, Heads
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.store.storage.files import UNCLEAR, Files, Gone, ListingEntry, Parent, PathTaken
from airflow_provider_schemas.store.storage.numbered_files import Numbered
from airflow_provider_schemas.store.storage.version_cache import VersionCache
from airflow_provider_schemas.store.versions import codec, lost_parent

# How often the folder is listed again when a file of the listing has gone.
_ATTEMPTS = 5
_LIMIT = MAX_BYTES + 1_000
# To look through a folder of so many versions costs more than the commit: one of so many commits does it.
_LONG_TABLE = 1_000
_SWEEP_EVERY = 32
# The newest version when it was last read, and the listing by which it was found.
_NOTHING_LISTED: tuple[int, Mapping[int, ListingEntry]] = (-1, {})


class Versions:
    """The schema files of one branch in one folder."""

    def __init__(self, files: Files, folder: str, layout: Layout, branch: str, cache: VersionCache, *, alone: bool = False) -> None:
        self.files = files
        self.folder = folder
        self.layout = layout
        self.branch = branch
        self.cache = cache
        self.numbered = Numbered(files, schema_folder(folder, branch), SCHEMA_FILE, alone=alone)
        self._listed = _NOTHING_LISTED

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_listed": _NOTHING_LISTED}

    @property
    def mini(self) -> bool:
        """Whether the layout is Mini Paimon's."""
        return self.layout is Layout.MINI_PAIMON

    def where(self, number: int) -> str:
        """Return the address of the file of a version, as people know it."""
        return self.numbered.where(number)

    # ------------------------------------------------------------ reading

    def entries(self) -> dict[int, ListingEntry]:
        """Return the entries of the versions by number, lowest first: one listing."""
        entries = self.numbered.entries()
        if not entries:
            self.files.check_root()
        return entries

    def latest(self, at_least: int | None = None, entries: Mapping[int, ListingEntry] | None = None) -> Version | None:
        """Return the newest version: one listing, and one read if it is not known yet.

        At least is a number that is known to be taken; entries are the listing, if there is one of just now.
        """
        for _ in range(_ATTEMPTS):
            entries = self.entries() if entries is None else entries
            newest = max(entries, default=None)
            if at_least is not None and (newest is None or newest < at_least):
                newest = self._find_beyond(at_least, newest)
            if newest is None:
                return None
            try:
                version = self.read(newest, entries.get(newest))
            except NotThereError:
                entries = None
            else:
                self._listed = (newest, entries)
                return version
        if at_least is not None and newest == at_least:
            raise self.in_the_way(newest)
        raise StorageError(f"{self.files.url}/{self.numbered.folder} changes faster than it can be read.", fix="Try again.")

    def in_the_way(self, number: int | None) -> StorageError:
        """Return the error about something that has the name of a version, and is not a file."""
        message = f"{self.where(number or 0)} bears the name of a version, and is no file that can be read."
        return StorageError(message, code="version.in-the-way", fix="Look whether it is a folder or a link, and take it away.")

    def _find_beyond(self, number: int, listed: int | None) -> int | None:
        """Return the newest number from this one on, where the listing is behind; the listed number, where this one has gone again."""
        if not self.files.exists(self.numbered.path(number)):
            return listed
        while self.files.exists(self.numbered.path(number + 1)):
            number += 1
        return number

    def read(self, number: int, entry: ListingEntry | None = None) -> Version:
        """Return a version. By the entry of a listing it is known whether the file was read before: it is not read again then."""
        mark = entry.mark if entry else ""
        known = self.cache.get(self._cache_key(number), mark)
        if known is not None:
            return known
        data = self.files.read(self.numbered.path(number), _LIMIT)
        version = self._decode_and_keep(number, data, mark)
        if self.mini and version.schema.provenance is None and not self._is_there(number, data):
            # The file beside it went between the two reads, so that it looked like an outside writer's.
            raise NotThereError(f"{self.where(number)} is not there any more.", path=self.numbered.path(number), fix="Look again.")
        return version

    def to_read(self, number: int, entry: ListingEntry) -> tuple[str, int] | None:
        """Return the file of a version and how large it may be; None if it was read before."""
        if self.cache.get(self._cache_key(number), entry.mark) is not None:
            return None
        return self.numbered.path(number), _LIMIT

    def listed_before(self, head: Version) -> dict[int, ListingEntry]:
        """Return the entries of the versions before the newest one, oldest first, by the listing in which that was found."""
        newest, entries = self._listed
        if newest == head.number and newest in entries:
            before = dict(entries)  # copied as a whole: there may be thousands, and the newest is the last
            del before[newest]
            return before
        return {number: entry for number, entry in self.entries().items() if number < head.number}

    def listed(self, version: Version) -> ListingEntry | None:
        """Return the entry of the newest version, in the listing in which it was found."""
        newest, entries = self._listed
        if newest != version.number:
            return None
        return entries.get(newest)

    def all(self, entries: Mapping[int, ListingEntry] | None = None) -> tuple[Version, ...]:
        """Return all of these versions, or all that there are, oldest first."""
        if entries is None:
            entries = self.entries()
        versions = self._recall(entries)
        unread = [number for number in entries if number not in versions]
        contents = self.numbered.read_many(unread, _LIMIT)
        before = {later: earlier for earlier, later in pairwise(entries)}
        for number in unread:
            data = contents[number]
            if isinstance(data, NotThereError) and number not in self.entries():
                continue  # expired meanwhile
            if isinstance(data, SchemaError):
                raise data
            versions[number] = self._decode_and_keep(number, data, entries[number].mark, versions.get(before.get(number, -1)))
        return tuple(versions[number] for number in sorted(versions))

    def heads(self) -> Heads:
        """Return the versions as the schemas that were current one after the other: of our own files the number is the order."""
        versions = self.all()
        heads = (Head(version.number, version.digest, version.schema.time_millis or None) for version in versions)
        return Heads(tuple(heads), whole=not versions or versions[0].number == 0)

    def _recall(self, entries: Mapping[int, ListingEntry]) -> dict[int, Version]:
        """Return the versions that the cache has."""
        known = {}
        for number, entry in entries.items():
            version = self.cache.get(self._cache_key(number), entry.mark)
            if version is not None:
                known[number] = version
        return known

    def _cache_key(self, number: int) -> str:
        return f"{self.files.protocol}:{self.where(number)}"

    def _decode_and_keep(self, number: int, data: bytes, mark: str, before: Version | None = None) -> Version:
        try:
            version = self._decode(number, data, before)
        except NotThereError:
            raise
        except SchemaError as error:
            raise codec.locate(error, self.where(number)) from None
        self.cache.put(self._cache_key(number), mark, version, len(data))
        return version

    def _decode(self, number: int, data: bytes, before: Version | None) -> Version:
        if self.mini:
            return self._decode_mini(number, data, before)
        return codec.decode(data, number, self.branch)

    # ------------------------------------------------------------ Mini Paimon

    def _decode_mini(self, number: int, data: bytes, before: Version | None) -> Version:
        sidecar = self.read_sidecar(data)
        if sidecar is not None:
            return codec.decode_mini(data, sidecar, number, self.branch)
        if before is None:
            before = self._read_before(number)
        return codec.decode_outside(data, before, number, self.branch)

    def _read_before(self, number: int) -> Version | None:
        """Return the version before a number, where outside writers wrote it: go back to one of ours, and match names from there."""
        version: Version | None = None
        outside: list[tuple[int, bytes]] = []
        for earlier in reversed([earlier for earlier in self.numbered.numbers() if earlier < number]):
            data = self.numbered.read(earlier)
            sidecar = self.read_sidecar(data)
            if sidecar is not None:
                version = codec.decode_mini(data, sidecar, earlier, self.branch)
                break
            outside.append((earlier, data))
        for earlier, data in reversed(outside):
            version = codec.decode_outside(data, version, earlier, self.branch)
        return version

    def read_sidecar(self, data: bytes) -> bytes | None:
        """Return the file beside a file of Mini Paimon; None if that is an outside writer's."""
        try:
            return self.files.read(sidecar_file(self.folder, file_digest(data), self.branch), _LIMIT)
        except NotThereError:
            return None

    # ------------------------------------------------------------ writing

    def sweep(self, number: int) -> None:
        """Delete what killed writers left long ago. In a long table not each commit looks for that."""
        if len(self._listed[1]) < _LONG_TABLE or number % _SWEEP_EVERY == 0:
            self.files.sweep(self.numbered.folder)

    def create(self, schema: TableSchema, head: Version | None) -> tuple[Version, str]:
        """Write a schema as the version after the head. Return the version and the promise of the storage. Raise PathTaken if beaten."""
        number = 0 if head is None else head.number + 1
        schema = msgspec.structs.replace(schema, id=number)
        encoded = codec.encode(schema, mini=self.mini)
        parent = None if head is None else Parent(self.numbered.path(head.number), head.digest)
        try:
            promise = self._create_files(number, encoded, head, parent)
        except Gone as error:
            self._delete_useless_sidecar(number, encoded)
            if parent is None:
                raise PathTaken(number) from error
            raise lost_parent.not_written(self.numbered, number) from error
        except PathTaken:
            self._delete_useless_sidecar(number, encoded)
            raise
        except SchemaError as error:
            if error.code != UNCLEAR:  # else the version may be there yet, or come
                self._delete_useless_sidecar(number, encoded)
            raise
        if parent is not None and lost_parent.is_lost(self.numbered, number, encoded.data, parent):
            self._delete_sidecar(encoded)
            raise lost_parent.taken_away(self.numbered, number, encoded.data)
        return Version(number, encoded.digest, schema, self.branch), promise

    def _create_files(self, number: int, encoded: codec.Encoded, head: Version | None, parent: Parent | None) -> str:
        """Write the files of a version, and return the promise of the storage."""
        sidecar = self._put_sidecar(encoded, parent)
        known = None if head is None else head.number
        return self.numbered.create(number, encoded.data, known, parent=parent or sidecar)

    def _put_sidecar(self, encoded: codec.Encoded, parent: Parent | None) -> Parent | None:
        """Write what the file of a version cannot hold, and return it as the parent of a first version."""
        if encoded.beside is None:
            return None
        path = sidecar_file(self.folder, encoded.digest, self.branch)
        self.files.put(path, encoded.beside, make_folder=parent is None)
        commit_steps.reached(commit_steps.SIDECAR)
        return Parent(path, file_digest(encoded.beside))

    def _delete_useless_sidecar(self, number: int, encoded: codec.Encoded) -> None:
        """Delete what was written beside a version, unless the version is there after all."""
        if not self._is_there(number, encoded.data):
            self._delete_sidecar(encoded)

    def _delete_sidecar(self, encoded: codec.Encoded) -> None:
        if encoded.beside is not None:
            with contextlib.suppress(SchemaError):  # who may not delete leaves it there, and goes on
                self.files.delete(sidecar_file(self.folder, encoded.digest, self.branch))

    def _is_there(self, number: int, data: bytes) -> bool:
        """Return whether the file of a version has these bytes, or may have them."""
        try:
            return self.numbered.read(number) == data
        except NotThereError:
            return False
        except SchemaError:
            return True  # nobody knows, so nothing is deleted

    def dropped(self, number: int) -> Version | None:
        """Return a version that only the past of the table holds; None if there is none, as in our own layouts."""
        return None

    def missing(self, number: int, table: str) -> NotThereError:
        """Return the error about a version that is not there."""
        numbers = self.numbered.numbers()
        if not numbers:
            return self.no_table(table)
        there = str(numbers[0])
        if len(numbers) > 1:
            there = f"{numbers[0]} to {numbers[-1]}"
        fix = f"There are {len(numbers)}: {there}."
        return NotThereError(f"{table} has no version {number}.", code="version.not-there", path=table, fix=fix)

    def no_table(self, table: str) -> NotThereError:
        """Return the error about a table without a version. Raise StorageError if its whole root is not there."""
        self.files.check_root()
        branch = "" if self.branch == "main" else f" on branch {shown(self.branch)}"
        message = f"there is no schema of {table}{branch} in {self.files.url}."
        fix = "Look at the name with `airflow-schemas ls`; create the table, or adopt it if its folder is there without a schema file."
        return NotThereError(message, code="table.not-there", path=table, fix=fix)
