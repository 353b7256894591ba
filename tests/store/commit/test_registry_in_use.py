"""Roots that are not there, and registries that are not the one that is meant: an error, and never an empty store."""

import json
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core import Contract, Policy, TableSchema
from airflow_provider_schemas.errors import FormatError, NotThereError, StorageError
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.check_tables import judge
from airflow_provider_schemas.store.commit import registry_in_use
from airflow_provider_schemas.store.layout.paths import REGISTRY_ID
from airflow_provider_schemas.store.registry import registry_id
from airflow_provider_schemas.store.storage.object_storage import open_files
from airflow_provider_schemas.store.table_state import Subject
from tests.store.support.backends import Backend
from tests.support.stores import COLUMNS, bytes_of

GONE = ("moved away", "an empty folder", "a file", "a link to nothing")


def store_in(folder: Path, **said: Any) -> SchemaStore:
    """A warehouse with a registry on a disk of its own."""
    return SchemaStore(folder / "lake", registry=folder / "registry", actor="ana", **said)


def held(folder: Path) -> SchemaStore:
    """The same with a table whose policy forbids much, and whose second version a job holds."""
    store = store_in(folder)
    store.create_table("shop.orders", COLUMNS)
    store.save_policy({"name": "default", "protect": "FULL_TRANSITIVE"})
    table = store.table("shop.orders")
    table.evolve("ADD COLUMN a INT")
    table.register("cust_id BIGINT", consumer="job")
    return store


def lose(folder: Path, how: str) -> None:
    """Take a folder away, as a disk that is not mounted."""
    folder.rename(folder.with_name(f"{folder.name}-elsewhere"))
    if how == "an empty folder":
        folder.mkdir()
    if how == "a file":
        folder.write_text("")
    if how == "a link to nothing":
        folder.symlink_to(folder.with_name("nothing"))


def doors(store: SchemaStore) -> dict[str, Callable[[], object]]:
    """All that relies on the registry of a table."""
    table = store.table("shop.orders")
    return {
        "evolve": lambda: table.evolve("DROP COLUMN cust_id", override="x"),
        "unchanged": lambda: table.evolve("ADD COLUMN a INT"),
        "plan": lambda: table.plan("DROP COLUMN cust_id"),
        "restore": lambda: table.restore(0, override="x"),
        "restore_plan": lambda: table.restore_plan(0),
        "expire": lambda: table.expire(timedelta(0), dry_run=False),
        "expire dry": lambda: table.expire(timedelta(0)),
        "references": table.references,
        "contracts": table.contracts,
        "policy": table.policy,
        "waivers": table.waivers,
        "bindings": table.bindings,
        "drop": lambda: store.drop_table("shop.orders"),
        "rename": lambda: store.rename_table("shop.orders", "shop.bookings"),
        "create": lambda: store.create_table("shop.second", "id INT"),
        "register": lambda: table.register("cust_id BIGINT", consumer="another"),
        "remove_contract": lambda: table.remove_contract("job"),
        "waive": lambda: table.waive("FIELD_DROPPED", until="2099-01-01", reason="x"),
        "bind": lambda: table.bind("/data/dt=1", 0),
        "create_branch": lambda: table.create_branch("side"),
        "adopt": lambda: store.adopt("shop.adopted", "/data/adopted", "id INT"),
        "save_policy": lambda: store.save_policy({"name": "default"}, override="x"),
        "judge": lambda: judge(store, {"shop.orders": "cust_id BIGINT"}),
        "judge registered": lambda: judge(store, {"shop.orders": "@registered"}, consumer="job"),
        "judge what is missing": lambda: judge(store, ["shop.nothing"], on_missing="warn"),
    }


@pytest.mark.parametrize("how", GONE)
def test_a_registry_that_is_not_mounted_stops_every_door(tmp_path: Path, how: str) -> None:
    held(tmp_path)
    lose(tmp_path / "registry", how)
    before = bytes_of(tmp_path)
    for name, door in doors(store_in(tmp_path)).items():
        with pytest.raises(StorageError) as error:
            door()
        assert error.value.fix, name
        assert not isinstance(error.value, NotThereError), name
        assert bytes_of(tmp_path) == before, name
    assert not (tmp_path / "registry" / REGISTRY_ID).exists()


