"""What pyiceberg takes and readers cannot bear is refused, in the plan and in the commit, whoever approves."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest

from airflow_provider_schemas.errors import ReadOnlyError, SchemaError
from airflow_provider_schemas.store import IcebergMount
from tests.store.mounts.iceberg.evolution.support.changed_lake import ChangedLake, open_store
from tests.store.mounts.iceberg.support.lakes import NAMESPACE

REFUSED: dict[str, tuple[list[str], str]] = {
    "another scale": (["ALTER COLUMN amount TYPE DECIMAL(12, 4)"], "iceberg.decimal-scale"),
    "fewer digits": (["ALTER COLUMN amount TYPE DECIMAL(8, 2)"], "iceberg.not-promoted"),
    "string to binary": (["ALTER COLUMN note TYPE BYTES"], "iceberg.string-binary"),
    "binary to string": (["ALTER COLUMN raw TYPE STRING"], "iceberg.string-binary"),
    "a narrower number": (["ALTER COLUMN order_id TYPE INT"], "iceberg.not-promoted"),
    "a number to a text": (["ALTER COLUMN n TYPE STRING"], "iceberg.not-promoted"),
    "in a list": (["ALTER COLUMN tags.element.a TYPE STRING"], "iceberg.not-promoted"),
    "a partition's source": (["ALTER COLUMN day TYPE BIGINT"], "iceberg.named"),
    "an old partition's source": (["DROP COLUMN cust"], "iceberg.named"),
    "the struct around a sort order's source": (["DROP COLUMN place"], "iceberg.named"),
    "an identifier field": (["DROP COLUMN order_id"], "iceberg.named"),
    "an identifier field that may be NULL": (["ALTER COLUMN order_id DROP NOT NULL"], "iceberg.named"),
    "a type of version 3": (["ADD COLUMN v VARIANT"], "iceberg.format-version"),
    "a type of version 3 in a list": (["ADD COLUMN v ARRAY<TIMESTAMP(9)>"], "iceberg.format-version"),
    "a default of version 3": (["ALTER COLUMN n SET DEFAULT '1'"], "iceberg.format-version"),
    "a comment of the table": ([{"action": "updateComment", "comment": "hi"}], "iceberg.no-schema-change"),  # type: ignore[list-item]  # a REST form
    "an option": ([{"action": "setOption", "key": "a", "value": "b"}], "iceberg.no-schema-change"),  # type: ignore[list-item]  # likewise
}


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> ChangedLake:
    """A table with an old partition spec, a sort order, and an identifier."""
    from pyiceberg.transforms import BucketTransform, IdentityTransform

    lake = ChangedLake(tmp_path_factory.mktemp("lake"))
    lake.peer_changes(_more_columns)
    with lake.peer.update_spec() as update:
        update.add_field("cust", IdentityTransform(), "by_cust")
    with lake.peer.update_spec() as update:
        update.remove_field("by_cust")
        update.add_field("day", BucketTransform(4), "by_day")
    with lake.peer.update_sort_order() as order:
        order.asc("place.city", IdentityTransform())
    return lake


def _more_columns(update: Any) -> None:
    from pyiceberg.types import BinaryType, IntegerType, ListType, NestedField, StringType, StructType

    update.add_column("note", StringType())
    update.add_column("raw", BinaryType())
    update.add_column("n", IntegerType())
    update.add_column("day", IntegerType())
    update.add_column("tags", ListType(0, StructType(NestedField(0, "a", IntegerType()))))
    update.add_column("place", StructType(NestedField(0, "city", StringType())))
    update.set_identifier_fields("order_id")


@pytest.mark.parametrize("kind", REFUSED)
def test_what_readers_cannot_bear_is_refused_in_the_plan_and_in_the_commit(lake: ChangedLake, kind: str) -> None:
    changes, code = REFUSED[kind]
    before = lake.peer.metadata_location
    plan = lake.table.plan(changes)
    assert plan.verdict == "invalid"
    assert ("FORMAT_FORBIDS", code) in {(finding.rule, finding.fault) for finding in plan.report.findings}
    calls: list[Callable[[], object]] = [
        lambda: lake.table.evolve(changes, override="I want it"),
        lambda: lake.table.apply(plan, approval="bob", override="I want it"),
    ]
    for call in calls:
        with pytest.raises(SchemaError) as error:
            call()
        faults = [fault for fault in error.value.faults if fault.code == code]
        assert faults
        assert all(fault.fix for fault in faults)
    assert lake.peer.metadata_location == before


def test_what_only_looks_alike_is_let_through(lake: ChangedLake) -> None:
    changes = [
        "ALTER COLUMN amount TYPE DECIMAL(20, 2)",
        "ALTER COLUMN n TYPE BIGINT",
        "RENAME COLUMN day TO on_day",
        "ADD COLUMN z ROW<a INT NOT NULL>",
    ]
    assert lake.table.plan(changes).verdict != "invalid"


def test_a_column_with_a_type_that_iceberg_has_not_is_refused(lake: ChangedLake) -> None:
    for kind in ("CHAR(3)", "VARCHAR(9)", "TINYINT", "MULTISET<INT>", "TIMESTAMP(3)"):
        with pytest.raises(SchemaError) as error:
            lake.table.evolve([f"ADD COLUMN x {kind}"])
        assert error.value.code in ("iceberg.no-such-type", "rule.type-unrepresentable"), kind


def test_a_branch_has_the_schema_of_its_table_and_is_not_changed_alone(lake: ChangedLake) -> None:
    with pytest.raises(ReadOnlyError) as error:
        lake.table.branch("audit").evolve(["ADD COLUMN a INT"])
    assert error.value.code == "mount.branch"


def test_a_folder_without_a_catalog_cannot_be_mounted_to_be_changed(tmp_path: Path) -> None:
    with pytest.raises(SchemaError) as error:
        IcebergMount(str(tmp_path), evolve=True)
    assert error.value.code == "mount.cannot-evolve"


def test_a_catalog_that_only_loads_tables_changes_none(lake: ChangedLake) -> None:
    class Reader:
        name = "reader"
        properties: ClassVar[dict[str, str]] = {}

        def load_table(self, identifier: object) -> object:
            return lake.catalog.load_table(identifier)

    with pytest.raises(SchemaError) as error:
        open_store(lake.folder, IcebergMount(Reader(), NAMESPACE, evolve=True)).table("shop.orders").evolve(["ADD COLUMN q INT"])
    assert error.value.code == "mount.cannot-evolve"


def test_a_mount_without_evolve_and_a_store_that_is_read_only_change_nothing(lake: ChangedLake) -> None:
    stores = [
        open_store(lake.folder, IcebergMount(lake.catalog, NAMESPACE)),
        open_store(lake.folder, IcebergMount(lake.catalog, NAMESPACE, evolve=True), read_only=True),
    ]
    before = lake.peer.metadata_location
    for store in stores:
        with pytest.raises(ReadOnlyError):
            store.table("shop.orders").evolve(["ADD COLUMN a INT"])
    assert lake.peer.metadata_location == before


def test_what_a_refusal_of_a_type_proposes_is_done(lake: ChangedLake) -> None:
    """The remedy of FORMAT_FORBIDS: another column beside the old one."""
    done = lake.table.evolve(["ADD COLUMN amount_exact DECIMAL(12, 4)", "ADD COLUMN note_bytes BYTES"])
    assert done.created
    assert {"amount", "amount_exact", "note", "note_bytes"} <= set(lake.columns())
