"""The schema of a table as an asset: one name for one URI, and two kinds that are never the same."""

from typing import Any
from urllib.parse import urlsplit

import pytest
from airflow.sdk import Asset

from airflow_provider_schemas.assets import create_asset, dataset_of, sanitize_uri, schema_asset, to_openlineage_dataset
from airflow_provider_schemas.errors import FormatError, SchemaError
from airflow_provider_schemas.triggers import SchemaVersionEventTrigger


def identity(asset: Asset) -> tuple[str, str]:
    return asset.name, asset.uri


# ---------------------------------------------------------------- names


def test_what_operators_announce_has_one_name_and_one_uri() -> None:
    found = schema_asset("lake", "shop.orders")
    assert identity(found) == ("lake/shop.orders", "schemas://lake/shop/orders")
    assert found.watchers == []
    assert identity(schema_asset("lake", "shop.orders")) == identity(found)


def test_a_warehouse_may_be_called_warehouse() -> None:
    found = schema_asset(warehouse="Lake", table="shop.orders", watch="lake", poll=60)
    assert identity(found) == identity(schema_asset("lake", "shop.orders", watch="lake", poll=60))


def test_what_is_watched_is_another_asset_that_says_how() -> None:
    found = schema_asset("lake", "shop.orders", watch="lake")
    assert identity(found) == (
        "lake/shop.orders?poll=60&start=latest&watch=lake",
        "schemas://lake/shop/orders?poll=60&start=latest&watch=lake",
    )


def test_each_setting_of_a_watcher_makes_another_asset_and_the_same_ones_the_same() -> None:
    """So that no file takes away the watcher of another one, which Airflow does where one asset is declared in two ways."""
    settings: list[dict[str, Any]] = [
        {},
        {"watch": "lake"},
        {"watch": "other"},
        {"watch": "lake", "poll": 5},
        {"watch": "lake", "start": "earliest"},
        {"watch": "lake", "branch": "dev"},
        {"branch": "dev"},
    ]
    found = [schema_asset("lake", "shop.orders", **one) for one in settings]
    assert len({one.name for one in found}) == len({one.uri for one in found}) == len(settings)
    again = [schema_asset("lake", "shop.orders", **one) for one in settings]
    assert [identity(one) for one in again] == [identity(one) for one in found]
    assert [hashes(one) for one in again] == [hashes(one) for one in found]
    assert identity(schema_asset("lake", "shop.orders", watch="lake", poll=60)) == identity(found[1])


def hashes(asset: Asset) -> list[int]:
    return [SchemaVersionEventTrigger.hash(*one.trigger.serialize()) for one in asset.watchers]


def test_no_uri_has_two_names() -> None:
    """Airflow fails every task that has the second one as its inlet or outlet."""
    aliases = ["lake", "Lake", "LAKE", "la ke", "la/ke", "la%2Fke", "see", "größe"]
    kinds: list[dict[str, Any]] = [{}, {"watch": "lake"}, {"branch": "b"}]
    tables = ["shop.orders", "shop.Orders", "sh op.orders", "shop.größe", "shop.a&b=c", "shop.a+b"]
    found = [schema_asset(alias, table, **more) for alias in aliases for table in tables for more in kinds]
    by_uri: dict[str, set[str]] = {}
    for one in found:
        by_uri.setdefault(one.uri, set()).add(one.name)
    assert {len(names) for names in by_uri.values()} == {1}
    assert len({one.name for one in found}) == len(by_uri)


def test_a_uri_is_the_same_after_airflow_has_cleaned_it_again() -> None:
    for table in ("shop.orders", "sh op.größe", "shop.a&b=c"):
        one = schema_asset("Lake", table, watch="a conn", branch="d v")
        assert Asset(name=one.name, uri=one.uri).uri == one.uri


