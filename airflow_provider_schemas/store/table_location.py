"""Where the schema files of a table lie: beside its data, or in the registry. Found out with listings, and remembered."""

from collections.abc import Mapping

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import AlreadyThereError, FormatError
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.layout.paths import SCHEMA_FILE, Layout, database_of, schema_folder, table_folder
from airflow_provider_schemas.store.storage.files import Files, ListingEntry
from airflow_provider_schemas.store.storage.numbered_files import Numbered

# A warehouse whose first tables do not show what it is will not show it in its thousandth.
_DATABASES, _TABLES = 5, 3


class Place(Struct, frozen=True):
    """The root, the folder of the table below it, and the layout."""

    files: Files
    folder: str
    layout: Layout


class Found(Struct, frozen=True):
    """A place, and what lies there if that was looked up just now."""

    place: Place
    entries: Mapping[int, ListingEntry] | None = None


def find(name: TableName, beside: Place, registered: Place, *, certain: bool) -> Found:
    """Where a table lies. Certain is whether the layout was said, so that one look is enough where it is there."""
    first, second = (registered, beside) if beside.layout is Layout.REGISTRY else (beside, registered)
    here = _entries(first)
    if first == second or (certain and here):
        return Found(first, here)
    there = _entries(second)
    if here and there:
        message = f"{name} has schemas in {first.files.url}/{first.folder} and in {second.files.url}/{second.folder}."
        fix = "Take one of them away, or say which with layout=."
        raise AlreadyThereError(message, code="table.twice", path=str(name), fix=fix)
    return Found(second, there) if there else Found(first, here)


def _entries(place: Place) -> dict[int, ListingEntry]:
    return Numbered(place.files, schema_folder(place.folder), SCHEMA_FILE).entries()


def place_of(name: TableName, files: Files, layout: Layout) -> Place:
    """The place of a table in a root."""
    return Place(files, table_folder(name, layout), layout)


def detected(warehouse: Files, registry: Files) -> Layout:
    """The layout of a warehouse, by the names of its folders; Paimon's, if there is nothing to go by."""
    folders = [one.name for one in warehouse.list("") if one.folder]
    if any(database_of(one, Layout.PAIMON) for one in folders):
        return Layout.PAIMON
    for database in [one for one in folders if database_of(one, Layout.MINI_PAIMON)][:_DATABASES]:
        if _has_schemas(warehouse, database):
            return Layout.MINI_PAIMON
    if any(one.folder and database_of(one.name, Layout.REGISTRY) for one in registry.list("")):
        return Layout.REGISTRY
    return Layout.PAIMON


_IN_WAREHOUSES = (Layout.PAIMON, Layout.MINI_PAIMON)


def holds_tables(files: Files) -> bool:
    """Whether there is a table in a root, of any layout; a few folders tell."""
    folders = [one.name for one in files.list("") if one.folder]
    databases = [one for one in folders if database_of(one, Layout.PAIMON)]
    return any(one.folder for database in databases[:_DATABASES] for one in files.list(database)) or any(
        _has_schemas(files, one) for one in [one for one in folders if database_of(one, Layout.MINI_PAIMON)][:_DATABASES]
    )


def keeps_schemas(files: Files) -> bool:
    """Whether a table of any layout has its schemas in a root; a few folders tell. Plain data where a table would lie is none."""
    databases = [one.name for one in files.list("") if one.folder and any(database_of(one.name, layout) for layout in _IN_WAREHOUSES)]
    return any(_has_schemas(files, database) for database in databases[:_DATABASES])


def _has_schemas(warehouse: Files, database: str) -> bool:
    tables = [one.name for one in warehouse.list(database) if one.folder][:_TABLES]
    return any("schema" in {one.name for one in warehouse.list(f"{database}/{table}") if one.folder} for table in tables)


def known_layout(layout: object) -> Layout | None:
    """The layout that a caller named."""
    if layout is None or isinstance(layout, Layout):
        return layout
    try:
        return Layout(str(layout))
    except ValueError:
        from_names = ", ".join(Layout)
        message = f"{shown(str(layout))} is no layout of a warehouse."
        raise FormatError(message, code="layout.unknown", path="layout", fix=f"There are {from_names}.") from None
