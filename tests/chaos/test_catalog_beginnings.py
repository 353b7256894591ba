"""Somebody takes a table away, or its name, while somebody else makes it, takes it away too, or makes a branch of it."""

import shutil
from pathlib import Path

import pytest

from airflow_provider_schemas.errors import AlreadyThereError, ConflictError, NotThereError
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.store.storage.disk import folders
from airflow_provider_schemas.store.storage.local import LocalFiles
from tests.chaos.support.catalog import torn
from tests.chaos.support.catalog_steps import anew, each_step, each_step_before, each_step_of_a_branch, new, store_of
from tests.chaos.support.catalog_writers import stored
from tests.chaos.test_interleavings import at
from tests.chaos.test_kills import WRITTEN


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
    original, under_way = folders.delete_all, []

    def delete_all(folder: str) -> None:
        under_way.append([path.name for path in Path(folder).rglob(".airflow-schemas-*.tmp")])
        original(folder)

    def drop() -> None:
        assert list(tmp_path.rglob(".airflow-schemas-*.tmp")) != []
        store_of(tmp_path, "paimon").drop_table("db.t")

    monkeypatch.setattr(folders, "delete_all", delete_all)
    at(commit_steps.TEMPORARY, drop)
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
    if phase in (commit_steps.LISTED, commit_steps.JUDGED):  # the name is free, and taken by the table that is there
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
    at(commit_steps.TEMPORARY, lambda: store_of(tmp_path, layout).drop_table("db.t"))
    with pytest.raises(ConflictError, match="dropped the table"):
        table.create_branch("b")
    assert store_of(tmp_path, layout).tables("db") == ()
