"""One call says what is wrong with the ids of all tables, whoever keeps them: Iceberg, Delta, and versions of our own."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core.report import Report, Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.errors import PolicyError
from airflow_provider_schemas.store import IcebergMount, SchemaStore, inspect_tables, judge
from airflow_provider_schemas.store.mounts.source import TableSource
from tests.store.mounts.delta.support.logs import Log, column, info, mapped, metadata, protocol
from tests.store.mounts.iceberg.support.lakes import NAMESPACE, append, create, sql_catalog
from tests.store.mounts.iceberg.support.other_writers import OtherWriter

ORDERS = "shop.orders"
RAW = "raw.orders"
OWN = "web.visits"
BY_ID = {"configuration": {"delta.columnMapping.mode": "id", "delta.columnMapping.maxColumnId": "9"}}
BY_NAME = {"configuration": {"delta.columnMapping.mode": "name", "delta.columnMapping.maxColumnId": "9"}}
STRICT = {"protect": {"data": "block", "jobs": "block", "writers": "block"}}


class Warehouse:
    """An Iceberg table in a catalog, a Delta table in a folder, and a table of our own; each is changed by its own writers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.catalog = sql_catalog(folder)
        create(self.catalog)
        self.other = OtherWriter(folder)
        self.log = Log(folder / "delta")
        self.log.commit(metadata(mapped("id", 1), mapped("cust", 2), **BY_ID), protocol(2, 5))
        mounts: dict[str, TableSource] = {"shop": IcebergMount(self.catalog, NAMESPACE), "raw": self.log.mount}
        self.store = SchemaStore(folder / "lake", actor="ana", mounts=mounts)
        self.store.create_table(OWN, "visit_id BIGINT, page STRING")

    def change(self, act: Callable[[Any], Any]) -> None:
        with self.catalog.load_table(ORDERS).update_schema() as update:
            act(update)

    def write(self, number: int, columns: list[tuple[int, str, str]], highest: int) -> None:
        """Write a version of our own table as a careless writer does."""
        folder = self.folder / "lake" / "web.db" / "visits" / "schema"
        content = json.loads((folder / "schema-0").read_text())
        fields = [{"id": number, "name": name, "type": kind} for number, name, kind in columns]
        (folder / f"schema-{number}").write_text(json.dumps({**content, "id": number, "fields": fields, "highestFieldId": highest}))

    def found(self, *names: str) -> dict[str, set[str]]:
        """The rules that were found, by table."""
        reports = inspect_tables(self.store, names)
        return {report.table: {finding.rule for finding in report.findings} for report in reports}

    def report(self, name: str) -> Report:
        (report,) = inspect_tables(self.store, [name])
        return report


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    return Warehouse(tmp_path)


def add(name: str) -> Callable[[Any], Any]:
    from pyiceberg.types import LongType

    return lambda update: update.add_column(name, LongType())


def drop(name: str) -> Callable[[Any], Any]:
    return lambda update: update.delete_column(name)


def lower_counter(warehouse: Warehouse) -> None:
    """Count wrongly, as several writers of Iceberg have done."""
    warehouse.other.commit(lambda file: file.update({"last-column-id": 2}))


def narrow(warehouse: Warehouse) -> None:
    """Make an INT of a BIGINT, which Iceberg does not allow, as a careless writer does."""

    def edit(file: dict[str, Any]) -> None:
        old = file["schemas"][0]
        fields = [{**field, "type": "int"} if field["id"] == 1 else field for field in old["fields"]]
        file["schemas"].append({**old, "schema-id": 1, "fields": fields})
        file["current-schema-id"] = 1

    warehouse.other.commit(edit)


def lose_a_race(warehouse: Warehouse) -> None:
    """Commit through pyiceberg a change that was prepared before another one came and went."""
    stale = sql_catalog(warehouse.folder).load_table(ORDERS).update_schema()
    add("opt_in")(stale)
    warehouse.change(add("salary"))
    append(warehouse.catalog.load_table(ORDERS))
    warehouse.change(drop("salary"))
    stale.commit()


def give_an_id_again(warehouse: Warehouse) -> None:
    """Have pyiceberg give the id of a dropped column to a new one, since its table counted wrongly."""
    warehouse.change(add("salary"))
    warehouse.change(drop("salary"))
    warehouse.other.commit(lambda file: file.update({"last-column-id": 3}))
    warehouse.change(add("opt_in"))


