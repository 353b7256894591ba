"""Waiting in the triggerer until tables fit a job."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.store import SchemaStore, Table
from airflow_provider_schemas.triggers import SchemaContractTrigger, contract_poller
from airflow_provider_schemas.triggers.contract_poller import ContractLook
from tests.provider.support.trigger_runs import POLL, Heard, ends_after, ends_with, made, run, sent_and_made_again, silent
from tests.support.companion import Companion, Warehouse

COUPON = {"shop.orders": {"columns": [{"name": "coupon", "type": "STRING"}]}}
ROWS = [{"id": 0, "name": "k", "type": "BIGINT"}, {"id": 1, "name": "dt", "type": "STRING"}]
DAY = {"dt": "2026-11-18"}


def about(**said: Any) -> dict[str, Any]:
    plain = {"conn_id": "lake", "reads": COUPON, "branch": None, "until": "schema", "partition": None, "policy": None}
    return {**plain, "consumer": "reports.daily", "since": {}, **said}


def trigger(**said: Any) -> SchemaContractTrigger:
    return SchemaContractTrigger(**{**about(), "poll": POLL, **said})


def lists(look: ContractLook) -> list[int]:
    """What one more look asks of the storage."""
    before = look._store.warehouse.count.snapshot()
    look.look()
    return [now - then for now, then in zip(look._store.warehouse.count.snapshot(), before, strict=True)]


# ---------------------------------------------------------------- until the schema fits


def test_a_column_that_is_not_there_yet_is_waited_for(lake: str, store: SchemaStore) -> None:
    table = made(store)
    waiting = trigger()
    heard = Heard(waiting)
    found = ends_after(waiting, lambda: table.evolve(["ADD COLUMN coupon STRING"]))
    head = table.latest()
    assert found.pop("said") == heard.lines[-1]
    assert found == {"status": "ok", "tables": {"shop.orders": {"version": 1, "digest": head.digest, "branch": "main"}}}
    assert heard.lines[0] == "shop.orders v0: no coupon yet (want STRING)."
    assert heard.lines[-1].startswith("shop.orders v1 fits (")
    assert len(heard.lines) == 2


def test_what_fits_when_the_triggerer_looks_ends_the_wait(lake: str, store: SchemaStore) -> None:
    made(store, "ADD COLUMN coupon STRING")
    assert ends_with(trigger())["status"] == "ok"


def test_all_tables_must_fit(lake: str, store: SchemaStore) -> None:
    table = made(store, "ADD COLUMN coupon STRING")
    store.create_table("shop.users", "user_id BIGINT")
    waiting = trigger(reads={**COUPON, "shop.users": {"columns": [{"name": "country"}]}})
    heard = Heard(waiting)
    found = ends_after(waiting, lambda: store.table("shop.users").evolve(["ADD COLUMN country STRING"]))
    assert {name: one["version"] for name, one in found["tables"].items()} == {"shop.orders": table.latest().number, "shop.users": 1}
    assert heard.lines[0] == "shop.users v0: no country yet."


def test_a_table_that_is_not_there_is_waited_for(lake: str, store: SchemaStore) -> None:
    wanted = {"shop.orders": {"columns": [{"name": "amount"}]}}
    assert ends_after(trigger(reads=wanted), lambda: made(store))["status"] == "ok"


def test_a_table_without_a_contract_fits_when_it_is_there(lake: str, store: SchemaStore) -> None:
    assert ends_after(trigger(reads={"shop.orders": None}), lambda: made(store))["status"] == "ok"


def test_a_table_without_a_contract_is_judged_against_what_was_seen(lake: str, store: SchemaStore) -> None:
    table = made(store)
    seen = {"shop.orders": {"version": 0, "digest": table.latest().digest}}
    table.evolve(["RENAME COLUMN cust_id TO customer_id"], override="test")
    waiting = trigger(reads={"shop.orders": None}, since=seen)
    assert ends_after(waiting, lambda: table.evolve(["RENAME COLUMN customer_id TO cust_id"], override="test"))["status"] == "ok"


def test_what_a_job_has_registered_is_found(lake: str, store: SchemaStore) -> None:
    table = made(store)
    table.register("coupon STRING", consumer="reports.daily", pending=True)
    assert ends_after(trigger(reads={"shop.orders": "@registered"}), lambda: table.evolve(["ADD COLUMN coupon STRING"]))["status"] == "ok"


def test_a_waiver_lets_a_waiting_job_go(lake: str, store: SchemaStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes without a version: the judge is asked again every now and then."""
    monkeypatch.setattr(contract_poller, "_JUDGED_AGAIN_SECONDS", 0.1)
    table = made(store)
    until = "2099-01-01"
    waive = lambda: table.waive("EXPECT_FIELD_MISSING", "coupon", until=until, reason="INC-1", consumer="reports.daily")  # noqa: E731
    found = ends_after(trigger(reads={"shop.orders": {"name": "reports.daily", **COUPON["shop.orders"]}}), waive)
    assert found["status"] == "ok"


