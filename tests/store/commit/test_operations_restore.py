"""Going back is a new version: the old columns with the old ids, and no id is ever given to another column."""

import json
import uuid
from pathlib import Path

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from airflow_provider_schemas.core import project
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.core.types import field_ids
from airflow_provider_schemas.errors import ChangeError, IncompatibleSchemaError, NotThereError, SchemaError
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.registry import policies
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.store.table import Table
from tests.support.stores import COLUMNS, at, bytes_of, columns, guarded, lake, orders


def test_a_dropped_column_comes_back_under_its_own_id(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.evolve("DROP COLUMN cust_id")
    table.evolve("ADD COLUMN coupon STRING")
    done = table.restore(0)
    assert (done.number, done.notes) == (3, ("version 0 restored",))
    assert columns(table) == {"order_id": 0, "cust_id": 1, "amount": 2}
    assert done.schema.content == table.schema(0).content or done.schema.highest_field_id == 3


def test_the_highest_id_never_falls_and_new_columns_get_new_ids(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.evolve("ADD COLUMN coupon STRING")
    restored = table.restore(0)
    assert restored.schema.highest_field_id == 3
    table.evolve("ADD COLUMN coupon STRING", override="another coupon")
    assert columns(table)["coupon"] == 4


def test_nothing_is_deleted_by_going_back(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.evolve("ADD COLUMN coupon STRING")
    before = bytes_of(tmp_path)
    table.restore(0)
    after = bytes_of(tmp_path)
    assert {path: after[path] for path in before} == before
    assert len(after) == len(before) + 1


def test_going_back_twice_is_once(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.evolve("RENAME COLUMN cust_id TO customer_id")
    first, again = table.restore(0), table.restore(0)
    assert (first.outcome, again.outcome, again.number) == ("created", "unchanged", 2)
    table.evolve("RENAME COLUMN cust_id TO buyer")
    assert [table.restore(0, key="k").outcome, table.restore(0, key="k").outcome] == ["created", "already applied"]


def test_the_newest_version_needs_no_way_back(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    assert table.restore(0).outcome == "unchanged"
    assert table.numbers() == (0,)


def test_a_way_back_can_be_looked_at_first_and_applied_as_a_plan(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.evolve("DROP COLUMN amount")
    before = bytes_of(tmp_path)
    plan = table.restore_plan(0)
    assert bytes_of(tmp_path) == before
    assert table.apply(plan).number == 2
    assert columns(table) == {"order_id": 0, "cust_id": 1, "amount": 2}


def test_going_back_is_judged_like_any_change(tmp_path: Path) -> None:
    table = guarded(lake(tmp_path))
    table.evolve("ADD COLUMN coupon STRING")
    table.register("coupon STRING", consumer="daily")
    assert table.restore_plan(0).verdict is Verdict.BREAK
    with pytest.raises(IncompatibleSchemaError, match="daily"):
        table.restore(0)
    assert table.restore(0, override="INC-1").created
    assert table.history()[0].policy == "override: INC-1"


def test_a_weaker_policy_comes_back_only_under_the_stricter_one(tmp_path: Path) -> None:
    table = orders(store := lake(tmp_path))
    policies.save(store.registry, {"protect": {"data": "block", "jobs": "block", "writers": "block"}, "against": "all"}, name="strict")
    table.evolve("RENAME COLUMN cust_id TO customer_id")
    table.evolve("SET OPTION schemas.policy = strict")
    with pytest.raises(IncompatibleSchemaError):
        table.restore(0)


def test_a_version_that_is_not_there_cannot_be_restored(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    with pytest.raises(NotThereError, match="no version 7") as error:
        table.restore(7)
    assert error.value.fix == "There are 1: 0."
    with pytest.raises(SchemaError):
        table.restore("0")  # type: ignore[arg-type]  # not every caller has its types checked


def test_a_way_back_on_a_table_that_moved_is_judged_anew(tmp_path: Path) -> None:
    table, other = orders(lake(tmp_path)), lake(tmp_path).table("shop.orders")
    table.evolve("ADD COLUMN coupon STRING")
    with at(commit_steps.JUDGED, lambda: other.evolve("ADD COLUMN note STRING")):
        done = table.restore(0)
    assert (done.number, done.attempts) == (3, 2)
    assert columns(table) == {"order_id": 0, "cust_id": 1, "amount": 2}
    assert done.schema.highest_field_id == 4


def test_going_back_puts_right_what_an_outside_writer_let_fall(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.evolve("ADD COLUMN coupon STRING")
    table.evolve("DROP COLUMN coupon")
    path = tmp_path / "lake/shop.db/orders/schema/schema-3"
    value = json.loads(table.schema(2).to_json())
    del value["schemas"]
    path.write_text(json.dumps(value | {"id": 3, "highestFieldId": 2}))
    assert table.restore(0).schema.highest_field_id == 3
    table.evolve("ADD COLUMN note STRING")
    assert columns(table) == {"order_id": 0, "cust_id": 1, "amount": 2, "note": 4}


# ---------------------------------------------------------------- any history

STEPS = st.one_of(
    st.tuples(st.just("ADD COLUMN {} STRING"), st.sampled_from("abcd")),
    st.tuples(st.just("DROP COLUMN {}"), st.sampled_from("abcd")),
    st.tuples(st.just("RENAME COLUMN {} TO e"), st.sampled_from("abcd")),
    st.tuples(st.just("RENAME COLUMN e TO {}"), st.sampled_from("abcd")),
    st.tuples(st.just("ADD COLUMN r ROW<x INT, {} STRING>"), st.sampled_from("yz")),
    st.tuples(st.just("ADD COLUMN r.{} STRING"), st.sampled_from("yzw")),
    st.tuples(st.just("DROP COLUMN r.{}"), st.sampled_from("yzw")),
    st.tuples(st.just("restore"), st.integers(0, 9)),
)


def step(table: Table, what: str, value: str | int) -> None:
    """One step, whatever the policy says of it, and what became of the ids."""
    before = table.schema()
    try:
        if what == "restore":
            wanted = table.schema(int(value) % table.latest().number) if table.latest().number else before
            after = table.restore(wanted.id, override="a game").schema
            assert field_ids.all_ids(after.fields) == field_ids.all_ids(wanted.fields)
        else:
            after = table.evolve(what.format(value), override="a game").schema
            new = set(field_ids.all_ids(after.fields)) - set(field_ids.all_ids(before.fields))
            assert all(one > before.highest_field_id for one in new)
    except ChangeError as refused:
        event(refused.code)
        return
    used = field_ids.all_ids(after.fields)
    assert len(used) == len(set(used))
    assert after.highest_field_id >= max([before.highest_field_id, *used])


@given(layout=st.sampled_from(["paimon", "registry"]), steps=st.lists(STEPS, min_size=4, max_size=12))
def test_after_any_history_an_id_means_one_column_and_old_files_are_read_by_it(layout: str, steps: list[tuple[str, str | int]]) -> None:
    store = SchemaStore(f"memory://{uuid.uuid4().hex}", layout=layout)
    store.create_table("g.t", COLUMNS)
    table = store.table("g.t")
    for what, value in steps:
        step(table, what, value)
    *earlier, head = table.versions()
    for old in earlier:
        texts = {one.id: one.name for one in old.schema.fields if str(one.type) == "STRING"}
        row = {one.name: f"id {one.id}" if one.id in texts else None for one in old.schema.fields}
        read = project(old.schema, head.schema).row(row)
        for one in head.schema.fields:
            assert read[one.name] == (f"id {one.id}" if one.id in texts else None)
    assert not table.inspect().findings
