"""Where the schema files of a table lie: beside its data, or in the registry. Found out with listings."""

from collections.abc import Mapping

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import AlreadyThereError, FormatError
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.layout.paths import OF_WAREHOUSES, SCHEMA_FILE, Layout, database_of, schema_folder, table_folder
from airflow_provider_schemas.store.storage.files import Files, ListingEntry
from airflow_provider_schemas.store.storage.numbered_files import Numbered

# A warehouse whose first tables do not show what it is will not show it in its thousandth.
_MOST_DATABASES = 5
_MOST_TABLES = 3
_IN_WAREHOUSES = (Layout.PAIMON, Layout.MINI_PAIMON)


class TablePlace(Struct, frozen=True):
    """The root, the folder of the table below it, and the layout."""

    files: Files
    folder: str
    layout: Layout


class LocatedTable(Struct, frozen=True):
    """A place, and what lies there if that was looked up just now."""

    place: TablePlace
    entries: Mapping[int, ListingEntry] | None = None


def find(name: TableName, beside: TablePlace, registered: TablePlace, *, certain: bool) -> LocatedTable:
    """Return where a table lies. Where the layout is certain, since the caller named it, one look is enough."""
    if beside.layout is Layout.REGISTRY:
        first, second = registered, beside
    else:
        first, second = beside, registered
    entries = _entries(first)
    if first == second or (certain and entries):
        return LocatedTable(first, entries)
    other_entries = _entries(second)
    if entries and other_entries:
        message = f"{name} has schemas in {first.files.url}/{first.folder} and in {second.files.url}/{second.folder}."
        fix = "Take one of them away, or say which with layout=."
        raise AlreadyThereError(message, code="table.twice", path=str(name), fix=fix)
    if other_entries:
        return LocatedTable(second, other_entries)
    return LocatedTable(first, entries)


def _entries(place: TablePlace) -> dict[int, ListingEntry]:
    return Numbered(place.files, schema_folder(place.folder), SCHEMA_FILE).entries()


def has_versions(place: TablePlace) -> bool:
    """Return whether a table has a version at a place: one listing."""
    return bool(_entries(place))


def place_of(name: TableName, files: Files, layout: Layout) -> TablePlace:
    """Return the place of a table in a root."""
    return TablePlace(files, table_folder(name, layout), layout)


# ---------------------------------------------------------------- what lies in a root


def detected(warehouse: Files, registry: Files) -> Layout:
    """Return the layout of a warehouse, by the names of its folders; Paimon's, if there is nothing to go by."""
    folders = _folders(warehouse, "")
    if any(database_of(folder, Layout.PAIMON) for folder in folders):
        return Layout.PAIMON
    if _has_mini_paimon_tables(warehouse, folders):
        return Layout.MINI_PAIMON
    if any(database_of(folder, Layout.REGISTRY) for folder in _folders(registry, "")):
        return Layout.REGISTRY
    return Layout.PAIMON


def holds_tables(files: Files) -> bool:
    """Return whether there is a table in a root, of any layout; a few folders are looked at."""
    folders = _folders(files, "")
    databases = [folder for folder in folders if database_of(folder, Layout.PAIMON)]
    if any(_folders(files, database) for database in databases[:_MOST_DATABASES]):
        return True
    return _has_mini_paimon_tables(files, folders)


def keeps_schemas(files: Files) -> bool:
    """Return whether a table of any layout has its schemas in a root; a few folders are looked at. Plain data is no table."""
    databases = [folder for folder in _folders(files, "") if any(database_of(folder, layout) for layout in _IN_WAREHOUSES)]
    return any(_has_schemas(files, database) for database in databases[:_MOST_DATABASES])


def _has_mini_paimon_tables(files: Files, folders: list[str]) -> bool:
    databases = [folder for folder in folders if database_of(folder, Layout.MINI_PAIMON)]
    return any(_has_schemas(files, database) for database in databases[:_MOST_DATABASES])


def _has_schemas(warehouse: Files, database: str) -> bool:
    """Return whether one of the first tables of a database has a folder of schemas."""
    tables = _folders(warehouse, database)[:_MOST_TABLES]
    return any("schema" in _folders(warehouse, f"{database}/{table}") for table in tables)


def _folders(files: Files, folder: str) -> list[str]:
    """Return the names of the folders in a folder."""
    return [entry.name for entry in files.list(folder) if entry.folder]


def known_layout(layout: object) -> Layout | None:
    """Return the layout that a caller named; FormatError if there is none of that name."""
    if layout is None:
        return None
    if layout not in OF_WAREHOUSES:
        message = f"{shown(str(layout))} is no layout of a warehouse."
        raise FormatError(message, code="layout.unknown", path="layout", fix=f"There are {', '.join(OF_WAREHOUSES)}.")
    return Layout(str(layout))
