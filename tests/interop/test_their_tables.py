"""Tables that pypaimon made, with data, snapshots, tags and branches, in our hands: read, judged, changed, expired."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core import TableSchema, evolve
from airflow_provider_schemas.errors import ChangeError, ConflictError, IncompatibleSchemaError, SchemaError
from airflow_provider_schemas.formats import table_file
from airflow_provider_schemas.store import SchemaStore, judge
from tests.interop.test_our_tables import by_id, wire
from tests.support.companion import Warehouse

FIELDS = [
    {"id": 0, "name": "id", "type": "BIGINT NOT NULL"},
    {"id": 1, "name": "note", "type": "STRING", "description": "what was said"},
    {"id": 2, "name": "who", "type": {"type": "ROW", "fields": [{"id": 3, "name": "name", "type": "STRING"}]}},
    {"id": 4, "name": "dt", "type": "STRING NOT NULL"},
]


@pytest.fixture
def made(paimon: Warehouse) -> Warehouse:
    """A table of five versions, of which 0, 1 and 3 wrote data; the first is kept by a tag alone."""
    paimon.ask("create", "db.t", fields=FIELDS, partition_keys=["dt"], primary_keys=["id", "dt"], options={"bucket": "1"})
    paimon.ask("write", "db.t", rows=[{"id": 1, "note": "a", "who": {"name": "Ann"}, "dt": "1"}])
    paimon.ask("tag", "db.t", tag="first")
    paimon.ask("alter", "db.t", changes=wire("ADD COLUMN a INT"))
    paimon.ask("write", "db.t", rows=[{"id": 2, "note": "b", "a": 2, "dt": "1"}])
    paimon.ask("alter", "db.t", changes=wire("ADD COLUMN b INT"))
    paimon.ask("alter", "db.t", changes=wire("RENAME COLUMN note TO remark"))
    paimon.ask("write", "db.t", rows=[{"id": 3, "remark": "c", "b": 3, "dt": "2"}])
    paimon.ask("alter", "db.t", changes=wire("SET OPTION snapshot.num-retained.max = 50"))
    return paimon


def test_a_warehouse_of_pypaimons_is_found_out_and_listed(made: Warehouse, store: SchemaStore) -> None:
    made.ask("create", "other.u", fields=FIELDS)
    assert store.layout == "paimon"
    assert store.databases() == ("db", "other")
    assert store.tables("db") == ("t",)
    assert store.table("db.t").numbers() == (0, 1, 2, 3, 4)


def test_its_history_says_what_changed_and_that_somebody_else_did_it(made: Warehouse, store: SchemaStore) -> None:
    history = store.table("db.t").history()
    assert [one.outside for one in history] == [True] * 5
    assert [one.changes for one in history] == [
        ("SET OPTION snapshot.num-retained.max = 50",),
        ("RENAME COLUMN note TO remark",),
        ("ADD COLUMN b INT",),
        ("ADD COLUMN a INT",),
        (),
    ]
    assert str(history[0]).count("by an outside writer") == 1
    assert all(one.when is not None for one in history)
    assert store.table("db.t").inspect().notes == ("every version is by an outside writer",)


def test_pypaimon_and_we_read_the_same_schema(made: Warehouse, store: SchemaStore) -> None:
    theirs = made.ask("schema", "db.t")
    ours = store.table("db.t").schema()
    assert [(one.id, one.name, one.description) for one in ours.fields] == [
        (one["id"], one["name"], one.get("description")) for one in theirs["fields"]
    ]
    assert (ours.highest_field_id, list(ours.primary_keys), list(ours.partition_keys)) == (
        theirs["highestFieldId"],
        theirs["primaryKeys"],
        theirs["partitionKeys"],
    )
    assert {**ours.options} == theirs["options"]
    assert ours.comment is None


def test_a_job_is_judged_on_it(made: Warehouse, store: SchemaStore) -> None:
    assert judge(store, {"db.t": "id BIGINT NOT NULL, remark STRING"}).fits
    renamed = judge(store, {"db.t": "note STRING"})
    assert [one.rule for one in renamed.reports[0].findings] == ["EXPECT_FIELD_RENAMED"]
    assert judge(store, ["db.t"], since={"db.t": store.table("db.t").version(2)}).reports[0].old == 2


def test_we_change_it_and_pypaimon_reads_all_rows(made: Warehouse, store: SchemaStore) -> None:
    done = store.table("db.t").evolve(["RENAME COLUMN remark TO note", "ADD COLUMN who.age INT"], override="its readers know")
    assert done.number == 5
    made.ask("write", "db.t", rows=[{"id": 4, "note": "d", "who": {"name": "Dan", "age": 4}, "dt": "2"}])
    assert [(row["id"], row["note"], row["who"], row["a"], row["b"]) for row in by_id(made.ask("read", "db.t"))] == [
        (1, "a", {"name": "Ann", "age": None}, None, None),
        (2, "b", None, 2, None),
        (3, "c", None, None, 3),
        (4, "d", {"name": "Dan", "age": 4}, None, None),
    ]


def test_going_back_keeps_the_ids_so_that_old_rows_are_read(made: Warehouse, store: SchemaStore) -> None:
    table = store.table("db.t")
    table.evolve("DROP COLUMN a", override="a mistake")
    table.restore(4, override="taken back")
    assert made.ask("schema", "db.t")["highestFieldId"] == 6
    assert [row["a"] for row in by_id(made.ask("read", "db.t"))] == [None, 2, None]


def test_who_needs_which_version_is_known(made: Warehouse, store: SchemaStore) -> None:
    found = store.table("db.t").references()
    assert found.complete
    assert found.has_snapshots
    assert found.live == frozenset({0, 1, 3})
    assert "tag first" in found.holders(0)
    assert "snapshot 3" in found.holders(3)


def test_expire_keeps_what_is_needed_and_pypaimon_misses_nothing(made: Warehouse, store: SchemaStore) -> None:
    table = store.table("db.t")
    before = made.ask("read", "db.t")
    assert table.expire(timedelta(0), dry_run=True).deleted == (2,)
    assert table.numbers() == (0, 1, 2, 3, 4)
    assert table.expire(timedelta(0), dry_run=False).deleted == (2,)
    assert made.ask("read", "db.t") == before
    assert made.ask("read", "db.t", options={"scan.tag-name": "first"}) == [
        {"id": 1, "note": "a", "who": {"name": "Ann"}, "dt": "1"},
    ]
    assert table.inspect().findings == ()


def test_what_a_rolled_back_snapshot_needed_may_go(made: Warehouse, store: SchemaStore) -> None:
    table = store.table("db.t")
    made.ask("roll back", "db.t", target=1)
    assert table.references().live == frozenset({0})
    assert table.numbers() == (0, 1, 2, 3, 4)
    assert not table.changed_since(table.latest())
    assert table.expire(timedelta(0), dry_run=False).deleted == (1, 2, 3)
    assert [row["id"] for row in made.ask("read", "db.t")] == [1]


IMMUTABLE = ["SET OPTION merge-engine = first-row", "SET OPTION bucket = -1", "SET OPTION bucket-key = id", "UNSET OPTION bucket"]


@pytest.mark.parametrize("change", IMMUTABLE)
def test_what_data_has_fixed_is_not_changed(made: Warehouse, store: SchemaStore, change: str) -> None:
    with pytest.raises(SchemaError):
        store.table("db.t").evolve(change)
    assert store.table("db.t").numbers() == (0, 1, 2, 3, 4)


@pytest.mark.parametrize("key", ["merge-engine", "sequence.snapshot-ordering", "row-tracking.enabled"])
def test_what_data_has_fixed_is_not_changed_by_a_target_either(made: Warehouse, store: SchemaStore, key: str) -> None:
    head = store.table("db.t").schema()
    value = {"merge-engine": "first-row"}.get(key, "true")
    target = TableSchema.from_json(head.to_json().replace('"bucket"', f'"{key}" : "{value}",\n    "bucket"'))
    file = table_file.read(f"table: db.t\noptions:\n  {key}: {value}\n".encode())
    for wanted in (target, file):
        with pytest.raises(SchemaError):
            store.table("db.t").evolve(target=wanted)
        with pytest.raises(SchemaError):
            store.table("db.t").apply(store.table("db.t").plan(target=wanted))
    assert store.table("db.t").numbers() == (0, 1, 2, 3, 4)


FIXED: dict[str, tuple[dict[str, Any], str]] = {
    "how rows are spread over buckets": ({"options": {"bucket": "2", "bucket-key": "id"}}, "ALTER COLUMN id TYPE DECIMAL(20, 0)"),
    "which row wins": (
        {"primary_keys": ["dt"], "options": {"bucket": "2", "sequence.field": "note"}},
        "ALTER COLUMN note TYPE BIGINT",
    ),
    "how rows are deleted": ({"primary_keys": ["dt"], "options": {"bucket": "2"}}, "SET OPTION deletion-vectors.enabled = true"),
    "whether rows are deleted": (
        {"primary_keys": ["dt"], "options": {"bucket": "2", "ignore-delete": "true"}},
        "SET OPTION ignore-delete = false",
    ),
}


@pytest.mark.parametrize(("about", "change"), FIXED.values(), ids=FIXED)
def test_what_data_has_fixed_is_fixed_whichever_way_it_is_asked_for(
    paimon: Warehouse, store: SchemaStore, about: dict[str, Any], change: str
) -> None:
    paimon.ask("create", "db.t", fields=FIELDS, **about)
    table = store.table("db.t")
    target = evolve(table.schema(), [change])
    assert table.plan(target=target).expressed
    paimon.ask("write", "db.t", rows=[{"id": 1, "note": "1", "dt": "1"}])
    refusals = []
    for attempt in (
        lambda: table.evolve(change, override="so be it"),
        lambda: table.plan(target=target),
        lambda: table.evolve(target=target, override="so be it"),
    ):
        with pytest.raises(ChangeError) as refused:
            attempt()
        refusals.append([(fault.code, fault.path) for fault in refused.value.faults])
    assert refusals[0] == refusals[1] == refusals[2]
    assert table.numbers() == (0,)


def test_what_data_would_fix_can_be_changed_before_there_is_any(paimon: Warehouse, store: SchemaStore) -> None:
    paimon.ask("create", "db.t", fields=FIELDS, primary_keys=["id"], options={"bucket": "1"})
    table = store.table("db.t")
    ours = table.evolve("SET OPTION merge-engine = first-row")
    assert (ours.report.verdict, ours.schema.options["merge-engine"]) == ("warn", "first-row")
    paimon.ask("alter", "db.t", changes=wire("SET OPTION merge-engine = deduplicate"))
    assert table.evolve("ADD COLUMN x INT").schema.options["merge-engine"] == "deduplicate"


def test_a_plan_is_refused_once_pypaimon_was_first(made: Warehouse, store: SchemaStore) -> None:
    table = store.table("db.t")
    plan = table.plan("ADD COLUMN ours INT")
    made.ask("alter", "db.t", changes=wire("ADD COLUMN theirs INT"))
    with pytest.raises(SchemaError, match="version 4"):
        table.apply(plan)
    with pytest.raises(ConflictError):
        table.evolve("ADD COLUMN ours INT", expected_version=4)
    assert table.numbers()[-1] == 5


def test_what_pypaimon_has_done_already_is_not_done_again(made: Warehouse, store: SchemaStore) -> None:
    table = store.table("db.t")
    plan = table.plan("ADD COLUMN coupon STRING")
    made.ask("alter", "db.t", changes=wire("ADD COLUMN coupon STRING"))
    assert not table.evolve("ADD COLUMN coupon STRING").created
    assert table.verify(plan).fits


def test_a_contract_about_it_is_kept_against_us_and_pypaimon_is_found_out(made: Warehouse, store: SchemaStore) -> None:
    table = store.table("db.t")
    table.register("remark STRING", consumer="report")
    with pytest.raises(IncompatibleSchemaError, match="report"):
        table.evolve("DROP COLUMN remark")
    made.ask("alter", "db.t", changes=wire("DROP COLUMN remark"))
    assert not judge(store, {"db.t": "@registered"}, consumer="report").fits


NONSENSE: dict[str, dict[str, Any]] = {
    "a column twice": {"fields": [FIELDS[0], {**FIELDS[1], "name": "id"}]},
    "a key that is no column": {"fields": FIELDS, "primary_keys": ["nobody"]},
    "a partition that is no column": {"fields": FIELDS, "partition_keys": ["nobody"]},
    "a reserved name": {"fields": [*FIELDS, {"id": 9, "name": "_ROW_ID", "type": "INT"}]},
    "no bucket": {"fields": FIELDS, "options": {"bucket": "0"}},
    "a bucket without a key": {"fields": FIELDS, "options": {"bucket": "4"}},
    "a sequence of nothing": {"fields": FIELDS, "primary_keys": ["id"], "options": {"sequence.field": "nobody", "bucket": "1"}},
    "too many digits": {"fields": [*FIELDS, {"id": 9, "name": "x", "type": "DECIMAL(50, 2)"}]},
}


def answered(question: Callable[[], object]) -> bool:
    """Whether there is an answer, or an error that says what to do."""
    try:
        question()
    except SchemaError as error:
        return all(fault.fix for fault in error.faults)
    return True


@pytest.mark.parametrize("about", NONSENSE.values(), ids=NONSENSE)
def test_a_table_that_makes_no_sense_is_told_so_in_words(store: SchemaStore, paimon: Warehouse, about: dict[str, Any]) -> None:
    """pypaimon checks little; whatever it lets through is an answer or an error of ours, and nothing is made worse."""
    paimon.ask("create", "db.t", **about)
    table = store.table("db.t")
    assert store.tables("db") == ("t",)
    assert table.numbers() == (0,)
    for question in (table.history, table.inspect, table.references, lambda: judge(store, {"db.t": "id BIGINT"})):
        assert answered(question)
    with pytest.raises(SchemaError) as refused:
        table.evolve("ADD COLUMN more INT")
    assert all(fault.fix for fault in refused.value.faults)
    assert table.numbers() == (0,)


OLD = {
    1: '{"id":0,"fields":[{"id":0,"name":"k","type":"INT NOT NULL"},{"id":1,"name":"v","type":"STRING"}],"highestFieldId":1,'
    '"partitionKeys":[],"primaryKeys":["k"],"options":{}}',
    2: '{"version":2,"id":0,"fields":[{"id":0,"name":"k","type":"INT NOT NULL"},{"id":1,"name":"v","type":"STRING"}],"highestFieldId":1,'
    '"partitionKeys":[],"primaryKeys":["k"],"options":{"bucket":"1"},"timeMillis":1}',
}


@pytest.mark.parametrize("file", OLD.values(), ids=["version 1", "version 2"])
def test_a_table_of_an_old_paimon_is_read_changed_and_read_by_pypaimon(
    store: SchemaStore, paimon: Warehouse, tmp_path: Path, file: str
) -> None:
    folder = tmp_path / "lake/db.db/t/schema"
    folder.mkdir(parents=True)
    (folder / "schema-0").write_text(file)
    paimon.ask("write", "db.t", rows=[{"k": 1, "v": "x"}])
    assert store.table("db.t").evolve("ADD COLUMN w INT").schema.options["file.format"] == "orc"
    paimon.ask("write", "db.t", rows=[{"k": 2, "v": "y", "w": 3}])
    assert paimon.ask("schema", "db.t")["version"] == 3
    assert paimon.ask("read", "db.t") == [{"k": 1, "v": "x", "w": None}, {"k": 2, "v": "y", "w": 3}]
    paimon.ask("alter", "db.t", changes=wire("ADD COLUMN z INT"))
    assert store.table("db.t").latest().number == 2
    assert not store.table("db.t").inspect().findings


def test_a_comment_that_pypaimon_took_away_is_none(store: SchemaStore, paimon: Warehouse) -> None:
    """Where there is none, it writes a null, which Java reads as four letters."""
    paimon.ask("create", "db.t", fields=FIELDS)
    table = store.table("db.t")
    assert table.schema().comment is None
    table.evolve("ADD COLUMN x INT")
    assert b'"comment"' not in store.warehouse.read("db.db/t/schema/schema-1")
