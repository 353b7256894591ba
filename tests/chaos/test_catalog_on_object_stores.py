"""Somebody takes a table on S3, or in memory, away between two steps of a change of it: there no folder is moved at once."""

from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from airflow_provider_schemas.errors import AlreadyThereError, ConflictError
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.store.storage.remote_files import RemoteFiles
from tests.chaos.support.catalog import torn
from tests.chaos.support.catalog_steps import anew, once
from tests.chaos.support.catalog_writers import stored
from tests.chaos.test_interleavings import at
from tests.servers.bucket import Bucket, Storage


class Lake(NamedTuple):
    """A folder on S3, and how it is reached."""

    url: str
    client: Any

    def store(self, layout: str = "registry") -> SchemaStore:
        """A store that has seen nothing yet."""
        return SchemaStore(self.url, layout=layout, fs=self.client)


# The last step before the checks of a create, and the first one after it.
each_remote_step = pytest.mark.parametrize("phase", [commit_steps.JUDGED, commit_steps.CREATED])


@pytest.fixture(scope="module")
def s3_client(s3_server: Storage) -> Any:
    """One client for all: it takes a quarter of a second to make."""
    return s3_server.bucket().filesystem()


@pytest.fixture
def lake(s3_bucket: Bucket, s3_client: Any) -> Lake:
    """A folder in a bucket of its own."""
    return Lake(s3_bucket.url("w"), s3_client)


@each_remote_step
@pytest.mark.parametrize("again", [False, True], ids=["dropped", "made anew"])
@pytest.mark.parametrize("layout", ["registry", "mini-paimon"])
def test_a_change_on_s3_of_a_table_that_goes_away_leaves_nothing(lake: Lake, phase: str, again: bool, layout: str) -> None:
    store = lake.store(layout)
    store.create_table("db.t", "id BIGINT")
    for column in ("a", "b", "c"):
        store.table("db.t").evolve([f"ADD COLUMN {column} STRING"])
    at(phase, lambda: (anew if again else lambda other: other.drop_table("db.t"))(lake.store(layout)))
    with pytest.raises(ConflictError, match="dropped the table") as error:
        store.table("db.t").evolve(["ADD COLUMN mine STRING"])
    assert error.value.code == "commit.table-gone"
    there = stored(lake.store(layout))
    assert [one.columns for one in there.get("db.t", [])] == ([("other",)] if again else [])
    assert torn(there) == []


@each_remote_step
def test_a_change_on_s3_of_a_table_that_is_renamed_is_not_lost_where_it_was_acknowledged(lake: Lake, phase: str) -> None:
    store = lake.store()
    store.create_table("db.t", "id BIGINT")
    at(phase, lambda: lake.store().rename_table("db.t", "db.u"))
    with pytest.raises(ConflictError, match="gave it another name"):
        store.table("db.t").evolve(["ADD COLUMN mine STRING"])
    there = stored(lake.store())
    assert there.keys() == {"db.u"}
    assert torn(there) == []


def test_a_version_on_s3_whose_writer_is_killed_before_it_takes_it_back_is_named_and_dropped(lake: Lake) -> None:
    store = lake.store()
    store.create_table("db.t", "id BIGINT")
    store.table("db.t").evolve(["ADD COLUMN a STRING"])

    def killed() -> None:
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        # Only between the check before the create and the create itself does a drop leave anything to take back.
        patch.setattr(RemoteFiles, "_check_follows", once(lambda: lake.store().drop_table("db.t")))
        at(commit_steps.CREATED, killed)
        with pytest.raises(KeyboardInterrupt):
            store.table("db.t").evolve(["ADD COLUMN mine STRING"])
    late = lake.store().table("db.t")
    assert late.numbers() == (2,)
    assert late.inspect().notes == ("not there any more: version before 2",)
    with pytest.raises(AlreadyThereError):
        lake.store().create_table("db.t", "other BIGINT")
    lake.store().drop_table("db.t")
    assert lake.store().create_table("db.t", "other BIGINT").created