def test_the_watcher_looks_over_the_connection_and_starts_where_it_is_told() -> None:
    (watcher,) = schema_asset("lake", "shop.orders", watch="other", poll=5, start="earliest", branch="dev").watchers
    assert watcher.trigger.serialize()[1] == {
        "conn_id": "other",
        "table": "shop.orders",
        "branch": "dev",
        "poll": 5.0,
        "start": "earliest",
        "asset": "lake/shop.orders?branch=dev&poll=5&start=earliest&watch=other",
    }


@pytest.mark.parametrize(
    "said",
    [
        {"warehouse_alias": ""},
        {"warehouse_alias": "a\nb"},
        {"warehouse_alias": None},
        {"warehouse": "other"},
        {"warehouse_alias": "", "warehouse": ""},
        {"warehouse_alias": "", "warehouse": None},
        {"table": "orders"},
        {"table": "a.b.c"},
        {"table": "shop/../x.orders"},
        {"branch": "../x"},
        {"watch": " "},
        {"watch": 5},
        {"watch": "lake", "poll": 0},
        {"watch": "lake", "poll": float("nan")},
        {"watch": "lake", "poll": True},
        {"watch": "lake", "poll": "60"},
        {"watch": "lake", "poll": 1e9},
        {"watch": "lake", "start": "now"},
    ],
    ids=str,
)
def test_what_is_no_asset_is_refused_with_what_to_do(said: dict[str, Any]) -> None:
    with pytest.raises(SchemaError) as caught:
        schema_asset(**{"warehouse_alias": "lake", "table": "shop.orders", **said})
    assert caught.value.fix


# ---------------------------------------------------------------- what Airflow calls


@pytest.mark.parametrize(
    "uri", ["schemas://lake", "schemas://lake/shop", "schemas:///shop/orders", "schemas://lake/a/b/c", "schemas://lake//x"]
)
def test_a_uri_that_names_no_table_is_refused(uri: str) -> None:
    with pytest.raises(ValueError, match=r"schema_asset\("):
        sanitize_uri(urlsplit(uri))


def test_a_password_in_a_wrong_uri_is_not_shown() -> None:
    with pytest.raises(ValueError, match="names no table") as caught:
        sanitize_uri(urlsplit("schemas://ana:hunter2@lake/x"))
    assert "hunter2" not in str(caught.value)


def test_the_authority_is_in_small_letters() -> None:
    assert sanitize_uri(urlsplit("schemas://LAKE/Shop/Orders")).geturl() == "schemas://lake/Shop/Orders"


def test_hooks_and_operators_mean_the_same_asset() -> None:
    made = create_asset(warehouse_alias="lake", table="shop.orders", extra={"version": 1})
    assert identity(made) == identity(schema_asset("lake", "shop.orders"))
    assert made.extra == {"version": 1}
    assert create_asset(warehouse_alias="lake", table="shop.orders", branch="main").extra == {}


@pytest.mark.parametrize(
    ("alias", "table", "branch"), [("lake", "shop.orders", None), ("la/ke", "sh op.größe", None), ("lake", "shop.orders", "dev")]
)
def test_both_kinds_are_one_dataset_in_lineage(alias: str, table: str, branch: str | None) -> None:
    for watch in (None, "other"):
        asset = schema_asset(alias, table, branch=branch, watch=watch)
        found = to_openlineage_dataset(Asset(uri=asset.uri), None)
        assert (found.namespace, found.name) == dataset_of(alias, table, branch)


def test_a_dataset_is_called_as_its_table_is() -> None:
    assert dataset_of("Lake", "shop.orders") == ("schemas://lake", "shop.orders")
    assert dataset_of("lake", "shop.orders", "dev") == ("schemas://lake", "shop.orders$branch_dev")


def test_a_fault_names_its_argument() -> None:
    with pytest.raises(FormatError) as caught:
        schema_asset("lake", "shop.orders", watch="lake", start="now")
    assert caught.value.faults[0].path == "start"
