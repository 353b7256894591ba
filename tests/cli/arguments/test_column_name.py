"""A column is typed behind its table; the branch and the version stand behind the table or behind the column."""

import pytest

from airflow_provider_schemas.cli.arguments.column_name import ColumnReference, parse_column
from airflow_provider_schemas.cli.arguments.table_name import TableReference
from airflow_provider_schemas.errors import SchemaError


@pytest.mark.parametrize(
    ("text", "table", "column"),
    [
        ("shop.orders", TableReference("shop.orders"), ""),
        ("shop.orders.amount", TableReference("shop.orders"), "amount"),
        ("shop.orders.address.city", TableReference("shop.orders"), "address.city"),
        ("shop.orders.items[].sku", TableReference("shop.orders"), "items[].sku"),
        ("shop.orders.`a b`.c", TableReference("shop.orders"), "`a b`.c"),
        ("shop.orders@dev", TableReference("shop.orders", "dev"), ""),
        ("shop.orders@dev.amount", TableReference("shop.orders", "dev"), "amount"),
        ("shop.orders.amount@dev", TableReference("shop.orders", "dev"), "amount"),
        ("shop.orders:41", TableReference("shop.orders", None, 41), ""),
        ("shop.orders:41.amount", TableReference("shop.orders", None, 41), "amount"),
        ("shop.orders.amount:41", TableReference("shop.orders", None, 41), "amount"),
        ("shop.orders@dev:41.amount", TableReference("shop.orders", "dev", 41), "amount"),
    ],
)
def test_a_column_is_read_with_its_table(text: str, table: TableReference, column: str) -> None:
    assert parse_column(text) == ColumnReference(table, column)


@pytest.mark.parametrize(
    "text", ["orders", "shop.", "", ".a.b", "shop.orders:x", "shop.orders:x.y", "a/b.c", "shop.orders:99999999999", "\n"]
)
def test_what_names_no_table_is_refused_with_what_to_write(text: str) -> None:
    with pytest.raises(SchemaError) as refused:
        parse_column(text)
    assert refused.value.fix
