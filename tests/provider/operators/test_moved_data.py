"""The operators compare a description that names another place with the files there, unless a reason says why not."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa  # noqa: TID253  # the files of these tests are made by it
import pytest
from airflow.sdk import DAG
from pyarrow import parquet  # noqa: TID253  # likewise

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.operators import (
    SchemaEvolveOperator,
    SchemaRestoreOperator,
    SchemaValidateOperator,
    schema_evolution,
)
from airflow_provider_schemas.store import SchemaStore
from tests.provider.operators.support.store_with_table import Context, store_in

pytestmark = pytest.mark.usefixtures("lake")
NAME = "shop.described"


@pytest.fixture
def store(tmp_path: Path) -> SchemaStore:
    """A store with a table whose columns fit the files in `old`, and not those in `new`."""
    for name, column in {"old": "x", "new": "y"}.items():
        (tmp_path / name).mkdir()
        parquet.write_table(pa.table({column: [1]}), tmp_path / name / "part-0.parquet")
    store = store_in(tmp_path)
    store.adopt(NAME, str(tmp_path / "old"), "x BIGINT")
    return store


@pytest.fixture
def changes(tmp_path: Path) -> dict[str, str]:
    value = json.dumps({"location": str(tmp_path / "new"), "format": "parquet"})
    return {"action": "setOption", "key": "schemas.table", "value": value}


def run(made: Any, context: Context) -> dict[str, Any]:
    told: dict[str, Any] = made.execute(context(made))
    return told


def test_another_place_is_refused_by_the_operators_that_plan_and_change(
    context: Context, store: SchemaStore, changes: dict[str, str]
) -> None:
    for kind in (SchemaEvolveOperator, SchemaValidateOperator):
        about: dict[str, Any] = {"task_id": "move", "conn_id": "lake", "table": NAME, "changes": changes}
        with pytest.raises(SchemaError, match="x is described as BIGINT"):
            run(kind(**about), context)
        run(kind(**about, unchecked="INC-7"), context)
        with pytest.raises(SchemaError, match="unchecked"):
            run(kind(**about, unchecked=""), context)
        if kind is SchemaEvolveOperator:
            assert "INC-7" in str(store.table(NAME).latest().provenance)
            store.table(NAME).restore(0)


def test_a_plan_is_applied_with_its_own_reason(context: Context, store: SchemaStore, changes: dict[str, str]) -> None:
    about: dict[str, Any] = {"task_id": "move", "conn_id": "lake"}
    plan = run(SchemaValidateOperator(**about, table=NAME, changes=changes, save=True, unchecked="INC-7"), context)
    with pytest.raises(SchemaError, match="x is described as BIGINT"):
        run(SchemaEvolveOperator(**about, plan=plan), context)
    run(SchemaEvolveOperator(**about, plan=plan, unchecked="INC-8"), context)
    assert "INC-8" in str(store.table(NAME).latest().provenance)


def test_going_back_to_another_place_is_compared(context: Context, store: SchemaStore, tmp_path: Path, changes: dict[str, str]) -> None:
    store.table(NAME).evolve(changes, unchecked="INC-7")
    parquet.write_table(pa.table({"y": [1]}), tmp_path / "old/part-0.parquet")
    about: dict[str, Any] = {"task_id": "back", "conn_id": "lake", "table": NAME, "version": 0}
    with pytest.raises(SchemaError, match="x is described as BIGINT"):
        run(SchemaRestoreOperator(**about), context)
    assert run(SchemaRestoreOperator(**about, unchecked="INC-8"), context)["version"] == 2


def test_the_group_hands_the_reason_to_whoever_plans_and_applies() -> None:
    with DAG("move", schedule=None) as dag:
        schema_evolution(target="orders.yaml", unchecked="INC-7")
    said = {task.task_id.rpartition(".")[2]: getattr(task, "unchecked", None) for task in dag.tasks}
    assert (said["plan"], said["apply"]) == ("INC-7", "INC-7")
