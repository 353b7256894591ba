"""The schemas that were current come from the metadata log, and a log that was cut says so."""

import itertools
import json
import os
from pathlib import Path

import pytest

from airflow_provider_schemas.errors import NotThereError, StorageError
from airflow_provider_schemas.store import IcebergMount, judge
from tests.store.mounts.iceberg.support.lakes import NAMESPACE, Lake, metadata_files, numbers
from tests.support import stores


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


def drop_schema(lake: Lake, number: int) -> None:
    """Take a schema out of the newest metadata, as writers do that tidy up."""
    place = metadata_files(lake.folder)[-1]
    file = json.loads(place.read_text())
    file["schemas"] = [schema for schema in file["schemas"] if schema["schema-id"] != number]
    place.write_text(json.dumps(file))


def test_a_schema_that_the_newest_metadata_dropped_is_known_from_older_ones(lake: Lake, tmp_path: Path) -> None:
    lake.create()
    rename(lake, "cust", "a", "b")
    before = lake.look().version(1)
    drop_schema(lake, 1)
    table = stores.lake(tmp_path / "registry", mounts={NAMESPACE: lake.mount}).table("shop.orders")
    assert [(entry.number, entry.changes) for entry in table.history()][:2] == [
        (2, ("RENAME COLUMN a TO b",)),
        (1, ("RENAME COLUMN cust TO a",)),
    ]
    assert table.history().notes == ()
    assert (table.version(1).digest, table.version(1).schema.names) == (before.digest, before.schema.names)
    assert [version.number for version in table.versions()] == [0, 2]


def test_who_saw_a_schema_that_was_dropped_is_told_what_changed(sql: Lake, tmp_path: Path) -> None:
    sql.create()
    store = stores.lake(tmp_path / "registry", mounts={NAMESPACE: sql.mount})
    seen = store.table("shop.orders").latest()
    rename(sql, "cust", "a")
    drop_schema(sql, 0)
    found = [
        (finding.rule, finding.path) for finding in judge(store, ["shop.orders"], since={"shop.orders": seen}).tables[0].report.findings
    ]
    assert found[0][0] == "FIELD_RENAMED"


def test_a_schema_that_nobody_holds_any_more_is_not_there(sql: Lake, tmp_path: Path) -> None:
    sql.create()
    store = stores.lake(tmp_path / "registry", mounts={NAMESPACE: sql.mount})
    seen = store.table("shop.orders").latest()
    rename(sql, "cust", "a")
    drop_schema(sql, 0)
    metadata_files(sql.folder)[0].unlink()
    with pytest.raises(NotThereError, match="no schema 0"):
        store.table("shop.orders").version(0)
    (finding,) = judge(store, ["shop.orders"], since={"shop.orders": seen}).tables[0].report.findings
    assert "whoever keeps the table dropped it from the metadata" in finding.message
