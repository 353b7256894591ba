"""A page says what the text says: no command, reader, owner, contact, sentence or number of findings is missing."""

import re
from collections.abc import Callable

import pytest

from airflow_provider_schemas.render import log_block, text
from airflow_provider_schemas.render.api import Shown
from airflow_provider_schemas.render.html.api import document
from tests.render.html.support.page_tree import PageTree
from tests.render.html.support.verdicts import RED
from tests.render.support import story
from tests.render.support.earlier_verdict import EARLIER

VERSIONS = {story.TABLE: story.versions()}
VALUES: dict[str, Callable[[], Shown]] = {"report": story.change_report, "gate": story.gate_reports, "plan": story.plan}
WORD = re.compile(r"[\w@#.,:/'=-]+")


def words(shown: str) -> set[str]:
    """The words of a text, without what ends sentences."""
    return {word.strip(".,:;'") for word in WORD.findall(shown)} - {""}


def page(value: object) -> PageTree:
    return PageTree(document(value, versions=VERSIONS, now=story.NOW))


def commands(shown: str) -> list[str]:
    """The commands of a text that is wide enough for each."""
    return re.findall(r"airflow-schemas [^`\n]+", shown)


@pytest.mark.parametrize("name", VALUES)
def test_no_word_of_a_report_or_a_plan_is_missing(name: str) -> None:
    value: Shown = VALUES[name]()
    told = text(value, width=300, color=False, versions=VERSIONS, now=story.NOW)
    assert words(told) - words(page(value).text) <= {"fits"}


@pytest.mark.parametrize("name", VALUES)
def test_every_command_of_a_report_can_be_copied(name: str) -> None:
    value = VALUES[name]()
    told = text(value, width=300, color=False, versions=VERSIONS, now=story.NOW)
    assert set(commands(told)) - set(page(value).values("data-copy")) == set()


def test_no_word_of_a_log_is_missing() -> None:
    assert words(log_block(RED)) - words(page(RED).text) <= {"SCHEMA", "GATE", "what", "again", "fits"}


def test_every_command_of_a_log_can_be_copied() -> None:
    told = commands(log_block(RED))
    assert len(told) >= 7
    assert set(told) - set(page(RED).values("data-copy")) == set()


def test_a_page_tells_more_than_the_log_of_whom_a_finding_breaks() -> None:
    shown = page(RED).text
    for name in ("ltv_model", "team-ml", "ml@example.org", "churn", "INC-7 of the shop", "a waiver ended yesterday", "clicks.web v3"):
        assert name in shown


def test_a_verdict_of_an_earlier_release_is_shown_as_far_as_it_says() -> None:
    shown = page(EARLIER).text
    for part in (
        "✖",
        "breaks",
        "shop.orders v42",
        "FIELD_RENAMED",
        "Use b.",
        "3 break",
        "4 break",
        "version 41 did fit",
        "a note",
        "by ana",
    ):
        assert part in shown


def test_a_table_without_a_verdict_never_looks_fine() -> None:
    shown = page({"tables": {"shop.orders": {"version": 1}}}).text
    assert "invalid" in shown
    assert "fits" not in shown


def test_the_task_that_wrote_a_version_is_linked_where_one_is_known() -> None:
    assert RED["links"]["changed_by"] in page(RED).values("href")
    outside = {**RED, "links": {"changed_by": "https://evil.example/x"}}
    assert page(outside).values("href") == []
