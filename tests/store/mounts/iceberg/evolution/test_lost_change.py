"""pyiceberg's own change of a schema can lose an acknowledged change; the same change through the store is judged again."""

from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import ConflictError, PlanError
from airflow_provider_schemas.store import IcebergMount
from tests.store.mounts.iceberg.evolution.support.changed_lake import ORDERS, ChangedLake, open_store
from tests.store.mounts.iceberg.support.lakes import NAMESPACE


@pytest.fixture
def lake(tmp_path: Path) -> ChangedLake:
    return ChangedLake(tmp_path)


def _adds_salary_and_drops_it(lake: ChangedLake) -> None:
    """Somebody adds a column, writes a value into it, and drops it: pyiceberg goes back to the schema that there was."""
    import pyarrow as pa
    from pyiceberg.types import LongType

    lake.peer_changes(lambda update: update.add_column("salary", LongType()))
    schema = lake.peer.schema().as_arrow()
    rows = {"order_id": [1], "cust": ["ana"], "amount": [None], "salary": [99_999]}
    lake.peer.append(pa.Table.from_pydict(rows, schema=schema))
    lake.peer_changes(lambda update: update.delete_column("salary"))


def _rows(lake: ChangedLake) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = lake.peer.scan().to_arrow().to_pylist()
    return rows


def test_pyiceberg_alone_loses_the_change_and_shows_what_was_deleted(lake: ChangedLake) -> None:
    from pyiceberg.types import StringType

    stale = lake.peer.update_schema().add_column("opt_in", StringType())
    _adds_salary_and_drops_it(lake)
    stale.commit()  # acknowledged
    assert [schema.schema_id for schema in lake.peer.metadata.schemas] == [0, 1, 1]
    assert "opt_in" not in lake.columns()
    assert [row["salary"] for row in _rows(lake)] == [99_999]


def test_the_same_change_through_the_store_is_refused_and_judged_again(lake: ChangedLake) -> None:
    lake.faulty.before.append(lambda: _adds_salary_and_drops_it(lake))
    done = lake.table.evolve(["ADD COLUMN opt_in STRING"])
    assert done.attempts == 2
    assert [schema.schema_id for schema in lake.peer.metadata.schemas] == [0, 1, 2]
    assert lake.columns() == {"order_id": 1, "cust": 2, "amount": 3, "opt_in": 5}
    assert [row["opt_in"] for row in _rows(lake)] == [None]


def test_a_plan_made_before_is_refused_while_the_table_is_another_and_applied_when_it_is_back(lake: ChangedLake) -> None:
    from pyiceberg.types import LongType

    plan = lake.table.plan(["ADD COLUMN opt_in STRING"])
    lake.peer_changes(lambda update: update.add_column("salary", LongType()))
    with pytest.raises(PlanError) as error:
        lake.table.apply(plan, approval="bob")
    assert error.value.code == "plan.base-moved"
    lake.peer_changes(lambda update: update.delete_column("salary"))
    planned_again = lake.table.plan(["ADD COLUMN opt_in STRING"])
    lake.table.apply(planned_again, approval="bob")
    assert lake.columns()["opt_in"] == 5


def test_a_plan_is_refused_where_its_new_ids_went_to_others_although_the_schema_is_back(lake: ChangedLake) -> None:
    plan = lake.table.plan(["ADD COLUMN opt_in STRING"])
    _adds_salary_and_drops_it(lake)
    with pytest.raises(PlanError, match="came and went") as error:
        lake.table.apply(plan, approval="bob")
    assert error.value.code == "plan.base-moved"
    lake.table.apply(lake.table.plan(["ADD COLUMN opt_in STRING"]), approval="bob")
    assert lake.columns()["opt_in"] == 5


def test_a_plan_that_is_overtaken_while_it_is_applied_is_not_applied(lake: ChangedLake) -> None:
    from pyiceberg.types import LongType

    plan = lake.table.plan(["ADD COLUMN opt_in STRING"])
    lake.faulty.before.append(lambda: lake.peer_changes(lambda update: update.add_column("salary", LongType())))
    with pytest.raises(PlanError) as error:
        lake.table.apply(plan, approval="bob")
    assert error.value.code == "plan.base-moved"
    assert list(lake.columns()) == ["order_id", "cust", "amount", "salary"]


def test_an_expected_version_that_has_gone_is_a_conflict(lake: ChangedLake) -> None:
    lake.faulty.before.append(lambda: lake.peer_changes(lambda update: update.rename_column("cust", "customer")))
    with pytest.raises(ConflictError):
        lake.table.evolve(["ADD COLUMN opt_in STRING"], expected_version=0)
    assert "opt_in" not in lake.columns()


def test_a_column_that_somebody_begins_to_partition_by_is_not_dropped(lake: ChangedLake) -> None:
    from pyiceberg.transforms import IdentityTransform

    def partition() -> None:
        with lake.peer.update_spec() as update:
            update.add_field("cust", IdentityTransform(), "by_cust")

    lake.faulty.before.append(partition)
    with pytest.raises(ValueError, match="cust"):
        lake.table.evolve(["DROP COLUMN cust"])
    assert "cust" in lake.columns()


def test_a_column_that_somebody_begins_to_sort_by_between_the_judgement_and_the_load_is_not_dropped(lake: ChangedLake) -> None:
    from pyiceberg.transforms import IdentityTransform

    def sort() -> None:
        with lake.peer.update_sort_order() as order:
            order.asc("cust", IdentityTransform())

    lake.faulty.loads += [lambda: None, sort]
    with pytest.raises(ValueError, match="cust"):
        lake.table.evolve(["DROP COLUMN cust"])
    assert "cust" in lake.columns()


def test_rows_that_are_written_meanwhile_are_no_conflict(lake: ChangedLake) -> None:
    from tests.store.mounts.iceberg.support.lakes import append

    lake.faulty.before.append(lambda: append(lake.peer))
    done = lake.table.evolve(["ADD COLUMN a INT"])
    assert (done.attempts, len(_rows(lake))) == (1, 1)


def test_a_table_that_was_made_again_is_not_taken_for_the_old_one(lake: ChangedLake) -> None:
    from tests.store.mounts.iceberg.support.lakes import create

    def replace() -> None:
        lake.catalog.drop_table(ORDERS)
        create(lake.catalog)

    lake.faulty.before.append(replace)
    done = lake.table.evolve(["ADD COLUMN a INT"])
    assert (done.attempts, done.version.table_id) == (2, str(lake.peer.metadata.table_uuid))


def test_a_contract_that_comes_between_two_tries_counts(lake: ChangedLake) -> None:
    other = open_store(lake.folder, IcebergMount(lake.catalog, NAMESPACE))

    def meanwhile() -> None:
        lake.peer_changes(lambda update: update.make_column_optional("order_id"))
        other.table("shop.orders").register("cust STRING", consumer="daily")

    lake.faulty.before.append(meanwhile)
    with pytest.raises(ValueError, match="daily"):
        lake.table.evolve(["DROP COLUMN cust"])
    assert "cust" in lake.columns()
