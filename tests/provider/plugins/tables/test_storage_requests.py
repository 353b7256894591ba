"""What each page asks of the storage, at its first request and again: by a filesystem that counts."""

from collections.abc import Callable, Iterator, Mapping

import pytest

from airflow_provider_schemas.hooks.connection_settings import Settings
from airflow_provider_schemas.plugins.common.page import Asked
from airflow_provider_schemas.plugins.connections.open_connection import OpenConnection
from airflow_provider_schemas.plugins.connections.open_connections import OPENED
from airflow_provider_schemas.plugins.tables.pages import PAGES
from airflow_provider_schemas.store import SchemaStore
from tests.provider.conftest import CONN_ID
from tests.provider.plugins.tables.conftest import Ask
from tests.support.counting_storage import CountingStorage, counting_storage

LISTS, GETS, WRITES = ("ls", "find", "walk"), ("cat_file", "cat", "open"), ("pipe_file", "mkdir", "makedirs", "rm", "cp_file", "mv")
CONTENT = {page.path: page.content for page in PAGES}
VERSIONS = 40
CONTRACTS = 10


Storage = counting_storage(*LISTS, *GETS, *WRITES)


@pytest.fixture(scope="module")
def storage() -> Iterator[CountingStorage]:
    """Give a storage with a table of 40 versions and 10 readers, and another one."""
    fs = Storage()
    store = SchemaStore("memory://pages/lake", fs=fs, layout="paimon", single_writer=True)
    store.create_table("shop.orders", "order_id BIGINT NOT NULL, cust_id BIGINT")
    store.create_table("shop.users", "id BIGINT")
    table = store.table("shop.orders")
    for number in range(CONTRACTS):
        table.register("cust_id BIGINT", consumer=f"job{number}")
    for number in range(VERSIONS - 1):
        table.evolve(f"ADD COLUMN c{number} INT")
    yield fs
    fs.rm("/pages", recursive=True)


@pytest.fixture
def opened(storage: CountingStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a connection to the storage among those that the process has opened."""
    store = SchemaStore("memory://pages/lake", fs=storage, read_only=True)
    connection = OpenConnection(CONN_ID, Settings(warehouse="memory://pages/lake"), store)
    monkeypatch.setattr(OPENED, "get", lambda conn_id: connection)


def requests_of(content: Callable[[Asked], Mapping[str, object]], asked: Asked) -> tuple[int, int]:
    """Return the listings and the reads of a page. A page never writes."""
    Storage.asked.clear()
    content(asked)
    assert not sum(Storage.asked[name] for name in WRITES)
    return sum(Storage.asked[name] for name in LISTS), sum(Storage.asked[name] for name in GETS)


ORDERS = {"t": "shop.orders"}
# Listings and reads at the first request, and again with the same store.
MOST = {
    "tables": ({}, (4, 0), (0, 0)),
    "rows": ({}, (8, 2), (4, 0)),
    "table": (ORDERS, (6, VERSIONS + 1), (5, 1)),
    "diff": ({**ORDERS, "a": "3", "b": "7"}, (6, 4 + CONTRACTS), (5, 1)),
    "columns": (ORDERS, (3, VERSIONS), (2, 0)),
    "readers": (ORDERS, (6, 21 + CONTRACTS), (5, 1)),
    "references": (ORDERS, (11, 2 + CONTRACTS), (10, 1)),
}


@pytest.mark.parametrize("page", MOST)
def test_a_page_asks_for_no_more_than_it_needs(page: str, opened: None, ask: Ask) -> None:
    query, first, again = MOST[page]
    asked = ask(**query)
    for most_lists, most_gets in (first, again):
        lists, gets = requests_of(CONTENT[page], asked)
        assert lists <= most_lists
        assert gets <= most_gets


def test_every_page_of_the_storage_is_counted() -> None:
    assert MOST.keys() == CONTENT.keys()
