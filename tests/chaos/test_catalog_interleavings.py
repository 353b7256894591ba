"""Somebody drops, renames, restores or makes anew a table, whole, between two chosen steps of a change of it by somebody else.

The change is there, or nothing of it is, and whoever asked for it is told which; no name ever bears two tables.
"""

import shutil
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from airflow_provider_schemas.errors import AlreadyThereError, ConflictError, NotThereError
from airflow_provider_schemas.store import SchemaStore, Table, local_files, phases
from airflow_provider_schemas.store.local_files import LocalFiles
from airflow_provider_schemas.store.remote_files import RemoteFiles
from tests.chaos.catalog import torn
from tests.chaos.catalog_writers import stored
from tests.chaos.test_interleavings import BEFORE, CASES, at
from tests.chaos.test_kills import WRITTEN
from tests.servers.bucket import Bucket, Storage

each_step = pytest.mark.parametrize(("layout", "phase"), CASES)
each_step_before = pytest.mark.parametrize(("layout", "phase"), BEFORE)
each_step_of_a_branch = pytest.mark.parametrize(("layout", "phase"), [case for case in CASES if case[1] != phases.METADATA])
# A change after which the table has as many versions as one that was made anew has not: the number is free there.
LONG = 3


@pytest.fixture(autouse=True)
def silence() -> Iterator[None]:
    """Nobody listens after the test."""
    yield
    phases.listen(None)


def store_of(folder: Path, layout: str) -> SchemaStore:
    """A store that has seen nothing yet."""
    return SchemaStore(folder, layout=layout)


def new(folder: Path, layout: str, versions: int = LONG) -> Table:
    """The table db.t, with so many versions."""
    store = store_of(folder, layout)
    store.create_table("db.t", "id BIGINT, name STRING")
    for number in range(1, versions):
        store.table("db.t").evolve([f"ADD COLUMN c{number} STRING"])
    return store.table("db.t")


def anew(store: SchemaStore) -> None:
    """Drop it, and make another table of its name."""
    store.drop_table("db.t")
    store.create_table("db.t", "other BIGINT")


def once(act: Callable[[], object]) -> Callable[..., None]:
    """Something that is done the first time only, whatever it is called with."""
    left = [act]

    def call(*_: object) -> None:
        if left:
            left.pop()()

    return call


def files_of(folder: Path) -> list[str]:
    """Every file of a schema there is below a folder, and every temporary one."""
    return sorted(one.name for one in folder.rglob("*") if one.is_file())


@each_step
def test_a_change_of_a_table_that_is_dropped_holds_nowhere(tmp_path: Path, layout: str, phase: str) -> None:
    table = new(tmp_path, layout)
    at(phase, lambda: store_of(tmp_path, layout).drop_table("db.t"))
    if phase in WRITTEN:
        assert table.evolve(["ADD COLUMN mine STRING"]).number == LONG  # it came first, and went with the table
    else:
        with pytest.raises(ConflictError, match="meanwhile somebody dropped the table, or gave it another name") as error:
            table.evolve(["ADD COLUMN mine STRING"])
        assert error.value.code == "commit.table-gone"
    assert not store_of(tmp_path, layout).exists("db.t")
    assert store_of(tmp_path, layout).tables("db") == ()
    assert files_of(tmp_path) == []


@each_step
@pytest.mark.parametrize("restores", [False, True], ids=["change", "restore"])
def test_a_change_of_a_table_that_is_made_anew_is_not_written_into_the_new_one(
    tmp_path: Path, layout: str, phase: str, restores: bool
) -> None:
    table = new(tmp_path, layout)
    at(phase, lambda: anew(store_of(tmp_path, layout)))

    def change() -> object:
        return table.restore(0, override="chaos") if restores else table.evolve(["ADD COLUMN mine STRING"])

    if phase in WRITTEN:
        change()
    else:
        with pytest.raises(ConflictError, match="dropped the table, and made it anew") as error:
            change()
        assert error.value.code == "commit.table-gone"
    there = store_of(tmp_path, layout).table("db.t")
    assert [one.schema.names for one in there.versions()] == [("other",)]
    assert there.inspect().findings == ()
    assert not [name for name in files_of(tmp_path) if "tmp" in name or "gone" in name]


@each_step
def test_a_change_of_a_table_that_is_made_anew_with_as_many_versions_is_judged_on_the_new_one(
    tmp_path: Path, layout: str, phase: str
) -> None:
    table = new(tmp_path, layout, 1)

    def longer() -> None:
        anew(store_of(tmp_path, layout))
        store_of(tmp_path, layout).table("db.t").evolve(["ADD COLUMN more STRING"])

    at(phase, longer)
    done = table.evolve(["ADD COLUMN mine STRING"])
    names = [one.schema.names for one in store_of(tmp_path, layout).table("db.t").versions()]
    mine = [] if phase in WRITTEN else [("other", "more", "mine")]
    assert names == [("other",), ("other", "more"), *mine]
    assert done.number == (1 if phase in WRITTEN else 2)
    assert torn(stored(store_of(tmp_path, layout))) == []


