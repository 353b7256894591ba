"""A store does the same on every storage, from the first version to the last contract, and leaves nothing but what it says."""

import re
from datetime import timedelta

import pytest

from airflow_provider_schemas.errors import AlreadyThereError, ConflictError, IncompatibleSchemaError, NotThereError, ReadOnlyError
from airflow_provider_schemas.store import SchemaStore, judge
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.store.storage.files import Files
from tests.servers.bucket import Bucket
from tests.store.support.backends import MEANS, Backend, Watched
from tests.support.stores import COLUMNS, columns

LAYOUTS = ("paimon", "mini-paimon", "registry")
VERSION = re.compile(r"(.*/)?schema/schema-\d+")
BESIDE = re.compile(r"(.*/)?schema/\.more-[0-9a-f]{64}")
each_layout = pytest.mark.parametrize("layout", LAYOUTS)


def made(backend: Backend, layout: str) -> SchemaStore:
    store = backend.store(layout=layout)
    done = store.create_table("shop.orders", COLUMNS, primary_keys=["order_id"], key="first")
    assert (done.outcome, done.number, done.guarantee) == ("created", 0, f"exclusive create by {MEANS[backend.kind]}, proven")
    return store


@each_layout
def test_a_table_lives_on_every_storage(backend: Backend, layout: str) -> None:
    store = made(backend, layout)
    table = store.table("shop.orders")
    assert store.create_table("shop.orders", COLUMNS, primary_keys=["order_id"]).outcome == "unchanged"
    with pytest.raises(AlreadyThereError):
        store.create_table("shop.orders", "other INT")
    first = table.evolve(["ADD COLUMN coupon STRING"], key="k1", expected_version=0)
    assert (first.number, columns(table)) == (1, {"order_id": 0, "cust_id": 1, "amount": 2, "coupon": 3})
    assert table.evolve(["ADD COLUMN coupon STRING"], key="k1").outcome == "already applied"
    assert table.evolve(["ADD COLUMN coupon STRING"]).outcome == "unchanged"
    with pytest.raises(ConflictError):
        table.evolve(["ADD COLUMN more STRING"], expected_version=0)
    assert table.evolve(["RENAME COLUMN cust_id TO customer_id"], override="a test").number == 2
    assert table.restore(1, override="a test").number == 3
    other = backend.store().table("shop.orders")  # by somebody who has to find out the layout
    assert [one.number for one in other.versions()] == list(other.numbers()) == [0, 1, 2, 3]
    assert columns(other) == columns(table, 1)
    assert str(other.history()) == str(table.history())
    assert not table.changed_since(other.latest())
    assert table.changed_since(1).newer == (2, 3)
    assert table.inspect().findings == ()
    assert backend.store().layout == layout


@each_layout
def test_branches_and_expiry_work_on_every_storage(backend: Backend, layout: str) -> None:
    table = made(backend, layout).table("shop.orders")
    table.evolve(["ADD COLUMN coupon STRING"])
    branch = table.create_branch("b1")
    assert branch.evolve(["ADD COLUMN trial STRING"]).number == 2
    assert (table.branches(), table.latest().number, backend.store().table("shop.orders", "b1").latest().number) == (("b1",), 1, 2)
    dry = table.expire(timedelta(0))
    assert dry.dry_run
    assert table.numbers() == (0, 1)
    table.expire(timedelta(0), dry_run=False)
    assert table.numbers()[-1] == 1
    assert table.references().unreadable == ()


