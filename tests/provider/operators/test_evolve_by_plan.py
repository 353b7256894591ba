"""`SchemaEvolveOperator` by a table file or a plan, and on tables that a catalog keeps."""

from pathlib import Path
from typing import Any

import pytest
from airflow.sdk.exceptions import AirflowFailException

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.operators import SchemaValidateOperator
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.tasks.not_said import NOT_SAID
from tests.provider.operators.support.evolve_task import COUPON, DIGEST, head, run
from tests.provider.operators.support.store_with_table import FILE, LONG_AGO, TOMORROW, Context, store_in, table_file

pytestmark = pytest.mark.usefixtures("lake")


@pytest.fixture
def store(tmp_path: Path) -> SchemaStore:
    return store_in(tmp_path)


# ---------------------------------------------------------------- table files

WITH_COUPON = FILE + "  - {name: coupon, type: STRING}\n"


def test_a_table_file_is_followed_once(context: Context, store: SchemaStore, tmp_path: Path) -> None:
    target = table_file(tmp_path, WITH_COUPON)
    assert run(context, target=target, table=NOT_SAID)["changes"] == ["ADD COLUMN coupon STRING"]
    assert run(context, "r2", target=target, table=NOT_SAID)["outcome"] == "already applied"
    assert head(store) == 1


def test_a_cleared_run_of_last_spring_with_its_old_file_undoes_nothing(context: Context, store: SchemaStore, tmp_path: Path) -> None:
    target = table_file(tmp_path, WITH_COUPON)
    run(context, "spring", target=target)
    store.table("shop.orders").evolve(["DROP COLUMN coupon", "ADD COLUMN voucher STRING"])
    told = run(context, "spring", {"run_after": LONG_AGO, "clear_number": 1}, target=target)
    assert (told["outcome"], told["version"], head(store)) == ("already applied", 1, 2)
    assert "It is left as it is" in told["notes"][1]


def test_an_old_file_that_drops_what_came_back_drops_nothing_in_an_old_run(context: Context, store: SchemaStore, tmp_path: Path) -> None:
    target = table_file(tmp_path, FILE + "dropped: [legacy]\n")
    store.table("shop.orders").evolve("ADD COLUMN legacy STRING")
    run(context, "spring", target=target)
    store.table("shop.orders").evolve("ADD COLUMN legacy STRING", key="it is needed again", override="on purpose")
    for about in ({"clear_number": 1}, {"run_type": "backfill"}):
        told = run(context, "spring", {"run_after": LONG_AGO, **about}, target=target)
        assert (told["outcome"], head(store)) == ("already applied", 3)


def test_an_old_run_does_not_begin_what_no_run_has_done(context: Context, store: SchemaStore, tmp_path: Path) -> None:
    target = table_file(tmp_path, WITH_COUPON)
    with pytest.raises(AirflowFailException, match=r"this run is of 2020-01-01 00:00 UTC, and shop\.orders was changed after that"):
        run(context, about={"run_after": LONG_AGO, "clear_number": 1}, target=target)
    assert head(store) == 0
    assert run(context, about={"run_after": LONG_AGO}, target=target)["outcome"] == "created", (
        "a late run that nobody cleared is as good as any"
    )


def test_a_run_that_was_cleared_may_follow_its_file_again_if_only_it_came_between(
    context: Context, store: SchemaStore, tmp_path: Path
) -> None:
    run(context, target=table_file(tmp_path, WITH_COUPON))
    target = table_file(tmp_path, WITH_COUPON + "  - {name: voucher, type: STRING}\n")
    assert run(context, about={"run_after": LONG_AGO, "clear_number": 1}, target=target)["outcome"] == "created"


def test_a_file_that_was_taken_back_in_git_is_for_a_person_to_decide(context: Context, store: SchemaStore, tmp_path: Path) -> None:
    run(context, target=table_file(tmp_path, WITH_COUPON))
    store.table("shop.orders").evolve("DROP COLUMN coupon")
    with pytest.raises(AirflowFailException, match="the file says what the table was at version 1"):
        run(context, "r3", {"run_after": TOMORROW}, target=table_file(tmp_path, WITH_COUPON))
    assert head(store) == 2


def test_what_a_file_does_not_mention_stays(context: Context, store: SchemaStore, tmp_path: Path) -> None:
    store.table("shop.orders").evolve("ADD COLUMN utm INT")
    told = run(context, target=table_file(tmp_path, WITH_COUPON))
    assert store.table("shop.orders").schema().names == ("order_id", "cust_id", "amount", "utm", "coupon")
    assert told["changes"] == ["ADD COLUMN coupon STRING"]


# ---------------------------------------------------------------- plans


def planned(context: Context, **said: Any) -> dict[str, Any]:
    given: dict[str, Any] = {"task_id": "plan", "conn_id": "lake", "table": "shop.orders", "save": True, "on_incompatible": "warn"}
    made = SchemaValidateOperator(**given | said)
    told: dict[str, Any] = made.execute(context(made, run_id="r1"))
    return told


