"""The pages about the rules are what the rules and their cases give, and what they tell people to write does what they say."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from airflow_provider_schemas.core import Finding, Policy, Version, check
from airflow_provider_schemas.core.policies.policy import Level, Protect
from airflow_provider_schemas.core.report import Report, Verdict, worst
from airflow_provider_schemas.core.rules import RULES, Judges
from airflow_provider_schemas.formats import policy_file, table_file
from airflow_provider_schemas.store.common.table_findings import ruled
from tests.cases.reading import Case, cases_of
from tools.rule_pages import COMMAND, FOLDER, pages

TOP = Path(__file__).parents[2]
PAGES = pages()
NOW = datetime(2026, 11, 18, tzinfo=UTC)
ALL = Protect(data=Level.BLOCK, jobs=Level.BLOCK, writers=Level.BLOCK)
WITH_YAML = [rule for rule in RULES if "```yaml" in PAGES[f"{FOLDER}/{rule}.md"].partition("## To accept it")[2]]


def blocks(rule: str) -> Iterator[str]:
    """What the page says to write."""
    text = PAGES[f"{FOLDER}/{rule}.md"].partition("## To accept it")[2]
    return (token.content for token in MarkdownIt().parse(text) if token.type == "fence")


def file_block(rule: str) -> str:
    return next((one for one in blocks(rule) if one.startswith("table:")), "")


def judged(case: Case, policy: Policy) -> Finding:
    if case.judges in (Judges.STORE, Judges.METADATA, Judges.REPOSITORY):
        report = Report(ruled(case.report().findings, policy, NOW))
    else:
        report = check(case.before, case.after, policy, history=case.history, contracts=case.contracts, evidence=case.evidence, now=NOW)
    found = case.finding(report)
    assert found is not None
    return found


def test_the_pages_are_what_the_generator_gives() -> None:
    there = {path.relative_to(TOP).as_posix(): path.read_text("utf-8") for path in (TOP / FOLDER).glob("*.md")}
    assert there == PAGES, f"Renew the pages: .venv/bin/{COMMAND}"


def test_every_rule_has_the_page_to_which_its_findings_lead() -> None:
    assert {Finding(rule, "", "").link for rule in RULES} == PAGES.keys() - {f"{FOLDER}/index.md"}


@pytest.mark.parametrize("rule", [one for one in WITH_YAML if RULES[one].judges is not Judges.CONTRACT])
def test_what_a_page_puts_into_a_policy_lets_its_finding_through(rule: str) -> None:
    case = cases_of(rule)[0]
    strict = case.policy.model_copy(update={"protect": ALL})
    before = judged(case, strict)
    if worst((before.data, before.jobs, before.writers)) is Verdict.BREAK and not before.proven:
        assert before.verdict is Verdict.BREAK
    texts = [one for one in blocks(rule) if one != file_block(rule)]
    assert len(texts) == 2
    for text in texts:
        said = policy_file.read(text)
        eased = Policy(**{**dict(strict), "exceptions": said.exceptions, "rules": said.rules, "mode": None})
        assert judged(case, eased).verdict in (Verdict.OK, Verdict.WARN)


@pytest.mark.parametrize("rule", [one for one in WITH_YAML if RULES[one].judges is Judges.CONTRACT])
def test_what_a_page_puts_into_a_policy_is_about_the_job_and_the_path_of_its_example(rule: str) -> None:
    case = cases_of(rule)[0]
    (waiver,) = policy_file.read(next(blocks(rule))).waivers(rule, [case.expected["path"]])
    assert waiver.consumer == case.contracts[0].name


@pytest.mark.parametrize("rule", [one for one in WITH_YAML if file_block(one)])
def test_what_a_page_puts_into_a_table_file_lets_its_finding_through(rule: str) -> None:
    case, file = cases_of(rule)[0], table_file.read(file_block(rule))
    base = Version(case.before.id, "0" * 64, case.before)
    plan = table_file.plan(file, base, policy=case.policy, history=case.history, contracts=case.contracts, evidence=case.evidence, now=NOW)
    found = [one for one in plan.report.findings if one.rule == rule]
    assert found
    assert all(one.waived for one in found)