def test_a_contract_that_is_none_ends_the_wait_at_once(lake: str, store: SchemaStore) -> None:
    made(store)
    found = ends_with(trigger(reads={"shop.orders": {"columns": [{"name": "x", "type": "NONSENSE"}]}}))
    assert (found["status"], found["retry"]) == ("error", False)


def test_in_the_steady_state_a_look_is_one_listing_a_table(lake: str, store: SchemaStore) -> None:
    made(store)
    look = ContractLook(**about())
    look.look()
    look.look()
    assert lists(look) == [1, 0, 0]


def test_while_a_table_is_missing_a_look_is_a_few_listings(lake: str, store: SchemaStore) -> None:
    look = ContractLook(**about())
    look.look()
    assert lists(look)[1:] == [0, 0]


def test_it_is_the_same_after_its_way_through_the_database() -> None:
    one = trigger(partition=DAY, policy={"protect": {"jobs": "block"}}, since={"a.b": {"version": 1, "digest": "x"}}, until="files")
    assert sent_and_made_again(one).serialize() == one.serialize()
    assert list(one.serialize()[1])[-1] == "poll"


# ---------------------------------------------------------------- until the files do


@pytest.fixture(scope="module")
def pypaimon() -> Iterator[Companion]:
    companion = Companion(".venv-paimon", "tests.support.paimon.pypaimon_process")
    yield companion
    companion.end()


class Theirs:
    """The table shop.orders as pypaimon writes it."""

    def __init__(self, companion: Companion, folder: Path) -> None:
        self.warehouse, self.table = Warehouse(companion, folder), SchemaStore(folder).table("shop.orders")
        self.warehouse.ask("create", "shop.orders", fields=ROWS, partition_keys=["dt"], primary_keys=[], options={})

    def add(self) -> None:
        changes = [{"action": "addColumn", "fieldNames": ["coupon"], "dataType": "STRING"}]
        self.warehouse.ask("alter", "shop.orders", changes=changes)

    def write(self, over: bool = False, dt: str = DAY["dt"]) -> None:
        columns = {one.name: None for one in self.table.schema().fields}
        self.warehouse.ask("write", "shop.orders", rows=[{**columns, "k": 1, "dt": dt}], over=over)


@pytest.fixture
def theirs(pypaimon: Companion, tmp_path: Path) -> Theirs:
    return Theirs(pypaimon, tmp_path / "lake")


def waits_for_files(**said: Any) -> SchemaContractTrigger:
    return trigger(until="files", partition=DAY, **said)


def test_a_column_is_waited_for_until_a_file_has_it(lake: str, theirs: Theirs) -> None:
    theirs.add()
    waiting = waits_for_files()
    heard = Heard(waiting)
    found = ends_after(waiting, theirs.write)
    assert {key: found["tables"]["shop.orders"][key] for key in ("version", "partition", "files", "snapshot")} == {
        "version": 1,
        "partition": "dt=2026-11-18",
        "files": 1,
        "snapshot": 1,
    }
    assert heard.lines == [
        "shop.orders v1 fits. Waiting for a file of dt=2026-11-18 ...",
        "shop.orders v1: dt=2026-11-18 has 1 of 1 files that fit (v1). Go.",
    ]


