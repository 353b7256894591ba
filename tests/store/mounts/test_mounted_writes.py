"""What would write a mounted table is refused, each with what to run instead; what hangs on the table is kept as ever."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from airflow_provider_schemas.errors import IncompatibleSchemaError, NotThereError, ReadOnlyError, SchemaError, StorageError
from airflow_provider_schemas.store import SchemaStore, judge
from airflow_provider_schemas.store.commit.mounted import hand_over as mounted_hand_over
from airflow_provider_schemas.store.commit.mounted.hand_over import HandedOver
from airflow_provider_schemas.store.mounts.mounted_files import MountedFiles
from tests.store.mounts.support.remembered_source import RememberedSource
from tests.support.stores import bytes_of, lake

NAME = "`lake`.`prod`.`shop`.`orders`"
AMOUNT = "order_id BIGINT NOT NULL, amount DECIMAL(10, 2)"


@pytest.fixture
def source() -> RememberedSource:
    source = RememberedSource()
    source.create("orders")
    source.rename("orders", "amount", "total")
    source.go_to("orders", 0)
    return source


@pytest.fixture
def store(tmp_path: Path, source: RememberedSource) -> SchemaStore:
    return lake(tmp_path, mounts={"shop": source})


# ---------------------------------------------------------------- refused

REFUSED: dict[str, tuple[Callable[[SchemaStore], object], str]] = {
    "create_table": (
        lambda store: store.create_table("shop.new", "a BIGINT NOT NULL, d DATE", partition_keys=["d"]),
        "CREATE TABLE `lake`.`prod`.`shop`.`new` (`a` BIGINT NOT NULL, `d` DATE) USING iceberg PARTITIONED BY (`d`);",
    ),
    "adopt": (lambda store: store.adopt("shop.new", "s3://b/new", "a BIGINT"), "CREATE TABLE `lake`.`prod`.`shop`.`new` (`a` BIGINT)"),
    "create_database": (lambda store: store.create_database("shop"), "through an engine"),
    "drop": (lambda store: store.drop_table("shop.orders"), f"DROP TABLE {NAME};"),
    "drop what is gone": (lambda store: store.drop_table("shop.gone", if_exists=True), "DROP TABLE `lake`.`prod`.`shop`.`gone`;"),
    "rename": (
        lambda store: store.rename_table("shop.orders", "shop.sales"),
        f"ALTER TABLE {NAME} RENAME TO `lake`.`prod`.`shop`.`sales`;",
    ),
    "move out": (lambda store: store.rename_table("shop.orders", "own.sales"), "through an engine"),
    "move in": (lambda store: store.rename_table("own.sales", "shop.sales"), "through an engine"),
    "branch": (lambda store: store.table("shop.orders").create_branch("audit"), f"ALTER TABLE {NAME} CREATE BRANCH `audit`;"),
    "bind": (lambda store: store.table("shop.orders").bind("dt=1", 0), "how each of its files is read"),
    "expire": (
        lambda store: store.table("shop.orders").expire(timedelta(days=9), dry_run=False),
        "CALL `lake`.system.expire_snapshots(table => '`prod`.`shop`.`orders`');",
    ),
    "evolve": (
        lambda store: store.table("shop.orders").evolve(["RENAME COLUMN amount TO total"]),
        f"ALTER TABLE {NAME} RENAME COLUMN `amount` TO `total`;",
    ),
    "evolve to a schema": (
        lambda store: store.table("shop.orders").evolve(target=store.table("shop.orders").schema(1)),
        f"ALTER TABLE {NAME} RENAME COLUMN `amount` TO `total`;",
    ),
    "evolve what makes no sense": (lambda store: store.table("shop.orders").evolve(["DROP COLUMN nope"]), "through an engine"),
    "apply": (
        lambda store: store.table("shop.orders").apply(store.table("shop.orders").plan(["ADD COLUMN coupon STRING"])),
        f"ALTER TABLE {NAME} ADD COLUMN",
    ),
    "restore": (lambda store: store.table("shop.orders").restore(1), f"ALTER TABLE {NAME} RENAME COLUMN `amount` TO `total`;"),
}


@pytest.mark.parametrize("operation", REFUSED)
def test_what_writes_a_mounted_table_is_refused_with_what_to_run(tmp_path: Path, store: SchemaStore, operation: str) -> None:
    call, said = REFUSED[operation]
    before = bytes_of(tmp_path)
    with pytest.raises(ReadOnlyError) as error:
        call(store)
    assert error.value.code == "mount.read-only"
    assert "iceberg keeps the tables of shop (memory://peer/shop)" in error.value.message
    assert said in error.value.fix
    assert bytes_of(tmp_path) == before


def test_a_refusal_does_not_need_the_source_to_answer(store: SchemaStore, source: RememberedSource) -> None:
    source.is_down = True
    with pytest.raises(ReadOnlyError, match="keeps the tables"):
        store.table("shop.orders").evolve(["ADD COLUMN coupon STRING"])


def test_a_refusal_shows_no_secret(store: SchemaStore) -> None:
    with pytest.raises(ReadOnlyError) as error:
        store.table("shop.orders").evolve([{"action": "setOption", "key": "s3.secret-key", "value": "hunter22hunter22"}])
    assert "hunter22" not in str(error.value)


@pytest.mark.parametrize("method", ["create", "put", "refuses"])
def test_the_files_of_a_mount_take_no_write(source: RememberedSource, method: str) -> None:
    files = MountedFiles(source, "shop")
    with pytest.raises(ReadOnlyError):
        getattr(files, method)("shop.db/orders/schema/schema-2", b"{}")
    for call in (files.delete, files.delete_folder, files.make_folder, lambda path: files.move_folder(path, "x")):
        with pytest.raises(ReadOnlyError):
            call("shop.db/orders")


# ---------------------------------------------------------------- what hangs on the table


def test_the_first_contract_about_a_mounted_table_begins_the_registry(tmp_path: Path, source: RememberedSource) -> None:
    store = SchemaStore(tmp_path / "nothing" / "yet", mounts={"shop": source}, actor="ana")
    table = store.table("shop.orders")
    table.register(AMOUNT, consumer="daily", owner="bi")
    table.waive("EXPECT_FIELD_RENAMED", "amount", until="2099-01-01", reason="agreed")
    store.save_policy({"protect": {"jobs": "block"}}, database="shop")
    assert store.registry_id
    again = SchemaStore(tmp_path / "nothing" / "yet", mounts={"shop": source})
    assert [contract.name for contract in again.table("shop.orders").contracts()] == ["daily"]
    assert judge(again, {"shop.orders": "@registered"}, consumer="daily").fits


def test_a_registry_that_is_not_there_is_no_reason_to_let_a_job_go(tmp_path: Path, source: RememberedSource) -> None:
    store = SchemaStore(tmp_path / "nothing", mounts={"shop": source})
    with pytest.raises(StorageError):
        judge(store, {"shop.orders": AMOUNT})


def test_a_registered_job_is_stopped_by_what_a_peer_did(store: SchemaStore, source: RememberedSource) -> None:
    store.table("shop.orders").register(AMOUNT, consumer="daily")
    assert judge(store, {"shop.orders": "@registered"}, consumer="daily").fits
    source.go_to("orders", 1)
    answer = judge(store, {"shop.orders": "@registered"}, consumer="daily")
    assert [finding.rule for finding in answer.reports[0].findings] == ["EXPECT_FIELD_RENAMED"]
    source.go_to("orders", 0)
    assert judge(store, {"shop.orders": "@registered"}, consumer="daily").fits


def test_a_contract_that_does_not_fit_is_not_registered(store: SchemaStore) -> None:
    with pytest.raises(IncompatibleSchemaError):
        store.table("shop.orders").register("nope STRING", consumer="daily")


def test_what_hangs_on_a_table_survives_a_move_of_the_mount(tmp_path: Path, store: SchemaStore, source: RememberedSource) -> None:
    table = store.table("shop.orders")
    table.register(AMOUNT, consumer="daily")
    table.waive("FIELD_DROPPED", "cust_id", until="2099-01-01", reason="agreed")
    digest = table.save_plan(table.plan(["ADD COLUMN coupon STRING"]))
    other = RememberedSource(url="memory://other/shop")
    other.create("orders")
    moved = lake(tmp_path, mounts={"shop": other})
    assert judge(moved, {"shop.orders": "@registered"}, consumer="daily").fits
    assert [waiver.rule for waiver in moved.table("shop.orders").waivers()] == ["FIELD_DROPPED"]
    assert moved.table("shop.orders").saved_plan(digest).changes


# ---------------------------------------------------------------- a description of the same name


def adopted(folder: Path) -> SchemaStore:
    """The same table as it was described before anybody could mount it, with a job."""
    (folder / "data").mkdir()
    store = lake(folder)
    schema = "cust_id BIGINT, order_id BIGINT NOT NULL, amount DECIMAL(10, 2)"
    store.adopt("shop.orders", str(folder / "data"), schema, format="iceberg")
    table = store.table("shop.orders")
    table.register(AMOUNT, consumer="daily", owner="bi")
    table.register("cust_id BIGINT", consumer="weekly", team="crm")
    table.waive("FIELD_DROPPED", "cust_id", until="2099-01-01", reason="agreed")
    table.bind("dt=1", 0)
    return store


def test_a_description_of_the_same_name_is_an_error_that_says_how_to_move_it(tmp_path: Path, source: RememberedSource) -> None:
    adopted(tmp_path)
    store = lake(tmp_path, mounts={"shop": source})
    for call in (store.table("shop.orders").latest, lambda: judge(store, {"shop.orders": AMOUNT}, on_missing="ok")):
        with pytest.raises(SchemaError) as error:
            call()
        assert error.value.code == "mount.adopted-twin"
        assert "airflow-schemas mount shop.orders" in error.value.fix


def test_handing_over_is_first_only_told(tmp_path: Path, source: RememberedSource) -> None:
    adopted(tmp_path)
    before = bytes_of(tmp_path)
    report = hand_over(lake(tmp_path, mounts={"shop": source}), yes=False)
    assert (report.done, report.versions, sorted(report.contracts)) == (False, (0,), ["daily", "weekly (crm)"])
    assert "can be handed over" in str(report)
    assert bytes_of(tmp_path) == before


def test_contracts_stay_and_mean_the_columns_of_their_names(tmp_path: Path, source: RememberedSource) -> None:
    adopted(tmp_path)
    store = lake(tmp_path, mounts={"shop": source})
    assert hand_over(store, yes=True).done
    table = store.table("shop.orders")
    assert table.latest().digest == source.peer["orders"].heads[0].digest
    pins = {registered.consumer: {need.name: need.id for need in registered.contract.columns} for registered in table.registered()}
    assert pins == {"daily": {"order_id": 0, "amount": 2}, "weekly": {"cust_id": 1}}
    assert judge(store, {"shop.orders": "@registered"}, consumer="daily").fits
    assert [waiver.reason for waiver in table.waivers()] == ["agreed"]
    assert table.bindings() == ()
    aside = tmp_path / "lake" / "_schemas" / "handed-over" / "shop" / "orders" / "0"
    assert sorted(folder.name for folder in aside.iterdir()) == ["bindings", "versions"]
    assert (aside / "versions" / "schema" / "schema-0").exists()


def test_a_job_that_the_mounted_table_does_not_fit_is_named_and_stays_stopped(tmp_path: Path, source: RememberedSource) -> None:
    adopted(tmp_path)
    source.go_to("orders", 1)
    store = lake(tmp_path, mounts={"shop": source})
    report = hand_over(store, yes=True)
    assert (report.contracts, [text.split(":")[0] for text in report.unfit]) == (("weekly (crm)",), ["daily"])
    assert not judge(store, {"shop.orders": "@registered"}, consumer="daily").fits


def test_there_is_nothing_to_hand_over_twice(tmp_path: Path, source: RememberedSource) -> None:
    adopted(tmp_path)
    store = lake(tmp_path, mounts={"shop": source})
    hand_over(store, yes=True)
    for kept, code in ((store, "mount.no-twin"), (lake(tmp_path), "mount.not-mounted")):
        with pytest.raises(NotThereError) as error:
            hand_over(kept, yes=True)
        assert error.value.code == code


def test_nothing_is_handed_over_to_a_table_that_is_not_there_or_does_not_answer(tmp_path: Path) -> None:
    adopted(tmp_path)
    before = bytes_of(tmp_path)
    empty = RememberedSource()
    with pytest.raises(NotThereError, match="no table"):
        hand_over(lake(tmp_path, mounts={"shop": empty}), yes=True)
    empty.is_down = True
    with pytest.raises(StorageError):
        hand_over(lake(tmp_path, mounts={"shop": empty}), yes=True)
    assert bytes_of(tmp_path) == before


def hand_over(store: SchemaStore, *, yes: bool) -> HandedOver:

    return mounted_hand_over.hand_over(store, "shop.orders", yes=yes)
