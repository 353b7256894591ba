"""Contracts whose jobs nobody has seen for long only warn, and say so."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core import TableSchema, check, check_contract, evolve
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.store.registry import contracts, register_contract, stale_contracts
from airflow_provider_schemas.store.registry.contract_record import Registered
from airflow_provider_schemas.store.storage.local import LocalFiles
from tests.store.support.table_versions import FIRST, NOW, ORDERS, RENAMED, version

DAILY = "order_id BIGINT NOT NULL, cust_id BIGINT"
FOLDER = "contracts/shop/orders/team-bi/daily_report"


@pytest.fixture
def files(tmp_path: Path) -> LocalFiles:
    return LocalFiles(tmp_path)


def register(files: LocalFiles, contract: Any = DAILY, schema: TableSchema | None = FIRST, **about: Any) -> Registered:
    head = None if schema is None else version(schema)
    said = {"consumer": "daily_report", "team": "team-bi", "actor": "ana", "now": NOW, **about}
    return register_contract.register(files, ORDERS, contract, head, **said)


def rules(schema: TableSchema, one: Registered) -> list[tuple[str, str]]:
    return [(finding.rule, finding.path) for finding in check_contract(schema, one.contract, now=NOW).findings]


def paths(files: LocalFiles) -> list[str]:
    return [path for path, _ in files.walk("")]


LATER = NOW + timedelta(days=91)


def judged(files: LocalFiles, new: TableSchema, now: datetime) -> Any:
    there = contracts.active(contracts.listed(files, ORDERS), now)
    report = check(FIRST, new, contracts=there.blocking, table="shop.orders", now=now)
    return stale_contracts.with_warnings(report, there.stale, FIRST, new, now=now)


def test_a_job_that_nobody_has_seen_for_long_only_warns_and_the_report_says_so(files: LocalFiles) -> None:
    register(files)
    assert judged(files, RENAMED, NOW + timedelta(days=90)).verdict is Verdict.BREAK
    report = judged(files, RENAMED, LATER)
    assert report.verdict is Verdict.WARN
    assert [(one.rule, one.verdict, [job.name for job in one.consumers]) for one in report.findings if one.consumers] == [
        ("EXPECT_FIELD_RENAMED", Verdict.WARN, ["daily_report"])
    ]
    assert report.notes == ("only warned for readers that have not been seen for long: daily_report (last seen 2026-11-18)",)


def test_a_job_that_was_seen_blocks_again(files: LocalFiles) -> None:
    register(files)
    (one,) = contracts.listed(files, ORDERS)
    assert contracts.touch(files, ORDERS, one, now=LATER)
    assert judged(files, RENAMED, LATER).verdict is Verdict.BREAK


def test_a_job_may_say_for_how_long_it_counts_without_being_seen(files: LocalFiles) -> None:
    register(files, max_age=timedelta(days=400))
    assert judged(files, RENAMED, LATER).verdict is Verdict.BREAK
    assert register(files, ["cust_id"]).max_age == timedelta(days=400)


def test_a_job_of_another_team_with_the_same_name_goes_on_to_block(files: LocalFiles) -> None:
    register(files)
    register(files, team="team-ml", now=LATER)
    assert judged(files, RENAMED, LATER).verdict is Verdict.BREAK


def test_what_a_stale_job_does_not_lack_or_lacked_before_is_not_told(files: LocalFiles) -> None:
    register(files, "cust_id BIGINT, coupon STRING", pending=True)
    added = evolve(FIRST, ["ADD COLUMN note STRING"])
    assert (
        stale_contracts.with_warnings(
            check(FIRST, added, now=LATER), contracts.active(contracts.listed(files, ORDERS), LATER).stale, FIRST, added, now=LATER
        ).notes
        == ()
    )
    report = judged(files, RENAMED, LATER)
    assert [(one.rule, one.path) for one in report.findings if one.consumers] == [("EXPECT_FIELD_RENAMED", "cust_id")]


def test_many_stale_jobs_that_lack_the_same_are_one_finding(files: LocalFiles) -> None:
    for number in range(7):
        register(files, consumer=f"job-{number}")
    report = judged(files, RENAMED, LATER)
    (finding,) = [one for one in report.findings if one.consumers]
    assert len(finding.consumers) == 7
    assert report.notes[0].endswith("and 2 more")


def test_a_file_of_when_a_job_was_seen_that_cannot_be_read_lets_it_block(files: LocalFiles) -> None:
    register(files)
    files.put(f"{FOLDER}/seen", b"yesterday")
    assert judged(files, RENAMED, LATER).verdict is Verdict.BREAK
    assert register(files, now=LATER).last_seen == "2027-02-17T12:00:00+00:00"


def test_a_job_that_was_seen_in_a_far_future_blocks(files: LocalFiles) -> None:
    register(files)
    files.put(f"{FOLDER}/seen", b'{"at": "9999-12-31"}')
    assert judged(files, RENAMED, LATER).verdict is Verdict.BREAK
