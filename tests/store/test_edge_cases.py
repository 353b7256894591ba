"""What is asked a second time, and what is written down of it: approvals, evidence, restores, registrations, expiries, ids that fell."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from airflow_provider_schemas.core import Evidence, TableSchema
from airflow_provider_schemas.errors import ConflictError, FormatError, IncompatibleSchemaError, NotThereError
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.common import clock
from airflow_provider_schemas.store.registry import bindings, register_contract
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.store.table import Table
from airflow_provider_schemas.store.table_state import Subject
from tests.support.stores import at, bytes_of, columns, guarded, lake, orders

LATER = 40 * 86_400_000


def days_pass(monkeypatch: pytest.MonkeyPatch, store: SchemaStore) -> None:
    """The clock goes on by forty days, and so do the files of the past."""
    now = clock.now_millis() + LATER
    monkeypatch.setattr(clock, "now_millis", lambda: now)


# ---------------------------------------------------------------- approvals


def test_an_approval_of_what_nobody_has_seen_does_not_count(tmp_path: Path) -> None:
    table = guarded(lake(tmp_path))
    with pytest.raises(IncompatibleSchemaError, match="of what somebody has seen"):
        table.evolve("ALTER COLUMN amount TYPE INT", approval="raj")
    with pytest.raises(ConflictError):
        table.evolve("ALTER COLUMN amount TYPE INT", approval="raj", expected_version=7)
    assert table.numbers() == (0,)
    assert table.evolve("ALTER COLUMN amount TYPE INT", approval="raj", expected_version=0).created


def test_evidence_that_let_something_through_is_written_down(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.evolve("SET OPTION alter-column-null-to-not-null.disabled = false")
    proof = Evidence(path="cust_id", not_null=True, files=12, found="2026-11-18, footers")
    done = table.evolve("ALTER COLUMN cust_id SET NOT NULL", evidence=[proof])
    assert done.provenance is not None
    assert done.provenance.policy == "by evidence: NULLABILITY_TIGHTENED_PROVEN cust_id"
    assert "by evidence" in str(table.history()[0])


# ---------------------------------------------------------------- going back


def test_the_history_says_that_a_version_was_restored(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.evolve("ADD COLUMN coupon STRING")
    table.restore(0, override="never mind")
    newest = table.history()[0]
    assert newest.restored == 0
    assert "version 0 restored" in str(newest)
    assert table.history()[1].restored is None


def test_ids_that_an_outside_writer_let_fall_are_not_given_out_again(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.evolve(["ADD COLUMN a INT", "ADD COLUMN b INT"])
    head = table.latest()
    fewer = msgspec.structs.replace(head.schema, fields=head.schema.fields[:-1], highest_field_id=3, id=2, unknown=())
    (tmp_path / "lake/shop.db/orders/schema/schema-2").write_text(fewer.to_json(), "utf-8")
    assert [one.rule for one in table.inspect().findings] == ["HIGHEST_FIELD_ID_REGRESSED"]
    assert columns(table)["a"] == 3
    table.evolve("ADD COLUMN c INT")
    assert columns(table)["c"] == 5


# ---------------------------------------------------------------- registering


def test_a_job_that_registers_while_the_table_moves_away_from_it_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = orders(lake(tmp_path))
    register = register_contract.register

    def overtaken(*args: object, **about: object) -> object:
        found = register(*args, **about)  # type: ignore[arg-type]  # handed on as it came
        monkeypatch.undo()
        lake(tmp_path).table("shop.orders").evolve("DROP COLUMN cust_id", override="at the same moment")
        return found

    monkeypatch.setattr(register_contract, "register", overtaken)
    with pytest.raises(IncompatibleSchemaError):
        table.register("cust_id BIGINT", consumer="daily")
    assert table.contracts() == ()


def test_a_table_whose_jobs_were_not_seen_for_long_can_be_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = lake(tmp_path)
    table = orders(store)
    table.register("cust_id BIGINT", consumer="daily", max_age=timedelta(days=30))
    with pytest.raises(IncompatibleSchemaError, match="daily"):
        store.drop_table("shop.orders")
    days_pass(monkeypatch, store)
    store.drop_table("shop.orders")
    assert not store.exists("shop.orders")


# ---------------------------------------------------------------- expiring


def superseded(store: SchemaStore) -> Table:
    table = orders(store)
    for name in ("a", "b"):
        table.evolve(f"ADD COLUMN {name} INT")
    return table


def test_a_folder_bound_while_versions_are_looked_through_keeps_its_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = lake(tmp_path)
    table = superseded(store)
    days_pass(monkeypatch, store)
    assert table.expire().deleted == (0, 1)
    first, asked = Subject.references, []

    def bound_in_between(self: Subject) -> object:
        asked.append(self)
        found = first(self)
        if len(asked) == 1:
            bindings.bind(store.registry, table.id, "dt=2025-01-01", table.version(0))
        return found

    monkeypatch.setattr(Subject, "references", bound_in_between)
    assert table.expire(dry_run=False).deleted == (1,)
    assert table.numbers() == (0, 2)


def test_a_version_that_has_gone_cannot_be_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = lake(tmp_path)
    table = superseded(store)
    days_pass(monkeypatch, store)
    bind = bindings.bind

    def expired_meanwhile(*args: object, **about: object) -> object:
        monkeypatch.setattr(bindings, "bind", bind)
        (tmp_path / "lake/shop.db/orders/schema/schema-0").unlink()
        return bind(*args, **about)  # type: ignore[arg-type]  # handed on as it came

    monkeypatch.setattr(bindings, "bind", expired_meanwhile)
    with pytest.raises(NotThereError, match="no version 0"):
        table.bind("dt=2025-01-01", 0)
    assert table.bindings() == ()


@pytest.mark.parametrize("ask", [lambda table: table.references(), lambda table: table.expire()], ids=["references", "expire"])
def test_nothing_is_said_of_a_table_that_is_not_there(tmp_path: Path, ask: object) -> None:
    with pytest.raises(NotThereError, match="there is no schema"):
        ask(lake(tmp_path).table("shop.typo"))  # type: ignore[operator]  # one of the two above


# ---------------------------------------------------------------- what writes nothing, and what is not guessed


def test_a_plan_leaves_nothing_behind_even_where_a_waiver_has_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = lake(tmp_path)
    table = orders(store)
    until = (datetime.now(UTC) + timedelta(days=1)).strftime("%Y-%m-%d")
    table.waive("FIELD_DROPPED", "cust_id", until=until, reason="INC-1")
    days_pass(monkeypatch, store)
    before = bytes_of(tmp_path)
    assert any("over" in note or "ended" in note for note in table.plan("ADD COLUMN x INT").report.notes)
    assert bytes_of(tmp_path) == before


def test_data_of_no_known_format_are_not_adopted(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no format of data") as error:
        lake(tmp_path).adopt("shop.clicks", str(tmp_path / "clicks"), "a INT", format="parqet")
    assert "parquet" in error.value.fix


def test_a_schema_says_itself_what_its_keys_are(tmp_path: Path) -> None:
    schema = TableSchema.create("a INT NOT NULL, b INT", primary_keys=["a"])
    with pytest.raises(FormatError, match="primary_keys cannot be given"):
        lake(tmp_path).create_table("shop.t", schema, primary_keys=["b"])


def test_a_catalog_that_keeps_the_tables_is_named_where_the_promise_is_told(tmp_path: Path) -> None:
    assert SchemaStore(tmp_path, catalog="hive").guarantee() == "read only: the catalog 'hive' keeps the tables"


def test_what_was_let_through_on_purpose_is_written_down(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.register("cust_id BIGINT", consumer="daily")
    table.waive("EXPECT_FIELD_RENAMED", "cust_id", until="2999-01-01", reason="INC-7")
    done = table.evolve("RENAME COLUMN cust_id TO customer_id")
    assert done.provenance is not None
    assert "let through: FIELD_RENAMED cust_id" in (done.provenance.policy or "")
    assert "INC-7" in str(table.history()[0])


def test_going_back_to_a_dropped_column_reads_as_going_back(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    table.evolve("DROP COLUMN cust_id", override="INC-7")
    table.restore(0)
    assert str(table.history()[0]).splitlines()[1:] == ["    ADD COLUMN cust_id BIGINT AFTER order_id"]


def test_a_registration_that_is_made_twice_at_once_is_one_contract(tmp_path: Path) -> None:
    table = orders(lake(tmp_path))
    first, second = (table.register("cust_id BIGINT", consumer="daily") for _ in range(2))
    assert (first.number, second.number, len(table.contracts())) == (0, 0, 1)


def test_a_version_that_cannot_be_read_keeps_all_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = lake(tmp_path)
    table = superseded(store)
    (tmp_path / "lake/shop.db/orders/schema/schema-0").write_text("{", "utf-8")
    days_pass(monkeypatch, store)
    found = lake(tmp_path).table("shop.orders").expire(dry_run=False)
    assert found.deleted == ()
    assert "cannot be read" in str(found)
    assert table.numbers() == (0, 1, 2)


def test_a_table_that_two_make_in_two_places_at_once_is_told_to_the_second(tmp_path: Path) -> None:
    store = lake(tmp_path)
    elsewhere = at(commit_steps.JUDGED, lambda: lake(tmp_path).adopt("shop.orders", str(tmp_path / "data"), "a INT"))
    with elsewhere, pytest.raises(ConflictError, match="nobody can tell which is meant") as error:
        orders(store)
    assert error.value.code == "table.twice"
