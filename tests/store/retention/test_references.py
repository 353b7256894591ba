"""Which versions are still needed, and by whom: on tables that pypaimon wrote, and as soon as anything cannot be read."""

import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.errors import SchemaError, StorageError
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.layout.paths import Layout
from airflow_provider_schemas.store.paimon import manifest_cache
from airflow_provider_schemas.store.retention.references import References, references
from airflow_provider_schemas.store.storage.files import Files, ListingEntry
from airflow_provider_schemas.store.storage.local import LocalFiles
from tests.support.paimon.made_by_pypaimon import Copy, made
from tests.support.paimon.other_manifests import FORMATS, rewrite_lists

ALL = frozenset({0, 1, 2, 3, 4})


@pytest.fixture(autouse=True)
def forgetful() -> None:
    manifest_cache.forget()


@pytest.fixture
def plain(tmp_path: Path) -> Copy:
    return Copy(tmp_path, "plain")


@pytest.fixture
def branched(tmp_path: Path) -> Copy:
    return Copy(tmp_path, "branched")


def used_as_pypaimon_says(table: str, branch: str = "main") -> frozenset[int]:
    return frozenset(number for one in made().said[table][branch].values() for number in (one["schema"], *one["lists"], *one["files"]))


# ---------------------------------------------------------------- what holds


@pytest.mark.parametrize("table", ["plain", "keyed", "empty", "codec_zstd", "codec_null", "codec_deflate", "codec_bzip2", "codec_xz"])
def test_the_live_versions_are_those_that_pypaimon_uses(tmp_path: Path, table: str) -> None:
    found = Copy(tmp_path, table).references()
    assert found.complete
    assert found.live == used_as_pypaimon_says(table)
    assert found.has_snapshots is (table != "empty")


def test_who_holds_a_version_is_said_in_words(plain: Copy) -> None:
    found = plain.references()
    assert found.held == {
        0: ("snapshot 1", "tag first", "2 data files in 2 manifests", "3 manifest lists"),
        1: ("snapshot 2", "1 data file in 1 manifest", "2 manifest lists"),
        3: ("snapshot 3", "1 data file in 1 manifest", "1 manifest list"),
    }


def test_a_tag_holds_what_its_snapshot_held_when_the_snapshot_is_gone(plain: Copy) -> None:
    for number in (1, 2, 3):
        plain.snapshot_path(number).unlink()
    found = plain.references()
    assert found.held == {0: ("tag first", "1 data file in 1 manifest", "1 manifest list")}
    assert not found.has_snapshots
    (plain.path / "tag" / "tag-first").unlink()
    assert plain.references().everything == ("files in db.db/plain (nobody knows which version)",)


def test_a_file_that_was_deleted_still_holds_its_version(plain: Copy) -> None:
    """Whoever reads an older snapshot, and the manifest itself, needs it."""
    last = plain.snapshot(3)
    for number in (1, 2):
        plain.snapshot_path(number).unlink()
    (plain.path / "tag" / "tag-first").unlink()
    assert last["schemaId"] == 3
    assert 0 in (plain.references().live or ())


def test_a_changelog_that_outlives_its_snapshot_holds_its_versions(plain: Copy) -> None:
    about = plain.snapshot(2)
    about["changelogManifestList"] = about["deltaManifestList"]
    plain.write("changelog/changelog-2", about)
    for number in (1, 2, 3):
        plain.snapshot_path(number).unlink()
    (plain.path / "tag" / "tag-first").unlink()
    (plain.path / "manifest" / about["baseManifestList"]).unlink()  # expired with the snapshot
    found = plain.references()
    assert found.complete
    assert found.held == {1: ("changelog 2", "1 data file in 1 manifest", "1 manifest list")}


def test_statistics_hold_the_version_that_they_were_made_under(plain: Copy) -> None:
    plain.write("statistics/stats-1", {"snapshotId": 3, "schemaId": 2, "mergedRecordCount": 1, "mergedRecordSize": 1, "colStats": {}})
    plain.write("snapshot/snapshot-3", {**plain.snapshot(3), "statistics": "stats-1"})
    assert plain.references().held[2] == ("statistics file stats-1",)


def test_many_snapshots_are_said_in_few_words(plain: Copy) -> None:
    for number in (*range(4, 40), 50):
        plain.write(f"snapshot/snapshot-{number}", {**plain.snapshot(3), "id": number})
    assert plain.references().held[3][0] == "snapshots 3 to 39, 50"
    for number in range(60, 80, 2):
        plain.write(f"snapshot/snapshot-{number}", {**plain.snapshot(3), "id": number})
    assert plain.references().held[3][0] == "snapshots 3 to 39, 50, 60, 62, 64 and 7 more"


