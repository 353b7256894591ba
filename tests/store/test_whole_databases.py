"""Pages of a database tell of its schema folders what a listing of each would tell, and never of more than they hold."""

import pytest

from airflow_provider_schemas.store import whole_databases
from airflow_provider_schemas.store.storage.files_snapshot import Snapshot, SnapshotFiles
from airflow_provider_schemas.store.storage.object_storage import open_files
from tests.servers.bucket import Bucket
from tests.servers.slow_s3 import Far

PAGE = 7


def filled(far: Far, paths: list[str]) -> Bucket:
    bucket = far.bucket()
    bucket.filesystem().pipe({f"{bucket.name}/lake/db/{path}": b"x" for path in paths})
    return bucket


def seen(bucket: Bucket) -> SnapshotFiles:
    return SnapshotFiles(open_files(bucket.url("lake"), storage_options=bucket.storage_options, at_once=1), Snapshot())


@pytest.mark.parametrize("versions", [1, 2, 3, 5, 7, 8, 20])
def test_what_is_learned_is_what_a_listing_tells(far: Far, versions: int) -> None:
    tables = [f"t{number}" for number in range(9)] + ["t1-a", "t1.b", "empty"]
    paths = [f"{table}/schema/schema-{number}" for table in tables[:-1] for number in range(versions)]
    bucket = filled(far, [*paths, "t3/schema/below/file", "t4/branch/branch-dev/schema/schema-0", "t5/bucket-0/part", "empty/part"])
    files = seen(bucket)
    with far.watched(page=PAGE):
        whole_databases.learn(files, "db", tables, ["main", "dev"])
    folders = [f"db/{table}/{below}schema" for table in tables for below in ("", "branch/branch-dev/")]
    told = {folder: listed for folder in folders if (listed := files.listed(folder)) is not None}
    assert {folder: _names(files.live.list(folder)) for folder in told} == {folder: _names(listed) for folder, listed in told.items()}
    assert {folder: _marks(files.live.list(folder)) for folder in told} == {folder: _marks(listed) for folder, listed in told.items()}
    assert told
    assert versions > 1 or len(told) == len(folders)


def test_a_page_whose_names_are_in_no_order_tells_nothing(far: Far, monkeypatch: pytest.MonkeyPatch) -> None:
    files = seen(filled(far, [f"t{number}/schema/schema-0" for number in range(9)]))
    page = files.page
    monkeypatch.setattr(files, "page", lambda *about: (found := page(*about)) and found._replace(files=found.files[::-1]))
    whole_databases.learn(files, "db", [f"t{number}" for number in range(9)], ["main"])
    assert all(files.listed(f"db/t{number}/schema") is None for number in range(9))


def test_a_snapshot_that_has_ended_learns_nothing(far: Far) -> None:
    files = seen(filled(far, [f"t{number}/schema/schema-0" for number in range(9)]))
    files.put("db/t0/schema/schema-1", b"x")
    whole_databases.learn(files, "db", [f"t{number}" for number in range(9)], ["main"])
    assert files.listed("db/t0/schema") is None


def _names(entries: object) -> list[tuple[str, bool]]:
    return sorted((entry.name, entry.folder) for entry in entries)  # type: ignore[attr-defined]  # of a listing


def _marks(entries: object) -> list[tuple[str, int | None]]:
    return sorted((entry.mark, entry.size) for entry in entries if not entry.folder)  # type: ignore[attr-defined]  # likewise