@each_layout
def test_the_registry_works_on_every_storage(backend: Backend, layout: str) -> None:
    store = made(backend, layout)
    table = store.table("shop.orders")
    plan = table.plan(["ADD COLUMN coupon STRING"])
    assert table.apply(table.saved_plan(table.save_plan(plan)[:12])).number == 1
    table.register("order_id BIGINT, cust_id BIGINT", consumer="daily_report")
    assert [one.name for one in backend.store().table("shop.orders").contracts()] == ["daily_report"]
    with pytest.raises(IncompatibleSchemaError):
        table.evolve("RENAME COLUMN cust_id TO customer_id")
    table.waive("EXPECT_FIELD_RENAMED", "cust_id", until="2999-01-01", reason="INC")
    assert len(backend.store().table("shop.orders").waivers()) == 1
    table.remove_contract("daily_report")
    assert backend.store().table("shop.orders").contracts() == ()
    assert judge(store, {"shop.orders": "order_id BIGINT, coupon STRING"}).fits
    assert table.references().unreadable == ()


@each_layout
@pytest.mark.parametrize("moment", ["before", "copied", "moving"])
def test_a_table_that_a_job_reads_keeps_its_name_on_every_storage(
    backend: Backend, layout: str, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = made(backend, layout)
    table = backend.store(layout=layout).table("shop.orders")

    def register() -> None:
        if not table.registered():
            table.register("order_id BIGINT", consumer="daily")

    if moment == "before":
        register()
    elif moment == "copied":
        monkeypatch.setattr(commit_steps, "_listener", lambda phase: register() if phase == commit_steps.COPIED else None)
    else:
        files = table.place.files
        move = type(files).move_folder

        def late(self: Files, source: str, target: str) -> None:
            register()
            move(self, source, target)

        monkeypatch.setattr(type(files), "move_folder", late)
    with pytest.raises(IncompatibleSchemaError, match=r"shop\.orders is used by daily"):
        store.rename_table("shop.orders", "shop.sales")
    assert [path for path in backend.paths() if "sales" in path] == []
    assert (store.tables("shop"), [contract.name for contract in table.contracts()]) == (("orders",), ["daily"])
    assert table.evolve(["ADD COLUMN coupon STRING"]).number == 1
    renamed = store.rename_table("shop.orders", "shop.sales", override="agreed with daily")
    assert (renamed.latest().number, [contract.name for contract in renamed.contracts()]) == (1, ["daily"])


@each_layout
def test_tables_come_and_go_on_every_storage(backend: Backend, layout: str) -> None:
    store = made(backend, layout)
    store.create_table("shop.orders2", "id BIGINT")
    store.create_table("shop2.items", "id BIGINT")
    assert (store.databases(), store.tables("shop"), store.tables("nowhere")) == (("shop", "shop2"), ("orders", "orders2"), ())
    assert [store.exists(name) for name in ("shop.orders", "shop.order", "nowhere.orders")] == [True, False, False]
    assert store.rename_table("shop.orders", "shop.sales").latest().number == 0
    store.drop_table("shop.orders2")
    assert (store.tables("shop"), backend.store().tables("shop")) == (("sales",), ("sales",))
    with pytest.raises(NotThereError):
        store.table("shop.orders").latest()
    store.drop_table("shop.sales")
    assert [path for path in backend.paths() if "sales" in path] == []
    assert store.tables("shop2") == ("items",)


@each_layout
def test_commits_leave_the_versions_and_nothing_else(backend: Backend, layout: str) -> None:
    table = made(backend, layout).table("shop.orders")
    for column in "abc":
        table.evolve([f"ADD COLUMN {column} STRING"])
        with pytest.raises(ConflictError):
            table.evolve(["ADD COLUMN never STRING"], expected_version=77)
    paths = backend.paths()
    rest = [path for path in paths if not VERSION.fullmatch(path)]
    assert len(paths) - len(rest) == 4
    if layout == "mini-paimon":
        assert len([path for path in rest if BESIDE.fullmatch(path)]) == 4
        rest = [path for path in rest if not BESIDE.fullmatch(path)]
    assert rest == (["shop/orders/metadata"] if layout == "mini-paimon" else [])


@each_layout
def test_a_steady_gate_asks_the_server_for_one_listing(watched: Watched, layout: str) -> None:
    made(watched.backend, layout).table("shop.orders").evolve(["ADD COLUMN a STRING"])
    table = watched.backend.store(layout=layout).table("shop.orders")
    seen = table.latest()
    for ask in (table.latest, lambda: table.changed_since(seen), table.numbers, lambda: table.changed_since(seen.number)):
        (asked,) = watched.asked(ask)
        assert asked.startswith("GET")
        assert "prefix=" in asked


@each_layout
def test_a_commit_asks_the_server_for_one_write(watched: Watched, layout: str) -> None:
    table = made(watched.backend, layout).table("shop.orders")
    table.evolve(["ADD COLUMN a STRING"])
    asked = watched.asked(lambda: table.evolve(["ADD COLUMN b STRING"]))
    writes = [one for one in asked if one.startswith(("PUT", "POST"))]
    assert len(writes) == (3 if layout == "mini-paimon" else 1)  # there, with the file beside it and the one about the table


def test_all_tables_of_a_database_are_two_listings(watched: Watched) -> None:
    store = made(watched.backend, "paimon")
    for number in range(5):
        store.create_table(f"shop.t{number}", "id BIGINT")
    asked = watched.asked(lambda: store.tables("shop"))
    assert sum("prefix=" in one for one in asked) == 2  # the warehouse, and the registry
    assert len(asked) == 2


def test_who_only_reads_writes_nothing_not_even_to_ask_for_a_promise(watched: Watched) -> None:
    made(watched.backend, "paimon").table("shop.orders").register("order_id BIGINT", consumer="daily_report")
    store = watched.backend.store(read_only=True)
    table = store.table("shop.orders")

    def look_at_everything() -> None:
        assert (store.databases(), store.tables("shop"), table.latest().number) == (("shop",), ("orders",), 0)
        assert len(table.plan(["ADD COLUMN a STRING"]).changes) == 1
        assert (len(table.contracts()), table.references().unreadable, str(table.history()) != "") == (1, (), True)
        assert judge(store, {"shop.orders": "order_id BIGINT"}).fits
        with pytest.raises(ReadOnlyError):
            table.evolve(["ADD COLUMN a STRING"])
        with pytest.raises(ReadOnlyError):
            store.create_table("shop.more", "id BIGINT")

    asked = watched.asked(look_at_everything)
    assert [one for one in asked if not one.startswith(("GET", "HEAD"))] == []
    assert store.guarantee() == "read only"


def test_a_whole_bucket_may_be_the_warehouse(bucket: Bucket) -> None:
    for url in (bucket.url(), f"{bucket.url()}/"):
        store = SchemaStore(url, storage_options=bucket.storage_options, layout="paimon")
        store.create_table("shop.orders", "id BIGINT")
        table = store.table("shop.orders")
        assert table.register("id BIGINT", consumer="job").number == 0
        assert (store.databases(), store.tables("shop"), table.numbers()) == (("shop",), ("orders",), (0,))
    paths = [path for path, _ in store.warehouse.walk("")]
    assert max(paths) == "shop.db/orders/schema/schema-0"
    assert {path.split("/")[0] for path in paths} == {"_schemas", "shop.db"}


@pytest.mark.parametrize(("kind", "other"), [("s3", "s3a"), ("gcs", "gcs"), ("azure", "az"), ("azure", "abfss")])
def test_a_storage_has_several_names(kind: str, other: str, request: pytest.FixtureRequest) -> None:
    bucket: Bucket = request.getfixturevalue(f"{kind}_bucket")
    url = f"{other}://{bucket.name}/lake"
    store = SchemaStore(url, storage_options=bucket.storage_options, layout="paimon")
    assert store.create_table("db.t", "id BIGINT").guarantee == "exclusive create by conditional put, proven"
    assert SchemaStore(bucket.url("lake"), storage_options=bucket.storage_options).table("db.t").latest().number == 0