@pytest.mark.parametrize("act", ["drop", "rename"])
def test_a_version_that_comes_late_to_a_drop_or_a_rename_on_s3_goes_along(monkeypatch: pytest.MonkeyPatch, lake: Lake, act: str) -> None:
    """Its writer has seen the parent, and is acknowledged; the listing of what goes was made before."""
    table, files = lake.store().table("db.t"), lake.store().registry
    lake.store().create_table("db.t", "id BIGINT")
    table.evolve(["ADD COLUMN a STRING"])
    table.evolve(["ADD COLUMN late STRING"])
    path = "db.db/t/schema/schema-2"
    data = files.read(path)
    files.delete(path)
    come = once(lambda: files.put(path, data))
    method = "_delete_all" if act == "drop" else "delete"
    original = getattr(RemoteFiles, method)

    def late(self: RemoteFiles, folder: str) -> None:
        original(self, folder)
        come()

    monkeypatch.setattr(RemoteFiles, method, late)
    if act == "drop":
        lake.store().drop_table("db.t")
    else:
        lake.store().rename_table("db.t", "db.u")
    there = stored(lake.store())
    assert {name: len(versions) for name, versions in there.items()} == ({} if act == "drop" else {"db.u": 3})
    assert torn(there) == []


def test_a_version_on_s3_is_not_taken_for_one_of_a_dropped_table_when_those_before_it_expire(lake: Lake) -> None:
    store = lake.store("paimon")
    store.create_table("db.t", "id BIGINT")
    store.table("db.t").evolve(["ADD COLUMN a STRING"])
    gone: list[int] = []
    at(commit_steps.CREATED, lambda: gone.extend(lake.store("paimon").table("db.t").expire(timedelta(0), dry_run=False).deleted))
    assert store.table("db.t").evolve(["ADD COLUMN mine STRING"]).number == 2
    assert (gone, lake.store("paimon").table("db.t").numbers()) == ([0], (1, 2))


@pytest.mark.parametrize("again", [False, True], ids=["dropped", "made anew"])
def test_a_version_on_s3_that_came_after_the_last_look_is_taken_back(lake: Lake, again: bool) -> None:
    store = lake.store()
    store.create_table("db.t", "id BIGINT")
    store.table("db.t").evolve(["ADD COLUMN a STRING"])
    act = anew if again else lambda other: other.drop_table("db.t")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RemoteFiles, "_check_follows", once(lambda: act(lake.store())))
        with pytest.raises(ConflictError, match="was deleted again: meanwhile somebody dropped the table") as error:
            store.table("db.t").evolve(["ADD COLUMN mine STRING"])
    assert error.value.code == "commit.table-gone"
    there = stored(lake.store())
    assert [one.columns for one in there.get("db.t", [])] == ([("other",)] if again else [])


@each_remote_step
@pytest.mark.parametrize("again", [False, True], ids=["dropped", "made anew"])
def test_a_change_in_memory_of_a_table_that_goes_away_leaves_nothing(tmp_path: Path, phase: str, again: bool) -> None:
    def store() -> SchemaStore:
        return SchemaStore(f"memory://{tmp_path}", layout="paimon")

    store().create_table("db.t", "id BIGINT")
    store().table("db.t").evolve(["ADD COLUMN a STRING"])
    at(phase, lambda: (anew if again else lambda other: other.drop_table("db.t"))(store()))
    if phase in (commit_steps.LISTED, commit_steps.JUDGED):
        with pytest.raises(ConflictError, match="dropped the table"):
            store().table("db.t").evolve(["ADD COLUMN mine STRING"])
    else:
        store().table("db.t").evolve(["ADD COLUMN mine STRING"])
    assert [one.columns for one in stored(store()).get("db.t", [])] == ([("other",)] if again else [])
