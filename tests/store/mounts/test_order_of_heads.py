"""Of a mounted table newer is what became current later: gates, contracts and steps follow the heads, and notice another table."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.cli.commands.diff import find_before
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.errors import ContractError
from airflow_provider_schemas.store import SchemaStore, Table, judge
from airflow_provider_schemas.store.checking.judgement import TableAnswer
from airflow_provider_schemas.store.data_files.landed_files import Landing
from airflow_provider_schemas.store.mounts.source import Head
from airflow_provider_schemas.store.registry import policies
from airflow_provider_schemas.store.versions.heads import heads_after, heads_of, versions_before
from tests.store.mounts.support.remembered_source import ORDERS, RememberedSource
from tests.support.stores import lake, orders


@pytest.fixture
def source() -> RememberedSource:
    source = RememberedSource()
    source.create("orders")
    return source


@pytest.fixture
def store(tmp_path: Path, source: RememberedSource) -> SchemaStore:
    return lake(tmp_path, mounts={"shop": source})


@pytest.fixture
def table(store: SchemaStore) -> Table:
    return store.table("shop.orders")


def answer(store: SchemaStore, need: Any = None, **about: Any) -> TableAnswer:
    return judge(store, {"shop.orders": need}, **about).tables[0]


def since(store: SchemaStore, seen: Any, **about: Any) -> TableAnswer:
    """The answer for a job without a contract."""
    return answer(store, since={"shop.orders": seen}, **about)


def rules(found: TableAnswer) -> list[tuple[str, str]]:
    return [(finding.rule, finding.verdict.value) for finding in found.report.findings]


def names(found: Sequence[Any]) -> list[int]:
    return [version.number for version in found]


# ---------------------------------------------------------------- what came


def test_a_table_that_went_back_has_moved(source: RememberedSource, table: Table) -> None:
    source.rename("orders", "amount", "total")
    seen = table.latest()
    source.go_to("orders", 0)
    for known in (1, seen, (1, seen.digest), (1, seen.digest, "t-1")):
        moved = table.changed_since(known)
        assert moved
        assert (moved.head, moved.newer, moved.report.findings) == (0, (0,), ())
        assert "RESTORED: back to version 0" in moved.report.notes[0]


def test_nothing_has_come_where_only_data_did(source: RememberedSource, table: Table) -> None:
    seen = table.latest()
    source.write_data("orders")
    before = source.count.snapshot()
    assert not table.changed_since(seen)
    assert source.count.snapshot()[1] - before[1] == 1


def test_what_was_seen_of_a_table_names_the_table(source: RememberedSource, table: Table) -> None:
    assert table.latest().table_id == "t-1"
    source.create("orders", ORDERS, table_id="t-2")
    assert table.changed_since((0, table.latest().digest, "t-1")).is_replaced


# ---------------------------------------------------------------- a gate without a contract


def test_a_return_is_judged_as_any_other_change(source: RememberedSource, store: SchemaStore, table: Table) -> None:
    source.drop_column("orders", "amount")
    seen = table.latest()
    source.go_to("orders", 0)
    found = since(store, (seen.number, seen.digest, "t-1"))
    assert all(rule not in ("VERSION_REWOUND", "HIGHEST_FIELD_ID_REGRESSED") for rule, _ in rules(found))
    assert any(note.startswith("RESTORED: back to version 0") for note in found.report.notes)
    assert "FIELD_ADDED_NULLABLE" in [rule for rule, _ in rules(found)]


def test_a_return_that_takes_a_column_away_breaks(source: RememberedSource, store: SchemaStore, table: Table) -> None:
    source.rename("orders", "amount", "total")
    seen = table.latest()
    source.go_to("orders", 0)
    found = since(store, seen)
    assert not found.fits
    assert ("FIELD_RENAMED", "break") in rules(found)


def test_a_version_that_the_peer_tidied_away_breaks_as_an_expired_one(source: RememberedSource, store: SchemaStore, table: Table) -> None:
    seen = table.latest()
    source.rename("orders", "amount", "total")
    peer = source.peer["orders"]
    del peer.schemas[0]
    peer.heads = [Head(1, table.latest().digest, table_id="t-1")]
    peer.whole = False
    found = since(store, (0, seen.digest, "t-1"))
    assert not found.fits
    assert "nobody knows" in found.report.findings[0].message


def test_a_table_that_was_made_again_breaks_whoever_saw_the_earlier_one(source: RememberedSource, store: SchemaStore, table: Table) -> None:
    seen = table.latest()
    source.create("orders", "order_id BIGINT NOT NULL, client STRING", table_id="t-2")
    found = since(store, seen)
    assert rules(found) == [("TABLE_REPLACED", "break")]
    assert "dropped and made again since version 0 was seen" in found.report.findings[0].message


def test_with_the_same_columns_it_only_warns(source: RememberedSource, store: SchemaStore, table: Table) -> None:
    seen = table.latest()
    source.create("orders", ORDERS, table_id="t-2")
    found = since(store, seen)
    assert (rules(found), found.fits) == ([("TABLE_REPLACED", "warn")], True)


def test_a_policy_may_accept_it(source: RememberedSource, store: SchemaStore, table: Table) -> None:
    seen = table.latest()
    table.register(["order_id"], consumer="daily")  # so that the registry has begun
    policies.save(
        store.registry,
        {"exceptions": [{"rule": "TABLE_REPLACED", "path": "table", "until": "2099-01-01", "reason": "moved"}]},
        override="moved",
    )
    source.create("orders", "order_id BIGINT NOT NULL, client STRING", table_id="t-2")
    found = since(store, seen)
    assert found.report.findings[0].verdict is Verdict.WARN
    assert "moved" in found.report.findings[0].waived


# ---------------------------------------------------------------- contracts


def test_pins_of_a_table_that_was_made_again_are_matched_by_name_and_asked_about(
    tmp_path: Path, source: RememberedSource, table: Table
) -> None:
    table.register(["order_id", "amount"], consumer="daily", team="bi")
    # In the new table, field 2 is the amount and field 1 is another column.
    source.create("orders", "client STRING, order_id BIGINT NOT NULL, amount DECIMAL(10, 2)", table_id="t-2")
    of_team = lake(tmp_path, team="bi", mounts={"shop": source})
    found = judge(of_team, {"shop.orders": "@registered"}, consumer="daily")
    (finding,) = found.tables[0].report.findings
    assert (finding.rule, finding.verdict, found.fits) == ("TABLE_REPLACED", Verdict.WARN, True)
    assert "order_id: field 0 before, field 1 now" in finding.message
    assert "amount: field 2 before, field 2 now" in finding.message
    assert "register its contract again" in finding.fix


def test_a_column_that_is_not_found_again_by_name_breaks_its_job(source: RememberedSource, store: SchemaStore, table: Table) -> None:
    table.register(["order_id", "amount"], consumer="daily")
    source.create("orders", "order_id BIGINT NOT NULL, client STRING, total DECIMAL(10, 2)", table_id="t-2")
    found = answer(store, "@registered", consumer="daily")
    assert rules(found) == [("TABLE_REPLACED", "warn"), ("EXPECT_FIELD_MISSING", "break")]


def test_a_contract_that_is_registered_again_asks_no_more(source: RememberedSource, store: SchemaStore, table: Table) -> None:
    first = table.register(["order_id", "amount"], consumer="daily")
    source.create("orders", "client STRING, order_id BIGINT NOT NULL, amount DECIMAL(10, 2)", table_id="t-2")
    again = table.register(["order_id", "amount"], consumer="daily")
    assert (first.number, again.number, again.table_id) == (0, 1, "t-2")
    assert rules(answer(store, "@registered", consumer="daily")) == []
    assert {column.name: column.id for column in again.contract.columns} == {"order_id": 1, "amount": 2}


def test_the_same_contract_on_the_same_table_is_no_new_version(source: RememberedSource, table: Table) -> None:
    assert [table.register(["order_id"], consumer="daily").number for _ in range(2)] == [0, 0]


def test_a_plan_names_jobs_by_the_columns_of_the_table_that_is_there(source: RememberedSource, table: Table) -> None:
    table.register(["order_id", "amount"], consumer="daily")
    source.create("orders", "client STRING, order_id BIGINT NOT NULL, amount DECIMAL(10, 2)", table_id="t-2")
    victims = [finding for finding in table.plan("DROP COLUMN order_id").report.findings if finding.consumers]
    assert [(finding.path, finding.consumers[0].name) for finding in victims] == [("order_id", "daily")]
    unhurt = table.plan("DROP COLUMN client").report.findings
    assert [finding for finding in unhurt if finding.consumers] == []
    assert {column.name: column.id for column in table.contracts()[0].columns} == {"order_id": 1, "amount": 2}


def test_a_contract_that_waits_is_fulfilled_by_a_schema_that_comes_back(source: RememberedSource, table: Table) -> None:
    source.rename("orders", "amount", "total")
    table.register(["amount"], consumer="daily", pending=True)
    assert table.registered().registered[0].pending
    source.go_to("orders", 0)
    source.rename("orders", "amount", "sum")
    (fulfilled,) = table.registered()
    assert (fulfilled.pending, fulfilled.fulfilled) == (False, 0)


def test_a_contract_that_does_not_fit_is_explained_from_the_schema_that_was_current_before(
    source: RememberedSource, store: SchemaStore
) -> None:
    source.rename("orders", "amount", "total")
    source.go_to("orders", 0)
    found = answer(store, ["total"], consumer="daily")
    assert not found.fits
    assert "version 1 did fit" in found.report.notes
    assert [rule for rule, _ in rules(found)] == ["EXPECT_FIELD_RENAMED"]


def test_a_baseline_of_a_schema_that_came_back_is_judged_once_more(source: RememberedSource, store: SchemaStore, table: Table) -> None:
    first = table.latest()
    source.rename("orders", "amount", "total")
    source.go_to("orders", 0)
    found = since(store, first)
    assert (rules(found), found.fits) == ([], True)
    assert names(table.versions()) == [0, 1]


def test_who_and_when_is_told_where_the_table_does_not_fit(source: RememberedSource, store: SchemaStore) -> None:
    source.drop_column("orders", "cust_id")
    source.go_to("orders", 0)
    source.go_to("orders", 1, origin="trino raj")
    found = answer(store, ["cust_id"], consumer="daily")
    assert [note for note in found.report.notes if "is current" in note] == [
        "version 1 is current since 2026-09-21 14:16 UTC, the source says by trino raj"
    ]
    assert not [note for note in answer(store, ["amount"], consumer="daily").report.notes if "is current" in note]


def test_a_contract_that_waits_is_fulfilled_by_a_table_that_was_made_again(
    source: RememberedSource, store: SchemaStore, table: Table
) -> None:
    source.rename("orders", "amount", "total")
    table.register(["amount"], consumer="daily", pending=True)
    source.create("orders", ORDERS, table_id="t-2")
    source.rename("orders", "amount", "total")
    assert "daily waited until version 0 fitted it" in answer(store, "@registered", consumer="daily").report.notes
    assert [contract.fulfilled for contract in table.registered()] == [0]


# ---------------------------------------------------------------- steps on the command line


def last_step(table: Table) -> tuple[int | None, int]:
    """The versions that `diff db.table` compares."""
    new = table.latest()
    old = find_before(table, new)
    return None if old is None else old.number, new.number


def test_the_last_step_of_a_table_that_went_back_leads_back(source: RememberedSource, table: Table) -> None:
    assert last_step(table) == (None, 0)
    source.rename("orders", "amount", "total")
    assert last_step(table) == (0, 1)
    source.go_to("orders", 0)
    assert last_step(table) == (1, 0)


def test_the_files_of_a_mounted_table_are_not_waited_for(table: Table) -> None:
    with pytest.raises(ContractError, match="is kept by others") as error:
        Landing(table).check()
    assert "until='schema'" in error.value.fix


# ---------------------------------------------------------------- our own layouts


@given(st.lists(st.sampled_from(["ADD COLUMN c{} INT", "ADD COLUMN d{} STRING"]), max_size=5), st.data())
def test_in_our_own_layouts_the_order_of_heads_is_that_of_numbers(changes: list[str], data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        ours = orders(lake(Path(folder)))
        for number, change in enumerate(changes):
            ours.evolve(change.format(number))
        log = ours.subject.versions.heads()
        seen = data.draw(st.sampled_from(ours.versions()))
        after = heads_after(log, seen)
        assert after is not None
        assert tuple(head.number for head in after) == ours.changed_since(seen).newer
        assert versions_before(ours.versions(), seen, log) == versions_before(ours.versions(), seen, None)
        assert heads_of(ours.subject.versions) is None
