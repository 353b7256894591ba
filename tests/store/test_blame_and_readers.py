"""A table tells who changed its columns and who uses them, at the cost of its history, on any branch, and where others keep it."""

import json
from pathlib import Path

import pytest

from airflow_provider_schemas.core.blame.lifelines import CellState
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.core.types.nested import field
from airflow_provider_schemas.core.types.parsing import parse_any
from airflow_provider_schemas.errors import ColumnNotFoundError, NotThereError, SchemaError, StorageError
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.table import Table
from tests.store.mounts.delta.support.logs import MAPPED, Log, info, mapped, metadata, protocol, struct
from tests.store.mounts.delta.support.logs import column as delta_column
from tests.store.mounts.support.remembered_source import RememberedSource
from tests.support.stores import lake, orders

RUN = "evolve_shop/scheduled__2026-11-18T00:00:00+00:00/evolve"


@pytest.fixture
def table(tmp_path: Path) -> Table:
    table = orders(lake(tmp_path))
    table.register("order_id BIGINT, cust_id BIGINT", consumer="daily", owner="team-bi", contact="#bi")
    table.register(["amount"], consumer="sums", team="finance")
    table.evolve("ALTER COLUMN amount TYPE DECIMAL(12, 2)", run=RUN, approval="raj")
    table.evolve("RENAME COLUMN cust_id TO customer_id", override="INC-1", actor="ben")
    return table


def since(table: Table) -> dict[str, tuple[str, str] | None]:
    found = {column.path: column.since for column in table.blame().columns}
    return {path: None if origin is None else (origin.title, origin.actor) for path, origin in found.items()}


# ---------------------------------------------------------------- our own layouts


def test_each_column_names_its_version_and_author(table: Table) -> None:
    assert since(table) == {"order_id": ("v0", "ana"), "customer_id": ("v2", "ben"), "amount": ("v1", "ana")}
    (amount,) = table.blame(column="amount").columns
    assert amount.since is not None
    assert (amount.since.dag_id, amount.since.task_id, amount.since.approval) == ("evolve_shop", "evolve", "raj")


def test_a_restored_version_is_told_as_one(table: Table) -> None:
    table.restore(1, override="INC-2")
    (cust_id,) = table.blame(column="cust_id").columns
    assert (cust_id.changes[0].states, cust_id.changes[0].origin.restored) == ((CellState.RESTORED, CellState.RENAMED), 1)


def test_a_branch_has_its_own_blame(table: Table) -> None:
    dev = table.create_branch("dev", 1)
    dev.evolve("ADD COLUMN note STRING", actor="eve")
    assert since(dev) == {
        "order_id": ("v0 (dev)", "ana"),
        "cust_id": ("v0 (dev)", "ana"),
        "amount": ("v1 (dev)", "ana"),
        "note": ("v2 (dev)", "eve"),
    }
    assert "note" not in since(table)


def test_a_job_is_found_by_its_field_under_the_new_name_and_the_old(table: Table) -> None:
    for name in ("customer_id", "cust_id"):
        (reader,) = table.who(name).readers
        assert (reader.name, reader.owner, reader.contact, reader.verdict) == ("daily", "team-bi", "#bi", Verdict.BREAK)
    assert [reader.team for reader in table.who("amount").readers] == ["finance"]
    assert len(table.who().readers) == 2


def test_a_waiver_counts_as_it_does_for_a_gate(table: Table) -> None:
    table.waive("EXPECT_FIELD_RENAMED", "cust_id", until="2999-12-31", reason="INC-3", consumer="daily")
    (reader,) = table.who("customer_id").readers
    assert reader.verdict in (Verdict.OK, Verdict.WARN)


def test_the_versions_that_break_nobody_are_named(table: Table) -> None:
    matrix = table.readers_by_version()
    assert [origin.number for origin in matrix.versions] == [2, 1, 0]
    assert {row.name: row.verdicts[0] for row in matrix.rows} == {"daily": Verdict.BREAK, "sums": Verdict.OK}
    assert matrix.breaking_nobody == (1, 0)
    assert [origin.number for origin in table.readers_by_version(last=1).versions] == [2]


def test_a_contract_that_cannot_be_read_makes_every_version_doubtful(table: Table, tmp_path: Path) -> None:
    (contract,) = (tmp_path / "lake/_schemas/contracts/shop/orders/finance/sums").glob("contract-*")
    contract.write_text("{")
    matrix = table.readers_by_version()
    assert (matrix.breaking_nobody, len(matrix.unreadable), len(table.who("amount").unreadable)) == ((), 1, 1)
    assert str(tmp_path) not in str(matrix.unreadable)