# ---------------------------------------------------------------- branches


def test_a_branch_holds_its_own_versions_and_those_of_the_main_branch(branched: Copy) -> None:
    main, branch = branched.references(), branched.references("b1")
    assert branch.live == used_as_pypaimon_says("branched", "b1") == frozenset({0, 1})
    assert branch.held[1] == ("snapshots 2 to 3", "tag middle", "2 data files in 2 manifests", "3 manifest lists")
    assert main.live == ALL  # a fast-forward to b2 would need them
    assert main.held[2] == ("branch b2 was made of it",)
    assert "branch b1: snapshots 2 to 3" in main.held[1]


def test_the_data_of_a_branch_holds_the_versions_of_main_though_it_has_no_copy_of_them(branched: Copy) -> None:
    """Paimon 0.9 copied the newest version only."""
    shutil.rmtree(branched.path / "branch" / "branch-b2")
    (branched.path / "branch" / "branch-b1" / "schema" / "schema-0").unlink()
    assert branched.references().complete
    branch = branched.references("b1")
    assert branch.complete
    assert set(branch.held) == {1}


def test_a_branch_that_cannot_be_read_leaves_main_unknown(branched: Copy) -> None:
    branched.snapshot_path(3, "b1").write_text("{")
    assert branched.references().live is None
    assert branched.references("b2").complete


@pytest.mark.parametrize("layout", [Layout.REGISTRY, Layout.MINI_PAIMON])
def test_branches_hold_versions_in_every_layout(tmp_path: Path, layout: Layout) -> None:
    for path in ("schema/schema-0", "schema/schema-1", "branch/branch-b/schema/schema-0"):
        put(tmp_path / "t" / path)
    found = asked(tmp_path, layout, [0, 1])
    assert found.held == {0: ("branch b was made of it",)}


# ---------------------------------------------------------------- what nobody wrote down


def put(path: Path, data: bytes = b"{}") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def asked(folder: Path, layout: Layout, numbers: Iterable[int], **options: Any) -> References:
    registry = LocalFiles(folder / "registry")
    return references(LocalFiles(folder), "t", TableName("db", "t"), layout=layout, registry=registry, numbers=numbers, **options)


def test_a_folder_of_plain_data_holds_every_version(tmp_path: Path) -> None:
    put(tmp_path / "data" / "dt=1" / "part-0.parquet")
    found = asked(tmp_path, Layout.REGISTRY, [0, 1], locations=[str(tmp_path / "data")], open_location=LocalFiles)
    assert found.everything == (f"files in {tmp_path / 'data'} (nobody knows which version)",)
    assert found.complete
    assert found.live == frozenset({0, 1})


def test_a_folder_without_data_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    found = asked(tmp_path, Layout.REGISTRY, [0, 1], locations=[str(tmp_path / "data")], open_location=LocalFiles)
    assert (found.everything, found.live) == ((), frozenset())


def test_a_folder_that_is_not_there_may_be_on_a_disk_that_is_not_mounted(tmp_path: Path) -> None:
    found = asked(tmp_path, Layout.REGISTRY, [0, 1], locations=[str(tmp_path / "data")], open_location=LocalFiles)
    assert (found.complete, found.live) == (False, None)
    assert found.unreadable == (f"{tmp_path / 'data'}: there is no such folder.",)


