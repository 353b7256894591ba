"""The roots of a store, a warehouse, a registry and mounted databases, with the options with which it was opened."""

from collections.abc import Callable, Mapping
from copy import copy
from shlex import quote
from typing import Self

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import AlreadyThereError, ReadOnlyError, UnsafeStorageError
from airflow_provider_schemas.store import table_location
from airflow_provider_schemas.store.common.author import Author, this_user
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.mounts.mounted_files import READ_ONLY, MountedFiles, checked_mounts
from airflow_provider_schemas.store.mounts.source import TableSource
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.storage.files_snapshot import Snapshot, SnapshotFiles, live
from airflow_provider_schemas.store.storage.guarantees import Means, guarantee
from airflow_provider_schemas.store.storage.rehearsal_files import RehearsalFiles
from airflow_provider_schemas.store.storage.version_cache import VersionCache
from airflow_provider_schemas.store.table_location import LocatedTable, TablePlace

# The names of a catalog that lives in the files themselves.
OWN_CATALOGS = ("", "filesystem")


class KnownRoots(Struct):
    """What a store has found out for as long as it lives, shared by all its judgements."""

    layout: Layout | None = None
    """The layout of the tables that are there."""
    met_registry: str = ""
    """The id of the registry as it was read last."""
    named_registry: str = ""
    """The id of the registry, once a table was seen that names it."""
    single: set[TableName] = set()
    """Mounted tables that the registry does not describe as well."""


