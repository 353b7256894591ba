"""A table file that comes again, in a run that is cleared or belongs to another day, and a table that another program keeps."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from airflow_provider_schemas.errors import PlanError
from airflow_provider_schemas.tasks.change import make_plan, target
from airflow_provider_schemas.tasks.change.make_plan import ChangeKey, PlanResult
from airflow_provider_schemas.tasks.change.target import ChangeRequest
from tests.store.mounts.iceberg.evolution.support.changed_lake import ChangedLake

_FILE = """table: shop.orders
columns:
  - {name: order_id, type: BIGINT NOT NULL}
  - {name: cust, type: STRING}
  - {name: amount, type: "DECIMAL(10, 2)"}
  - {name: note, type: STRING}
"""


@pytest.fixture
def lake(tmp_path: Path) -> ChangedLake:
    """A table that our file has changed, and from which another program has taken that away again."""
    made = ChangedLake(tmp_path)
    made.table.evolve(["ADD COLUMN note STRING"])
    made.peer_changes(lambda update: update.delete_column("note"))
    return made


@pytest.fixture
def request_of_file(tmp_path: Path) -> ChangeRequest:
    path = tmp_path / "orders.yaml"
    path.write_text(_FILE, "utf-8")
    return target.read_table_file("orders.yaml", tmp_path)


def planned(lake: ChangedLake, request: ChangeRequest, age: timedelta, **about: Any) -> PlanResult:
    run = SimpleNamespace(dag_id="dag", run_id="r", run_after=datetime.now(UTC) - age, **about)
    return make_plan.plan_request(lake.table, request, key=ChangeKey(), dag_run=run, terms={})


@pytest.mark.parametrize("about", [{"clear_number": 1}, {"run_type": "backfill"}], ids=["cleared", "of a backfill"])
def test_an_old_run_does_not_undo_what_another_program_did_to_a_mounted_table(
    about: dict[str, Any], lake: ChangedLake, request_of_file: ChangeRequest
) -> None:
    with pytest.raises(PlanError, match="not undone by running it again") as error:
        planned(lake, request_of_file, timedelta(hours=1), **about)
    assert error.value.code == "plan.older-run"
    assert f"version 0 ({datetime.now(UTC):%Y-%m-%d}" in str(error.value)


def test_what_others_have_undone_is_planned_under_a_key_of_its_own_each_time(lake: ChangedLake) -> None:
    rename = ["RENAME COLUMN cust TO customer"]
    keys = []
    for _ in range(3):
        plan = lake.table.plan(rename)
        keys.append(make_plan.key_of_plan(lake.table, plan))
        assert lake.table.apply(plan, approval="ana", key=keys[-1]).outcome == "created"
        assert make_plan.key_of_plan(lake.table, lake.table.plan(rename)) is None, "nothing is to be done"
        lake.peer_changes(lambda update: update.rename_column("customer", "cust"))
    first = lake.table.plan(rename).digest
    assert keys == [None, f"plan {first}@0", f"plan {first}@0.2"]


def test_a_new_run_follows_the_file_of_a_mounted_table_again(lake: ChangedLake, request_of_file: ChangeRequest) -> None:
    for age, about in ((timedelta(hours=1), {}), (timedelta(hours=-1), {"clear_number": 1})):
        plan = planned(lake, request_of_file, age, **about).plan
        assert plan is not None
        assert not plan.unchanged
