"""Plans, and the JSON of reports and plans: nothing is lost on the way, and nothing gets by that was changed."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from airflow_provider_schemas.core import Plan, Policy, Report, TableSchema, Version, check, evolve
from airflow_provider_schemas.core.changes import schema_change
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.core.report_json import report_dict, report_of
from airflow_provider_schemas.errors import PlanError, SchemaError
from tests.core.support.check_inputs import A, anything, contracts_for, policies, steps, version
from tests.support.tables import batches

# ---------------------------------------------------------------- the wire


@given(anything())
def test_a_report_comes_back_from_its_plain_values(report: Report) -> None:
    assert report_of(json.loads(json.dumps(report_dict(report)))) == report


# ---------------------------------------------------------------- plans


@given(steps(), st.data())
def test_a_plan_comes_back_from_its_json_and_keeps_its_digest(step: Any, data: st.DataObject) -> None:
    old, new, history = step
    target = new if data.draw(st.booleans()) else data.draw(batches(old))
    plan = Plan.of(
        version(old), target, policy=data.draw(policies()), history=history, contracts=[data.draw(contracts_for(old))], table="db.t"
    )
    again = Plan.from_json(plan.to_json())
    assert again == plan
    assert again.digest == plan.digest


@given(steps(), st.data())
def test_a_plan_is_applied_to_the_version_it_was_made_on_and_to_no_other(step: Any, data: st.DataObject) -> None:
    old, new, history = step
    plan = Plan.of(version(old), new, history=history)
    if plan.verdict is not Verdict.INVALID:
        assert plan.apply(version(old)).digest == new.digest
    other = version(evolve(old, [schema_change.SetOption("my.other", "x")]))
    for head in (None, other, Version.read(old.to_json().encode(), old.id + 1), Version.read(old.to_json().encode(), old.id, "dev")):
        with pytest.raises(PlanError) as refused:
            plan.apply(head)
        assert refused.value.code == "plan.base-moved"


PLAN = Plan.of(version(A), ["ADD COLUMN c INT", "ALTER COLUMN b TYPE SMALLINT"], table="db.t", left_alone=["z"])


def places_of(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every plain value in a JSON value."""
    if isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places_of(one, (*path, key))
    else:
        yield path


# What is written for readers of the JSON, follows from the rest and is not read back.
DERIVED = {"expressed", "result_digest", "counts", "fits", "code", "link"}


def test_a_plan_that_was_changed_anywhere_is_refused() -> None:
    unnoticed = []
    for path in places_of(json.loads(PLAN.to_json())):
        # The time is that of the making: a plan that is made again is the same one.
        if set(path) & DERIVED or path in (("verdict",), ("report", "verdict"), ("result", "timeMillis")):
            continue
        value = part = json.loads(PLAN.to_json())
        for step in path[:-1]:
            part = part[step]
        part[path[-1]] = tampered(part[path[-1]])
        try:
            Plan.from_json(json.dumps(value))
        except SchemaError:
            continue
        unnoticed.append(".".join(map(str, path)))
    assert unnoticed == []


def tampered(value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return value + 1
    verdicts = {"ok": "warn", "warn": "ok", "break": "warn", "invalid": "break"}
    return verdicts.get(value, f"{value}x")


def test_the_short_form_of_a_plan_is_short_and_tells_no_secret() -> None:
    head = Version.read(TableSchema.create("a INT").to_json().encode(), 0)
    batch = ["SET OPTION jdbc.password = hunter2", *(f"ADD COLUMN c{number} INT" for number in range(200))]
    short = json.dumps(Plan.of(head, batch).summary())
    assert "hunter2" not in short
    assert len(short) < 8_000
    assert json.loads(short)["more_changes"] == 151


def test_the_first_schema_of_a_table_is_judged_for_its_readers_and_for_jobs_that_wait_for_it() -> None:
    table = TableSchema.create("at TIME(3), n INT")
    plan = Plan.of(None, table, policy=Policy(readers=("spark-4-parquet",)), contracts=["n BIGINT, late DATE"])
    assert [(one.rule, one.path) for one in plan.report.findings] == [("TYPE_UNREPRESENTABLE", "at"), ("EXPECT_FIELD_MISSING", "late")]
    assert Plan.of(None, table).report.findings == ()


def test_a_field_that_was_never_missing_in_a_file_may_return_as_not_null() -> None:
    first = TableSchema.create("a INT, b INT NOT NULL")
    second = evolve(first, ["DROP COLUMN b"])
    again = replace(second, fields=first.fields, id=2)
    assert check(second, again, history=[first], live={0}).verdict is Verdict.WARN  # for writers
    assert check(second, again, history=[first]).verdict is Verdict.BREAK


def test_a_first_schema_that_is_judged_under_a_weaker_policy_says_so_too() -> None:
    weaker = Policy().for_caller(Policy.read({"mode": "NONE"}), override="incident 4711")
    assert any("incident 4711" in note for note in Plan.of(None, TableSchema.create("n INT"), policy=weaker).report.notes)