def test_files_of_an_older_version_hold_the_wait(lake: str, theirs: Theirs) -> None:
    theirs.write()
    theirs.add()
    theirs.write()
    waiting = waits_for_files()
    heard = Heard(waiting)
    assert ends_after(waiting, lambda: theirs.write(over=True))["tables"]["shop.orders"]["files"] == 1
    assert heard.lines[0] == "shop.orders v1 fits. dt=2026-11-18 has 1 of 2 files that fit, the others were written with v0. Waiting ..."


def test_files_of_another_day_do_not_end_it(lake: str, theirs: Theirs) -> None:
    theirs.add()
    theirs.write(dt="2026-11-17")
    assert run(silent(waits_for_files().run()))


def test_the_schema_is_waited_for_first(lake: str, theirs: Theirs) -> None:
    waiting = waits_for_files()
    heard = Heard(waiting)

    def both() -> None:
        theirs.add()
        theirs.write()

    assert ends_after(waiting, both)["status"] == "ok"
    assert heard.lines[0] == "shop.orders v0: no coupon yet (want STRING)."


def test_a_table_without_a_contract_waits_for_any_file(lake: str, theirs: Theirs) -> None:
    assert ends_after(waits_for_files(reads={"shop.orders": None}), theirs.write)["status"] == "ok"


def test_while_files_are_waited_for_a_look_is_one_listing(lake: str, theirs: Theirs) -> None:
    theirs.add()
    look = ContractLook(**about(until="files", partition=DAY))
    look.look()
    assert lists(look) == [1, 0, 0]


def test_a_table_that_is_no_paimon_table_is_refused_before_anybody_waits(connect: Any, tmp_path: Path) -> None:
    connect("lake", host=(tmp_path / "lake").as_uri(), extra={"layout": "registry"})
    SchemaStore(tmp_path / "lake", layout="registry").create_table("shop.orders", "k INT")
    found = ends_with(waits_for_files())
    assert (found["status"], found["retry"]) == ("error", False)
    assert "Only a Paimon table tells" in found["message"]


def test_a_partition_that_the_table_does_not_have_is_refused_before_anybody_waits(lake: str, theirs: Theirs) -> None:
    found = ends_with(trigger(until="files", partition={"day": "2026-11-18"}))
    assert found["message"] == "partition.day: shop.orders is not partitioned by 'day'. Its keys are dt."


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"partition": {"dt": None}}, "partition.dt: it has no value."),
        ({"partition": {}}, "partition: it is empty."),
        ({"partition": {"shop.order": DAY}}, "Did you mean shop.orders?"),
        ({"partition": DAY, "until": "schema"}, "a schema has no partitions"),
    ],
    ids=repr,
)
def test_a_partition_that_came_to_nothing_ends_the_wait_as_an_error(lake: str, store: SchemaStore, said: Any, words: str) -> None:
    made(store)
    found = ends_with(trigger(**{"until": "files", **said}))
    assert (found["status"], found["retry"], words in found["message"]) == ("error", False, True), found


def test_a_partition_may_be_said_table_by_table(lake: str, store: SchemaStore, theirs: Theirs) -> None:
    theirs.add()
    theirs.write()
    theirs.warehouse.ask("create", "shop.users", fields=ROWS, partition_keys=["k"], primary_keys=[], options={})
    theirs.warehouse.ask("write", "shop.users", rows=[{"k": 5, "dt": "x"}])
    reads = {**COUPON, "shop.users": None}
    found = ends_with(trigger(reads=reads, until="files", partition={"shop.orders": DAY, "shop.users": {"k": "5"}}))
    assert found["tables"]["shop.users"]["partition"] == "k=5"


def test_a_table_whose_column_went_again_while_files_came_is_not_fit(lake: str, theirs: Theirs, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs.add()
    look = ContractLook(**about(until="files", partition=DAY))
    assert look.look().event is None
    theirs.write()
    _drop(theirs.table)
    answer = look.look()
    assert answer.event is None
    assert answer.message == "shop.orders v2: no coupon yet (want STRING)."


def _drop(table: Table) -> None:
    table.evolve(["DROP COLUMN coupon"], override="test")
