"""The pages of tables in Airflow's own application: who sees them, and who sees addresses of the storage."""

from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient

from airflow_provider_schemas.plugins.tables.pages import PAGES
from airflow_provider_schemas.store import SchemaStore

AsRole = Callable[[str], TestClient]
SHOWN = [page.path for page in PAGES]


@pytest.fixture
def _allowed(orders: SchemaStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow the connection to be shown."""
    monkeypatch.setenv("AIRFLOW__SCHEMAS__UI_CONNECTIONS", "lake")


@pytest.mark.usefixtures("_allowed")
@pytest.mark.parametrize("path", SHOWN)
def test_a_viewer_sees_the_tables_of_a_connection_that_is_allowed(path: str, as_role: AsRole) -> None:
    answer = as_role("viewer").get(f"/schemas/{path}", params={"conn": "lake", "t": "shop.orders"})
    assert answer.status_code == 200, answer.text
    assert "shop.orders" in answer.text


@pytest.mark.usefixtures("orders")
@pytest.mark.parametrize("path", SHOWN)
def test_a_viewer_sees_no_other_connection(path: str, as_role: AsRole) -> None:
    answer = as_role("viewer").get(f"/schemas/{path}", params={"conn": "lake", "t": "shop.orders"})
    assert answer.status_code == 403
    assert "shop.orders" not in answer.text


@pytest.mark.usefixtures("_allowed")
def test_the_location_is_shown_to_whoever_may_read_the_connection(as_role: AsRole, orders: SchemaStore) -> None:
    params = {"conn": "lake", "t": "shop.orders"}
    assert orders.url not in as_role("viewer").get("/schemas/table", params=params).text
    assert orders.url in as_role("op").get("/schemas/table", params=params).text


@pytest.mark.usefixtures("_allowed")
def test_a_table_that_is_not_there_is_asked_back(as_role: AsRole) -> None:
    answer = as_role("viewer").get("/schemas/table", params={"conn": "lake", "t": "shop.order"})
    assert answer.status_code == 404


@pytest.mark.usefixtures("_allowed")
@pytest.mark.parametrize("place", ["contracts/shop/orders/default/other/contract-0", "policies/databases/shop.json"])
def test_a_step_is_no_green_one_where_a_contract_or_the_policy_cannot_be_read(as_role: AsRole, orders: SchemaStore, place: str) -> None:
    orders.table("shop.orders").evolve("ADD COLUMN note STRING")
    params = {"conn": "lake", "t": "shop.orders"}
    assert 'class="word verdict-ok"' in as_role("viewer").get("/schemas/diff", params=params).text
    orders.registry.put(place, b"{")
    text = as_role("viewer").get("/schemas/diff", params=params).text.partition('<section class="diff">')[2]
    assert "not known" in text
    assert "verdict-ok" not in text


@pytest.mark.usefixtures("_allowed")
def test_without_a_connection_in_the_address_the_first_is_shown(as_role: AsRole) -> None:
    answer = as_role("viewer").get("/schemas/tables")
    assert answer.status_code == 200
    assert "shop.orders" in answer.text