def test_another_registry_is_told_from_the_one_that_versions_name(tmp_path: Path) -> None:
    mine = held(tmp_path).registry_id
    other = SchemaStore(tmp_path / "other", registry=tmp_path / "second")
    other.create_table("a.b", "id INT")
    before = bytes_of(tmp_path)
    for name, door in doors(SchemaStore(tmp_path / "lake", registry=tmp_path / "second")).items():
        with pytest.raises(StorageError) as error:
            door()
        assert mine in str(error.value), name
        assert other.registry_id in str(error.value), name
        assert "registry_id=" in error.value.fix, name
        assert bytes_of(tmp_path) == before, name


@pytest.mark.parametrize("how", [one for one in GONE if one != "an empty folder"])
def test_a_warehouse_that_is_not_there_is_no_empty_one(tmp_path: Path, how: str) -> None:
    held(tmp_path)
    lose(tmp_path / "lake", how)
    before = bytes_of(tmp_path)
    store = store_in(tmp_path)
    for door in (store.databases, lambda: store.tables("shop"), lambda: store.exists("shop.orders"), *doors(store).values()):
        with pytest.raises(StorageError):
            door()
    assert bytes_of(tmp_path) == before


def test_the_store_that_saw_a_warehouse_does_not_begin_it_anew(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path / "lake")
    store.create_table("shop.orders", COLUMNS)
    lose(tmp_path / "lake", "moved away")
    with pytest.raises(StorageError):
        store.create_table("shop.orders", COLUMNS)
    assert not (tmp_path / "lake").exists()


def test_the_first_table_makes_a_warehouse_and_says_so(tmp_path: Path) -> None:
    made = store_in(tmp_path).create_table("shop.orders", COLUMNS)
    assert made.notes[0] == f"new warehouse at {tmp_path / 'lake'}"
    assert (tmp_path / "registry" / REGISTRY_ID).exists()
    assert store_in(tmp_path).create_table("shop.second", COLUMNS).notes == ()


def test_whoever_names_a_registry_begins_no_warehouse(tmp_path: Path) -> None:
    known = held(tmp_path).registry_id
    store_in(tmp_path, registry_id=known).create_table("shop.second", "id INT")
    lose(tmp_path / "lake", "an empty folder")
    store = store_in(tmp_path, registry_id=known)
    for door in (lambda: store.create_table("shop.orders", COLUMNS), lambda: judge(store, ["shop.orders"], on_missing="warn")):
        with pytest.raises(StorageError, match="nothing is in"):
            door()
    for root in (tmp_path / "nowhere", tmp_path / "lake"):
        with pytest.raises(StorageError):
            SchemaStore(root, registry_id=known).create_table("shop.orders", COLUMNS)
    assert not (tmp_path / "nowhere").exists()
    with pytest.raises(FormatError):
        SchemaStore(tmp_path, registry_id="no id\n")


def test_a_second_registry_that_is_named_counts_and_does_not_take_the_place_of_the_first(tmp_path: Path) -> None:
    first = held(tmp_path)
    other = SchemaStore(tmp_path / "other", registry=tmp_path / "second")
    other.create_table("a.b", "id INT")
    second = SchemaStore(tmp_path / "lake", registry=tmp_path / "second", registry_id=other.registry_id)
    assert judge(second, {"shop.orders": "cust_id BIGINT"}).registry == other.registry_id
    assert second.table("shop.orders").evolve("ADD COLUMN b INT").number == 2
    assert first.table("shop.orders").evolve("ADD COLUMN c INT").number == 3


def test_each_version_names_the_registry_and_says_the_same_without_it(tmp_path: Path) -> None:
    store = held(tmp_path)
    versions = store.table("shop.orders").versions()
    assert {one.provenance.registry for one in versions if one.provenance} == {store.registry_id}
    assert versions[0].schema.digest == TableSchema.create(COLUMNS).digest
    assert not any(key.startswith("schemas.") for key in versions[0].schema.options)


