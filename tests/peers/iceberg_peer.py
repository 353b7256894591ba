"""pyiceberg: the table as an Iceberg table of format 2, and two checkers of its own.

`update` makes the change with its UpdateSchema, or UpdateSpec where partitions change, in a transaction that is never
committed. `append` is the check that pyiceberg makes before every write: may data with the old columns go into the changed
table? It is asked of tables, too, that `update` refused to make.
"""

import contextlib
import io
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Any

from airflow_provider_schemas.core import DataType, Field, TableSchema, parse_changes
from airflow_provider_schemas.core.changes import schema_change
from airflow_provider_schemas.core.types.kinds import Root
from tests.peers.answers import APPEND, UPDATE, Answer, CannotSayError, Judge, silent
from tests.peers.change import Change

Json = dict[str, Any]

# What Iceberg has no words for, though it may see something else happen.
UNSAID: Mapping[str, str] = {
    "rename with alias": "A column has one name; other names count only for files without ids.",
    "varchar(20) to varchar(40)": "A string has no length.",
    "varchar(40) to varchar(20)": "A string has no length.",
    "drop sequence field": "Iceberg has no sequence field.",
    "drop bucket key": "Iceberg has buckets as partitions only.",
    "rename aggregated": "Iceberg has no aggregate functions.",
}


def ask(change: Change) -> Mapping[Judge, Answer]:
    """Both checkers."""
    try:
        old, new = translated(change.old()), translated(change.new())
    except CannotSayError as error:
        return dict.fromkeys((UPDATE, APPEND), silent(str(error)))
    if change.key in UNSAID:
        return dict.fromkeys((UPDATE, APPEND), silent(UNSAID[change.key]))
    return {UPDATE: _updated(old, change), APPEND: _appended(old, new)}


# ---------------------------------------------------------------- asking


def _updated(old: Json, change: Change) -> Answer:
    """Every step is an update of its own, as a user would make it."""
    return _answered(lambda: _run(_transaction(old, change), change))


def _run(transaction: Any, change: Change) -> None:
    for step in parse_changes(change.steps):
        with transaction.update_schema() as update:
            method, *arguments = CALLS[type(step)](step)
            getattr(update, method)(*arguments)
    if change.after and change.after.primary_keys != change.before.primary_keys:
        with transaction.update_schema() as update:
            update.set_identifier_fields(*change.after.primary_keys)
    if change.after and change.after.partition_keys != change.before.partition_keys:
        with transaction.update_spec() as spec:
            for name in change.after.partition_keys:
                if name not in change.before.partition_keys:
                    spec.add_identity(name)


def _appended(old: Json, new: Json) -> Answer:
    from pyiceberg.io.pyarrow import _check_pyarrow_schema_compatible, schema_to_pyarrow

    data = schema_to_pyarrow(_schema(old), include_field_ids=False)
    return _answered(lambda: _check_pyarrow_schema_compatible(_schema(new), data, format_version=2))


def _answered(call: Callable[[], object]) -> Answer:
    from pyiceberg.exceptions import ResolveError, ValidationError

    try:
        # A mismatch is printed as well as raised.
        with contextlib.redirect_stdout(io.StringIO()):
            call()
    except (ValueError, ValidationError, ResolveError) as error:
        return Answer("refused", _plain(str(error)))
    return Answer("accepted")


def _plain(text: str) -> str:
    """The error on one line; of a drawn table only the rows that say no."""
    if "❌" not in text:
        return " ".join(text.split())
    rows = [[cell.strip() for cell in line.strip("│┃").split("│")] for line in text.splitlines() if "❌" in line]
    return "; ".join(f"{cells[-1]} for {cells[1]}" for cells in rows)


def _schema(document: Json) -> Any:
    from pyiceberg.schema import Schema

    return Schema.model_validate(document)