@each_step
def test_a_change_of_a_table_that_is_renamed_is_in_it_or_nowhere(tmp_path: Path, layout: str, phase: str) -> None:
    table = new(tmp_path, layout)
    at(phase, lambda: store_of(tmp_path, layout).rename_table("db.t", "db.u"))
    if phase in WRITTEN:
        assert table.evolve(["ADD COLUMN mine STRING"]).number == LONG
    else:
        with pytest.raises(ConflictError, match="gave it another name"):
            table.evolve(["ADD COLUMN mine STRING"])
    store = store_of(tmp_path, layout)
    assert store.tables("db") == ("u",)
    assert not store.exists("db.t")
    assert ("mine" in store.table("db.u").schema().names) is (phase in WRITTEN)
    assert torn(stored(store)) == []


@each_step
def test_a_table_that_is_renamed_and_back_keeps_the_change(tmp_path: Path, layout: str, phase: str) -> None:
    table = new(tmp_path, layout)

    def to_and_back() -> None:
        store_of(tmp_path, layout).rename_table("db.t", "db.u")
        store_of(tmp_path, layout).rename_table("db.u", "db.t")

    at(phase, to_and_back)
    assert table.evolve(["ADD COLUMN mine STRING"]).number == LONG
    assert store_of(tmp_path, layout).table("db.t").schema().names[-1] == "mine"


@each_step
def test_another_table_that_takes_the_name_does_not_take_the_change(tmp_path: Path, layout: str, phase: str) -> None:
    table = new(tmp_path, layout)
    store_of(tmp_path, layout).create_table("db.v", "other BIGINT")

    def change_places() -> None:
        store_of(tmp_path, layout).rename_table("db.t", "db.u")
        store_of(tmp_path, layout).rename_table("db.v", "db.t")

    at(phase, change_places)
    if phase in WRITTEN:
        table.evolve(["ADD COLUMN mine STRING"])
    else:
        with pytest.raises(ConflictError, match="made it anew"):
            table.evolve(["ADD COLUMN mine STRING"])
    store = store_of(tmp_path, layout)
    assert store.table("db.t").schema().names == ("other",)
    assert ("mine" in store.table("db.u").schema().names) is (phase in WRITTEN)
    assert torn(stored(store)) == []


@each_step
def test_a_restore_and_a_change_are_both_there(tmp_path: Path, layout: str, phase: str) -> None:
    table = new(tmp_path, layout)
    at(phase, lambda: store_of(tmp_path, layout).table("db.t").restore(0, override="chaos"))
    done = table.evolve(["ADD COLUMN mine STRING"])
    versions = store_of(tmp_path, layout).table("db.t").versions()
    second = phase not in WRITTEN
    assert (done.number, len(versions)) == (LONG + second, LONG + 2)
    assert versions[-1].schema.names == ("id", "name", *(["mine"] if second else []))
    assert torn(stored(store_of(tmp_path, layout))) == []


# ---------------------------------------------------------------- tables that are being made, and branches


@each_step
def test_a_table_that_is_dropped_while_it_is_made_is_made_or_dropped(tmp_path: Path, layout: str, phase: str) -> None:
    def drop() -> None:
        store_of(tmp_path, layout).drop_table("db.t", if_exists=True)

    at(phase, drop)
    done = store_of(tmp_path, layout).create_table("db.t", "id BIGINT, name STRING")
    store = store_of(tmp_path, layout)
    assert (done.outcome, store.exists("db.t")) == ("created", phase not in WRITTEN)
    if phase not in WRITTEN:
        assert store.table("db.t").latest().digest == done.digest
        assert store.table("db.t").latest().provenance is not None


@each_step_before
def test_a_table_that_somebody_else_makes_and_drops_while_it_is_made_is_made(tmp_path: Path, layout: str, phase: str) -> None:
    def come_and_go() -> None:
        other = store_of(tmp_path, layout)
        other.create_table("db.t", "other BIGINT")
        other.drop_table("db.t")

    at(phase, come_and_go)
    done = store_of(tmp_path, layout).create_table("db.t", "id BIGINT, name STRING")
    assert store_of(tmp_path, layout).table("db.t").latest().digest == done.digest


@each_step_before
def test_nobody_renames_or_drops_a_table_that_is_only_being_made(tmp_path: Path, layout: str, phase: str) -> None:
    told: list[str] = []

    def take() -> None:
        other = store_of(tmp_path, layout)
        for act in (lambda: other.drop_table("db.t"), lambda: other.rename_table("db.t", "db.u")):
            with pytest.raises(NotThereError) as error:
                act()
            told.append(error.value.code)

    at(phase, take)
    store_of(tmp_path, layout).create_table("db.t", "id BIGINT, name STRING")
    assert told == ["table.not-there"] * 2
    assert store_of(tmp_path, layout).tables("db") == ("t",)


