"""GitLab's report of code quality, in the shape that GitLab documents."""

import json
from typing import Any

from airflow_provider_schemas.core.report import Finding, Report, Verdict
from airflow_provider_schemas.render.ci.check_run import CheckRun
from airflow_provider_schemas.render.ci.gitlab import MAX_DESCRIPTION, gitlab
from tests.render.ci.support.rich_run import rich_run

SEVERITIES = {"info", "minor", "major", "critical", "blocker"}


def read(run: CheckRun) -> list[dict[str, Any]]:
    """The findings of the report."""
    found: list[dict[str, Any]] = json.loads(gitlab(run))
    return found


def test_each_finding_has_what_gitlab_reads() -> None:
    issues = read(rich_run(verbose=True))
    for issue in issues:
        assert set(issue) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert issue["severity"] in SEVERITIES
        assert issue["location"]["path"]
        assert not issue["location"]["path"].startswith("./")
        assert issue["location"]["lines"]["begin"] >= 1
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)


def test_the_severity_is_that_of_the_verdict() -> None:
    severities = {(issue["check_name"], issue["severity"]) for issue in read(rich_run(verbose=True))}
    assert {
        ("NOT_JUDGED", "blocker"),
        ("NULL_IN_ROWS", "blocker"),
        ("FIELD_DROPPED", "critical"),
        ("FIELD_DROPPED_UNREAD", "minor"),
        ("TYPE_NARROWED", "info"),
        ("FIELD_ADDED_NULLABLE", "info"),
    } <= severities


def test_a_table_that_was_not_read_is_a_blocker_whatever_a_policy_says() -> None:
    (issue,) = read(CheckRun((Report((Finding("TABLE_UNREAD", "", "it cannot be read.", verdict=Verdict.WARN),), "shop.orders"),)))
    assert (issue["severity"], issue["location"]["path"]) == ("blocker", "shop.orders")


def test_a_description_is_cut_with_a_mark() -> None:
    (issue,) = read(CheckRun((Report((Finding("X", "a", "x" * 9_000, verdict=Verdict.BREAK),), "t"),)))
    assert len(issue["description"]) == MAX_DESCRIPTION
    assert issue["description"].endswith("…")


def test_a_run_without_findings_is_an_empty_list() -> None:
    assert gitlab(CheckRun((Report((), "shop.orders"),))) == "[]\n"
