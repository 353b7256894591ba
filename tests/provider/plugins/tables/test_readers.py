"""The page of readers says who uses what, and to which version the table may go back."""

import pytest

from airflow_provider_schemas.core.blame.column_readers import ColumnReaders
from airflow_provider_schemas.core.blame.readers_by_version import ReadersByVersion
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.plugins.common.page import Asked
from airflow_provider_schemas.plugins.tables import readers
from airflow_provider_schemas.store import SchemaStore
from tests.provider.plugins.tables.conftest import Ask


def page_of(asked: Asked) -> tuple[ColumnReaders, ReadersByVersion]:
    page = readers.content(asked)
    who, matrix = page["readers"], page["matrix"]
    assert isinstance(who, ColumnReaders)
    assert isinstance(matrix, ReadersByVersion)
    return who, matrix


def test_the_readers_of_a_table_and_of_one_column(orders: SchemaStore, ask: Ask) -> None:
    who, matrix = page_of(ask(t="shop.orders"))
    assert [(reader.name, reader.contact) for reader in who.readers] == [("daily", "#bi")]
    assert matrix.breaking_nobody == (0,)
    who, _ = page_of(ask(t="shop.orders", column="amount"))
    assert (who.readers, who.others) == ((), 1)


def test_an_unknown_column_is_asked_back(orders: SchemaStore, ask: Ask) -> None:
    with pytest.raises(SchemaError, match="customer_id"):
        readers.content(ask(t="shop.orders", column="custmer_id"))


def test_a_contract_that_cannot_be_read_is_told_without_its_path(orders: SchemaStore, ask: Ask) -> None:
    orders.registry.put("contracts/shop/orders/default/other/contract-0", b"{")
    who, matrix = page_of(ask(t="shop.orders"))
    assert len(who.unreadable) == 1
    assert "contracts/" not in str((who.unreadable, matrix.unreadable))
    assert matrix.breaking_nobody == ()
