"""A table file cannot excuse itself by the policy that it brings."""

from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.formats.table_file import plan
from tests.formats.table_file.support.planned import NOW, file_of, table, version

WEAK = "policy: {protect: {data: warn, jobs: off}, exceptions: [{rule: DECIMAL_DIGITS_REDUCED, until: 2027-01-01, reason: x}]}\n"
NARROW = "name: amount, type: 'DECIMAL(8, 2)'"


def verdict_with(rest: str, **options: str) -> Verdict:
    return plan(file_of(NARROW, rest=rest), version(table(options=options)), now=NOW).verdict


def test_a_policy_that_a_file_brings_does_not_excuse_what_comes_with_it() -> None:
    assert verdict_with("") is Verdict.BREAK
    assert verdict_with(WEAK) is Verdict.BREAK


def test_a_weak_policy_of_the_table_counts_until_the_file_makes_it_stricter() -> None:
    there = '{"protect": {"data": "warn"}}'
    assert verdict_with("", **{"schemas.policy": there}) is Verdict.WARN
    assert verdict_with(WEAK, **{"schemas.policy": there}) is Verdict.WARN
    assert verdict_with("policy: {protect: [data]}\n", **{"schemas.policy": there}) is Verdict.BREAK


def test_taking_a_policy_away_is_judged_by_the_default_as_well() -> None:
    assert verdict_with("policy: null\n", **{"schemas.policy": '{"protect": {"data": "warn"}}'}) is Verdict.BREAK