def commit(*columns: dict[str, Any], **more: Any) -> Callable[[Warehouse], object]:
    return lambda warehouse: warehouse.log.commit(metadata(*columns, **more))


def no_id(name: str) -> dict[str, Any]:
    return column(name, **{"delta.columnMapping.physicalName": name})


def no_name(name: str, number: int) -> dict[str, Any]:
    return column(name, **{"delta.columnMapping.id": number})


def dropped_and_given_again(warehouse: Warehouse) -> None:
    warehouse.log.commit(metadata(mapped("id", 1), **BY_ID))
    warehouse.log.commit(metadata(mapped("id", 1), mapped("opt_in", 2), **BY_ID))


def switched_on_by_sail(warehouse: Warehouse) -> None:
    """Write what Sail 0.7.2 makes of ALTER TABLE ... SET TBLPROPERTIES ('delta.columnMapping.mode'='id')."""
    for actions in json.loads((Path(__file__).parent / "support" / "written_by_sail.json").read_text()):
        warehouse.log.commit(*(actions or [info()]))


def own_id_again(warehouse: Warehouse) -> None:
    warehouse.write(1, [(0, "visit_id", "BIGINT")], 1)
    warehouse.write(2, [(0, "visit_id", "BIGINT"), (1, "agent", "STRING")], 1)


# What writers do, the table that they do it to, and the rule that finds it.
DAMAGE: dict[str, tuple[Callable[[Warehouse], object], str, str]] = {
    "Iceberg: a race that pyiceberg does not notice": (lose_a_race, ORDERS, "SCHEMA_ID_DUPLICATE"),
    "Iceberg: the counter is too low": (lower_counter, ORDERS, "LAST_COLUMN_ID_LOW"),
    "Iceberg: an id is given again": (give_an_id_again, ORDERS, "COLUMN_ID_REUSED"),
    "Iceberg: a type is narrowed": (narrow, ORDERS, "COLUMN_TYPE_NOT_PROMOTED"),
    "Delta: no physical names": (commit(no_name("id", 1), no_name("cust", 2), **BY_ID), RAW, "COLUMN_NAME_UNMAPPED"),
    "Delta: a mapping that Sail switched on": (switched_on_by_sail, RAW, "COLUMN_NAME_UNMAPPED"),
    "Delta: mapped by name, without ids": (commit(no_id("id"), no_id("cust"), **BY_NAME), RAW, "COLUMN_ID_UNMAPPED"),
    "Delta: mapped by id, without ids": (commit(no_id("id"), no_id("cust"), **BY_ID), RAW, "COLUMN_ID_UNMAPPED"),
    "Delta: one id twice": (commit(mapped("id", 1), mapped("cust", 1, "c"), **BY_ID), RAW, "COLUMN_ID_DUPLICATE"),
    "Delta: the counter is too low": (commit(mapped("id", 1), mapped("cust", 12), **BY_ID), RAW, "LAST_COLUMN_ID_LOW"),
    "Delta: an id is given again": (dropped_and_given_again, RAW, "COLUMN_ID_REUSED"),
    "Delta: a feature of tomorrow": (
        lambda warehouse: warehouse.log.commit(protocol(3, 7, "columnMapping", "sortedVectors")),
        RAW,
        "FEATURE_UNKNOWN",
    ),
    "our own: an id is given again": (own_id_again, OWN, "FIELD_ID_REUSED"),
    "our own: the counter is too low": (
        lambda warehouse: warehouse.write(1, [(0, "visit_id", "BIGINT"), (5, "page", "STRING")], 1),
        OWN,
        "HIGHEST_FIELD_ID_REGRESSED",
    ),
    "our own: one id twice": (
        lambda warehouse: warehouse.write(1, [(0, "visit_id", "BIGINT"), (0, "page", "STRING")], 1),
        OWN,
        "FIELD_ID_DUPLICATE",
    ),
}


def test_nothing_is_found_where_nothing_is_wrong(warehouse: Warehouse) -> None:
    assert warehouse.found() == {ORDERS: set(), RAW: set(), OWN: set()}


@pytest.mark.parametrize("done", DAMAGE)
def test_a_table_that_a_writer_damaged_is_found_among_all_tables(warehouse: Warehouse, done: str) -> None:
    damage, table, rule = DAMAGE[done]
    damage(warehouse)
    found = warehouse.found()
    assert rule in found.pop(table)
    assert set().union(*found.values()) == set()


