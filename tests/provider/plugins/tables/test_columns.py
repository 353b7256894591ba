"""The page of columns tells since when each is as it is; a wide table comes in pages."""

from airflow_provider_schemas.plugins.common.page import Asked
from airflow_provider_schemas.plugins.tables import columns
from airflow_provider_schemas.plugins.tables.columns import ColumnsPart
from airflow_provider_schemas.store import SchemaStore
from tests.provider.plugins.tables.conftest import Ask


def part_of(asked: Asked) -> ColumnsPart:
    part = columns.content(asked)["part"]
    assert isinstance(part, ColumnsPart)
    return part


def test_a_column_tells_who_made_it_what_it_is(orders: SchemaStore, ask: Ask) -> None:
    part = part_of(ask(t="shop.orders"))
    since = {column.path: column.since for column in part.blame.columns}
    renamed = since["customer_id"]
    assert renamed is not None
    assert (renamed.number, renamed.actor) == (1, "ana")
    assert [line.path for line in part.lines.lines] == ["customer_id", "coupon"]


def test_a_column_is_found_by_the_name_that_it_had(orders: SchemaStore, ask: Ask) -> None:
    part = part_of(ask(t="shop.orders", q="CUST_ID"))
    assert [line.path for line in part.lines.lines] == ["customer_id"]
    assert part.blame.columns == ()


def test_a_wide_table_comes_in_pages(lake: SchemaStore, ask: Ask) -> None:
    lake.create_table("shop.wide", ", ".join(f"c{number} INT" for number in range(450)))
    pages = [part_of(ask(t="shop.wide", page=str(number))) for number in (1, 2, 3)]
    assert [len(part.blame.columns) for part in pages] == [200, 200, 50]
    assert [bool(part.following) for part in pages] == [True, True, False]


def test_what_was_computed_is_told_again_until_a_version_comes(orders: SchemaStore, ask: Ask) -> None:
    first = part_of(ask(t="shop.orders"))
    assert part_of(ask(t="shop.orders")).blame == first.blame
    orders.table("shop.orders").evolve("ADD COLUMN later INT")
    assert "later" in [column.path for column in part_of(ask(t="shop.orders")).blame.columns]
