"""Every rule of the catalogue, shown by cases: what a change means for data, jobs and writers, at any depth, and what takes it away."""

from collections import Counter
from collections.abc import Sequence

import msgspec
import pytest

from airflow_provider_schemas.core import Finding, Policy, Report, TableSchema, check, evolve, validity
from airflow_provider_schemas.core.report import Answers, Verdict
from airflow_provider_schemas.core.rules import CATALOGUE, RULES, WAYS, Judges
from tests.cases.depth import DEPTHS, Depth, deepens
from tests.cases.reading import Case, Effect, cases, cases_of
from tests.cases.type_pairs import PROFILES, TYPE_PAIRS, TypePair

CASES = cases()
COMPARED = [one for one in CASES if one.judges in (Judges.ONE, Judges.TWO, Judges.HISTORY)]
DEEP = [(case, depth) for case in COMPARED for depth in DEPTHS if deepens(case)]


def expected_findings(case: Case) -> Counter[str]:
    return Counter([f"{case.rule} {case.expected['path']}", *case.expected.get("also", ())])


def found(report: Report) -> Counter[str]:
    return Counter(f"{one.rule} {one.path}" for one in report.findings)


def the(finding: Finding | None) -> Finding:
    assert finding is not None
    return finding


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_case_is_judged_as_its_rule_says(case: Case) -> None:
    report = case.report()
    assert found(report) == expected_findings(case)
    finding = the(case.finding(report))
    assert finding.verdicts == case.answers
    assert Effect(finding.data, finding.jobs, finding.writers) == case.effect
    assert finding.verdict is case.verdict
    assert finding.proven is case.expected.get("proven", False)
    assert list(finding.versions) == case.expected.get("versions", [])


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_finding_says_all_that_its_rule_has_to_say(case: Case) -> None:
    finding = the(case.finding(case.report()))
    assert finding.message.endswith((".", ")"))
    assert "  " not in finding.message
    assert "{" not in finding.message.replace("{}", "").replace("{key}", "").replace('{"', "")
    assert finding.fix or finding.verdicts.full.value == "ok"


@pytest.mark.parametrize(("case", "depth"), DEEP, ids=str)
def test_a_rule_says_the_same_at_any_depth(case: Case, depth: Depth) -> None:
    history = [depth.lowered(one) for one in case.history]
    report = case.judged(depth.lowered(case.before), depth.lowered(case.after), history)
    wanted = {f"{case.rule} {depth.path(case.expected['path'])}"} | {_lowered(one, depth) for one in case.expected.get("also", ())}
    assert set(found(report)) == wanted
    finding = next(one for one in report.findings if (one.rule, one.path) == (case.rule, depth.path(case.expected["path"])))
    assert finding.verdicts == _inside(case)


def _inside(case: Case) -> Answers:
    """The answers of a case whose columns are fields: a new one stops the jobs that move the whole struct."""
    if "nested" not in RULES[case.rule].variants:
        return case.answers
    deep = RULES[case.rule].answers("nested")
    return msgspec.structs.replace(case.answers, jobs=deep.jobs, writers=deep.writers)


def _lowered(text: str, depth: Depth) -> str:
    rule, _, path = text.partition(" ")
    return f"{rule} {depth.path(path)}"


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_cases_and_is_reached_by_its_judge(rule: str) -> None:
    own = [one for one in cases_of(rule) if one.file == rule]
    assert own
    assert any(one.finding(one.report()) for one in own)


@pytest.mark.parametrize("rule", [one.id for one in CATALOGUE if one.judges is Judges.ONE])
def test_what_one_schema_shows_is_found_without_another(rule: str) -> None:
    for case in cases_of(rule):
        assert case.expected["path"] in {one.path for one in validity(case.after).findings if one.rule == rule}


def test_each_case_file_is_of_a_rule_or_of_a_way_to_apply_one() -> None:
    ways = {name for name, _ in WAYS.values()}
    assert {one.file for one in CASES} - RULES.keys() == {*ways, "judges-disagree"}
    assert not RULES.keys() & ways


