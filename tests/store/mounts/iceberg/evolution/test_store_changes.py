"""A mounted Iceberg table is changed as our own tables are: keys, effects, plans, approvals, contracts, waivers, the way back."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from airflow_provider_schemas.errors import ChangeError, ConflictError, IncompatibleSchemaError, SchemaError
from airflow_provider_schemas.store import judge
from tests.store.mounts.iceberg.evolution.support.changed_lake import ChangedLake
from tests.store.mounts.iceberg.support.lakes import append


@pytest.fixture
def lake(tmp_path: Path) -> ChangedLake:
    return ChangedLake(tmp_path)


# ---------------------------------------------------------------- twice


def test_the_same_key_changes_a_table_once_also_after_others_have_changed_it(lake: ChangedLake) -> None:
    first = lake.table.evolve(["ADD COLUMN a INT"], key="run-1")
    lake.table.evolve(["RENAME COLUMN a TO b"], key="run-2")
    again = lake.table.evolve(["ADD COLUMN a INT"], key="run-1")
    assert (again.outcome, again.number) == ("already applied", first.number)
    assert list(lake.columns()) == ["order_id", "cust", "amount", "b"]


def test_a_key_counts_also_where_its_schema_is_gone(lake: ChangedLake) -> None:
    from pyiceberg.table.update import RemoveSchemasUpdate

    lake.table.evolve(["ADD COLUMN a INT"], key="run-1")
    lake.table.evolve(["ADD COLUMN b INT"])
    lake.catalog.commit_table(lake.peer, (), (RemoveSchemasUpdate(schema_ids=[1]),))
    assert lake.table.evolve(["ADD COLUMN a INT"], key="run-1").outcome == "already applied"


@pytest.mark.parametrize("later", [False, True])
def test_a_key_of_other_changes_is_a_conflict(lake: ChangedLake, later: bool) -> None:
    lake.table.evolve(["ADD COLUMN a INT"], key="run-1")
    if later:
        lake.table.evolve(["ADD COLUMN b INT"], key="run-2")
    with pytest.raises(ConflictError) as error:
        lake.table.evolve(["ADD COLUMN c INT"], key="run-1")
    assert error.value.code == "commit.key-used"


@pytest.mark.parametrize(
    "change",
    [
        "ADD COLUMN a INT",
        "ADD COLUMN m MAP<STRING, INT>",
        "RENAME COLUMN cust TO customer",
        "DROP COLUMN cust",
        "ALTER COLUMN amount TYPE DECIMAL(12, 2)",
        "ALTER COLUMN order_id DROP NOT NULL",
        "ALTER COLUMN cust COMMENT 'who'",
    ],
)
def test_what_holds_already_is_not_done_again(lake: ChangedLake, change: str) -> None:
    lake.table.evolve([change])
    lake.table.evolve(["ADD COLUMN later INT"])
    before = lake.peer.metadata_location
    assert lake.table.evolve([change]).outcome == "unchanged"
    assert lake.peer.metadata_location == before


def test_a_batch_of_which_a_part_holds_is_refused(lake: ChangedLake) -> None:
    lake.table.evolve(["ADD COLUMN a INT"])
    with pytest.raises(ChangeError) as error:
        lake.table.evolve(["ADD COLUMN a INT", "ADD COLUMN b INT"])
    assert error.value.code == "change.part-done"


# ---------------------------------------------------------------- plans and people


def test_a_plan_names_whom_it_breaks_and_is_applied_with_an_approval(lake: ChangedLake) -> None:
    lake.table.register("cust STRING", consumer="daily", owner="bi")
    plan = lake.table.plan(["RENAME COLUMN cust TO customer"])
    assert plan.verdict == "break"
    assert "daily" in {consumer.name for finding in plan.report.findings for consumer in finding.consumers}
    with pytest.raises(IncompatibleSchemaError):
        lake.table.apply(plan)
    assert "cust" in lake.columns()
    done = lake.table.apply(plan, approval="bob")
    assert done.provenance is not None
    assert done.provenance.approval == "bob"
    assert lake.columns()["customer"] == 2
    assert lake.table.apply(plan, approval="bob").outcome == "already applied"
    assert not judge(lake.store, {"shop.orders": "cust STRING"}).fits


def test_a_plan_with_a_struct_is_applied_once_though_the_peer_gives_other_ids(lake: ChangedLake) -> None:
    plan = lake.table.plan(["ADD COLUMN tags ARRAY<ROW<a INT>>", "ADD COLUMN x BIGINT"])
    lake.table.apply(plan)
    assert lake.columns()["x"] != plan.result.field("x").id  # type: ignore[union-attr]  # it is there
    assert lake.table.verify(plan).fits
    lake.table.evolve(["ADD COLUMN later INT"])
    assert lake.table.apply(plan).outcome == "already applied"


def test_a_change_that_breaks_a_job_is_refused_and_goes_with_a_waiver_or_an_override(lake: ChangedLake) -> None:
    lake.table.register("cust STRING", consumer="daily", owner="bi")
    with pytest.raises(IncompatibleSchemaError):
        lake.table.evolve(["DROP COLUMN cust"])
    done = lake.table.evolve(["DROP COLUMN cust"], override="the job is being retired")
    assert done.provenance is not None
    assert done.provenance.policy is not None
    assert "retired" in done.provenance.policy


def test_a_table_file_is_a_target_with_old_names_and_dropped_columns(lake: ChangedLake, tmp_path: Path) -> None:
    file = tmp_path / "orders.yaml"
    file.write_text(
        "table: shop.orders\n"
        "columns:\n"
        "  - {name: order_id, type: BIGINT NOT NULL}\n"
        "  - {name: customer, type: STRING, was: cust}\n"
        "  - {name: coupon, type: STRING}\n"
        "dropped: [amount]\n",
        encoding="utf-8",
    )
    plan = lake.table.plan(target=file)
    assert plan.expressed
    done = lake.table.apply(plan, approval="bob")
    assert lake.columns() == {"order_id": 1, "customer": 2, "coupon": 4}
    assert lake.table.plan(target=file).unchanged
    assert lake.table.evolve(target=file).outcome == "unchanged"
    assert done.number == 1


def test_history_says_who_of_us_made_what_and_what_others_made(lake: ChangedLake) -> None:
    lake.table.evolve(["ADD COLUMN a INT"], run="nightly")
    lake.peer_changes(lambda update: update.rename_column("a", "b"))
    entries = list(lake.table.history())
    assert [(entry.number, entry.actor, entry.outside) for entry in entries] == [(2, "", True), (1, "ana", False), (0, "", True)]


def test_a_waiver_lets_a_change_through_until_its_day(lake: ChangedLake) -> None:
    lake.table.register("cust STRING", consumer="daily", owner="bi")
    finding = next(finding for finding in lake.table.plan(["DROP COLUMN cust"]).report.findings if finding.verdict == "break")
    lake.table.waive(finding.rule, path=finding.path, until=datetime.now(UTC) + timedelta(days=3), reason="moves on Friday")
    assert lake.table.evolve(["DROP COLUMN cust"]).created


# ---------------------------------------------------------------- the way back


def test_an_old_schema_comes_back_with_its_ids_and_values(lake: ChangedLake) -> None:
    append(lake.peer)
    lake.table.evolve(["DROP COLUMN cust"])
    lake.table.evolve(["ADD COLUMN coupon STRING"])
    done = lake.table.restore(0, override="the column is needed")
    assert (done.number, lake.columns()) == (0, {"order_id": 1, "cust": 2, "amount": 3})
    assert done.provenance is not None
    assert done.provenance.restored == 0
    assert [entry.number for entry in lake.table.history()] == [0, 2, 1, 0]
    assert "no change brings" not in str(lake.table.history())
    lake.table.evolve(["ADD COLUMN next INT"])
    assert lake.columns()["next"] == 5


def test_the_schema_that_is_current_is_not_brought_back(lake: ChangedLake) -> None:
    before = lake.peer.metadata_location
    assert lake.table.restore(0).outcome == "unchanged"
    assert lake.peer.metadata_location == before


def test_where_a_column_was_widened_the_old_schema_does_not_come_back_and_the_nearest_changes_are_named(lake: ChangedLake) -> None:
    lake.table.evolve(["ALTER COLUMN amount TYPE DECIMAL(12, 2)", "RENAME COLUMN cust TO customer"])
    before = lake.peer.metadata_location
    with pytest.raises(SchemaError) as error:
        lake.table.restore(0, override="back")
    assert error.value.code == "iceberg.restore"
    assert "RENAME COLUMN customer TO cust" in error.value.fix
    assert lake.peer.metadata_location == before


def test_where_a_column_may_be_null_since_it_is_not_made_not_null_again(lake: ChangedLake) -> None:
    lake.table.evolve(["ALTER COLUMN order_id DROP NOT NULL"])
    with pytest.raises(SchemaError):
        lake.table.restore(0, override="back")


def test_a_schema_without_a_field_does_not_make_its_return_required(lake: ChangedLake) -> None:
    lake.table.evolve(["DROP COLUMN order_id"], override="for a test")
    lake.table.evolve(["ADD COLUMN a INT"])
    with pytest.raises(SchemaError) as error:
        lake.table.restore(0, override="back")
    assert "no value" in str(error.value)


def test_single_columns_are_not_brought_back(lake: ChangedLake) -> None:
    lake.table.evolve(["DROP COLUMN cust"])
    with pytest.raises(ChangeError) as error:
        lake.table.restore(0, columns=["cust"])
    assert error.value.code == "mount.restore-columns"


def test_a_schema_that_was_never_there_is_not_brought_back(lake: ChangedLake) -> None:
    with pytest.raises(LookupError):
        lake.table.restore(7)


def test_the_commit_of_a_change_lies_in_the_note_and_the_next_change_does_not_take_it_over(lake: ChangedLake) -> None:
    sha = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"
    done = lake.table.evolve(["ADD COLUMN a INT"], revision=sha)
    assert done.provenance is not None
    assert done.provenance.revision == sha
    assert next(iter(lake.table.history())).revision == sha
    later = lake.table.evolve(["ADD COLUMN b INT"])
    assert later.provenance is not None
    assert later.provenance.revision is None
    assert next(iter(lake.table.history())).revision == ""
