"""What tests of the pages of tables share: a warehouse behind a connection, and requests of a user who may see it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from airflow_provider_schemas.hooks import SchemaStoreHook
from airflow_provider_schemas.plugins.common.page import Asked
from airflow_provider_schemas.plugins.connections.open_connections import OPENED
from airflow_provider_schemas.store import SchemaStore
from tests.provider.conftest import CONN_ID, Connect

Ask = Callable[..., Asked]


@pytest.fixture(autouse=True)
def _nothing_opened() -> Iterator[None]:
    """Begin and end with a process that has opened nothing."""
    OPENED.clear()
    yield
    OPENED.clear()


@pytest.fixture
def lake(connect: Connect, tmp_path: Path) -> SchemaStore:
    """Give the store behind the connection `lake`, to be written to as tasks do."""
    folder = tmp_path / "lake"
    folder.mkdir()
    return SchemaStoreHook(connect(host=folder.as_uri())).store


@pytest.fixture
def orders(lake: SchemaStore) -> SchemaStore:
    """Give the same with a table of three versions, a reader and a waiver."""
    lake.create_table("shop.orders", "order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(10, 2)", comment="what was sold")
    table = lake.table("shop.orders")
    table.register("cust_id BIGINT", consumer="daily", owner="team-bi", contact="#bi")
    table.evolve("RENAME COLUMN cust_id TO customer_id", override="INC-1", actor="ana")
    table.evolve("ADD COLUMN coupon STRING", actor="raj", approval="mia")
    return lake


@pytest.fixture
def ask() -> Ask:
    """Give a request: `ask(t="shop.orders")`; owns says that the user may read the connection itself."""

    def make(*, conn: str = CONN_ID, owns: bool = False, **query: str) -> Asked:
        own = frozenset({CONN_ID}) if owns else frozenset()
        return Asked(query={"conn": conn, **query}, conn_ids=(CONN_ID,), own_conn_ids=own)

    return make
