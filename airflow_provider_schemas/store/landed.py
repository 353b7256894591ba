"""Which data files a Paimon table has now, in one partition or in all, and with which version of its schema each was written.

A column that was added to the schema is in no file yet. The newest snapshot says which files there are: it names
manifests, and those name files that came or went, each with its partition and the id of the schema it was written
with. (The id in the snapshot itself is the newest at the time of the commit, and says nothing of its rows.) Every
manifest is read once; where nothing was committed since the last look, a look is one listing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from msgspec import Struct

from airflow_provider_schemas.errors import ContractError, NotThereError, SchemaError, StorageError
from airflow_provider_schemas.store.avro_blocks import broken
from airflow_provider_schemas.store.avro_records import Wanted, records
from airflow_provider_schemas.store.files import Files
from airflow_provider_schemas.store.layout import Layout, branch_folder, joined
from airflow_provider_schemas.store.manifests import MAX_ID, Named, file_name
from airflow_provider_schemas.store.numbered import Numbered
from airflow_provider_schemas.store.partition_rows import Partition, names, partition_of
from airflow_provider_schemas.store.snapshots import Anchor, Kind, read_anchor
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.store.uses import MANIFESTS

_ATTEMPTS: Final = 5
_BATCH: Final = 64
_BATCH_BYTES: Final = 64 * 1024 * 1024
_CAME, _WENT = 0, 1
_STEP: Final[Mapping[int, int]] = {_CAME: 1, _WENT: -1}
_FILE: Final = Wanted("_FILE", fields=(Wanted("_FILE_NAME", "string"), Wanted("_SCHEMA_ID", "long")))
_STATS: Final = Wanted("_PARTITION_STATS", fields=(Wanted("_MIN_VALUES", "bytes"), Wanted("_MAX_VALUES", "bytes")))
_LISTED: Final = (Wanted("_FILE_NAME", "string"), Wanted("_FILE_SIZE", "long"), _STATS)
_ENTRY: Final = (Wanted("_KIND", "long"), Wanted("_PARTITION", "bytes"), _FILE)


class Landed(Struct, frozen=True, kw_only=True):
    """What is there."""

    table: str
    partition: str = ""
    """As people write it: dt=2026-11-18."""
    snapshot: int | None = None
    """The newest one; None if nothing was ever committed."""
    versions: Mapping[int, int] = {}
    """How many files were written with which version."""

    @property
    def files(self) -> int:
        return sum(self.versions.values())


class _Step(NamedTuple):
    """A file that came or went, and the version it was written with."""

    file: str
    version: int
    more: int


class Landing:
    """A place where files land, looked at again and again."""

    def __init__(self, table: Table, partition: Mapping[str, Any] | None = None) -> None:
        """A table of Paimon, and some of its partition keys with their values. Nothing is asked before the first look."""
        self._table, self._said = table, partition
        self._partition: Partition | None = None
        self._manifests: dict[str, tuple[_Step, ...]] = {}
        self._mark: tuple[int, str] | None = None
        self._last = Landed(table=table.name, partition="/".join(names(partition)))

    def check(self) -> None:
        """Refuse a table that keeps no such record, and a partition that it does not have. Asks nothing once it has."""
        self._meant()

    def look(self) -> Landed:
        """What is there now: one listing, and what was committed since the last look."""
        partition = self._meant()
        for _ in range(_ATTEMPTS):
            newest = self._newest()
            if newest == self._mark:
                return self._last
            try:
                return self._seen(newest, partition)
            except NotThereError:  # snapshots are expired while others are read
                continue
        raise StorageError(f"the snapshots of {self._table.name} change faster than they can be read.", fix="Try again.")

    def _meant(self) -> Partition:
        if self._partition is None:
            schema, layout = self._table.schema(), self._table.place.layout
            if layout is not Layout.PAIMON:
                message = f"{self._table.name} is laid out as {layout}: nobody wrote down with which version its files were written."
                raise ContractError(message, code="landed.no-paimon", path=self._table.name, fix="Only a Paimon table tells. " + _FIX)
            self._partition = partition_of(schema, self._said, self._table.name)
        return self._partition

    # ------------------------------------------------------------ the newest snapshot

    @property
    def _files(self) -> Files:
        return self._table.place.files

    def _snapshots(self) -> Numbered:
        folder = joined(branch_folder(self._table.place.folder, self._table.branch_name), "snapshot")
        return Numbered(self._files, folder, "snapshot-")

    def _newest(self) -> tuple[int, str] | None:
        """Its number and its mark."""
        entries = self._snapshots().entries()
        number = max(entries, default=None)
        return None if number is None else (number, entries[number].mark)

    def _seen(self, newest: tuple[int, str] | None, partition: Partition) -> Landed:
        """What the snapshot says; kept until there is another one."""
        last = Landed(table=self._last.table, partition=self._last.partition)
        if newest is not None:
            versions = self._versions(self._anchor(newest[0]), partition)
            last = Landed(table=last.table, partition=last.partition, snapshot=newest[0], versions=versions)
        self._mark, self._last = newest, last
        return last

    def _anchor(self, number: int) -> Anchor:
        snapshots = self._snapshots()
        try:
            return read_anchor(Kind.SNAPSHOT, str(number), snapshots.read(number))
        except NotThereError:
            raise
        except SchemaError as error:
            raise _of(error, f"{self._files.url}/{snapshots.path(number)}") from None

    # ------------------------------------------------------------ its manifests

    def _versions(self, anchor: Anchor, partition: Partition) -> dict[int, int]:
        """The files that are there, counted by their version. One that moved to another level went and came under the same name."""
        manifests = self._named(anchor, partition)
        self._manifests = {name: steps for name, steps in self._manifests.items() if name in manifests}
        self._read([one for name, one in manifests.items() if name not in self._manifests], partition)
        left: Counter[tuple[str, int]] = Counter()
        for steps in self._manifests.values():
            for one in steps:
                left[one.file, one.version] += one.more
        found = Counter(version for (_, version), count in left.items() if count > 0)
        return dict(sorted(found.items()))

    def _named(self, anchor: Anchor, partition: Partition) -> dict[str, Named]:
        """The manifests that may speak of the partition: of the snapshot's base and of what it added, and none of its changelog."""
        lists = [one.file for one in anchor.lists if one.must]
        found = self._contents(lists)
        return {one.name: one for each in lists for one in _told(found, each, lambda data: tuple(_manifests(data, partition)))}

    def _read(self, unknown: list[Named], partition: Partition) -> None:
        for batch in _batches(unknown):
            found = self._contents(batch)
            self._manifests |= {one.name: _told(found, one, lambda data: tuple(_steps(data, partition))) for one in batch}

    def _contents(self, wanted: Iterable[Named]) -> dict[str, bytes]:
        """The bytes of manifests, or of lists of them, by name."""
        paths = {one.name: joined(self._table.place.folder, MANIFESTS, one.name) for one in wanted}
        found = self._files.read_many(list(paths.values()))
        for path in paths.values():
            if isinstance(error := found[path], SchemaError):
                raise error
        return {name: data for name, path in paths.items() if isinstance(data := found[path], bytes)}