def _transaction(document: Json, change: Change) -> Any:
    from pyiceberg.catalog.noop import NoopCatalog
    from pyiceberg.io import load_file_io
    from pyiceberg.partitioning import PartitionField, PartitionSpec
    from pyiceberg.table import Table, Transaction
    from pyiceberg.table.metadata import new_table_metadata
    from pyiceberg.table.sorting import UNSORTED_SORT_ORDER
    from pyiceberg.transforms import IdentityTransform

    schema = _schema(document)
    keys = enumerate(change.before.partition_keys, 1000)
    spec = PartitionSpec(*(PartitionField(schema.find_field(name).field_id, number, IdentityTransform(), name) for number, name in keys))
    metadata = new_table_metadata(schema, spec, UNSORTED_SORT_ORDER, "memory:nowhere", {"format-version": "2"})
    return Transaction(Table(("db", "orders"), metadata, "memory:nowhere/metadata.json", load_file_io(), NoopCatalog("none")))


def _kind(kind: DataType) -> Any:
    from pyiceberg.types import IcebergType

    return IcebergType.model_validate(_type(kind.with_nullable(True), count(1000)))


# Our changes as calls of an update.
CALLS: Mapping[type, Callable[[Any], tuple[Any, ...]]] = {
    schema_change.AddColumn: lambda one: ("add_column", _path(one), _kind(one.type), one.comment, not one.type.nullable),
    schema_change.DropColumn: lambda one: ("delete_column", _path(one)),
    schema_change.RenameColumn: lambda one: ("rename_column", _path(one), one.new_name),
    schema_change.UpdateColumnType: lambda one: ("update_column", _path(one), _kind(one.type)),
    schema_change.UpdateColumnNullability: lambda one: ("update_column", _path(one), None, not one.nullable),
    schema_change.UpdateColumnComment: lambda one: ("update_column", _path(one), None, None, one.comment),
    schema_change.UpdateColumnDefaultValue: lambda one: ("set_default_value", _path(one), one.default),
    schema_change.UpdateColumnPosition: lambda one: ("move_after", one.move.field, one.move.reference),
}


def _path(change: Any) -> tuple[str, ...]:
    return tuple(change.names)


# ---------------------------------------------------------------- translating


def translated(schema: TableSchema) -> Json:
    """The table as an Iceberg schema; ids begin at 1 there, and elements, keys and values have ids of their own."""
    keys = [one.id + 1 for one in schema.fields if one.name in schema.primary_keys]
    return _struct(schema.fields, count(1000)) | {"schema-id": 0, "identifier-field-ids": keys}


def _struct(fields: tuple[Field, ...], ids: Iterator[int]) -> Json:
    return {"type": "struct", "fields": [_field(one, ids) for one in fields]}


def _field(one: Field, ids: Iterator[int]) -> Json:
    doc = {"doc": one.description} if one.description else {}
    default = {} if one.default is None else {"write-default": one.default}
    return {"id": one.id + 1, "name": one.name, "required": not one.type.nullable, "type": _type(one.type, ids), **doc, **default}


def _type(kind: Any, ids: Iterator[int]) -> str | Json:
    if kind.root is Root.ROW:
        return _struct(kind.fields, ids)
    if kind.root is Root.ARRAY:
        element = {"element": _type(kind.element, ids), "element-required": not kind.element.nullable}
        return {"type": "list", "element-id": next(ids), **element}
    if kind.root is Root.MAP:
        value = {"value-id": next(ids), "value": _type(kind.value, ids), "value-required": not kind.value.nullable}
        return {"type": "map", "key-id": next(ids), "key": _type(kind.key, ids), **value}
    return _atom(kind)


def _atom(kind: Any) -> str:
    if kind.root in (Root.TIMESTAMP, Root.TIMESTAMP_LTZ) and kind.precision != 6:
        raise CannotSayError("A timestamp has six digits.")
    if kind.root is Root.DECIMAL:
        return f"decimal({kind.precision}, {kind.scale})"
    if kind.root not in _ATOMS:
        raise CannotSayError(f"Iceberg has no {kind.root.name}.")
    return _ATOMS[kind.root]


_ATOMS: Mapping[Root, str] = {
    Root.BOOLEAN: "boolean",
    Root.INTEGER: "int",
    Root.BIGINT: "long",
    Root.FLOAT: "float",
    Root.DOUBLE: "double",
    Root.DATE: "date",
    Root.TIMESTAMP: "timestamp",
    Root.TIMESTAMP_LTZ: "timestamptz",
    Root.VARCHAR: "string",
    Root.VARBINARY: "binary",
}