class Roots:
    """Where a store keeps what, and what may be done there."""

    def __init__(
        self,
        warehouse: Files,
        registry: Files,
        layout: Layout | None,
        *,
        read_only: bool = False,
        single_writer: bool = False,
        catalog: str = "",
        team: str = "",
        actor: str = "",
        revision: str = "",
        open_location: Callable[[str], Files] | None = None,
        registry_named: bool = False,
        look: bool = True,
        registry_id: str = "",
        handed_in: bool = False,
        mounts: Mapping[str, TableSource] | None = None,
    ) -> None:
        self.warehouse = warehouse
        self.registry = registry
        self.said = layout
        """The layout that the caller named; None, where it is found out."""
        self.read_only = read_only
        self.single_writer = single_writer
        self.catalog = catalog
        self.team = team
        self.actor = actor or this_user()
        self.revision = revision
        """The commit from which all changes come that name no other; empty where it is not known."""
        self.open_location = open_location
        self.registry_named = registry_named
        self.look = look
        self.handed_in = handed_in
        """Whether addresses are paths on a filesystem that was handed in."""
        self.registry_id = registry_id
        """The id that the registry has to have; empty, where the versions of each table name one."""
        self.mounted: Mapping[str, MountedFiles] = checked_mounts(mounts)
        """The databases that others keep. A mount owns its database: no other root is asked for it."""
        self.snapshot: Snapshot | None = None
        """The snapshot of the judgement that these roots are of, if they are of one."""
        self.is_rehearsal = False
        """Whether nothing that is written reaches a storage or a catalog."""
        self.known = KnownRoots()
        self.cache = VersionCache()
        self.sound: set[str] = set()
        """Databases whose folders were looked at, and hold no data."""

    def author(self, *, actor: str, revision: str, **about: str | None) -> Author:
        """Return the writer of a version, with the actor and the commit that the store was opened with, unless the caller names others."""
        return Author(actor=actor or self.actor, revision=revision or self.revision, **about)  # type: ignore[arg-type]  # the keys are Author's

    def judging(self) -> Self:
        """Return the same roots as one judgement sees them; in a judgement, as a part of it that may write."""
        other = copy(self)
        other.snapshot = Snapshot() if self.snapshot is None else self.snapshot.branch()
        other.warehouse = SnapshotFiles(live(self.warehouse), other.snapshot)
        other.registry = SnapshotFiles(live(self.registry), other.snapshot)
        other.mounted = {database: files.within(other.snapshot) for database, files in self.mounted.items()}
        return other

    def rehearsing(self) -> Self:
        """Return the same roots, whose writes go into memory and are seen by these roots alone. Read only is no reason to refuse them."""
        other = copy(self)
        other.snapshot = None
        other.warehouse = RehearsalFiles(live(self.warehouse))
        other.registry = RehearsalFiles(live(self.registry))
        other.read_only = False
        other.is_rehearsal = True
        other.known = copy(self.known)
        other.cache = VersionCache()
        other.sound = set(self.sound)
        return other

    def in_judgement(self) -> Self:
        """Return these roots, if they are of a judgement; else as one judgement sees them."""
        return self if self.snapshot is not None else self.judging()

    @property
    def mounts(self) -> Mapping[str, TableSource]:
        """The sources of the mounted databases."""
        return {database: files.source for database, files in self.mounted.items()}

    @property
    def known_layout(self) -> Layout | None:
        """The layout, if it is known without a request; else None."""
        return self.said or self.known.layout

    @property
    def layout(self) -> Layout:
        """The layout of new tables: the one that the caller named, or that of the tables that are there."""
        known = self.known_layout
        if known is None:
            known = table_location.detected(self.warehouse, self.registry)
            self.known.layout = known
        return known

    def root_of(self, layout: Layout | None) -> Files:
        """Return the root in which tables of a layout lie."""
        return self.registry if layout is Layout.REGISTRY else self.warehouse

    def beside(self, name: TableName) -> TablePlace:
        """Return where a table's schemas lie beside its data; in the registry, where that is the layout; of a mounted one, there."""
        if name.database in self.mounted:
            return self._mounted_place(name)
        layout = self.layout
        return table_location.place_of(name, self.root_of(layout), layout)

    def registered(self, name: TableName) -> TablePlace:
        """Return where a table's schemas lie in the registry; at its source, if it is mounted."""
        if name.database in self.mounted:
            return self._mounted_place(name)
        return self.described(name)

    def described(self, name: TableName) -> TablePlace:
        """Return where the registry keeps the schemas of a table that it describes, mounted or not."""
        return table_location.place_of(name, self.registry, Layout.REGISTRY)

    def _mounted_place(self, name: TableName) -> TablePlace:
        return table_location.place_of(name, self.mounted[name.database], Layout.MOUNTED)

    def find(self, name: TableName) -> LocatedTable:
        """Return where a table lies; where it would, if it is not there."""
        if name.database in self.mounted:
            self._check_no_twin(name)
            return LocatedTable(self._mounted_place(name))
        return table_location.find(name, self.beside(name), self.registered(name), certain=self.said is not None)

    def _check_no_twin(self, name: TableName) -> None:
        """Raise AlreadyThereError if the registry also describes a mounted table: two answers about one name. Asked once a table."""
        if name in self.known.single:
            return
        if self.is_described(name):
            source = self.mounted[name.database].source
            message = f"{name} is mounted from {source.url}, and the registry {self.registry.url} also has schemas that describe it."
            command = f"airflow-schemas mount {quote(str(name))}"
            fix = f"Run `{command}`: it puts the description aside, and the contracts, waivers and policies stay."
            raise AlreadyThereError(message, code="mount.adopted-twin", path=str(name), fix=fix)
        self.known.single.add(name)

    def is_described(self, name: TableName) -> bool:
        """Return whether the registry has schemas of a table: listings from the root down, which all tables of a judgement share."""
        place = self.described(name)
        database, _, table = place.folder.partition("/")
        if all(entry.name != database for entry in self.registry.list("")):
            return False
        if all(entry.name != table for entry in self.registry.list(database)):
            return False
        return table_location.has_versions(place)

    # ------------------------------------------------------------ what may be done

    @property
    def external(self) -> bool:
        """Whether a catalog of its own keeps the tables, which our commits would leave behind."""
        return self.catalog.strip().lower() not in OWN_CATALOGS

    def check_writable(self, files: Files, what: str) -> None:
        """Raise ReadOnlyError if nothing may be written here, with the reason."""
        if self.read_only:
            message = f"the store {files.url} was opened to be read only, so {what} was not written."
            raise ReadOnlyError(message, path=what, fix="Open it without read_only.")
        if guarantee(files.protocol).means is Means.NONE and not self.single_writer:
            message = (
                f"a storage of the kind {shown(files.protocol)} cannot promise that of two writers one loses, so {what} was not written."
            )
            fix = "Keep the registry elsewhere, or open the store with single_writer=True if nobody else writes at the same time."
            raise UnsafeStorageError(message, path=what, fix=fix)

    def check_own(self, place: TablePlace, what: str) -> None:
        """Raise ReadOnlyError if a catalog or an engine keeps this table, and has to change it itself."""
        if place.layout is Layout.MOUNTED:
            source = place.files.source if isinstance(place.files, MountedFiles) else None
            keeper = "another catalog" if source is None else f"{source.kind} ({source.url})"
            fix = "Run the engine's own statements, as `plan` prints them, and then `verify`."
            raise ReadOnlyError(f"{keeper} keeps {what}, which is mounted here.", code=READ_ONLY, path=what, fix=fix)
        if self.external and place.layout is not Layout.REGISTRY:
            message = f"the catalog {shown(self.catalog)} keeps {what}: a version written beside it would leave the catalog behind."
            fix = "Run the engine's own statements, as `plan` prints them, and then `verify`."
            raise ReadOnlyError(message, code="store.external-catalog", path=what, fix=fix)

    def check_alone(self, place: TablePlace, head_is_foreign: bool, what: str) -> None:
        """Raise ReadOnlyError if another writer commits here in a way that could overwrite ours."""
        remote = guarantee(place.files.protocol).means is Means.CONDITION
        if head_is_foreign and remote and place.layout is not Layout.REGISTRY and not self.single_writer:
            message = (
                f"the newest version of {what} is by an outside writer, and on {place.files.protocol} such a writer may overwrite ours."
            )
            fix = "Change it through that engine; or open the store with single_writer=True while nobody else changes schemas."
            raise ReadOnlyError(message, code="store.shared", path=what, fix=fix)

    @property
    def may_write(self) -> bool:
        """Whether the registry takes what is found out along the way."""
        return not self.read_only and (guarantee(self.registry.protocol).means is not Means.NONE or self.single_writer)


def location_of(schema: TableSchema) -> str:
    """Return where the data of a table lies, if its schema says so."""
    location = schema.table_attributes.get("location")
    return location if isinstance(location, str) else ""