@pytest.mark.parametrize("act", ["drop", "rename"])
def test_of_two_who_take_a_table_away_one_is_told_so_though_a_third_makes_it_anew(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, act: str
) -> None:
    """What the second one finds is the folder in which the third one is about to write."""
    table = new(tmp_path, "paimon")
    method = "delete_folder" if act == "drop" else "move_folder"
    original = getattr(LocalFiles, method)

    def late(self: LocalFiles, *paths: str) -> object:
        shutil.rmtree(f"{self.root}/db.db/t", ignore_errors=True)
        Path(self.root, "db.db/t/schema").mkdir(parents=True)
        Path(self.root, "db.db/t/schema/.airflow-schemas-1.tmp").touch()
        return original(self, *paths)

    monkeypatch.setattr(LocalFiles, method, late)
    with pytest.raises(NotThereError):
        store_of(tmp_path, "paimon").drop_table("db.t") if act == "drop" else store_of(tmp_path, "paimon").rename_table("db.t", "db.u")
    assert not table.exists()
    assert not store_of(tmp_path, "paimon").exists("db.u")


def test_no_number_of_a_dropped_table_is_free_while_a_writer_may_still_take_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The system looks up the names of a link before it makes it: a writer who waits there would write a number a second time."""
    table = new(tmp_path, "paimon")
    original, under_way = local_files._delete_all, []

    def delete_all(folder: str) -> None:
        under_way.append([path.name for path in Path(folder).rglob(".airflow-schemas-*.tmp")])
        original(folder)

    def drop() -> None:
        assert list(tmp_path.rglob(".airflow-schemas-*.tmp")) != []
        store_of(tmp_path, "paimon").drop_table("db.t")

    monkeypatch.setattr(local_files, "_delete_all", delete_all)
    at(phases.TEMPORARY, drop)
    with pytest.raises(ConflictError, match="dropped the table"):
        table.evolve(["ADD COLUMN mine STRING"])
    assert under_way[0] == []


@each_step
def test_a_rename_to_a_name_that_somebody_is_taking_is_refused(tmp_path: Path, layout: str, phase: str) -> None:
    new(tmp_path, layout)
    refused: list[str] = []

    def rename() -> None:
        try:
            store_of(tmp_path, layout).rename_table("db.t", "db.u")
        except AlreadyThereError as error:
            refused.append(error.code)

    at(phase, rename)
    if phase in (phases.LISTED, phases.JUDGED):  # the name is free, and taken by the table that is there
        with pytest.raises(AlreadyThereError):
            store_of(tmp_path, layout).create_table("db.u", "other BIGINT")
        assert refused == []
    else:
        store_of(tmp_path, layout).create_table("db.u", "other BIGINT")
        assert refused == ["table.exists"]
    assert torn(stored(store_of(tmp_path, layout))) == []


@each_step_of_a_branch
@pytest.mark.parametrize("again", [False, True], ids=["dropped", "made anew"])
def test_a_branch_of_a_table_that_goes_away_takes_no_change(tmp_path: Path, layout: str, phase: str, again: bool) -> None:
    branch = new(tmp_path, layout).create_branch("b")
    at(phase, lambda: (anew if again else lambda store: store.drop_table("db.t"))(store_of(tmp_path, layout)))
    if phase in WRITTEN:
        branch.evolve(["ADD COLUMN mine STRING"])
    else:
        with pytest.raises(ConflictError, match="dropped the table"):
            branch.evolve(["ADD COLUMN mine STRING"])
    store = store_of(tmp_path, layout)
    assert store.tables("db") == (("t",) if again else ())
    assert store.table("db.t").branches() == ()


@pytest.mark.parametrize("layout", ["paimon", "mini-paimon", "registry"])
def test_a_branch_that_is_made_of_a_table_that_goes_away_is_not_made(tmp_path: Path, layout: str) -> None:
    table = new(tmp_path, layout)
    at(phases.TEMPORARY, lambda: store_of(tmp_path, layout).drop_table("db.t"))
    with pytest.raises(ConflictError, match="dropped the table"):
        table.create_branch("b")
    assert store_of(tmp_path, layout).tables("db") == ()


# ---------------------------------------------------------------- object stores, and memory


class Lake(NamedTuple):
    """A folder on S3, and how it is reached."""

    url: str
    client: Any

    def store(self, layout: str = "registry") -> SchemaStore:
        """A store that has seen nothing yet."""
        return SchemaStore(self.url, layout=layout, fs=self.client)


# The last step before the checks of a create, and the first one after it.
each_remote_step = pytest.mark.parametrize("phase", [phases.JUDGED, phases.CREATED])


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
        at(phases.CREATED, killed)
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
    at(phases.CREATED, lambda: gone.extend(lake.store("paimon").table("db.t").expire(timedelta(0), dry_run=False).deleted))
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
    if phase in (phases.LISTED, phases.JUDGED):
        with pytest.raises(ConflictError, match="dropped the table"):
            store().table("db.t").evolve(["ADD COLUMN mine STRING"])
    else:
        store().table("db.t").evolve(["ADD COLUMN mine STRING"])
    assert [one.columns for one in stored(store()).get("db.t", [])] == ([("other",)] if again else [])
