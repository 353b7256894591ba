"""Strategies for whole tables and for batches of changes that a table accepts."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from tests.core.strategies import types

from airflow_provider_schemas.core import TableSchema, changes
from airflow_provider_schemas.core.change_reader import settled
from airflow_provider_schemas.core.changes import Move, MoveType, SchemaChange
from airflow_provider_schemas.core.evolve import attempt
from airflow_provider_schemas.core.types import DataType, children
from airflow_provider_schemas.errors import InvalidSchemaError

NAMES = ["a", "b", "c", "d", "e", "x", "y", "z"]
COMMENTS = st.none() | st.sampled_from(["", "the first", "it's"])
# Values that a text turns into, whatever the column is: many will be refused, some not.
DEFAULTS = st.none() | st.sampled_from(["1", "'x'", "true", "2024-01-01", "[1, 2]", "{a -> 1}"])
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
    columns = [{"name": name, "type": draw(types(max_leaves=4)), "comment": draw(COMMENTS)} for name in names]
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


@st.composite
def batches(draw: st.DrawFn, schema: TableSchema, max_size: int = 8) -> list[SchemaChange]:
    """A batch that the table accepts as a whole: what it refuses of a drawn batch is left out."""
    batch = [settled(draw(one_change(schema))) for _ in range(draw(st.integers(0, max_size)))]
    while batch:
        _, refusals = attempt(schema, batch)
        if not refusals:
            return batch
        refused = {one.number for one in refusals}
        batch = batch[:-1] if -1 in refused else [one for number, one in enumerate(batch) if number not in refused]
    return batch


def paths_of(schema: TableSchema) -> list[tuple[str, ...]]:
    """Every path of the table, and a few that lead nowhere."""
    found: list[tuple[str, ...]] = [(name,) for name in NAMES]
    for one in schema.fields:
        found += _inside((one.name,), one.type)
    return found


def _inside(path: tuple[str, ...], kind: DataType) -> list[tuple[str, ...]]:
    found = []
    for word, part in children(kind):
        found += [(*path, word), *_inside((*path, word), part)]
    return found


@st.composite
def one_change(draw: st.DrawFn, schema: TableSchema) -> SchemaChange:
    path = draw(st.sampled_from(paths_of(schema)))
    name = draw(st.sampled_from(NAMES))
    kind = draw(types(max_leaves=3))
    move = draw(st.none() | moves(name))
    key, value = draw(OPTIONS)
    nullable = draw(st.booleans())
    forms: Sequence[SchemaChange] = [
        changes.AddColumn((name,), kind.with_nullable(True), draw(COMMENTS), move),
        changes.AddColumn((*path[:-1], name), kind.with_nullable(True), draw(COMMENTS), move),
        changes.AddColumn((*path, name), kind.with_nullable(True), None, None),
        changes.RenameColumn(path, name),
        changes.RenameColumn((draw(st.sampled_from(schema.names)),), name),
        changes.DropColumn(path),
        changes.UpdateColumnType(path, kind, draw(st.booleans())),
        changes.UpdateColumnNullability(path, nullable),
        changes.UpdateColumnComment(path, draw(COMMENTS)),
        changes.UpdateColumnDefaultValue(path, draw(DEFAULTS)),
        changes.UpdateColumnPosition(draw(moves(draw(st.sampled_from(schema.names))))),
        changes.SetOption(key, value),
        changes.RemoveOption(key),
        changes.UpdateComment(draw(COMMENTS)),
        changes.DropPrimaryKey(),
    ]
    return draw(st.sampled_from(forms))


def moves(name: str) -> st.SearchStrategy[Move]:
    """A place for the column of this name."""
    alone = st.builds(Move, st.just(name), st.sampled_from([MoveType.FIRST, MoveType.LAST]))
    beside = st.builds(Move, st.just(name), st.sampled_from([MoveType.AFTER, MoveType.BEFORE]), st.sampled_from(NAMES))
    return alone | beside
