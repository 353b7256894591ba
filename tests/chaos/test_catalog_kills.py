"""Somebody is killed at each step of a drop, a rename or a restore: what lies there is a table, or none, and the next one goes on."""

import os
import shutil
import signal
import time
from itertools import product
from pathlib import Path

import pytest

from airflow_provider_schemas.errors import AlreadyThereError, IncompatibleSchemaError, NotThereError
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.commit.commit import CommitOutcome
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.store.storage.disk.temporary_files import ABANDONED_AFTER
from tests.chaos.support.catalog import torn
from tests.chaos.support.catalog_writers import stored
from tests.chaos.support.kills import RENAMED, TABLE, Case, commit, killed
from tests.chaos.test_kills import LAYOUTS, ONLY_MINI, WRITTEN

STEPS = {
    "drop": (commit_steps.ASIDE, commit_steps.DROPPED),
    "rename": (commit_steps.COPIED, commit_steps.MOVED),
    "restore": commit_steps.ALL,
}
CASES = [
    (layout, action, phase)
    for layout, action in product(LAYOUTS, STEPS)
    for phase in STEPS[action]
    if layout == "mini-paimon" or phase not in ONLY_MINI
]
FIRST = [("id", "name"), ("id", "name", "more")]


@pytest.fixture(scope="module")
def graveyard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The warehouses of all cases, each with its killed process."""
    root = tmp_path_factory.mktemp("killed")
    cases = [Case(str(root / str(number)), layout, False, phase, action) for number, (layout, action, phase) in enumerate(CASES)]
    assert killed(cases) == [-signal.SIGKILL] * len(cases), "a step was not reached"
    return root


@pytest.fixture(params=range(len(CASES)), ids=[", ".join(case) for case in CASES])
def case(request: pytest.FixtureRequest, graveyard: Path, tmp_path: Path) -> Case:
    """One of them, in a copy of its own."""
    shutil.copytree(graveyard / str(request.param), tmp_path / "w")
    layout, action, phase = CASES[request.param]
    return Case(str(tmp_path / "w"), layout, False, phase, action)


def expected(case: Case) -> dict[str, list[tuple[str, ...]]]:
    """The tables that must be there, with the columns of each version."""
    if case.action == "drop":
        return {}
    if case.action == "rename":
        return {RENAMED if case.phase == commit_steps.MOVED else TABLE: FIRST}
    return {TABLE: [*FIRST, *(FIRST[:1] if case.phase in WRITTEN else [])]}


def test_what_is_there_is_a_whole_table_under_one_name(case: Case) -> None:
    there = stored(SchemaStore(case.folder, layout=case.layout))
    assert {name: [one.columns for one in versions] for name, versions in there.items()} == expected(case)
    assert torn(there) == []
    assert [f"db.{name}" for name in case.store().tables("db")] == list(expected(case))


def test_a_table_that_is_there_still_has_its_contract(case: Case) -> None:
    """It may have hung on both names for a while, never on none."""
    for name in expected(case):
        assert [one.consumer for one in case.store().table(name).registered()] == ["job"]


def test_the_same_once_more_ends_where_it_should(case: Case) -> None:
    try:
        commit(case)
    except NotThereError:
        assert case.action in ("drop", "rename")
        assert TABLE not in expected(case)
    there = stored(case.store())
    names = {"drop": [], "rename": [RENAMED], "restore": [TABLE]}
    assert list(there) == names[case.action]
    assert all([one.columns for one in versions][:2] == FIRST for versions in there.values())
    assert [len(versions) for versions in there.values()] == [3 if case.action == "restore" else 2] * len(there)


def test_the_reason_of_what_was_taken_away_is_known_and_that_nobody_noted_the_end(case: Case) -> None:
    taken = case.action == "drop" or case.phase == commit_steps.MOVED
    for name in (TABLE, RENAMED) if case.action == "rename" else (TABLE,):
        assert [(one.action, one.done) for one in case.store().removals(name).removed] == [(case.action, False)] * taken


# Neither a drop nor a rename has a key.
@pytest.mark.parametrize("case", [number for number, (_, action, _) in enumerate(CASES) if action == "restore"], indirect=True)
def test_a_restore_that_is_asked_for_again_is_told_what_it_was(case: Case) -> None:
    before = len(expected(case)[TABLE])
    commit(case)
    done = case.store().table(TABLE).restore(0, key="another", override="chaos")
    assert (done.outcome, done.number) == (CommitOutcome.UNCHANGED, 2)
    assert before in (2, 3)


def test_somebody_else_takes_the_name_and_goes_on(case: Case) -> None:
    store = case.store()
    if TABLE in expected(case):
        with pytest.raises(AlreadyThereError):
            store.create_table(TABLE, "other BIGINT")
    else:
        with pytest.raises(IncompatibleSchemaError, match="breaks job"):  # what hung on the old table is named, until somebody decides
            store.create_table(TABLE, "other BIGINT")
        store.create_table(TABLE, "other BIGINT", override="the table that the job needed was dropped")
    done = store.table(TABLE).evolve(["ADD COLUMN next BIGINT"])
    assert store.table(TABLE).latest().digest == done.digest
    assert torn(stored(case.store())) == []


def test_what_a_drop_left_behind_is_deleted_by_the_next_one_in_the_end(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    store = case.store()
    left = list(Path(case.folder).rglob(".airflow-schemas-*.gone"))
    assert bool(left) is (case.phase == commit_steps.ASIDE)
    store.create_table("db.v", "id BIGINT")
    store.drop_table("db.v")
    assert all(path.exists() for path in left), "somebody may be deleting it"
    late = time.time() + 2 * ABANDONED_AFTER
    monkeypatch.setattr(time, "time", lambda: late)
    store.create_table("db.v", "id BIGINT")
    store.drop_table("db.v")
    assert not [path for path in left if os.path.lexists(path)]
