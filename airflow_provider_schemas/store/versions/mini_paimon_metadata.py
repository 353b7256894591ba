"""Read and write Mini Paimon's file about a table: it is updated after every commit, and never decides which version is the newest."""

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
    """Return the file about a table with this newest schema; a new one where it is missing or stale."""
    previous = _previous(place)
    if previous is not None and previous.current_schema_id == schema.id:
        return previous
    return metadata_from(schema, database=name.database, table=name.table, moment=clock.now(), previous=previous)


def write(place: TablePlace, name: TableName, schema: TableSchema) -> None:
    """Write which version is the newest, and keep all else that is in the file."""
    about: dict[str, Any] = {"database": name.database, "table": name.table, "moment": clock.now()}
    try:
        previous = _previous(place)
    except SchemaError:
        previous = _salvage(place, metadata_from(schema, **about))
    metadata = metadata_from(schema, **about, previous=previous)
    with contextlib.suppress(Gone):  # the table was dropped meanwhile, and the file with it
        place.files.put(metadata_file(place.folder), write_metadata(metadata).encode(), make_folder=False)


def _previous(place: TablePlace) -> TableMetadata | None:
    try:
        return read_metadata(place.files.read(metadata_file(place.folder), _LIMIT))
    except NotThereError:
        return None


def _salvage(place: TablePlace, anew: TableMetadata) -> TableMetadata:
    """Return what can be read of a broken file, with the rest from a new one."""
    kept: dict[str, Any] = json.loads(write_metadata(anew))
    try:
        text = place.files.read(metadata_file(place.folder), _LIMIT).decode("utf-8", "replace")
    except SchemaError:
        return anew
    content = read_json(text).value
    if not isinstance(content, dict):
        return anew
    for key, value in content.items():
        try:
            read_metadata(json.dumps({**kept, key: value}))
        except SchemaError:
            continue
        kept[key] = value
    return read_metadata(json.dumps(kept))
