"""SARIF for code scanning: rules with help, results with places, what was accepted, and never a success about what was not judged."""

import json
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from airflow_provider_schemas.core.report import Finding, Place, Report, Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.render.ci.check_run import CheckRun
from airflow_provider_schemas.render.ci.sarif import MAX_MESSAGE, MAX_RESULTS, sarif
from airflow_provider_schemas.render.ci.sarif_rules import descriptors
from tests.render.ci.support.rich_run import DOCS, ROOT, large_run, rich_run


def read(run: CheckRun) -> Any:
    """The only run of the log."""
    (only,) = json.loads(sarif(run))["runs"]
    return only


def results(run: CheckRun, rule: str) -> list[Any]:
    """The results of a rule."""
    return [result for result in read(run)["results"] if result["ruleId"] == rule]


def result(rule: str) -> Any:
    """The first result of a rule in the rich run."""
    return results(rich_run(), rule)[0]


def test_each_result_names_a_rule_that_is_described() -> None:
    run = read(rich_run())
    rules = run["tool"]["driver"]["rules"]
    assert [rules[told["ruleIndex"]]["id"] for told in run["results"]] == [told["ruleId"] for told in run["results"]]
    assert {rule["id"] for rule in rules} == {told["ruleId"] for told in run["results"]}


@pytest.mark.parametrize("docs", ["", DOCS])
def test_every_rule_has_help_and_a_link_only_to_known_pages(docs: str) -> None:
    for rule in descriptors(RULES, docs):
        assert rule["help"]["text"]
        assert rule["help"]["markdown"]
        assert "{" not in rule["help"]["text"].replace("m{}", "").replace("{RULE", "")
        assert rule.get("helpUri") == (f"{DOCS}docs/rules/{rule['id']}.md" if docs else None)
        assert len(rule["shortDescription"]["text"]) <= MAX_MESSAGE
        assert len(rule["fullDescription"]["text"]) <= MAX_MESSAGE
        assert len(rule["name"]) <= 255


