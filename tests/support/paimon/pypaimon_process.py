"""What pypaimon does when it is asked to: create, alter, write, read, tag, branch, roll back. Runs in the environment that it needs."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pyarrow as pa  # noqa: TID253  # this runs where pypaimon is, and pyarrow with it
from pypaimon import CatalogFactory, Schema
from pypaimon.common.json_util import JSON
from pypaimon.schema.data_types import DataField, DataTypeParser, PyarrowFieldParser
from pypaimon.schema.schema_change import Move, MoveType, SchemaChange
from pypaimon.schema.schema_manager import SchemaManager

from tests.support.answering import serve


def catalog(warehouse: str) -> Any:
    """A catalog that remembers nothing."""
    return CatalogFactory.create({"warehouse": warehouse})


def found(warehouse: str, table: str, branch: str = "") -> Any:
    """A table, or one of its branches."""
    return catalog(warehouse).get_table(f"{table}$branch_{branch}" if branch else table)


def created(warehouse: str, table: str, fields: Sequence[Mapping[str, Any]], **about: Any) -> None:
    """A table whose columns are given as a schema file writes them."""
    one = catalog(warehouse)
    one.create_database(table.partition(".")[0], True)
    one.create_table(table, Schema(fields=[DataField.from_dict(dict(field)) for field in fields], **about), False)


def _move(value: Mapping[str, Any] | None) -> Any:
    return None if value is None else Move(value["fieldName"], value.get("referenceFieldName"), MoveType(value["type"]))


# By what a change says that it is, pypaimon's own change.
_CHANGES: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
    "setOption": lambda one: SchemaChange.set_option(one["key"], one["value"]),
    "removeOption": lambda one: SchemaChange.remove_option(one["key"]),
    "updateComment": lambda one: SchemaChange.update_comment(one["comment"]),
    "addColumn": lambda one: SchemaChange.add_column(
        one["fieldNames"], DataTypeParser.parse_data_type(one["dataType"]), one.get("comment"), _move(one.get("move"))
    ),
    "renameColumn": lambda one: SchemaChange.rename_column(one["fieldNames"], one["newName"]),
    "dropColumn": lambda one: SchemaChange.drop_column(one["fieldNames"]),
    "updateColumnType": lambda one: SchemaChange.update_column_type(
        one["fieldNames"], DataTypeParser.parse_data_type(one["newDataType"]), one["keepNullability"]
    ),
    "updateColumnNullability": lambda one: SchemaChange.update_column_nullability(one["fieldNames"], one["newNullability"]),
    "updateColumnComment": lambda one: SchemaChange.update_column_comment(one["fieldNames"], one["newComment"]),
    "updateColumnPosition": lambda one: SchemaChange.update_column_position(_move(one["move"])),
}


def altered(warehouse: str, table: str, changes: Sequence[Mapping[str, Any]], branch: str = "") -> None:
    """Changes as the REST interface writes them, in one version."""
    name = f"{table}$branch_{branch}" if branch else table
    catalog(warehouse).alter_table(name, [_CHANGES[one["action"]](one) for one in changes], False)


def altered_often(warehouse: str, table: str, prefix: str, count: int) -> list[str]:
    """Columns added one after the other; what went wrong on the way, in words."""
    wrong = []
    for number in range(count):
        try:
            altered(warehouse, table, [{"action": "addColumn", "fieldNames": [f"{prefix}{number}"], "dataType": "INT"}])
        except Exception as error:  # noqa: BLE001  # whatever it is, it is told
            wrong.append(f"{type(error).__name__}: {error}")
    return wrong


def written(warehouse: str, table: str, rows: Sequence[Mapping[str, Any]], branch: str = "", over: bool = False) -> None:
    """Rows in one snapshot."""
    one = found(warehouse, table, branch)
    builder = one.new_batch_write_builder()
    builder = builder.overwrite() if over else builder
    write, commit = builder.new_write(), builder.new_commit()
    write.write_arrow(pa.Table.from_pylist(list(rows), schema=PyarrowFieldParser.from_paimon_schema(one.fields)))
    commit.commit(write.prepare_commit())
    write.close()
    commit.close()


def deleted(warehouse: str, table: str, rows: Sequence[int]) -> None:
    """Rows by their ids, which deletion vectors then hide."""
    _updated(warehouse, table, lambda update: update.delete_by_row_id(list(rows)))


def updated(warehouse: str, table: str, column: str, values: Mapping[int, Any]) -> None:
    """The values of one column by the ids of their rows, in a file of that column alone."""
    one = found(warehouse, table)
    kind = next(field for field in PyarrowFieldParser.from_paimon_schema(one.fields) if field.name == column)
    schema = pa.schema([pa.field("_ROW_ID", pa.int64()), kind])
    new = pa.table({"_ROW_ID": list(values), column: list(values.values())}, schema=schema)
    _updated(warehouse, table, lambda update: update.with_update_type([column]).update_by_arrow_with_row_id(new))


def _updated(warehouse: str, table: str, change: Callable[[Any], Any]) -> None:
    builder = found(warehouse, table).new_batch_write_builder()
    commit = builder.new_commit()
    commit.commit(change(builder.new_update()))
    commit.close()


def read(warehouse: str, table: str, branch: str = "", options: Mapping[str, str] | None = None) -> list[dict[str, Any]]:
    """All rows."""
    one = found(warehouse, table, branch)
    builder = (one.copy(dict(options)) if options else one).new_read_builder()
    splits = builder.new_scan().plan().splits()
    rows: list[dict[str, Any]] = builder.new_read().to_arrow(splits).to_pylist() if splits else []
    return rows


def schema(warehouse: str, table: str, branch: str = "") -> dict[str, Any]:
    """The newest schema as pypaimon would write it."""
    answer: dict[str, Any] = json.loads(JSON.to_json(found(warehouse, table, branch).table_schema))
    return answer


def schemas(warehouse: str, table: str, branch: str = "") -> list[int]:
    """The ids of the schemas that pypaimon finds."""
    one = found(warehouse, table, branch)
    return [each.id for each in SchemaManager(one.file_io, one.table_path, branch or "main").list_all()]


def tagged(warehouse: str, table: str, tag: str, snapshot: int | None = None) -> None:
    found(warehouse, table).create_tag(tag, snapshot)


def untagged(warehouse: str, table: str, tag: str) -> None:
    found(warehouse, table).delete_tag(tag)


def branched(warehouse: str, table: str, branch: str, tag: str | None = None) -> None:
    found(warehouse, table).branch_manager().create_branch(branch, tag)


def branches(warehouse: str, table: str) -> list[str]:
    return sorted(found(warehouse, table).branch_manager().branches())


def forwarded(warehouse: str, table: str, branch: str) -> None:
    found(warehouse, table).branch_manager().fast_forward(branch)


def rolled_back(warehouse: str, table: str, target: int | str) -> None:
    found(warehouse, table).rollback_to(target)


def tables(warehouse: str, database: str) -> list[str]:
    names: list[str] = catalog(warehouse).list_tables(database)
    return names


def databases(warehouse: str) -> list[str]:
    names: list[str] = catalog(warehouse).list_databases()
    return names


def renamed(warehouse: str, table: str, new: str) -> None:
    catalog(warehouse).rename_table(table, new)


def dropped(warehouse: str, table: str) -> None:
    catalog(warehouse).drop_table(table)


if __name__ == "__main__":
    serve(
        {
            "create": created,
            "alter": altered,
            "alter often": altered_often,
            "write": written,
            "read": read,
            "delete rows": deleted,
            "update column": updated,
            "schema": schema,
            "schemas": schemas,
            "tag": tagged,
            "untag": untagged,
            "branch": branched,
            "branches": branches,
            "forward": forwarded,
            "roll back": rolled_back,
            "tables": tables,
            "databases": databases,
            "rename": renamed,
            "drop": dropped,
        }
    )
