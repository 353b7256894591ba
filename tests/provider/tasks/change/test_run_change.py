"""What the tasks that change tables share: where they work, what they are told to expect, what they tell."""

import inspect
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from airflow.sdk import DAG
from airflow.sdk.exceptions import AirflowFailException

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.errors import ConflictError, SchemaError
from airflow_provider_schemas.operators import SchemaCreateOperator, SchemaEvolveOperator, SchemaRestoreOperator, SchemaValidateOperator
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.tasks.change import make_plan, summary, target
from airflow_provider_schemas.tasks.change.run_change import changing, open_context, read_expected_version
from airflow_provider_schemas.tasks.file_places import FilePlaces
from airflow_provider_schemas.tasks.not_said import NOT_SAID
from airflow_provider_schemas.tasks.task_run import Run

Context = Callable[..., Any]
DIGEST = "ab" * 32


# ---------------------------------------------------------------- where


def test_the_default_connection_is_meant_where_none_is_named(default_lake: str, context: Context) -> None:
    for named in (NOT_SAID, default_lake):
        assert open_context(named, context()).store.url.endswith("/lake")


def test_who_started_the_run_by_hand_is_who_changes_the_table(lake: str, context: Context) -> None:
    here = open_context(lake, context(by="ana"))
    assert here.origin == {"actor": "ana", "run": "reports/manual__2026-03-01/daily", "revision": ""}
    assert here.store.actor == "ana"


@pytest.mark.parametrize("operator", [SchemaCreateOperator, SchemaEvolveOperator, SchemaRestoreOperator, SchemaValidateOperator])
def test_every_argument_is_templated_and_kept_as_it_is(operator: Any) -> None:
    plain = {"retries", "outlets"}
    fields = set(operator.template_fields)
    made = operator(task_id="t", **dict.fromkeys(fields, "{{ x }}"))
    assert {getattr(made, name) for name in fields} == {"{{ x }}"}
    own = {
        name
        for one in operator.mro()
        if one.__module__.startswith("airflow_provider_schemas")
        for name, parameter in inspect.signature(one.__init__).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY
    }
    assert own - plain == fields


def test_templates_are_rendered_inside_lists_too(context: Context) -> None:
    made = SchemaEvolveOperator(task_id="t", table="shop.{{ ds }}", changes=["ADD COLUMN {{ params.x }} INT", {"a": ["{{ ds }}"]}])
    with DAG("d", schedule=None) as dag:
        dag.add_task(made)
    made.render_template_fields({"ds": "2026", "params": {"x": "coupon"}})
    assert (made.table, made.changes) == ("shop.2026", ["ADD COLUMN coupon INT", {"a": ["2026"]}])


# ---------------------------------------------------------------- what is expected


@pytest.mark.parametrize(
    ("value", "seen"),
    [
        (NOT_SAID, None), (3, 3), ("3", 3), ((3, DIGEST), (3, DIGEST)), (["3", DIGEST], (3, DIGEST)),
        (f"[3, '{DIGEST}']", (3, DIGEST)),
        ({"version": 3, "digest": DIGEST, "table": "shop.orders"}, (3, DIGEST)),
    ],
    ids=lambda one: repr(one)[:20],
)  # fmt: skip
def test_a_version_is_expected_in_any_form(value: Any, seen: Any) -> None:
    assert read_expected_version(value) == seen


@pytest.mark.parametrize("value", ["newest", -1, 1.5, True, [1, 2], {"version": "x", "digest": DIGEST}, {}, [], "[]", "{}"], ids=repr)
def test_what_is_no_version_is_refused(value: Any) -> None:
    with pytest.raises(SchemaError):
        read_expected_version(value)


@pytest.mark.parametrize(
    "value",
    [(None, DIGEST), ("None", DIGEST), ("", DIGEST), {"version": None, "digest": DIGEST}, {"version": 3}, (3, ""), (3, "None"), (3, None)],
    ids=str,
)
def test_a_version_of_which_only_a_half_is_said_is_refused(value: Any) -> None:
    with pytest.raises(SchemaError, match="expected_version"):
        read_expected_version(value)