def test_the_names_of_cases_are_all_different() -> None:
    assert len(set(map(str, CASES))) == len(CASES)


# ---------------------------------------------------------------- what takes a finding away


@pytest.mark.parametrize("case", COMPARED, ids=str)
def test_a_fix_that_is_offered_as_changes_takes_its_finding_away(case: Case) -> None:
    assert lasting(case, case.before, case.after, case.history) == []


@pytest.mark.parametrize(("case", "depth"), DEEP, ids=str)
def test_so_does_a_fix_at_any_depth(case: Case, depth: Depth) -> None:
    assert lasting(case, depth.lowered(case.before), depth.lowered(case.after), [depth.lowered(one) for one in case.history]) == []


def lasting(case: Case, before: TableSchema, after: TableSchema, history: Sequence[TableSchema]) -> list[str]:
    """The findings that are there again when their own fix was applied."""
    left = []
    for finding in case.judged(before, after, history).findings:
        if finding.changes:
            again = case.judged(before, evolve(after, finding.changes), history)
            left += [f"{one.rule} {one.path}" for one in again.findings if (one.rule, one.path) == (finding.rule, finding.path)]
    return left


WITH_CHANGES = {one.rule for case in COMPARED for one in case.report().findings if one.changes}


def test_fixes_are_offered_where_there_are_any() -> None:
    assert {"FIELD_ADDED_REQUIRED", "FIELD_RENAMED", "TYPE_NARROWED", "NULLABILITY_TIGHTENED", "OPTION_MEANING_CHANGED"} <= WITH_CHANGES


@pytest.mark.parametrize("case", [one for one in CASES if one.judges is Judges.CONTRACT], ids=str)
def test_a_fix_of_the_table_takes_the_lack_of_a_job_away(case: Case) -> None:
    finding = the(case.finding(case.report()))
    if finding.changes:
        fixed = evolve(case.before, finding.changes)
        assert (finding.rule, finding.path) not in {(one.rule, one.path) for one in case.fitting(fixed).findings}


# ---------------------------------------------------------------- what each kind of reader does with old files


PLACES = (("{}", "value"), ("ROW<x {}>", "value.x"), ("ARRAY<{}>", "value[]"), ("MAP<INT, {}>", "value{}"))


def retyped(pair: TypePair, column: str) -> tuple[TableSchema, TableSchema]:
    """The schemas before and after; column says where the type stands."""
    old, new = (TableSchema.create(f"id BIGINT NOT NULL, value {column.format(kind)}") for kind in (pair.old, pair.new))
    return old, msgspec.structs.replace(new, id=1)


@pytest.mark.parametrize("reader", PROFILES)
@pytest.mark.parametrize("pair", TYPE_PAIRS, ids=str)
@pytest.mark.parametrize(("column", "path"), PLACES)
def test_old_files_are_readable_where_nothing_is_lost_and_the_reader_can(pair: TypePair, reader: str, column: str, path: str) -> None:
    report = check(*retyped(pair, column), Policy(readers=(reader,)))
    finding = next(one for one in report.findings if one.path == path and one.rule != "TYPE_UNREPRESENTABLE")
    fits = pair.lossless and reader in pair.read_by
    assert finding.data is (Verdict.OK if fits else Verdict.BREAK)
    assert (finding.rule == "TYPE_WIDENED_ENGINE_GAP") is (pair.lossless and not fits)
    assert (finding.rule == "TYPE_WIDENED") is fits


@pytest.mark.parametrize("pair", TYPE_PAIRS, ids=str)
def test_of_several_readers_the_worst_counts(pair: TypePair) -> None:
    old, new = retyped(pair, "{}")
    finding = check(old, new, Policy(readers=PROFILES)).findings[0]
    assert finding.data is (Verdict.OK if pair.lossless and pair.read_by == {*PROFILES} else Verdict.BREAK)
