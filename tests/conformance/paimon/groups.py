"""How each group of paimon.jsonl is answered: the call that a user would make, and its result in the vectors' own form."""

import json
from collections.abc import Iterable
from typing import Any

from airflow_provider_schemas.core import (
    Field,
    TableSchema,
    cast_support,
    cast_value,
    evolve,
    merge_type,
    parse_changes,
    parse_ddl,
    parse_type,
    project,
)
from tests.conformance.harness import Group
from tests.conformance.paimon.java_text import carrier, cell, leaf, printed
from tests.conformance.rows import Content

# What a column of a vector says about itself, by the name that `create` has for it.
_COLUMN = {
    "name": "name",
    "type": "type",
    "comment": "comment",
    "description": "description",
    "default": "default",
    "defaultValue": "default",
}

# ---------------------------------------------------------------- types


def _type_parse(row: Content) -> Any:
    kind = parse_type(row["input"])
    return {"json": kind.to_json(), "root": kind.root.value, "nullable": kind.nullable, "sql": str(kind)}


def _cast_support(row: Content) -> Any:
    found = cast_support(parse_type(row["from"]), parse_type(row["to"]))
    names = {
        "implicit": "implicit",
        "explicit": "explicit",
        "compatible": "compatible",
        "executor": "convertible",
        "alterAllowed": "alterable",
    }
    return {theirs: getattr(found, here) for theirs, here in names.items()}


def _merge(row: Content) -> Any:
    kind, highest = merge_type(
        parse_type(row["base"]),
        parse_type(row["update"]),
        highest_field_id=row["highestFieldId"],
        type_widening=row["typeWidening"],
        allow_explicit_cast=row["allowExplicitCast"],
        case_sensitive=row["caseSensitive"],
    )
    return {"type": kind.to_json(), "highestFieldId": highest}


# ---------------------------------------------------------------- schemas


def as_held(schema: TableSchema) -> dict[str, Any]:
    """A schema as Java holds it."""
    return {
        "version": schema.version,
        "id": schema.id,
        "fields": [_field(one) for one in schema.fields],
        "highestFieldId": schema.highest_field_id,
        "partitionKeys": list(schema.partition_keys),
        "primaryKeys": list(schema.primary_keys),
        "options": dict(schema.options),
        **({} if schema.comment is None else {"comment": schema.comment}),
        "timeMillis": schema.time_millis,
    }


def _field(one: Field) -> dict[str, Any]:
    texts = {"description": one.description, "defaultValue": one.default}
    return {"id": one.id, "name": one.name, "type": one.type.to_json(), **{key: text for key, text in texts.items() if text is not None}}


def _timeless(schema: TableSchema) -> dict[str, Any]:
    return {key: value for key, value in as_held(schema).items() if key != "timeMillis"}


def _schema_read(row: Content) -> Any:
    given = row["input"]
    return as_held(TableSchema.from_json(given if isinstance(given, str) else json.dumps(given)))


def created(table: Content) -> TableSchema:
    """The first schema of the table."""
    return TableSchema.create(
        columns=[{_COLUMN[key]: value for key, value in column.items() if key in _COLUMN} for column in table["columns"]],
        partition_keys=table.get("partitionKeys", ()),
        primary_keys=table.get("primaryKeys", ()),
        options=table.get("options", {}),
        comment=table.get("comment"),
    )


def evolved(schema: TableSchema, batches: Iterable[list[Any]], *, has_snapshots: bool) -> TableSchema:
    """The schema after the batches, each in Paimon's REST form."""
    for batch in batches:
        schema = evolve(schema, parse_changes(batch), has_snapshots=has_snapshots, branches=())
    return schema


def _create(row: Content) -> Any:
    return _timeless(created(row["columns"]))


def _alter(row: Content) -> Any:
    return _timeless(evolved(created(row["create"]), row["batches"], has_snapshots=row.get("hasSnapshots", False)))


# ---------------------------------------------------------------- values


def _cast_value(row: Content) -> Any:
    source, target = parse_type(row["from"]), parse_type(row["to"])
    value = cast_value(carrier(row["value"], source), source, target, timezone=row.get("timezone", "UTC"))
    return _settled_map(row, printed(value, target))


def _settled_map(row: Content, text: Any) -> Any:
    """The text of a MAP with its entries in the order of the alphabet: Java shows them in that of their hashes."""
    is_map = isinstance(row["to"], dict) and str(row["to"].get("type")).startswith("MAP") and text != "null"
    return f"{{{', '.join(sorted(text[1:-1].split(', ')))}}}" if is_map else text


def _read_evolution(row: Content) -> Any:
    columns = [(name, parse_ddl(kind)) for name, kind in row["file"]["columns"]]
    written = TableSchema.create(columns=[{"name": name, "type": kind} for name, kind in columns])
    wanted = evolved(written, row["batches"], has_snapshots=False)
    projection = project(written, wanted, casts="paimon", timezone=row.get("timezone", "UTC"))
    rows = [{name: carrier(one[name], kind, _hex) for name, kind in columns} for one in row["file"]["rows"]]
    return [{one.name: cell(found[one.name], one.type) for one in wanted.fields} for found in map(projection.row, rows)]


def _hex(text: str) -> bytes:
    return bytes.fromhex(text.removeprefix("0x"))


def _settled_cells(row: Content, value: Any) -> Any:
    """Every leaf as text. The vectors write converted cells so, and the others as JSON; `cell` has checked the carriers."""
    if isinstance(value, list):
        return [_settled_cells(row, one) for one in value]
    if isinstance(value, dict):
        return {key: _settled_cells(row, one) for key, one in value.items()}
    if value is None or isinstance(value, str):
        return value
    return leaf(value, parse_type("DOUBLE")) if isinstance(value, float) else json.dumps(value)


GROUPS = {
    "type-parse": Group(_type_parse),
    "schema-read": Group(_schema_read),
    "create": Group(_create),
    "alter": Group(_alter),
    "cast-support": Group(_cast_support),
    "cast-value": Group(_cast_value, _settled_map),
    "read-evolution": Group(_read_evolution, _settled_cells),
    "merge": Group(_merge),
}
