"""Mini Paimon's file about a table: kept current after every commit, and never asked which version holds."""

import contextlib
import json
from typing import Any

from airflow_provider_schemas.core.common.strict_json import read_json
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import NotThereError, SchemaError
from airflow_provider_schemas.formats.mini_paimon import TableMetadata, metadata_from, read_metadata, write_metadata
from airflow_provider_schemas.store.common import clock
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.layout.paths import metadata_file
from airflow_provider_schemas.store.storage.files import Gone
from airflow_provider_schemas.store.table_location import TablePlace

_LIMIT = 1_000_000


def read(place: TablePlace, name: TableName, schema: TableSchema) -> TableMetadata:
    """The file about a table whose newest schema this is; made anew where it is missing, and current where it is stale."""
    previous = _previous(place)
    if previous is not None and previous.current_schema_id == schema.id:
        return previous
    return metadata_from(schema, database=name.database, table=name.table, moment=clock.now(), previous=previous)


def write(place: TablePlace, name: TableName, schema: TableSchema) -> None:
    """Say which version is the newest, and keep all else that the file says."""
    about: dict[str, Any] = {"database": name.database, "table": name.table, "moment": clock.now()}
    try:
        previous = _previous(place)
    except SchemaError:
        previous = _saved(place, metadata_from(schema, **about))
    made = metadata_from(schema, **about, previous=previous)
    with contextlib.suppress(Gone):  # nobody asks it about a table that was dropped meanwhile
        place.files.put(metadata_file(place.folder), write_metadata(made).encode(), make_folder=False)


def _previous(place: TablePlace) -> TableMetadata | None:
    try:
        return read_metadata(place.files.read(metadata_file(place.folder), _LIMIT))
    except NotThereError:
        return None


def _saved(place: TablePlace, anew: TableMetadata) -> TableMetadata:
    """What can be understood of a file that cannot be read as a whole; the rest is made anew."""
    kept: dict[str, Any] = json.loads(write_metadata(anew))
    try:
        said = read_json(place.files.read(metadata_file(place.folder), _LIMIT).decode("utf-8", "replace")).value
    except SchemaError:
        return anew
    for key, value in said.items() if isinstance(said, dict) else ():
        try:
            read_metadata(json.dumps({**kept, key: value}))
        except SchemaError:
            continue
        kept[key] = value
    return read_metadata(json.dumps(kept))