_FIX: Final = "Wait for the schema instead, with until='schema'."


def _told(found: Mapping[str, bytes], named: Named, read: Any) -> Any:
    """What a file says; an error that names it if it is not the one that was meant, or cannot be read."""
    data = found[named.name]
    try:
        if named.size not in {-1, len(data)}:
            raise broken(f"it has {len(data)} bytes and should have {named.size}")
        return read(data)
    except SchemaError as error:
        raise _of(error, named.name) from None


def _of(error: SchemaError, where: str) -> SchemaError:
    """The error, saying which file it is about."""
    return type(error).of(fault._replace(path=where) for fault in error.faults)


def _batches(wanted: Iterable[Named]) -> Iterator[list[Named]]:
    """Few enough at once that the memory holds them."""
    batch: list[Named] = []
    for one in wanted:
        if batch and (len(batch) == _BATCH or sum(known.size for known in batch) + one.size > _BATCH_BYTES):
            yield batch
            batch = []
        batch.append(one)
    if batch:
        yield batch


def _manifests(data: bytes, partition: Partition) -> Iterator[Named]:
    """The manifests in a list that may speak of the partition, by the least and the most of its keys in each."""
    for one in records(data, _LISTED):
        stats = one["_PARTITION_STATS"]
        if one["_FILE_SIZE"] < 0:
            raise broken("it names a manifest of less than nothing")
        if partition.within(stats["_MIN_VALUES"], stats["_MAX_VALUES"]):
            yield Named(file_name(one["_FILE_NAME"]), one["_FILE_SIZE"])


def _steps(data: bytes, partition: Partition) -> Iterable[_Step]:
    """What the manifest with these bytes says of the partition."""
    for one in records(data, _ENTRY):
        if partition.holds(one["_PARTITION"]):
            file, kind = one["_FILE"], one["_KIND"]
            if kind not in _STEP or not 0 <= file["_SCHEMA_ID"] <= MAX_ID:
                raise broken("it holds an entry of no known kind")
            yield _Step(file_name(file["_FILE_NAME"]), file["_SCHEMA_ID"], _STEP[kind])
