"""What real writers leave in logs, and what teams do to their tables: each form was met in a log that somebody published."""

import json
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.store import DeltaMount, Judgement, SchemaStore, judge
from tests.store.mounts.delta.support.logs import MAPPED, Log, column, info, mapped, metadata, names, protocol
from tests.support import stores

ORDERS = "shop.orders"
PLAIN = metadata(column("id"), column("cust", "string"))
MAPPING = metadata(mapped("id", 1), mapped("cust", 2, kind="string"), configuration=MAPPED)
RENAMED = metadata(mapped("id", 1), mapped("customer", 2, "cust", "string"), configuration=MAPPED)


@pytest.fixture
def log(tmp_path: Path) -> Log:
    return Log(tmp_path / "lake")


def opened(folder: Path, log: Log) -> SchemaStore:
    """The store as another process has it."""
    return stores.lake(folder / "registry", mounts={"shop": DeltaMount(str(log.folder.parent.parent))})


def rules(answer: Judgement) -> set[str]:
    """What does not fit."""
    findings = [finding for table in answer.tables for finding in table.report.findings]
    return {finding.rule for finding in findings if finding.verdict in (Verdict.BREAK, Verdict.INVALID)}


class TestOfColumnMappingThatIsSwitchedOnOrOff:
    """A team switches column mapping on before it renames, and off for readers that do not know it: no column is another one by that."""

    @pytest.mark.parametrize(("before", "after"), [(PLAIN, MAPPING), (MAPPING, PLAIN)], ids=["on", "off"])
    def test_it_stops_no_job_and_the_log_tells_no_column_as_gone(self, before: Any, after: Any, tmp_path: Path, log: Log) -> None:
        log.commit(info("CREATE TABLE"), protocol(), before)
        store = opened(tmp_path, log)
        store.table(ORDERS).register("id BIGINT, cust STRING", consumer="daily")
        version = store.table(ORDERS).latest()
        seen = (version.number, version.digest, version.table_id)
        log.commit(info("SET TBLPROPERTIES"), after)
        for fresh in (store, opened(tmp_path, log)):
            assert judge(fresh, {ORDERS: "@registered"}, consumer="daily").fits
            assert judge(fresh, {ORDERS: "id BIGINT, cust STRING"}).fits
            assert judge(fresh, {ORDERS: None}, since={ORDERS: seen}).fits
        said = str(store.table(ORDERS).history())
        assert "column_mapping" in said
        assert "DROP" not in said
        assert "ADD" not in said

    def test_what_comes_to_it_afterwards_is_new_though_its_id_is_below_those_of_names(self, tmp_path: Path, log: Log) -> None:
        log.commit(info("CREATE TABLE"), protocol(), metadata(column("id"), column("cust", "string"), column("x")))
        version = opened(tmp_path, log).table(ORDERS).latest()
        for action in (
            PLAIN,
            MAPPING,
            metadata(mapped("id", 1), mapped("cust", 2, kind="string"), mapped("y", 3, "col-y"), configuration=MAPPED),
        ):
            log.commit(info("CHANGE"), action)
        seen = (version.number, version.digest, version.table_id)
        assert rules(judge(opened(tmp_path, log), {ORDERS: None}, since={ORDERS: seen})) == {"FIELD_DROPPED"}

    def test_a_rename_afterwards_is_told_as_one(self, tmp_path: Path, log: Log) -> None:
        log.commit(info("CREATE TABLE"), protocol(), PLAIN)
        opened(tmp_path, log).table(ORDERS).register("id BIGINT, cust STRING", consumer="daily")
        version = opened(tmp_path, log).table(ORDERS).latest()
        log.commit(info("SET TBLPROPERTIES"), MAPPING)
        log.commit(info("RENAME COLUMN"), RENAMED)
        seen = (version.number, version.digest, version.table_id)
        assert rules(judge(opened(tmp_path, log), {ORDERS: None}, since={ORDERS: seen})) == {"FIELD_RENAMED"}
        assert rules(judge(opened(tmp_path, log), {ORDERS: "id BIGINT, cust STRING"})) == {"EXPECT_FIELD_RENAMED"}
        assert rules(judge(opened(tmp_path, log), {ORDERS: "@registered"}, consumer="daily")) == {"EXPECT_FIELD_RENAMED"}

    def test_a_job_that_was_registered_while_ids_counted_is_stopped_by_a_column_that_goes(self, tmp_path: Path, log: Log) -> None:
        log.commit(info("CREATE TABLE"), protocol(), MAPPING)
        opened(tmp_path, log).table(ORDERS).register("id BIGINT, cust STRING", consumer="daily")
        log.commit(info("REPLACE TABLE"), metadata(column("id")))
        assert rules(judge(opened(tmp_path, log), {ORDERS: "@registered"}, consumer="daily")) == {"EXPECT_FIELD_MISSING"}


def test_a_table_of_delta_that_we_describe_ourselves_has_our_ids(tmp_path: Path) -> None:
    store = stores.lake(tmp_path / "registry")
    store.adopt(ORDERS, (tmp_path / "orders").as_uri(), "id BIGINT, cust STRING", format="delta")
    store.table(ORDERS).register("cust STRING", consumer="daily")
    store.table(ORDERS).evolve("RENAME COLUMN cust TO customer", override="the files have it")
    assert "EXPECT_FIELD_RENAMED" in rules(judge(store, {ORDERS: "@registered"}, consumer="daily"))


