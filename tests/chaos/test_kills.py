"""A writer is killed at each step of a commit: its version is there whole, or not at all, and nobody after it notices more than that."""

import os
import shutil
import signal
import time
from itertools import product
from pathlib import Path

import pytest

from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.formats import mini_paimon
from airflow_provider_schemas.store import SchemaStore, Table
from airflow_provider_schemas.store.commit.commit import CommitOutcome
from airflow_provider_schemas.store.storage import commit_steps
from tests.chaos.support.history import recorded
from tests.chaos.support.invariants import broken, written
from tests.chaos.support.kills import COLUMN, KEY, TABLE, Case, commit, killed
from tests.chaos.support.linearizable import violations
from tests.chaos.support.writers import SEED, Race, started

LAYOUTS = ("paimon", "registry", "mini-paimon")
# The steps after which the version is there; those before it, and those that only Mini Paimon's layout has.
WRITTEN = (commit_steps.CREATED, commit_steps.CLEANED, commit_steps.CONFIRMED, commit_steps.METADATA)
ONLY_MINI = (commit_steps.SIDECAR, commit_steps.METADATA)
CASES = [
    (layout, creates, phase)
    for layout, creates, phase in product(LAYOUTS, (False, True), commit_steps.ALL)
    if layout == "mini-paimon" or phase not in ONLY_MINI
]
NAMES = [f"{layout}, {'create' if creates else 'evolve'}, {phase}" for layout, creates, phase in CASES]


@pytest.fixture(scope="module")
def graveyard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The warehouses of all cases, each with its killed writer."""
    root = tmp_path_factory.mktemp("killed")
    cases = [Case(str(root / str(number)), *case) for number, case in enumerate(CASES)]
    ended = killed(cases)
    assert ended == [-signal.SIGKILL] * len(cases), "a step was not reached"
    return root


@pytest.fixture(params=range(len(CASES)), ids=NAMES)
def case(request: pytest.FixtureRequest, graveyard: Path, tmp_path: Path) -> Case:
    """One of them, in a copy of its own."""
    shutil.copytree(graveyard / str(request.param), tmp_path / "w")
    return Case(str(tmp_path / "w"), *CASES[request.param])


def table_of(case: Case) -> Table:
    """The table, through a store that has seen nothing yet."""
    return SchemaStore(case.folder).table(TABLE)


def folder_of(case: Case) -> Path:
    """The folder of its schema files."""
    place = case.store().table(TABLE).place
    return Path(place.files.url) / place.folder / "schema"


def expected(case: Case) -> tuple[int, ...]:
    """The versions that must be there: before the step that writes it there is none, and after it there is one."""
    before = () if case.creates else (0,)
    return (*before, len(before)) if case.phase in WRITTEN else before


def test_the_version_is_there_whole_or_not_at_all(case: Case) -> None:
    assert case.store().table(TABLE).numbers() == expected(case)
    for number in expected(case):
        version = case.store().table(TABLE).version(number)
        assert version.schema.names == ("id", "name", COLUMN)[: 2 + number]
        data = (folder_of(case) / f"schema-{number}").read_bytes()
        bare = mini_paimon.load(data).schema if case.layout == "mini-paimon" else Version.read(data, number).schema
        assert bare.names == version.schema.names


def test_the_next_writer_goes_on(case: Case) -> None:
    store = case.store()
    if not expected(case):
        store.create_table(TABLE, "id BIGINT, name STRING")
    done = store.table(TABLE).evolve(["ADD COLUMN next BIGINT"])
    assert (done.outcome, done.number) == (CommitOutcome.CREATED, len(expected(case)) or 1)
    assert table_of(case).latest().digest == done.digest
    assert table_of(case).numbers() == tuple(range(done.number + 1))
    assert table_of(case).inspect().findings == ()


def test_a_retry_with_the_same_key_is_applied_exactly_once(case: Case) -> None:
    store = case.store()
    for _ in range(3):
        if case.creates:
            store.create_table(TABLE, "id BIGINT, name STRING", key=KEY)
        else:
            store.table(TABLE).evolve([f"ADD COLUMN {COLUMN} STRING"], key=KEY)
    versions = table_of(case).versions()
    assert len(versions) == (1 if case.creates else 2)
    assert [past.key for one in versions if (past := one.provenance)].count(KEY) == 1


def test_a_retry_says_which_it_was(case: Case) -> None:
    there = expected(case)
    if case.creates:
        done = case.store().create_table(TABLE, "id BIGINT, name STRING", key=KEY)
    else:
        done = case.store().table(TABLE).evolve([f"ADD COLUMN {COLUMN} STRING"], key=KEY)
    assert done.outcome is (CommitOutcome.APPLIED if case.phase in WRITTEN else CommitOutcome.CREATED)
    assert done.number == (there[-1] if case.phase in WRITTEN else len(there))


def test_what_is_left_behind_is_hidden_and_swept_in_the_end(case: Case) -> None:
    folder = folder_of(case)
    names = {one.name for one in folder.iterdir()} if folder.exists() else set()
    litter = {name for name in names if not name.startswith("schema-")}
    assert all(name.startswith(".") for name in litter)
    temporary = [folder / name for name in litter if not name.startswith(".more-")]
    assert bool(temporary) is (case.phase in (commit_steps.TEMPORARY, commit_steps.CREATED))
    for one in temporary:
        long_ago = time.time() - 7200
        os.utime(one, (long_ago, long_ago))
    commit(case)
    case.store().table(TABLE).evolve(["ADD COLUMN next BIGINT"])
    assert not [one for one in temporary if one.exists()]


def test_writers_that_die_again_and_again_lose_nothing_and_do_nothing_twice(tmp_path: Path) -> None:
    print(f"CHAOS_SEED={SEED}")
    race = Race(str(tmp_path / "w"), str(tmp_path / "records"), 4, 6, reads=500, layout="mini-paimon", seed=SEED, deadly=0.5)
    (tmp_path / "records").mkdir()
    race.store().create_table(race.table, "id BIGINT")
    started(race)
    operations, table = recorded(race.records), race.store().table(race.table)
    assert broken(table, operations) == []
    assert violations(operations, written(table.versions())) == []
    assert set(table.schema().names) == {"id", *(f"writer_{writer}_{place}" for writer in range(4) for place in range(6))}
