"""Contracts that a caller brings along: they count in a plan as if they were registered, in place of those of the same jobs."""

from pathlib import Path

import pytest

from airflow_provider_schemas.core import Contract, Plan, TableSchema
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.table import Table

RENAME = ["RENAME COLUMN cust_id TO customer_id"]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A table with a registered job, which needs cust_id."""
    columns = TableSchema.create("order_id BIGINT NOT NULL, cust_id BIGINT")
    SchemaStore(str(tmp_path)).create_table("shop.orders", columns)
    made = SchemaStore(str(tmp_path)).table("shop.orders")
    made.register(job("daily", "cust_id"))
    return made


def job(name: str, *columns: str) -> Contract:
    return Contract.of(columns, name=name, table="shop.orders")


def broken(plan: Plan) -> list[str]:
    return [consumer.name for consumer in plan.report.consumers]


def test_they_are_asked_beside_those_that_are_registered(table: Table) -> None:
    assert broken(table.plan(RENAME)) == ["daily"]
    assert broken(table.plan(RENAME, jobs=[job("weekly", "cust_id")])) == ["daily", "weekly"]


def test_one_of_the_same_job_counts_in_place_of_what_is_registered(table: Table) -> None:
    assert broken(table.plan(RENAME, jobs=[job("daily", "order_id")])) == []


def test_a_job_of_another_team_is_another_job_and_both_say_of_which_team_they_are(table: Table) -> None:
    table.register(job("daily", "cust_id"), team="bi")
    assert broken(table.plan(RENAME, jobs=[job("daily", "order_id")])) == ["daily (bi)"]
    assert sorted(broken(table.plan(RENAME, jobs=[job("daily", "cust_id")]))) == ["daily (bi)", "daily (default)"]


def test_nothing_of_them_is_kept(table: Table) -> None:
    table.plan(RENAME, jobs=[job("weekly", "cust_id")])
    assert [str(registered) for registered in table.registered()] == ["daily"]
