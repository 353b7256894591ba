"""A mounted table is read, judged and told about like any other, by what its source says."""

import pickle
import threading
from pathlib import Path
from typing import Any

import msgspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core.report import Answers, Finding, Verdict
from airflow_provider_schemas.errors import NotThereError, RefusedNameError, SchemaFileError, StorageError
from airflow_provider_schemas.store import Layout, SchemaStore, judge
from airflow_provider_schemas.store.mounts.source import LiveSchemas
from airflow_provider_schemas.store.storage.files import Requests
from tests.store.mounts.support.remembered_source import RememberedSource
from tests.support.stores import lake

AMOUNT = "order_id BIGINT NOT NULL, amount DECIMAL(10, 2)"


@pytest.fixture
def source() -> RememberedSource:
    source = RememberedSource()
    source.create("orders")
    return source


@pytest.fixture
def store(tmp_path: Path, source: RememberedSource) -> SchemaStore:
    return lake(tmp_path, mounts={"shop": source})


def rules(answer: Any) -> list[tuple[str, str]]:
    return [(finding.rule, finding.path) for table in answer.tables for finding in table.report.findings]


# ---------------------------------------------------------------- opening


def test_a_store_with_mounts_asks_nothing_of_them_before_a_table_is_asked_for(tmp_path: Path) -> None:
    source = RememberedSource()
    source.is_down = True
    store = lake(tmp_path, mounts={"shop": source})
    assert store.databases() == ("shop",)
    table = store.table("shop.orders")
    assert (table.place.layout, source.looks) == (Layout.MOUNTED, [])
    with pytest.raises(StorageError):
        table.latest()


def test_a_mount_needs_a_name_that_a_database_can_have(tmp_path: Path) -> None:
    with pytest.raises(RefusedNameError):
        lake(tmp_path, mounts={"a.b": RememberedSource()})


