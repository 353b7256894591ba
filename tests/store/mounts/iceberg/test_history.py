"""The schemas that were current come from the metadata log, and a log that was cut says so."""

import itertools
import json
import os
from pathlib import Path

import pytest

from airflow_provider_schemas.errors import StorageError
from airflow_provider_schemas.store import IcebergMount
from tests.store.mounts.iceberg.support.lakes import NAMESPACE, Lake, metadata_files, numbers


def rename(lake: Lake, *columns: str) -> None:
    for old, new in itertools.pairwise(columns):
        lake.change(lambda update, old=old, new=new: update.rename_column(old, new))  # type: ignore[misc]


def test_files_that_are_gone_leave_what_came_after_them(lake: Lake) -> None:
    lake.create()
    rename(lake, "cust", "a", "b", "c")
    metadata_files(lake.folder)[1].unlink()
    heads = lake.look().heads()
    assert ([head.number for head in heads.entries], heads.whole) == ([2, 3], False)


def test_a_log_that_the_writer_cuts_is_not_whole(lake: Lake) -> None:
    lake.create(properties={"write.metadata.previous-versions-max": "2"})
    rename(lake, "cust", "a", "b", "c")
    heads = lake.look().heads()
    assert ([head.number for head in heads.entries], heads.whole) == ([1, 2, 3], False)


def test_a_file_that_is_no_metadata_any_more_is_as_good_as_gone(lake: Lake) -> None:
    lake.create()
    rename(lake, "cust", "a", "b")
    place = metadata_files(lake.folder)[0]
    written = place.stat().st_mtime
    place.write_bytes(b"{")
    os.utime(place, (written, written))
    heads = lake.look().heads()
    assert ([head.number for head in heads.entries], heads.whole) == ([1, 2], False)


def test_a_storage_that_does_not_answer_is_an_error_and_no_short_past(sql: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    from airflow_provider_schemas.store.storage.local import LocalFiles

    sql.create()
    rename(sql, "cust", "a")
    look = sql.look()
    error = StorageError("the disk is away.", code="storage.unreachable")
    with monkeypatch.context() as patch:
        patch.setattr(LocalFiles, "read_many", lambda _self, paths, _limit: dict.fromkeys(paths, error))
        with pytest.raises(StorageError, match="the disk is away"):
            look.heads()
    assert numbers(look) == [0, 1]


def test_a_table_that_was_registered_without_its_log_is_not_whole(sql: Lake, tmp_path: Path) -> None:
    sql.create()
    rename(sql, "cust", "a")
    place = metadata_files(sql.folder)[-1]
    content = json.loads(place.read_text()) | {"metadata-log": []}
    place.write_text(json.dumps(content))
    heads = sql.look().heads()
    assert ([head.number for head in heads.entries], heads.whole) == ([1], False)


def test_another_table_in_the_log_is_told_by_its_id(sql: Lake) -> None:
    sql.create()
    rename(sql, "cust", "a")
    place = metadata_files(sql.folder)[0]
    place.write_text(json.dumps(json.loads(place.read_text()) | {"table-uuid": "00000000-0000-4000-8000-000000000000"}))
    ids = [head.table_id for head in sql.look().heads().entries]
    assert ids == ["00000000-0000-4000-8000-000000000000", sql.look().table_id]


def test_a_copy_of_a_table_has_its_past_with_it(sql: Lake, tmp_path: Path) -> None:
    import shutil

    sql.create()
    sql.append()
    rename(sql, "cust", "a")
    shutil.move(f"{sql.folder}/orders", f"{tmp_path}/copied")
    copied = Lake(None, IcebergMount(tmp_path / "copied"), "")
    look = copied.look("copied")
    assert (numbers(look), look.heads().whole, look.live().numbers) == ([0, 1], True, frozenset({0}))
    assert NAMESPACE in look.location


@pytest.mark.parametrize("compressed", ["gzip", "none"])
def test_compressed_metadata_are_read(sql: Lake, compressed: str) -> None:
    import gzip

    sql.create()
    place = metadata_files(sql.folder)[0]
    folder = Path(sql.folder) / "packed" / "metadata"
    folder.mkdir(parents=True)
    data = place.read_bytes()
    if compressed == "gzip":
        (folder / "v1.gz.metadata.json").write_bytes(gzip.compress(data))
    else:
        (folder / "v1.metadata.json").write_bytes(data)
    assert Lake(None, IcebergMount(sql.folder), "").look("packed").head == 0
