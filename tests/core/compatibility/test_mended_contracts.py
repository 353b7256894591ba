"""Whom a change mends: jobs that did not fit and do now are named, and the repair that a report proposes is no break itself."""

from pathlib import Path

import pytest

from airflow_provider_schemas.core import Contract, Plan, Report, TableSchema, check, evolve
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.errors import IncompatibleSchemaError
from airflow_provider_schemas.render import markdown, text
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.table import Table

FIRST = TableSchema.create("order_id BIGINT NOT NULL, cust_id BIGINT, r ROW<a INT, b INT>, amount INT, k STRING")


def job(columns: object, name: str = "report", **about: object) -> Contract:
    return Contract.of({"columns": columns, **about}, name=name)


def names(report: Report) -> list[str]:
    return [one.name for one in report.mended]


@pytest.mark.parametrize(
    ("broken", "repair", "needs"),
    [
        (["RENAME COLUMN cust_id TO customer_id"], ["RENAME COLUMN customer_id TO cust_id"], "cust_id BIGINT"),
        (["RENAME COLUMN r.a TO z"], ["RENAME COLUMN r.z TO a"], [{"name": "r.a", "id": 3}]),
        (["RENAME COLUMN r TO s"], ["RENAME COLUMN s TO r"], ["r.b"]),
        (["DROP COLUMN cust_id"], ["ADD COLUMN cust_id BIGINT"], "cust_id BIGINT"),
        (["ALTER COLUMN amount TYPE BIGINT"], ["ALTER COLUMN amount TYPE INT"], "amount INT"),
    ],
    ids=str,
)
def test_a_repair_names_the_job_that_it_mends(broken: list[str], repair: list[str], needs: object) -> None:
    now = evolve(FIRST, broken)
    report = check(now, evolve(now, repair), history=[FIRST], contracts=[job(needs), job(["order_id"], "another")])
    assert (names(report), report.consumers) == (["report"], ())
    back = check(FIRST, now, contracts=[job(needs)])
    assert ([one.name for one in back.consumers], back.mended) == (["report"], ())


def test_a_change_that_mends_one_job_and_breaks_another_says_both_and_stays_a_break() -> None:
    now = evolve(FIRST, ["RENAME COLUMN cust_id TO customer_id"])
    jobs = [job("cust_id BIGINT", "old"), job("customer_id BIGINT", "moved")]
    report = check(now, evolve(now, ["RENAME COLUMN customer_id TO cust_id"]), history=[FIRST], contracts=jobs)
    assert (report.verdict, names(report), [one.name for one in report.consumers]) == (Verdict.BREAK, ["old"], ["moved"])


def test_a_job_that_lacks_something_else_as_well_is_not_mended() -> None:
    now = evolve(FIRST, ["RENAME COLUMN cust_id TO customer_id", "DROP COLUMN k"])
    report = check(now, evolve(now, ["RENAME COLUMN customer_id TO cust_id"]), contracts=[job("cust_id BIGINT, k STRING")])
    assert report.mended == ()


def test_another_column_under_the_name_mends_no_job_that_is_pinned() -> None:
    now = evolve(FIRST, ["RENAME COLUMN cust_id TO customer_id"])
    pinned = job([{"name": "cust_id", "id": 1}])
    assert check(now, evolve(now, ["ADD COLUMN cust_id BIGINT"]), contracts=[pinned]).mended == ()


def test_by_name_a_rename_back_is_a_break_of_data_where_no_file_can_have_the_old_name() -> None:
    first, second = evolve(FIRST, ["RENAME COLUMN cust_id TO customer_id"]), None
    second = evolve(first, ["RENAME COLUMN customer_id TO cust_id"])
    about = {"policy": {"readers": "spark-4-parquet"}, "contracts": [job("cust_id BIGINT")]}
    assert check(first, second, history=[FIRST], **about).verdict is Verdict.WARN  # type: ignore[arg-type]
    assert check(first, second, history=[FIRST], live={first.id}, **about).verdict is Verdict.BREAK  # type: ignore[arg-type]
    assert check(first, second, **about).verdict is Verdict.BREAK  # type: ignore[arg-type]


# ---------------------------------------------------------------- through the store


def table(path: Path, kind: str) -> Table:
    """A table whose only job needs the old name of a column that was renamed."""
    if kind == "paimon":
        store = SchemaStore(path / "lake")
        store.create_table("shop.orders", "order_id BIGINT NOT NULL, cust_id BIGINT")
    else:
        store = SchemaStore(path / "registry", layout="registry")
        store.adopt("shop.orders", str(path / "data"), "order_id BIGINT NOT NULL, cust_id BIGINT", format=kind)
    found = store.table("shop.orders")
    found.register("cust_id BIGINT", consumer="daily_report")
    found.evolve("RENAME COLUMN cust_id TO customer_id", override="a test")
    return found


@pytest.mark.parametrize("kind", ["paimon", "parquet", "orc", "iceberg", "delta"])
@pytest.mark.parametrize("policy", [None, {"protect": "FULL"}, {"mode": "FULL_TRANSITIVE"}], ids=str)
def test_the_proposed_repair_pasted_is_taken_and_says_whom_it_mends(tmp_path: Path, kind: str, policy: object) -> None:
    found = table(tmp_path, kind)
    (lack,) = found.plan("ADD COLUMN x INT").report.findings
    assert lack.mends == ()
    plan = found.plan("RENAME COLUMN customer_id TO cust_id", policy=policy)  # type: ignore[arg-type]
    assert (plan.report.fits, names(plan.report)) == (True, ["daily_report"])
    assert Plan.from_json(plan.to_json()) == plan
    for shown in (text(plan, width=200), text(plan.report, width=200), markdown(plan)):
        assert "mends" in shown
        assert "daily_report" in shown
        assert "✖" not in shown
        assert "undo it" not in shown
    done = found.evolve("RENAME COLUMN customer_id TO cust_id", policy)  # type: ignore[arg-type]
    assert (done.created, names(done.report)) == (True, ["daily_report"])


def test_restore_says_whom_it_mends(tmp_path: Path) -> None:
    found = table(tmp_path, "paimon")
    assert names(found.restore_plan(0).report) == ["daily_report"]
    assert names(found.restore(0).report) == ["daily_report"]


def test_a_job_that_moved_on_is_still_protected(tmp_path: Path) -> None:
    found = table(tmp_path, "paimon")
    found.register("customer_id BIGINT", consumer="moved")
    with pytest.raises(IncompatibleSchemaError, match="breaks moved"):
        found.evolve("RENAME COLUMN customer_id TO cust_id")
