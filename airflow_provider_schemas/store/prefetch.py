"""What a judgement will ask of a storage that is far away: all listings at once, then all reads at once.

Nothing is decided here. The code that judges asks as ever, and finds the answers in its snapshot. What was not foreseen is asked then,
and errors that are met here are raised there.
"""

from collections import Counter, defaultdict
from collections.abc import Generator, Iterator, Mapping
from typing import NamedTuple

from airflow_provider_schemas.core.schema.version import file_digest
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store import whole_databases
from airflow_provider_schemas.store.layout.identifiers import MAIN, TableName
from airflow_provider_schemas.store.layout.paths import (
    POLICIES,
    REGISTRY_ID,
    Layout,
    contracts_folder,
    database_folder,
    joined,
    schema_folder,
    sidecar_file,
    snapshot_folder,
    waivers_folder,
)
from airflow_provider_schemas.store.registry import contracts, policies, waivers
from airflow_provider_schemas.store.registry.contract_record import PREFIX
from airflow_provider_schemas.store.registry.json_records import LIMIT
from airflow_provider_schemas.store.roots import Roots
from airflow_provider_schemas.store.storage.files import ListingEntry
from airflow_provider_schemas.store.storage.files_snapshot import ForeseenRequest, SnapshotFiles, make_all
from airflow_provider_schemas.store.storage.numbered_files import Numbered
from airflow_provider_schemas.store.table_location import TablePlace
from airflow_provider_schemas.store.versions.version_log import Versions

# From so many tables of a database on, one listing of it tells which of them lie in the registry, or have waivers.
_SEVERAL = 2


class PrefetchRequest(NamedTuple):
    """What a judgement is about, so that its requests can be foreseen."""

    tables: tuple[tuple[TableName, str], ...]
    """Tables and their branches."""
    places: tuple[tuple[TableName, TablePlace], ...] = ()
    """Where those tables lie of which that is known."""
    contracts: tuple[tuple[TableName, str], ...] = ()
    """Tables, each with the name of the job whose contract is read; empty for all jobs."""
    contract_folders: tuple[str, ...] = ()
    """The folders of single contracts."""
    record_folders: tuple[str, ...] = ()
    """Folders of the registry of which every record is read."""
    rules: bool = True
    """Whether policies and waivers count, and which registry has them."""
    snapshots: bool = False
    """Whether it is asked if there are data by Paimon."""
    step: bool = False
    """Whether one table is to be changed."""
    new: bool = False
    """Whether the tables are to be made."""
    whole: bool = False
    """Whether these are all tables of their databases."""


def prefetch(roots: Roots, wanted: PrefetchRequest) -> None:
    """Make the requests that are foreseen, as many at once as do not depend on another answer."""
    warehouse = roots.warehouse
    registry = roots.registry
    if not (isinstance(warehouse, SnapshotFiles) and isinstance(registry, SnapshotFiles) and registry.is_far):
        return
    for files in (warehouse, registry):
        files.connect()
    foreseen = _Foreseen(roots, warehouse, registry, wanted)
    if wanted.whole and len(wanted.tables) > warehouse.at_once:
        foreseen.learn_databases()
    asked: set[ForeseenRequest] = set()  # what is not there stays unknown, and is not asked again
    while wave := [request for request in dict.fromkeys(foreseen.requests()) if request not in asked and not request.is_answered]:
        make_all(wave, max(warehouse.at_once, registry.at_once))
        asked.update(wave)


