"""What others wrote: versions that are not ours, and folders that are no tables of Paimon, in which nothing of ours may lie."""

import re

from airflow_provider_schemas.core.version import Version
from airflow_provider_schemas.errors import AlreadyThereError, SchemaError
from airflow_provider_schemas.store.place import Place

# What Paimon and Mini Paimon keep in the folder of a table, beside partitions and buckets, which others have as well.
_OF_A_TABLE = frozenset({"schema", "snapshot", "manifest"})
_KNOWN = _OF_A_TABLE | {"index", "statistics", "changelog", "tag", "branch", "consumer", "service", "metadata", "data"}
_HIDDEN = re.compile(r"[._]")


def is_foreign(version: Version) -> bool:
    """Whether somebody else wrote a version."""
    try:
        return version.provenance is None
    except SchemaError:
        return True


def check_no_data_folder(place: Place, table: str) -> None:
    """AlreadyThereError if the folder of a new table holds files of something else: one more folder in it would stop its readers."""
    there = {one.name for one in place.files.list(place.folder) if not _HIDDEN.match(one.name)}
    if there & _OF_A_TABLE or not there - _KNOWN:
        return
    where, example = f"{place.files.url}/{place.folder}", min(there - _KNOWN)
    message = f"{where} holds data that is no Paimon table's, such as {example}: a schema beside it would stop its readers."
    fix = "Adopt the table into the registry: its schemas then lie there, and nothing is written into this folder."
    raise AlreadyThereError(message, code="table.data-folder", path=table, fix=fix)
