"""A table is taken away, or given another name, with all that hangs on it; its data only by whoever says so."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import AlreadyThereError, ChangeError, IncompatibleSchemaError, NotThereError, ReadOnlyError
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.table import Table
from tests.support.stores import COLUMNS, bytes_of, columns, lake, orders


def all_that_hangs_on(store: SchemaStore, name: str = "shop.orders") -> None:
    table = store.table(name)
    table.register("amount DECIMAL(10, 2)", consumer="daily")
    table.waive("FIELD_RENAMED", "cust_id", until="2999-01-01", reason="INC-1")
    table.bind("/data/dt=1", 0)
    table.save_plan(table.plan("ADD COLUMN more STRING"))


def test_a_table_that_is_dropped_is_gone_with_all_that_hung_on_it(tmp_path: Path) -> None:
    store = lake(tmp_path)
    orders(store).create_branch("b1")
    all_that_hangs_on(store)
    store.drop_table("shop.orders", override="nobody needs it")
    assert (store.exists("shop.orders"), store.tables("shop")) == (False, ())
    assert all("/removals/" in path for path in bytes_of(tmp_path))  # the reason stays
    table = orders(store)
    assert (table.contracts(), table.waivers(), table.bindings(), table.branches()) == ((), (), (), ())


def test_a_table_that_jobs_use_is_dropped_only_with_a_reason(tmp_path: Path) -> None:
    table = orders(store := lake(tmp_path))
    table.register({"name": "daily", "owner": "team-bi", "columns": ["amount"]})
    before = bytes_of(tmp_path)
    for override in ("", "  "):
        with pytest.raises(IncompatibleSchemaError, match=r"daily \(team-bi\)"):
            store.drop_table("shop.orders", override=override)
    assert bytes_of(tmp_path) == before
    store.drop_table("shop.orders", override="INC-1")


def test_data_goes_only_with_whoever_says_so(tmp_path: Path) -> None:
    orders(store := lake(tmp_path))
    data = tmp_path / "lake/shop.db/orders/bucket-0"
    data.mkdir()
    (data / "data-0.orc").write_bytes(b"ORC")
    before = bytes_of(tmp_path)
    with pytest.raises(AlreadyThereError, match="bucket-0"):
        store.drop_table("shop.orders")
    assert bytes_of(tmp_path) == before
    store.drop_table("shop.orders", purge=True)
    assert not (tmp_path / "lake/shop.db/orders").exists()


def test_dropping_an_adopted_table_leaves_its_data_alone(tmp_path: Path) -> None:
    data = tmp_path / "events"
    data.mkdir()
    (data / "part-0.parquet").write_bytes(b"PAR1")
    store = lake(tmp_path)
    store.adopt("web.events", str(data), "id BIGINT")
    store.drop_table("web.events", purge=True)
    assert bytes_of(tmp_path) == {"events/part-0.parquet": b"PAR1"}


def test_a_table_that_is_not_there_is_dropped_only_if_that_is_no_matter(tmp_path: Path) -> None:
    store = lake(tmp_path)
    with pytest.raises(NotThereError):
        store.drop_table("shop.orders")
    store.drop_table("shop.orders", if_exists=True)
    orders(store)
    with pytest.raises(ReadOnlyError):
        lake(tmp_path, read_only=True).drop_table("shop.orders")
    assert store.exists("shop.orders")


def test_a_table_made_anew_under_an_old_name_is_another_one(tmp_path: Path) -> None:
    store = lake(tmp_path)
    first = orders(store).latest()
    store.drop_table("shop.orders")
    store.create_table("shop.orders", "a INT")
    assert store.table("shop.orders").schema().names == ("a",)
    assert [one.rule for one in store.table("shop.orders").changed_since(first).report.findings] == ["VERSION_REWOUND"]


# ---------------------------------------------------------------- another name


def test_a_table_under_another_name_keeps_its_history_and_what_hangs_on_it(tmp_path: Path) -> None:
    store = lake(tmp_path)
    orders(store).evolve("ADD COLUMN coupon STRING")
    all_that_hangs_on(store)
    table = store.rename_table("shop.orders", "sales.all_orders", override="agreed with daily")
    assert (table.name, table.numbers()) == ("sales.all_orders", (0, 1))
    assert [one.name for one in table.contracts()] == ["daily"]
    assert (len(table.waivers()), len(table.bindings())) == (1, 1)
    assert not store.exists("shop.orders")
    assert table.evolve("ADD COLUMN note STRING").number == 2
    assert list(columns(table)) == ["order_id", "cust_id", "amount", "coupon", "note"]
    assert not any("shop/orders" in path and "/removals/" not in path for path in bytes_of(tmp_path))


def test_an_adopted_table_is_renamed_in_the_registry(tmp_path: Path) -> None:
    store = lake(tmp_path)
    store.adopt("web.events", "s3://a/events", "id BIGINT")
    assert store.rename_table("web.events", "web.clicks").schema().table_attributes["location"] == "s3://a/events"
    assert set(bytes_of(tmp_path)) == {"lake/_schemas/web.db/clicks/schema/schema-0"}


def test_a_mini_table_says_its_new_name(tmp_path: Path) -> None:
    store = lake(tmp_path, layout="mini-paimon")
    store.create_table("shop.orders", COLUMNS)
    table = store.rename_table("shop.orders", "sales.all_orders")
    assert (table.metadata().table_name, table.metadata().database_name) == ("all_orders", "sales")
    assert '"tableName" : "all_orders"' in (tmp_path / "lake/sales/all_orders/metadata").read_text()


def test_a_name_that_is_taken_is_not_given(tmp_path: Path) -> None:
    orders(store := lake(tmp_path))
    store.create_table("shop.users", "a INT")
    (tmp_path / "lake/shop.db/folder").mkdir()
    before = bytes_of(tmp_path)
    for name in ("shop.users", "shop.orders", "shop.folder"):
        with pytest.raises(AlreadyThereError):
            store.rename_table("shop.orders", name)
    with pytest.raises(NotThereError):
        store.rename_table("shop.nothing", "shop.other")
    with pytest.raises(ReadOnlyError):
        lake(tmp_path, read_only=True).rename_table("shop.orders", "shop.other")
    assert bytes_of(tmp_path) == before


# ---------------------------------------------------------------- another name, and the jobs that read the old one

NAMES = ("shop.orders", "sales.all_orders")
READERS = r"shop\.orders is used by daily \(team-bi, #bi\)"


def takes_away(store: SchemaStore, act: str, *, override: str = "") -> None:
    if act == "drop":
        store.drop_table("shop.orders", override=override)
    else:
        store.rename_table(*NAMES, override=override)


def daily(table: Table) -> None:
    table.register({"name": "daily", "owner": "team-bi", "contact": "#bi", "columns": ["amount"]})


@pytest.mark.parametrize("layout", ["paimon", "mini-paimon", "registry"])
def test_a_table_that_jobs_use_is_renamed_only_with_a_reason(tmp_path: Path, layout: str) -> None:
    store = lake(tmp_path, layout=layout)
    store.create_table("shop.orders", COLUMNS)
    daily(store.table("shop.orders"))
    before = bytes_of(tmp_path)
    for override in ("", "  "):
        with pytest.raises(IncompatibleSchemaError, match=READERS) as refused:
            store.rename_table("shop.orders", "shop.old_orders", override=override)
        assert (refused.value.code, refused.value.path) == ("table.in-use", "shop.orders")
        assert "override" in refused.value.fix
    assert bytes_of(tmp_path) == before
    renamed = store.rename_table("shop.orders", "shop.old_orders", override="INC-1")
    assert [contract.name for contract in renamed.contracts()] == ["daily"]


def test_a_rename_to_the_name_that_the_table_has_is_refused_as_before(tmp_path: Path) -> None:
    daily(orders(store := lake(tmp_path)))
    with pytest.raises(AlreadyThereError):
        store.rename_table("shop.orders", "shop.orders")


@pytest.mark.parametrize("act", ["drop", "rename"])
def test_a_contract_that_cannot_be_read_keeps_its_table(tmp_path: Path, act: str) -> None:
    daily(orders(store := lake(tmp_path)))
    (contract,) = (tmp_path / "lake/_schemas/contracts").rglob("contract-0")
    contract.write_text("{")
    with pytest.raises(IncompatibleSchemaError, match=r"a reader or writer whose contract cannot be read.*/daily/contract-0"):
        takes_away(store, act)
    assert store.exists("shop.orders")
    takes_away(store, act, override="INC-1")
    assert not store.exists("shop.orders")


@pytest.mark.parametrize("act", ["drop", "rename"])
def test_jobs_that_nobody_has_seen_for_long_and_those_that_left_keep_no_table(tmp_path: Path, act: str) -> None:
    table = orders(store := lake(tmp_path))
    daily(table)
    table.remove_contract("daily")
    table.register("amount DECIMAL(10, 2)", consumer="yearly", max_age=timedelta(days=1))
    for seen in (tmp_path / "lake/_schemas/contracts").rglob("contract-0"):
        record = json.loads(seen.read_text())
        seen.write_text(json.dumps({**record, "at": "2020-01-01T00:00:00+00:00"}))
    takes_away(store, act)
    assert not store.exists("shop.orders")


@pytest.mark.parametrize("act", ["drop", "rename"])
def test_a_reason_that_is_no_text_is_refused(tmp_path: Path, act: str) -> None:
    orders(store := lake(tmp_path))
    reason: Any = None
    with pytest.raises(ChangeError, match="override"):
        takes_away(store, act, override=reason)
    assert store.exists("shop.orders")
