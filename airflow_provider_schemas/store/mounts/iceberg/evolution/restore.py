"""The way back to an old schema: it becomes the current one again, where every column still means the same.

Files that were written since lie under newer schemas. They are read with the old one, so that no column may have been widened
since, and what the old schema says is never NULL must never have been anything else.
"""

from collections.abc import Iterator

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, RowType
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.formats.iceberg import IcebergMetadata
from airflow_provider_schemas.store.mounts.iceberg.evolution.compare import element_ids
from airflow_provider_schemas.store.mounts.iceberg.evolution.refusals import is_promotion

_FIX = "Make a plan of changes instead: rename back, drop what is new, add what is missing as a new column."


def misread(metadata: IcebergMetadata, number: int) -> Iterator[Fault]:
    """Yield why an old schema cannot become the current one again; nothing, where every column still means the same."""
    old = metadata.schema(number)
    for other in metadata.schema_ids:
        if other != number:
            yield from _fields(metadata.schema(other), other, old)


def _fields(newer: TableSchema, number: int, old: TableSchema) -> Iterator[Fault]:
    columns = {field.id: field for field in newer.fields}
    for field in old.fields:
        yield from _field(columns.get(field.id), number, field, field.name)
        if field.id in columns and _ids_differ(newer, old, field.id):
            yield Fault("iceberg.restore", field.name, f"schema {number} has its elements under other ids.", _FIX)


def _ids_differ(newer: TableSchema, old: TableSchema, column: int) -> bool:
    now = element_ids(newer, column)
    return any(now.get(path, number) != number for path, number in element_ids(old, column).items())


def _field(newer: Field | None, number: int, old: Field, path: str) -> Iterator[Fault]:
    if newer is None:
        if not old.type.nullable:
            message = f"it is NOT NULL in the old schema, and schema {number} has no such column, so that its files have no value for it."
            yield Fault("iceberg.restore", path, message, _FIX)
        return
    yield from _type(newer.type, number, old.type, path)


def _type(newer: DataType, number: int, old: DataType, path: str) -> Iterator[Fault]:
    """Yield why files of a schema cannot be read with the old type."""
    if newer.nullable and not old.nullable:
        yield Fault("iceberg.restore", path, f"it is NOT NULL in the old schema, and may be NULL in schema {number}.", _FIX)
    if isinstance(newer, RowType) and isinstance(old, RowType):
        fields = {field.id: field for field in newer.fields}
        for field in old.fields:
            yield from _field(fields.get(field.id), number, field, f"{path}.{field.name}")
    elif isinstance(newer, ArrayType) and isinstance(old, ArrayType):
        yield from _type(newer.element, number, old.element, f"{path}.element")
    elif isinstance(newer, MapType) and isinstance(old, MapType):
        yield from _type(newer.key, number, old.key, f"{path}.key")
        yield from _type(newer.value, number, old.value, f"{path}.value")
    elif not _reads(newer, old):
        was = newer.with_nullable(True)
        message = f"it is {old.with_nullable(True)} in the old schema and {was} in schema {number}, whose files cannot be read so."
        yield Fault("iceberg.restore", path, message, _FIX)


def _reads(written: DataType, read: DataType) -> bool:
    if str(written.with_nullable(True)) == str(read.with_nullable(True)):
        return True
    return isinstance(written, AtomicType) and isinstance(read, AtomicType) and is_promotion(written, read)
