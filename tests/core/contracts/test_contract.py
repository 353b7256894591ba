"""Contracts: what a job needs, written as SQL text, names, a mapping, or made from a schema; and what is wrong with bad ones."""

import pickle
from typing import Any

import pytest
from hypothesis import given

from airflow_provider_schemas.core import Contract, Report, TableSchema, check_contract, evolve
from airflow_provider_schemas.core.contracts.contract import Accepts, Need, Role, Shape
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.errors import ContractError
from tests.support.tables import tables

TABLE = TableSchema.create(
    "id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(10, 2), address ROW<city STRING, zip STRING>, lines ARRAY<ROW<sku STRING>>"
)


def lacks(schema: TableSchema, contract: Any, **about: Any) -> list[str]:
    return [f"{one.rule} {one.path}" for one in check_contract(schema, contract, **about).findings]


# ---------------------------------------------------------------- forms


def test_sql_text_names_columns_types_and_null() -> None:
    contract = Contract.of("id BIGINT NOT NULL, amount DECIMAL(10, 2)")
    assert [(one.name, one.type, one.nullable) for one in contract.columns] == [
        ("id", "BIGINT NOT NULL", False),
        ("amount", "DECIMAL(10, 2)", True),
    ]


def test_names_alone_take_any_type_and_null() -> None:
    contract = Contract.of(["id", "address.city"])
    assert [(one.name, one.type, one.nullable) for one in contract.columns] == [("id", None, True), ("address.city", None, True)]
    assert check_contract(TABLE, contract).fits


def test_a_mapping_says_everything() -> None:
    contract = Contract.of({
        "name": "daily_report",
        "table": "shop.orders",
        "owner": "team-bi",
        "contact": "#bi-oncall",
        "shape": "closed",
        "primary_key": ["id"],
        "partitioned_by": [],
        "last_seen": "2026-11-18",
        "columns": [{"name": "id", "id": 0, "type": "BIGINT", "accepts": "exact", "nullable": False, "role": ["join", "key"]}, "cust_id"],
    })  # fmt: skip
    assert contract.columns[0] == Need(name="id", id=0, type="BIGINT", accepts=Accepts.EXACT, nullable=False, role=(Role.JOIN, Role.KEY))
    assert contract.columns[1] == Need(name="cust_id")
    assert (contract.shape, contract.owner, contract.primary_key, contract.partitioned_by) == (Shape.CLOSED, "team-bi", ("id",), ())


def test_columns_may_be_a_mapping_by_name() -> None:
    by_name = {"id": "BIGINT NOT NULL", "amount": {"type": "DECIMAL(10, 2)", "accepts": "any"}, "cust_id": None}
    contract = Contract.of({"columns": by_name})
    assert contract.columns == (
        Need(name="id", type="BIGINT NOT NULL", nullable=False),
        Need(name="amount", type="DECIMAL(10, 2)", accepts=Accepts.ANY),
        Need(name="cust_id"),
    )


def test_not_null_may_stand_in_the_type() -> None:
    assert not Need(name="id", type="BIGINT NOT NULL").nullable
    assert Need(name="id", type="BIGINT").nullable
    assert not Need(name="id", type="BIGINT", nullable=False).nullable


def test_a_role_may_stand_alone() -> None:
    assert Contract.of({"columns": [{"name": "id", "role": "write"}]}).writes
    assert not Contract.of(["id"]).writes


def test_a_contract_is_one_already_and_may_be_told_more() -> None:
    contract = Contract.of(["id"], name="daily_report")
    assert Contract.of(contract) is contract
    assert Contract.of(contract, owner="team-bi") == Contract.of(["id"], name="daily_report", owner="team-bi")


@given(tables())
def test_a_contract_written_from_a_schema_fits_it(table: TableSchema) -> None:
    for shape in Shape:
        for pin in (False, True):
            contract = Contract.of(table, pin=pin, shape=shape, primary_key=table.primary_keys, partitioned_by=table.partition_keys)
            assert check_contract(table, contract) == Report(new=table.id, contracts=1)


def test_a_contract_survives_writing_and_pickling() -> None:
    contract = Contract.of(TABLE, pin=True, name="daily_report", owner="team-bi")
    assert Contract.read(contract.model_dump(mode="json")) == contract
    assert pickle.loads(pickle.dumps(contract)) == contract