def test_what_evolution_may_do_is_no_finding(warehouse: Warehouse) -> None:
    warehouse.change(add("coupon"))
    warehouse.change(drop("cust"))
    warehouse.change(lambda update: update.rename_column("coupon", "voucher"))
    warehouse.change(add("cust"))
    warehouse.log.commit(metadata(mapped("id", 1), mapped("customer", 2, "cust"), **BY_ID))
    warehouse.store.table(OWN).evolve(["RENAME COLUMN page TO path", "ADD COLUMN agent STRING"])
    warehouse.store.table(OWN).evolve(["DROP COLUMN agent"])
    assert warehouse.found() == {ORDERS: set(), RAW: set(), OWN: set()}


def test_a_head_that_goes_back_and_a_rename_after_it_give_no_id_again(warehouse: Warehouse) -> None:
    warehouse.change(add("coupon"))
    warehouse.change(drop("coupon"))  # the table is at its first schema again
    warehouse.change(lambda update: update.rename_column("cust", "customer"))
    assert warehouse.found(ORDERS) == {ORDERS: set()}


def test_columns_that_delta_knows_by_name_have_no_ids_that_could_be_given_again(warehouse: Warehouse) -> None:
    log = Log(warehouse.folder / "delta", "plain")
    log.commit(metadata(column("id"), column("day", "date")), protocol())
    log.commit(metadata(column("id"), column("day", "string")))
    assert warehouse.found("raw.plain") == {"raw.plain": set()}


# ---------------------------------------------------------------- policies and waivers


def test_a_counter_that_is_too_low_is_the_writers_matter_and_can_be_waived(warehouse: Warehouse) -> None:
    table = warehouse.store.table(ORDERS)
    lower_counter(warehouse)
    need = {ORDERS: "cust STRING"}
    assert (judge(warehouse.store, need).fits, warehouse.report(ORDERS).verdict) == (True, Verdict.WARN)
    warehouse.store.save_policy(STRICT, database="shop")
    assert warehouse.report(ORDERS).verdict is Verdict.BREAK
    assert not judge(warehouse.store, need).fits
    table.waive("LAST_COLUMN_ID_LOW", path="last-column-id", reason="INC-4711", until="2999-01-01")
    assert judge(warehouse.store, need).fits
    assert warehouse.report(ORDERS).verdict is Verdict.WARN


def test_two_schemas_of_one_id_stop_a_job_and_a_waiver_lets_it_through(warehouse: Warehouse) -> None:
    def twin(file: dict[str, Any]) -> None:
        first = file["schemas"][0]
        file["schemas"].append(first | {"fields": first["fields"][1:]})

    warehouse.change(add("coupon"))
    warehouse.other.commit(twin)
    need = {ORDERS: "cust STRING"}
    assert not judge(warehouse.store, need).fits
    warehouse.store.table(ORDERS).waive("SCHEMA_ID_DUPLICATE", path="*", reason="INC-4711", until="2999-01-01")
    assert judge(warehouse.store, need).fits


def test_what_is_invalid_for_everybody_is_still_not_waived(warehouse: Warehouse) -> None:
    with pytest.raises(PolicyError):
        warehouse.store.table(OWN).waive("TABLE_INVALID", reason="INC-4711", until="2999-01-01")


# ---------------------------------------------------------------- remedies


def raise_counter(warehouse: Warehouse) -> None:
    warehouse.other.commit(lambda file: file.update({"last-column-id": 3}))


def change_and_remove(warehouse: Warehouse) -> None:
    """Change the schema once more, and remove the old schemas, as engines do when snapshots expire."""

    def edit(file: dict[str, Any]) -> None:
        schema = next(one for one in file["schemas"] if one["schema-id"] == file["current-schema-id"])
        file["schemas"] = [{**schema, "schema-id": 7}]
        file["current-schema-id"] = 7

    warehouse.other.commit(edit)


def make_earlier_current(warehouse: Warehouse) -> None:
    warehouse.other.commit(lambda file: file.update({"current-schema-id": 0}))


def another_column(warehouse: Warehouse) -> None:
    warehouse.other.commit(lambda file: file.update({"last-column-id": 9}))
    warehouse.change(add("opted_in"))
    warehouse.change(drop("opt_in"))


