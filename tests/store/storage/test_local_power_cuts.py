"""What was acknowledged is there after a power cut: bytes, names, and the folders above them are on the disk before the answer."""

import errno
import os
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.errors import StorageError
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.layout.paths import DEFAULT_REGISTRY
from airflow_provider_schemas.store.storage import local
from airflow_provider_schemas.store.table import Table
from tests.store.support.power_cut import Disk

LAYOUTS = ("paimon", "mini-paimon", "registry")
FOLDERS = {"paimon": "db.db/t/schema", "mini-paimon": "db/t/schema", "registry": f"{DEFAULT_REGISTRY}/db.db/t/schema"}


@pytest.fixture(params=LAYOUTS)
def layout(request: pytest.FixtureRequest) -> str:
    """The same test with each layout."""
    found: str = request.param
    return found


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Disk:
    """A disk that holds one empty folder. What a test patches besides is undone by the same hand, before the disk is."""
    folder = tmp_path / "disk"
    folder.mkdir()
    return Disk(folder, monkeypatch)


def store_on(disk: Disk, layout: str) -> SchemaStore:
    return SchemaStore(disk.folder / "lake", layout=layout, actor="ana")


def store_after(disk: Disk, layout: str, tmp_path: Path) -> SchemaStore:
    return SchemaStore(disk.after_power_cut(tmp_path / "later") / "lake", layout=layout)


# ---------------------------------------------------------------- commits


def test_an_acknowledged_version_survives(disk: Disk, layout: str, tmp_path: Path) -> None:
    store = store_on(disk, layout)
    made = store.create_table("db.t", "id BIGINT")
    assert (disk.lost(), disk.too_early) == ([], [])
    changed = store.table("db.t").evolve("ADD COLUMN a STRING")
    assert (disk.lost(), disk.too_early) == ([], [])
    survivors = store_after(disk, layout, tmp_path).table("db.t").versions()
    assert [version.digest for version in survivors] == [made.digest, changed.digest]
    assert survivors[1].schema == changed.schema
    assert survivors[1].provenance is not None


def test_the_calls_of_a_commit_come_in_this_order(disk: Disk) -> None:
    store_on(disk, "paimon").create_table("db.t", "id BIGINT")
    id_of_registry = [*["mkdir", "sync folder"] * 2, "sync file", "link", "sync folder"]
    assert disk.calls == [*id_of_registry, *["mkdir", "sync folder"] * 3, "sync file", "link", "sync folder"]
    disk.calls.clear()
    store_on(disk, "paimon").table("db.t").evolve("ADD COLUMN a STRING")
    assert [call for call in disk.calls if call != "link"] == ["sync file", "sync folder"]


def test_what_stands_beside_a_version_is_on_the_disk_before_the_version_is(disk: Disk) -> None:
    """Without it the version would be read as that of an outside writer, and lose what its file cannot hold."""
    store = store_on(disk, "mini-paimon")
    store.create_table("db.t", "id BIGINT")
    store.table("db.t").evolve("ADD COLUMN a STRING")
    for number in (0, 1):
        path = f"lake/{FOLDERS['mini-paimon']}/schema-{number}"
        digest = store.table("db.t").version(number).digest
        assert f"lake/{FOLDERS['mini-paimon']}/.more-{digest}" in disk.at_names[path]


def test_a_power_cut_before_the_name_leaves_the_version_before(disk: Disk, layout: str) -> None:
    store = store_on(disk, layout)
    store.create_table("db.t", "id BIGINT")
    store.table("db.t").evolve("ADD COLUMN a STRING")
    before = disk.at_names[f"lake/{FOLDERS[layout]}/schema-1"]
    assert f"lake/{FOLDERS[layout]}/schema-0" in before
    assert f"lake/{FOLDERS[layout]}/schema-1" not in before


def test_a_database_without_tables_survives(disk: Disk, layout: str) -> None:
    store_on(disk, layout).create_database("db")
    assert disk.calls == ["mkdir", "sync folder"] * (3 if layout == "registry" else 2)


# ---------------------------------------------------------------- whatever else is acknowledged

Deed = Callable[[SchemaStore, Table], Any]
DEEDS: dict[str, Deed] = {
    "a contract": lambda _, table: table.register("id BIGINT", consumer="job", team="team"),
    "a contract that waits": lambda _, table: table.register("x BIGINT", consumer="job", pending=True),
    "a contract that is seen again": lambda _, table: [table.register("id BIGINT", consumer="job") for _ in range(2)],
    "a contract that is removed": lambda _, table: [table.register("id BIGINT", consumer="job"), table.remove_contract("job")],
    "a waiver": lambda _, table: table.waive("FIELD_DROPPED", until="2099-01-01", reason="agreed"),
    "a plan": lambda _, table: table.save_plan(table.plan("ADD COLUMN b STRING")),
    "a plan that is applied": lambda _, table: table.apply(table.plan("ADD COLUMN b STRING")),
    "a binding": lambda _, table: table.bind("dt=1", 0),
    "a branch": lambda _, table: table.create_branch("next"),
    "a version that is restored": lambda _, table: table.restore(0, override="a test"),
    "a policy": lambda store, _: store.save_policy(Policy(), name="mine"),
    "a policy of a database": lambda store, _: store.save_policy(Policy(), database="db"),
    "a table whose data lie elsewhere": lambda store, _: store.adopt("db.u", "/data/u", "id BIGINT"),
    "a table with another name": lambda store, _: store.rename_table("db.t", "other.u"),
    "a table that is dropped": lambda store, _: store.drop_table("db.t"),
    "what the manifests say": lambda _, table: table.references(),
    "what may expire": lambda _, table: table.expire(timedelta(0), dry_run=False),
}


