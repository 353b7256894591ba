"""The working copy of a batch: as much work for each change however wide the table, and the result of one change after the other."""

import sys
from collections.abc import Callable
from typing import Any

import pytest

from airflow_provider_schemas.core import TableSchema, evolve, parse_changes
from airflow_provider_schemas.core.evolution.evolve import attempt

OPTIONS = {"alter-column-null-to-not-null.disabled": "false"}
BLOBS = {"row-tracking.enabled": "true", "data-evolution.enabled": "true"}


def in_a_row(fields: str, around: str = "{}") -> Callable[[int], TableSchema]:
    def made(count: int) -> TableSchema:
        row = f"ROW<{', '.join(fields.format(number) for number in range(count))}, last INT>"
        return TableSchema.create(f"r {around.format(row)}", options=OPTIONS)

    return made


def at_the_top(column: str, options: dict[str, str]) -> Callable[[int], TableSchema]:
    return lambda count: TableSchema.create(", ".join(["last INT", *(column.format(one) for one in range(count))]), options=options)


# What a batch does to each of many fields: the table, and the changes of one of them.
BATCHES: dict[str, tuple[Callable[[int], TableSchema], list[str]]] = {
    "types": (in_a_row("f{} INT"), ["ALTER COLUMN r.f{} TYPE BIGINT"]),
    "types inside an array": (in_a_row("f{} INT", "ARRAY<{}>"), ["ALTER COLUMN r.element.f{} TYPE BIGINT"]),
    "types of elements": (in_a_row("f{} ARRAY<INT>"), ["ALTER COLUMN r.f{}.element TYPE BIGINT"]),
    "types in rows of their own": (in_a_row("f{} ROW<x INT>"), ["ALTER COLUMN r.f{}.x TYPE BIGINT"]),
    "types of new fields": (in_a_row("f{} INT"), ["ADD COLUMN r.g{} INT", "ALTER COLUMN r.g{} TYPE BIGINT"]),
    "not null": (in_a_row("f{} INT"), ["ALTER COLUMN r.f{} SET NOT NULL"]),
    "null": (in_a_row("f{} INT NOT NULL"), ["ALTER COLUMN r.f{} DROP NOT NULL"]),
    "comments": (in_a_row("f{} INT"), ["ALTER COLUMN r.f{} COMMENT 'x'"]),
    "defaults": (in_a_row("f{} INT"), ["ALTER COLUMN r.f{} SET DEFAULT '1'"]),
    "names": (in_a_row("f{} INT"), ["RENAME COLUMN r.f{} TO g{}"]),
    "drops": (in_a_row("f{} INT"), ["DROP COLUMN r.f{}"]),
    "everything in turn": (
        in_a_row("f{} INT"),
        ["ALTER COLUMN r.f{} TYPE BIGINT", "ALTER COLUMN r COMMENT '{}'", "ADD COLUMN r.g{} INT", "DROP COLUMN r.f{}"],
    ),
    "two rows in turn": (in_a_row("f{} INT", "ROW<a {0}, b {0}>"), ["ALTER COLUMN r.a.f{} TYPE BIGINT", "DROP COLUMN r.b.f{}"]),
    "columns": (at_the_top("b{} INT", {}), ["DROP COLUMN b{}"]),
    "BLOB columns": (at_the_top("b{} BYTES COMMENT '__BLOB_FIELD'", BLOBS), ["DROP COLUMN b{}"]),
    "BLOB columns replaced": (
        at_the_top("b{} BYTES COMMENT '__BLOB_FIELD'", BLOBS),
        ["DROP COLUMN b{}", "ADD COLUMN c{} BYTES COMMENT '__BLOB_FIELD'"],
    ),
}


def steps(call: Callable[[], object]) -> int:
    """How many lines of Python the call runs, each round of a loop counted."""
    count, before = 0, sys.gettrace()

    def line(*event: Any) -> Any:
        nonlocal count
        count += 1
        return line

    sys.settrace(line)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("what", BATCHES)
def test_a_change_costs_as_much_in_a_wide_table_as_in_a_narrow_one(what: str) -> None:
    made, changes = BATCHES[what]

    def cost(count: int) -> int:
        table, batch = made(count), parse_changes([one.format(number, number) for number in range(count) for one in changes])
        assert attempt(table, batch)[1] == []
        return steps(lambda: attempt(table, batch))

    assert cost(400) < 6 * cost(100)  # four times the changes


def test_a_batch_does_what_its_changes_do_one_by_one() -> None:
    table = TableSchema.create("a INT, r ROW<x INT, y ROW<z INT>, l ARRAY<ROW<p INT>>>, m MAP<INT, ARRAY<ROW<q INT>>>", options=OPTIONS)
    batch = [
        "ALTER COLUMN r.y.z TYPE BIGINT",
        "ALTER COLUMN r.x SET NOT NULL",
        "ALTER COLUMN r SET NOT NULL",
        "ALTER COLUMN r.l.element.p TYPE BIGINT",
        "ALTER COLUMN r.l.element SET NOT NULL",
        "RENAME COLUMN r.y TO w",
        "ALTER COLUMN r.w.z COMMENT 'z'",
        "ALTER COLUMN r.w COMMENT 'w'",
        "ADD COLUMN r.w.v INT FIRST",
        "ALTER COLUMN m.value.element.q TYPE STRING",
        "ALTER COLUMN m.value.element SET NOT NULL",
        "ADD COLUMN m.value.element.o INT",
        "RENAME COLUMN r TO s",
        "ALTER COLUMN s.w.z SET DEFAULT '1'",
        "DROP COLUMN s.x",
    ]
    after = table
    for change in batch:
        after = evolve(after, [change])
    assert evolve(table, batch).fields == after.fields
    assert [str(one) for one in after.fields] == [
        "`a` INT",
        "`s` ROW<`w` ROW<`v` INT, `z` BIGINT COMMENT 'z' DEFAULT '1'> COMMENT 'w', `l` ARRAY<ROW<`p` BIGINT> NOT NULL>> NOT NULL",
        "`m` MAP<INT, ARRAY<ROW<`q` STRING, `o` INT> NOT NULL>>",
    ]


def test_columns_keep_their_order_however_many_of_them_are_dropped() -> None:
    table = TableSchema.create(", ".join(f"c{number} INT" for number in range(40)))
    drops = [f"DROP COLUMN c{number}" for number in range(2, 38)]
    after = evolve(table, [*drops[:4], "ALTER COLUMN c39 FIRST", *drops[4:], "ADD COLUMN d INT AFTER c1", "ALTER COLUMN c38 BEFORE c1"])
    assert after.names == ("c39", "c0", "c38", "c1", "d")
    assert after.highest_field_id == 40


def test_a_type_that_does_not_go_with_the_default_around_it_is_put_back() -> None:
    table = TableSchema.create("r ROW<x STRING, y INT> DEFAULT '{a, 1}'")
    _, refusals = attempt(table, parse_changes(["ALTER COLUMN r.x TYPE INT", "ALTER COLUMN r.x SET DEFAULT 'b'"]))
    assert [(one.number, one.faults[0].code) for one in refusals] == [(0, "default.invalid")]
