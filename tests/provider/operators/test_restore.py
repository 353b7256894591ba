"""`SchemaRestoreOperator`: back to an old version by a new one, once a run."""

from pathlib import Path
from typing import Any

import pytest
from airflow.sdk.exceptions import AirflowFailException

from airflow_provider_schemas.operators import SchemaRestoreOperator
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.tasks.not_said import NOT_SAID
from tests.provider.operators.support.store_with_table import Context, announced, store_in

pytestmark = pytest.mark.usefixtures("lake")


@pytest.fixture
def store(tmp_path: Path) -> SchemaStore:
    found = store_in(tmp_path)
    found.table("shop.orders").evolve("ADD COLUMN coupon STRING")
    return found


def operator(**said: Any) -> SchemaRestoreOperator:
    given: dict[str, Any] = {"task_id": "back", "conn_id": "lake", "table": "shop.orders", "version": 0}
    return SchemaRestoreOperator(**given | said)


def run(context: Context, run_id: str = "r1", **said: Any) -> dict[str, Any]:
    made = operator(**said)
    told: dict[str, Any] = made.execute(context(made, run_id=run_id))
    return told


def names(store: SchemaStore) -> tuple[str, ...]:
    return store.table("shop.orders").schema().names


def test_a_new_version_is_what_the_old_one_was(context: Context, store: SchemaStore) -> None:
    made = operator(version="0")
    here = context(made)
    told = made.execute(here)
    assert (told["outcome"], told["version"], told["previous"]) == ("created", 2, 1)
    assert names(store) == ("order_id", "cust_id", "amount")
    assert [one.extra["version"] for one in announced(here)] == [2]


def test_a_table_that_is_what_it_was_is_left_as_it_is(context: Context, store: SchemaStore) -> None:
    told = run(context, version=1)
    assert (told["outcome"], told["notes"]) == ("unchanged", ["unchanged: the table is what version 1 was"])


def test_a_run_that_is_cleared_does_not_go_back_again_and_a_new_one_does(context: Context, store: SchemaStore) -> None:
    run(context)
    store.table("shop.orders").evolve("ADD COLUMN voucher STRING")
    assert run(context)["outcome"] == "already applied"
    assert "voucher" in names(store)
    assert run(context, "r2")["outcome"] == "created"
    assert "voucher" not in names(store)


def test_whom_going_back_breaks_is_asked_as_well(context: Context, store: SchemaStore) -> None:
    store.table("shop.orders").register("coupon STRING", consumer="churn", owner="team-crm")
    with pytest.raises(AirflowFailException, match=r"breaks churn \(team-crm\)"):
        run(context)
    assert run(context, override="INC-4711")["outcome"] == "created"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"version": None}, "version came out empty"),
        ({"version": "None"}, "version came out empty"),
        ({"version": "newest"}, "is no number of a version"),
        ({"version": 99}, "99"),
        ({"version": -1}, "is no number of a version"),
        ({"table": NOT_SAID}, "which table is meant is not said"),
        ({"table": "shop.nope"}, "shop.nope"),
        ({"expected_version": 0}, "was expected at version 0"),
    ],
)
def test_a_mistake_ends_the_task_at_once(said: dict[str, Any], words: str, context: Context, store: SchemaStore) -> None:
    with pytest.raises(AirflowFailException) as raised:
        run(context, **said)
    assert words in str(raised.value)
    assert names(store) == ("order_id", "cust_id", "amount", "coupon")


def test_where_a_catalog_keeps_the_table_the_error_has_the_engines_statements(
    connect: Any, context: Context, store: SchemaStore, tmp_path: Path
) -> None:
    connect("lake", host=(tmp_path / "lake").as_uri(), extra={"catalog": "hive"})
    with pytest.raises(AirflowFailException, match="DROP COLUMN"):
        run(context)
    assert run(context, version=1)["notes"] == ["nothing to change"]