# ---------------------------------------------------------------- fitting


def test_a_contract_may_be_checked_as_it_is_written() -> None:
    assert check_contract(TABLE, "id BIGINT NOT NULL").fits
    assert check_contract(TABLE, ["id"]).fits
    assert lacks(TABLE, {"columns": ["coupon"]}) == ["EXPECT_FIELD_MISSING coupon"]


@pytest.mark.parametrize(
    ("kind", "accepts", "rules"),
    [
        ("DECIMAL(10, 2)", "lossless", []),
        ("DECIMAL(12, 4)", "lossless", []),
        ("DECIMAL(8, 2)", "lossless", ["EXPECT_TYPE_UNSAFE amount"]),
        ("DOUBLE", "lossless", ["EXPECT_TYPE_UNSAFE amount"]),
        ("STRING", "lossless", ["EXPECT_TYPE_UNSAFE amount"]),
        ("DATE", "lossless", ["EXPECT_TYPE_MISMATCH amount"]),
        ("ARRAY<INT>", "lossless", ["EXPECT_TYPE_MISMATCH amount"]),
        ("DECIMAL(10, 2)", "exact", []),
        ("DECIMAL(12, 2)", "exact", ["EXPECT_TYPE_MISMATCH amount"]),
        ("DATE", "any", []),
    ],
)
def test_a_type_is_taken_without_a_loss_exactly_or_whatever_it_is(kind: str, accepts: str, rules: list[str]) -> None:
    assert lacks(TABLE, {"columns": [{"name": "amount", "type": kind, "accepts": accepts}]}) == rules


def test_a_job_that_writes_is_asked_the_other_way_round() -> None:
    def writing(kind: str) -> list[str]:
        return lacks(TableSchema.create("amount DECIMAL(10, 2)"), {"columns": [{"name": "amount", "type": kind, "role": "write"}]})

    assert writing("DECIMAL(8, 2)") == []
    assert writing("INT") == ["EXPECT_TYPE_UNSAFE amount"]
    assert writing("DATE") == ["EXPECT_TYPE_MISMATCH amount"]


def test_structs_are_compared_by_the_names_of_their_fields_and_whoever_moves_one_needs_exactly_these() -> None:
    assert lacks(TABLE, "address ROW<zip STRING, city STRING>") == []
    assert lacks(TABLE, "address ROW<zip STRING>") == ["EXPECT_EXTRA_FIELD address.city"]
    assert lacks(TABLE, {"columns": {"address.zip": "STRING"}}) == []
    assert lacks(TABLE, "address ROW<zip STRING, city STRING, country STRING>") == ["EXPECT_FIELD_MISSING address.country"]
    assert lacks(TABLE, "lines ARRAY<ROW<sku INT>>") == ["EXPECT_TYPE_MISMATCH lines[].sku"]


def test_a_column_whose_name_has_a_dot_is_no_field_of_a_struct() -> None:
    table = TableSchema.create("`address.city` STRING, address ROW<town STRING>")
    assert lacks(table, ["address.city", "address.town"]) == []
    assert lacks(table, ["address.street"]) == ["EXPECT_FIELD_MISSING address.street"]


def test_a_pinned_column_is_found_again_under_another_name_and_one_without_pin_is_not() -> None:
    after = evolve(TABLE, ["RENAME COLUMN cust_id TO customer_id"])
    assert lacks(after, Contract.of(TABLE, pin=True)) == ["EXPECT_FIELD_RENAMED cust_id"]
    assert lacks(after, Contract.of(TABLE)) == ["EXPECT_FIELD_MISSING cust_id"]
    assert lacks(after, Contract.of(TABLE), seen=TABLE) == ["EXPECT_FIELD_RENAMED cust_id"]


@pytest.mark.parametrize(
    ("table", "path"),
    [
        ("l ARRAY<ROW<x INT>>", "l.element.x"),
        ("l MAP<INT, ARRAY<ROW<x INT>>>", "l.value.element.x"),
        ("l ROW<x INT, y ARRAY<INT>>", "l.x"),
    ],
)
def test_a_renamed_field_inside_a_container_is_renamed_back_by_the_change_that_is_offered(table: str, path: str) -> None:
    before = TableSchema.create(table)
    after = evolve(before, [f"RENAME COLUMN {path} TO other"])
    (finding,) = check_contract(after, ["l.x"], seen=before).findings
    assert finding.rule == "EXPECT_FIELD_RENAMED"
    assert lacks(evolve(after, finding.changes), ["l.x"], seen=before) == []