@pytest.mark.parametrize("deed", DEEDS)
def test_whatever_else_is_acknowledged_survives(disk: Disk, layout: str, deed: str) -> None:
    store = store_on(disk, layout)
    store.create_table("db.t", "id BIGINT")
    store.table("db.t").evolve("ADD COLUMN a STRING")
    DEEDS[deed](store, store.table("db.t"))
    assert (disk.lost(), disk.too_early) == ([], [])
    if "expire" not in deed:
        assert disk.returned() == []


# ---------------------------------------------------------------- a disk that does not sync


def failing_sync(disk: Disk, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    """Let every sync of a folder fail from now on."""
    sync = os.fsync

    def failed(handle: int) -> None:
        if Path(disk.path_of(handle)).is_dir():
            raise OSError(code, os.strerror(code))
        sync(handle)

    monkeypatch.setattr(os, "fsync", failed)


@pytest.mark.parametrize("code", [errno.EIO, errno.ENOSPC, errno.EDQUOT])
def test_a_name_that_the_disk_does_not_confirm_is_not_acknowledged(
    disk: Disk, layout: str, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = store_on(disk, layout)
    store.create_table("db.t", "id BIGINT")
    link = os.link

    def linked(source: str, target: str, **also: Any) -> None:
        link(source, target, **also)
        if target.endswith("schema-1"):
            failing_sync(disk, monkeypatch, code)

    monkeypatch.setattr(os, "link", linked)
    with pytest.raises(StorageError) as unconfirmed:
        store.table("db.t").evolve("ADD COLUMN a STRING", key="k")
    assert unconfirmed.value.code == "storage.unclear"
    assert "with the same key" in unconfirmed.value.fix
    # What stands beside the version stays: the version may be there.
    assert store_on(disk, layout).table("db.t").latest().provenance is not None


@pytest.mark.parametrize("code", [errno.EINVAL, errno.ENOTSUP, errno.EBADF])
def test_a_file_system_that_syncs_no_folders_is_written_to(disk: Disk, layout: str, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    failing_sync(disk, monkeypatch, code)
    store = store_on(disk, layout)
    store.create_table("db.t", "id BIGINT")
    assert store.table("db.t").evolve("ADD COLUMN a STRING").number == 1


# ---------------------------------------------------------------- that the disk of these tests notices


def test_bytes_that_were_not_synced_are_noticed(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    sync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda handle: sync(handle) if Path(disk.path_of(handle)).is_dir() else None)
    store_on(disk, "paimon").create_table("db.t", "id BIGINT")
    files = ["lake/_schemas/registry-id.json", f"lake/{FOLDERS['paimon']}/schema-0"]
    assert (disk.too_early, disk.lost()) == (files, files)


@pytest.mark.parametrize("forgotten", ["", "lake", "lake/db.db", "lake/db.db/t", FOLDERS["paimon"]])
def test_a_folder_that_was_not_synced_is_noticed(disk: Disk, forgotten: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sync, folder = os.fsync, str(disk.folder / "lake" / forgotten) if forgotten.startswith("db") else str(disk.folder / forgotten)
    monkeypatch.setattr(os, "fsync", lambda handle: None if disk.path_of(handle) == folder else sync(handle))
    store_on(disk, "paimon").create_table("db.t", "id BIGINT")
    assert disk.lost()[-1] == f"lake/{FOLDERS['paimon']}/schema-0"


def test_a_folder_that_somebody_else_makes_at_the_same_moment_is_synced_as_well(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    make = os.mkdir

    def made_by_both(path: str, *more: Any) -> None:
        make(path, *more)
        make(path, *more)

    monkeypatch.setattr(os, "mkdir", made_by_both)
    files = local.LocalFiles(disk.folder / "lake")
    files.create("a/b/x", b"1")
    assert disk.lost() == []


def test_a_file_where_a_folder_should_be_stays_and_is_told(disk: Disk) -> None:
    files = local.LocalFiles(disk.folder)
    files.put("a", b"1")
    with pytest.raises(StorageError):
        files.put("a/b/x", b"1")
    with pytest.raises(StorageError):
        files.make_folder("a")
    assert files.read("a") == b"1"
