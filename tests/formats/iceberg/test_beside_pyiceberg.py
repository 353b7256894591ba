"""What pyiceberg writes, we read as pyiceberg does: every schema of a table that changes and changes back, with every id."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.nested import Field, MapType, RowType, children
from airflow_provider_schemas.formats import dump
from airflow_provider_schemas.formats.iceberg import IcebergMetadata, read_metadata, read_schema, schema_digest

# The names of pyiceberg's classes, and our types.
LEAVES = {
    "BooleanType": "BOOLEAN",
    "IntegerType": "INT",
    "LongType": "BIGINT",
    "FloatType": "FLOAT",
    "DoubleType": "DOUBLE",
    "DateType": "DATE",
    "TimeType": "TIME(6)",
    "TimestampType": "TIMESTAMP(6)",
    "TimestamptzType": "TIMESTAMP(6) WITH LOCAL TIME ZONE",
    "TimestampNanoType": "TIMESTAMP(9)",
    "TimestamptzNanoType": "TIMESTAMP(9) WITH LOCAL TIME ZONE",
    "StringType": "STRING",
    "UUIDType": "BINARY(16)",
    "BinaryType": "BYTES",
    "UnknownType": "OPAQUE('unknown')",
    "GeometryType": "GEOMETRY(OGC:CRS84)",
    "GeographyType": "GEOGRAPHY(OGC:CRS84, spherical)",
}
Row = tuple[int, str, str, bool, str | None]
"""What either says of a field, an element, a key or a value: id, path, type, whether it is required, comment."""


def theirs(kind: Any, path: str = "") -> Iterator[Row]:
    """What pyiceberg says of the parts of a type."""
    for part in getattr(kind, "fields", ()):
        yield from theirs_of(part, f"{path}.{part.name}")
    for word in ("element", "key", "value"):
        part = getattr(kind, f"{word}_field", None)
        if part is not None:
            yield from theirs_of(part, f"{path}.{word}")


def theirs_of(part: Any, path: str) -> Iterator[Row]:
    yield part.field_id, path, their_type(part.field_type), part.required, part.doc
    yield from theirs(part.field_type, path)


def their_type(kind: Any) -> str:
    name = type(kind).__name__
    if name == "DecimalType":
        return f"DECIMAL({kind.precision}, {kind.scale})"
    if name == "FixedType":
        return f"BINARY({len(kind)})"
    return LEAVES.get(name) or {"StructType": "ROW", "ListType": "ARRAY", "MapType": "MAP"}[name]


def ours(schema: TableSchema) -> Iterator[Row]:
    """What we say of all parts of a schema."""
    for field in schema.fields:
        yield from ours_of(schema, field, f".{field.name}")


def ours_of(schema: TableSchema, field: Field, path: str) -> Iterator[Row]:
    yield field.id, path, our_type(field.type), not field.type.nullable, field.description
    ids = schema.attributes(field.id).get("element_ids", {})
    yield from ours_inside(schema, field.type, path, "", ids)


def ours_inside(schema: TableSchema, kind: Any, path: str, part: str, ids: dict[str, int]) -> Iterator[Row]:
    if isinstance(kind, RowType):
        for field in kind.fields:
            yield from ours_of(schema, field, f"{path}.{field.name}")
        return
    for word, inner in children(kind):
        place = f"{part}.{word}".lstrip(".")
        yield ids[place], f"{path}.{word}", our_type(inner), not inner.nullable, None
        yield from ours_inside(schema, inner, f"{path}.{word}", place, ids)


def our_type(kind: Any) -> str:
    if children(kind) or isinstance(kind, RowType | MapType):
        return str(kind.root.value)
    return str(kind.with_nullable(True))


# ---------------------------------------------------------------- types


def every_type() -> Any:
    """A schema of pyiceberg with all of its types, at the top and inside each container."""
    from pyiceberg import types

    leaves = [getattr(types, name)() for name in LEAVES] + [types.DecimalType(10, 2), types.FixedType(16), types.FixedType(3)]
    fields = []
    for number, leaf in enumerate(leaves):
        at = 10 * number + 1
        entry = types.MapType(at + 2, types.StringType(), at + 3, types.ListType(at + 4, leaf, number % 2 == 0), value_required=False)
        row = types.StructType(types.NestedField(at + 6, "x", leaf, required=number % 3 == 0, doc="inside"))
        fields += [
            types.NestedField(at, f"c{number}", leaf, required=number % 2 == 0, doc=f"the {number}th"),
            types.NestedField(at + 1, f"m{number}", entry, required=False),
            types.NestedField(at + 5, f"r{number}", row, required=True),
        ]
    from pyiceberg.schema import Schema

    return Schema(*fields, schema_id=4, identifier_field_ids=[21])


def test_every_type_of_pyiceberg_is_read_at_every_depth() -> None:
    schema = every_type()
    found = read_schema(schema.model_dump_json().encode())
    assert list(ours(found)) == list(theirs(schema))
    assert (found.id, found.table_attributes["identifier_fields"]) == (4, [21])
    assert found.highest_field_id == max(number for number, *_ in theirs(schema))


def test_pyiceberg_reads_what_we_write() -> None:
    from pyiceberg.schema import Schema

    schema = every_type()
    dumped = dump("iceberg", read_schema(schema.model_dump_json().encode()))
    assert dumped.losses == ()
    assert Schema.model_validate_json(dumped.text) == schema


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("IntegerType", 5),
        ("BooleanType", True),
        ("DoubleType", 1.5),
        ("StringType", "it's"),
        ("DateType", "2024-02-29"),
        ("TimestampType", "2024-02-29T01:02:03.000004"),
        ("TimestamptzType", "2024-02-29T01:02:03.000004+00:00"),
        ("BinaryType", "00ff"),
        ("UUIDType", "f79c3e09-677c-4bbd-a479-3f349cb785e7"),
    ],
)
def test_defaults_of_pyiceberg_come_back_to_it(kind: str, value: Any) -> None:
    from pyiceberg import types
    from pyiceberg.schema import Schema

    field = {"id": 1, "name": "a", "type": getattr(types, kind)(), "required": False, "initial-default": value, "write-default": value}
    schema = Schema(types.NestedField(**field))
    found = read_schema(schema.model_dump_json().encode())
    assert found.attributes(1)["initial_default"] == json.loads(schema.model_dump_json())["fields"][0]["initial-default"]
    assert Schema.model_validate_json(dump("iceberg", found).text).fields == schema.fields


# ---------------------------------------------------------------- a table with a past


def agree(location: str) -> IcebergMetadata:
    """Read a metadata file by both, and compare all that both say."""
    from pyiceberg.table.metadata import TableMetadataUtil

    data = Path(location.removeprefix("file://")).read_bytes()
    found = read_metadata(data)
    peer = TableMetadataUtil.parse_raw(data.decode())
    assert (found.uuid, found.location, found.current_schema_id) == (str(peer.table_uuid), peer.location, peer.current_schema_id)
    assert (found.last_column_id, found.last_updated_ms, found.format_version) == (
        peer.last_column_id,
        peer.last_updated_ms,
        peer.format_version,
    )
    assert dict(found.properties) == peer.properties
    assert {number: list(ours(found.schema(number))) for number in found.schema_ids} == {
        schema.schema_id: list(theirs(schema.as_struct())) for schema in peer.schemas
    }
    assert {name: (ref.kind, ref.snapshot_id) for name, ref in found.refs.items()} == {
        name: (ref.snapshot_ref_type.value, ref.snapshot_id) for name, ref in peer.refs.items()
    }
    assert [(one.timestamp_ms, one.metadata_file) for one in found.metadata_log] == [
        (one.timestamp_ms, one.metadata_file) for one in peer.metadata_log
    ]
    assert [(one.snapshot_id, one.schema_id, one.manifest_list, one.timestamp_ms) for one in found.snapshots] == [
        (one.snapshot_id, one.schema_id, one.manifest_list, one.timestamp_ms) for one in peer.snapshots
    ]
    return found


@pytest.mark.parametrize("version", [1, 2])
def test_a_table_that_changes_and_changes_back_is_read_as_pyiceberg_reads_it(tmp_path: Path, version: int) -> None:
    import pyarrow
    from pyiceberg import types
    from pyiceberg.catalog.sql import SqlCatalog
    from pyiceberg.partitioning import PartitionField, PartitionSpec
    from pyiceberg.schema import Schema
    from pyiceberg.transforms import DayTransform, IdentityTransform

    catalog = SqlCatalog("lake", uri=f"sqlite:///{tmp_path}/catalog.db", warehouse=f"file://{tmp_path}")
    catalog.create_namespace("shop")
    first = Schema(types.NestedField(1, "id", types.IntegerType(), required=False), types.NestedField(2, "at", types.TimestampType()))
    spec = PartitionSpec(PartitionField(1, 1000, IdentityTransform(), "id"))
    properties = {"format-version": str(version), "comment": "people"}
    table = catalog.create_table("shop.orders", first, partition_spec=spec, properties=properties)
    heads = [agree(table.metadata_location)]

    def change(name: str, *arguments: Any) -> None:
        with table.update_schema(allow_incompatible_changes=True) as update:
            getattr(update, name)(*arguments)
        heads.append(agree(table.metadata_location))

    row = types.StructType(types.NestedField(90, "sku", types.StringType(), required=True), types.NestedField(91, "u", types.UUIDType()))
    change("add_column", "items", types.ListType(80, row, element_required=True))
    change("add_column", "note", types.StringType(), "as typed")
    change("delete_column", "note")
    change("add_column", ("items", "price"), types.DecimalType(9, 2))
    change("update_column", "id", types.LongType())
    change("rename_column", "at", "ordered_at")
    change("move_first", "items")
    moment = pyarrow.array([0], pyarrow.timestamp("us"))
    catalog.load_table("shop.orders").append(pyarrow.table({"id": pyarrow.array([1], pyarrow.int64()), "ordered_at": moment}))
    table = catalog.load_table("shop.orders")
    table.update_spec().add_field("ordered_at", DayTransform(), "at_day").commit()
    snapshot = table.current_snapshot()
    assert snapshot is not None
    table.manage_snapshots().create_tag(snapshot.snapshot_id, "audit").commit()
    heads.append(agree(table.metadata_location))
    currents = [head.current_schema_id for head in heads]
    assert currents[3] == currents[1] < currents[2]  # pyiceberg goes back to the schema that was there before
    last = heads[-1].schema(currents[-1])
    assert (last.partition_keys, last.comment) == (("id",), "people")
    assert [entry["name"] for entry in last.table_attributes["partition_transforms"]] == ["id", "at_day"]
    digests = {head.current_schema_id: head.digest(head.current_schema_id) for head in heads}
    assert all(head.digest(number) == digests[number] for head in heads for number in head.schema_ids if number in digests)


def test_the_digest_is_that_of_the_schema_whoever_writes_it() -> None:
    schema = every_type()
    found = read_schema(schema.model_dump_json().encode())
    assert schema_digest(schema.model_dump_json().encode()) == schema_digest(dump("iceberg", found).text.encode())