def test_versions_that_are_gone_or_cannot_be_read_are_told_and_not_guessed(table: Table, tmp_path: Path) -> None:
    folder = tmp_path / "lake/shop.db/orders/schema"
    (folder / "schema-1").write_text("{")
    again = lake(tmp_path).table("shop.orders")
    assert since(again)["amount"] == ("v1 to v2", "")
    assert again.blame().unreadable == (1,)
    assert [origin.number for origin in again.readers_by_version().versions] == [2, 0]
    assert any("v1 cannot be read" in note for note in again.readers_by_version().notes)
    assert str(tmp_path) not in str(again.blame().notes)
    (folder / "schema-0").unlink()
    assert since(lake(tmp_path).table("shop.orders"))["order_id"] is None


@pytest.mark.parametrize("copied", [0, 1])
def test_the_copy_of_a_file_names_nobody_though_the_author_of_the_first_one_stands_in_it(copied: int, table: Table, tmp_path: Path) -> None:
    folder = tmp_path / "lake/shop.db/orders/schema"
    text = json.loads((folder / f"schema-{copied}").read_text())
    text["id"] = 3
    text["fields"][1]["name"] = "hacked"
    (folder / "schema-3").write_text(json.dumps(text))
    again = lake(tmp_path).table("shop.orders")
    assert since(again)["hacked"] == ("v3", "")
    assert [origin.is_outside for origin in again.readers_by_version().versions] == [True, False, False, False]
    assert again.blame().version.byline == "by an outside writer"


@pytest.mark.parametrize("column", ["amuont", "amount.x", "x.y.z", ".", "`", "a" * 100_000, "." * 5_000])
def test_a_column_that_is_not_there_is_refused_whatever_its_name(column: str, table: Table) -> None:
    for call in (table.who, lambda name: table.blame(column=name)):
        with pytest.raises(ColumnNotFoundError) as refused:
            call(column)
        assert refused.value.fix


def test_a_table_or_version_that_is_not_there_is_refused(table: Table, tmp_path: Path) -> None:
    nothing = lake(tmp_path).table("shop.nothing")
    for call in (nothing.blame, nothing.lifelines, nothing.who, nothing.readers_by_version, lambda: table.blame(9)):
        with pytest.raises(NotThereError):
            call()
    for wrong in ("1", -1, True, 1.5):
        with pytest.raises(SchemaError):
            table.blame(wrong)  # type: ignore[arg-type]  # what callers without types pass
        with pytest.raises(SchemaError):
            table.readers_by_version(wrong)  # type: ignore[arg-type]
    with pytest.raises(SchemaError):
        table.who(7)  # type: ignore[arg-type]


# ---------------------------------------------------------------- tables that others keep


@pytest.fixture
def source() -> RememberedSource:
    source = RememberedSource()
    source.create("orders")
    return source


@pytest.fixture
def mounted(tmp_path: Path, source: RememberedSource) -> Table:
    store: SchemaStore = lake(tmp_path, mounts={"shop": source})
    return store.table("shop.orders")


def test_a_mounted_table_names_the_schemas_in_the_order_in_which_they_were_current(mounted: Table, source: RememberedSource) -> None:
    source.rename("orders", "cust_id", "customer_id")
    source.drop_column("orders", "amount")
    source.go_to("orders", 1, origin="spark by eve")
    lines = {line.path: ["+".join(cell.states) for cell in line.cells] for line in mounted.lifelines().lines}
    assert lines["customer_id"] == ["added", "renamed", "same", "same"]
    assert lines["amount"] == ["added", "same", "dropped", "restored"]
    (amount,) = mounted.blame(column="amount").columns
    assert amount.since is not None
    assert (amount.since.number, amount.since.restored, amount.since.says, amount.since.is_outside) == (1, 1, "spark by eve", True)
    assert amount.since.written is not None


def test_a_mounted_table_whose_past_was_cut_names_no_version_for_what_is_older(mounted: Table, source: RememberedSource) -> None:
    source.rename("orders", "cust_id", "customer_id")
    source.peer["orders"].whole = False
    found = mounted.blame()
    assert [column.since and column.since.number for column in found.columns] == [None, 1, None]
    assert any("older than the first schema" in note for note in found.notes)


def test_a_schema_that_the_metadata_hold_no_more_is_a_gap(mounted: Table, source: RememberedSource) -> None:
    kinds = [field(0, "order_id", parse_any("BIGINT NOT NULL")), field(1, "cust_id", parse_any("BIGINT"))]
    source.change("orders", *kinds)
    source.change("orders", kinds[0])
    del source.peer["orders"].schemas[1]
    lines = {line.path: ["+".join(cell.states) for cell in line.cells] for line in mounted.lifelines().lines}
    assert lines["cust_id"] == ["added", "unknown", "dropped"]
    assert mounted.blame().columns[0].since is not None
    assert any("hold it no more" in note for note in mounted.blame().notes)


