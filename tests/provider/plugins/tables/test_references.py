"""The page of references says who holds a version; where something is not known, no version counts as free."""

from airflow_provider_schemas.plugins.common.page import Asked
from airflow_provider_schemas.plugins.tables import references
from airflow_provider_schemas.plugins.tables.references import HeldVersions
from airflow_provider_schemas.store import SchemaStore
from tests.provider.plugins.tables.conftest import Ask


def held_by(asked: Asked) -> HeldVersions:
    held = references.content(asked)["held"]
    assert isinstance(held, HeldVersions)
    return held


def test_a_contract_holds_the_version_that_it_was_registered_against(orders: SchemaStore, ask: Ask) -> None:
    held = held_by(ask(t="shop.orders"))
    assert {version.number: version.holders for version in held.versions} == {2: (), 1: (), 0: ("contract daily (default)",)}
    assert held.free == 2


def test_files_that_nobody_knows_hold_everything_and_their_folder_is_not_told(orders: SchemaStore, ask: Ask) -> None:
    orders.warehouse.put("shop.db/orders/part-0.parquet", b"x")
    held = held_by(ask(t="shop.orders"))
    assert held.free == 0
    assert held.everything == ("files in (an address) (nobody knows which version)",)
    assert held_by(ask(t="shop.orders", owns=True)).everything == ("files in shop.db/orders (nobody knows which version)",)


def test_what_could_not_be_read_is_counted_and_its_text_is_for_whoever_may_read_the_connection(orders: SchemaStore, ask: Ask) -> None:
    orders.warehouse.put("shop.db/orders/snapshot/snapshot-1", b"{")
    held = held_by(ask(t="shop.orders"))
    assert held.free == 0
    assert held.unreadable == ("1 place that may hold versions; whoever may read the connection sees which.",)
    (text,) = held_by(ask(t="shop.orders", owns=True)).unreadable
    assert "snapshot-1" in text
