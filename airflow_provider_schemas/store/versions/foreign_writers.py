"""What others wrote: versions that are not ours, and folders that are no tables of Paimon, in which nothing of ours may lie."""

import os
import posixpath
import re

from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import AlreadyThereError, RefusedNameError, SchemaError
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.storage.files import Entry, Files
from airflow_provider_schemas.store.storage.guarantees import one_name
from airflow_provider_schemas.store.table_location import TablePlace

# What Paimon and Mini Paimon keep in the folder of a table, beside partitions and buckets, which others have as well.
_OF_A_TABLE = frozenset({"schema", "snapshot", "manifest"})
_KNOWN = _OF_A_TABLE | {"index", "statistics", "changelog", "tag", "branch", "consumer", "service", "metadata", "data"}
_HIDDEN = re.compile(r"[._]")
# Hidden, and still the sign of a table: whoever tidies up such a folder takes away what it does not know.
_OTHERS = frozenset({"_delta_log", ".hoodie"})


def is_foreign(version: Version) -> bool:
    """Whether somebody else wrote a version."""
    try:
        return version.provenance is None
    except SchemaError:
        return True


def check_no_data_folder(place: TablePlace, table: str) -> None:
    """AlreadyThereError if the folder of a new table holds files of something else: one more folder in it would stop its engines."""
    entries = place.files.list(place.folder)
    strange = {one.name for one in entries if _is_strange(one)}
    if any(one.folder and one.name in _OF_A_TABLE for one in entries) or not strange:
        return
    where, example = f"{place.files.url}/{place.folder}", min(strange)
    message = f"{where} holds data that is no Paimon table's, such as {example}: a schema beside it would stop the engines that read it."
    fix = "Adopt the table into the registry: its schemas then lie there, and nothing is written into this folder."
    raise AlreadyThereError(message, code="table.data-folder", path=table, fix=fix)


def check_no_data_around(place: TablePlace, table: str) -> None:
    """AlreadyThereError if what should be the folder of a database holds files or partitions: then it is one of data."""
    folder = posixpath.dirname(place.folder)
    strange = [one.name for one in place.files.list(folder) if not _HIDDEN.match(one.name) and (not one.folder or "=" in one.name)]
    if not strange:
        return
    message = f"{place.files.url}/{folder} holds data, such as {min(strange)}: a table in it would stop the engines that read it."
    fix = "Choose another database; or adopt the table into the registry."
    raise AlreadyThereError(message, code="table.data-folder", path=table, fix=fix)


def _is_strange(one: Entry) -> bool:
    """Whether nothing of that name lies in the folder of a table that has no schema yet."""
    if one.name in _OTHERS or (one.name == "metadata" and one.folder):  # Mini Paimon's is a file, and Iceberg's a folder
        return True
    return one.name not in _KNOWN and not _HIDDEN.match(one.name)


def check_apart(place: TablePlace, data: Files, table: str) -> None:
    """RefusedNameError if the schemas of a registered table would lie with its data: whoever overwrites those takes the schemas along."""
    if place.layout is not Layout.REGISTRY or one_name(place.files.protocol) != one_name(data.protocol):
        return
    schemas, folder = _plain(place.files, place.folder), _plain(data)
    if not (schemas.startswith(folder) or folder.startswith(schemas)):
        return
    where = f"{place.files.url}/{place.folder}"
    message = f"the schemas of {table} would lie in {where}, and its data in {data.url}: one within the other."
    fix = "Open the store with registry= at an address that is not in the folder of the data."
    raise RefusedNameError(message, code="table.registry-in-data", path=table, fix=fix)


def _plain(files: Files, folder: str = "") -> str:
    """An address in the one way in which it can be compared with others."""
    if one_name(files.protocol) == "file":
        return os.path.realpath(f"{files.url}/{folder}") + "/"
    return posixpath.normpath(f"{files.url.partition('://')[2]}/{folder}") + "/"