def test_jobs_of_a_mounted_table_are_found_and_judged(mounted: Table, source: RememberedSource) -> None:
    mounted.register("order_id BIGINT, cust_id BIGINT", consumer="daily")
    source.rename("orders", "cust_id", "customer_id")
    (reader,) = mounted.who("customer_id").readers
    assert (reader.name, reader.verdict) == ("daily", Verdict.BREAK)
    matrix = mounted.readers_by_version()
    assert ([origin.number for origin in matrix.versions], matrix.breaking_nobody) == ([1, 0], (0,))
    assert all(origin.written is not None for origin in matrix.versions)
    source.go_to("orders", 0)
    assert [origin.number for origin in mounted.readers_by_version().versions] == [0, 1]


def test_a_source_that_does_not_answer_is_an_error_of_the_storage(mounted: Table, source: RememberedSource) -> None:
    source.is_down = True
    for call in (mounted.blame, mounted.lifelines, mounted.who, mounted.readers_by_version):
        with pytest.raises(StorageError):
            call()


# ---------------------------------------------------------------- columns under the names that they had


def test_a_column_that_was_renamed_and_dropped_is_answered_by_the_jobs_that_were_written_for_it(table: Table) -> None:
    table.evolve("DROP COLUMN customer_id", override="INC-2", unchecked="INC-2")
    found = table.who("customer_id")
    assert [(reader.name, reader.columns) for reader in found.readers] == [("daily", ("cust_id",))]
    assert found.notes[0] == "This version has no column customer_id: it was dropped. The jobs that are listed name it, or mean it."


def test_a_dropped_column_that_no_job_used_is_told_as_dropped_and_not_as_a_typing_error(table: Table) -> None:
    table.evolve("ADD COLUMN note STRING")
    table.evolve("DROP COLUMN note", override="INC-2", unchecked="INC-2")
    found = table.who("note")
    assert (found.readers, found.others) == ((), 2)
    assert "it was dropped" in found.notes[0]


def test_an_old_name_is_answered_by_all_who_use_the_column_and_not_only_by_who_names_it_so(table: Table) -> None:
    table.register({"columns": ["order_id"], "shape": "closed"}, consumer="all", pending=True)
    found = table.who("cust_id")
    assert (found.column, [reader.name for reader in found.readers], found.others) == ("customer_id", ["all", "daily"], 1)
    assert found.notes[0] == "cust_id is customer_id in this version."


def test_an_old_name_that_no_contract_has_leads_to_the_column(table: Table) -> None:
    table.evolve("RENAME COLUMN amount TO total", override="INC-2")
    table.evolve("RENAME COLUMN total TO net", override="INC-2")
    found = table.who("total")
    assert (found.column, [reader.name for reader in found.readers]) == ("net", ["sums"])
    assert found.notes[0] == "total is net in this version."


def test_a_delta_table_that_gives_its_columns_ids_keeps_their_past(tmp_path: Path) -> None:
    log = Log(tmp_path / "delta")
    log.create(delta_column("id"), delta_column("cust"), delta_column("r", struct(delta_column("x"))))
    changed = metadata(delta_column("id"), delta_column("cust"), delta_column("r", struct(delta_column("x"))), delta_column("late"))
    log.commit(info("ADD COLUMNS"), changed)
    by_id = [mapped("id", 1), mapped("cust", 2), mapped("r", 3, kind=struct(mapped("x", 4))), mapped("late", 5)]
    log.commit(info("SET TBLPROPERTIES"), protocol(2, 5), metadata(*by_id, configuration=MAPPED))
    by_id[1] = mapped("customer", 2, "cust")
    log.commit(info("RENAME COLUMN"), metadata(*by_id, configuration=MAPPED))
    table = lake(tmp_path, mounts={"shop": log.mount}).table("shop.orders")
    lines = {line.path: ["+".join(cell.states) for cell in line.cells] for line in table.lifelines().lines}
    assert lines == {
        "id": ["added", "same", "same", "same"],
        "customer": ["added", "same", "same", "renamed"],
        "r": ["added", "same", "same", "same"],
        "r.x": ["added", "same", "same", "same"],
        "late": ["absent", "added", "same", "same"],
    }
    found = {column.path: column for column in table.blame().columns}
    assert [(path, column.id) for path, column in found.items()] == [("id", 1), ("customer", 2), ("r", 3), ("r.x", 4), ("late", 5)]
    (customer,) = table.blame(column="customer").columns
    assert customer.added == found["id"].added


def test_a_mounted_table_that_was_made_anew_is_not_told_as_part_of_the_one_before(mounted: Table, source: RememberedSource) -> None:
    before = source.peer["orders"]
    anew = source.create("orders", table_id="t-2")
    anew.heads = [*before.heads, *anew.heads]
    source.rename("orders", "cust_id", "customer_id")
    found = mounted.blame()
    assert [column.since and (column.since.number, column.since.restored) for column in found.columns] == [(0, None), (1, None), (0, None)]
    assert [note for note in found.notes if "older than" in note] == []
    assert any("another table of this name" in note for note in found.notes)
    assert [origin.number for origin in mounted.lifelines().versions] == [0, 1]
    assert [entry.back for entry in mounted.history()] == [False, False]
