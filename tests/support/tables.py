"""Strategies for whole tables and for batches of changes that a table accepts."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.core.casts.cast_rules import cast_support
from airflow_provider_schemas.core.changes import schema_change
from airflow_provider_schemas.core.changes.parse import settled
from airflow_provider_schemas.core.changes.schema_change import Move, MoveType, SchemaChange
from airflow_provider_schemas.core.evolution.evolve import attempt
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import children
from airflow_provider_schemas.core.types.parsing import parse_any
from airflow_provider_schemas.errors import InvalidSchemaError
from tests.support.strategies import types

NAMES = ["a", "b", "c", "d", "e", "x", "y", "z"]
COMMENTS = st.none() | st.sampled_from(["", "the first", "it's"])
# Texts that are values of some types: many will be refused, some not.
DEFAULTS = st.none() | st.sampled_from(["1", "'x'", "true", "2024-01-01", "[1, 2]", "{a -> 1}"])
# What most tables are made of, and what type changes lead between.
EVERYDAY = [
    parse_any(text)
    for text in (
        "INT",
        "BIGINT",
        "BIGINT NOT NULL",
        "STRING",
        "VARCHAR(9)",
        "DOUBLE",
        "DECIMAL(10, 2)",
        "DECIMAL(12, 2)",
        "DATE",
        "TIMESTAMP(3)",
        "TIMESTAMP(6)",
        "TIMESTAMP(3) WITH LOCAL TIME ZONE",
        "ROW<x INT, y STRING>",
        "ROW<x INT NOT NULL, y ROW<z BIGINT, a DATE>>",
        "ARRAY<INT>",
        "ARRAY<ROW<x INT, z DECIMAL(10, 2)>>",
        "MAP<STRING NOT NULL, ROW<y DATE>>",
        "MULTISET<ROW<x INT>>",
    )
]
KINDS = st.sampled_from(EVERYDAY) | types(max_leaves=4)
OPTIONS = st.sampled_from(
    [
        ("bucket", "4"),
        ("bucket", "-1"),
        ("bucket-key", "a"),
        ("sequence.field", "b"),
        ("sequence.field", "b,c"),
        ("fields.b.ignore-retract", "true"),
        ("merge-engine", "deduplicate"),
        ("file.format", "orc"),
        ("add-column-before-partition", "true"),
        ("disable-explicit-type-casting", "true"),
        ("alter-column-null-to-not-null.disabled", "false"),
        ("primary-key", "a"),
        ("partition", "b"),
        ("schemas.field.0", '{"unit": "EUR"}'),
        ("my.option", "1"),
        ("my.option", "2"),
    ]
)


@st.composite
def tables(draw: st.DrawFn) -> TableSchema:
    """A table that may be created: keys and options are left out where they do not fit."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=5, unique=True))
    columns = [{"name": name, "type": draw(KINDS), "comment": draw(COMMENTS)} for name in names]
    keys = draw(st.lists(st.sampled_from(names), max_size=2, unique=True))
    parts = draw(st.lists(st.sampled_from(names), max_size=1, unique=True))
    options = dict(draw(st.lists(OPTIONS, max_size=3)))
    for extra in ({"primary_keys": keys, "partition_keys": parts, "options": options}, {"options": options}, {"primary_keys": keys}, {}):
        table = _created(columns, extra)
        if table is not None:
            return table
    return TableSchema.create(columns=[{"name": name, "type": "INT"} for name in names])


def _created(columns: list[dict[str, Any]], extra: dict[str, Any]) -> TableSchema | None:
    try:
        return TableSchema.create(columns=columns, **extra)
    except InvalidSchemaError:
        return None


Changing = Callable[[TableSchema], st.SearchStrategy[SchemaChange]]


@st.composite
def batches(
    draw: st.DrawFn, schema: TableSchema, max_size: int = 6, *, min_size: int = 0, change: Changing | None = None
) -> list[SchemaChange]:
    """A batch that the table accepts as a whole; each change is drawn for what the ones before it have made, from all or from some."""
    batch: list[SchemaChange] = []
    current = schema
    for _ in range(draw(st.integers(min_size, max_size))):
        longer = [*batch, settled(draw((change or one_change)(current)))]
        after, refusals = attempt(schema, longer)
        if not refusals:
            batch, current = longer, after
    return batch