def test_nobody_opens_a_warehouse_as_mounted(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no layout"):
        lake(tmp_path, layout="mounted")


def test_a_store_with_mounts_goes_to_another_process(store: SchemaStore, source: RememberedSource) -> None:
    store.table("shop.orders").latest()
    other = pickle.loads(pickle.dumps(store))
    assert other.table("shop.orders").latest().digest == store.table("shop.orders").latest().digest
    assert other.asked().gets == 1 + source.count.snapshot()[1] - source.count.snapshot()[1]


# ---------------------------------------------------------------- versions


def test_the_newest_version_is_the_one_that_the_source_says_and_not_the_highest(store: SchemaStore, source: RememberedSource) -> None:
    source.rename("orders", "amount", "total")
    source.go_to("orders", 0)
    table = store.table("shop.orders")
    assert (table.latest().number, table.numbers()) == (0, (0, 1))
    assert [one.number for one in table.versions()] == [0, 1]
    assert [column.name for column in table.schema(1).fields][-1] == "total"
    with pytest.raises(NotThereError, match="no schema 7") as error:
        table.version(7)
    assert "0, 1" in error.value.fix


def test_the_digest_is_the_one_of_the_source(store: SchemaStore, source: RememberedSource) -> None:
    latest = store.table("shop.orders").latest()
    assert latest.digest == source.peer["orders"].heads[0].digest


def test_metadata_without_their_current_schema_are_an_error_and_no_missing_table(store: SchemaStore, source: RememberedSource) -> None:
    source.peer["orders"].head = 9
    with pytest.raises(SchemaFileError) as error:
        judge(store, {"shop.orders": AMOUNT}, on_missing="ok")
    assert error.value.code == "mount.no-current-schema"


def test_branches_are_read_with_the_schemas_of_their_table(store: SchemaStore, source: RememberedSource) -> None:
    source.peer["orders"].branches = ("audit",)
    table = store.table("shop.orders")
    assert table.branches() == ("audit",)
    assert table.branch("audit").latest().number == 0
    assert not table.branch("other").exists()
    with pytest.raises(NotThereError):
        table.branch("other").latest()


# ---------------------------------------------------------------- judging


def test_a_gate_over_a_mounted_table_is_judged_by_its_metadata(store: SchemaStore, source: RememberedSource) -> None:
    answer = judge(store, {"shop.orders": AMOUNT})
    assert answer.fits
    assert [(table.judged_by, table.layout, table.place) for table in answer.tables] == [
        ("metadata", Layout.MOUNTED, "memory://peer/shop/orders")
    ]
    source.rename("orders", "amount", "total")
    answer = judge(store, {"shop.orders": AMOUNT})
    assert (answer.fits, rules(answer)) == (False, [("EXPECT_FIELD_RENAMED", "amount")])


def test_a_head_that_went_back_fits_again(store: SchemaStore, source: RememberedSource) -> None:
    source.drop_column("orders", "amount")
    assert not judge(store, {"shop.orders": AMOUNT}).fits
    source.go_to("orders", 0)
    assert judge(store, {"shop.orders": AMOUNT}).fits


def test_a_job_without_a_contract_is_told_what_came_since_it_looked(store: SchemaStore, source: RememberedSource) -> None:
    seen = store.table("shop.orders").latest()
    assert judge(store, ["shop.orders"], since={"shop.orders": (0, seen.digest)}).fits
    source.drop_column("orders", "amount")
    answer = judge(store, ["shop.orders"], since={"shop.orders": (0, seen.digest)})
    assert ("FIELD_DROPPED", "amount") in rules(answer)
    later = store.table("shop.orders").latest()
    source.go_to("orders", 0)
    answer = judge(store, ["shop.orders"], since={"shop.orders": (1, later.digest)})
    assert "VERSION_REWOUND" not in dict(rules(answer))
    assert store.table("shop.orders").changed_since((1, later.digest))


def test_a_table_that_is_gone_fits_only_who_said_so(store: SchemaStore, source: RememberedSource) -> None:
    del source.peer["orders"]
    answer = judge(store, {"shop.orders": AMOUNT})
    assert (answer.fits, rules(answer)) == (False, [("TABLE_MISSING", "table")])
    assert judge(store, {"shop.orders": AMOUNT}, on_missing="ok").fits


@pytest.mark.parametrize("on_missing", ["fail", "warn", "ok"])
def test_a_source_that_does_not_answer_is_an_error_and_never_an_answer(
    store: SchemaStore, source: RememberedSource, on_missing: str
) -> None:
    assert judge(store, {"shop.orders": AMOUNT}).fits
    source.is_down = True
    with pytest.raises(StorageError, match="does not answer"):
        judge(store, {"shop.orders": AMOUNT}, on_missing=on_missing)


def test_what_is_wrong_with_the_metadata_is_part_of_the_verdict(store: SchemaStore, source: RememberedSource) -> None:
    invalid = Finding("SCHEMA_FILE_MUTATED", "schema 0", "two schemas have the number 0.", "Mend it.")
    source.peer["orders"].findings = (invalid,)
    answer = judge(store, {"shop.orders": AMOUNT})
    assert (answer.verdict, rules(answer)) == (Verdict.INVALID, [("SCHEMA_FILE_MUTATED", "schema 0")])
    warns = msgspec.structs.replace(invalid, verdict=Verdict.WARN, jobs=Verdict.WARN, verdicts=Answers(jobs=Verdict.WARN))
    source.peer["orders"].findings = (warns,)
    source.write_data("orders")
    assert judge(store, {"shop.orders": AMOUNT}).verdict is Verdict.WARN
    assert [one.rule for one in store.table("shop.orders").inspect().findings] == ["SCHEMA_FILE_MUTATED"]


def test_a_fault_of_metadata_that_names_no_question_counts_for_data_and_jobs_until_it_is_waived(
    store: SchemaStore, source: RememberedSource
) -> None:
    source.peer["orders"].findings = (Finding("FIELD_UNDELETED", "schema 0", "an id was given twice.", verdict=Verdict.BREAK),)
    answer = judge(store, {"shop.orders": AMOUNT})
    assert (answer.fits, rules(answer)) == (False, [("FIELD_UNDELETED", "schema 0")])
    store.table("shop.orders").waive("FIELD_UNDELETED", "*", until="2099-01-01", reason="known")
    answer = judge(store, {"shop.orders": AMOUNT})
    assert (answer.verdict, rules(answer)) == (Verdict.WARN, [("FIELD_UNDELETED", "schema 0")])


def test_an_old_version_can_be_judged_as_well(store: SchemaStore, source: RememberedSource) -> None:
    source.drop_column("orders", "amount")
    assert judge(store, {"shop.orders": AMOUNT}, version=0).fits


# ---------------------------------------------------------------- what it costs


def test_a_judgement_looks_once_at_each_table(store: SchemaStore, source: RememberedSource) -> None:
    source.create("users", "user_id BIGINT NOT NULL")
    answer = judge(store, {"shop.orders": AMOUNT, "shop.users": "user_id BIGINT"})
    assert answer.fits
    assert sorted(table for table, _ in source.looks) == ["orders", "users"]


def test_the_next_judgement_asks_with_the_look_of_the_last(store: SchemaStore, source: RememberedSource) -> None:
    for _ in range(2):
        judge(store, {"shop.orders": AMOUNT})
    source.write_data("orders")
    judge(store, {"shop.orders": AMOUNT})
    assert source.looks == [("orders", ""), ("orders", "t-1-0"), ("orders", "t-1-0")]


def test_the_requests_of_a_source_are_counted_with_those_of_the_store(store: SchemaStore, source: RememberedSource) -> None:
    before = store.asked()
    answer = judge(store, {"shop.orders": AMOUNT})
    assert source.count.snapshot() == (0, 1, 0)
    assert (store.asked() - before) == Requests(answer.lists, answer.gets, answer.puts)
    assert answer.gets >= 1


def test_64_tables_are_looked_at_at_once(tmp_path: Path) -> None:
    source = RememberedSource()
    names = [f"t{number}" for number in range(64)]
    for name in names:
        source.create(name)
    source.meet = threading.Barrier(64)  # each look waits for all others: one that is not under way stops them all
    store = lake(tmp_path, mounts={"shop": source})
    assert judge(store, {f"shop.{name}": AMOUNT for name in names}).fits
    assert len(source.looks) == 64


def test_a_mount_owns_its_database(tmp_path: Path) -> None:
    beside = lake(tmp_path)
    beside.create_table("shop.orders", "other STRING")
    source = RememberedSource()
    source.create("orders")
    store = lake(tmp_path, mounts={"shop": source})
    assert [column.name for column in store.table("shop.orders").schema().fields] == ["order_id", "cust_id", "amount"]
    assert store.tables("shop") == ("orders",)


def test_mounted_tables_stand_beside_others_in_one_judgement(store: SchemaStore, source: RememberedSource) -> None:
    store.create_table("own.users", "user_id BIGINT NOT NULL")
    answer = judge(store, {"shop.orders": AMOUNT, "own.users": "user_id BIGINT"})
    assert [(table.table, table.judged_by) for table in answer.tables] == [("shop.orders", "metadata"), ("own.users", "schema files")]
    assert store.databases() == ("own", "shop")


# ---------------------------------------------------------------- history, references, plans


def test_the_history_tells_each_head_with_its_moment(store: SchemaStore, source: RememberedSource) -> None:
    source.rename("orders", "amount", "total")
    source.go_to("orders", 0, origin="trino 470")
    history = store.table("shop.orders").history()
    assert [(entry.number, entry.back) for entry in history] == [(0, True), (1, False), (0, False)]
    assert [entry.when.minute for entry in history if entry.when] == [15, 14, 13]
    assert "says trino 470" in str(history[0])
    assert "back to schema 0" in str(history[0])
    assert history[1].changes == ("RENAME COLUMN amount TO total",)
    assert all(entry.outside for entry in history)


def test_a_history_says_what_it_does_not_know(store: SchemaStore, source: RememberedSource) -> None:
    source.drop_column("orders", "amount")
    source.peer["orders"].whole = False
    del source.peer["orders"].schemas[0]
    history = store.table("shop.orders").history()
    assert [entry.number for entry in history] == [1]
    assert "Schema 0 was current" in str(history)
    assert "no older metadata" in str(history)
    assert store.table("shop.orders").inspect().notes == history.notes


def test_the_schema_of_another_table_of_the_name_is_not_shown_as_one_of_this(store: SchemaStore, source: RememberedSource) -> None:
    old = source.peer["orders"].heads[0]
    anew = source.create("orders", "order_id STRING", table_id="t-2")
    anew.heads.insert(0, old)
    history = store.table("shop.orders").history()
    assert [(entry.number, entry.before) for entry in history] == [(0, None)]
    assert "another table of this name (t-1)" in str(history)


def test_who_needs_a_schema_is_what_the_source_says_and_who_registered(store: SchemaStore, source: RememberedSource) -> None:
    store.table("shop.orders").register(AMOUNT, consumer="daily")
    source.drop_column("orders", "cust_id")
    source.peer["orders"].live = LiveSchemas(frozenset({1}), holders={1: ("tag audit-1",)})
    references = store.table("shop.orders").references()
    assert (references.complete, references.live) == (True, frozenset({0, 1}))
    assert references.holders(1) == ("tag audit-1",)
    assert references.holders(0) == ("contract daily (default)",)


def test_a_source_that_cannot_tell_live_schemas_leaves_them_unknown(store: SchemaStore, source: RememberedSource) -> None:
    source.peer["orders"].live = LiveSchemas(None, "a manifest cannot be read")
    references = store.table("shop.orders").references()
    assert (references.live, references.complete) == (None, False)
    assert "a manifest cannot be read" in references.unreadable[0]


def test_a_plan_names_the_victims_and_its_statements_the_engines_table(store: SchemaStore, source: RememberedSource) -> None:
    table = store.table("shop.orders")
    table.register(AMOUNT, consumer="daily", owner="bi")
    plan = table.plan(["RENAME COLUMN amount TO total"])
    assert plan.verdict is Verdict.BREAK
    assert [consumer.name for consumer in plan.report.consumers] == ["daily"]
    assert table.statements(plan).statements == ("ALTER TABLE `lake`.`prod`.`shop`.`orders` RENAME COLUMN `amount` TO `total`",)
    assert table.statements(plan, "flink").statements == ("ALTER TABLE `shop`.`orders` RENAME `amount` TO `total`",)
    with pytest.raises(ValueError, match="does not name"):
        table.statements(plan, "hive")


def test_a_plan_toward_a_schema_stands_on_the_mounted_head(store: SchemaStore, source: RememberedSource) -> None:
    table = store.table("shop.orders")
    plan = table.plan(target=store.table("shop.orders").schema())
    assert plan.unchanged
    source.rename("orders", "amount", "total")
    source.go_to("orders", 0)
    plan = table.plan(["ADD COLUMN coupon STRING"])
    assert (plan.base.number if plan.base else None, plan.result.fields[-1].id) == (0, 3)


def test_an_engines_change_is_verified_against_the_plan(store: SchemaStore, source: RememberedSource) -> None:
    table = store.table("shop.orders")
    plan = table.plan(["RENAME COLUMN amount TO total"])
    assert not table.verify(plan).fits
    source.rename("orders", "amount", "total")
    assert table.verify(plan).fits


def test_names_that_ours_cannot_hold_are_listed_apart(store: SchemaStore, source: RememberedSource) -> None:
    for name in ("a.b", "", "white space ", "CON", "orders$files", "Ünïcode"):
        source.create(name)
    assert store.tables("shop") == ("orders", "Ünïcode")
    assert store.unaddressable("shop") == ("", "CON", "a.b", "orders$files", "white space ")
    assert store.unaddressable("own") == ()


# ---------------------------------------------------------------- laws

MOVES = st.lists(st.sampled_from(["rename", "drop", "back", "data"]), min_size=3, max_size=8)


@given(MOVES)
def test_whatever_a_peer_does_the_store_says_what_the_peer_says(moves: list[str]) -> None:
    source = RememberedSource()
    peer = source.create("orders", ", ".join(f"c{number} INT" for number in range(12)))
    store = SchemaStore("memory://nothing", fs=MemoryFileSystem(), mounts={"shop": source}, single_writer=True)
    table = store.table("shop.orders")
    for turn, move in enumerate(moves):
        first = peer.schemas[peer.head].fields[0].name
        if move == "rename":
            source.rename("orders", first, f"n{turn}")
        elif move == "drop":
            source.drop_column("orders", first)
        elif move == "back":
            source.go_to("orders", min(peer.schemas))
        else:
            source.write_data("orders")
        latest = table.latest()
        assert (latest.number, latest.schema.fields) == (peer.head, peer.schemas[peer.head].fields)
    assert [(entry.number, entry.version.digest) for entry in table.history()] == [(head.number, head.digest) for head in peer.heads[::-1]]
    assert table.latest().digest == peer.heads[-1].digest