sound = commit(mapped("id", 1), mapped("cust", 2), **BY_ID)
# What the fix of each rule asks for, done to a table that has its finding.
REMEDIES: dict[str, tuple[str, str, Callable[[Warehouse], object]]] = {
    "SCHEMA_ID_DUPLICATE": (
        "Iceberg: a race that pyiceberg does not notice",
        "Change the schema of the table once more",
        change_and_remove,
    ),
    "LAST_COLUMN_ID_LOW": ("Iceberg: the counter is too low", "Raise the counter of the table", raise_counter),
    "COLUMN_ID_REUSED": ("Iceberg: an id is given again", "Add a column with an id that was never used", another_column),
    "COLUMN_TYPE_NOT_PROMOTED": ("Iceberg: a type is narrowed", "Have the earlier type made current again", make_earlier_current),
    "COLUMN_NAME_UNMAPPED": ("Delta: no physical names", "Have its writer mended, and write the table anew", sound),
    "COLUMN_ID_UNMAPPED": ("Delta: mapped by id, without ids", "Have its writer mended, and write the table anew", sound),
    "COLUMN_ID_DUPLICATE": ("Delta: one id twice", "Find the writer that gave the id twice, and write the table anew", sound),
}


@pytest.mark.parametrize("rule", REMEDIES)
def test_the_fix_of_a_rule_takes_its_finding_away(warehouse: Warehouse, rule: str) -> None:
    done, words, remedy = REMEDIES[rule]
    damage, table, _ = DAMAGE[done]
    damage(warehouse)
    assert rule in warehouse.found()[table]
    assert RULES[rule].fix.startswith(words)
    remedy(warehouse)
    assert warehouse.found()[table] == set()


def test_a_head_that_was_assumed_is_known_through_the_catalog(warehouse: Warehouse) -> None:
    warehouse.change(add("coupon"))
    folder = IcebergMount(f"file://{warehouse.folder}/warehouse/{NAMESPACE}")
    store = SchemaStore(warehouse.folder / "lake", mounts={"shop": folder})
    assert [finding.rule for report in inspect_tables(store, ["shop"]) for finding in report.findings] == ["HEAD_ASSUMED"]
    assert RULES["HEAD_ASSUMED"].fix == "Mount the table through its catalog."
    assert warehouse.found("shop") == {ORDERS: set()}


# ---------------------------------------------------------------- what cannot be read


def test_a_table_that_cannot_be_read_is_a_finding_and_hides_no_other(warehouse: Warehouse) -> None:
    lower_counter(warehouse)
    warehouse.log.write(1)
    warehouse.log.path(0).write_text("{")
    (warehouse.folder / "lake" / "web.db" / "visits" / "schema" / "schema-0").write_text("{")
    assert warehouse.found() == {ORDERS: {"LAST_COLUMN_ID_LOW"}, RAW: {"TABLE_UNREAD"}, OWN: {"TABLE_UNREAD"}}


def test_a_database_that_is_not_there_and_a_table_that_is_not_there_are_findings(warehouse: Warehouse) -> None:
    assert warehouse.found("nope", "shop.nope") == {"nope.*": {"TABLE_UNREAD"}, "shop.nope": {"TABLE_UNREAD"}}


def test_a_source_that_is_down_is_a_finding(warehouse: Warehouse) -> None:
    (warehouse.folder / "catalog.db").write_bytes(b"no database" * 500)
    found = warehouse.found()
    assert found.pop("shop.*") == {"TABLE_UNREAD"}
    assert found == {RAW: set(), OWN: set()}


def test_a_warehouse_that_is_not_there_is_a_finding_and_mounted_tables_are_looked_at(warehouse: Warehouse) -> None:
    warehouse.log.commit(metadata(no_name("id", 1), **BY_ID))
    store = SchemaStore(warehouse.folder / "nowhere", mounts={"raw": warehouse.log.mount})
    found = {report.table: {finding.rule for finding in report.findings} for report in inspect_tables(store)}
    # Nobody knows the policy of the table, either.
    assert found == {"*": {"TABLE_UNREAD"}, RAW: {"COLUMN_NAME_UNMAPPED", "TABLE_UNREAD"}}


def test_a_table_whose_name_cannot_be_written_is_a_finding(warehouse: Warehouse) -> None:
    create(warehouse.catalog, "a b/c")
    found = warehouse.found("shop")
    assert found.pop(ORDERS) == set()
    assert set().union(*found.values()) == {"TABLE_UNREAD"}