def paths_of(schema: TableSchema) -> list[tuple[str, ...]]:
    """Every path of the table."""
    found: list[tuple[str, ...]] = []
    for one in schema.fields:
        found += [(one.name,), *_inside((one.name,), one.type)]
    return found


def _inside(path: tuple[str, ...], kind: DataType) -> list[tuple[str, ...]]:
    found = []
    for word, part in children(kind):
        found += [(*path, word), *_inside((*path, word), part)]
    return found


def type_at(schema: TableSchema, path: tuple[str, ...]) -> DataType:
    """The type at the end of a path of the table."""
    kinds: dict[str, DataType] = {one.name: one.type for one in schema.fields}
    for word in path[:-1]:
        kinds = dict(children(kinds[word]))
    return kinds[path[-1]]


@st.composite
def one_change(draw: st.DrawFn, schema: TableSchema) -> SchemaChange:
    """A change that makes sense more often than not."""
    make = draw(st.sampled_from(FORMS))
    path = draw(st.sampled_from(paths_of(schema)) | st.sampled_from(NAMES).map(lambda name: (name,)))
    return make(draw, schema, path)


def _add(draw: st.DrawFn, schema: TableSchema, path: tuple[str, ...]) -> SchemaChange:
    name = draw(st.sampled_from(NAMES))
    beside = draw(st.sampled_from([(name,), (*path[:-1], name), (*path, name)]))
    kind = draw(KINDS).with_nullable(True)
    return schema_change.AddColumn(beside, kind, draw(COMMENTS), draw(st.none() | moves(name)))


@st.composite
def additions(draw: st.DrawFn, schema: TableSchema) -> SchemaChange:
    """A new column, or a new field inside one, that may or may not be there already."""
    return _add(draw, schema, draw(st.sampled_from(paths_of(schema))))


def _retype(draw: st.DrawFn, schema: TableSchema, path: tuple[str, ...]) -> SchemaChange:
    path = draw(st.sampled_from(paths_of(schema)))
    here = type_at(schema, path)
    targets = [kind for kind in EVERYDAY if cast_support(here, kind).alterable]
    return schema_change.UpdateColumnType(path, draw(st.sampled_from(targets or EVERYDAY)), draw(st.booleans()))


def _move(draw: st.DrawFn, schema: TableSchema, path: tuple[str, ...]) -> SchemaChange:
    return schema_change.UpdateColumnPosition(draw(moves(path[0])))


Make = Callable[[st.DrawFn, TableSchema, tuple[str, ...]], SchemaChange]
FORMS: list[Make] = [
    _add,
    _add,
    _retype,
    _retype,
    _move,
    lambda draw, schema, path: schema_change.RenameColumn(path, draw(st.sampled_from(NAMES))),
    lambda draw, schema, path: schema_change.RenameColumn(path[:1], draw(st.sampled_from(NAMES))),
    lambda draw, schema, path: schema_change.DropColumn(path),
    lambda draw, schema, path: schema_change.UpdateColumnType(path, draw(types(max_leaves=3)), draw(st.booleans())),
    lambda draw, schema, path: schema_change.UpdateColumnNullability(path, draw(st.booleans())),
    lambda draw, schema, path: schema_change.UpdateColumnComment(path, draw(COMMENTS)),
    lambda draw, schema, path: schema_change.UpdateColumnDefaultValue(path, draw(DEFAULTS)),
    lambda draw, schema, path: schema_change.SetOption(*draw(OPTIONS)),
    lambda draw, schema, path: schema_change.RemoveOption(draw(st.sampled_from(list(schema.options) or ["none"]))),
    lambda draw, schema, path: schema_change.UpdateComment(draw(COMMENTS)),
    lambda draw, schema, path: schema_change.DropPrimaryKey(),
]


def moves(name: str) -> st.SearchStrategy[Move]:
    """A place for the column of this name."""
    alone = st.builds(Move, st.just(name), st.sampled_from([MoveType.FIRST, MoveType.LAST]))
    beside = st.builds(Move, st.just(name), st.sampled_from([MoveType.AFTER, MoveType.BEFORE]), st.sampled_from(NAMES))
    return alone | beside
