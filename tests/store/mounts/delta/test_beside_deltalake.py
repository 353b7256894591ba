"""What we read of a log is what deltalake reads of it, whichever of both has written it; and what deltalake cannot open."""

import json
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.store import DeltaMount
from tests.store.mounts.delta.support.logs import MAPPED, Log, added, column, mapped, metadata, names, numbers, protocol, struct


@pytest.fixture
def log(tmp_path: Path) -> Log:
    return Log(tmp_path)


def theirs(log: Log, version: int | None = None) -> Any:
    """The schema as deltalake reads it, in the JSON of Delta."""
    import deltalake

    return json.loads(deltalake.DeltaTable(log.folder.parent, version=version).schema().to_json())


def our_names(log: Log, version: int) -> list[str]:
    return names(log.look(), version)


def test_a_table_of_deltalake_is_read_in_each_of_its_versions(log: Log) -> None:
    import deltalake
    import pyarrow as pa

    place = log.folder.parent
    inner = pa.struct([("a", pa.int32()), ("b", pa.list_(pa.string()))])
    kinds = {
        "i8": pa.int8(),
        "i16": pa.int16(),
        "i32": pa.int32(),
        "i64": pa.int64(),
        "f": pa.float32(),
        "d": pa.float64(),
        "dec": pa.decimal128(10, 2),
        "s": pa.string(),
        "b": pa.binary(),
        "t": pa.bool_(),
        "day": pa.date32(),
        "at": pa.timestamp("us", "UTC"),
        "local": pa.timestamp("us"),
        "r": inner,
        "m": pa.map_(pa.string(), pa.int64()),
    }
    schema = pa.schema([pa.field(name, kind) for name, kind in kinds.items()])
    deltalake.write_deltalake(place, schema.empty_table())
    table = deltalake.DeltaTable(place)
    table.alter.add_columns([deltalake.Field("more", deltalake.schema.PrimitiveType("date"))])
    table.create_checkpoint()
    deltalake.write_deltalake(place, pa.table({"x": pa.array([1], pa.int64())}), mode="overwrite", schema_mode="overwrite")
    table = deltalake.DeltaTable(place)
    table.alter.set_table_properties({"delta.logRetentionDuration": "interval 1 days"})
    look = log.look()
    assert (look.heads().whole, numbers(look)) == (True, [0, 1, 2])
    for version in numbers(look):
        expected = theirs(log, version)
        assert names(look, version) == [field["name"] for field in expected["fields"]]
    assert [str(field.type) for field in look.version(0).schema.fields] == [
        "TINYINT",
        "SMALLINT",
        "INT",
        "BIGINT",
        "FLOAT",
        "DOUBLE",
        "DECIMAL(10, 2)",
        "STRING",
        "BYTES",
        "BOOLEAN",
        "DATE",
        "TIMESTAMP(6) WITH LOCAL TIME ZONE",
        "TIMESTAMP(6)",
        "ROW<`a` INT, `b` ARRAY<STRING>>",
        "MAP<STRING NOT NULL, BIGINT>",
    ]


def test_a_checkpoint_of_deltalake_is_read_after_its_commits_were_cleaned_away(log: Log) -> None:
    import deltalake
    import pyarrow as pa

    place = log.folder.parent
    rows = pa.table({"id": pa.array([1], pa.int64()), "day": ["a"]})
    deltalake.write_deltalake(place, rows, partition_by=["day"], configuration={"delta.logRetentionDuration": "interval 0 days"})
    for _ in range(3):
        deltalake.write_deltalake(place, rows, mode="append")
    table = deltalake.DeltaTable(place)
    table.create_checkpoint()
    log.clean(4)
    look = DeltaMount(log.folder.parent).look("orders")
    assert look is not None
    assert (look.head, look.version(3).schema.partition_keys, look.heads().whole) == (3, ("day",), False)


def test_a_vacuumed_table_has_its_schema(log: Log) -> None:
    import deltalake
    import pyarrow as pa

    place = log.folder.parent
    for number in range(3):
        deltalake.write_deltalake(place, pa.table({"id": pa.array([number], pa.int64())}), mode="overwrite")
    deltalake.DeltaTable(place).optimize.compact()
    deltalake.DeltaTable(place).vacuum(retention_hours=0, enforce_retention_duration=False, dry_run=False)
    assert (log.look().head, names(log.look())) == (0, ["id"])


WIDENED = {"delta.typeChanges": [{"fromType": "integer", "toType": "long"}]}
WRITTEN: dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]]]] = {
    "mapped": ([protocol(2, 5)], [metadata(mapped("id", 1), mapped("new", 2, "col-9", "string"), configuration=MAPPED)]),
    "nested": ([protocol()], [metadata(column("r", struct(column("a", "integer"), column("b", "string"))))]),
    "widened": (
        [protocol(3, 7, "typeWidening")],
        [metadata(column("id", **WIDENED), configuration={"delta.enableTypeWidening": "true"})],
    ),
    "void": ([protocol()], [metadata(column("id"), column("v", "void"))]),
}


@pytest.mark.parametrize("case", WRITTEN)
def test_a_log_that_was_written_by_hand_is_read_as_deltalake_reads_it(log: Log, case: str) -> None:
    first, last = WRITTEN[case]
    log.commit(*first, *last, added())
    assert [field["name"] for field in theirs(log)["fields"]] == names(log.look())
    assert log.look().findings() == ()


@pytest.mark.parametrize(
    "actions", [[protocol(3, 7, "frobnicate"), metadata(column("id"))], [protocol(), metadata(column("id", "frob<3>"))]]
)
def test_what_deltalake_does_not_open_is_read_all_the_same(log: Log, actions: list[dict[str, Any]]) -> None:
    log.commit(*actions)
    with pytest.raises(Exception):  # noqa: B017, PT011  # of whatever class
        theirs(log)
    assert names(log.look()) == ["id"]


@pytest.mark.parametrize("rounds", [12])
def test_while_deltalake_writes_every_look_is_one_of_its_versions(log: Log, rounds: int) -> None:
    import threading

    import deltalake
    import pyarrow as pa

    place = log.folder.parent
    deltalake.write_deltalake(place, pa.table({"c0": pa.array([1], pa.int64())}))
    ended = threading.Event()

    def write() -> None:
        try:
            for number in range(1, rounds):
                table = deltalake.DeltaTable(place)
                table.alter.add_columns([deltalake.Field(f"c{number}", deltalake.schema.PrimitiveType("long"))])
                if number % 4 == 0:
                    deltalake.DeltaTable(place).create_checkpoint()
        finally:
            ended.set()

    writer = threading.Thread(target=write)
    writer.start()
    look = log.look()
    seen = 0
    while not ended.is_set():
        look = log.look(look if seen % 2 else None)
        assert names(look) == [f"c{number}" for number in range(len(names(look)))]
        assert len(names(look)) > seen - 1
        seen = len(names(look))
    writer.join()
    assert len(names(log.look(look))) == rounds