def test_what_an_engine_writes_names_no_registry_and_the_version_before_it_does(tmp_path: Path) -> None:
    held(tmp_path)
    folder = tmp_path / "lake/shop.db/orders/schema"
    said = json.loads((folder / "schema-1").read_text())
    del said["schemas"]
    for number in range(2, 9):
        (folder / f"schema-{number}").write_text(json.dumps({**said, "id": number}))
    assert judge(store_in(tmp_path), {"shop.orders": "cust_id BIGINT"}).fits
    lose(tmp_path / "registry", "an empty folder")
    with pytest.raises(StorageError):
        judge(store_in(tmp_path), {"shop.orders": "cust_id BIGINT"})


def test_a_store_of_an_older_release_goes_on_and_its_first_writer_adopts_the_registry(tmp_path: Path) -> None:
    store = held(tmp_path)
    for version in (tmp_path / "lake/shop.db/orders/schema").iterdir():
        said = json.loads(version.read_text())
        del said["schemas"]["registry"]
        version.write_text(json.dumps(said))
    (tmp_path / "registry" / REGISTRY_ID).unlink()
    store = store_in(tmp_path)
    judged = judge(store, {"shop.orders": "cust_id BIGINT"})
    assert (judged.fits, judged.registry) == (True, "")
    assert any("registry: none" in note for note in judged.tables[0].report.notes)
    assert [one.name for one in store.table("shop.orders").contracts()] == ["job"]
    store.table("shop.orders").evolve("ADD COLUMN b INT")
    again = judge(store, {"shop.orders": "cust_id BIGINT"})
    assert again.registry == store.registry_id != ""
    assert not any("registry:" in note for note in again.tables[0].report.notes)


def beside_an_old_table(folder: Path) -> SchemaStore:
    """The held table as an older release wrote it, beside one that names the registry, which is not mounted any more."""
    held(folder)
    for version in (folder / "lake/shop.db/orders/schema").iterdir():
        said = json.loads(version.read_text())
        del said["schemas"]["registry"]
        version.write_text(json.dumps(said))
    store_in(folder).create_table("shop.zebras", "id INT")
    assert judge(store_in(folder), {"shop.orders": "cust_id BIGINT"}).fits
    lose(folder / "registry", "an empty folder")
    return store_in(folder)


def test_a_table_that_names_no_registry_goes_with_that_of_its_neighbours(tmp_path: Path) -> None:
    store = beside_an_old_table(tmp_path)
    before = bytes_of(tmp_path)
    for name, door in doors(store).items():
        with pytest.raises(StorageError) as error:
            door()
        assert error.value.code == "registry.missing", name
        assert bytes_of(tmp_path) == before, name


@pytest.mark.parametrize("on_missing", ["fail", "warn", "ok"])
@pytest.mark.parametrize("others", [[], ["shop.orders"]])
def test_an_adopted_table_is_not_missing_while_its_registry_is(tmp_path: Path, on_missing: str, others: list[str]) -> None:
    store = held(tmp_path)
    store.adopt("far.adopted", str(tmp_path / "data"), "id INT", unchecked="x")
    lose(tmp_path / "registry", "an empty folder")
    with pytest.raises(StorageError):
        judge(store_in(tmp_path), ["far.adopted", *others], on_missing=on_missing)
    with pytest.raises(StorageError):
        store_in(tmp_path).drop_table("far.adopted", if_exists=True)


def test_a_neighbour_that_cannot_be_read_just_now_lets_no_id_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = beside_an_old_table(tmp_path)
    failing = StorageError("the disk is slow", code="storage.unreachable", path="x", fix="Try again.")

    def passing(_: Subject) -> None:
        raise failing

    monkeypatch.setattr(Subject, "latest", passing)
    with pytest.raises(StorageError):
        registry_in_use.give_id(store.table("shop.orders").subject.roots, "shop")
    assert not (tmp_path / "registry" / REGISTRY_ID).exists()


def test_a_neighbour_that_nobody_may_read_stops_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    roots = beside_an_old_table(tmp_path).table("shop.orders").subject.roots

    def forbidden(_: Subject) -> None:
        raise StorageError("this is forbidden", code="storage.forbidden", path="x", fix="Ask for it.")

    monkeypatch.setattr(Subject, "latest", forbidden)
    assert registry_in_use.give_id(roots, "shop") == registry_id.read(roots.registry) != ""


