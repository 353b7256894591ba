"""A plan is applied as it was made and approved, once, and only while the table and those who use it are still the same."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from airflow_provider_schemas.core import Policy, TableSchema
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.report import Report, Verdict
from airflow_provider_schemas.core.schema.table_schema import Options
from airflow_provider_schemas.errors import (
    ChangeError,
    ConflictError,
    IncompatibleSchemaError,
    InvalidSchemaError,
    NotThereError,
    PlanError,
    ReadOnlyError,
    SchemaError,
)
from airflow_provider_schemas.store.storage import commit_steps
from tests.support.stores import at, bytes_of, columns, guarded, lake, orders, written

NARROW = "ALTER COLUMN amount TYPE INT"
RENAME = "RENAME COLUMN cust_id TO customer_id"


def test_planning_writes_nothing(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    before = bytes_of(tmp_path)
    assert table.plan("ADD COLUMN coupon STRING").verdict is Verdict.OK
    assert table.plan(NARROW).changes
    assert bytes_of(tmp_path) == before


def test_a_plan_is_applied_once(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    plan = table.plan("ADD COLUMN coupon STRING")
    first, again = table.apply(plan), table.apply(plan)
    assert (first.outcome, first.number, again.outcome, again.number) == ("created", 1, "already applied", 1)
    assert first.schema.content == plan.result.content
    table.evolve("DROP COLUMN coupon")
    assert table.apply(plan).outcome == "already applied"
    assert table.numbers() == (0, 1, 2)


def test_a_plan_travels_as_json_and_by_its_digest(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    plan = table.plan("ADD COLUMN coupon STRING")
    digest = table.save_plan(plan)
    assert table.saved_plan(digest[:8]).digest == plan.digest
    assert table.apply(Plan.from_json(plan.to_json())).created
    assert table.apply(table.saved_plan(digest)).outcome == "already applied"
    with pytest.raises(NotThereError):
        table.saved_plan("0123456789")


def test_a_plan_is_refused_when_the_table_has_moved(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    plan = table.plan("ADD COLUMN coupon STRING")
    table.evolve("ADD COLUMN note STRING")
    with pytest.raises(PlanError, match="the newest is version 1") as error:
        table.apply(plan)
    assert error.value.code == "plan.base-moved"
    assert table.numbers() == (0, 1)


def test_a_plan_is_refused_when_the_table_moves_during_the_commit(tmp_path: Path) -> None:
    table, other = orders(lake(tmp_path)), lake(tmp_path).table("shop.orders")
    plan = table.plan("ADD COLUMN coupon STRING")
    with at(commit_steps.JUDGED, lambda: other.evolve("ADD COLUMN note STRING")), pytest.raises(PlanError, match="Make the plan again"):
        table.apply(plan)
    assert list(columns(table)) == ["order_id", "cust_id", "amount", "note"]


def test_the_same_number_with_another_digest_is_another_base(tmp_path: Path) -> None:
    table = orders(store := lake(tmp_path))
    plan = table.plan("ADD COLUMN coupon STRING")
    store.drop_table("shop.orders")
    orders(store)
    with pytest.raises(PlanError, match="the plan was made on version 0"):
        store.table("shop.orders").apply(plan)


def test_two_who_apply_one_plan_at_once_write_one_version(tmp_path: Path) -> None:
    table, other = orders(lake(tmp_path)), lake(tmp_path).table("shop.orders")
    plan = table.plan("ADD COLUMN coupon STRING")
    with at(commit_steps.JUDGED, lambda: other.apply(plan)):
        second = table.apply(plan)
    assert (second.outcome, second.number, table.numbers()) == ("already applied", 1, (0, 1))


def test_a_plan_that_breaks_something_needs_somebody_who_approves(tmp_path: Path) -> None:
    table = guarded(lake(tmp_path))
    plan = table.plan(NARROW)
    assert plan.verdict is Verdict.BREAK
    with pytest.raises(IncompatibleSchemaError):
        table.apply(plan)
    with pytest.raises(IncompatibleSchemaError):
        table.apply(plan, approval="   ")
    done = table.apply(plan, approval="raj")
    assert (done.number, table.history()[0].approval) == (1, "raj")


def test_an_approval_holds_for_the_plan_and_not_for_what_came_since(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    plan = table.plan(RENAME)
    table.register("cust_id BIGINT", consumer="daily")
    with pytest.raises(IncompatibleSchemaError, match="did not say so when it was made"):
        table.apply(plan, approval="raj")
    assert table.numbers() == (0,)
    assert table.apply(plan, override="INC-1").created


def test_a_job_that_was_told_of_in_the_plan_was_approved_with_it(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.register("cust_id BIGINT", consumer="daily")
    plan = table.plan(RENAME)
    assert table.apply(plan, approval="raj").created
    assert columns(table)["customer_id"] == 1


def test_a_second_job_that_breaks_the_same_way_was_not(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.register("cust_id BIGINT", consumer="daily")
    plan = table.plan(RENAME)
    table.register("cust_id BIGINT", consumer="weekly")
    with pytest.raises(IncompatibleSchemaError, match="weekly"):
        table.apply(plan, approval="raj")


def test_a_plan_under_a_weaker_policy_is_refused_without_its_reason(tmp_path: Path) -> None:
    table = guarded(lake(tmp_path))
    off = Policy(protect={"data": "off", "jobs": "off", "writers": "off"})  # type: ignore[arg-type]  # read from plain values
    assert table.plan(NARROW, policy=off).verdict is Verdict.BREAK
    plan = table.plan(NARROW, policy=off, override="INC-1")
    assert plan.verdict is not Verdict.BREAK
    for approval in ("", "raj"):
        with pytest.raises(IncompatibleSchemaError, match="did not say so"):
            table.apply(plan, approval=approval)
    assert table.numbers() == (0,)
    assert table.apply(plan, override="INC-1").created


def test_what_was_let_through_until_a_day_is_not_let_through_after_it(tmp_path: Path) -> None:
    table = guarded(lake(tmp_path))
    until = datetime.now(UTC) + timedelta(seconds=0.5)
    for one in table.plan(NARROW).report.findings:
        table.waive(one.rule, one.path, until=until, reason="INC: until then", consumer="")
    plan = table.plan(NARROW)
    assert plan.verdict is Verdict.WARN
    while datetime.now(UTC) <= until:
        time.sleep(0.05)
    with pytest.raises(IncompatibleSchemaError, match="did not say so"):
        table.apply(plan)
    assert table.numbers() == (0,)


def test_what_a_table_file_accepts_is_accepted_when_its_plan_is_applied(tmp_path: Path) -> None:
    table = guarded(lake(tmp_path))
    text = "table: shop.orders\ncolumns:\n  - {name: amount, type: INT, accepts: {%s, until: 2999-01-01}}\n"
    rules = {one.rule for one in table.plan(NARROW).report.findings}
    plan = table.plan(target=written(text % ", ".join(f"{rule}: agreed" for rule in rules)))
    assert table.apply(plan).created


def test_a_plan_whose_report_was_taken_out_is_judged_anew(tmp_path: Path) -> None:
    table = guarded(lake(tmp_path))
    forged = msgspec.structs.replace(table.plan(NARROW), report=Report(table="shop.orders"))
    assert forged.verdict is Verdict.OK
    with pytest.raises(IncompatibleSchemaError, match="did not say so"):
        table.apply(forged)
    assert table.numbers() == (0,)


@pytest.mark.parametrize("override", ["", "it was decided"])
def test_a_plan_whose_result_makes_no_sense_is_refused_whatever_its_report_says(tmp_path: Path, override: str) -> None:
    table = orders(lake(tmp_path))
    plan = table.plan("ADD COLUMN coupon STRING")
    options = Options({**plan.result.options, "merge-engine": "no-such-engine"})
    forged = msgspec.structs.replace(plan, changes=(), result=msgspec.structs.replace(plan.result, options=options), report=Report())
    assert forged.verdict is Verdict.OK
    with pytest.raises(InvalidSchemaError, match="no-such-engine"):
        table.apply(forged, override=override)
    assert table.numbers() == (0,)


def test_a_plan_whose_result_is_not_what_its_changes_make_is_refused(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    plan, other = table.plan("ADD COLUMN coupon STRING"), table.plan("ADD COLUMN coupon STRING").result
    forged = msgspec.structs.replace(plan, result=msgspec.structs.replace(other, comment="mine"))
    with pytest.raises(PlanError) as error:
        table.apply(forged)
    assert error.value.code == "plan.tampered"
    with pytest.raises(PlanError, match="changed after it was made"):
        Plan.from_json(plan.to_json().replace("coupon", "discount"))
    assert table.numbers() == (0,)


def test_a_plan_that_says_of_itself_that_it_changes_nothing_changes_nothing(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    plan = table.plan(target=table.schema())
    assert plan.unchanged
    assert table.apply(plan).outcome == "unchanged"
    assert table.apply(msgspec.structs.replace(table.plan(NARROW), unchanged=True)).outcome == "unchanged"
    assert table.numbers() == (0,)


def test_a_plan_for_what_holds_already_changes_nothing_and_says_who_did_it(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.evolve("ADD COLUMN coupon STRING", run="manual__1")
    plan = table.plan("ADD COLUMN coupon STRING")
    assert (plan.unchanged, plan.changes) == (True, ())
    assert "unchanged: these changes are version 1 (run manual__1, ana)" in plan.report.notes
    assert table.apply(plan).outcome == "unchanged"
    with pytest.raises(ChangeError) as error:
        table.plan(["ADD COLUMN coupon STRING", "ADD COLUMN note STRING"])
    assert error.value.code == "change.part-done"


def test_a_plan_about_another_table_is_refused(tmp_path: Path) -> None:
    store = lake(tmp_path)
    plan = orders(store).plan("ADD COLUMN coupon STRING")
    store.create_table("shop.users", "a INT")
    with pytest.raises(PlanError, match=r"about shop\.orders") as error:
        store.table("shop.users").apply(plan)
    assert error.value.code == "plan.other-table"


def test_what_was_expected_counts_for_a_plan_too(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    assert table.evolve("ADD COLUMN a INT", expected_version=0).created
    with pytest.raises(ConflictError):
        table.restore(0, expected_version=0)


FILE = """
table: shop.orders
columns:
  - {name: order_id, type: BIGINT NOT NULL}
  - {name: amount, type: INT}
