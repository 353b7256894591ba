"""Verdicts under a policy: exceptions for one job, rules of contracts, evidence, and several policies at once."""

from typing import Any

import pytest

from airflow_provider_schemas.core import Policy, TableSchema, check, check_contract, evolve
from airflow_provider_schemas.core.policies.evidence import Evidence
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.errors import PolicyError
from tests.core.support.check_inputs import DROPPED, A, counted, job, rules_of, under

MISSING = {"rule": "EXPECT_FIELD_MISSING", "until": "2999-01-01", "reason": "it moves"}


def excepting(**about: Any) -> Policy:
    return under(exceptions=[MISSING | about])


# ---------------------------------------------------------------- one job


@pytest.mark.parametrize(
    ("about", "verdict"),
    [
        ({}, Verdict.WARN),
        ({"path": "b"}, Verdict.WARN),
        ({"consumer": "job"}, Verdict.WARN),
        ({"consumer": "another job"}, Verdict.BREAK),
        ({"path": "a"}, Verdict.BREAK),
        ({"until": "2020-01-01"}, Verdict.BREAK),
    ],
    ids=str,
)
def test_what_a_job_lacks_can_be_excepted_beside_the_schema_and_in_a_step(about: dict[str, str], verdict: Verdict) -> None:
    policy, contract = excepting(**about), job(["b"])
    alone, step = check_contract(DROPPED, contract, policy=policy), check(A, DROPPED, policy, contracts=[contract])
    assert (alone.verdict, step.verdict) == (verdict, verdict)
    assert bool(alone.findings[0].waived) is (verdict is Verdict.WARN)


def test_a_finding_does_not_say_that_it_is_accepted_for_a_job_that_it_does_not_break() -> None:
    policy = under(exceptions=[MISSING | {"rule": "FIELD_DROPPED", "consumer": "another job"}])
    assert [one.waived for one in check(A, DROPPED, policy, contracts=[job(["b"])]).findings] == [""]


def test_an_exception_for_one_job_names_the_job() -> None:
    assert check_contract(DROPPED, job(["b"]), policy=excepting(consumer="job")).findings[0].waived == "until 2999-01-01 for job: it moves"


@pytest.mark.parametrize("path", ["two words", "`two words`"])
def test_an_exception_for_what_a_job_lacks_may_quote_the_name(path: str) -> None:
    old = TableSchema.create("`two words` INT, c INT")
    new = evolve(old, ["DROP COLUMN `two words`"])
    assert check_contract(new, job(["two words"]), policy=excepting(path=path)).verdict is Verdict.WARN


@pytest.mark.parametrize(("level", "verdict"), [("ok", Verdict.WARN), ("warn", Verdict.WARN), ("block", Verdict.BREAK)])
def test_a_rule_of_contracts_that_a_policy_sets_counts_in_a_step_too(level: str, verdict: Verdict) -> None:
    assert check(A, DROPPED, under(rules={"EXPECT_FIELD_MISSING": level}), contracts=[job(["b"])]).verdict is verdict


# ---------------------------------------------------------------- the policy of a contract


def test_a_policy_for_a_contract_may_be_a_mapping() -> None:
    assert check_contract(DROPPED, job(["b"]), policy={"mode": "NONE"}).verdict is Verdict.OK
    with pytest.raises(PolicyError):
        check_contract(DROPPED, job(["b"]), policy={"mod": "NONE"})


def test_a_contract_is_judged_by_all_policies_that_are_joined() -> None:
    mild, strict = under(rules={"EXPECT_FIELD_MISSING": "ok"}), under(protect="FULL")
    for both in (mild.stricter(strict), strict.stricter(mild)):
        assert check_contract(DROPPED, job(["b"]), policy=both).verdict is Verdict.BREAK


# ---------------------------------------------------------------- several policies


def test_two_policies_whose_readers_differ_tell_the_worse_answer_to_each_question() -> None:
    new = evolve(A, ["RENAME COLUMN a TO z"])
    jobs, data = under(protect="FULL"), under(protect="BACKWARD", readers="spark-4-parquet")
    for both in (jobs.for_caller(data), data.for_caller(jobs)):
        (one,) = check(A, new, both).findings
        assert (one.data, one.jobs, one.verdict) == (Verdict.BREAK, Verdict.BREAK, Verdict.BREAK)


@pytest.mark.parametrize(
    ("batch", "policies", "rule"),
    [
        (["ALTER COLUMN a TYPE DECIMAL(19, 0)"], ({}, {"readers": "spark-4-parquet"}), "TYPE_WIDENED_ENGINE_GAP"),
        (["DROP COLUMN b"], ({"registry_complete": True}, {"name": "other"}), "FIELD_DROPPED"),
    ],
    ids=["a gap for one of them", "unread for one of them"],
)
def test_two_policies_tell_of_one_change_once(batch: list[str], policies: tuple[dict[str, Any], ...], rule: str) -> None:
    old = TableSchema.create("a BIGINT, b INT")
    one, other = (under(**values) for values in policies)
    for both in (one.stricter(other), other.stricter(one)):
        assert rules_of(check(old, evolve(old, batch), both)) == [rule]


