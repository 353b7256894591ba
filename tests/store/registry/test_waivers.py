"""Waivers: granted for a reason and until a day, honoured in every judgement, reported once when they have ended."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core import Policy, check
from airflow_provider_schemas.core.policies.policy import Against, Waiver
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.errors import PolicyError, ReadOnlyError, RefusedNameError, SchemaError
from airflow_provider_schemas.store.registry import waivers
from airflow_provider_schemas.store.storage.files import Parent
from airflow_provider_schemas.store.storage.local import LocalFiles
from tests.store.support.table_versions import FIRST, NOW, ORDERS, RENAMED

LATER = NOW + timedelta(days=60)
JOB = {"name": "daily_report", "columns": "cust_id BIGINT"}
SAID: dict[str, Any] = {
    "rule": "EXPECT_FIELD_RENAMED",
    "path": "cust_id",
    "until": "2026-12-31",
    "reason": "INC-4711",
    "consumer": "daily_report",
}


@pytest.fixture
def files(tmp_path: Path) -> LocalFiles:
    return LocalFiles(tmp_path)


def waive(files: LocalFiles, **said: Any) -> waivers.Granted:
    return waivers.waive(files, ORDERS, {**SAID, **said}, actor="ana", now=NOW)


def verdict(files: LocalFiles, policy: Policy, now: Any = NOW) -> Verdict:
    with_them = policy.excused(waivers.active(files, ORDERS, now=now).waivers)
    return check(FIRST, RENAMED, with_them, contracts=[JOB], now=now).verdict


# ---------------------------------------------------------------- granting


def test_a_waiver_is_kept_with_who_when_and_why(files: LocalFiles) -> None:
    granted = waive(files)
    assert granted.waiver == Waiver(**SAID, by="ana")
    assert (granted.number, granted.at, granted.ended) == (0, "2026-11-18T12:00:00+00:00", False)
    assert waivers.listed(files, ORDERS, now=NOW).granted == (granted,)


def test_the_same_waiver_twice_is_one(files: LocalFiles) -> None:
    assert waive(files) == waive(files)
    assert waive(files, path="amount").number == 1
    assert len(waivers.listed(files, ORDERS, now=NOW).granted) == 2


def test_waivers_that_are_granted_at_once_are_all_there(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: waive(LocalFiles(tmp_path), path=f"c{number}"), range(16)))
    assert {one.path for one in waivers.listed(LocalFiles(tmp_path), ORDERS, now=NOW).waivers} == {f"c{number}" for number in range(16)}


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"until": "2026-11-17"}, "waiver.past"),
        ({"until": "2026-11-18T11:59Z"}, "waiver.past"),
        ({"until": "soon"}, "policy.bad-value"),
        ({"reason": ""}, "policy.bad-value"),
        ({"reason": "  "}, "waiver.no-reason"),
        ({"rule": "FIELD_RENAMMED"}, "policy.unknown-rule"),
        ({"rule": "FIELD_ID_REUSED"}, "waiver.invalid-stays"),
        ({"path": " "}, "waiver.no-path"),
        ({"wants": "more"}, "waiver.unknown-key"),
    ],
)
def test_a_waiver_that_is_none_is_refused(files: LocalFiles, said: dict[str, Any], code: str) -> None:
    with pytest.raises(PolicyError) as refused:
        waive(files, **said)
    assert refused.value.code == code
    assert refused.value.fix
    assert waivers.listed(files, ORDERS, now=NOW).granted == ()


def test_a_waiver_lasts_until_the_end_of_its_day(files: LocalFiles) -> None:
    assert waive(files, until="2026-11-18").number == 0


def test_all_that_is_wrong_with_a_waiver_is_told_at_once(files: LocalFiles) -> None:
    with pytest.raises(PolicyError) as refused:
        waive(files, until="2026-01-01", rule="NAME_DUPLICATE", reason=" ")
    assert [one.path for one in refused.value.faults] == ["reason", "until", "rule"]


@pytest.mark.parametrize("rule", [one.id for one in RULES.values() if one.letters == "!!!!"])
def test_what_is_invalid_is_lifted_by_nobody(files: LocalFiles, rule: str) -> None:
    with pytest.raises(PolicyError, match="no waiver lifts"):
        waive(files, rule=rule)


def test_a_job_with_a_name_that_is_none_is_refused(files: LocalFiles) -> None:
    with pytest.raises(RefusedNameError):
        waive(files, consumer="../x")


# ---------------------------------------------------------------- honouring


def test_a_waiver_for_a_job_lets_its_break_through_until_it_ends(files: LocalFiles) -> None:
    assert verdict(files, Policy()) is Verdict.BREAK
    waive(files)
    assert verdict(files, Policy()) is Verdict.WARN
    assert verdict(files, Policy(), LATER) is Verdict.BREAK


def test_a_waiver_for_one_job_helps_no_other(files: LocalFiles) -> None:
    waive(files, consumer="weekly_report")
    assert verdict(files, Policy()) is Verdict.BREAK


def test_a_waiver_counts_under_every_policy_that_is_judged_by(files: LocalFiles) -> None:
    waive(files)
    assert verdict(files, Policy().stricter(Policy(against=Against.ALL).stricter(Policy(against=Against.PREVIOUS)))) is Verdict.WARN


def test_a_waiver_is_shown_in_the_finding(files: LocalFiles) -> None:
    waive(files)
    policy = Policy().excused(waivers.active(files, ORDERS, now=NOW).waivers)
    (finding,) = [one for one in check(FIRST, RENAMED, policy, contracts=[JOB], now=NOW).findings if one.consumers]
    assert finding.waived == "until 2026-12-31 for daily_report: INC-4711, ana"


# ---------------------------------------------------------------- ending


def test_the_end_of_a_waiver_is_reported_once(files: LocalFiles) -> None:
    waive(files)
    assert waivers.active(files, ORDERS, now=NOW).said == ()
    said = waivers.active(files, ORDERS, now=LATER)
    note = "the waiver of EXPECT_FIELD_RENAMED at cust_id has ended (until 2026-12-31 for daily_report: INC-4711, ana)"
    assert (said.waivers, said.said) == ((), (note,))
    assert waivers.active(files, ORDERS, now=LATER) == waivers.Waivers()
    assert [one.ended for one in waivers.listed(files, ORDERS, now=LATER).granted] == [True]


def test_of_many_who_look_at_once_one_reports_the_end(tmp_path: Path) -> None:
    waive(LocalFiles(tmp_path))
    with ThreadPoolExecutor(8) as pool:
        notes = list(pool.map(lambda _: waivers.active(LocalFiles(tmp_path), ORDERS, now=LATER).notes, range(16)))
    assert sum(map(len, notes)) == 1


def test_who_may_not_write_is_told_each_time_and_writes_nothing(files: LocalFiles) -> None:
    waive(files)
    puts = files.count.puts
    for _ in range(2):
        assert len(waivers.active(files, ORDERS, may_write=False, now=LATER).notes) == 1
    assert files.count.puts == puts


def test_a_marker_that_cannot_be_written_stops_nobody(files: LocalFiles) -> None:
    waive(files)

    class Refusing(LocalFiles):
        def create(self, path: str, data: bytes, parent: Parent | None = None) -> None:
            raise ReadOnlyError(f"{path} must not be written.")

    for _ in range(2):
        assert len(waivers.active(Refusing(files.root), ORDERS, now=LATER).notes) == 1


def test_a_waiver_that_has_ended_is_read_no_more(files: LocalFiles) -> None:
    waive(files)
    waivers.active(files, ORDERS, now=LATER)
    gets = files.count.gets
    waivers.active(files, ORDERS, now=LATER)
    assert files.count.gets == gets


# ---------------------------------------------------------------- what cannot be read


def test_a_waiver_that_cannot_be_read_lifts_nothing_and_is_told(files: LocalFiles) -> None:
    waive(files)
    files.put("waivers/shop/orders/waiver-0", b'{"rule": "FIELD_RENAMED"}')
    found = waivers.active(files, ORDERS, now=NOW)
    assert found.waivers == ()
    assert found.said[0].startswith("waivers/shop/orders/waiver-0 cannot be read")
    assert found.said[0].endswith("it lifts nothing")
    assert isinstance(found.unreadable[0].error, SchemaError)
    assert [fault.path.split(" ")[-1] for fault in found.unreadable[0].error.faults] == ["until", "reason", "at"]


def test_a_key_of_a_later_release_is_no_reason_not_to_read(files: LocalFiles) -> None:
    granted = waive(files)
    path = "waivers/shop/orders/waiver-0"
    files.put(path, json.dumps({**json.loads(files.read(path)), "ticket": 7}).encode())
    assert waivers.active(files, ORDERS, now=NOW).granted == (granted,)
