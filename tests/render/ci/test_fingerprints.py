"""A fingerprint says what a finding is about: hosts tell by it what is new, what was mended and what is the same."""

import json
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from airflow_provider_schemas.core.report import Consumer, Finding, Place, Report, Verdict
from airflow_provider_schemas.errors import Fault
from airflow_provider_schemas.render.ci.check_run import CheckRun
from airflow_provider_schemas.render.ci.entries import entries
from airflow_provider_schemas.render.ci.gitlab import gitlab
from airflow_provider_schemas.render.ci.sarif import sarif
from tests.render.ci.support.rich_run import large_run, rich_run

WORDS = st.sampled_from(["a", "b", "a.b", ""])
FINDINGS = st.builds(
    Finding,
    st.sampled_from(["FIELD_RENAMED", "EXPECT_FIELD_MISSING", "X"]),
    WORDS,
    WORDS,
    verdict=st.sampled_from(Verdict),
    old=WORDS,
    new=WORDS,
    consumers=st.lists(st.builds(Consumer, WORDS), max_size=2).map(tuple),
    place=st.builds(Place, st.sampled_from(["a.yaml", "b.yaml"]), st.integers(1, 9)),
)
REPORTS = st.lists(st.builds(Report, st.lists(FINDINGS, max_size=5).map(tuple), WORDS), max_size=4).map(tuple)
FAULTS = st.lists(st.builds(Fault, WORDS, st.sampled_from(["a.yaml:1", "a.yaml:2", "b.yaml", ""]), WORDS), max_size=4).map(tuple)


def fingerprints(run: CheckRun) -> dict[str, str]:
    """The fingerprints of a run, by what the finding is told as."""
    return {f"{entry.rule} {entry.title} {entry.message}": entry.fingerprint for entry in entries(run)}


def moved(reports: Sequence[Report], lines: int) -> tuple[Report, ...]:
    """The reports of files that became longer above."""
    return tuple(replace(report, findings=tuple(_lower(finding, lines) for finding in report.findings)) for report in reports)


def _lower(finding: Finding, lines: int) -> Finding:
    place = finding.place
    return finding if place is None else replace(finding, place=Place(place.file, place.line + lines, place.column + 1))


@given(REPORTS, FAULTS)
def test_two_things_that_are_told_have_two_fingerprints(reports: tuple[Report, ...], faults: tuple[Fault, ...]) -> None:
    run = CheckRun(reports, faults=faults, verbose=True)
    told = [entry.fingerprint for entry in entries(run)]
    assert len(told) == len(set(told)) == sum(len(report.findings) for report in reports) + len(faults)


@given(REPORTS, st.integers(0, 500))
def test_a_fingerprint_stays_when_lines_move(reports: tuple[Report, ...], lines: int) -> None:
    before = sorted(entry.fingerprint for entry in entries(CheckRun(reports, verbose=True)))
    assert sorted(entry.fingerprint for entry in entries(CheckRun(moved(reports, lines), verbose=True))) == before


def test_a_fingerprint_belongs_to_the_same_finding_when_lines_move() -> None:
    run = rich_run()
    assert fingerprints(replace(run, reports=moved(run.reports, 7))) == fingerprints(run)


def test_a_fingerprint_stays_when_its_file_is_renamed() -> None:
    renamed = replace(
        rich_run(), reports=tuple(replace(report, file="other.yaml", findings=tuple(_renamed(report))) for report in rich_run().reports)
    )
    assert fingerprints(renamed) == fingerprints(rich_run())


def _renamed(report: Report) -> list[Finding]:
    return [replace(finding, place=Place("other.yaml", 1)) for finding in report.findings]


def test_a_fingerprint_stays_when_a_reader_is_registered() -> None:
    run = rich_run()
    reader = Consumer("one_more", "team-new")
    reports = [
        replace(
            run.reports[0], findings=tuple(replace(finding, consumers=(*finding.consumers, reader)) for finding in run.reports[0].findings)
        )
    ]
    assert {entry.fingerprint for entry in entries(CheckRun(tuple(reports)))} == {
        entry.fingerprint for entry in entries(CheckRun(run.reports[:1]))
    }


def test_what_two_jobs_lack_are_two_findings() -> None:
    lack = Finding("EXPECT_FIELD_MISSING", "a", "a is not there.", verdict=Verdict.BREAK)
    of_jobs = [replace(lack, consumers=(Consumer(name),)) for name in ("daily", "weekly")]
    first, second = (fingerprints(CheckRun((Report((finding,), "shop.orders"),))) for finding in of_jobs)
    assert set(first.values()).isdisjoint(second.values())


def test_formats_tell_the_same_fingerprints() -> None:
    run = large_run(3, 3)
    of_sarif = [result["partialFingerprints"]["airflowSchemas/v1"] for result in json.loads(sarif(run))["runs"][0]["results"]]
    assert [issue["fingerprint"] for issue in json.loads(gitlab(run))] == of_sarif
