"""Which metadata file of a folder is current: the highest number is not, unless nobody else can have it."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import StorageError
from airflow_provider_schemas.store import IcebergMount
from airflow_provider_schemas.store.storage.errors import passing
from airflow_provider_schemas.store.storage.local import LocalFiles
from tests.store.mounts.iceberg.support.lakes import NAMESPACE, Lake, metadata_files, names


def hints(look: Any) -> set[str]:
    return {finding.fault for finding in look.findings()}


def left_behind(lake: Lake, number: int, column: str, *, later: bool) -> Path:
    """The metadata of a writer that lost the race for a number."""
    winner = metadata_files(lake.folder)[number]
    content = json.loads(winner.read_text())
    content["schemas"][-1]["fields"][1]["name"] = column
    content["last-updated-ms"] += 1 if later else -1
    loser = winner.with_name(f"{winner.name[:5]}-ffffffff-0000-4000-8000-00000000000{number}.metadata.json")
    loser.write_text(json.dumps(content))
    return loser


def rename(lake: Lake, old: str, new: str) -> None:
    lake.change(lambda update: update.rename_column(old, new))


def test_a_loser_that_somebody_has_overtaken_is_not_the_head(folder: Lake) -> None:
    folder.create()
    rename(folder, "cust", "winner")
    left_behind(folder, 1, "loser", later=True)
    rename(folder, "winner", "newest")
    assert names(folder.look())[1] == "newest"
    assert hints(folder.look()) == {"iceberg.head-by-listing"}


@pytest.mark.parametrize("later", [True, False])
def test_two_files_that_may_both_be_the_head_and_differ_are_no_answer(folder: Lake, later: bool) -> None:
    folder.create()
    rename(folder, "cust", "winner")
    left_behind(folder, 1, "loser", later=later)
    with pytest.raises(StorageError) as caught:
        folder.mount.look("orders")
    assert caught.value.code == "mount.ambiguous-head"
    assert "catalog" in caught.value.fix


def test_two_files_with_the_same_schema_are_one_answer(folder: Lake) -> None:
    folder.create()
    rename(folder, "cust", "winner")
    left_behind(folder, 1, "winner", later=True)
    assert names(folder.look())[1] == "winner"


@pytest.mark.parametrize("text", ["{number}", "v{number}", "{stem}", "{name}", "{number}\n"])
def test_a_hint_settles_it(folder: Lake, text: str) -> None:
    folder.create()
    rename(folder, "cust", "first")
    rename(folder, "first", "second")
    place = metadata_files(folder.folder)[1]
    hint = text.format(number=1, name=place.name, stem=place.name.removesuffix(".metadata.json"))
    (place.parent / "version-hint.text").write_text(hint)
    look = folder.look()
    assert (names(look)[1], look.findings()) == ("first", ())


@pytest.mark.parametrize("text", ["", "77", "nothing", "\xff", "9" * 4_000])
def test_a_hint_that_names_no_file_settles_nothing(folder: Lake, text: str) -> None:
    folder.create()
    rename(folder, "cust", "first")
    (Path(folder.folder) / "orders" / "metadata" / "version-hint.text").write_text(text)
    assert (names(folder.look())[1], hints(folder.look())) == ("first", {"iceberg.head-by-listing"})


def test_a_hint_that_moves_is_noticed(folder: Lake) -> None:
    folder.create()
    rename(folder, "cust", "first")
    hint = Path(folder.folder) / "orders" / "metadata" / "version-hint.text"
    hint.write_text("0")
    look = folder.look()
    hint.write_text("1")
    assert (look.head, folder.look(known=look).head) == (0, 1)


def test_of_the_names_that_nobody_else_can_have_the_highest_is_the_head(folder: Lake, tmp_path: Path) -> None:
    folder.create()
    for old, new in (("cust", "a"), ("a", "b")):
        rename(folder, old, new)
    place = tmp_path / "hadoop" / "orders" / "metadata"
    place.mkdir(parents=True)
    for number, file in enumerate(metadata_files(folder.folder), 9):
        shutil.copy(file, place / f"v{number}.metadata.json")
    (place / "version-hint.text").write_text("10")  # readers go on from the hint for as long as there is a next file
    mount = IcebergMount(tmp_path / "hadoop")
    look = Lake(None, mount, "").look()
    assert (names(look)[1], look.findings(), mount.count.snapshot()) == ("b", (), (1, 1, 0))


def test_a_table_that_was_made_again_beside_its_old_files_is_the_new_one(folder: Lake) -> None:
    folder.create()
    rename(folder, "cust", "old")
    old = folder.look()
    folder.writer.drop_table((NAMESPACE, "orders"))
    for file in metadata_files(folder.folder):
        os.utime(file, (1, 1))
    folder.create()
    new = folder.look(known=old)
    assert (new.head, names(new)[1], new.table_id == old.table_id) == (0, "cust", False)


def test_a_metadata_file_by_its_url_stays_as_it_is(folder: Lake) -> None:
    folder.create()
    rename(folder, "cust", "new")
    first = metadata_files(folder.folder)[0]
    pinned = Lake(None, IcebergMount(str(first)), "")
    look = pinned.look()
    assert (names(look)[1], pinned.look(known=look) is look, pinned.mount.tables()) == ("cust", True, ("orders",))
    assert pinned.mount.look("others") is None
    first.unlink()
    for ask in (lambda: pinned.mount.look("orders", look), pinned.mount.tables):
        with pytest.raises(StorageError) as caught:
            ask()
        assert caught.value.code == "mount.metadata-gone"


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../shop", "orders/metadata/.."])
def test_a_name_leads_nowhere_else(folder: Lake, name: str) -> None:
    folder.create()
    assert folder.mount.look(name) is None


def test_a_file_that_goes_between_two_requests_says_nothing_about_the_table(folder: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.create()
    read = LocalFiles.read

    def late(files: LocalFiles, path: str, limit: int = 10**9) -> bytes:
        for file in metadata_files(folder.folder):
            file.unlink()
        return read(files, path, limit)

    monkeypatch.setattr(LocalFiles, "read", late)
    with pytest.raises(StorageError) as caught:
        folder.mount.look("orders")
    assert passing(caught.value)


def test_a_folder_without_metadata_is_no_table(folder: Lake) -> None:
    (Path(folder.folder) / "raw" / "data").mkdir(parents=True)
    folder.create()
    assert folder.mount.look("raw") is None
    assert folder.mount.tables() == ("orders",)


def test_a_table_may_have_the_name_of_its_database(tmp_path: Path, folder: Lake) -> None:
    folder.create(NAMESPACE)
    assert folder.look(NAMESPACE).head == 0
    single = IcebergMount(f"{folder.folder}/{NAMESPACE}/")
    assert (single.tables(), single.look("orders")) == ((NAMESPACE,), None)


def test_tables_on_an_object_store_take_as_many_requests(s3_bucket: Any, folder: Lake) -> None:
    folder.create()
    rename(folder, "cust", "a")
    folder.append()
    far_away = s3_bucket.filesystem()
    for file in sorted((Path(folder.folder) / "orders" / "metadata").iterdir()):
        far_away.pipe_file(f"{s3_bucket.name}/shop/orders/metadata/{file.name}", file.read_bytes())
    mount = IcebergMount(s3_bucket.url("shop"), storage_options=s3_bucket.storage_options)
    far = Lake(None, mount, "")
    look = far.look()
    assert (look.head, mount.count.snapshot()) == (1, (1, 1, 0))
    assert far.look(known=look) is look
    assert mount.count.snapshot() == (2, 1, 0)
    assert ([head.number for head in look.heads().entries], look.live().numbers) == ([0, 1], frozenset({1}))
    assert mount.tables() == ("orders",)
