"""An exception for one job spares the job of its own team, at every door at which a job is judged."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core.policies.policy import Waiver
from airflow_provider_schemas.errors import IncompatibleSchemaError, PolicyError
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.check_tables import judge
from airflow_provider_schemas.store.table import Table

RULE = "EXPECT_FIELD_MISSING"


def opened(store: SchemaStore, team: str) -> SchemaStore:
    return SchemaStore(store.url, team=team)


def waived(table: Table, job: str, rule: str = RULE) -> Waiver:
    return table.waive(rule, "b", until="2099-12-31", reason="agreed", consumer=job)


@pytest.fixture
def store(tmp_path: Path) -> SchemaStore:
    """A table of which two teams have a job called daily; the column that both need is to go."""
    store = SchemaStore(tmp_path / "lake")
    store.create_database("db")
    store.create_table("db.t", "a INT, b STRING")
    return store


def both(store: SchemaStore) -> Table:
    for team in ("one", "two"):
        store.table("db.t").register("b STRING", consumer="daily", team=team)
    return store.table("db.t")


def by_contract(store: SchemaStore) -> bool:
    return judge(store, {"db.t": "b STRING"}, consumer="daily").fits


def by_its_own_name(store: SchemaStore) -> bool:
    return judge(store, {"db.t": {"name": "daily", "columns": "b STRING"}}).fits


def by_registered(store: SchemaStore) -> bool:
    return judge(store, {"db.t": "@registered"}, consumer="daily").fits


def by_sight(store: SchemaStore) -> bool:
    return judge(store, ["db.t"], consumer="daily", since={"db.t": 0}).fits


@pytest.mark.parametrize("door", [by_contract, by_its_own_name, by_registered, by_sight])
def test_a_gate_is_spared_by_what_its_own_team_accepted_alone(store: SchemaStore, door: Callable[[SchemaStore], bool]) -> None:
    table = both(store)
    table.evolve("DROP COLUMN b", override="agreed")
    waived(table, "daily (one)", "FIELD_DROPPED" if door is by_sight else RULE)
    assert {team: door(opened(store, team)) for team in ("one", "two")} == {"one": True, "two": False}


@pytest.mark.parametrize("door", [by_contract, by_its_own_name, by_sight])
def test_what_the_only_registered_job_of_a_name_accepted_is_none_of_a_stranger(store: SchemaStore, door: Any) -> None:
    table = store.table("db.t")
    table.register("b STRING", consumer="daily", team="one")
    table.evolve("DROP COLUMN b", override="agreed")
    waived(table, "daily", "FIELD_DROPPED" if door is by_sight else RULE)
    assert {team: door(opened(store, team)) for team in ("one", "two")} == {"one": True, "two": False}


def test_an_exception_of_a_policy_for_a_name_of_two_jobs_spares_none_of_them(store: SchemaStore) -> None:
    both(store).evolve("DROP COLUMN b", override="agreed")
    policy = {"exceptions": [{"rule": RULE, "path": "b", "until": "2099-12-31", "reason": "x", "consumer": "daily"}]}
    store.save_policy(policy, override="as agreed")
    assert [by_contract(opened(store, team)) for team in ("one", "two")] == [False, False]


@pytest.mark.parametrize("said", ["daily", "daily (one)"])
def test_a_change_is_spared_by_what_its_only_job_accepted_however_it_is_called(store: SchemaStore, said: str) -> None:
    table = store.table("db.t")
    table.register("b STRING", consumer="daily", team="one")
    with pytest.raises(IncompatibleSchemaError):
        table.evolve("DROP COLUMN b")
    waived(table, said)
    assert table.plan("DROP COLUMN b").report.fits
    assert table.evolve("DROP COLUMN b").version.number == 1


def test_a_change_is_not_spared_while_a_namesake_did_not_accept(store: SchemaStore) -> None:
    table = both(store)
    waived(table, "daily (one)")
    with pytest.raises(IncompatibleSchemaError, match=r"daily \(two\)"):
        table.evolve("DROP COLUMN b")
    waived(table, "daily (two)")
    assert table.evolve("DROP COLUMN b").version.number == 1


def test_a_contract_is_registered_by_what_its_own_team_accepted_alone(store: SchemaStore) -> None:
    table = both(store)
    table.evolve("DROP COLUMN b", override="agreed")
    waived(table, "daily (one)")
    assert not table.register("b STRING", consumer="daily", team="one").pending
    with pytest.raises(IncompatibleSchemaError):
        table.register({"columns": "b STRING, a INT"}, consumer="daily", team="two")


def test_an_exception_for_a_name_of_several_jobs_is_refused_with_their_names(store: SchemaStore) -> None:
    table = both(store)
    with pytest.raises(PolicyError, match=r"'daily \(one\)' or 'daily \(two\)'"):
        waived(table, "daily")
    assert not table.waivers()


def test_whoever_has_a_team_means_its_job(store: SchemaStore) -> None:
    both(store)
    two = opened(store, "two").table("db.t")
    assert waived(two, "daily").consumer == "daily (two)"
    assert waived(two, "daily (one)").consumer == "daily (one)"
    assert waived(two, "weekly").consumer == "weekly (two)"
    assert waived(two, "").consumer == ""
    with pytest.raises(PolicyError, match="team"):
        waived(opened(store, "three").table("db.t"), "daily")


def test_a_job_that_nobody_registered_is_spared_by_its_name(store: SchemaStore) -> None:
    table = store.table("db.t")
    table.evolve("DROP COLUMN b", override="agreed")
    assert waived(table, "daily").consumer == "daily"
    assert by_contract(opened(store, "one"))