class _Foreseen:
    """The requests that can be foreseen by what is known so far."""

    def __init__(self, roots: Roots, warehouse: SnapshotFiles, registry: SnapshotFiles, wanted: PrefetchRequest) -> None:
        self.roots = roots
        self.warehouse = warehouse
        self.registry = registry
        self.wanted = wanted
        self.places = dict(wanted.places)
        self.tables_of = Counter(name.database for name, _ in wanted.tables)

    def requests(self) -> Iterator[ForeseenRequest]:
        """Yield all requests, also those that are answered."""
        own_tables = [(name, branch) for name, branch in self.wanted.tables if name.database not in self.roots.mounted]
        if not own_tables:  # a look at a mounted table is all that there is, and those who judge take many at once
            yield ForeseenRequest(self.registry, "list", "")  # which shows that it describes none of them
            yield from self._of_registry()
            return
        if self.roots.said is None:  # its folders show which tables may lie in the registry
            yield ForeseenRequest(self.registry, "list", "")
        layout = self._layout()
        if layout is None:
            yield ForeseenRequest(self.warehouse, "list", "")
            if self._waits_for_layout():
                yield ForeseenRequest(self.registry, "read", REGISTRY_ID, LIMIT)
                return
        for name, branch in own_tables:
            yield from self._of_table(name, branch, layout)
        yield from self._of_registry()

    def _of_registry(self) -> Iterator[ForeseenRequest]:
        """Yield the requests for what hangs on the tables."""
        if self.wanted.rules:
            yield ForeseenRequest(self.registry, "read", REGISTRY_ID, LIMIT)
            yield from self._of_rules()
        for name, consumer in self.wanted.contracts:
            yield from self._of_contracts(name, consumer)
        for folder in self.wanted.contract_folders:
            yield from self._of_contract(folder)
        for folder in self.wanted.record_folders:
            yield from self._of_records(folder)

    def learn_databases(self) -> None:
        """Take listings of schema folders from pages of whole databases, where there are many tables."""
        make_all([ForeseenRequest(self.registry, "list", ""), ForeseenRequest(self.warehouse, "list", "")], 2)
        if self._layout() is None:
            return
        tables: dict[tuple[SnapshotFiles, str], list[str]] = defaultdict(list)
        for name, _ in self.wanted.tables:
            beside = self.roots.beside(name)
            registered = self.roots.registered(name)
            for place in dict.fromkeys((beside, registered)):
                if isinstance(place.files, SnapshotFiles) and _may_lie(name, place.files, place, expected=place == beside):
                    tables[place.files, place.folder.rpartition("/")[0]].append(name.table)
        branches = list(dict.fromkeys((MAIN, *(branch for _, branch in self.wanted.tables))))
        for (files, database), names in tables.items():
            whole_databases.learn(files, database, names, branches)

    def _read(self, path: str) -> ForeseenRequest:
        return ForeseenRequest(self.registry, "read", path, LIMIT)

    # ------------------------------------------------------------ versions

    def _waits_for_layout(self) -> bool:
        """Return whether a change of one table has to know the layout first. Then it is known which folders the registry has not."""
        return self.wanted.step and self.warehouse.listed("") is None

    def _layout(self) -> Layout | None:
        """Return the layout of new tables, once its folders are listed."""
        if self.roots.known_layout is None and self.warehouse.listed("") is None:
            return None
        try:
            return self.roots.layout
        except SchemaError:
            return None

    def _of_table(self, name: TableName, branch: str, layout: Layout | None) -> Iterator[ForeseenRequest]:
        if name in self.places:
            yield from self._of_versions(self.places[name], branch)
            return
        if layout is None:
            return
        yield from self._of_versions(self.roots.beside(name), branch)
        if layout is Layout.REGISTRY or self.roots.said is not None or self.registry.listed("") is None:
            return
        database = database_folder(name.database, Layout.REGISTRY)
        if self.tables_of[name.database] >= _SEVERAL and self.registry.listed(database) is None:
            yield ForeseenRequest(self.registry, "list", database)
            return
        yield from self._of_versions(self.roots.registered(name), branch)

    def _of_versions(self, place: TablePlace, branch: str) -> Iterator[ForeseenRequest]:
        files = place.files
        if not isinstance(files, SnapshotFiles):
            return
        for name in dict.fromkeys((MAIN, branch)):  # the main branch shows where a table lies
            yield ForeseenRequest(files, "list", schema_folder(place.folder, name))
        entries = yield from self._of_newest_version(files, place.folder, place.layout, branch)
        if self.wanted.snapshots and entries and place.layout is Layout.PAIMON:
            yield ForeseenRequest(files, "list", snapshot_folder(place.folder, branch))
        if self.wanted.new:
            yield from self._of_new(place)

    def _of_new(self, place: TablePlace) -> Iterator[ForeseenRequest]:
        """Yield the requests for the first version of a table: what lies in its folder, and which registry a table beside it names."""
        files = place.files
        database = place.folder.rpartition("/")[0]
        if not isinstance(files, SnapshotFiles):
            return
        yield ForeseenRequest(files, "list", place.folder)
        yield ForeseenRequest(files, "list", database)
        entries = files.listed(database) or ()
        tables = sorted(entry.name for entry in entries if entry.folder and not entry.name.startswith((".", "_")))
        for table in tables[:1]:
            folder = joined(database, table)
            yield ForeseenRequest(files, "list", schema_folder(folder))
            yield from self._of_newest_version(files, folder, place.layout, MAIN)

    def _of_newest_version(
        self, files: SnapshotFiles, folder: str, layout: Layout, branch: str
    ) -> Generator[ForeseenRequest, None, Mapping[int, ListingEntry]]:
        """Yield the read of the newest version of a branch, as far as it is listed; return the versions that are there."""
        versions = Versions(files, folder, layout, branch, self.roots.cache)
        entries = versions.numbered.among(files.listed(schema_folder(folder, branch)) or ())
        for number in list(entries)[-1:]:
            yield from self._of_version(versions, files, number, entries[number])
        return entries

    def _of_version(self, versions: Versions, files: SnapshotFiles, number: int, entry: ListingEntry) -> Iterator[ForeseenRequest]:
        to_read = versions.to_read(number, entry)
        if to_read is None:
            return
        path, limit = to_read
        yield ForeseenRequest(files, "read", path, limit)
        data = files.bytes_read(path) if versions.mini else None
        if data is not None:
            yield ForeseenRequest(files, "read", sidecar_file(versions.folder, file_digest(data), versions.branch), limit)

    # ------------------------------------------------------------ what hangs on tables

    def _of_rules(self) -> Iterator[ForeseenRequest]:
        yield ForeseenRequest(self.registry, "walk", POLICIES)
        paths = {path for path, _ in self.registry.walked(POLICIES) or ()}
        for database in self.tables_of:
            of_database = policies.policy_path(database=database)
            of_all = policies.policy_path()
            if of_database in paths:
                yield self._read(of_database)
            elif of_all in paths:
                yield self._read(of_all)
        for name, _ in self.wanted.tables:
            yield from self._of_waivers(name)

    def _of_waivers(self, name: TableName) -> Iterator[ForeseenRequest]:
        folder = waivers_folder(name)
        database = folder.rpartition("/")[0]
        if self.tables_of[name.database] >= _SEVERAL and self.registry.listed(database) is None:
            yield ForeseenRequest(self.registry, "list", database)
            return
        yield ForeseenRequest(self.registry, "list", folder)
        yield from map(self._read, waivers.files_among(self.registry, name, self.registry.listed(folder) or ()))

    def _of_contracts(self, name: TableName, consumer: str) -> Iterator[ForeseenRequest]:
        folder = contracts_folder(name)
        yield ForeseenRequest(self.registry, "walk", folder)
        paths = (path for path, _ in self.registry.walked(folder) or ())
        yield from map(self._read, contracts.files_among(self.registry, name, paths, consumer))

    def _of_contract(self, folder: str) -> Iterator[ForeseenRequest]:
        yield ForeseenRequest(self.registry, "list", folder)
        numbered = Numbered(self.registry, folder, PREFIX)
        for number in list(numbered.among(self.registry.listed(folder) or ()))[-1:]:
            yield self._read(numbered.path(number))

    def _of_records(self, folder: str) -> Iterator[ForeseenRequest]:
        yield ForeseenRequest(self.registry, "list", folder)
        for entry in self.registry.listed(folder) or ():
            if not entry.folder:
                yield self._read(joined(folder, entry.name))


def _may_lie(name: TableName, files: SnapshotFiles, place: TablePlace, *, expected: bool) -> bool:
    """Return whether a table may lie at a place; where that was not listed, whether it is the expected one."""
    folders = files.folders_in(place.folder.rpartition("/")[0])
    if folders is None:
        return expected
    return name.table in folders
