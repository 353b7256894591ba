"""The versions of one branch of one table: listed, read, and the next one created."""

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
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.store.storage.files import UNCLEAR, Files, Gone, ListingEntry, Parent, PathTaken
from airflow_provider_schemas.store.storage.numbered_files import Numbered
from airflow_provider_schemas.store.storage.version_cache import VersionCache
from airflow_provider_schemas.store.versions import codec, lost_parent

# How often a listing is taken again when what it names has gone.
_ATTEMPTS = 5
_LIMIT = MAX_BYTES + 1_000
# To look through a folder of so many versions costs more than the commit: one of so many commits does it.
_MANY = 1_000
_SELDOM = 32
# The newest version as it was last asked for, and what was listed for it.
_NOTHING_LISTED: tuple[int, Mapping[int, ListingEntry]] = (-1, {})


class Versions:
    """The schema files of one branch in one folder."""

    def __init__(self, files: Files, folder: str, layout: Layout, branch: str, cache: VersionCache, *, alone: bool = False) -> None:
        self.files, self.folder, self.layout, self.branch, self.cache = files, folder, layout, branch, cache
        self.numbered = Numbered(files, schema_folder(folder, branch), SCHEMA_FILE, alone=alone)
        self._listed = _NOTHING_LISTED

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_listed": _NOTHING_LISTED}

    @property
    def mini(self) -> bool:
        """Whether the files are Mini Paimon's."""
        return self.layout is Layout.MINI_PAIMON

    def where(self, number: int) -> str:
        """The file of a version, as people know it."""
        return self.numbered.where(number)

    # ------------------------------------------------------------ reading

    def entries(self) -> dict[int, ListingEntry]:
        """What is there, lowest first: one listing."""
        found = self.numbered.entries()
        if not found:
            self.files.check_root()
        return found

    def latest(self, at_least: int | None = None, entries: Mapping[int, ListingEntry] | None = None) -> Version | None:
        """The newest version: one listing, and one read if it is not known yet.

        At least is a number that is known to be taken; entries are the listing, if it was taken just now.
        """
        for _ in range(_ATTEMPTS):
            entries = self.entries() if entries is None else entries
            newest = max(entries, default=None)
            if at_least is not None and (newest is None or newest < at_least):
                newest = self._beyond(at_least, newest)
            if newest is None:
                return None
            try:
                found = self.read(newest, entries.get(newest))
            except NotThereError:
                entries = None
            else:
                self._listed = (newest, entries)
                return found
        if at_least is not None and newest == at_least:
            raise self.in_the_way(newest)
        raise StorageError(f"{self.files.url}/{self.numbered.folder} changes faster than it can be read.", fix="Try again.")

    def in_the_way(self, number: int | None) -> StorageError:
        """The error about what bears the name of a version, and is none."""
        message = f"{self.where(number or 0)} bears the name of a version, and is no file that can be read."
        return StorageError(message, code="version.in-the-way", fix="Look whether it is a folder or a link, and take it away.")

    def _beyond(self, number: int, listed: int | None) -> int | None:
        """The newest version, where the listing is behind; or what was listed, where the other one has gone again."""
        if not self.files.exists(self.numbered.path(number)):
            return listed
        while self.files.exists(self.numbered.path(number + 1)):
            number += 1
        return number

    def read(self, number: int, entry: ListingEntry | None = None) -> Version:
        """One version. Entry is its name in a listing, where there was one: a file that was read before is not read again."""
        path, mark = self._key(number), entry.mark if entry else ""
        known = self.cache.get(path, mark)
        if known is not None:
            return known
        data = self.files.read(self.numbered.path(number), _LIMIT)
        found = self._kept(number, data, mark)
        if self.mini and found.schema.provenance is None and not self._is_there(number, data):
            # What was beside it went between the two reads, so that it looked like an outside writer's.
            raise NotThereError(f"{self.where(number)} is not there any more.", path=self.numbered.path(number), fix="Look again.")
        return found

    def to_read(self, number: int, entry: ListingEntry) -> tuple[str, int] | None:
        """The file of a version and how large it may be; None if it was read before."""
        known = self.cache.get(self._key(number), entry.mark)
        return None if known is not None else (self.numbered.path(number), _LIMIT)

    def listed_before(self, head: Version) -> dict[int, ListingEntry]:
        """The names of the versions before one that was the newest just now, oldest first: by the listing in which it was found."""
        newest, entries = self._listed
        if newest == head.number and newest in entries:
            before = dict(entries)  # of thousands, of which it is the last
            del before[newest]
            return before
        return {number: one for number, one in self.entries().items() if number < head.number}

    def listed(self, version: Version) -> ListingEntry | None:
        """The entry of a version that was the newest just now, in the listing in which it was found."""
        newest, entries = self._listed
        return entries.get(newest) if newest == version.number else None

    def all(self, entries: Mapping[int, ListingEntry] | None = None) -> tuple[Version, ...]:
        """All of these versions, or of those that there are, oldest first."""
        there = self.entries() if entries is None else entries
        known = {number: found for number, one in there.items() if (found := self.cache.get(self._key(number), one.mark)) is not None}
        missing = [number for number in there if number not in known]
        read = self.numbered.read_many(missing, _LIMIT)
        before = {later: earlier for earlier, later in pairwise(there)}
        for number in missing:
            data = read[number]
            if isinstance(data, NotThereError) and number not in self.entries():
                continue  # expired meanwhile
            if isinstance(data, SchemaError):
                raise data
            known[number] = self._kept(number, data, there[number].mark, known.get(before.get(number, -1)))
        return tuple(known[number] for number in sorted(known))

    def _key(self, number: int) -> str:
        return f"{self.files.protocol}:{self.where(number)}"

    def _kept(self, number: int, data: bytes, mark: str, before: Version | None = None) -> Version:
        try:
            version = self._mini(number, data, before) if self.mini else codec.decoded(data, number, self.branch)
        except NotThereError:
            raise
        except SchemaError as error:
            raise codec.located(error, self.where(number)) from None
        self.cache.put(self._key(number), mark, version, len(data))
        return version

    # ------------------------------------------------------------ Mini Paimon

    def _mini(self, number: int, data: bytes, before: Version | None) -> Version:
        beside = self.beside(data)
        if beside is not None:
            return codec.decoded_mini(data, beside, number, self.branch)
        if before is not None:
            return codec.decoded_outside(data, before, number, self.branch)
        # An outside writer's: what the file does not say comes from the versions before it, back to one of ours.
        waiting = [(number, data)]
        version: Version | None = None
        for earlier in reversed([one for one in self.numbered.numbers() if one < number]):
            data = self.numbered.read(earlier)
            beside = self.beside(data)
            if beside is not None:
                version = codec.decoded_mini(data, beside, earlier, self.branch)
                break
            waiting.append((earlier, data))
        for one, content in reversed(waiting):
            version = codec.decoded_outside(content, version, one, self.branch)
        if version is None:
            raise AssertionError("the version itself is among those that wait")
        return version

    def beside(self, data: bytes) -> bytes | None:
        """What lies beside a file of Mini Paimon; None if it is an outside writer's."""
        try:
            return self.files.read(sidecar_file(self.folder, file_digest(data), self.branch), _LIMIT)
        except NotThereError:
            return None

    # ------------------------------------------------------------ writing

    def sweep(self, number: int) -> None:
        """Take away what writers who were killed left behind, long ago. In a long table not each version looks for that."""
        if len(self._listed[1]) < _MANY or number % _SELDOM == 0:
            self.files.sweep(self.numbered.folder)

    def create(self, schema: TableSchema, head: Version | None) -> tuple[Version, str]:
        """Make this schema the version after the head: the version, and what was promised. Taken if somebody else was first."""
        number = 0 if head is None else head.number + 1
        schema = msgspec.structs.replace(schema, id=number)
        made = codec.encoded(schema, mini=self.mini)
        parent = None if head is None else Parent(self.numbered.path(head.number), head.digest)
        try:
            beside = self._put_beside(made, parent)
            promise = self.numbered.create(number, made.data, None if head is None else head.number, parent=parent or beside)
        except (PathTaken, Gone, SchemaError) as error:
            # What was written beside is of no use to anybody, unless the version is there after all, or may come yet.
            unclear = isinstance(error, SchemaError) and error.code == UNCLEAR
            if not unclear and not self._is_there(number, made.data):
                self._take_beside_away(made)
            if isinstance(error, Gone):
                raise (PathTaken(number) if parent is None else lost_parent.not_written(self.numbered, number)) from error
            raise
        if parent is not None and lost_parent.is_lost(self.numbered, number, made.data, parent):
            self._take_beside_away(made)
            raise lost_parent.taken_away(self.numbered, number, made.data)
        return Version(number, made.digest, schema, self.branch), promise

    def _put_beside(self, made: codec.Encoded, parent: Parent | None) -> Parent | None:
        """Write what the file cannot hold, where there is such a thing: a first version has to find it there."""
        if made.beside is None:
            return None
        path = sidecar_file(self.folder, made.digest, self.branch)
        self.files.put(path, made.beside, make_folder=parent is None)
        commit_steps.reached(commit_steps.SIDECAR)
        return Parent(path, file_digest(made.beside))

    def _take_beside_away(self, made: codec.Encoded) -> None:
        if made.beside is not None:
            with contextlib.suppress(SchemaError):  # who may not delete leaves it there, and goes on
                self.files.delete(sidecar_file(self.folder, made.digest, self.branch))

    def _is_there(self, number: int, data: bytes) -> bool:
        try:
            return self.numbered.read(number) == data
        except NotThereError:
            return False
        except SchemaError:
            return True  # nobody knows: it stays

    def missing(self, number: int, table: str) -> NotThereError:
        """The error about a version that is not there."""
        numbers = self.numbered.numbers()
        if not numbers:
            return self.no_table(table)
        there = f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else str(numbers[0])
        return NotThereError(
            f"{table} has no version {number}.", code="version.not-there", path=table, fix=f"There are {len(numbers)}: {there}."
        )

    def no_table(self, table: str) -> NotThereError:
        """The error about a table without a version. StorageError if its whole root is not there."""
        self.files.check_root()
        branch = "" if self.branch == "main" else f" on branch {shown(self.branch)}"
        message = f"there is no schema of {table}{branch} in {self.files.url}."
        fix = "Look at the name with `ls`; create the table, or adopt it if its folder is there without a schema file."
        return NotThereError(message, code="table.not-there", path=table, fix=fix)
