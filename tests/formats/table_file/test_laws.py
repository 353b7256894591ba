"""Laws of the table file: what is written is read again, what is not mentioned stays, and planning twice is planning once."""

from typing import Any

import msgspec
from hypothesis import assume, given
from hypothesis import strategies as st

from airflow_provider_schemas.core import TableSchema, diff, evolve, validity
from airflow_provider_schemas.core.changes.schema_change import AddColumn, DropColumn, UpdateColumnPosition
from airflow_provider_schemas.errors import Fault, TableFileError
from airflow_provider_schemas.formats.table_file import Column, TableFile, changes_of, read, write
from airflow_provider_schemas.formats.table_file.planning.target_schema import make_target
from airflow_provider_schemas.formats.table_file.writer import write_with_losses
from tests.support.tables import batches, tables


@st.composite
def evolved(draw: st.DrawFn) -> TableSchema:
    """A table with a past: its ids have gaps and stand in any order."""
    table = draw(tables())
    return evolve(table, draw(batches(table)))


def file_of(schema: TableSchema) -> TableFile:
    return read(write(schema, table="a.b"))


@given(tables())
def test_a_new_table_is_written_and_created_again(table: TableSchema) -> None:
    text, losses = msgspec.structs.astuple(write_with_losses(table, "a.b"))
    again = read(text).create()
    assert losses != () or again.content == table.content


@given(evolved())
def test_the_file_of_a_table_asks_for_nothing_of_it(table: TableSchema) -> None:
    planned = changes_of(file_of(table), table)
    assert planned.target is table
    assert (planned.changes, planned.left_alone, planned.notes) == ((), (), ())


@given(evolved())
def test_written_twice_is_written_once(table: TableSchema) -> None:
    text = write(table, table="a.b")
    assert write(changes_of(read(text), table).target, table="a.b") == text


@given(evolved(), tables())
def test_planning_again_asks_for_nothing(table: TableSchema, wanted: TableSchema) -> None:
    file = file_of(wanted)
    first = make_target(file, table)
    assume(not first.faults)
    again = make_target(file, first.schema)
    assert again.schema is first.schema
    assert again.faults == ()
    assert set(again.left_alone) == set(first.left_alone)


@given(evolved(), tables())
def test_nothing_goes_that_nobody_dropped(table: TableSchema, wanted: TableSchema) -> None:
    target = make_target(file_of(wanted), table)
    ids = {one.id for one in target.schema.fields}
    assert {one.id for one in table.fields} <= ids
    assert {*table.names, *wanted.names} == set(target.schema.names)
    assert len(ids) == len(target.schema.fields)


@given(evolved(), tables())
def test_the_columns_of_the_file_stand_in_its_order(table: TableSchema, wanted: TableSchema) -> None:
    names = make_target(file_of(wanted), table).schema.names
    assert [name for name in names if name in wanted.names] == list(wanted.names)


@given(evolved(), st.data())
def test_a_file_may_mention_any_part_of_a_table(table: TableSchema, data: st.DataObject) -> None:
    file = file_of(table)
    kept = data.draw(st.lists(st.sampled_from(range(len(file.columns))), unique=True).map(sorted))
    part = TableFile(table="a.b", columns=tuple(file.columns[number] for number in kept))
    planned = changes_of(part, table)
    assert planned.target is table
    assert len(planned.left_alone) == len(table.fields) - len(kept)


@given(evolved(), st.data())
def test_the_changes_lead_to_the_target_wherever_changes_can(table: TableSchema, data: st.DataObject) -> None:
    wanted = data.draw(batches(table, min_size=1).map(lambda batch: evolve(table, batch)) | tables())
    try:
        planned = changes_of(file_of(wanted), table)
    except TableFileError:
        assume(False)
    found = diff(table, planned.target)
    if not found.remainder:
        assert evolve(table, found.changes).content == planned.target.content


@given(tables(), st.data())
def test_what_a_file_adds_moves_and_drops_is_said_by_changes_alone(table: TableSchema, data: st.DataObject) -> None:
    free = [one for one in table.names if one not in (*table.primary_keys, *table.partition_keys)]
    gone = data.draw(st.lists(st.sampled_from(free), unique=True, max_size=len(table.fields) - 1)) if free else []
    new = [{"name": f"new_{number}", "type": "BOOLEAN"} for number in range(data.draw(st.integers(0, 2)))]
    columns = [{"name": one.name, "type": one.type} for one in file_of(table).columns if one.name not in gone]
    columns = data.draw(st.permutations([*columns, *new]))
    target = make_target(TableFile(table="a.b", columns=columns, dropped=gone), table)
    assert target.faults == ()
    assert target.schema.names == tuple(one["name"] for one in columns)
    assume(not validity(target.schema).faults())  # an option may name a column that is gone
    found = diff(table, target.schema)
    assert found.remainder == ()
    assert {type(one) for one in found.changes} <= {AddColumn, DropColumn, UpdateColumnPosition}


WORDS = [*TableFile.KEYS, *Column.KEYS, "until", "by", "FIELD_RENAMED", "protect", "a", "a.b", "x"]
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from([*WORDS, "INT", "ROW<a INT, b ARRAY<INT>>", "2026-12-31", ""])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=4),
    max_leaves=12,
)
COLUMNS = st.fixed_dictionaries(
    {"name": st.sampled_from("abc"), "type": st.sampled_from(["INT", "STRING", "ROW<a INT, b ARRAY<INT>>"])},
    optional={key: VALUES for key in Column.KEYS if key not in ("name", "type")},
)
FILES = st.fixed_dictionaries(
    {"table": st.just("a.b"), "columns": st.lists(COLUMNS, max_size=3) | VALUES},
    optional={key: VALUES for key in TableFile.KEYS if key not in ("table", "columns")},
)


def faults_of(value: dict[str, Any]) -> tuple[Fault, ...]:
    """What is wrong with a table file, at any step."""
    try:
        file = TableFile.read(value)
        changes_of(file, TableSchema.create("a INT, x STRING, r ROW<a INT>"))
        file.create()
    except TableFileError as error:
        return error.faults
    return ()


@given(FILES)
def test_a_value_of_any_shape_is_a_table_file_or_raises_its_error(value: dict[str, Any]) -> None:
    assert all(one.message and one.fix for one in faults_of(value))
