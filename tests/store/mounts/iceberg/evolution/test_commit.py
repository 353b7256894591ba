"""A change through a mounted Iceberg table is what was judged, asserts what it rests on, and says who made it."""

import json
from pathlib import Path

import pytest

from airflow_provider_schemas.core import parse_changes
from airflow_provider_schemas.core.schema.version import Provenance
from airflow_provider_schemas.errors import ChangeError
from airflow_provider_schemas.formats.iceberg import read_metadata
from airflow_provider_schemas.store.mounts.iceberg.evolution.commit import commit
from airflow_provider_schemas.store.mounts.iceberg.evolution.note import COMMITS, LAST
from airflow_provider_schemas.store.mounts.source import SchemaStep
from tests.store.mounts.iceberg.evolution.support.changed_lake import ORDERS, ChangedLake


@pytest.fixture
def lake(tmp_path: Path) -> ChangedLake:
    return ChangedLake(tmp_path)


CHANGES: dict[str, tuple[list[str], str]] = {
    "a column": (["ADD COLUMN coupon STRING COMMENT 'of the shop' AFTER order_id"], "order_id coupon cust amount"),
    "a column in front": (["ADD COLUMN coupon STRING FIRST"], "coupon order_id cust amount"),
    "a struct, a list and a map": (
        ["ADD COLUMN tags ARRAY<ROW<a INT>>", "ADD COLUMN m MAP<STRING, ROW<b INT>>", "ADD COLUMN x BIGINT"],
        "order_id cust amount tags m x",
    ),
    "another name": (["RENAME COLUMN cust TO customer"], "order_id customer amount"),
    "a wider type": (["ALTER COLUMN amount TYPE DECIMAL(18, 2)"], "order_id cust amount"),
    "NULL": (["ALTER COLUMN order_id DROP NOT NULL"], "order_id cust amount"),
    "a comment": (["ALTER COLUMN cust COMMENT 'who'"], "order_id cust amount"),
    "another place": (["ALTER COLUMN amount FIRST"], "amount order_id cust"),
    "the last place": (["ADD COLUMN a INT", "ALTER COLUMN cust AFTER a"], "order_id amount a cust"),
    "one less": (["DROP COLUMN cust"], "order_id amount"),
    "one goes and comes": (["DROP COLUMN cust", "ADD COLUMN cust INT"], "order_id amount cust"),
    "several at once": (
        ["ADD COLUMN a INT", "RENAME COLUMN a TO b", "ALTER COLUMN b TYPE BIGINT", "DROP COLUMN cust"],
        "order_id amount b",
    ),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_a_change_makes_of_an_iceberg_table_what_was_judged(lake: ChangedLake, kind: str) -> None:
    changes, columns = CHANGES[kind]
    plan = lake.table.plan(changes)
    done = lake.table.evolve(changes)
    assert done.created
    assert list(lake.columns()) == columns.split()
    head = lake.table.latest()
    assert (done.number, done.digest) == (head.number, head.digest) == (1, lake.store.table("shop.orders").latest().digest)
    assert [(field.name, str(field.type), field.description) for field in head.schema.fields] == [
        (field.name, str(field.type), field.description) for field in plan.result.fields
    ]


def test_fields_of_structs_in_lists_and_maps_are_changed_in_their_place(lake: ChangedLake) -> None:
    lake.table.evolve(["ADD COLUMN tags ARRAY<ROW<a INT>>", "ADD COLUMN m MAP<STRING, ROW<b INT>>", "ADD COLUMN r ROW<c INT>"])
    before = {field.field_id: field.name for field in lake.peer.schema()._lazy_id_to_field.values()}
    changes = [
        "ADD COLUMN tags.element.x STRING",
        "ALTER COLUMN m.value.b TYPE BIGINT",
        "RENAME COLUMN r.c TO d",
        "DROP COLUMN tags.element.a",
    ]
    lake.table.evolve(changes)
    after = {field.field_id: field.name for field in lake.peer.schema()._lazy_id_to_field.values()}
    gone = {number: name for number, name in before.items() if number not in after}
    assert list(gone.values()) == ["a"]
    assert {name for number, name in after.items() if number not in before} == {"x"}
    assert str(lake.peer.schema().find_field("m.value.b").field_type) == "long"
    assert min(set(after) - set(before)) > max(before)


def test_the_commit_asserts_table_schema_last_field_id_partitions_and_order(lake: ChangedLake) -> None:
    lake.table.evolve(["ADD COLUMN a INT"])
    [(requirements, updates)] = lake.faulty.sent
    assert {requirement.type for requirement in requirements} == {
        "assert-table-uuid",
        "assert-current-schema-id",
        "assert-last-assigned-field-id",
        "assert-last-assigned-partition-id",
        "assert-default-sort-order-id",
    }
    assert [update.action for update in updates] == ["add-schema", "set-current-schema", "set-properties"]


def test_a_schema_that_the_table_has_is_not_added_again(lake: ChangedLake) -> None:
    lake.table.evolve(["RENAME COLUMN cust TO customer"])
    done = lake.table.evolve(["RENAME COLUMN customer TO cust"])
    assert done.number == 0
    assert [schema.schema_id for schema in lake.peer.metadata.schemas] == [0, 1]
    assert lake.table.latest().number == 0


def test_who_changed_what_stands_in_the_properties_of_the_same_commit(lake: ChangedLake) -> None:
    lake.table.evolve(["ADD COLUMN a INT"], key="k1", run="nightly", approval="bob", expected_version=0)
    last = json.loads(lake.peer.properties[LAST])
    assert last["key"] == "k1"
    assert (last["actor"], last["run"], last["approval"], last["parent_id"]) == ("ana", "nightly", "bob", 0)
    assert last["changes"] == [change.to_json() for change in parse_changes(["ADD COLUMN a INT"])]
    [entry] = json.loads(lake.peer.properties[COMMITS])
    assert entry["commit"] == last["commit"]
    assert entry["digest"] == lake.table.latest().digest
    assert len(lake.peer.metadata.metadata_log) == 1


def test_the_list_of_commits_has_a_hundred_entries_at_most(lake: ChangedLake) -> None:
    entries = [{"commit": f"c{number}", "digest": "d"} for number in range(100)]
    with lake.peer.transaction() as transaction:
        transaction.set_properties({COMMITS: json.dumps(entries)})
    lake.table.evolve(["ADD COLUMN a INT"])
    now = json.loads(lake.peer.properties[COMMITS])
    assert (len(now), now[0]["commit"]) == (100, "c1")


@pytest.mark.parametrize("text", ["", "[", '{"a": 1}', "[1]", "null"])
def test_properties_that_somebody_else_wrote_stop_nobody(lake: ChangedLake, text: str) -> None:
    with lake.peer.transaction() as transaction:
        transaction.set_properties({COMMITS: text, LAST: text})
    done = lake.table.evolve(["ADD COLUMN a INT"], key="k")
    assert done.created
    assert lake.table.evolve(["ADD COLUMN a INT"], key="k").outcome == "already applied"


def test_a_mapping_of_names_changes_with_the_schema(lake: ChangedLake) -> None:
    mapping = lake.peer.metadata.schema().name_mapping.model_dump_json()
    with lake.peer.transaction() as transaction:
        transaction.set_properties({"schema.name-mapping.default": mapping})
    lake.table.evolve(["RENAME COLUMN cust TO customer"])
    names = {entry["field-id"]: entry["names"] for entry in json.loads(lake.peer.properties["schema.name-mapping.default"])}
    assert names[2] == ["cust", "customer"]


def test_a_staged_schema_that_is_not_the_judged_one_stops(lake: ChangedLake) -> None:
    metadata = read_metadata(lake.peer.metadata.model_dump_json().encode())
    judged = lake.table.plan(["ADD COLUMN a INT"]).result
    step = SchemaStep(tuple(parse_changes(["ADD COLUMN a BIGINT"])), judged, Provenance(commit="c"))
    with pytest.raises(ChangeError) as error:
        commit(lake.faulty, ORDERS, metadata, step)
    assert error.value.code == "iceberg.not-as-judged"
    assert lake.faulty.sent == []


def test_a_name_with_a_dot_that_pyiceberg_would_take_for_a_path_changes_nothing_else(lake: ChangedLake) -> None:
    lake.table.evolve(["ADD COLUMN r ROW<c INT>"])
    with pytest.raises(ChangeError):
        lake.table.evolve([{"action": "addColumn", "fieldNames": ["r.c"], "dataType": "INT"}, "DROP COLUMN r"])
    assert list(lake.columns()) == ["order_id", "cust", "amount", "r"]


def test_no_data_file_and_no_snapshot_is_written(lake: ChangedLake) -> None:
    lake.table.evolve(["ADD COLUMN a INT"])
    assert lake.peer.metadata.snapshots == []
    assert {update.action for _, updates in lake.faulty.sent for update in updates} <= {
        "add-schema",
        "set-current-schema",
        "set-properties",
    }
