"""A contract that was to wait and that a version has fulfilled counts as any other, at every door, and nobody writes anything for it."""

from pathlib import Path

import pytest

from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.check_tables import judge
from airflow_provider_schemas.store.table import Table
from tests.support.command_line import fine, typed


@pytest.fixture
def orders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table whose only job waits for a column."""
    monkeypatch.setenv("AIRFLOW_SCHEMAS_STORE", str(tmp_path / "lake"))
    store = SchemaStore(tmp_path / "lake")
    store.create_table("shop.orders", "a BIGINT, c STRING")
    table = store.table("shop.orders")
    table.register("a BIGINT, d INT", consumer="later", pending=True)
    return table


def files(table: Table) -> list[str]:
    return sorted(path for path, _ in table.registry.walk("contracts"))


def state(table: Table) -> tuple[bool, int | None]:
    (one,) = table.registered()
    return one.pending, one.fulfilled


def test_a_version_that_fulfils_it_ends_the_waiting_and_nothing_is_written(orders: Table) -> None:
    there = files(orders)
    assert state(orders) == (True, None)
    orders.evolve("ADD COLUMN note STRING")
    assert state(orders) == (True, None)
    orders.evolve("ADD COLUMN d INT")
    assert state(orders) == (False, 2)
    assert orders.contracts()[0].pins == frozenset({0, orders.schema().field("d").id})  # type: ignore[union-attr]  # it is there
    assert "fulfilled by v2" in fine("contract", "list")
    assert "with 1 registered contract" in " ".join(fine("check", "shop.orders").split())
    assert files(orders) == there


def test_once_fulfilled_it_breaks_where_the_table_goes_away_from_it_again(orders: Table) -> None:
    orders.evolve("ADD COLUMN d INT")
    assert orders.plan("RENAME COLUMN d TO e").report.verdict is Verdict.BREAK
    orders.evolve("RENAME COLUMN d TO e", override="a test")
    for words in (["check", "shop.orders"], ["check", "shop.orders", "--for", "later"]):
        done = typed(*words)
        assert (done.code, "d is now e (field id 2)" in done.out) == (1, True), done
    (report,) = judge(SchemaStore(orders.subject.roots.warehouse.url), {"shop.orders": "@registered"}, consumer="later").reports
    assert report.notes[0] == "later waited until version 1 fitted it"


def test_one_that_nothing_has_fulfilled_waits_and_is_said_to(orders: Table) -> None:
    assert "later is registered, and waits for what is to come" in fine("check", "shop.orders")
    done = typed("check", "shop.orders", "--for", "later")
    assert (done.code, "later waits for what is to come: no version has fitted it" in done.out) == (1, True)


def test_a_version_from_before_it_was_registered_does_not_count(orders: Table) -> None:
    orders.evolve("ADD COLUMN z INT")
    orders.evolve("DROP COLUMN z")
    orders.register("z INT", consumer="other", pending=True)
    assert [(one.consumer, one.pending) for one in orders.registered()] == [("later", True), ("other", True)]


def test_the_version_that_fulfilled_it_is_the_one_that_it_needs(orders: Table) -> None:
    assert list(orders.references().held[0]) == ["contract later (default), which waits"]
    orders.evolve("ADD COLUMN d INT")
    held = orders.references().held
    assert ("contract later (default)" in held[1], "contract later (default), which waits" in held.get(0, ())) == (True, False)


def test_registering_again_writes_it_down(orders: Table) -> None:
    orders.evolve("ADD COLUMN d INT")
    kept = orders.register("a BIGINT, d INT", consumer="later")
    assert (kept.number, kept.pending) == (1, False)
    assert state(orders) == (False, None)


def test_a_table_that_is_not_there_yet_fulfils_nothing(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path / "lake")
    store.create_table("shop.users", "id INT")
    store.table("shop.orders").register("a BIGINT", consumer="later", pending=True)
    assert state(store.table("shop.orders")) == (True, None)
    store.create_table("shop.orders", "a BIGINT")
    assert state(store.table("shop.orders")) == (False, 0)