def test_a_break_is_an_error_at_its_line_and_names_whom_it_breaks() -> None:
    renamed = next(told for told in results(rich_run(), "FIELD_RENAMED") if told["properties"]["table"] == "shop.orders")
    assert renamed["level"] == "error"
    assert "Breaks daily_report (team-bi, #bi-oncall" in renamed["message"]["text"]
    place = renamed["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "schemas/shop/orders.yaml", "uriBaseId": "%SRCROOT%"}, "region": {"startLine": 6}}
    assert renamed["properties"]["readers"][0] == {"name": "daily_report", "owner": "team-bi", "contact": "#bi-oncall"}


def test_a_column_is_told_where_it_is_known() -> None:
    assert result("TYPE_NARROWED")["locations"][0]["physicalLocation"]["region"] == {"startLine": 4, "startColumn": 5}


def test_what_is_fine_is_told_only_if_asked_for() -> None:
    assert results(rich_run(), "FIELD_ADDED_NULLABLE") == []
    (told,) = results(rich_run(verbose=True), "FIELD_ADDED_NULLABLE")
    assert (told["kind"], told["level"]) == ("pass", "none")


def test_what_was_accepted_is_suppressed_where_it_was_accepted() -> None:
    (by_file,) = result("TYPE_NARROWED")["suppressions"]
    assert (by_file["kind"], by_file["justification"]) == ("inSource", "until 2026-12-01: nobody is older than 150")
    (by_waiver,) = result("EXPECT_FIELD_MISSING")["suppressions"]
    assert (by_waiver["kind"], by_waiver["status"]) == ("external", "accepted")


def test_what_still_breaks_another_reader_is_not_suppressed() -> None:
    dropped = result("FIELD_DROPPED")
    assert dropped["level"] == "error"
    assert "suppressions" not in dropped


def test_what_could_not_be_judged_is_no_success_and_a_result_as_well() -> None:
    run = read(rich_run())
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert len(invocation["toolExecutionNotifications"]) == 3
    assert [told["level"] for told in run["results"][:3]] == ["error"] * 3
    assert {told["ruleId"] for told in run["results"][:3]} == {"NOT_JUDGED"}


def test_a_table_that_was_not_read_is_no_success_either() -> None:
    unread = Finding("TABLE_UNREAD", "", "it cannot be read.", verdict=Verdict.WARN)
    run = read(CheckRun((Report((unread,), "shop.orders"),)))
    assert run["invocations"][0]["executionSuccessful"] is False
    assert run["results"][0]["level"] == "error"


def test_a_run_that_found_nothing_is_a_success() -> None:
    run = read(CheckRun((Report((), "shop.orders"),)))
    assert run["results"] == []
    assert run["invocations"] == [{"executionSuccessful": True}]


def test_no_more_results_than_hosts_take_and_the_rest_is_counted() -> None:
    run = read(large_run(101, 50))
    assert len(run["results"]) == MAX_RESULTS
    first, *others = run["results"]
    assert "51 results more (0 of them errors)" in first["message"]["text"]
    assert first["level"] == "warning"
    assert first["locations"][0]["physicalLocation"]["region"] == {"startLine": 1}
    assert [told["level"] for told in others[:2525]] == ["error"] * 2525


def test_as_many_results_as_hosts_take_are_all_there() -> None:
    rules = {told["ruleId"] for told in read(large_run(100, 50))["results"]}
    assert rules == {"FIELD_RENAMED", "FIELD_REORDERED"}


def test_a_finding_that_is_fine_and_was_accepted_is_a_note() -> None:
    finding = Finding("FIELD_DROPPED", "a", "a is gone.", verdict=Verdict.OK, waived="until 2026-12-01: why")
    (told,) = read(CheckRun((Report((finding,), "t"),)))["results"]
    assert (told["level"], told["suppressions"][0]["kind"]) == ("note", "external")


def test_a_message_is_as_long_as_hosts_show() -> None:
    finding = Finding("FIELD_RENAMED", "a", "x" * 50_000, "y" * 50_000, Verdict.BREAK)
    (told,) = read(CheckRun((Report((finding,), "t"),), faults=()))["results"]
    assert len(told["message"]["text"]) == MAX_MESSAGE
    assert len(told["message"]["markdown"]) < 5_000


@given(st.text(st.sampled_from("aä %:#?&\\\n\u2028.-"), min_size=1, max_size=12).map(lambda name: f"dir/{name}.yaml"))
def test_an_address_leads_back_to_its_file(name: str) -> None:
    finding = Finding("FIELD_RENAMED", "a", "a", verdict=Verdict.BREAK, place=Place(name, 1))
    (told,) = read(CheckRun((Report((finding,), "t"),)))["results"]
    uri = told["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.isascii()
    assert not set(uri) & set(" :#?\\\n")
    assert unquote(uri) == name


@pytest.mark.parametrize(
    ("folder", "file", "uri"),
    [
        (ROOT, "schemas/a.yaml", "schemas/a.yaml"),
        (f"{ROOT}/team", "schemas/a.yaml", "team/schemas/a.yaml"),
        (f"{ROOT}/team", "../a.yaml", "a.yaml"),
        (ROOT, f"{ROOT}/./a b.yaml", "a%20b.yaml"),
        (ROOT, "../other/a.yaml", "file:///repositories/other/a.yaml"),
        ("", "./a.yaml", "a.yaml"),
    ],
)
def test_files_are_told_below_the_root_of_the_repository(folder: str, file: str, uri: str) -> None:
    run = CheckRun((Report((Finding("X", "a", "a"),), "t", file=file),), root=ROOT, folder=folder)
    location = read(run)["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location["uri"] == uri
    assert ("uriBaseId" in location) == (not uri.startswith("file:"))


@pytest.mark.parametrize(
    ("path", "uri", "line"),
    [
        ("a.yaml:3:9 columns[0]", "a.yaml", 3),
        ("a.yaml:4", "a.yaml", 4),
        ("schemas/a.yaml", "schemas/a.yaml", 1),
        ("shop.orders", "airflow-schemas", 1),
        ("s3://bucket/lake/schema-1", "airflow-schemas", 1),
        ("", "airflow-schemas", 1),
    ],
)
def test_a_fault_stands_at_the_file_that_its_path_names(path: str, uri: str, line: int) -> None:
    (told,) = read(CheckRun(faults=(Fault("x", path, "it is wrong."),)))["results"]
    place = told["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == (uri, line)
    assert place["region"].get("startColumn") == (9 if ":3:9" in path else None)


def test_runs_that_a_host_must_keep_apart_have_two_names() -> None:
    run = replace(rich_run(), title="airflow-schemas plan")
    assert read(run)["automationDetails"] == {"id": "airflow-schemas/plan/"}
    assert read(replace(run, folder=f"{ROOT}/team/a"))["automationDetails"] == {"id": "airflow-schemas/plan/team/a/"}
    assert read(replace(run, folder="", root=""))["automationDetails"] == {"id": "airflow-schemas/plan/"}
