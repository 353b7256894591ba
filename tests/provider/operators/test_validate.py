"""`SchemaValidateOperator`: what would become of a table, and whom that breaks. It writes nothing but a plan, and that only if asked."""

import json
from pathlib import Path
from typing import Any

import pytest
from airflow.sdk.exceptions import AirflowFailException, AirflowSkipException

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.operators import SchemaValidateOperator
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.tasks.not_said import NOT_SAID
from tests.provider.operators.support.store_with_table import COLUMNS, FILE, LONG_AGO, Context, aged, store_in, table_file

pytestmark = pytest.mark.usefixtures("lake")
RENAME = "RENAME COLUMN cust_id TO customer_id"


@pytest.fixture
def store(tmp_path: Path) -> SchemaStore:
    return store_in(tmp_path)


@pytest.fixture
def read(store: SchemaStore) -> SchemaStore:
    """The same, where a job reads the customer."""
    store.table("shop.orders").register("cust_id BIGINT", consumer="daily_report", owner="team-bi")
    return store


def operator(**said: Any) -> SchemaValidateOperator:
    given: dict[str, Any] = {"task_id": "plan", "conn_id": "lake", "table": "shop.orders"}
    return SchemaValidateOperator(**given | said)


def run(context: Context, about: dict[str, Any] | None = None, **said: Any) -> dict[str, Any]:
    made = operator(**said)
    told: dict[str, Any] = made.execute(aged(context(made), **(about or {})))
    return told


def files(folder: Path) -> set[str]:
    return {str(one.relative_to(folder)) for one in folder.rglob("*") if one.is_file()}


# ---------------------------------------------------------------- the plan


def test_changes_that_break_nobody_are_planned_and_nothing_is_written(context: Context, store: SchemaStore, tmp_path: Path) -> None:
    before = files(tmp_path / "lake")
    told = run(context, changes="ADD COLUMN coupon STRING")
    assert (told["outcome"], told["verdict"], told["needs_approval"], told["saved"]) == ("planned", "ok", False, False)
    assert (told["changes"], told["base"]["version"]) == (["ADD COLUMN coupon STRING"], 0)
    assert len(told["plan"]) == 64
    assert files(tmp_path / "lake") == before


def test_a_plan_that_is_to_be_kept_is_found_by_its_digest(context: Context, store: SchemaStore) -> None:
    told = run(context, changes="ADD COLUMN coupon STRING", save=True)
    plan = store.table("shop.orders").saved_plan(told["plan"])
    assert (told["saved"], plan.digest, plan.table) == (True, told["plan"], "shop.orders")


def test_a_plan_that_is_made_again_is_the_same_plan(context: Context, store: SchemaStore) -> None:
    plans = {run(context, changes="ADD COLUMN coupon STRING", save="True")["plan"] for _ in range(2)}
    assert len(plans) == 1


def test_what_holds_already_is_no_plan_and_is_not_kept(context: Context, store: SchemaStore, tmp_path: Path) -> None:
    before = files(tmp_path / "lake")
    told = run(context, table=NOT_SAID, target=table_file(tmp_path), save=True)
    assert (told["table"], told["outcome"], told["saved"]) == ("shop.orders", "unchanged", False)
    assert files(tmp_path / "lake") == before


# ---------------------------------------------------------------- what breaks somebody


def test_a_break_fails_with_one_line_and_says_the_plan_at_the_end(context: Context, read: SchemaStore) -> None:
    made = operator(changes=RENAME)
    here = context(made)
    with pytest.raises(AirflowFailException) as raised:
        made.execute(here)
    assert str(raised.value).startswith("shop.orders v1 breaks daily_report: cust_id renamed to customer_id.")
    assert len(made.on_failure_callback) == 1
    told = here["ti"].pushed["schema_plan"]
    assert (told["verdict"], told["needs_approval"]) == ("break", True)
    assert told["findings"][0]["rule"] == "FIELD_RENAMED"


def test_a_break_may_skip_what_follows(context: Context, read: SchemaStore) -> None:
    made = operator(changes=RENAME, on_incompatible="skip")
    here = context(made)
    with pytest.raises(AirflowSkipException, match="breaks daily_report"):
        made.execute(here)
    assert here["ti"].pushed["schema_plan"]["verdict"] == "break"
    assert len(made.on_skipped_callback) == 1


def test_a_break_may_only_warn(context: Context, read: SchemaStore) -> None:
    assert run(context, changes=RENAME, on_incompatible="warn")["needs_approval"]


def test_what_cannot_be_made_fails_whatever_breaks_mean(context: Context, read: SchemaStore) -> None:
    with pytest.raises(AirflowFailException):
        run(context, changes="DROP COLUMN order_id", on_incompatible="warn")


def test_an_override_needs_no_approval(context: Context, read: SchemaStore) -> None:
    assert not run(context, changes=RENAME, override="INC-4711")["needs_approval"]


# ---------------------------------------------------------------- whole schemas


@pytest.mark.parametrize(
    "target",
    [
        f"{COLUMNS}, coupon STRING",
        [
            {"name": "order_id", "type": "BIGINT NOT NULL"},
            {"name": "cust_id", "type": "BIGINT"},
            {"name": "amount", "type": "DECIMAL(10, 2)"},
            {"name": "coupon", "type": "STRING"},
        ],
    ],
    ids=["sql", "columns"],
)
def test_a_whole_schema_without_ids_is_matched_by_name(target: Any, context: Context, store: SchemaStore) -> None:
    told = run(context, target=target)
    assert told["changes"] == ["ADD COLUMN coupon STRING"], "the keys and options stay"


