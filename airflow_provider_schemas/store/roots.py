"""The two roots of a store, a warehouse and a registry, with what was said about them when it was opened."""

import unicodedata
from collections.abc import Callable
from functools import cached_property

from airflow_provider_schemas.core.common.secrets import without_credentials, without_passwords
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import FormatError, ReadOnlyError, UnsafeStorageError
from airflow_provider_schemas.store import table_location
from airflow_provider_schemas.store.common.author import this_user
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.storage.files import Files
from airflow_provider_schemas.store.storage.guarantees import Means, guarantee
from airflow_provider_schemas.store.storage.version_cache import VersionCache
from airflow_provider_schemas.store.table_location import Found, Place

# Control characters, separators of lines and halves of characters.
_CONTROL = frozenset({"Cc", "Cs", "Zl", "Zp"})
# What a catalog is called that lives in the files themselves.
OWN_CATALOGS = ("", "filesystem")


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
        open_location: Callable[[str], Files] | None = None,
        registry_named: bool = False,
        look: bool = True,
        registry_id: str = "",
    ) -> None:
        self.warehouse, self.registry, self.said = warehouse, registry, layout
        self.read_only, self.single_writer, self.catalog, self.team = read_only, single_writer, catalog, team
        self.actor = actor or this_user()
        self.open_location, self.registry_named = open_location, registry_named
        self.look = look
        self.registry_id = registry_id
        """The id that the registry has to have; empty, where the versions of each table say which one is meant."""
        self.met_registry = ""
        """The id of the registry as it was read last."""
        self.named_registry = ""
        """The same, once a table was seen that names it."""
        self.cache = VersionCache()
        self.sound: set[str] = set()
        """Databases whose folders were looked at, and hold no data."""

    @cached_property
    def layout(self) -> Layout:
        """The layout of new tables: the one that was said, or that of the tables that are there."""
        return self.said or table_location.detected(self.warehouse, self.registry)

    def beside(self, name: TableName) -> Place:
        """Where a table's schemas lie beside its data; in the registry, where that is the layout."""
        files = self.registry if self.layout is Layout.REGISTRY else self.warehouse
        return table_location.place_of(name, files, self.layout)

    def registered(self, name: TableName) -> Place:
        """Where they lie in the registry."""
        return table_location.place_of(name, self.registry, Layout.REGISTRY)

    def find(self, name: TableName) -> Found:
        """Where a table lies; where it would, if it is not there."""
        return table_location.find(name, self.beside(name), self.registered(name), certain=self.said is not None)

    # ------------------------------------------------------------ what may be done

    @property
    def external(self) -> bool:
        """Whether a catalog of its own keeps the tables, which our commits would leave behind."""
        return self.catalog.strip().lower() not in OWN_CATALOGS

    def check_writable(self, files: Files, what: str) -> None:
        """ReadOnlyError if nothing may be written here, with the reason."""
        if self.read_only:
            message = f"the store {files.url} was opened to be read only, so {what} was not written."
            raise ReadOnlyError(message, path=what, fix="Open it without read_only.")
        if guarantee(files.protocol).means is Means.NONE and not self.single_writer:
            message = (
                f"a storage of the kind {shown(files.protocol)} cannot promise that of two writers one loses, so {what} was not written."
            )
            fix = "Keep the registry elsewhere, or open the store with single_writer=True if nobody else writes at the same time."
            raise UnsafeStorageError(message, path=what, fix=fix)

    def check_own(self, place: Place, what: str) -> None:
        """ReadOnlyError if a catalog or an engine keeps this table, and has to change it itself."""
        if self.external and place.layout is not Layout.REGISTRY:
            message = f"the catalog {shown(self.catalog)} keeps {what}: a version written beside it would leave the catalog behind."
            fix = "Run the engine's own statements, as `plan` prints them, and then `verify`."
            raise ReadOnlyError(message, code="store.external-catalog", path=what, fix=fix)

    def check_alone(self, place: Place, head_is_foreign: bool, what: str) -> None:
        """ReadOnlyError if somebody else commits here in a way that could overwrite ours."""
        remote = guarantee(place.files.protocol).means is Means.CONDITION
        if head_is_foreign and remote and place.layout is not Layout.REGISTRY and not self.single_writer:
            message = (
                f"the newest version of {what} is by an outside writer, and on {place.files.protocol} such a writer may overwrite ours."
            )
            fix = "Change it through that engine; or open the store with single_writer=True while nobody else changes schemas."
            raise ReadOnlyError(message, code="store.shared", path=what, fix=fix)

    @property
    def may_write(self) -> bool:
        """Whether the registry takes what is noted along the way."""
        return not self.read_only and (guarantee(self.registry.protocol).means is not Means.NONE or self.single_writer)


def location_of(schema: TableSchema) -> str:
    """Where the data of a table lies, if its schema says so."""
    location = schema.table_attributes.get("location")
    return location if isinstance(location, str) else ""


def check_location(location: str) -> None:
    """FormatError if an address of data holds a password or a token, or what no address holds."""
    if any(unicodedata.category(letter) in _CONTROL for letter in location):
        message = f"{shown(without_passwords(location))} is no location of data: it holds a control character."
        raise FormatError(message, code="table.no-location", path="location", fix="Pass the address of its folder.")
    if without_passwords(location) != location:
        message = f"{without_credentials(location)} holds a password, and versions are kept for ever."
        raise FormatError(message, code="table.secret", path="location", fix="Leave it out; the connection has it.")