"""


def test_a_plan_from_a_table_file_makes_the_table_where_there_is_none(tmp_path: Path) -> None:
    table = lake(tmp_path).table("shop.orders")
    plan = table.plan(target=written(FILE))
    assert plan.base is None
    assert table.apply(plan).number == 0
    assert table.apply(plan).outcome == "already applied"
    other = lake(tmp_path).table("shop.orders").plan(target=written(FILE))
    assert other.unchanged


def test_a_plan_to_create_is_refused_once_the_table_is_there(tmp_path: Path) -> None:
    store = lake(tmp_path)
    plan = store.table("shop.orders").plan(target=written(FILE))
    orders(store)
    with pytest.raises(PlanError, match="no version at all"):
        store.table("shop.orders").apply(plan)


@pytest.mark.parametrize("wrong", [None, 5, "plan", b"{}", {}, [], TableSchema.create("a INT")])
def test_what_is_no_plan_is_told_so(tmp_path: Path, wrong: Plan) -> None:
    table = orders(lake(tmp_path))
    doors: list[Callable[[Plan], object]] = [table.apply, table.verify, table.statements, table.save_plan]
    for door in doors:
        with pytest.raises(SchemaError) as error:
            door(wrong)
        assert error.value.fix
    assert table.numbers() == (0,)


# ---------------------------------------------------------------- tables that a catalog keeps


def test_a_table_of_a_catalog_is_planned_and_verified_and_never_written(tmp_path: Path) -> None:
    orders(lake(tmp_path))
    table = lake(tmp_path, catalog="hive").table("shop.orders")
    before = bytes_of(tmp_path)
    plan = table.plan("ADD COLUMN coupon STRING")
    writes: list[Callable[[], object]] = [
        lambda: table.apply(plan),
        lambda: table.evolve("ADD COLUMN coupon STRING"),
        lambda: table.restore(0),
        lambda: table.create_branch("b"),
        lambda: lake(tmp_path, catalog="hive").drop_table("shop.orders"),
        lambda: lake(tmp_path, catalog="hive").rename_table("shop.orders", "shop.o"),
    ]
    for write in writes:
        with pytest.raises(ReadOnlyError, match="engine's own statements") as error:
            write()
        assert error.value.code == "store.external-catalog"
    with pytest.raises(ReadOnlyError):
        lake(tmp_path, catalog="hive").create_database("other")
    assert "ALTER TABLE" in str(table.statements(plan))
    assert bytes_of(tmp_path) == before
    report = table.verify(plan)
    assert [(one.rule, one.verdict) for one in report.findings] == [("VERSION_NOT_SUCCESSOR", Verdict.BREAK)]
    assert "coupon" in report.findings[0].message
    lake(tmp_path).table("shop.orders").evolve("ADD COLUMN coupon STRING")
    assert (table.verify(plan).findings, table.verify(plan).notes) == ((), ("version 1 is what the plan wanted",))


def test_a_catalog_keeps_no_table_of_the_registry(tmp_path: Path) -> None:
    store = lake(tmp_path, catalog="glue")
    store.adopt("web.events", "s3://a/events", "id BIGINT")
    assert store.table("web.events").evolve("ADD COLUMN url STRING").created
