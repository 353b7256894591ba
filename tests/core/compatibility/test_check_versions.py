"""Versions that count: what pairs and chains of them agree on and where they differ, and which of them are asked."""

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from airflow_provider_schemas.core import Report, TableSchema, check, evolve
from airflow_provider_schemas.core.changes import schema_change
from airflow_provider_schemas.core.policies.policy import Against
from airflow_provider_schemas.core.report import Verdict, worst
from airflow_provider_schemas.errors import SchemaError
from tests.core.support.check_inputs import A, data_of, judged_against, line, policies, severity, steps, under
from tests.support.tables import tables

create = TableSchema.create


# ---------------------------------------------------------------- pairs and chains


@st.composite
def composing(draw: st.DrawFn) -> list[TableSchema]:
    """Versions whose steps add, drop, rename and relax, and give no name twice."""
    found, number = [draw(tables())], 0
    for _ in range(draw(st.integers(2, 4))):
        current = found[-1]
        for _ in range(draw(st.integers(1, 3))):
            number += 1
            column = draw(st.sampled_from(current.names))
            batch = draw(
                st.sampled_from(
                    [
                        schema_change.AddColumn((f"n{number}",), create("a INT").fields[0].type),
                        schema_change.DropColumn((column,)),
                        schema_change.RenameColumn((column,), f"n{number}"),
                        schema_change.UpdateColumnNullability((column,), True),
                    ]
                )
            )
            try:
                current = evolve(current, [batch])
            except SchemaError:
                continue
        if current is not found[-1]:
            found.append(msgspec.structs.replace(current, id=found[-1].id + 1))
    return found


@given(composing())
def test_adding_dropping_renaming_and_relaxing_compose_so_that_earlier_versions_say_nothing_more(found: list[TableSchema]) -> None:
    assume(len(found) > 2)
    assert judged_against("all", found).findings == judged_against("previous", found).findings


@given(composing())
def test_what_a_chain_of_such_steps_comes_to_is_what_its_ends_say(found: list[TableSchema]) -> None:
    first, last = found[0], found[-1]
    assume(len(found) > 2 and not set(first.options) & {"sequence.field", "bucket-key"})
    ends = {(one.rule, one.id) for one in check(first, last).findings if one.rule.startswith("FIELD_") and one.rule != "FIELD_REORDERED"}
    there, now = {one.id: one for one in first.fields}, {one.id: one for one in last.fields}
    meant = {("FIELD_DROPPED", one) for one in there.keys() - now.keys()}
    meant |= {("FIELD_ADDED_NULLABLE", one) for one in now.keys() - there.keys()}
    meant |= {("FIELD_RENAMED", one) for one in there.keys() & now.keys() if there[one].name != now[one].name}
    assert {one for one in ends if not one[0].startswith("FIELD_DOC")} == meant


CHAINS = {
    # Each step is fine by itself, and the last one is not for the oldest files; or the other way round.
    "INT -> BIGINT -> INT is a loss from the second version only": (
        line("a INT, b INT", ["ALTER COLUMN a TYPE BIGINT"], ["ALTER COLUMN a TYPE INT"]),
        Verdict.BREAK,
        Verdict.BREAK,
    ),
    "BIGINT -> STRING, and INT was there before": (
        line("a BIGINT, b INT", ["ALTER COLUMN a TYPE INT"], ["ALTER COLUMN a TYPE DOUBLE"]),
        Verdict.OK,
        Verdict.BREAK,
    ),
    "NOT NULL, and a file of an earlier version has no such column": (
        line(
            "b INT", ["ADD COLUMN a INT", "ALTER COLUMN a SET NOT NULL"], ["ALTER COLUMN a DROP NOT NULL"], ["ALTER COLUMN a SET NOT NULL"]
        ),
        Verdict.BREAK,
        Verdict.BREAK,
    ),
    "a name that comes back": (line("a INT, b INT", ["DROP COLUMN a"], ["ADD COLUMN a INT"]), Verdict.OK, Verdict.BREAK),
    "a default that comes and goes": (
        line("a INT, b INT", ["ALTER COLUMN a SET DEFAULT 5"], ["ALTER COLUMN a SET DEFAULT 6"]),
        Verdict.OK,
        Verdict.OK,
    ),
    "a rename that is taken back": (line("a INT, b INT", ["RENAME COLUMN a TO c"], ["RENAME COLUMN c TO a"]), Verdict.BREAK, Verdict.WARN),
}