# ---------------------------------------------------------------- how errors end a task


@pytest.mark.parametrize(
    ("code", "ends"),
    [
        ("commit.expected-version", True),
        ("commit.key-used", True),
        ("table.twice", True),
        ("commit.contended", False),
        ("commit.table-gone", False),
    ],
)
def test_a_conflict_that_another_try_meets_again_ends_the_task(code: str, ends: bool) -> None:
    with pytest.raises(SchemaError) as raised, changing():
        raise ConflictError("somebody else was first.", code=code)
    assert isinstance(raised.value, AirflowFailException) is ends


# ---------------------------------------------------------------- wishes, and their keys


def key(wish: target.ChangeRequest, run_id: str = "r1", map_index: int = -1) -> str:
    return wish.key(Run("dag", "task", run_id, map_index))


def test_a_key_names_the_task_and_the_wish_and_not_the_run() -> None:
    one, two = target.read_change_list("ADD COLUMN x INT"), target.read_change_list(["add column x int"])
    assert key(one) == key(two) == key(one, "r2") == key(one, map_index=3)
    assert key(one).startswith("dag.task:")
    assert key(one) != key(target.read_change_list("ADD COLUMN x BIGINT"))


def test_a_table_file_is_told_by_its_text(tmp_path: Path) -> None:
    path = tmp_path / "orders.yaml"
    path.write_text("table: shop.orders\ncolumns:\n  - {name: id, type: INT}\n", "utf-8")
    relative, absolute = target.read_table_file("orders.yaml", tmp_path), target.read_table_file(path, FilePlaces(bundle=tmp_path))
    assert (relative.table, key(relative)) == ("shop.orders", key(absolute))
    path.write_text(path.read_text("utf-8") + "owner: team-orders\n", "utf-8")
    assert key(target.read_table_file("orders.yaml", tmp_path)) != key(relative)


def test_columns_without_ids_are_those_of_the_same_names(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)
    store.create_table("shop.orders", "a INT, b STRING", options={"file.format": "parquet"})
    head = store.table("shop.orders").latest()
    wanted, notes = target.target_for(target.read_target("b STRING, a INT, c INT", None), head)
    assert isinstance(wanted, TableSchema)
    assert [(one.name, one.id) for one in wanted.fields] == [("b", 1), ("a", 0), ("c", 2)]
    assert wanted.options == head.schema.options
    assert notes == ()


# ---------------------------------------------------------------- the age of a run


def version_of(tmp_path: Path, run: str = "") -> Any:
    return SchemaStore(tmp_path).create_table("shop.orders", "a INT", run=run).version


def dag_run(**about: Any) -> Any:
    return SimpleNamespace(dag_id="dag", run_id="r1", **about)


def test_a_run_is_older_than_a_version_that_another_wrote_after_its_day(tmp_path: Path) -> None:
    head, now = version_of(tmp_path, "dag/r2/task"), datetime.now(UTC)
    assert make_plan.is_older(dag_run(run_after=now - timedelta(hours=1)), head)
    assert not make_plan.is_older(dag_run(run_after=now + timedelta(hours=1)), head)
    assert make_plan.is_older(dag_run(run_after=None, logical_date=now - timedelta(hours=1)), head)
    assert not make_plan.is_older(dag_run(), head)
    assert not make_plan.is_older(None, head)


def test_a_run_is_not_older_than_what_it_wrote_itself(tmp_path: Path) -> None:
    head = version_of(tmp_path, "dag/r1/another_task")
    assert not make_plan.is_older(dag_run(run_after=datetime(2020, 1, 1, tzinfo=UTC)), head)
    assert make_plan.is_older(SimpleNamespace(dag_id="dag", run_id="r", run_after=datetime(2020, 1, 1, tzinfo=UTC)), head), "nor the like"