def test_a_name_that_returns_for_one_policy_is_not_also_new_for_the_other() -> None:
    back = evolve(DROPPED, ["ADD COLUMN b INT"])
    both = under(against="previous").stricter(under(against="all"))
    assert rules_of(check(DROPPED, back, both, history=[A])) == ["FIELD_READDED"]


def test_a_reason_that_is_blank_does_not_weaken_a_policy() -> None:
    strict = under(protect="FULL")
    assert check(A, DROPPED, strict.for_caller(under(mode="NONE"), override="  ")).verdict is Verdict.BREAK


def test_a_caller_that_wants_the_policy_of_the_table_weakens_nothing() -> None:
    strict = under(protect="FULL")
    assert strict.for_caller(under(protect="FULL"), override="INC-1") == strict


def test_what_a_caller_wants_may_be_a_mapping() -> None:
    assert check(A, DROPPED, under(mode="NONE").for_caller({"mode": "FULL"})).verdict is Verdict.BREAK


# ---------------------------------------------------------------- evidence

NUMBERS = TableSchema.create("a BIGINT, b INT")
NARROWED = evolve(NUMBERS, ["ALTER COLUMN a TYPE INT"])


def test_a_proof_says_what_it_proves_and_nothing_else() -> None:
    both = Evidence(path="a", not_null=True, fits="INT", files=3)
    (one,) = check(NUMBERS, NARROWED, evidence=[both]).findings
    assert one.message.endswith("Every live value fits INT (3 files).")


@pytest.mark.parametrize("fits", ["BIGINT", "STRING"])
def test_evidence_that_does_not_prove_what_is_asked_is_told_of(fits: str) -> None:
    report = check(NUMBERS, NARROWED, evidence=[Evidence(path="a", fits=fits)])
    assert report.verdict is Verdict.BREAK
    assert report.notes == (f"the evidence for a proves nothing that is asked here: every live value fits {fits}",)


def test_values_that_fit_do_not_help_a_reader_that_stops_at_every_old_file() -> None:
    proof = [Evidence(path="a", fits="INT")]
    assert check(NUMBERS, NARROWED, evidence=proof).verdict is Verdict.WARN
    report = check(NUMBERS, NARROWED, under(readers=["paimon", "spark-4-parquet"]), evidence=proof)
    assert report.verdict is Verdict.BREAK
    said = "which reads no file of BIGINT as INT, whatever the values are: write the files anew first"
    assert report.notes == (f"the evidence for a does not help spark-4-parquet, {said}",)


def test_evidence_about_a_field_proves_nothing_of_another_one_that_is_called_so_by_now() -> None:
    proof = Evidence(path="a", id=0, table="shop.orders", not_null=True)
    old = TableSchema.create("a INT, b INT", options={"alter-column-null-to-not-null.disabled": "false"})
    swapped = evolve(old, ["RENAME COLUMN a TO x", "RENAME COLUMN b TO a"])
    for before, rule in ((old, "NULLABILITY_TIGHTENED_PROVEN"), (swapped, "NULLABILITY_TIGHTENED")):
        report = check(before, evolve(before, ["ALTER COLUMN a SET NOT NULL"]), evidence=[proof], table="shop.orders")
        assert rule in {one.rule for one in report.findings}
    with pytest.raises(PolicyError, match=r"about 'shop\.orders', and 'shop\.visits' is judged"):
        check(old, evolve(old, ["ALTER COLUMN a SET NOT NULL"]), evidence=[proof], table="shop.visits")


def test_evidence_says_what_it_does_not_help_although_it_proves_something_else() -> None:
    stricter = TableSchema.create("a INT NOT NULL, b INT")
    proof = [Evidence(path="a", not_null=True, fits="INT")]
    report = check(NUMBERS, stricter, under(readers=["spark-4-parquet"]), evidence=proof)
    assert [one.startswith("the evidence for a does not help spark-4-parquet") for one in report.notes] == [True]
    assert "NULLABILITY_TIGHTENED_PROVEN" in {one.rule for one in report.findings}


def test_a_reader_that_stops_at_files_of_an_earlier_type_is_told_of_too() -> None:
    first = TableSchema.create("a BIGINT")
    second = evolve(first, ["ALTER COLUMN a TYPE INT"])
    third = evolve(second, ["ALTER COLUMN a TYPE SMALLINT"])
    readers = under(readers=["spark-4-parquet"], against="all")
    report = check(second, third, readers, history=[first], evidence=[Evidence(path="a", fits="SMALLINT")])
    assert any("reads no file of BIGINT as SMALLINT" in one for one in report.notes)


def test_a_thousand_pieces_of_evidence_are_looked_up_and_not_looked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    old = TableSchema.create([{"name": f"c{number}", "type": "BIGINT"} for number in range(300)])
    new = evolve(old, [f"ALTER COLUMN c{number} TYPE INT" for number in range(300)])
    asked = [0]
    counted(monkeypatch, Evidence, "covers", asked)
    assert check(old, new, evidence=[Evidence(path=f"c{number}", fits="INT") for number in range(300)]).fits
    assert asked == [300]