@pytest.mark.parametrize("name", CHAINS)
def test_types_and_names_that_return_do_not_compose(name: str) -> None:
    found, previous, every = CHAINS[name]
    readers = ["spark-4-parquet"]
    assert data_of(judged_against("previous", found, readers=readers)) is previous
    assert data_of(judged_against("all", found, readers=readers)) is every


def test_a_type_that_comes_back_is_fine_by_its_ends_and_lossy_by_its_steps() -> None:
    first, second, third = line("a INT, b INT", ["ALTER COLUMN a TYPE BIGINT"], ["ALTER COLUMN a TYPE INT"])
    assert data_of(check(first, msgspec.structs.replace(third, id=1))) is Verdict.OK
    assert data_of(check(second, third)) is Verdict.BREAK
    assert data_of(check(second, third, history=[first], live={0})) is Verdict.OK


@given(steps(2, 4), st.data())
def test_data_is_as_readable_as_from_each_version_by_itself(step: Any, data: st.DataObject) -> None:
    """Types are judged pair by pair: what the judge finds over all versions is the worst that any of them finds alone."""
    old, new, history = step
    live = [one.id for one in (*history, old)]
    kinds = ("TYPE_", "DECIMAL_", "TIMESTAMP_", "LENGTH_", "FIXED_", "KIND_", "VARIANT_")

    def found(versions_that_count: list[int]) -> Verdict:
        said = check(old, new, history=history, live=versions_that_count)
        return worst(one.data for one in said.findings if one.rule.startswith(kinds))

    assert found(live) == worst(found([one]) for one in live)


# ---------------------------------------------------------------- which versions count


@given(steps(3, 4), st.data())
def test_live_is_never_stricter_than_all_and_never_milder_with_more_versions(step: Any, data: st.DataObject) -> None:
    old, new, history = step
    live = data.draw(st.sets(st.integers(0, 4)))
    more = live | data.draw(st.sets(st.integers(0, 4)))
    rules = data.draw(policies(rules={}))
    verdicts = [
        check(old, new, under(**{**rules.model_dump(), "against": against}), history=history, live=one).verdict
        for against, one in ((Against.LIVE, live), (Against.LIVE, more), (Against.ALL, live), (Against.LIVE, None))
    ]
    assert [severity(one) for one in verdicts[:3]] == sorted(severity(one) for one in verdicts[:3])
    assert verdicts[2] == verdicts[3]


@given(steps(3, 4))
def test_against_the_previous_version_only_none_before_it_is_told_of(step: Any) -> None:
    old, new, history = step
    said = check(old, new, under(against="previous", readers=["paimon", "spark-4-parquet"]), history=history)
    assert {number for one in said.findings for number in one.versions} <= {old.id}
    assert "FIELD_READDED" not in {one.rule for one in said.findings} or not_hidden(said, old)


def not_hidden(report: Report, old: TableSchema) -> bool:
    """Whether every name that returned was there in the last version."""
    return all(
        one.old.split(" ", 1)[0] in {str(field.id) for field in every_field(old)} for one in report.findings if one.rule == "FIELD_READDED"
    )


def every_field(schema: TableSchema) -> Iterator[Any]:
    text = json.loads(schema.to_json())
    stack: list[Any] = [text["fields"]]
    while stack:
        one = stack.pop()
        if isinstance(one, dict):
            if "id" in one and "name" in one:
                yield next(iter([type("F", (), one)]))
            stack += one.values()
        elif isinstance(one, list):
            stack += one


@given(steps(3, 4), st.data())
def test_the_more_versions_count_the_stricter(step: Any, data: st.DataObject) -> None:
    old, new, history = step
    readers = data.draw(st.sampled_from([["paimon"], ["spark-4-parquet"], ["paimon", "iceberg-v2", "delta"]]))
    verdicts = [check(old, new, under(mode=f"FULL{word}", readers=readers), history=history).verdict for word in ("", "_TRANSITIVE")]
    assert severity(verdicts[0]) <= severity(verdicts[1])


def test_a_dropped_field_comes_back_with_its_id_also_where_only_the_previous_version_counts() -> None:
    dropped = evolve(A, ["DROP COLUMN b"])
    back = msgspec.structs.replace(A, id=2)
    for against in Against:
        said = check(dropped, back, under(against=against), history=[A])
        assert [one.rule for one in said.findings] == ["FIELD_UNDELETED"]


def test_a_history_that_holds_the_new_schema_too_changes_nothing() -> None:
    new = evolve(A, ["ADD COLUMN c INT"])
    assert check(A, new, history=[A, new]) == check(A, new)
