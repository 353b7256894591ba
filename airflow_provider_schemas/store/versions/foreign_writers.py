"""Recognize what others wrote: versions that are not ours, and folders of other data, in which nothing of ours may lie."""

import os
import posixpath
import re

from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import AlreadyThereError, RefusedNameError
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.storage.files import Files, ListingEntry
from airflow_provider_schemas.store.storage.guarantees import one_name
from airflow_provider_schemas.store.table_location import TablePlace
from airflow_provider_schemas.store.versions.facts import provenance_of

# What Paimon and Mini Paimon keep in the folder of a table, beside partitions and buckets, which others have as well.
_SURE_SIGNS = frozenset({"schema", "snapshot", "manifest"})
_KNOWN = _SURE_SIGNS | {"index", "statistics", "changelog", "tag", "branch", "consumer", "service", "metadata", "data"}
_HIDDEN = re.compile(r"[._]")
# Hidden, and still the sign of a table: who tidies up such a folder deletes what it does not know.
_OTHER_TABLES = frozenset({"_delta_log", ".hoodie"})


def is_foreign(version: Version) -> bool:
    """Return whether an outside writer wrote a version."""
    return provenance_of(version) is None


def check_no_data_folder(place: TablePlace, table: str) -> None:
    """Raise AlreadyThereError if the folder of a new table holds other data: one more folder in it would stop the engines of that data."""
    entries = place.files.list(place.folder)
    strange = {entry.name for entry in entries if _is_strange(entry)}
    is_table = any(entry.folder and entry.name in _SURE_SIGNS for entry in entries)
    if is_table or not strange:
        return
    where = f"{place.files.url}/{place.folder}"
    message = (
        f"{where} holds data that is no Paimon table's, such as {min(strange)}: a schema beside it would stop the engines that read it."
    )
    fix = "Adopt the table into the registry: its schemas then lie there, and nothing is written into this folder."
    raise AlreadyThereError(message, code="table.data-folder", path=table, fix=fix)


def check_no_data_around(place: TablePlace, table: str) -> None:
    """Raise AlreadyThereError if the folder of a database holds files or partitions: then it is a folder of data."""
    folder = posixpath.dirname(place.folder)
    strange = [entry.name for entry in place.files.list(folder) if _is_data(entry)]
    if not strange:
        return
    message = f"{place.files.url}/{folder} holds data, such as {min(strange)}: a table in it would stop the engines that read it."
    fix = "Choose another database; or adopt the table into the registry."
    raise AlreadyThereError(message, code="table.data-folder", path=table, fix=fix)


def _is_data(entry: ListingEntry) -> bool:
    return not _HIDDEN.match(entry.name) and (not entry.folder or "=" in entry.name)


def _is_strange(entry: ListingEntry) -> bool:
    """Return whether nothing of that name lies in the folder of a table that has no schema yet."""
    if entry.name in _OTHER_TABLES or (entry.name == "metadata" and entry.folder):  # Mini Paimon's is a file, and Iceberg's a folder
        return True
    return entry.name not in _KNOWN and not _HIDDEN.match(entry.name)


def check_apart(place: TablePlace, data: Files, table: str) -> None:
    """Raise RefusedNameError if the schemas of a registered table would lie with its data: who overwrites the data deletes the schemas."""
    if place.layout is not Layout.REGISTRY or one_name(place.files.protocol) != one_name(data.protocol):
        return
    schemas = _comparable_address(place.files, place.folder)
    folder = _comparable_address(data)
    if not (schemas.startswith(folder) or folder.startswith(schemas)):
        return
    where = f"{place.files.url}/{place.folder}"
    message = f"the schemas of {table} would lie in {where}, and its data in {data.url}: one within the other."
    fix = "Open the store with registry= at an address that is not in the folder of the data."
    raise RefusedNameError(message, code="table.registry-in-data", path=table, fix=fix)


def _comparable_address(files: Files, folder: str = "") -> str:
    """Return an address in the one spelling in which it can be compared with others."""
    if one_name(files.protocol) == "file":
        return os.path.realpath(f"{files.url}/{folder}") + "/"
    return posixpath.normpath(f"{files.url.partition('://')[2]}/{folder}") + "/"
