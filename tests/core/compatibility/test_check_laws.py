"""What holds of the judge whatever the tables, policies, contracts and evidence."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from airflow_provider_schemas.core import Contract, Report, TableSchema, check, check_contract, evolve
from airflow_provider_schemas.core.casts.cast_rules import lossless
from airflow_provider_schemas.core.contracts.contract import Accepts, Need, Role, Shape
from airflow_provider_schemas.core.policies.evidence import Evidence
from airflow_provider_schemas.core.report import Verdict, worst
from airflow_provider_schemas.core.report_json import report_dict, report_of
from airflow_provider_schemas.core.rules import CATALOGUE
from tests.core.support.check_inputs import (
    SHAPES,
    STRUCT,
    A,
    anything,
    contracts_for,
    data_of,
    evidence_for,
    fitting_contracts,
    foreign,
    jobs_of,
    needing,
    policies,
    severity,
    steps,
    table_of,
    under,
    versions,
    waivers,
    whole_contract,
)
from tests.core.support.check_steps import broken_steps, touching, undoable
from tests.support.tables import batches, tables

create = TableSchema.create


# ---------------------------------------------------------------- FULL


@pytest.mark.parametrize("rule", CATALOGUE, ids=lambda rule: rule.id)
def test_full_is_the_worse_of_data_and_jobs_in_every_rule(rule: Any) -> None:
    for variant in ("", *rule.variants):
        answers = rule.answers(variant)
        assert answers.full == worst((answers.data_by_id, answers.jobs))


@given(steps(), st.data())
def test_a_report_under_full_is_as_bad_as_the_worse_of_backward_and_forward(step: Any, data: st.DataObject) -> None:
    old, new, history = step
    contracts = [data.draw(contracts_for(old))]
    against = data.draw(st.sampled_from(["", "_TRANSITIVE"]))
    full, backward, forward = (
        check(old, new, under(mode=f"{mode}{against}"), history=history, contracts=contracts) for mode in ("FULL", "BACKWARD", "FORWARD")
    )
    assert full.verdict == worst((backward.verdict, forward.verdict))
    for one, other, third in zip(full.findings, backward.findings, forward.findings, strict=True):
        assert one.verdict == worst((other.verdict, third.verdict))


# ---------------------------------------------------------------- policies


@given(steps(), st.data())
def test_setting_a_rule_to_ok_never_makes_a_report_worse_and_to_block_never_better(step: Any, data: st.DataObject) -> None:
    old, new, history = step
    policy, contracts = data.draw(policies()), [data.draw(contracts_for(old))]
    said = check(old, new, policy, history=history, contracts=contracts)
    rule = data.draw(st.sampled_from([one.rule for one in said.findings] or ["FIELD_DROPPED"]))
    mild, strict = (
        check(old, new, under(**{**policy.model_dump(), "rules": {**policy.rules, rule: level}}), history=history, contracts=contracts)
        for level in ("ok", "block")
    )
    assert severity(mild.verdict) <= severity(said.verdict) <= severity(strict.verdict)


@given(steps(), st.data())
def test_two_policies_joined_are_at_least_as_strict_as_each(step: Any, data: st.DataObject) -> None:
    old, new, history = step
    mine, yours = data.draw(policies()), data.draw(policies())
    contracts = [data.draw(contracts_for(old))]
    live = data.draw(st.none() | st.sets(st.integers(0, 3)))
    verdicts = [
        check(old, new, one, history=history, contracts=contracts, live=live).verdict
        for one in (mine, yours, mine.stricter(yours), yours.stricter(mine))
    ]
    assert verdicts[2] == verdicts[3] == worst(verdicts[:2])


@given(steps(), st.data())
def test_it_does_not_matter_in_which_order_three_policies_are_joined(step: Any, data: st.DataObject) -> None:
    old, new, history = step
    one, two, three = (data.draw(policies()) for _ in range(3))
    left, right = one.stricter(two).stricter(three), one.stricter(two.stricter(three))
    assert check(old, new, left, history=history).verdict == check(old, new, right, history=history).verdict


@given(steps(), st.data())
def test_an_exception_never_makes_a_finding_worse(step: Any, data: st.DataObject) -> None:
    old, new, history = step
    policy, contracts = data.draw(policies()), [data.draw(contracts_for(old))]
    said = check(old, new, policy, history=history, contracts=contracts)
    spared = under(**{**policy.model_dump(), "exceptions": [one.model_dump() for one in data.draw(waivers(said))]})
    again = check(old, new, spared, history=history, contracts=contracts)
    for one, other in zip(said.findings, again.findings, strict=True):
        assert (one.rule, one.path) == (other.rule, other.path)
        assert severity(other.verdict) <= severity(one.verdict)


@given(steps(), st.data())
def test_evidence_never_makes_a_report_worse(step: Any, data: st.DataObject) -> None:
    old, new, history = step
    # A policy may speak of the two rules for NULL one by one; then it decides which of them is worse.
    policy, contracts = data.draw(policies(rules={})), [data.draw(contracts_for(old))]
    said = check(old, new, policy, history=history, contracts=contracts)
    proven = check(old, new, policy, history=history, contracts=contracts, evidence=data.draw(evidence_for(said)))
    assert severity(proven.verdict) <= severity(said.verdict)
    assert severity(data_of(proven)) <= severity(data_of(said))


@given(broken_steps(), st.data())
def test_what_is_invalid_stays_so_under_every_policy(step: Any, data: st.DataObject) -> None:
    old, new, history = step
    report = check(old, new, under(against="all"), history=history)
    invalid = invalid_in(report)
    assert invalid
    levels = {one.rule: data.draw(st.sampled_from(["ok", "warn", "block"])) for one in report.findings}
    policy = data.draw(policies(against="all", rules=levels))
    waived = under(**{**policy.model_dump(), "exceptions": [one.model_dump() for one in data.draw(waivers(report))]})
    again = check(old, new, waived, history=history)
    assert again.verdict is Verdict.INVALID
    assert invalid <= invalid_in(again)


def invalid_in(report: Report) -> set[tuple[str, str]]:
    return {(one.rule, one.path) for one in report.findings if one.verdict is Verdict.INVALID}


# ---------------------------------------------------------------- nothing, and everything


@given(tables(), st.data())
def test_a_schema_beside_itself_has_nothing_to_report(table: TableSchema, data: st.DataObject) -> None:
    policy, contracts = data.draw(policies()), [data.draw(contracts_for(table))]
    assert check(table, table, policy, contracts=contracts).findings == ()
    again = check(table, evolve(table, []), policy, contracts=contracts)
    assert [one.rule for one in again.findings] == ["NO_CHANGE"]


@given(steps())
@example((A, evolve(A, ['SET OPTION schemas.field.0 = {"alias": "z"}']), []))
@example((A, evolve(A, ['SET OPTION schemas.field.0 = {"note": "of the owner"}']), []))
@example((A, evolve(A, ["ADD COLUMN c INT", "DROP COLUMN c"]), []))
def test_every_difference_has_a_finding(step: Any) -> None:
    old, new, history = step
    said = check(old, new, under(against="all"), history=history)
    rules = [one.rule for one in said.findings]
    # The highest id says nothing about any row.
    same = old.content == msgspec.structs.replace(new, highest_field_id=old.highest_field_id).content
    assert (rules == ["NO_CHANGE"]) is same
    assert rules


KEYED = create("k BIGINT NOT NULL, v INT", primary_keys=["k"])


SMALL_KEY = foreign(KEYED, (0, {"type": "SMALLINT NOT NULL"}))


@given(steps())
@example((SMALL_KEY, foreign(SMALL_KEY, (0, {"type": "INT NOT NULL"})), [KEYED]))
@example((KEYED, foreign(KEYED, (0, {"type": "TIME(3) NOT NULL"})), []))
def test_no_finding_stands_there_twice(step: Any) -> None:
    old, new, history = step
    found = check(old, new, under(against="all", readers=["paimon", "spark-4-parquet", "iceberg-v2"]), history=history).findings
    told = [(one.rule, one.path, one.old, one.new, one.fault, one.message) for one in found]
    assert sorted(set(told)) == sorted(told)


# ---------------------------------------------------------------- contracts


# The text of a default inside a struct need not be SQL.
DEFAULTED_KEY = create("m MULTISET<ROW<x STRING COMMENT 'c' DEFAULT 5>>")
DEFAULTED = TableSchema.from_json(STRUCT.to_json().replace('"name" : "y",', '"name" : "y", "defaultValue" : "[1, 2]",'))


@given(tables(), SHAPES, st.sampled_from(list(Accepts)), st.booleans(), st.sampled_from([("select",), ("write",), ("select", "write")]))
@example(create("`a.b` INT, c INT"), Shape.CLOSED, Accepts.LOSSLESS, False, ("select",))
@example(create("m MULTISET<ROW<x INT>>, n INT"), Shape.OPEN, Accepts.LOSSLESS, False, ("select",))
@example(create("n INT, m MAP<ROW<x INT>, INT>"), Shape.OPEN, Accepts.LOSSLESS, True, ("write",))
@example(DEFAULTED, Shape.OPEN, Accepts.EXACT, False, ("select",))
@example(DEFAULTED_KEY, Shape.OPEN, Accepts.LOSSLESS, False, ("select",))
def test_a_contract_written_from_a_schema_fits_it(
    table: TableSchema, shape: Shape, accepts: Accepts, pin: bool, role: tuple[str, ...]
) -> None:
    about = {"primary_key": table.primary_keys, "partitioned_by": table.partition_keys}
    contract = whole_contract(table, pin=pin, shape=shape, accepts=accepts, role=[Role(one) for one in role], **about)
    assert check_contract(table, contract).findings == ()
    assert check_contract(table, Contract.read(json.loads(contract.model_dump_json()))).findings == ()


@given(steps(2, 2))
def test_a_job_that_names_the_wider_types_takes_the_narrower_ones_too(step: Any) -> None:
    old, new, _ = step
    for one in new.fields:
        before = old.field(one.name)
        if before is not None and lossless(before.type, one.type):
            need = Need(name=one.name, type=str(one.type), nullable=one.type.nullable)
            assert check_contract(old, Contract(columns=(need,))).findings == ()


@given(tables(), st.data())
def test_what_jobs_are_told_to_expect_does_not_break_them(table: TableSchema, data: st.DataObject) -> None:
    """Columns added, in another order, with other comments, tightened: jobs that name what they need go on."""
    contract = whole_contract(table, pin=data.draw(st.booleans()), shape=Shape.OPEN, accepts=Accepts.EXACT, role=[Role.SELECT])
    new = evolve(table, ["ADD COLUMN fresh STRING FIRST", f"ALTER COLUMN {quoted(table.names[0])} COMMENT 'other'"])
    assert check_contract(new, contract, seen=table).findings == ()
    assert jobs_of(check(table, new, under(registry_complete=True), contracts=[contract])) is Verdict.OK


def quoted(name: str) -> str:
    return f"`{name}`"


@given(steps(), st.data())
def test_where_no_old_job_is_affected_no_contract_of_the_old_schema_breaks(step: Any, data: st.DataObject) -> None:
    old, new, history = step
    if jobs_of(check(old, new, history=history)) is Verdict.OK:
        # A job that takes one exact type takes no narrower one either, which other jobs do.
        accepts, pin = data.draw(st.sampled_from([Accepts.LOSSLESS, Accepts.ANY])), data.draw(st.booleans())
        contract = whole_contract(old, pin=pin, shape=Shape.OPEN, accepts=accepts, role=[Role.SELECT], name="job")
        assert check(old, new, history=history, contracts=[contract]).consumers == ()
        assert check_contract(new, contract, seen=old).findings == ()


@given(versions(1, 2), st.data())
def test_a_contract_that_fitted_and_does_not_any_more_is_a_victim(schemas: list[TableSchema], data: st.DataObject) -> None:
    *history, old = schemas
    contract = data.draw(fitting_contracts(old) | contracts_for(old))
    new = evolve(old, data.draw(batches(old, max_size=3, change=touching(contract))))
    fitted = check_contract(old, contract).verdict is Verdict.OK
    broken = any(one.verdict is Verdict.BREAK for one in check_contract(new, contract, seen=old).findings)
    victims = [one.name for one in check(old, new, history=history, contracts=[contract]).consumers]
    if fitted:
        assert victims == (["job"] if broken and old.content != new.content else [])


# ---------------------------------------------------------------- fixes


@given(versions(1, 2), st.data())
def test_a_fix_that_is_offered_as_changes_takes_its_finding_away(schemas: list[TableSchema], data: st.DataObject) -> None:
    *history, old = schemas
    new = evolve(old, data.draw(batches(old, max_size=4, min_size=1, change=undoable)))
    policy = under(against="all", readers=["paimon", "spark-4-parquet"])
    for one in check(old, new, policy, history=history).findings:
        if one.changes:
            better = evolve(new, one.changes)
            left = [(other.rule, other.path) for other in check(old, better, policy, history=history).findings]
            assert (one.rule, one.path) not in left


@given(tables(), st.data())
def test_a_fix_of_a_contract_takes_its_finding_away(old: TableSchema, data: st.DataObject) -> None:
    # A job that goes by position does not lack a name.
    shape = data.draw(st.sampled_from([Shape.OPEN, Shape.CLOSED]))
    contract = data.draw(contracts_for(old)).model_copy(update={"shape": shape})
    new = evolve(old, data.draw(batches(old, max_size=3, min_size=1, change=touching(contract))))
    for one in check_contract(new, contract, seen=old).findings:
        if one.changes:
            left = [(other.rule, other.path) for other in check_contract(evolve(new, one.changes), contract, seen=old).findings]
            assert (one.rule, one.path) not in left


# ---------------------------------------------------------------- nothing else escapes


@given(anything())
def test_nothing_is_raised_and_every_finding_is_a_sentence(report: Report) -> None:
    for one in report.findings:
        assert one.message.endswith((".", ".\n"))
        assert severity(one.verdict) >= 0


@given(tables(), tables(), st.data())
def test_any_two_tables_can_be_judged(old: TableSchema, new: TableSchema, data: st.DataObject) -> None:
    """As if a foreign tool had replaced one by the other: ids are reused, keys and options change as they like."""
    policy, contracts = data.draw(policies()), [data.draw(contracts_for(old)), data.draw(contracts_for(new))]
    for by_name in (False, True):
        said = check(old, new, policy, contracts=contracts, by_name=by_name)
        assert said.findings


@pytest.mark.parametrize("text", ["{path} {0} {}", "%s %(a)s", "{", "}", "a\nb", "`", "'\"", "{x!r:>{w}}", "\\", "é\u202e"])
def test_texts_full_of_signs_do_not_break_a_sentence(text: str) -> None:
    old = table_of(create("a INT, b STRING, r ROW<x INT>"), comment=text)
    new = evolve(
        table_of(old, comment="other"),
        [
            {"action": "updateColumnComment", "fieldNames": ["a"], "newComment": text},
            {"action": "updateColumnDefaultValue", "fieldNames": ["b"], "newDefaultValue": text},
            {"action": "renameColumn", "fieldNames": ["r"], "newName": text},
            {"action": "setOption", "key": f"my.{text}", "value": text},
            {"action": "setOption", "key": "schemas.field.0", "value": json.dumps({"unit": text, "deprecated": text, "reason": text})},
            {"action": "setOption", "key": "schemas.table", "value": json.dumps({"owner": text, "contact": text})},
        ],
    )
    contract = needing(name=text, owner=text, contact=text, columns=({"name": "r"}, {"name": "r.x"}, {"name": text}), last_seen=text)
    policy = under(exceptions=[{"rule": "FIELD_RENAMED", "path": text, "until": "2999-01-01", "reason": text, "by": text}])
    evidence = [Evidence(path=text, not_null=True, found=text)]
    report = check(old, new, policy, contracts=[contract], evidence=evidence, table=text)
    assert report_of(json.loads(json.dumps(report_dict(report)))) == report
    assert report.findings
