"""Findings of one kind are one block: nothing that differs between them is lost, and nothing that is the same stands twice."""

import json

from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core.report import Consumer, Finding, Place, Report, Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.render import json_text, markdown, text
from airflow_provider_schemas.render.findings.groups import FEW, grouped, reports_alike

DROPPED = RULES["FIELD_DROPPED"]
BI = Consumer("daily_report", owner="team-bi")
ML = Consumer("ltv_model", owner="team-ml")


def dropped(name: str, line: int = 0, *consumers: Consumer, fix: str = DROPPED.fix) -> Finding:
    place = Place("shop/orders.yaml", line) if line else None
    return Finding("FIELD_DROPPED", name, "", verdict=Verdict.BREAK, old=name, fix=fix, why=DROPPED.why, place=place, consumers=consumers)


def shown(*findings: Finding, width: int = 100) -> str:
    return text(Report(findings, table="shop.orders"), width=width, color=False)


def words(shown: str) -> str:
    return " ".join(shown.split())


def test_fifty_dropped_columns_are_one_block() -> None:
    told = shown(*(dropped(f"column_{number}", number + 1) for number in range(50)))
    assert told.count("FIELD_DROPPED  ") == 1
    assert "50 columns" in told
    assert words(told).count(words(DROPPED.why)) == 1
    assert words(told).count(words(DROPPED.fix)) == 1
    for number in range(50):
        assert f"shop/orders.yaml:{number + 1}\n" in told
    assert "50 break" in told
    assert len(told.splitlines()) < 70


def test_a_few_stand_by_themselves() -> None:
    told = shown(*(dropped(f"column_{number}") for number in range(FEW)))
    assert told.count("✖ FIELD_DROPPED") == FEW


def test_whom_they_break_is_told_of_each() -> None:
    told = words(shown(dropped("a", 1, BI), dropped("b", 2, BI, ML), dropped("c", 3, BI)))
    assert "a, c: daily_report (team-bi)" in told
    assert "b: daily_report (team-bi), ltv_model (team-ml)" in told


def test_fixes_that_differ_are_all_told() -> None:
    told = words(shown(dropped("a"), dropped("b"), dropped("c", fix="Ask the owner of c.")))
    assert f"a, b: {words(DROPPED.fix)}" in told
    assert "c: Ask the owner of c." in told


def test_other_verdicts_are_other_groups() -> None:
    warned = [Finding("FIELD_DROPPED", name, "", verdict=Verdict.WARN, old=name) for name in "xyz"]
    told = shown(*(dropped(name) for name in "abc"), *warned)
    assert ("✖ FIELD_DROPPED  3 columns" in told, "⚠ FIELD_DROPPED  3 columns" in told) == (True, True)


def test_markdown_has_one_block_and_a_row_for_each() -> None:
    told = markdown(Report(tuple(dropped(name, number) for number, name in enumerate("abcde", 1)), table="shop.orders"))
    assert told.count("<details>") == 1
    assert [f"shop/orders.yaml:{number} |" in told for number in range(1, 6)] == [True] * 5
    assert "at each of these places" in told


def test_json_has_every_finding() -> None:
    report = Report(tuple(map(dropped, "abcde")), table="shop.orders")
    assert len(json.loads(json_text(report))["findings"]) == 5


@given(st.lists(st.sampled_from(["FIELD_DROPPED", "FIELD_RENAMED", "TYPE_NARROWED"]), max_size=12), st.integers(1, 5))
def test_no_finding_is_lost_and_none_is_told_twice(rules: list[str], limit: int) -> None:
    findings = [Finding(rule, f"c{number}", "", verdict=Verdict.BREAK) for number, rule in enumerate(rules)]
    found = grouped(findings, limit)
    assert sum(group.number for group in found.groups) + len(found.hidden) == len(findings)
    assert all(len(group.views) == min(group.number, limit) for group in found.groups)
    firsts = [int(group.first.what[1:].split()[0]) for group in found.groups]
    assert firsts == sorted(firsts)


# ---------------------------------------------------------------- tables


def tables(number: int, *findings: Finding, notes: tuple[str, ...] = ()) -> list[Report]:
    return [Report(findings, table=f"raw.table_{place}", new=place, notes=notes) for place in range(number)]


def test_two_hundred_tables_with_the_same_finding_are_summed_up() -> None:
    told = text(tables(200, dropped("tenant")), width=100, color=False)
    assert words(told).count(words(DROPPED.why)) == 1
    assert "✖ breaks   200 tables" in told
    assert "raw.table_49 v49\n    and 150 more" in told
    assert told.endswith("200 tables: 200 break")
    assert len(told.splitlines()) < 75


def test_what_differs_between_tables_is_told_of_each() -> None:
    reports = [Report((dropped("tenant", 4, consumer),), table=f"raw.{consumer.name}") for consumer in (BI, ML, BI)]
    told = words(text(reports, width=100, color=False))
    assert "raw.ltv_model: ltv_model (team-ml)" in told
    assert told.count("shop/orders.yaml:4") == 3


def test_tables_with_other_findings_stand_by_themselves() -> None:
    reports = [*tables(3, dropped("a")), *tables(2, dropped("b")), *tables(3, dropped("a"), notes=("a note",))]
    assert [len(alike) for alike in reports_alike(reports)] == [3, 1, 1, 3]
