"""Which data files a Paimon table has now, in one partition or in all, and with which version of its schema each was written.

A column that was added to the schema is in no file yet. The newest snapshot says which files there are: it names
manifests, and those name files that were added or removed, each with its partition and the id of the schema it was written
with. (The id in the snapshot itself is the newest at the time of the commit, and says nothing of its rows.) Every
manifest is read once; where nothing was committed since the last look, a look is one listing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from msgspec import Struct

from airflow_provider_schemas.errors import ContractError, NotThereError, StorageError
from airflow_provider_schemas.formats.avro.errors import broken
from airflow_provider_schemas.formats.avro.records import WantedField, read_records
from airflow_provider_schemas.store.data_files.manifest_reader import (
    STEPS,
    list_manifests,
    manifest_size,
    numbered_snapshots,
    read_each,
    read_named,
)
from airflow_provider_schemas.store.data_files.partition_search import GivenValue, Partition, parse_partition, shown_keys
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.paimon.manifests import MAX_ID, NamedFile, file_name
from airflow_provider_schemas.store.paimon.snapshots import Anchor, AnchorKind
from airflow_provider_schemas.store.storage.numbered_files import Numbered
from airflow_provider_schemas.store.table import Table

_ATTEMPTS: Final = 5
_FILE: Final = WantedField("_FILE", fields=(WantedField("_FILE_NAME", "string"), WantedField("_SCHEMA_ID", "long")))
_STATS: Final = WantedField("_PARTITION_STATS", fields=(WantedField("_MIN_VALUES", "bytes"), WantedField("_MAX_VALUES", "bytes")))
_LISTED: Final = (WantedField("_FILE_NAME", "string"), WantedField("_FILE_SIZE", "long"), _STATS)
_ENTRY: Final = (WantedField("_KIND", "long"), WantedField("_PARTITION", "bytes"), _FILE)
_FIX: Final = "Wait for the schema instead, with until='schema'."


class Landed(Struct, frozen=True, kw_only=True):
    """The files of a table, or of one of its partitions, counted by version."""

    table: str
    partition: str = ""
    """As users write it: dt=2026-11-18."""
    snapshot: int | None = None
    """The newest one; None if nothing was ever committed."""
    versions: Mapping[int, int] = {}
    """How many files were written with which version."""

    @property
    def files(self) -> int:
        return sum(self.versions.values())


class _Step(NamedTuple):
    """A file that was added or removed, and the version it was written with."""

    file: str
    version: int
    change: int
    """1 if it was added, -1 if it was removed."""


class Landing:
    """A table, or one of its partitions, whose files are counted again and again."""

    def __init__(self, table: Table, partition: Mapping[str, GivenValue] | None = None) -> None:
        """Take a table of Paimon, and some of its partition keys with their values. Nothing is read before the first look."""
        self._table = table
        self._given = partition
        self._partition: Partition | None = None
        self._steps: dict[str, tuple[_Step, ...]] = {}
        self._newest_seen: tuple[int, str] | None = None
        self._last = Landed(table=table.name, partition="/".join(shown_keys(partition)))

    def check(self) -> None:
        """Refuse a table whose files have no known version, and a partition that it does not have. Reads the schema once."""
        self._parsed_partition()

    def look(self) -> Landed:
        """Return the files that are there now: one listing, and what was committed since the last look."""
        partition = self._parsed_partition()
        for _ in range(_ATTEMPTS):
            newest = self._newest()
            if newest == self._newest_seen:
                return self._last
            try:
                return self._read_snapshot(newest, partition)
            except NotThereError:  # snapshots are expired while others are read
                continue
        raise StorageError(f"the snapshots of {self._table.name} change faster than they can be read.", fix="Try again.")

    def _parsed_partition(self) -> Partition:
        if self._partition is not None:
            return self._partition
        schema = self._table.schema()
        layout = self._table.place.layout
        if layout is Layout.MOUNTED:
            message = f"{self._table.name} is kept by others, and which of its files were written with which schema is not read here."
            raise ContractError(message, code="landed.no-paimon", path=self._table.name, fix="Only a Paimon table tells. " + _FIX)
        if layout is not Layout.PAIMON:
            message = f"{self._table.name} is laid out as {layout}: nobody wrote down with which version its files were written."
            raise ContractError(message, code="landed.no-paimon", path=self._table.name, fix="Only a Paimon table tells. " + _FIX)
        self._partition = parse_partition(schema, self._given, self._table.name)
        return self._partition

    def _newest(self) -> tuple[int, str] | None:
        """Return the number of the newest snapshot and its mark; None if nothing was ever committed."""
        entries = self._snapshots().entries()
        if not entries:
            return None
        number = max(entries)
        return number, entries[number].mark

    def _snapshots(self) -> Numbered:
        return numbered_snapshots(self._table.place, self._table.branch_name)

    def _read_snapshot(self, newest: tuple[int, str] | None, partition: Partition) -> Landed:
        """Read the files of a snapshot, and keep the answer until there is another snapshot."""
        landed = Landed(table=self._last.table, partition=self._last.partition)
        if newest is not None:
            number = newest[0]
            anchor = read_named(self._table.place.files, AnchorKind.SNAPSHOT, str(number), self._snapshots().path(number))
            versions = self._count_versions(anchor, partition)
            landed = Landed(table=landed.table, partition=landed.partition, snapshot=number, versions=versions)
        self._newest_seen = newest
        self._last = landed
        return landed

    def _count_versions(self, anchor: Anchor, partition: Partition) -> dict[int, int]:
        """Count the files that are there by their version.

        A file that moved to another level is removed and added under the same name, so steps are summed by name.
        """
        self._read_new_manifests(anchor, partition)
        files: Counter[tuple[str, int]] = Counter()
        for steps in self._steps.values():
            for step in steps:
                files[step.file, step.version] += step.change
        versions = Counter(version for (_, version), count in files.items() if count > 0)
        return dict(sorted(versions.items()))

    def _read_new_manifests(self, anchor: Anchor, partition: Partition) -> None:
        """Read the manifests of a snapshot that are not known yet, and forget those that it no longer names."""
        place = self._table.place
        manifests = list_manifests(place, anchor, lambda data: tuple(_read_list(data, partition)))
        self._steps = {name: steps for name, steps in self._steps.items() if name in manifests}
        unread = [manifest for name, manifest in manifests.items() if name not in self._steps]
        self._steps |= read_each(place, unread, lambda data: tuple(_read_steps(data, partition)))


def _read_list(data: bytes, partition: Partition) -> Iterator[NamedFile]:
    """Yield the manifests in a list that may name files of the partition, by the least and the greatest of its keys in each."""
    for record in read_records(data, _LISTED):
        stats = record["_PARTITION_STATS"]
        size = manifest_size(record)
        if partition.may_lie_between(stats["_MIN_VALUES"], stats["_MAX_VALUES"]):
            yield NamedFile(file_name(record["_FILE_NAME"]), size)


def _read_steps(data: bytes, partition: Partition) -> Iterable[_Step]:
    """Yield the files of the partition that a manifest adds or removes."""
    for record in read_records(data, _ENTRY):
        if not partition.holds(record["_PARTITION"]):
            continue
        file = record["_FILE"]
        kind = record["_KIND"]
        if kind not in STEPS or not 0 <= file["_SCHEMA_ID"] <= MAX_ID:
            raise broken("it holds an entry of no known kind")
        yield _Step(file_name(file["_FILE_NAME"]), file["_SCHEMA_ID"], STEPS[kind])
