"""CI and a DAG plan the same change on the same base: the plan has one digest, and what was approved there is applied here."""

import contextlib
import io
import json
import os
from pathlib import Path
from typing import Any

import pytest
from airflow.sdk.exceptions import AirflowFailException

from airflow_provider_schemas.cli.main import main
from airflow_provider_schemas.core import Plan
from airflow_provider_schemas.operators import SchemaEvolveOperator, SchemaValidateOperator
from airflow_provider_schemas.store import SchemaStore
from tests.provider.operators.support.store_with_table import FILE, Context, store_in, table_file

RENAME = "RENAME COLUMN cust_id TO customer_id"
WIDER = FILE.replace("cust_id, type: BIGINT", "cust_id, type: STRING")
pytestmark = pytest.mark.usefixtures("lake")


@pytest.fixture
def store(tmp_path: Path) -> SchemaStore:
    found = store_in(tmp_path)
    found.table("shop.orders").register("cust_id BIGINT", consumer="daily_report", owner="team-bi")
    return found


def typed(*words: str) -> dict[str, Any]:
    """What a command prints as JSON."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        main([*words, "--format", "json"])
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def digest_of(answer: dict[str, Any]) -> str:
    """The digest of the one plan that a command prints."""
    digest: str = answer["reports"][0]["plan"]["digest"]
    return digest


def planned(context: Context, **said: Any) -> str:
    task: Any = SchemaValidateOperator(task_id="plan", conn_id="lake", on_incompatible="warn", **said)
    digest: str = task.execute(context(task))["plan"]
    return digest


def test_changes_have_one_digest_at_every_door(store: SchemaStore, context: Context, tmp_path: Path) -> None:
    lake = str(tmp_path / "lake")
    digests = {
        "python": store.table("shop.orders").plan(RENAME).digest,
        "a URL": SchemaStore((tmp_path / "lake").as_uri(), actor="raj").table("shop.orders").plan(RENAME).digest,
        "command line": digest_of(typed("plan", "--store", lake, "shop.orders", RENAME)),
        "task": planned(context, table="shop.orders", changes=RENAME),
        "task with a key": planned(context, table="shop.orders", changes=[RENAME], key="mine"),
        "task for another": planned(context, table="shop.orders", changes=f"['{RENAME}']", applied_by="apply"),
    }
    assert len(set(digests.values())) == 1, digests


def test_a_table_file_has_one_digest_wherever_it_lies(store: SchemaStore, context: Context, tmp_path: Path) -> None:
    name = table_file(tmp_path, WIDER)
    (tmp_path / "repository").mkdir()
    (tmp_path / "repository/x.yaml").write_text(f"# a comment\n\n{WIDER}")
    lake, dags = str(tmp_path / "lake"), tmp_path / "dags"
    relative = os.path.relpath(dags / name)
    digests = {
        "python": store.table("shop.orders").plan(target=dags / name).digest,
        "command line": digest_of(typed("plan", "--store", lake, str(dags / name))),
        "from another folder": digest_of(typed("plan", "--store", lake, relative)),
        "another file": digest_of(typed("plan", "--store", lake, str(tmp_path / "repository/x.yaml"))),
        "task": planned(context, target=name),
    }
    assert len(set(digests.values())) == 1, digests
    assert planned(context, table="shop.orders", changes=RENAME) not in digests.values()


def test_a_base_of_another_warehouse_that_was_made_alike_is_the_same_base(store: SchemaStore, context: Context, tmp_path: Path) -> None:
    other = store_in(tmp_path / "ci")
    other.table("shop.orders").register("cust_id BIGINT", consumer="daily_report", owner="team-bi")
    heads = [one.table("shop.orders").latest() for one in (store, other)]
    assert heads[0].digest != heads[1].digest
    lake = str(tmp_path / "ci/lake")
    assert digest_of(typed("plan", "--store", lake, "shop.orders", RENAME)) == planned(context, table="shop.orders", changes=RENAME)


def test_what_was_saved_in_ci_is_applied_by_a_dag_that_plans_it_itself(store: SchemaStore, context: Context, tmp_path: Path) -> None:
    saved = digest_of(typed("plan", "--store", str(tmp_path / "lake"), "shop.orders", RENAME, "--save"))
    digest = planned(context, table="shop.orders", changes=RENAME, save=True)
    assert digest == saved
    task: Any = SchemaEvolveOperator(task_id="apply", conn_id="lake", table="shop.orders", plan=saved, override="agreed")
    done = task.execute(context(task))
    assert (done["outcome"], done["version"], done["plan"]) == ("created", 1, saved)
    assert task.execute(context(task))["outcome"] == "already applied"


def test_an_approval_in_ci_does_not_cover_a_job_that_came_since(store: SchemaStore, context: Context, tmp_path: Path) -> None:
    saved = digest_of(typed("plan", "--store", str(tmp_path / "lake"), "shop.orders", RENAME, "--save"))
    store.table("shop.orders").register("cust_id BIGINT", consumer="weekly_report")
    assert planned(context, table="shop.orders", changes=RENAME) != saved
    task: Any = SchemaEvolveOperator(task_id="apply", conn_id="lake", table="shop.orders", plan=saved)
    with pytest.raises(AirflowFailException):
        task.execute(context(task))


def test_a_plan_that_was_saved_before_the_table_was_made_anew_is_saved_again(store: SchemaStore, context: Context) -> None:
    first = store.table("shop.orders").plan("ADD COLUMN coupon STRING")
    table = store.table("shop.orders")
    digest = table.save_plan(first)
    store.drop_table("shop.orders", override="made anew")
    again = store.create_table("shop.orders", first_schema(first), primary_keys=["order_id"])
    assert again.created
    fresh = table.plan("ADD COLUMN coupon STRING")
    assert (fresh.digest, fresh.base != first.base) == (digest, True)
    assert table.save_plan(fresh) == digest
    task: Any = SchemaEvolveOperator(task_id="apply", conn_id="lake", table="shop.orders", plan=fresh.digest)
    assert task.execute(context(task))["outcome"] == "created"


def first_schema(plan: Plan) -> str:
    """The columns of the base of a plan that adds one at the end."""
    return ", ".join(f"{one.name} {one.type}" for one in plan.result.fields[:-1])


def test_a_plan_of_an_earlier_release_in_the_registry_is_applied_by_its_digest(
    store: SchemaStore, context: Context, tmp_path: Path
) -> None:
    table = store.table("shop.orders")
    table.save_plan(table.plan("ADD COLUMN coupon STRING"))
    (file,) = (tmp_path / "lake/_schemas/plans").rglob("*.json")
    record = json.loads(file.read_text())
    record["plan"]["digest"] = record["plan"].pop("seal")
    file.unlink()
    digest = record["plan"]["digest"]
    file.with_name(f"{digest}.json").write_text(json.dumps(record))
    task: Any = SchemaEvolveOperator(task_id="apply", conn_id="lake", table="shop.orders", plan=digest[:12])
    done = task.execute(context(task))
    assert (done["outcome"], done["plan"]) == ("created", digest)
