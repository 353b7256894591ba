"""The page of a table shows its past, whom to call, what is let through and until when; what cannot be read is said."""

import json

import pytest

from airflow_provider_schemas.errors import NotThereError
from airflow_provider_schemas.plugins.common.page import Asked
from airflow_provider_schemas.plugins.tables import one_table
from airflow_provider_schemas.plugins.tables.one_table import TableSummary
from airflow_provider_schemas.plugins.tables.version_list import VersionList
from airflow_provider_schemas.store import SchemaStore
from tests.provider.plugins.tables.conftest import Ask

ABOUT = {"owner": "team-orders", "contact": "#orders", "location": "s3://bucket/secret/orders"}


def page_of(asked: Asked) -> tuple[TableSummary, VersionList]:
    page = one_table.content(asked)
    facts, versions = page["facts"], page["versions"]
    assert isinstance(facts, TableSummary)
    assert isinstance(versions, VersionList)
    return facts, versions


def described(lake: SchemaStore) -> None:
    """Make a table whose data lie elsewhere."""
    lake.create_table("shop.orders", "a INT", options={"schemas.table": json.dumps(ABOUT), "external.path": "s3://bucket/secret"})


def test_the_newest_version_stands_first(orders: SchemaStore, ask: Ask) -> None:
    facts, versions = page_of(ask(t="shop.orders"))
    assert (facts.version, facts.comment, facts.columns) == ("v2", "what was sold", 4)
    assert [entry.version.number for entry in versions.entries] == [2, 1, 0]
    assert versions.numbers == (0, 1, 2)


def test_owner_and_contact_come_from_the_table(lake: SchemaStore, ask: Ask) -> None:
    described(lake)
    facts, _ = page_of(ask(t="shop.orders"))
    assert (facts.owner, facts.contact) == ("team-orders", "#orders")


def test_the_location_is_for_whoever_may_read_the_connection(lake: SchemaStore, ask: Ask) -> None:
    described(lake)
    facts, versions = page_of(ask(t="shop.orders"))
    assert facts.location == ""
    assert "secret" not in str([dict(version.schema.options) for version in versions.versions])
    own, versions = page_of(ask(t="shop.orders", owns=True))
    assert own.location == "s3://bucket/secret/orders"
    assert "secret" in str([dict(version.schema.options) for version in versions.versions])


def test_waivers_stand_with_their_end_and_their_reason(orders: SchemaStore, ask: Ask) -> None:
    orders.table("shop.orders").waive("FIELD_RENAMED", "customer_id", until="2999-01-01", reason="INC-1", by="ana")
    facts, _ = page_of(ask(t="shop.orders"))
    (waiver,) = facts.waivers
    assert (waiver.rule, waiver.until, waiver.reason, waiver.by) == ("FIELD_RENAMED", "2999-01-01", "INC-1", "ana")


def test_a_waiver_that_cannot_be_read_is_counted(orders: SchemaStore, ask: Ask) -> None:
    orders.table("shop.orders").waive("FIELD_RENAMED", until="2999-01-01", reason="INC-1")
    orders.registry.put("waivers/shop/orders/waiver-9", b"{")
    facts, _ = page_of(ask(t="shop.orders"))
    assert facts.notes == ("1 of the waivers cannot be read: they lift nothing.",)


def test_branches_lead_to_each_other(orders: SchemaStore, ask: Ask) -> None:
    orders.table("shop.orders").create_branch("dev", 1)
    facts, _ = page_of(ask(t="shop.orders"))
    assert facts.branches == (("main", ""), ("dev", "table?conn=lake&t=shop.orders&branch=dev"))
    facts, versions = page_of(ask(t="shop.orders", branch="dev"))
    assert facts.branches == (("main", "table?conn=lake&t=shop.orders"), ("dev", ""))
    assert versions.numbers == (0, 1)


def test_of_a_long_past_fifty_versions_are_read(lake: SchemaStore, ask: Ask) -> None:
    lake.create_table("shop.orders", "a INT")
    for number in range(60):
        lake.table("shop.orders").evolve(f"ADD COLUMN c{number} INT")
    _, versions = page_of(ask(t="shop.orders"))
    assert [entry.version.number for entry in versions.entries] == [*range(60, 10, -1)]
    assert all(entry.before is not None for entry in versions.entries)
    assert versions.older == 11


def test_a_version_that_cannot_be_read_hides_no_other(orders: SchemaStore, ask: Ask) -> None:
    orders.warehouse.put("shop.db/orders/schema/schema-1", b"{")
    _, versions = page_of(ask(t="shop.orders"))
    assert [entry.version.number for entry in versions.entries] == [2, 0]
    assert versions.notes == ("1 version cannot be read: v1. What they changed is not known.",)


def test_a_table_that_was_dropped_is_not_there(orders: SchemaStore, ask: Ask) -> None:
    page_of(ask(t="shop.orders"))
    orders.drop_table("shop.orders", purge=True, override="INC-2")
    with pytest.raises(NotThereError, match="search for it"):
        one_table.content(ask(t="shop.orders"))
