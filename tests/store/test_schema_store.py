"""A store opens what it is given, finds out how it is laid out, and lists its tables with one listing of each root."""

import json
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, ClassVar

import pytest
from fsspec.implementations.dirfs import DirFileSystem
from fsspec.implementations.local import LocalFileSystem
from fsspec.implementations.memory import MemoryFileSystem

from airflow_provider_schemas.errors import AlreadyThereError, FormatError, ReadOnlyError, SchemaError, StorageError, UnsafeStorageError
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.layout.paths import OF_WAREHOUSES, Layout
from airflow_provider_schemas.store.storage.local import LocalFiles
from airflow_provider_schemas.store.storage.remote_files import RemoteFiles
from tests.support.stores import COLUMNS, bytes_of, lake, orders


def memory() -> str:
    """An address in memory that nobody else has."""
    return f"memory://{uuid.uuid4().hex}"


# ---------------------------------------------------------------- addresses


def test_opening_a_store_asks_nothing_of_the_storage(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path / "nowhere/at/all")
    assert store.warehouse.count.snapshot() == store.registry.count.snapshot() == (0, 0, 0)
    assert store.layout is Layout.PAIMON
    assert not (tmp_path / "nowhere").exists()


def test_one_folder_has_many_addresses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    orders(SchemaStore(tmp_path / "lake"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    addresses: list[Any] = [
        tmp_path / "lake", str(tmp_path / "lake"), f"{tmp_path}/lake/", f"{tmp_path}/lake//", f"file://{tmp_path}/lake", f"file://{tmp_path}/lake/",
        f"local://{tmp_path}/lake", "lake", "./lake", Path("lake"), "~/lake", f"{tmp_path}/other/../lake",
    ]  # fmt: skip
    for address in addresses:
        store = SchemaStore(address)
        assert store.url == str(tmp_path / "lake"), address
        assert store.registry.url == str(tmp_path / "lake/_schemas"), address
        assert store.tables("shop") == ("orders",), address


def test_a_relative_address_stays_where_it_was_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = SchemaStore("lake")
    monkeypatch.chdir("/")
    orders(store)
    assert (tmp_path / "lake/shop.db/orders/schema/schema-0").is_file()


def test_the_slashes_of_an_address_without_a_path_stay() -> None:
    for url in ("memory://", "memory:///"):
        assert isinstance(SchemaStore(url).registry, RemoteFiles)
    assert SchemaStore("file:///").registry.url == "/_schemas"
    assert SchemaStore("/").registry.url == "/_schemas"


def test_an_address_that_lost_a_slash_in_a_path_is_told_so() -> None:
    with pytest.raises(StorageError, match="one slash") as error:
        SchemaStore(Path("s3://bucket/lake"))
    assert error.value.fix


@pytest.mark.parametrize("url", ["", "   ", None, 5, b"/tmp", [], {}, object()])
def test_what_is_no_address_is_told_so(url: str) -> None:
    with pytest.raises(SchemaError) as error:
        SchemaStore(url)
    assert error.value.fix


WRONG: list[dict[str, Any]] = [
    {"storage_options": 5}, {"fs": 5}, {"fs": {}}, {"layout": "delta"}, {"layout": 5}, {"registry": 5}, {"team": "../x"}, {"team": 5},
    {"catalog": 5}, {"actor": 5}, {"actor": "\ud800"}, {"registry": "/r", "registry_options": 5},
]  # fmt: skip


@pytest.mark.parametrize("said", WRONG)
def test_what_is_said_of_a_store_is_looked_at_when_it_is_opened(tmp_path: Path, said: dict[str, Any]) -> None:
    with pytest.raises(SchemaError) as error:
        SchemaStore(tmp_path / "lake", **said)
    assert error.value.fix


def test_a_protocol_that_nobody_knows_is_told_when_it_is_asked() -> None:
    store = SchemaStore("nosuch://bucket/lake", layout="paimon")
    with pytest.raises(StorageError, match="nosuch"):
        store.databases()


# ---------------------------------------------------------------- memory, and filesystems that are handed in


@pytest.mark.parametrize("layout", OF_WAREHOUSES)
def test_a_store_in_memory_works_like_one_on_a_disk(layout: Layout) -> None:
    store = SchemaStore(memory(), layout=layout)
    store.create_table("shop.orders", COLUMNS)
    table = store.table("shop.orders")
    assert table.evolve("ADD COLUMN coupon STRING", key="k").number == 1
    assert table.evolve("ADD COLUMN coupon STRING", key="k").outcome == "already applied"
    assert table.create_branch("b1").numbers() == (0, 1)
    assert (store.databases(), store.tables("shop"), table.branches()) == (("shop",), ("orders",), ("b1",))
    table.register("amount DECIMAL(10, 2)", consumer="daily")
    assert store.rename_table("shop.orders", "shop.all", override="agreed with daily").numbers() == (0, 1)
    assert [one.name for one in store.table("shop.all").contracts()] == ["daily"]
    store.drop_table("shop.all", override="x")
    assert store.tables("shop") == ()
    assert store.guarantee() == "exclusive create by lock within the process, proven"


def test_a_store_in_memory_is_safe_among_threads() -> None:
    store = SchemaStore(memory())
    table, start = orders(store), threading.Barrier(16)

    def work(number: int) -> int:
        start.wait()
        return table.evolve(f"ADD COLUMN c{number} INT").number

    with ThreadPoolExecutor(16) as pool:
        assert sorted(pool.map(work, range(16))) == list(range(1, 17))
    assert len(table.schema().fields) == 19


def test_a_filesystem_can_be_handed_in(tmp_path: Path) -> None:
    name = uuid.uuid4().hex
    store = SchemaStore(f"/{name}", fs=MemoryFileSystem())
    orders(store)
    assert SchemaStore(f"memory://{name}").tables("shop") == ("orders",)
    local = SchemaStore(str(tmp_path / "lake"), fs=LocalFileSystem())
    assert isinstance(local.warehouse, LocalFiles)
    orders(local)
    assert SchemaStore(tmp_path / "lake").tables("shop") == ("orders",)


def test_a_storage_that_promises_nothing_is_only_read_unless_one_writes_alone(tmp_path: Path) -> None:
    orders(lake(tmp_path))
    fs = DirFileSystem(str(tmp_path / "lake"), LocalFileSystem())
    store, before = SchemaStore(".", fs=fs), bytes_of(tmp_path)
    assert store.table("shop.orders").latest().number == 0
    with pytest.raises(UnsafeStorageError, match="single_writer"):
        store.table("shop.orders").evolve("ADD COLUMN a INT")
    assert bytes_of(tmp_path) == before
    alone = SchemaStore(".", fs=fs, single_writer=True)
    assert alone.table("shop.orders").evolve("ADD COLUMN a INT").guarantee == alone.guarantee()
    assert alone.guarantee().startswith("single writer")


# ---------------------------------------------------------------- listings


def test_the_tables_of_a_database_are_one_listing_of_each_root_however_many(tmp_path: Path) -> None:
    store = lake(tmp_path)
    for number in range(30):
        (tmp_path / f"lake/shop.db/t{number:02}/schema").mkdir(parents=True)
    store.adopt("shop.z", "s3://b/z", "a INT")
    fresh = lake(tmp_path, layout="paimon")
    assert fresh.tables("shop") == (*(f"t{number:02}" for number in range(30)), "z")
    assert (fresh.warehouse.count.snapshot(), fresh.registry.count.snapshot()) == ((1, 0, 0), (1, 0, 0))


def test_the_tables_of_a_database_that_is_not_there_are_none(tmp_path: Path) -> None:
    assert lake(tmp_path).tables("nowhere") == ()
    assert lake(tmp_path, layout="mini-paimon").tables("nowhere") == ()


def test_what_is_no_database_and_no_table_is_not_listed(tmp_path: Path) -> None:
    orders(store := lake(tmp_path))
    for folder in ("_delta.db", ".hidden.db", "plain", ".db", "shop.db/_tmp", "shop.db/.staging"):
        (tmp_path / "lake" / folder).mkdir()
    (tmp_path / "lake/file.db").write_text("")
    (tmp_path / "lake/shop.db/file").write_text("")
    assert (store.databases(), store.tables("shop")) == (("shop",), ("orders",))


# ---------------------------------------------------------------- layouts that are found out


def made(folder: Path, layout: str, **said: Any) -> SchemaStore:
    store = SchemaStore(folder, layout=layout, **said)
    store.create_table("shop.orders", "a INT, b STRING")
    return store


@pytest.mark.parametrize("layout", OF_WAREHOUSES)
def test_the_layout_of_a_warehouse_that_is_there_is_found_out(tmp_path: Path, layout: Layout) -> None:
    made(tmp_path / "lake", layout)
    store = SchemaStore(tmp_path / "lake")
    assert (store.layout, store.databases(), store.tables("shop")) == (layout, ("shop",), ("orders",))
    assert store.table("shop.orders").schema().names == ("a", "b")


def test_plain_folders_beside_a_registry_are_no_mini_tables(tmp_path: Path) -> None:
    (tmp_path / "lake/events/dt=2026-01-01").mkdir(parents=True)
    SchemaStore(tmp_path / "lake").adopt("web.events", str(tmp_path / "lake/events"), "a INT")
    assert SchemaStore(tmp_path / "lake").layout is Layout.REGISTRY


def test_an_empty_warehouse_will_be_paimons(tmp_path: Path) -> None:
    assert SchemaStore(tmp_path).layout is Layout.PAIMON
    (tmp_path / "README").write_text("x")
    (tmp_path / "_schemas").mkdir()
    assert SchemaStore(tmp_path).layout is Layout.PAIMON


def test_a_mixed_warehouse_is_paimons_unless_it_is_said(tmp_path: Path) -> None:
    made(tmp_path, "paimon")
    SchemaStore(tmp_path, layout="mini-paimon").create_table("mini.t", "a INT")
    assert SchemaStore(tmp_path).layout is Layout.PAIMON
    mini = SchemaStore(tmp_path, layout="mini-paimon")
    assert (mini.tables("mini"), mini.databases()) == (("t",), ("mini",))


def test_a_registry_may_lie_elsewhere(tmp_path: Path) -> None:
    store = made(tmp_path / "lake", "paimon", registry=tmp_path / "registry")
    store.table("shop.orders").register("a INT", consumer="daily")
    store.adopt("web.events", "s3://b/e", "id BIGINT")
    assert {path.split("/")[0] for path in bytes_of(tmp_path)} == {"lake", "registry"}
    assert set(bytes_of(tmp_path / "lake")) == {"shop.db/orders/schema/schema-0"}
    again = SchemaStore(tmp_path / "lake", registry=str(tmp_path / "registry"))
    assert (again.databases(), again.tables("web")) == (("shop", "web"), ("events",))
    assert SchemaStore(tmp_path / "nothing", registry=tmp_path / "registry").layout is Layout.REGISTRY


def test_a_registry_may_lie_on_another_storage(tmp_path: Path) -> None:
    store = made(tmp_path / "lake", "paimon", registry=memory())
    store.table("shop.orders").register("a INT", consumer="daily")
    assert set(bytes_of(tmp_path)) == {"lake/shop.db/orders/schema/schema-0"}
    assert [one.name for one in store.table("shop.orders").contracts()] == ["daily"]


def test_a_name_in_both_roots_is_an_error_at_every_door(tmp_path: Path) -> None:
    made(tmp_path, "paimon")
    made(tmp_path, "registry")
    store = SchemaStore(tmp_path)
    for ask in (
        store.table("shop.orders").latest,
        store.table("shop.orders").exists,
        lambda: store.create_table("shop.orders", "a INT, b STRING"),
    ):
        with pytest.raises(AlreadyThereError) as error:
            ask()
        assert error.value.code == "table.twice"
    assert store.tables("shop") == ("orders",)
    assert SchemaStore(tmp_path, layout="paimon").table("shop.orders").exists()


def test_a_layout_that_nobody_knows_says_which_there_are(tmp_path: Path) -> None:
    with pytest.raises(FormatError) as error:
        SchemaStore(tmp_path, layout="hive")
    assert error.value.fix == "There are paimon, mini-paimon, registry."


# ---------------------------------------------------------------- a storage on which somebody else may overwrite


class Bucket(MemoryFileSystem):  # type: ignore[misc]  # fsspec has no types
    """An object store, as far as the store can tell: conditional writes, under the name of one."""

    protocol = "s3"
    store: ClassVar[dict[str, Any]] = {}
    pseudo_dirs: ClassVar[list[str]] = [""]


OUTSIDE = json.dumps(
    {"version": 3, "id": 1, "fields": [{"id": 0, "name": "a", "type": "INT"}], "highestFieldId": 0, "partitionKeys": [], "primaryKeys": []}
    | {"options": {}, "timeMillis": 1}
)


def in_a_bucket(layout: str, **said: Any) -> SchemaStore:
    store = SchemaStore(f"/{uuid.uuid4().hex}", fs=Bucket(), layout=layout, **said)
    store.create_table("shop.orders", "a INT")
    store.table("shop.orders").place.files.put(f"{store.table('shop.orders').place.folder}/schema/schema-1", OUTSIDE.encode())
    return store


def test_on_an_object_store_a_table_that_somebody_else_wrote_last_is_left_to_them() -> None:
    table = in_a_bucket("paimon").table("shop.orders")
    assert table.plan("ADD COLUMN b INT").changes
    with pytest.raises(ReadOnlyError, match="outside writer") as error:
        table.evolve("ADD COLUMN b INT")
    assert (error.value.code, table.numbers()) == ("store.shared", (0, 1))


def test_on_an_object_store_ours_follow_ours() -> None:
    store = SchemaStore(f"/{uuid.uuid4().hex}", fs=Bucket())
    store.create_table("shop.orders", "a INT")
    done = store.table("shop.orders").evolve("ADD COLUMN b INT")
    assert (done.number, done.guarantee) == (1, "exclusive create by conditional put, proven")


@pytest.mark.parametrize(("layout", "said"), [("paimon", {"single_writer": True}), ("registry", {})])
def test_who_writes_alone_or_in_a_registry_follows_anybody(layout: str, said: dict[str, Any]) -> None:
    assert in_a_bucket(layout, **said).table("shop.orders").evolve("ADD COLUMN b INT").number == 2
