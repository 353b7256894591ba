"""The list of tables finds, pages, and says what is missing in it."""

from pathlib import Path

import pytest

from airflow_provider_schemas.errors import NotThereError
from airflow_provider_schemas.plugins.common.page import Asked
from airflow_provider_schemas.plugins.connections.open_connection import DatabaseNames
from airflow_provider_schemas.plugins.connections.open_connections import OPENED
from airflow_provider_schemas.plugins.tables import table_list
from airflow_provider_schemas.plugins.tables.table_list import TableListing, listing, matching
from airflow_provider_schemas.plugins.tables.table_rows import TableRow
from airflow_provider_schemas.store import SchemaStore
from tests.provider.conftest import CONN_ID, Connect
from tests.provider.plugins.tables.conftest import Ask
from tests.support import iceberg_catalog


def rows_of(asked: Asked) -> list[TableRow]:
    rows = table_list.rows_content(asked)["rows"]
    assert isinstance(rows, tuple)
    return [*rows]


def many(lake: SchemaStore, number: int) -> None:
    """Make folders of tables: a listing sees no more of them."""
    for place in range(number):
        lake.warehouse.make_folder(f"shop.db/t{place:05}/schema")


def test_without_a_connection_the_page_says_which_setting_names_one() -> None:
    page = table_list.content(Asked(query={}))
    assert page["listing"] == TableListing()
    assert page["setting"] == "[schemas] ui_connections"
    assert page["variable"] == "AIRFLOW__SCHEMAS__UI_CONNECTIONS"


def test_the_first_allowed_connection_is_shown_where_none_is_named(orders: SchemaStore) -> None:
    assert listing(Asked(query={}, conn_ids=(CONN_ID,)), details=False).conn_id == CONN_ID


def test_a_connection_that_the_user_may_not_see_is_not_opened(ask: Ask) -> None:
    with pytest.raises(NotThereError, match="ui_connections"):
        listing(ask(conn="secret"), details=False)


def test_the_names_come_first_and_versions_by_a_second_request(orders: SchemaStore, ask: Ask) -> None:
    shown = listing(ask(q="ord"), details=False)
    assert [(row.name, row.version) for row in shown.rows] == [("shop.orders", "")]
    assert shown.rows_address == "rows?conn=lake&q=ord"
    (row,) = rows_of(ask(q="ord"))
    assert (row.version, row.origin, row.columns) == ("v2", "by raj (approved by mia)", 4)


def test_without_a_script_the_page_itself_has_the_versions(orders: SchemaStore, ask: Ask) -> None:
    shown = table_list.content(ask(details="yes"))["listing"]
    assert isinstance(shown, TableListing)
    assert [row.version for row in shown.rows] == ["v2"]
    assert not shown.rows_address


def test_a_folder_without_a_schema_and_a_broken_file_hide_no_other_table(orders: SchemaStore, ask: Ask) -> None:
    orders.warehouse.make_folder("shop.db/foreign")
    orders.create_table("shop.broken", "a INT")
    orders.warehouse.put("shop.db/broken/schema/schema-0", b"{")
    rows = {row.name: row for row in rows_of(ask())}
    assert rows["shop.orders"].version == "v2"
    assert "no schema" in rows["shop.foreign"].trouble
    assert rows["shop.broken"].trouble == "cannot be read"


def test_fifty_names_stand_on_a_page_and_the_next_one_goes_on(lake: SchemaStore, ask: Ask) -> None:
    many(lake, 120)
    first, last = listing(ask(), details=False), listing(ask(page="3"), details=False)
    assert (len(first.rows), first.pages, first.previous, first.following) == (50, 3, "", "tables?conn=lake&page=2")
    assert (len(last.rows), last.following) == (20, "")
    assert listing(ask(page="99"), details=False).rows == last.rows


@pytest.mark.parametrize("page", ["", "0", "-1", "x", "٣", "1" * 40])
def test_what_is_no_number_of_a_page_is_the_first(lake: SchemaStore, ask: Ask, page: str) -> None:
    many(lake, 60)
    assert listing(ask(page=page), details=False).page in (1, 2)


def test_every_word_of_a_search_counts_whatever_its_case() -> None:
    names = [DatabaseNames("shop", ("shop.orders", "shop.old_orders", "shop.users")), DatabaseNames("ord", ("ord.x",))]
    assert matching(names, "") == ["shop.orders", "shop.old_orders", "shop.users", "ord.x"]
    assert matching(names, "ORD shop") == ["shop.orders", "shop.old_orders"]
    assert matching(names, "ord") == ["ord.x", "shop.orders", "shop.old_orders"]
    assert matching(names, "<script>") == []


def test_the_names_are_kept_for_half_a_minute(orders: SchemaStore, ask: Ask) -> None:
    assert listing(ask(), details=False).total == 1
    orders.create_table("shop.users", "id BIGINT")
    assert listing(ask(), details=False).total == 1
    OPENED.get(CONN_ID)._names = None
    assert listing(ask(), details=False).total == 2


def test_a_mounted_database_is_listed_and_one_that_does_not_answer_is_named(connect: Connect, tmp_path: Path, ask: Ask) -> None:
    (tmp_path / "lake").mkdir()
    iceberg_catalog.make_orders(iceberg_catalog.open_catalog(tmp_path / "iceberg"))
    connect(iceberg_catalog.CONN_ID, **iceberg_catalog.connection(tmp_path / "iceberg"))
    mounts = {"shop": iceberg_catalog.MOUNT, "gone": {**iceberg_catalog.MOUNT, "conn_id": "nowhere"}}
    connect(host=(tmp_path / "lake").as_uri(), extra={"mounts": mounts})
    shown = listing(ask(), details=True)
    databases = {database.name: database for database in shown.databases}
    assert databases["shop"].is_mounted
    assert databases["gone"].trouble == "connection.unknown"
    (row,) = shown.rows
    assert (row.name, row.version, row.columns) == ("shop.orders", "v0", 4)
    assert row.origin == "kept by another catalog"