def test_many_tables_that_name_no_registry_hide_none_that_does(tmp_path: Path) -> None:
    store = beside_an_old_table(tmp_path)
    folder = tmp_path / "lake/shop.db"
    for number in range(40):
        shutil.copytree(folder / "orders", folder / f"orders{number}")
    with pytest.raises(StorageError):
        store.table("shop.orders").evolve("ADD COLUMN b INT")
    with pytest.raises(StorageError):
        store.drop_table("shop.orders", override="x")
    assert not (tmp_path / "registry" / REGISTRY_ID).exists()


def test_where_some_tables_name_the_registry_a_first_version_may_come(tmp_path: Path) -> None:
    held(tmp_path)
    other = SchemaStore(tmp_path / "other", registry=tmp_path / "second")
    other.create_table("a.b", "id INT")
    second = SchemaStore(tmp_path / "lake", registry=tmp_path / "second", registry_id=other.registry_id)
    second.create_table("shop.a_second", "id INT")
    assert store_in(tmp_path).create_table("shop.third", "id INT").number == 0


def test_an_id_that_nobody_can_read_is_an_error(tmp_path: Path) -> None:
    store = held(tmp_path)
    for text in ("", "[]", '{"id": 1}', '{"id": "a/b"}', "\xff"):
        (tmp_path / "registry" / REGISTRY_ID).write_bytes(text.encode("latin-1"))
        with pytest.raises(StorageError):
            judge(store, {"shop.orders": "cust_id BIGINT"})


def test_a_copy_of_a_registry_is_that_registry(tmp_path: Path) -> None:
    held(tmp_path)
    shutil.copytree(tmp_path / "registry", tmp_path / "moved")
    store = SchemaStore(tmp_path / "lake", registry=tmp_path / "moved")
    assert [one.name for one in store.table("shop.orders").contracts()] == ["job"]


def test_of_many_who_come_first_all_name_one_registry(backend: Backend) -> None:
    if backend.kind == "local":
        assert backend.store().registry_id == ""
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda number: backend.store().create_table(f"db.t{number}", "id INT"), range(8)))
    assert {one.provenance.registry for one in made if one.provenance} == {backend.store().registry_id}
    records = [path for path, one in backend.files().walk("_schemas") if one.name == REGISTRY_ID]
    assert records == [f"_schemas/{REGISTRY_ID}"]


def test_a_bucket_that_nobody_made_is_an_error_whatever_a_missing_table_means(stored: Backend) -> None:
    store = SchemaStore(stored.nowhere, storage_options=stored.options)
    for door in (store.databases, lambda: judge(store, ["a.b"], on_missing="warn"), lambda: store.create_table("a.b", "id INT")):
        with pytest.raises(StorageError):
            door()


def test_a_prefix_with_nothing_in_it_is_a_new_warehouse(stored: Backend) -> None:
    assert stored.store().databases() == ()
    assert not judge(stored.store(), ["a.b"], on_missing="fail").fits
    assert stored.store().create_table("a.b", "id INT").number == 0


def test_a_registry_whose_id_went_is_found_out_on_every_storage(backend: Backend) -> None:
    backend.store().create_table("a.b", "id INT")
    open_files(f"{backend.url}/_schemas", storage_options=backend.options).delete(REGISTRY_ID)
    with pytest.raises(StorageError):
        judge(backend.store(), {"a.b": "id INT"})
    with pytest.raises(StorageError):
        backend.store().create_table("a.second", "id INT")


def test_making_an_id_twice_gives_the_first(tmp_path: Path) -> None:
    files = open_files(tmp_path / "registry")
    made = registry_id.make(files)
    assert (registry_id.make(files), registry_id.read(files)) == (made, made)


def test_a_policy_or_a_contract_may_come_before_the_first_table(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    store.save_policy(Policy(name="default"))
    store.table("a.b").register(Contract.of({"columns": "id INT"}, name="job"), consumer="job", pending=True)
    assert store.create_table("a.b", "id INT").number == 0