def test_a_column_in_another_place_of_a_whole_schema_is_the_same_column(context: Context, store: SchemaStore) -> None:
    told = run(context, target="cust_id BIGINT, order_id BIGINT NOT NULL, amount DECIMAL(10, 2)")
    assert "DROP" not in json.dumps(told["changes"])


def test_what_a_whole_schema_does_not_name_goes_and_what_may_be_renamed_is_said(context: Context, read: SchemaStore) -> None:
    told = run(context, target="order_id BIGINT NOT NULL, customer_id BIGINT, amount DECIMAL(10, 2)", on_incompatible="warn")
    assert "DROP COLUMN cust_id" in told["changes"]
    assert any("customer_id may be cust_id renamed" in note for note in told["notes"])


def test_a_schema_file_beside_the_dag_is_a_candidate(context: Context, store: SchemaStore, tmp_path: Path) -> None:
    schema = store.table("shop.orders").schema()
    (tmp_path / "dags").mkdir()
    (tmp_path / "dags" / "candidate.json").write_text(schema.to_json(), "utf-8")
    assert run(context, target="candidate.json")["outcome"] == "unchanged"


def test_a_table_that_is_not_there_would_be_made(context: Context, store: SchemaStore, tmp_path: Path) -> None:
    told = run(context, table=NOT_SAID, target=table_file(tmp_path, FILE.replace("shop.orders", "shop.fresh")))
    assert (told["table"], told["base"], told["outcome"]) == ("shop.fresh", None, "planned")


# ---------------------------------------------------------------- runs that are older than the table


def test_an_old_run_is_told_what_is_in_its_file_if_nothing_is_kept(context: Context, store: SchemaStore, tmp_path: Path) -> None:
    target = table_file(tmp_path, FILE + "  - {name: coupon, type: STRING}\n")
    assert run(context, {"run_after": LONG_AGO, "clear_number": 1}, target=target)["outcome"] == "planned"
    with pytest.raises(AirflowFailException, match="this run is of 2020-01-01"):
        run(context, {"run_after": LONG_AGO, "clear_number": 1}, target=target, save=True)


def test_an_old_file_in_an_old_run_is_nothing_to_do(context: Context, store: SchemaStore, tmp_path: Path) -> None:
    store.table("shop.orders").evolve("ALTER COLUMN amount TYPE DECIMAL(12, 2)")
    told = run(context, {"run_after": LONG_AGO}, target=table_file(tmp_path), save=True)
    assert (told["outcome"], told["plan"], told["needs_approval"]) == ("already applied", None, False)
    with pytest.raises(AirflowFailException, match="the file says what the table was at version 0"):
        run(context, {"run_after": LONG_AGO}, target=table_file(tmp_path))


def test_what_the_task_that_applies_has_done_before_is_not_planned_again(context: Context, store: SchemaStore) -> None:
    told = run(context, changes="ADD COLUMN coupon STRING", save=True, applied_by="group.apply")
    assert told["key"].startswith("reports.group.apply:")
    store.table("shop.orders").evolve("ADD COLUMN coupon STRING", key=told["key"])
    store.table("shop.orders").evolve("DROP COLUMN coupon")
    again = run(context, changes="ADD COLUMN coupon STRING", save=True, applied_by="group.apply")
    assert (again["outcome"], again["base"]["version"]) == ("already applied", 1)
    assert run(context, changes="ADD COLUMN coupon STRING", save=True, applied_by="another.apply")["outcome"] == "planned"


# ---------------------------------------------------------------- much, and mistakes


def test_a_plan_for_ten_thousand_columns_does_not_fill_xcom(context: Context, store: SchemaStore) -> None:
    told = run(context, changes=[f"ADD COLUMN c{number} ROW<{'long' * 80} STRING>" for number in range(10_000)])
    assert (len(told["changes"]), told["more_changes"], len(told["findings"]), told["more_findings"]) == (20, 9_980, 20, 9_980)
    assert len(json.dumps(told)) < 30_000


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({}, "pass changes or a target"),
        ({"changes": RENAME, "target": COLUMNS}, "pass changes or a target"),
        ({"changes": RENAME, "on_incompatible": "ignore"}, "is none of fail, skip, warn"),
        ({"changes": RENAME, "save": "maybe"}, "is neither true nor false"),
        ({"changes": RENAME, "table": "shop.nope"}, "shop.nope"),
        ({"target": "id BIGNIT"}, "BIGNIT"),
        ({"target": "nope.json"}, "there is no file"),
        ({"target": 7}, "columns"),
        ({"target": b"id INT"}, "columns"),
        ({"changes": "ADD COLUMN \ud800 INT"}, ""),
    ],
)
def test_a_mistake_ends_the_task_at_once(said: dict[str, Any], words: str, context: Context, store: SchemaStore) -> None:
    with pytest.raises(SchemaError) as raised:
        run(context, **said)
    assert words in str(raised.value)
    assert isinstance(raised.value, AirflowFailException)


def test_a_plan_cannot_be_kept_where_nothing_may_be_written(connect: Any, context: Context, store: SchemaStore, tmp_path: Path) -> None:
    connect("lake", host=(tmp_path / "lake").as_uri(), extra={"read_only": True})
    assert run(context, changes="ADD COLUMN coupon STRING")["outcome"] == "planned"
    with pytest.raises(AirflowFailException, match="read only"):
        run(context, changes="ADD COLUMN coupon STRING", save=True)