def test_a_relative_folder_is_nobody_knows_which(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").mkdir()
    monkeypatch.chdir(tmp_path)
    found = asked(tmp_path, Layout.REGISTRY, [0, 1], locations=["data"], open_location=LocalFiles)
    assert (found.complete, found.live) == (False, None)


def test_a_registry_table_without_a_location_may_have_data_anywhere(tmp_path: Path) -> None:
    assert asked(tmp_path, Layout.REGISTRY, [0, 1]).live == frozenset({0, 1})


def test_a_folder_that_cannot_be_reached_leaves_everything_unknown(tmp_path: Path) -> None:
    def closed(location: str) -> Files:
        raise StorageError(f"{location} cannot be reached.", fix="Check the credentials.")

    found = asked(tmp_path, Layout.REGISTRY, [0], locations=["s3://gone/t"], open_location=closed)
    assert found.live is None
    assert found.unreadable == ("s3://gone/t: s3://gone/t cannot be reached. Check the credentials.",)
    assert asked(tmp_path, Layout.REGISTRY, [0], locations=["s3://gone/t"]).live is None


def test_data_of_mini_paimon_holds_every_version(tmp_path: Path) -> None:
    for path in ("schema/schema-0", "schema/.more-abc", "metadata", ".hidden"):
        put(tmp_path / "t" / path)
    assert asked(tmp_path, Layout.MINI_PAIMON, [0]).live == frozenset()
    put(tmp_path / "t" / "snapshot" / "snapshot-1")
    assert asked(tmp_path, Layout.MINI_PAIMON, [0]).live == frozenset({0})


def test_contracts_and_bindings_hold_the_versions_that_they_name(plain: Copy) -> None:
    found = plain.references(
        contract_holders={2: ["contract daily (team-bi)"]}, binding_holders={2: ["binding dt=1"], 99: ["binding dt=2"]}
    )
    assert found.held[2] == ("contract daily (team-bi)", "binding dt=1")
    assert 99 not in found.held
    assert found.live == frozenset({0, 1, 2, 3})


# ---------------------------------------------------------------- what cannot be read


def of(plain: Copy, what: str) -> Path:
    last = plain.snapshot(3)
    manifest = next(path for path in sorted((plain.path / "manifest").iterdir()) if not path.name.startswith("manifest-list"))
    places: dict[str, Path] = {
        "snapshot": plain.snapshot_path(2),
        "tag": plain.path / "tag" / "tag-first",
        "base list": plain.path / "manifest" / last["baseManifestList"],
        "delta list": plain.path / "manifest" / last["deltaManifestList"],
        "manifest": manifest,
    }
    return places[what]


PARTS = ["snapshot", "tag", "base list", "delta list", "manifest"]


@pytest.mark.parametrize("what", PARTS)
@pytest.mark.parametrize("damage", ["empty", "cut off", "nonsense", "a folder"])
def test_whatever_cannot_be_read_holds_everything_and_is_named(plain: Copy, what: str, damage: str) -> None:
    path = of(plain, what)
    data = path.read_bytes()
    if damage == "a folder":
        path.unlink()
        path.mkdir()
    else:
        path.write_bytes({"empty": b"", "cut off": data[: len(data) // 2], "nonsense": b"\xde\xad" * 40}[damage])
    found = plain.references()
    if damage == "a folder" and what in {"snapshot", "tag"}:
        return  # no file, no snapshot
    assert found.live is None
    assert not found.complete
    assert any(path.name in one for one in found.unreadable)


@pytest.mark.parametrize("what", ["base list", "delta list", "manifest"])
def test_a_manifest_that_is_not_there_holds_everything(plain: Copy, what: str) -> None:
    of(plain, what).unlink()
    found = plain.references()
    assert found.live is None
    assert any("it is not there" in one for one in found.unreadable)


def test_a_version_that_is_named_and_not_there_is_a_sign_that_something_is_wrong(plain: Copy) -> None:
    plain.write("snapshot/snapshot-4", {**plain.snapshot(3), "id": 4, "schemaId": 9})
    found = plain.references()
    assert found.live is None
    assert found.unreadable == ("db.db/plain: snapshot 4 named version 9, which is not there.",)


def test_a_missing_library_is_said_once_and_holds_everything(plain: Copy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastavro", None)
    found = plain.references()
    assert found.live is None
    (one,) = found.unreadable
    assert re.search(r"and \d more: manifests cannot be read without fastavro", one)
    assert "airflow-provider-schemas[paimon]" in one


def test_a_table_without_snapshots_needs_no_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastavro", None)
    assert Copy(tmp_path, "empty").references().live == frozenset()


@given(st.data())
def test_no_damage_makes_a_needed_version_look_free(data: st.DataObject) -> None:
    """Whatever happens to the bytes of one file: everything counts, or what is still said is held."""
    manifest_cache.forget()
    with tempfile.TemporaryDirectory() as folder:
        table = Copy(Path(folder), "codec_zstd")
        path = data.draw(st.sampled_from(sorted(path for path in table.path.rglob("*") if path.parent.name in {"snapshot", "manifest"})))
        if path.name in {"EARLIEST", "LATEST"}:
            return
        before = path.read_bytes()
        kind = data.draw(st.sampled_from(["cut", "longer", "nothing"]))
        cut = data.draw(st.integers(0, max(0, len(before) - 1)))
        path.write_bytes({"cut": before[:cut], "longer": before + before[-cut - 1 :], "nothing": bytes(len(before))}[kind])
        found = table.references()
        assert found.live is None or (found.live >= used_as_pypaimon_says("codec_zstd") and path.read_bytes().strip() == before.strip())


# ---------------------------------------------------------------- others at work


class Busy:
    """Files of a table at which an engine works: before the n-th reading of several files it does something."""

    def __init__(self, files: LocalFiles, actions: Mapping[int, Any]) -> None:
        self._files, self._actions, self._calls = files, actions, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._files, name)

    def read_many(self, paths: Iterable[str], limit: int = 2**26) -> Mapping[str, bytes | SchemaError]:
        self._calls += 1
        if self._calls in self._actions:
            self._actions[self._calls]()
        return self._files.read_many(paths, limit)


def busy(table: Copy, actions: Mapping[int, Any]) -> References:
    files: Any = Busy(table.files, actions)
    registry = table.registry
    return references(files, table.folder, table.name, layout=Layout.PAIMON, registry=registry, numbers=table.numbers())


def test_a_snapshot_that_expires_between_listing_and_reading_is_no_trouble(plain: Copy) -> None:
    found = busy(plain, {1: plain.snapshot_path(2).unlink})
    assert found.complete
    assert "snapshot 2" not in found.held.get(1, ())


def test_a_snapshot_that_expires_with_its_manifests_is_no_trouble(plain: Copy) -> None:
    def expire() -> None:
        about = plain.snapshot(2)
        plain.snapshot_path(2).unlink()
        (plain.path / "manifest" / about["deltaManifestList"]).unlink()

    found = busy(plain, {2: expire})
    assert found.complete
    assert found.live == frozenset({0, 1, 3})


def test_a_snapshot_that_becomes_a_tag_meanwhile_is_still_found(plain: Copy) -> None:
    def tag() -> None:
        (plain.path / "tag" / "tag-late").write_text(json.dumps(plain.snapshot(2)))
        plain.snapshot_path(2).unlink()

    assert "tag late" in busy(plain, {1: tag}).held[1]


def test_manifests_that_go_again_and_again_while_they_are_named_are_unreadable(plain: Copy) -> None:
    path = of(plain, "delta list")
    assert busy(plain, {2: path.unlink}).live is None


def test_a_folder_that_cannot_be_listed_holds_everything(plain: Copy) -> None:
    class Closed(Busy):
        def list(self, folder: str) -> list[ListingEntry]:
            if folder.endswith("tag"):
                raise StorageError("access denied.", path=folder, fix="Ask for access.")
            return self._files.list(folder)

    files: Any = Closed(plain.files, {})
    found = references(files, plain.folder, plain.name, layout=Layout.PAIMON, registry=plain.registry, numbers=plain.numbers())
    assert found.unreadable == ("db.db/plain/tag: access denied. Ask for access.",)


def test_no_folder_is_listed_twice_and_nothing_is_probed(plain: Copy) -> None:
    numbers = plain.numbers()
    lists, gets, _ = plain.files.count.snapshot()
    plain.references(numbers=numbers)
    manifests = len(list((plain.path / "manifest").iterdir()))
    assert plain.files.count.lists - lists == 4  # snapshots, changelogs, tags, branches
    assert plain.files.count.gets - gets == 4 + manifests


def test_a_version_that_a_branch_made_by_itself_holds_none_of_its_number_on_main(tmp_path: Path) -> None:
    put(tmp_path / "t" / "schema/schema-0")
    put(tmp_path / "t" / "branch/branch-b/schema/schema-0")
    for path, text in (("schema/schema-1", "main's"), ("branch/branch-b/schema/schema-1", "the branch's")):
        put(tmp_path / "t" / path)
        (tmp_path / "t" / path).write_text(text)
    assert asked(tmp_path, Layout.REGISTRY, [0, 1]).held == {0: ("branch b was made of it",)}


@pytest.mark.parametrize("kind", FORMATS)
def test_manifests_in_another_format_hold_everything_and_are_called_healthy(plain: Copy, kind: str) -> None:
    rewrite_lists(plain.path, kind)
    found = plain.references()
    assert (found.complete, found.live) == (False, None)
    assert found.unreadable
    assert [one for one in found.unreadable if f"manifest.format={kind}" not in one or "The table is healthy" not in one] == []
    assert not any("backup" in one or "expire the snapshots" in one for one in found.unreadable)
