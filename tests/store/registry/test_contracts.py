"""Contracts in the registry: registering, refusing, finding a renamed column again, listing, taking away, growing stale, racing."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from airflow_provider_schemas.core import Contract, Policy, TableSchema, check, check_contract, evolve
from airflow_provider_schemas.core.policies.policy import Waiver
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.errors import ContractError, IncompatibleSchemaError, NotThereError, RefusedNameError
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.registry import contracts, register_contract
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


# ---------------------------------------------------------------- registering


def test_a_contract_that_was_registered_is_listed_with_whose_it_is_and_what_it_was_judged_against(files: LocalFiles) -> None:
    mine = register(files, Contract.of(DAILY, name="daily_report", owner="team-bi", contact="#bi"), consumer="")
    (one,) = contracts.listed(files, ORDERS)
    assert one == mine
    assert (one.consumer, one.team, one.number, one.by, one.at) == ("daily_report", "team-bi", 0, "ana", "2026-11-18T12:00:00+00:00")
    assert one.seen == (0, version(FIRST).digest)
    assert (one.contract.owner, one.contract.contact, one.contract.table, one.pending) == ("team-bi", "#bi", "shop.orders", False)
    assert paths(files) == [f"{FOLDER}/contract-0"]


def test_a_contract_that_does_not_fit_is_refused_with_the_job_the_table_and_what_it_lacks(files: LocalFiles) -> None:
    with pytest.raises(IncompatibleSchemaError) as refused:
        register(files, "order_id BIGINT NOT NULL, coupon STRING, amount INT")
    assert refused.value.message == "shop.orders v0 does not fit daily_report: coupon is not there (+1 more)."
    assert [one.rule for one in refused.value.report.findings] == ["EXPECT_FIELD_MISSING", "EXPECT_TYPE_UNSAFE"]
    assert paths(files) == []


def test_a_contract_may_wait_for_what_is_to_come(files: LocalFiles) -> None:
    assert register(files, "coupon STRING", pending=True).pending
    with_coupon = evolve(FIRST, ["ADD COLUMN coupon STRING"])
    fits = register(files, "coupon STRING", with_coupon)
    assert (fits.pending, fits.number, fits.contract.pins) == (False, 1, frozenset({6}))
    assert register(files, "coupon STRING", with_coupon, pending=True).number == 1


def test_a_contract_may_wait_for_a_table_and_is_refused_without_one(files: LocalFiles) -> None:
    with pytest.raises(NotThereError, match="pending=True"):
        register(files, schema=None)
    assert register(files, schema=None, pending=True).seen is None
    assert [one.pending for one in contracts.listed(files, ORDERS)] == [True]


def test_what_a_waiver_lifts_is_no_reason_to_refuse(files: LocalFiles) -> None:
    waiver = Waiver(rule="EXPECT_FIELD_MISSING", path="coupon", until="2026-12-31", reason="it comes on Friday", consumer="daily_report")
    with pytest.raises(IncompatibleSchemaError):
        register(files, "coupon STRING", policy=Policy().excused([waiver]), consumer="other")
    assert not register(files, "coupon STRING", policy=Policy().excused([waiver])).pending


@pytest.mark.parametrize(
    ("contract", "about", "code"),
    [
        (DAILY, {"consumer": ""}, "contract.no-name"),
        ({"columns": DAILY, "table": "shop.users"}, {}, "contract.other-table"),
        ([], {}, "contract.empty"),
        (None, {}, "contract.no-contract"),
        (DAILY, {"max_age": timedelta(hours=1)}, "contract.max-age"),
        (DAILY, {"max_age": timedelta.max}, "contract.bad-value"),
    ],
)
def test_a_contract_that_says_too_little_is_refused(files: LocalFiles, contract: Any, about: dict[str, Any], code: str) -> None:
    with pytest.raises(ContractError) as refused:
        register(files, contract, **about)
    assert refused.value.code == code
    assert paths(files) == []


@pytest.mark.parametrize(
    "need",
    [{"columns": [], "partitioned_by": ["day"]}, {"columns": [], "primary_key": ["order_id"]}, {"columns": "order_id BIGINT"}],
)
def test_a_contract_may_need_nothing_but_keys_or_partitions(files: LocalFiles, need: dict[str, Any]) -> None:
    given, wanted = register(files, need, pending=True).given, Contract.of(need)
    assert (given.partitioned_by, given.primary_key, given.columns) == (wanted.partitioned_by, wanted.primary_key, wanted.columns)


@pytest.mark.parametrize("name", ["../x", "a/b", "..", ".x", "a\\b", "x\0"])
def test_teams_and_jobs_are_no_way_out_of_the_registry(files: LocalFiles, name: str) -> None:
    with pytest.raises(RefusedNameError):
        register(files, consumer=name)
    with pytest.raises(RefusedNameError):
        register(files, team=name)
    with pytest.raises(RefusedNameError):
        register_contract.remove(files, ORDERS, name)
    with pytest.raises(RefusedNameError):
        contracts.found(files, ORDERS, name)


# ---------------------------------------------------------------- the same again


def test_the_same_contract_again_is_no_new_version(files: LocalFiles) -> None:
    register(files)
    before = paths(files)
    assert register(files, now=NOW + timedelta(hours=3)).number == 0
    assert paths(files) == before


def test_a_job_is_seen_at_most_once_a_day(files: LocalFiles) -> None:
    register(files)
    puts = files.count.puts
    assert register(files, now=NOW + timedelta(hours=23)).last_seen == "2026-11-18T12:00:00+00:00"
    assert files.count.puts == puts
    assert register(files, now=NOW + timedelta(hours=25)).last_seen == "2026-11-19T13:00:00+00:00"
    assert register(files, now=NOW + timedelta(hours=47)).last_seen == "2026-11-19T13:00:00+00:00"
    assert files.count.puts == puts + 1
    assert [one.last_seen for one in contracts.listed(files, ORDERS)] == ["2026-11-19T13:00:00+00:00"]


def test_another_contract_of_a_job_is_its_next_version_and_the_old_one_stays(files: LocalFiles) -> None:
    register(files)
    assert register(files, ["order_id"]).number == 1
    assert [
        [need.name for need in one.given.columns] for one in register_contract.versions(files, ORDERS, "daily_report", team="team-bi")
    ] == [
        ["order_id", "cust_id"],
        ["order_id"],
    ]
    assert [one.number for one in contracts.listed(files, ORDERS)] == [1]


@pytest.mark.parametrize(
    "need", [{"name": "order_id", "type": "BIGINT NOT NULL", "nullable": True}, {"name": "order_id", "role": ["join", "key"]}]
)
def test_a_contract_comes_back_as_it_was_given(files: LocalFiles, need: dict[str, Any]) -> None:
    contract = Contract.of({"columns": [need], "shape": "open"}, name="daily_report", table="shop.orders")
    register(files, contract, policy={"mode": "NONE"}, pending=True)
    assert [one.given for one in contracts.listed(files, ORDERS)] == [contract]


# ---------------------------------------------------------------- renamed columns


def test_a_registered_job_hears_of_a_rename_as_a_rename(files: LocalFiles) -> None:
    one = register(files)
    assert rules(RENAMED, one) == [("EXPECT_FIELD_RENAMED", "cust_id")]
    assert rules(RENAMED, contracts.found(files, ORDERS, "daily_report")) == [("EXPECT_FIELD_RENAMED", "cust_id")]
    assert rules(FIRST, one) == []


def test_a_field_inside_a_column_is_found_again_too(files: LocalFiles) -> None:
    one = register(files, ["address.city"])
    assert rules(evolve(FIRST, ["RENAME COLUMN address.city TO town"]), one) == [("EXPECT_FIELD_RENAMED", "address.city")]


def test_registering_again_after_a_rename_does_not_forget_what_was_meant(files: LocalFiles) -> None:
    register(files)
    with pytest.raises(IncompatibleSchemaError, match="cust_id is now customer_id"):
        register(files, schema=RENAMED)
    moved = register(files, "order_id BIGINT NOT NULL, customer_id BIGINT", RENAMED)
    assert (moved.number, moved.contract.pins) == (1, frozenset({0, 1}))


def test_a_name_that_came_back_is_another_field_until_somebody_pins_again(files: LocalFiles) -> None:
    register(files)
    back = evolve(FIRST, ["DROP COLUMN cust_id", "ADD COLUMN cust_id BIGINT"])
    with pytest.raises(IncompatibleSchemaError) as refused:
        register(files, schema=back)
    assert [one.rule for one in refused.value.report.findings] == ["EXPECT_STALE_PIN"]
    assert rules(back, register(files, schema=back, pin_again=True)) == []


def test_an_evolution_names_the_registered_job_that_it_breaks(files: LocalFiles) -> None:
    register(files, Contract.of(DAILY, owner="team-bi", contact="#bi"))
    report = check(FIRST, RENAMED, contracts=contracts.active(contracts.listed(files, ORDERS), NOW).blocking, table="shop.orders", now=NOW)
    assert report.verdict is Verdict.BREAK
    assert [(one.name, one.owner, one.contact, one.rule) for one in report.consumers] == [
        ("daily_report", "team-bi", "#bi", "EXPECT_FIELD_RENAMED")
    ]


# ---------------------------------------------------------------- taking away


def test_a_contract_that_was_taken_away_is_listed_no_longer_and_its_history_stays(files: LocalFiles) -> None:
    register(files)
    gone = register_contract.remove(files, ORDERS, "daily_report", team="team-bi", actor="raj", now=NOW)
    assert (gone.removed, gone.by, gone.number) == (True, "raj", 1)
    assert register_contract.remove(files, ORDERS, "daily_report", team="team-bi").number == 1
    assert len(contracts.listed(files, ORDERS)) == 0
    assert [one.removed for one in register_contract.versions(files, ORDERS, "daily_report", team="team-bi")] == [False, True]
    assert register(files).number == 2


def test_the_history_of_a_contract_is_read_without_asking_when_its_job_was_seen(files: LocalFiles) -> None:
    """That says something of its newest version only."""
    register(files)
    register(files, now=NOW + timedelta(days=2))
    register(files, "order_id BIGINT NOT NULL", now=NOW + timedelta(days=3))
    assert [one.last_seen for one in contracts.listed(files, ORDERS)] != [""]
    before = files.count.snapshot()
    found = register_contract.versions(files, ORDERS, "daily_report", team="team-bi")
    lists, gets, _ = (now - then for now, then in zip(files.count.snapshot(), before, strict=True))
    assert ([one.number for one in found], lists, gets) == ([0, 1], 1, 2)


def test_taking_away_or_asking_for_what_is_not_there_tells_what_is(files: LocalFiles) -> None:
    register(files)
    with pytest.raises(NotThereError, match=r"daily_report \(team-bi\)"):
        register_contract.remove(files, ORDERS, "daily_report")
    with pytest.raises(NotThereError, match=r"daily_report \(team-bi\)"):
        contracts.found(files, ORDERS, "weekly_report")


def test_a_job_is_found_by_its_name_alone_if_it_is_the_only_one(files: LocalFiles) -> None:
    register(files)
    assert contracts.found(files, ORDERS, "daily_report").team == "team-bi"
    register(files, team="")
    with pytest.raises(ContractError, match="default, team-bi"):
        contracts.found(files, ORDERS, "daily_report")
    assert contracts.found(files, ORDERS, "daily_report", team="default").team == "default"


# ---------------------------------------------------------------- what cannot be read


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'{"at": "2026-11-18"}',
        b'{"at": "2026-11-18", "contract": {"columns": [{"name": "a", "wants": 1}]}}',
        b'{"at": "2026-11-18", "contract": {"columns": ["a"]}, "pins": {"a": "one"}}',
        b"[" * 100_000,
    ],
)
def test_a_contract_that_cannot_be_read_is_handed_on_and_never_left_out(files: LocalFiles, data: bytes) -> None:
    register(files)
    register(files, consumer="other")
    files.put(f"{FOLDER}/contract-1", data)
    found = contracts.listed(files, ORDERS)
    assert [one.consumer for one in found] == ["other"]
    assert [one.path for one in found.unreadable] == [f"{FOLDER}/contract-1"]
    assert "contract-1 cannot be read" in found.said[0]
    with pytest.raises(ContractError):
        contracts.found(files, ORDERS, "daily_report")


def test_a_contract_that_cannot_be_read_is_put_right_by_its_job_or_taken_away(files: LocalFiles) -> None:
    files.put(f"{FOLDER}/contract-0", b"{")
    assert register(files).number == 1
    files.put(f"{FOLDER}/contract-2", b"{")
    register_contract.remove(files, ORDERS, "daily_report", team="team-bi", now=NOW)
    assert contracts.listed(files, ORDERS) == contracts.Contracts()


def test_all_that_is_wrong_with_a_record_is_told_at_once(files: LocalFiles) -> None:
    files.put(f"{FOLDER}/contract-0", b'{"contract": {"columns": [], "wants": 1}, "pending": "yes", "max_age_days": 0}')
    (one,) = contracts.listed(files, ORDERS).unreadable
    assert [fault.path.split(" ")[1] for fault in one.error.faults] == ["at", "contract.wants", "pending", "max_age_days"]


def test_a_key_of_a_later_release_is_no_reason_not_to_read_and_stays(files: LocalFiles) -> None:
    register(files)
    record = json.loads(files.read(f"{FOLDER}/contract-0"))
    files.put(f"{FOLDER}/contract-0", json.dumps({**record, "cost_centre": 7}).encode())
    assert len(contracts.listed(files, ORDERS)) == 1
    register_contract.remove(files, ORDERS, "daily_report", team="team-bi", now=NOW)
    assert json.loads(files.read(f"{FOLDER}/contract-1"))["cost_centre"] == 7


def test_other_files_in_the_folder_disturb_nobody(files: LocalFiles) -> None:
    register(files)
    for path in (
        "README.md",
        f"{FOLDER}/contract-01",
        f"{FOLDER}/contract-x",
    ):
        files.put(path, b"?")
    assert [one.number for one in contracts.listed(files, ORDERS)] == [0]
    assert contracts.listed(files, ORDERS).unreadable == ()


@pytest.mark.parametrize("path", [f"{FOLDER}/deep/contract-9", "contracts/shop/orders/contract-3"])
def test_a_contract_that_lies_in_the_wrong_folder_is_told_and_not_forgotten(files: LocalFiles, path: str) -> None:
    register(files)
    files.put(path, b"?")
    found = contracts.listed(files, ORDERS)
    assert [one.number for one in found] == [0]
    assert [(one.path, one.error.code) for one in found.unreadable] == [(path, "contract.misplaced")]


# ---------------------------------------------------------------- many at once


def at_once(count: int, call: Any) -> list[Any]:
    start = Barrier(count)

    def one(number: int) -> Any:
        start.wait()
        return call(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))


def test_jobs_that_register_at_once_lose_nothing(tmp_path: Path) -> None:
    at_once(16, lambda number: register(LocalFiles(tmp_path), consumer=f"job-{number}"))
    assert {one.consumer for one in contracts.listed(LocalFiles(tmp_path), ORDERS)} == {f"job-{number}" for number in range(16)}


def test_versions_of_one_contract_that_are_registered_at_once_are_all_there(tmp_path: Path) -> None:
    wanted = [[name] for name in ("order_id", "cust_id", "amount", "address", "address.city", "address.zip", "order_id", "cust_id")]
    found = at_once(len(wanted), lambda number: register(LocalFiles(tmp_path), wanted[number]))
    versions = register_contract.versions(LocalFiles(tmp_path), ORDERS, "daily_report", team="team-bi")
    assert [one.number for one in versions] == list(range(len(versions)))
    there = {one.number: [need.name for need in one.given.columns] for one in versions}
    assert all(there[one.number] == wanted[number] for number, one in enumerate(found))


def test_one_contract_that_is_registered_by_many_at_once_is_one_version(tmp_path: Path) -> None:
    found = at_once(16, lambda number: register(LocalFiles(tmp_path), actor=f"actor-{number}"))
    assert {one.number for one in found} == {0}
    assert paths(LocalFiles(tmp_path)) == [f"{FOLDER}/contract-0"]


def test_a_listing_is_one_walk_and_one_round_of_reads(files: LocalFiles) -> None:
    for number in range(5):
        register(files, consumer=f"job-{number}")
        register(files, ["order_id"], consumer=f"job-{number}")
    calls: list[int] = []

    class Counting(LocalFiles):
        def read_many(self, paths: Any, limit: int = 0) -> Any:
            wanted = list(paths)
            calls.append(len(wanted))
            return super().read_many(wanted, limit)

    counting = Counting(files.root)
    assert len(contracts.listed(counting, ORDERS)) == 5
    assert (calls, counting.count.gets) == ([5], 5)


def test_another_table_has_its_own_contracts(files: LocalFiles) -> None:
    register(files)
    assert len(contracts.listed(files, TableName("shop", "order"))) == 0
