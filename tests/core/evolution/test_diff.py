"""The difference of two schemas: changes that lead from one to the other, and a remainder where no change does."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from airflow_provider_schemas.core import Diff, TableSchema, diff, evolve
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.types.field_ids import all_ids
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.errors import SchemaError
from tests.support.growth import calls
from tests.support.tables import batches, paths_of, tables, type_at

TABLE = TableSchema.create("a INT, b STRING, r ROW<x INT, y INT>, l ARRAY<ROW<z INT>>", options={"my.option": "1"}, comment="c")


def texts(found: Diff) -> list[str]:
    return [short_text(one) for one in found.changes]


def test_equal_schemas_differ_in_nothing() -> None:
    assert diff(TABLE, TABLE) == Diff()
    assert diff(TABLE, evolve(TABLE, [])).empty


@pytest.mark.parametrize(
    "batch",
    [
        ["ADD COLUMN d ROW<`p` INT, `q` ROW<`z` INT>> COMMENT 'new' AFTER a"],
        ["ADD COLUMN r.w INT AFTER x"],
        ["DROP COLUMN b", "RENAME COLUMN a TO b"],
        ["ALTER COLUMN a TYPE BIGINT", "ALTER COLUMN a COMMENT 'n'", "ALTER COLUMN a SET DEFAULT 5"],
        ["ALTER COLUMN l.element.z TYPE BIGINT"],
        ["RENAME COLUMN r.x TO w"],
        ["SET OPTION my.option = 2"],
        ["UNSET OPTION my.option"],
        ["DROP COMMENT"],
        ["ALTER COLUMN l FIRST"],
    ],
    ids="; ".join,
)
def test_a_batch_is_found_again(batch: list[str]) -> None:
    after = evolve(TABLE, batch)
    found = diff(TABLE, after)
    assert not found.remainder
    assert texts(found) == batch
    assert evolve(TABLE, found.changes).digest == after.digest


def test_names_in_a_ring_are_swapped_over_a_spare_one() -> None:
    after = evolve(TABLE, ["RENAME COLUMN a TO t", "RENAME COLUMN b TO a", "RENAME COLUMN t TO b"])
    found = diff(TABLE, after)
    assert not found.remainder
    assert texts(found) == ["RENAME COLUMN a TO _renamed_1", "RENAME COLUMN b TO a", "RENAME COLUMN _renamed_1 TO b"]


def test_an_option_that_names_a_swapped_column_is_set_so_that_the_renames_bring_it_there() -> None:
    table = TableSchema.create("k INT, a INT, b INT", primary_keys=["k"])
    swap = ["RENAME COLUMN a TO t", "RENAME COLUMN b TO a", "RENAME COLUMN t TO b"]
    after = evolve(table, [*swap, "SET OPTION sequence.field = b"])
    assert dict(after.options) == {"sequence.field": "a"}
    found = diff(table, after)
    assert texts(found)[3:] == ["SET OPTION sequence.field = b"]
    assert not found.remainder


def test_a_new_key_makes_its_columns_not_null_without_a_change_of_their_own() -> None:
    table = TableSchema.create("k INT, v INT", options={"alter-column-null-to-not-null.disabled": "false"})
    found = diff(table, evolve(table, ["SET OPTION primary-key = k"]))
    assert texts(found) == ["SET OPTION primary-key = k"]
    assert not found.remainder


def test_a_table_whose_columns_were_all_replaced_is_no_problem() -> None:
    old = TableSchema.create("a INT")
    after = evolve(old, ["ADD COLUMN b INT", "DROP COLUMN a", "RENAME COLUMN b TO a"])
    found = diff(old, after)
    assert not found.remainder
    assert evolve(old, found.changes).digest == after.digest


def test_a_field_that_came_into_a_new_row_later_is_added_later() -> None:
    after = evolve(TABLE, ["ADD COLUMN n ROW<p INT>", "ADD COLUMN d INT", "ADD COLUMN n.q INT FIRST"])
    found = diff(TABLE, after)
    assert texts(found) == ["ADD COLUMN n ROW<`p` INT>", "ADD COLUMN d INT", "ADD COLUMN n.q INT FIRST"]
    assert not found.remainder


# Fields take their ids in this order: the column, then those inside it, the deepest first.
NESTED = ["INT", "ROW<>", "ROW<z INT>", "ROW<p INT, q INT>", "ROW<r ROW<z INT>>", "ARRAY<ROW<r ROW<z INT>, p INT>>"]


def rows_of(schema: TableSchema) -> list[tuple[str, ...]]:
    """The paths that new fields can be added under; the empty one for columns."""
    return [(), *(path for path in paths_of(schema) if type_at(schema, path).root is Root.ROW)]


@st.composite
def additions(draw: st.DrawFn, schema: TableSchema) -> list[str]:
    """Fields that are added one by one, also inside of those that were added before."""
    batch: list[str] = []
    for number in range(draw(st.integers(1, 4))):
        path = (*draw(st.sampled_from(rows_of(evolve(schema, batch)))), f"n{number}")
        batch.append(f"ADD COLUMN {'.'.join(path)} {draw(st.sampled_from(NESTED))} {draw(st.sampled_from(['FIRST', 'LAST']))}")
    return batch


@given(additions(TABLE))
@example(["ADD COLUMN n ROW<p INT>", "ADD COLUMN n.m ROW<r ROW<z INT>>"])
def test_fields_that_came_into_new_rows_one_after_another_get_their_ids_again(batch: list[str]) -> None:
    after = evolve(TABLE, batch)
    found = diff(TABLE, after)
    assert not found.remainder
    assert evolve(TABLE, found.changes).digest == after.digest


def test_the_fewest_columns_move() -> None:
    names = [f"c{number}" for number in range(20)]
    old = TableSchema.create([{"name": name, "type": "INT"} for name in names])
    after = evolve(old, ["ALTER COLUMN c0 LAST", "ALTER COLUMN c15 FIRST"])
    assert len(diff(old, after).changes) == 2


@pytest.mark.parametrize(
    ("new", "path"),
    [
        ({"partition_keys": ["b"]}, "partitionKeys"),
        ({"columns": [{"name": "a", "type": "INT", "id": 0}, {"name": "b", "type": "BOOLEAN", "id": 1}]}, "b"),
        ({"columns": [{"name": "a", "type": "INT", "id": 0}, {"name": "b", "type": "DATE", "id": 9}]}, "b"),
    ],
)
def test_what_no_change_can_say_is_the_remainder(new: dict[str, Any], path: str) -> None:
    columns = [{"name": "a", "type": "INT", "id": 0}, {"name": "b", "type": "DATE", "id": 1}]
    old = TableSchema.create(columns, partition_keys=["a"])
    found = diff(old, TableSchema.create(**{"columns": columns, "partition_keys": ["a"], **new}))
    assert path in [one.path for one in found.remainder]


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ({"name": "b", "type": "DATE", "id": 9}, "no change brings the column with id 9."),
        ({"name": "b", "type": "BOOLEAN", "id": 1}, "the changes leave `b` DATE, not `b` BOOLEAN."),
    ],
)
def test_the_remainder_says_what_is_missing(second: dict[str, Any], message: str) -> None:
    first = {"name": "a", "type": "INT", "id": 0}
    old = TableSchema.create([first, {"name": "b", "type": "DATE", "id": 1}])
    found = diff(old, TableSchema.create([first, second]))
    assert message in [one.message for one in found.remainder if one.path == "b"]


@pytest.mark.parametrize("count", [1, 2, 12, 150])
def test_fields_of_one_row_that_cannot_change_leave_the_other_changes_alone(count: int) -> None:
    old = TableSchema.create(f"a INT, r ROW<{', '.join(f'f{number} BOOLEAN' for number in range(count))}, x INT>")
    wanted = evolve(old, ["RENAME COLUMN a TO b", "RENAME COLUMN r.x TO y"])
    found = diff(old, TableSchema.from_json(wanted.to_json().replace("BOOLEAN", "DATE")))
    assert texts(found) == ["RENAME COLUMN a TO b", "RENAME COLUMN r.x TO y"]
    assert [one.path for one in found.remainder] == ["r"]


def test_a_higher_count_of_ids_is_part_of_the_remainder() -> None:
    after = evolve(TABLE, ["ADD COLUMN d INT", "DROP COLUMN d"])
    assert [one.path for one in diff(TABLE, after).remainder] == ["highestFieldId"]


# ---------------------------------------------------------------- by name


def test_schemas_without_ids_of_their_own_are_compared_by_name() -> None:
    new = TableSchema.create("l ARRAY<ROW<z BIGINT>>, b STRING, r ROW<x INT, w INT>, e DATE")
    found = diff(TABLE, new, by_name=True)
    assert texts(found) == [
        "DROP COLUMN a",
        "ALTER COLUMN l.element.z TYPE BIGINT",
        "DROP COLUMN r.y",
        "ADD COLUMN r.w INT",
        "ADD COLUMN e DATE",
        "ALTER COLUMN l FIRST",
        "UNSET OPTION my.option",
        "DROP COMMENT",
    ]
    assert not found.remainder


def test_a_possible_rename_is_a_candidate_with_reasons_and_never_assumed() -> None:
    old = TableSchema.create("cust_id BIGINT COMMENT 'who', amount INT")
    found = diff(old, TableSchema.create("customer_id BIGINT COMMENT 'who', amount INT"), by_name=True)
    assert texts(found) == ["DROP COLUMN cust_id", "ADD COLUMN customer_id BIGINT COMMENT 'who' FIRST"]
    (candidate,) = found.candidates
    assert (candidate.old, candidate.new) == ("cust_id", "customer_id")
    assert candidate.reasons == ("same type", "same place", "similar name", "same comment")


def test_unlike_columns_are_no_candidates() -> None:
    old = TableSchema.create("cust_id BIGINT, amount INT")
    assert diff(old, TableSchema.create("amount INT, happened DATE"), by_name=True).candidates == ()


def test_lists_that_are_too_different_have_no_candidates_and_are_compared_soon() -> None:
    old, new = (TableSchema.create([{"name": f"{word}_{number}", "type": "INT"} for number in range(1_000)]) for word in ("mine", "mint"))
    found = diff(old, new, by_name=True)
    assert found.candidates == ()
    assert len(found.changes) == 2_000


def test_a_type_is_reached_over_another_where_only_that_way_is_implicit() -> None:
    old = TableSchema.create("t TIMESTAMP_LTZ(3), d INT", options={"disable-explicit-type-casting": "true"})
    after = evolve(old, ["ALTER COLUMN t TYPE TIMESTAMP(3)", "ALTER COLUMN t TYPE DATE"])
    found = diff(old, after)
    assert texts(found) == ["ALTER COLUMN t TYPE TIMESTAMP(3)", "ALTER COLUMN t TYPE DATE"]
    assert not found.remainder


def test_a_column_at_the_end_stays_there_where_new_ones_go_before_the_partition() -> None:
    old = TableSchema.create("a INT, p INT", partition_keys=["p"], options={"add-column-before-partition": "true"})
    found = diff(old, evolve(old, ["ADD COLUMN n INT LAST"]))
    assert texts(found) == ["ADD COLUMN n INT LAST"]


def test_all_columns_are_replaced_though_one_name_stays() -> None:
    old = TableSchema.create("a INT, b INT")
    after = evolve(old, ["ADD COLUMN n INT", "DROP COLUMN a", "DROP COLUMN b", "RENAME COLUMN n TO a"])
    found = diff(old, after)
    assert texts(found) == ["DROP COLUMN a", "ADD COLUMN a INT", "DROP COLUMN b"]
    assert evolve(old, found.changes).digest == after.digest


def test_changes_whose_result_would_be_invalid_are_found_with_the_reason() -> None:
    fields = [{"id": 0, "name": "a", "type": "INT"}]
    file = {"version": 1, "id": 0, "fields": fields, "highestFieldId": 0, "partitionKeys": [], "primaryKeys": [], "options": {}}
    old = TableSchema.from_json(json.dumps(file))
    more = [*fields, {"id": 1, "name": "b", "type": "INT"}]
    found = diff(old, TableSchema.from_json(json.dumps(file | {"id": 1, "fields": more, "highestFieldId": 1})))
    assert texts(found) == ["ADD COLUMN b INT"]
    assert [one.path for one in found.remainder] == ["bucket-key"]


# ---------------------------------------------------------------- laws


def leads(old: TableSchema, found: Diff, new: TableSchema) -> bool:
    try:
        return evolve(old, found.changes).digest == new.digest
    except SchemaError:
        return False


@given(st.data())
def test_the_changes_lead_to_the_new_schema_exactly_when_nothing_remains(data: st.DataObject) -> None:
    old = data.draw(tables())
    new = evolve(old, data.draw(batches(old)))
    found = diff(old, new)
    assert (evolve(old, found.changes).digest == new.digest) is (not found.remainder)


@given(st.data())
def test_nothing_remains_where_every_id_that_was_handed_out_is_still_there(data: st.DataObject) -> None:
    old = data.draw(tables())
    new = evolve(old, data.draw(batches(old)))
    handed_out = set(range(old.highest_field_id + 1, new.highest_field_id + 1))
    if handed_out <= set(all_ids(new.fields)):
        assert diff(old, new).remainder == ()


@given(st.data())
def test_any_two_tables_can_be_compared(data: st.DataObject) -> None:
    old, new = data.draw(tables()), data.draw(tables())
    for by_name in (False, True):
        found = diff(old, new, by_name=by_name)
        if not by_name:
            assert leads(old, found, new) is (not found.remainder)


@given(st.data())
def test_a_schema_read_by_name_from_itself_is_unchanged(data: st.DataObject) -> None:
    table = data.draw(tables())
    assert diff(table, table, by_name=True).empty


def test_ten_thousand_columns_are_compared() -> None:
    old = TableSchema.create([{"name": f"c{number}", "type": "INT"} for number in range(10_000)])
    new = evolve(old, [f"ALTER COLUMN c{number} TYPE BIGINT" for number in range(0, 10_000, 100)] + ["ADD COLUMN n INT AFTER c5000"])
    found = diff(old, new)
    assert len(found.changes) == 101
    assert not found.remainder


def test_ten_times_the_columns_take_about_ten_times_the_time() -> None:
    assert cost(20_000) < 11 * cost(2_000)


def cost(count: int) -> int:
    """Count the calls of a comparison, with a change in every column and some in their order."""
    old = TableSchema.create([{"name": f"c{number}", "type": "INT"} for number in range(count)])
    retyped = TableSchema.from_json(old.to_json().replace("INT", "BIGINT"))
    new = evolve(retyped, ["ADD COLUMN n INT AFTER c1000", "ALTER COLUMN c5 LAST", "RENAME COLUMN c7 TO m"])
    assert len(diff(old, new).changes) == count + 3
    return calls(lambda: diff(old, new))