def test_a_name_that_returned_under_another_id_is_a_stale_pin() -> None:
    after = evolve(TABLE, ["DROP COLUMN cust_id", "ADD COLUMN cust_id BIGINT"])
    assert lacks(after, Contract.of(TABLE, pin=True)) == ["EXPECT_STALE_PIN cust_id"]
    assert lacks(after, Contract.of(TABLE)) == []


@pytest.mark.parametrize(
    ("shape", "changes", "rules"),
    [
        ("open", ["ADD COLUMN coupon STRING", "ALTER COLUMN amount FIRST"], []),
        ("closed", ["ALTER COLUMN amount FIRST"], []),
        ("closed", ["ADD COLUMN coupon STRING"], ["EXPECT_EXTRA_FIELD coupon"]),
        ("positional", ["ADD COLUMN coupon STRING"], ["EXPECT_EXTRA_FIELD coupon"]),
        ("positional", ["ALTER COLUMN amount AFTER id"], ["EXPECT_ORDER amount", "EXPECT_ORDER cust_id"]),
        ("closed", ["DROP COLUMN amount"], ["EXPECT_FIELD_MISSING amount"]),
    ],
)
def test_the_shape_says_what_becomes_of_columns_that_are_not_named(shape: str, changes: list[str], rules: list[str]) -> None:
    assert lacks(evolve(TABLE, changes), Contract.of(TABLE, shape=shape)) == rules


def test_who_needs_it_stands_in_the_finding() -> None:
    contract = Contract.of(["coupon"], name="daily_report", owner="team-bi", contact="#bi-oncall", last_seen="2026-11-18")
    (one,) = check_contract(TABLE, contract).findings
    (consumer,) = one.consumers
    assert (consumer.name, consumer.owner, consumer.contact, consumer.last_seen) == ("daily_report", "team-bi", "#bi-oncall", "2026-11-18")
    assert (consumer.rule, consumer.message) == (one.rule, one.message)
    assert one.verdict is Verdict.BREAK


def test_a_report_knows_table_and_version() -> None:
    report = check_contract(TABLE, Contract.of(["id"], table="shop.orders"), version=42)
    assert (report.table, report.new, report.contracts) == ("shop.orders", 42, 1)


# ---------------------------------------------------------------- bad contracts


def faults(source: Any) -> list[tuple[str, str]]:
    with pytest.raises(ContractError) as refused:
        check_contract(TABLE, source)
    assert all(fault.fix and fault.message.endswith(".") for fault in refused.value.faults)
    return [(fault.path, fault.code) for fault in refused.value.faults]


def test_everything_that_is_wrong_is_told_at_once() -> None:
    found = dict(
        faults(
            {
                "nmae": "daily_report",
                "shape": "tight",
                "primary_key": "id",
                "columns": [
                    {"name": "id", "type": "BIGINTT", "accepts": "most", "role": ["read"], "id": -1},
                    {"type": "INT"},
                    {"name": ""},
                    7,
                ],
            }
        )
    )
    assert {
        "nmae",
        "shape",
        "primary_key",
        "columns[0].type",
        "columns[0].accepts",
        "columns[0].role[0]",
        "columns[0].id",
        "columns[1].name",
        "columns[2].name",
        "columns[3]",
    } <= found.keys()


@pytest.mark.parametrize(
    "source",
    [None, 7, 1.5, True, b"id BIGINT", "id BIGINTT", "id", "", {"columns": None}, {"columns": 7}, {1: "x"}, object(), [7], [None]],
    ids=str,
)
def test_what_is_no_contract_is_refused(source: Any) -> None:
    assert faults(source)


def test_a_column_that_stands_there_twice_is_refused() -> None:
    assert faults(["id", "amount", "id"]) == [("columns.id", "contract.twice")]


def test_a_misspelled_key_is_answered_with_the_right_one() -> None:
    with pytest.raises(ContractError, match="Did you mean 'columns'"):
        Contract.of({"colums": ["id"]})