def test_a_plan_that_was_kept_is_applied_once(context: Context, store: SchemaStore) -> None:
    plan = planned(context, changes=COUPON)
    told = run(context, plan=plan)
    assert (told["outcome"], told["plan"], told["version"]) == ("created", plan["plan"], 1)
    again = run(context, "r2", plan=plan)
    assert (again["outcome"], again["plan"]) == ("already applied", plan["plan"])
    assert run(context, "r3", plan=plan["plan"][:12])["outcome"] == "already applied", "a digest will do, or its beginning"


def test_a_plan_is_refused_when_the_table_has_moved_on(context: Context, store: SchemaStore) -> None:
    plan = planned(context, changes=COUPON)
    store.table("shop.orders").evolve("ADD COLUMN other INT")
    with pytest.raises(AirflowFailException, match=r"the plan was made on version 0 .* and the newest is version 1"):
        run(context, plan=plan)


def test_a_plan_that_changes_nothing_is_nothing_to_do(context: Context, store: SchemaStore, tmp_path: Path) -> None:
    plan = planned(context, table=NOT_SAID, target=table_file(tmp_path))
    told = run(context, plan=plan)
    assert (plan["outcome"], plan["saved"], told["outcome"], told["version"]) == ("unchanged", False, "unchanged", 0)


def test_a_plan_for_a_table_that_is_not_there_makes_it(context: Context, store: SchemaStore, tmp_path: Path) -> None:
    target = table_file(tmp_path, FILE.replace("shop.orders", "shop.fresh"), "fresh.yaml")
    plan = planned(context, table=NOT_SAID, target=target)
    told = run(context, plan=plan, table=NOT_SAID)
    assert (told["table"], told["version"], told["previous"], told["outcome"]) == ("shop.fresh", 0, None, "created")
    assert run(context, "r2", plan=plan, table=NOT_SAID)["outcome"] == "already applied"


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ({"outcome": "planned", "plan": DIGEST, "table": "shop.orders"}, "the plan was not kept"),
        ({"plan": DIGEST}, "is no plan"),
        ([1], "is no plan"),
        (DIGEST, "there is no plan 000000000000"),
        ("xyz", "is no digest of a plan"),
        ("../../etc/passwd", "is no digest of a plan"),
        ({"outcome": "planned", "saved": True, "plan": "../../x", "table": "shop.orders"}, "is no digest of a plan"),
        ({"outcome": "planned", "saved": True, "plan": DIGEST, "table": "../x"}, "x"),
        ({"outcome": "unchanged", "table": "shop.orders", "base": {"version": 99}}, "99"),
    ],
)
def test_what_is_no_plan_is_refused(plan: Any, words: str, context: Context, store: SchemaStore) -> None:
    with pytest.raises(SchemaError) as raised:
        run(context, plan=plan)
    assert words in str(raised.value)


@pytest.mark.parametrize(("argument", "words"), [("table", "shop.users"), ("branch", "dev")])
def test_a_plan_is_not_applied_to_another_table_or_branch_than_the_task_names(
    argument: str, words: str, context: Context, store: SchemaStore
) -> None:
    plan = planned(context, changes=COUPON)
    with pytest.raises(AirflowFailException, match=f"{argument}.*{words}.* is said, and the plan is for"):
        run(context, **dict[str, Any]({"plan": plan, argument: words}))
    assert head(store) == 0
    assert run(context, plan=plan, table=" shop.orders ", branch="main")["version"] == 1


def test_beside_a_plan_nothing_else_is_said(context: Context, store: SchemaStore) -> None:
    plan = planned(context, changes=COUPON)
    with pytest.raises(AirflowFailException, match="changes, target cannot be given beside a plan"):
        run(context, plan=plan, changes=COUPON, target="a.yaml")


# ---------------------------------------------------------------- tables that a catalog keeps


def test_where_a_catalog_keeps_the_table_the_error_has_the_engines_statements(
    connect: Any, context: Context, store: SchemaStore, tmp_path: Path
) -> None:
    connect("lake", host=(tmp_path / "lake").as_uri(), extra={"catalog": "hive"})
    with pytest.raises(AirflowFailException) as raised:
        run(context, changes=[*COUPON, "SET OPTION 'fs.s3.secret-key' = 'hunter2'"])
    text = str(raised.value)
    assert "ALTER TABLE `shop`.`orders`" in text or "ALTER TABLE shop.orders" in text
    assert "coupon" in text
    assert "hunter2" not in text
    assert "its value is a secret" in text
    assert head(store) == 0


def test_once_the_engine_has_run_them_the_task_finds_the_table_changed(
    connect: Any, context: Context, store: SchemaStore, tmp_path: Path
) -> None:
    plan = planned(context, changes=COUPON)
    store.table("shop.orders").evolve(COUPON)  # as the engine would
    connect("lake", host=(tmp_path / "lake").as_uri(), extra={"catalog": "hive"})
    assert run(context, changes=COUPON)["outcome"] == "unchanged"
    assert run(context, plan=plan)["notes"] == ["version 1 is what the plan wanted"]


def test_a_store_that_is_opened_to_be_read_only_says_so(connect: Any, context: Context, store: SchemaStore, tmp_path: Path) -> None:
    connect("lake", host=(tmp_path / "lake").as_uri(), extra={"read_only": True})
    with pytest.raises(AirflowFailException, match="read only") as raised:
        run(context, changes=COUPON)
    assert "ALTER TABLE" not in str(raised.value)