@pytest.mark.parametrize(
    ("said", "origin"),
    [
        ({"engineInfo": "Apache-Spark/4.2.0 Delta-Lake/4.4.0", "clusterId": "0830"}, "WRITE, Apache-Spark/4.2.0 Delta-Lake/4.4.0"),
        ({"engineInfo": "delta-rs:py-1.3.1", "clientVersion": "delta-rs.py-1.3.1"}, "WRITE, delta-rs:py-1.3.1"),
        ({"clientVersion": "delta-rs.py-0.25.5"}, "WRITE, delta-rs.py-0.25.5"),
        ({"userName": "ana", "clusterId": "trino-410-e7d1", "version": 0, "readVersion": 0}, "ana, WRITE, trino-410-e7d1"),
        ({"engineInfo": "Databricks-Runtime/<unknown>", "operationMetrics": {}, "tags": None}, "WRITE, Databricks-Runtime/<unknown>"),
    ],
)
def test_each_writer_is_named_by_the_place_where_it_names_itself(said: dict[str, Any], origin: str, log: Log) -> None:
    log.commit(info(**said), protocol(), PLAIN)
    assert log.look().heads().entries[0].origin == origin


class TestOfIdsForReadersOfIceberg:
    """A table that Iceberg's readers see, too, has ids for elements, keys and values: they are counted with those of columns."""

    def faults(self, log: Log, parts: object, highest: int = 4) -> set[str]:
        tags = {"type": "array", "elementType": "long", "containsNull": True}
        nested = {"delta.columnMapping.nested.ids": parts}
        settings = {**MAPPED, "delta.columnMapping.maxColumnId": str(highest)}
        log.commit(protocol(), metadata(mapped("id", 1), mapped("tags", 2, "col-2", tags, **nested), configuration=settings))
        assert names(log.look()) == ["id", "tags"]
        return {f"{finding.fault}: {finding.message}" for finding in log.look().findings()}

    def test_they_are_no_fault(self, log: Log) -> None:
        assert self.faults(log, {"col-2.element": 3}) == set()

    def test_one_that_a_column_has_is_found(self, log: Log) -> None:
        (found,) = self.faults(log, {"col-2.element": 1})
        assert found.startswith("delta.column-id-twice: id, tags.element have the id 1")

    def test_one_above_the_highest_is_found(self, log: Log) -> None:
        (found,) = self.faults(log, {"col-2.element": 99_999_999_999})
        assert found.startswith("delta.low-max-column-id: delta.columnMapping.maxColumnId is 4, and tags.element has the id 99999999999")

    @pytest.mark.parametrize("parts", [None, [], "x", {"col-2.element": "3"}, {"col-2.element": -1}, {"col-2.element": None}, {"": {}}])
    def test_what_is_no_id_is_passed_over(self, parts: object, log: Log) -> None:
        assert self.faults(log, parts) == set()


def test_a_schema_whose_fields_come_before_its_type_is_read(log: Log) -> None:
    fields = [{"metadata": {}, "name": name, "nullable": True, "type": kind} for name, kind in (("a", "byte"), ("b", "decimal(5,3)"))]
    log.commit(protocol(), metadata(schemaString=json.dumps({"fields": fields, "type": "struct"})))
    assert [str(field.type) for field in log.look().version(0).schema.fields] == ["TINYINT", "DECIMAL(5, 3)"]


def test_a_table_of_the_first_writers_says_neither_when_it_was_made_nor_by_whom(log: Log) -> None:
    action = metadata(column("id", "integer"), column("value", "string"), partitionColumns=["id"])
    del action["metaData"]["createdTime"]
    log.commit(protocol(), action)
    look = log.look()
    assert (names(look), look.version(0).schema.partition_keys, look.heads().entries[0].origin) == (["id", "value"], ("id",), "")


def test_types_of_users_and_of_maps_are_known_by_their_text(log: Log) -> None:
    point = {"type": "udt", "class": "example.Point", "pyClass": None, "sqlType": "long"}
    log.commit(protocol(), metadata(column("p", point), column("g", "geography(OGC:CRS84, vincenty)"), column("h", "geometry(SRID:0)")))
    kinds = [str(field.type) for field in log.look().version(0).schema.fields]
    assert kinds[0].startswith("OPAQUE('{")
    assert kinds[1:] == ["GEOGRAPHY(OGC:CRS84, vincenty)", "GEOMETRY(SRID:0)"]


def test_widening_of_every_kind_breaks_nobody(log: Log) -> None:
    from airflow_provider_schemas.core.compatibility.check import check

    kinds = {
        "byte_long": ("byte", "long"),
        "float_double": ("float", "double"),
        "int_double": ("integer", "double"),
        "scale": ("decimal(10,2)", "decimal(20,5)"),
        "long_decimal": ("long", "decimal(21,1)"),
        "date_ntz": ("date", "timestamp_ntz"),
    }
    log.commit(protocol(), metadata(*(column(name, before) for name, (before, _) in kinds.items())))
    widened = {name: [{"toType": after, "fromType": before, "tableVersion": 1}] for name, (before, after) in kinds.items()}
    log.commit(metadata(*(column(name, after, **{"delta.typeChanges": widened[name]}) for name, (_, after) in kinds.items())))
    look = log.look()
    report = check(look.version(0).schema, look.version(1).schema)
    assert {finding.path for finding in report.findings if finding.rule == "TYPE_WIDENED"} == set(kinds)
    assert not {finding.rule for finding in report.findings if finding.verdict in (Verdict.BREAK, Verdict.INVALID)}