@pytest.mark.parametrize(
    ("about", "repeated"),
    [({}, False), ({"clear_number": 0}, False), ({"clear_number": 1}, True), ({"run_type": "backfill"}, True),
     ({"run_type": SimpleNamespace(value="backfill")}, True), ({"run_type": "scheduled"}, False)],
    ids=repr,
)  # fmt: skip
def test_a_run_is_repeated_that_was_cleared_or_does_the_work_of_another_day(about: dict[str, Any], repeated: bool) -> None:
    assert make_plan.is_repeated(dag_run(**about)) is repeated


# ---------------------------------------------------------------- what is told


def test_the_log_says_what_the_reader_wants_to_read(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path)
    made = list(summary.change_lines(store.create_table("shop.orders", "order_id BIGINT NOT NULL, amount DECIMAL(10, 2)")))
    assert made[0].startswith("shop.orders  created, version 0, 2 columns · ")
    assert made[0].endswith("schema/schema-0 · exclusive create by hard link, proven")
    grown = list(summary.change_lines(store.table("shop.orders").evolve("ADD COLUMN coupon STRING")))
    assert grown[0].startswith("shop.orders  version 0 -> 1 · ")
    assert grown[1].split() == "+ coupon STRING FIELD_ADDED_NULLABLE data ok · readers ok · writers ok".split()
    again = list(summary.change_lines(store.create_table("shop.orders", "order_id BIGINT NOT NULL, amount DECIMAL(10, 2)")))
    assert again == ["shop.orders  exists at version 1; this definition is its version 0: nothing to do"]


def test_what_is_told_has_no_control_characters_and_no_passwords() -> None:
    assert summary.short_line("a\x1b[31mb\nc") == summary.short_line("a\x1b[31mb\nc").strip()
    assert "\x1b" not in summary.short_line("\x1b[31mred")
    assert "hunter2" not in summary.short_line("s3://me:hunter2@bucket/x")
    assert len(summary.short_line("x" * 10_000)) == 200


def test_notes_are_few_and_short() -> None:
    told = summary.short_notes([f"{number} {'x' * 5_000}" for number in range(1_000)])
    assert len(told) == 20
    assert len(json.dumps(told)) < 25_000


def test_a_job_that_registered_while_a_version_was_written_is_told_of(lake: str, context: Context, tmp_path: Path) -> None:
    store = SchemaStore(tmp_path / "lake")
    store.create_table("shop.orders", "id INT, cust_id BIGINT")

    def register(phase: str) -> None:
        if phase == commit_steps.JUDGED:
            commit_steps.listen(None)
            store.table("shop.orders").register("cust_id BIGINT", consumer="late_report")

    commit_steps.listen(register)
    try:
        made = SchemaEvolveOperator(task_id="t", conn_id=lake, table="shop.orders", changes="RENAME COLUMN cust_id TO customer_id")
        told = made.execute(context(made))
    finally:
        commit_steps.listen(None)
    assert told["outcome"] == "created"
    assert any("registered while this was written, and broken by it" in note and "late_report" in note for note in told["notes"])


def test_openlineage_is_told_of_the_version_and_of_the_change(lake: str, context: Context, tmp_path: Path) -> None:
    SchemaStore(tmp_path / "lake").create_table("shop.orders", "id INT")
    made = SchemaEvolveOperator(task_id="t", conn_id=lake, table="shop.orders", changes="ADD COLUMN x INT")
    here = context(made)
    assert made.get_openlineage_facets_on_complete(here["ti"]) is None
    made.execute(here)
    told = made.get_openlineage_facets_on_complete(here["ti"])
    assert told is not None
    facets = told.outputs[0].facets
    assert facets["lifecycleStateChange"].lifecycleStateChange.value == "ALTER"
    assert facets["version"].datasetVersion == "1"
