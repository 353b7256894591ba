"""Asking a table what it is costs one listing, is safe among threads and processes, and never writes."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core.schema.version import file_digest
from airflow_provider_schemas.errors import NotThereError, ReadOnlyError, SchemaError
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.table import Table
from tests.support.stores import COLUMNS, bytes_of, columns, lake, orders


def asked(store: SchemaStore, call: Callable[[], object]) -> tuple[int, int, int]:
    """What a question costs: listings, reads, writes."""
    before = [one.count.snapshot() for one in (store.warehouse, store.registry)]
    call()
    after = [one.count.snapshot() for one in (store.warehouse, store.registry)]
    lists, gets, puts = (sum(now[part] - then[part] for now, then in zip(after, before, strict=True)) for part in range(3))
    return lists, gets, puts


# ---------------------------------------------------------------- what a table says


def test_a_table_that_was_made_can_be_asked_everything(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.evolve("ADD COLUMN coupon STRING")
    path = tmp_path / "lake/shop.db/orders/schema/schema-1"
    assert table.latest().digest == file_digest(path.read_bytes())
    assert (table.numbers(), [one.number for one in table.versions()]) == ((0, 1), [0, 1])
    assert (table.version(0).number, table.schema(0).names) == (0, ("order_id", "cust_id", "amount"))
    assert table.schema() == table.latest().schema
    assert (table.name, table.database, table.table, table.branch_name, str(table.id)) == (
        "shop.orders",
        "shop",
        "orders",
        "main",
        "shop.orders",
    )
    assert repr(table) == "Table('shop.orders')"
    assert repr(table.branch("b")) == "Table('shop.orders', branch='b')"


def test_a_table_that_is_not_there_says_so_at_every_door(tmp_path: Path) -> None:
    table = lake(tmp_path).table("shop.orders")
    assert (table.exists(), table.numbers(), table.branches(), table.contracts(), table.waivers()) == (False, (), (), (), ())
    doors: list[Callable[[], object]] = [
        table.latest, table.versions, table.schema, table.history, table.policy, table.inspect,
        lambda: table.version(0), lambda: table.changed_since(0), lambda: table.plan("ADD COLUMN a INT"), lambda: table.restore_plan(0),
        lambda: table.evolve("ADD COLUMN a INT"), lambda: table.restore(0), lambda: table.create_branch("b"),
    ]  # fmt: skip
    for door in doors:
        with pytest.raises(NotThereError) as error:
            door()
        assert error.value.fix
    assert not any((tmp_path / "lake").iterdir())


def test_a_version_that_is_not_there_says_which_are(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.evolve("ADD COLUMN a INT")
    for number in (2, 10**30):
        with pytest.raises(NotThereError) as error:
            table.version(number)
        assert error.value.fix == "There are 2: 0 to 1."
    wrongs: list[Any] = ["0", 1.0, True, -1, [], b"0"]
    for wrong in wrongs:
        with pytest.raises(SchemaError):
            table.version(wrong)


# ---------------------------------------------------------------- what an answer costs


def test_in_the_steady_state_the_newest_version_is_one_listing_and_no_read(tmp_path: Path) -> None:
    orders(store := lake(tmp_path))
    table = store.table("shop.orders")
    first = table.latest()
    assert asked(store, table.latest) == (1, 0, 0)
    assert table.latest() is first
    assert asked(store, lambda: table.changed_since(first)) == (1, 0, 0)
    assert asked(store, table.exists) == (1, 0, 0)
    assert asked(store, table.numbers) == (1, 0, 0)


def test_a_new_version_is_one_read_more(tmp_path: Path) -> None:
    orders(store := lake(tmp_path))
    table = store.table("shop.orders")
    seen = table.latest()
    lake(tmp_path).table("shop.orders").evolve("ADD COLUMN a INT")
    assert asked(store, lambda: table.changed_since(seen)) == (1, 0, 0)
    assert asked(store, table.latest) == (1, 1, 0)
    assert asked(store, table.history) == (1, 0, 0)


def test_what_one_table_object_has_read_no_other_reads_again(tmp_path: Path) -> None:
    orders(store := lake(tmp_path))
    store.table("shop.orders").latest()
    assert asked(store, store.table("shop.orders").latest)[1] == 0


def test_a_file_that_was_put_over_is_read_again(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    assert table.latest().schema.comment is None
    path = tmp_path / "lake/shop.db/orders/schema/schema-0"
    path.write_text(path.read_text().replace("cust_id", "other_id"))
    assert table.schema().names == ("order_id", "other_id", "amount")


def test_a_version_that_somebody_expires_while_it_is_asked_for_is_no_matter(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    for number in range(4):
        table.evolve(f"ADD COLUMN c{number} INT")
    fresh = lake(tmp_path).table("shop.orders")
    files = fresh.place.files
    plain = files.read_many

    def meanwhile(paths: object, limit: int = 0) -> object:
        (tmp_path / "lake/shop.db/orders/schema/schema-1").unlink(missing_ok=True)
        return plain(paths, limit)  # type: ignore[arg-type]  # what the store passes

    files.read_many = meanwhile  # type: ignore[method-assign,assignment]  # somebody deletes between the listing and the reading
    assert [one.number for one in fresh.versions()] == [0, 2, 3, 4]


# ---------------------------------------------------------------- threads, forks, processes


def test_a_table_is_safe_among_threads(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    start = threading.Barrier(32)

    def work(number: int) -> int:
        start.wait()
        done = table.evolve(f"ADD COLUMN c{number} INT").number
        assert f"c{number}" in columns(table)
        assert table.changed_since(0)
        return done

    with ThreadPoolExecutor(32) as pool:
        numbers = list(pool.map(work, range(32)))
    assert sorted(numbers) == list(range(1, 33))
    assert table.numbers() == tuple(range(33))
    ids = list(columns(table).values())
    assert len(ids) == len(set(ids)) == 35
    assert not table.inspect().findings


# What Python says of forks beside threads is what these tests are about.
forks = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")


def in_a_child(call: Callable[[], bool]) -> bool:
    """The answer of a forked child; False too if it does not answer."""
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        code = 1
        try:
            code = 0 if call() else 1
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] == 0


@forks
def test_a_child_goes_on_where_its_parent_was(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    assert in_a_child(lambda: table.evolve("ADD COLUMN child INT").number == 1)
    assert table.evolve("ADD COLUMN parent INT").number == 2
    assert list(columns(table)) == ["order_id", "cust_id", "amount", "child", "parent"]


@forks
def test_a_child_that_was_forked_while_others_held_every_lock_does_not_wait_for_them(tmp_path: Path) -> None:
    table = orders(store := lake(tmp_path))
    cache = table._subject.roots.cache
    with cache._lock, store.warehouse.count._lock, store.registry.count._lock:
        assert in_a_child(lambda: table.evolve("ADD COLUMN child INT").number == 1 and table.latest().number == 1)


@forks
def test_a_child_that_was_forked_while_threads_write_goes_on(tmp_path: Path) -> None:
    table, done = orders(lake(tmp_path)), threading.Event()

    def write() -> None:
        number = 0
        while not done.is_set():
            table.evolve(f"SET OPTION my.x = {number}")
            number += 1

    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(write)
        try:
            time.sleep(0.02)
            for _ in range(5):
                assert in_a_child(lambda: table.latest().number >= 0)
        finally:
            done.set()
        future.result()


@pytest.mark.parametrize("layout", ["paimon", "mini-paimon", "registry"])
def test_a_store_and_a_table_travel_to_another_process(tmp_path: Path, layout: str) -> None:
    store = lake(tmp_path, layout=layout)
    store.create_table("shop.orders", COLUMNS)
    table = store.table("shop.orders")
    table.latest()
    code = (
        "import pickle, sys; s, t = pickle.load(sys.stdin.buffer); t.evolve('ADD COLUMN a INT'); print(s.tables('shop'), t.latest().number)"
    )
    run = [sys.executable, "-c", code]
    said = subprocess.run(run, input=pickle.dumps((store, table)), capture_output=True, check=True, timeout=60).stdout
    assert said.decode().strip() == "('orders',) 1"
    assert table.latest().number == 1


# ---------------------------------------------------------------- who may only read


def test_who_may_only_read_writes_nothing_whatever_is_asked(tmp_path: Path) -> None:
    writer = orders(lake(tmp_path))
    writer.evolve("ADD COLUMN coupon STRING")
    writer.register("amount DECIMAL(10, 2)", consumer="daily")
    writer.waive("FIELD_DROPPED", "amount", until="2999-01-01", reason="INC")
    writer.create_branch("b1")
    before = bytes_of(tmp_path)
    store = lake(tmp_path, read_only=True)
    table = store.table("shop.orders")
    reads: list[Callable[[], object]] = [
        table.latest, table.versions, table.history, table.policy, table.inspect, table.references, table.expire, table.branches,
        table.contracts, table.waivers, table.bindings, store.databases, lambda: store.tables("shop"), store.guarantee,
        lambda: table.plan("ADD COLUMN a INT"), lambda: table.restore_plan(0), lambda: table.verify(table.plan("ADD COLUMN a INT")),
    ]  # fmt: skip
    plan = table.plan("ADD COLUMN a INT")
    writes: list[Callable[[], object]] = [
        lambda: table.evolve("ADD COLUMN a INT"), lambda: table.apply(plan), lambda: table.restore(0),
        lambda: table.create_branch("b2"),
        lambda: table.register("amount DECIMAL(10, 2)", consumer="x"), lambda: table.remove_contract("daily"),
        lambda: table.save_plan(plan),
        lambda: table.waive("FIELD_DROPPED", until="2999-01-01", reason="x"), lambda: table.bind("/x", 0),
        lambda: table.expire(dry_run=False),
        lambda: store.create_table("shop.new", "a INT"), lambda: store.adopt("web.e", "/x", "a INT"), lambda: store.create_database("x"),
        lambda: store.drop_table("shop.orders", override="x"), lambda: store.rename_table("shop.orders", "shop.o"),
    ]  # fmt: skip
    for read in reads:
        read()
    for write in writes:
        with pytest.raises(ReadOnlyError, match="read only") as error:
            write()
        assert error.value.fix
    assert bytes_of(tmp_path) == before
    assert store.guarantee() == "read only"


def test_a_table_knows_where_it_lies(tmp_path: Path) -> None:
    table: Table = orders(lake(tmp_path))
    assert f"{table.place.files.url}/{table.place.folder}" == str(tmp_path / "lake/shop.db/orders")


def test_only_mini_paimon_has_a_file_about_a_table(tmp_path: Path) -> None:
    with pytest.raises(NotThereError, match="laid out as paimon") as error:
        orders(lake(tmp_path)).metadata()
    assert error.value.code == "metadata.not-there"
