"""The reason for taking a table away from jobs that read it outlives the table."""

from pathlib import Path

import pytest

from airflow_provider_schemas.errors import AlreadyThereError, ChangeError, NotThereError, StorageError
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.store.storage.local import LocalFiles
from tests.support.stores import bytes_of, lake, orders

LAYOUTS = ["paimon", "mini-paimon", "registry"]


def read_by_daily(store: SchemaStore) -> None:
    orders(store).register({"name": "daily", "owner": "team-bi", "contact": "#bi", "columns": ["amount"]})


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_reason_of_a_drop_is_kept_with_whom_it_took_the_table_from(tmp_path: Path, layout: str) -> None:
    store = lake(tmp_path, layout=layout, actor="ana")
    read_by_daily(store)
    head = store.table("shop.orders").latest()
    store.drop_table("shop.orders", override=" INC-1 ")
    (removed,) = store.removals("shop.orders").removed
    assert (removed.action, removed.table, removed.to, removed.purge, removed.done) == ("drop", "shop.orders", "", False, True)
    assert (removed.version, removed.digest, removed.by, removed.reason) == (0, head.digest, "ana", "INC-1")
    assert removed.jobs == ("daily (team-bi, #bi)",)
    assert str(removed).startswith("shop.orders was dropped at version 0, ")
    assert str(removed).endswith(" by ana, though daily (team-bi, #bi) read it: INC-1")


def test_a_table_made_anew_hides_no_reason_and_inherits_nothing(tmp_path: Path) -> None:
    store = lake(tmp_path)
    for reason in ("INC-1", "INC-2"):
        read_by_daily(store)
        store.drop_table("shop.orders", override=reason)
    assert orders(store).contracts() == ()
    assert [one.reason for one in store.removals("shop.orders").removed] == ["INC-1", "INC-2"]


def test_the_reason_of_a_rename_is_found_under_both_names(tmp_path: Path) -> None:
    store = lake(tmp_path)
    read_by_daily(store)
    store.rename_table("shop.orders", "sales.all_orders", override="agreed with daily")
    (left,), (came,) = store.removals("shop.orders").removed, store.removals("sales.all_orders").removed
    assert (left.action, left.table, left.to, left.done) == ("rename", "shop.orders", "sales.all_orders", True)
    assert came == left
    store.rename_table("sales.all_orders", "shop.orders", override="back again")
    assert [one.to for one in store.removals("shop.orders").removed] == ["sales.all_orders", "shop.orders"]


def test_without_a_reason_nothing_is_recorded(tmp_path: Path) -> None:
    store = lake(tmp_path)
    orders(store)
    store.rename_table("shop.orders", "shop.bookings")
    store.drop_table("shop.bookings", override="  ")
    assert (store.removals("shop.orders").removed, store.removals("shop.bookings").removed) == ((), ())
    assert bytes_of(tmp_path) == {}


def test_what_was_refused_leaves_no_record(tmp_path: Path) -> None:
    store = lake(tmp_path)
    orders(store)
    store.create_table("shop.users", "a INT")
    (tmp_path / "lake/shop.db/orders/bucket-0").mkdir()
    before = bytes_of(tmp_path)
    for refused, act in (
        (AlreadyThereError, lambda: store.drop_table("shop.orders", override="x")),
        (AlreadyThereError, lambda: store.rename_table("shop.orders", "shop.users", override="x")),
        (NotThereError, lambda: store.drop_table("shop.nothing", override="x")),
        (ChangeError, lambda: store.drop_table("shop.users", override="x" * 5_000)),
    ):
        with pytest.raises(refused):
            act()
    assert bytes_of(tmp_path) == before


def test_of_two_who_drop_at_once_the_one_that_did_it_has_a_record(tmp_path: Path) -> None:
    store = lake(tmp_path, actor="ana")
    read_by_daily(store)

    def other(phase: str) -> None:
        if phase == commit_steps.ASIDE:
            commit_steps.listen(None)
            with pytest.raises(NotThereError):
                lake(tmp_path, actor="ben").drop_table("shop.orders", override="INC-2")

    commit_steps.listen(other)
    try:
        store.drop_table("shop.orders", override="INC-1")
    finally:
        commit_steps.listen(None)
    assert [(one.by, one.done) for one in store.removals("shop.orders").removed] == [("ana", True)]


def test_a_drop_whose_reason_cannot_be_kept_is_not_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = lake(tmp_path)
    read_by_daily(store)
    create = LocalFiles.create

    def failing(self: LocalFiles, path: str, data: bytes, parent: object = None) -> None:
        if "removals/" in path:
            raise StorageError("the disk is full.", path=path)
        create(self, path, data, parent)  # type: ignore[arg-type]  # handed on

    monkeypatch.setattr(LocalFiles, "create", failing)
    before = bytes_of(tmp_path)
    with pytest.raises(StorageError, match="the disk is full"):
        store.drop_table("shop.orders", override="INC-1")
    with pytest.raises(StorageError, match="the disk is full"):
        store.rename_table("shop.orders", "shop.bookings", override="INC-1")
    assert bytes_of(tmp_path) == before


def test_a_drop_that_was_stopped_is_taken_up_with_its_record(tmp_path: Path) -> None:
    store = lake(tmp_path, actor="ana")
    read_by_daily(store)

    def stopped(phase: str) -> None:
        raise KeyboardInterrupt(phase)

    commit_steps.listen(stopped)
    try:
        with pytest.raises(KeyboardInterrupt):
            store.rename_table("shop.orders", "shop.bookings", override="INC-1")
    finally:
        commit_steps.listen(None)
    store.rename_table("shop.orders", "shop.bookings", override="INC-1")
    assert [one.done for one in store.removals("shop.orders").removed] == [True]


def test_a_record_that_cannot_be_read_is_told_and_hides_no_other(tmp_path: Path) -> None:
    store = lake(tmp_path)
    for reason in ("INC-1", "INC-2"):
        read_by_daily(store)
        store.drop_table("shop.orders", override=reason)
    (tmp_path / "lake/_schemas/removals/shop/orders/removal-0").write_text("{")
    found = store.removals("shop.orders")
    assert [one.reason for one in found.removed] == ["INC-2"]
    assert [one.path for one in found.unreadable] == ["removals/shop/orders/removal-0"]


def test_a_registry_that_is_lost_is_told_and_not_taken_for_one_without_reasons(tmp_path: Path) -> None:
    store = lake(tmp_path)
    orders(store)
    (tmp_path / "lake/_schemas/registry-id.json").unlink()
    with pytest.raises(StorageError) as lost:
        lake(tmp_path).removals("shop.orders")
    assert "contracts, policies, waivers, plans and bindings and the versions of adopted tables are gone" in lost.value.fix
