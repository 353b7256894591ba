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

from airflow_provider_schemas.errors import ContractError, NotThereError, StorageError
from airflow_provider_schemas.store.data_files.manifest_reader import listed, read_each, read_named, snapshots
from airflow_provider_schemas.store.data_files.partition_search import Partition, names, partition_of
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.paimon.avro_errors import broken
from airflow_provider_schemas.store.paimon.avro_records import WantedField, read_records
from airflow_provider_schemas.store.paimon.manifests import MAX_ID, NamedFile, file_name
from airflow_provider_schemas.store.paimon.snapshots import Anchor, AnchorKind
from airflow_provider_schemas.store.storage.numbered_files import Numbered
from airflow_provider_schemas.store.table import Table

_ATTEMPTS: Final = 5
_CAME, _WENT = 0, 1
_STEP: Final[Mapping[int, int]] = {_CAME: 1, _WENT: -1}
_FILE: Final = WantedField("_FILE", fields=(WantedField("_FILE_NAME", "string"), WantedField("_SCHEMA_ID", "long")))
_STATS: Final = WantedField("_PARTITION_STATS", fields=(WantedField("_MIN_VALUES", "bytes"), WantedField("_MAX_VALUES", "bytes")))
_LISTED: Final = (WantedField("_FILE_NAME", "string"), WantedField("_FILE_SIZE", "long"), _STATS)
_ENTRY: Final = (WantedField("_KIND", "long"), WantedField("_PARTITION", "bytes"), _FILE)


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

    def _newest(self) -> tuple[int, str] | None:
        """The newest snapshot: its number and its mark."""
        entries = self._snapshots().entries()
        number = max(entries, default=None)
        return None if number is None else (number, entries[number].mark)

    def _snapshots(self) -> Numbered:
        return snapshots(self._table.place, self._table.branch_name)

    def _seen(self, newest: tuple[int, str] | None, partition: Partition) -> Landed:
        """What the snapshot says; kept until there is another one."""
        last = Landed(table=self._last.table, partition=self._last.partition)
        if newest is not None:
            number = newest[0]
            anchor = read_named(self._table.place.files, AnchorKind.SNAPSHOT, str(number), self._snapshots().path(number))
            last = Landed(table=last.table, partition=last.partition, snapshot=number, versions=self._versions(anchor, partition))
        self._mark, self._last = newest, last
        return last

    def _versions(self, anchor: Anchor, partition: Partition) -> dict[int, int]:
        """The files that are there, counted by their version. One that moved to another level went and came under the same name."""
        place = self._table.place
        manifests = listed(place, anchor, lambda data: tuple(_manifests(data, partition)))
        self._manifests = {name: steps for name, steps in self._manifests.items() if name in manifests}
        unknown = [one for name, one in manifests.items() if name not in self._manifests]
        self._manifests |= read_each(place, unknown, lambda data: tuple(_steps(data, partition)))
        left: Counter[tuple[str, int]] = Counter()
        for steps in self._manifests.values():
            for one in steps:
                left[one.file, one.version] += one.more
        found = Counter(version for (_, version), count in left.items() if count > 0)
        return dict(sorted(found.items()))


_FIX: Final = "Wait for the schema instead, with until='schema'."


def _manifests(data: bytes, partition: Partition) -> Iterator[NamedFile]:
    """The manifests in a list that may speak of the partition, by the least and the most of its keys in each."""
    for one in read_records(data, _LISTED):
        stats = one["_PARTITION_STATS"]
        if one["_FILE_SIZE"] < 0:
            raise broken("it names a manifest of less than nothing")
        if partition.within(stats["_MIN_VALUES"], stats["_MAX_VALUES"]):
            yield NamedFile(file_name(one["_FILE_NAME"]), one["_FILE_SIZE"])


def _steps(data: bytes, partition: Partition) -> Iterable[_Step]:
    """What the manifest with these bytes says of the partition."""
    for one in read_records(data, _ENTRY):
        if partition.holds(one["_PARTITION"]):
            file, kind = one["_FILE"], one["_KIND"]
            if kind not in _STEP or not 0 <= file["_SCHEMA_ID"] <= MAX_ID:
                raise broken("it holds an entry of no known kind")
            yield _Step(file_name(file["_FILE_NAME"]), file["_SCHEMA_ID"], _STEP[kind])
