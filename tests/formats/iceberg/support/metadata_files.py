"""Metadata files that tests make up, member by member."""

import json
from collections.abc import Mapping
from typing import Any

from airflow_provider_schemas.formats.iceberg import IcebergMetadata, read_metadata

Json = dict[str, Any]
UUID = "0f3a1c5e-6b1d-4c55-9a51-6c2b7a0d9e11"


def column(number: int, name: str, kind: object = "long", *, required: bool = False, **more: object) -> Json:
    """Return the JSON of a field."""
    return {"id": number, "name": name, "required": required, "type": kind, **more}


def schema(number: int | None, *fields: Json, **more: object) -> Json:
    """Return the JSON of a schema; one of the first version has no number."""
    numbered = {} if number is None else {"schema-id": number}
    return {"type": "struct", **numbered, "fields": list(fields), **more}


def array(number: int, element: object, *, required: bool = False) -> Json:
    """Return the JSON of a list."""
    return {"type": "list", "element-id": number, "element": element, "element-required": required}


def mapping(key_id: int, key: object, value_id: int, value: object, *, required: bool = False) -> Json:
    """Return the JSON of a map."""
    return {"type": "map", "key-id": key_id, "key": key, "value-id": value_id, "value": value, "value-required": required}


def struct(*fields: Json) -> Json:
    """Return the JSON of a struct inside a schema."""
    return {"type": "struct", "fields": list(fields)}


ORDERS = schema(0, column(1, "order_id", required=True), column(2, "amount", "decimal(10, 2)", doc="without tax"))
WIDER = schema(1, *ORDERS["fields"], column(3, "coupon", "string"))


def metadata(*schemas: Json, without: tuple[str, ...] = (), **members: object) -> Json:
    """Return a metadata file of the second version; `members` replace its own, with blanks in their names as underscores."""
    listed = list(schemas or (ORDERS, WIDER))
    file: Json = {
        "format-version": 2,
        "table-uuid": UUID,
        "location": "s3://lake/shop/orders",
        "last-sequence-number": 3,
        "last-updated-ms": 1_760_000_000_000,
        "last-column-id": 9,
        "current-schema-id": listed[-1].get("schema-id", 0),
        "schemas": listed,
        "default-spec-id": 0,
        "partition-specs": [{"spec-id": 0, "fields": []}],
        "last-partition-id": 999,
        "default-sort-order-id": 0,
        "sort-orders": [{"order-id": 0, "fields": []}],
        "properties": {"owner": "shop"},
        "current-snapshot-id": 77,
        "refs": {"main": {"snapshot-id": 77, "type": "branch"}},
        "snapshots": [
            {
                "snapshot-id": 77,
                "timestamp-ms": 1_760_000_000_000,
                "summary": {"operation": "append"},
                "manifest-list": "s3://lake/shop/orders/metadata/snap-77.avro",
                "schema-id": 0,
            }
        ],
        "snapshot-log": [{"timestamp-ms": 1_760_000_000_000, "snapshot-id": 77}],
        "metadata-log": [{"timestamp-ms": 1_750_000_000_000, "metadata-file": "s3://lake/shop/orders/metadata/v1.metadata.json"}],
    }
    file.update({name.replace("_", "-"): value for name, value in members.items()})
    for name in without:
        del file[name]
    return file


def text(file: Mapping[str, Any]) -> bytes:
    """Return the bytes of a metadata file."""
    return json.dumps(file).encode()


def read(file: Mapping[str, Any]) -> IcebergMetadata:
    """Read a metadata file that a test made up."""
    return read_metadata(text(file))


def ask_everything(found: IcebergMetadata) -> None:
    """Ask a metadata file for all that it can answer."""
    for number in found.schema_ids:
        found.schema(number)
        found.digest(number)
    _ = (found.uuid, found.format_version, found.location, found.last_column_id, found.current_schema_id, found.last_updated_ms)
    _ = (found.properties, found.duplicate_ids, found.metadata_log, found.refs, found.snapshots)
