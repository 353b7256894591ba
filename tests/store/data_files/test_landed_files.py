"""Which files a table has, and with which version each was written: on tables that pypaimon writes."""

import datetime
import io
import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fastavro
import pytest

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.errors import ContractError, FormatError, NotThereError, SchemaError
from airflow_provider_schemas.store import SchemaStore, Table
from airflow_provider_schemas.store.data_files.landed_files import Landed, Landing
from airflow_provider_schemas.store.data_files.partition_search import parse_partition
from tests.support.companion import Companion, Warehouse
from tests.support.paimon.other_manifests import FORMATS, rewrite_lists

TEXT = TableSchema.create(columns="k INT, dt STRING", partition_keys=["dt"])
ROWS = [{"id": 0, "name": "k", "type": "BIGINT"}, {"id": 1, "name": "dt", "type": "STRING"}, {"id": 2, "name": "region", "type": "INT"}]


@pytest.fixture(scope="module")
def pypaimon() -> Iterator[Companion]:
    companion = Companion(".venv-paimon", "tests.support.paimon.pypaimon_process")
    yield companion
    companion.end()


class Lake:
    """A warehouse that pypaimon writes and we look at."""

    def __init__(self, companion: Companion, folder: Path) -> None:
        self.folder = folder
        self.theirs, self.store = Warehouse(companion, folder), SchemaStore(folder)

    def create(self, keys: list[str] | None = None, fields: Any = None, **options: str) -> Table:
        about = {"partition_keys": ["dt"] if keys is None else keys, "primary_keys": [], "options": options}
        self.theirs.ask("create", "shop.orders", fields=fields or ROWS, **about)
        return self.store.table("shop.orders")

    def add(self, column: str) -> None:
        self.theirs.ask("alter", "shop.orders", changes=[{"action": "addColumn", "fieldNames": [column], "dataType": "STRING"}])

    def write(self, dt: Any = "2026-11-18", **more: Any) -> None:
        """One row of one partition in one snapshot; `over` overwrites it, other columns are passed by name."""
        about = {key: more.pop(key) for key in ("branch", "over") if key in more}
        columns = {one.name: None for one in self.store.table("shop.orders").schema().fields}
        self.theirs.ask("write", "shop.orders", rows=[{**columns, "k": 1, "region": 7, "dt": dt, **more}], **about)

    def landed(self, partition: Any = None, branch: str | None = None) -> Landed:
        return Landing(self.store.table("shop.orders", branch), partition).look()


@pytest.fixture
def lake(pypaimon: Companion, tmp_path: Path) -> Lake:
    return Lake(pypaimon, tmp_path / "lake")


def versions(found: Landed) -> dict[int, int]:
    return dict(found.versions)


# ---------------------------------------------------------------- what is there


def test_a_column_in_the_schema_is_in_no_file_until_one_is_written(lake: Lake) -> None:
    lake.create()
    lake.write()
    lake.add("coupon")
    assert versions(lake.landed({"dt": "2026-11-18"})) == {0: 1}
    lake.write(coupon="x")
    assert versions(lake.landed({"dt": "2026-11-18"})) == {0: 1, 1: 1}
    assert lake.landed().files == 2


def test_only_the_files_of_the_partition_count(lake: Lake) -> None:
    lake.create()
    for day in ("2026-11-17", "2026-11-18", "2026-11-18", "x"):
        lake.write(day)
    assert lake.landed({"dt": "2026-11-18"}).files == 2
    assert lake.landed({"dt": "2026-11-19"}).files == 0
    assert lake.landed({"dt": "x"}).files == 1
    assert lake.landed().files == 4


def test_files_that_were_overwritten_are_gone(lake: Lake) -> None:
    lake.create()
    lake.write()
    lake.add("coupon")
    lake.write(over=True)
    assert versions(lake.landed({"dt": "2026-11-18"})) == {1: 1}


def test_a_table_without_a_snapshot_has_no_files(lake: Lake) -> None:
    lake.create()
    assert lake.landed({"dt": "2026-11-18"}) == Landed(table="shop.orders", partition="dt=2026-11-18")


def test_some_of_the_partition_keys_are_enough(lake: Lake) -> None:
    lake.create(["dt", "region"])
    lake.write(region=1)
    lake.write(region=2)
    lake.write("2026-11-19", region=2)
    assert lake.landed({"dt": "2026-11-18"}).files == 2
    assert lake.landed({"region": "2"}).files == 2
    assert lake.landed({"region": 2, "dt": "2026-11-18"}).files == 1


def test_a_table_without_partitions_is_looked_at_as_a_whole(lake: Lake) -> None:
    lake.create([])
    lake.write()
    assert versions(lake.landed()) == {0: 1}
    with pytest.raises(ContractError, match="It has no partitions: leave partition out"):
        lake.landed({"dt": "2026-11-18"})


def test_a_branch_has_files_of_its_own(lake: Lake) -> None:
    lake.create()
    lake.write()
    lake.theirs.ask("tag", "shop.orders", tag="t")
    lake.theirs.ask("branch", "shop.orders", branch="dev", tag="t")
    lake.write(branch="dev")
    assert lake.landed({"dt": "2026-11-18"}, "dev").files == 2
    assert lake.landed({"dt": "2026-11-18"}).files == 1


@pytest.mark.parametrize(
    ("kind", "written", "asked"),
    [
        ("DATE", datetime.date(2026, 11, 18), "2026-11-18"),
        ("DATE", datetime.date(1969, 12, 31), datetime.date(1969, 12, 31)),
        ("INT", -5, "-5"),
        ("BIGINT", 2**40, 2**40),
        ("SMALLINT", 300, "300"),
        ("TINYINT", -3, -3),
        ("BOOLEAN", True, "true"),
        ("STRING", "seven77", "seven77"),
        ("STRING", "eight888", "eight888"),
        ("STRING", "größer als sieben", "größer als sieben"),
        ("STRING", None, None),
        ("STRING", None, "__DEFAULT_PARTITION__"),
        ("INT", None, None),
    ],
)
def test_partitions_are_compared_by_their_values(lake: Lake, kind: str, written: Any, asked: Any) -> None:
    lake.create(fields=[{**one, "type": kind} if one["name"] == "dt" else one for one in ROWS])
    lake.write(written)
    assert lake.landed({"dt": asked}).files == 1
    other = "2020-01-01" if kind == "DATE" else "false" if kind == "BOOLEAN" else "9"
    assert lake.landed({"dt": other}).files == 0


# ---------------------------------------------------------------- looking again


def test_a_look_again_is_one_listing_and_reads_only_what_is_new(lake: Lake) -> None:
    lake.create()
    lake.write()
    table = lake.store.table("shop.orders")
    landing = Landing(table, {"dt": "2026-11-18"})
    landing.look()

    def asked() -> list[int]:
        before = table.place.files.count.snapshot()
        landing.look()
        return [now - then for now, then in zip(table.place.files.count.snapshot(), before, strict=True)]

    assert asked() == [1, 0, 0]
    for _ in range(5):
        lake.write()
    first = asked()
    assert first[0] == 1
    lake.write()
    # The snapshot, its two lists, and the one manifest that is new: not those that were read before.
    assert asked() == [1, 4, 0]
    assert landing.look().files == 7


def test_manifests_of_other_partitions_are_not_read(lake: Lake) -> None:
    lake.create()
    for day in range(10, 20):
        lake.write(f"2026-11-{day}")
    table = lake.store.table("shop.orders")
    table.schema()
    before = table.place.files.count.snapshot()[1]
    assert Landing(table, {"dt": "2026-11-18"}).look().files == 1
    # The snapshot, its two lists, and one of ten manifests.
    assert table.place.files.count.snapshot()[1] - before == 4
    assert Landing(table, {"dt": None}).look().files == 0


def test_snapshots_that_are_expired_meanwhile_are_looked_for_anew(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    lake.create()
    lake.write()
    lake.write()
    landing, folder = Landing(lake.store.table("shop.orders")), lake.folder / "shop.db/orders/snapshot"
    real, held = Landing._newest, (folder / "snapshot-2").read_bytes()
    (folder / "snapshot-2").unlink()

    def newest(self: Landing) -> Any:
        if not (folder / "snapshot-2").exists():
            (folder / "snapshot-2").write_bytes(held)
            return (1 + 2, "gone")
        return real(self)

    monkeypatch.setattr(Landing, "_newest", newest)
    assert landing.look().snapshot == 2


# ---------------------------------------------------------------- refused


def test_a_table_that_is_no_paimon_table_is_refused(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path, layout="registry")
    store.create_table("shop.orders", "k INT")
    with pytest.raises(ContractError, match="Only a Paimon table tells") as caught:
        Landing(store.table("shop.orders")).look()
    assert "until='schema'" in str(caught.value)


def test_a_table_that_is_not_there_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NotThereError):
        Landing(SchemaStore(tmp_path).table("shop.orders")).look()


def test_all_that_is_wrong_with_a_partition_is_told_at_once() -> None:
    schema = TableSchema.create(columns="k INT, d DATE, ts TIMESTAMP, dt STRING", partition_keys=["d", "ts", "dt"])
    with pytest.raises(ContractError) as caught:
        parse_partition(schema, {"x": 1, "d": "yesterday", "ts": "2026-11-18 00:00:00"}, "shop.orders")
    assert [one.path for one in caught.value.faults] == ["partition.x", "partition.d", "partition.ts"]
    assert "Its keys are d, ts, dt." in str(caught.value)


@pytest.mark.parametrize("value", [[], {}, b"x", object()])
def test_what_is_no_text_is_none(value: Any) -> None:
    with pytest.raises(ContractError):
        parse_partition(TEXT, {"dt": value}, "shop.orders")


@pytest.mark.parametrize("value", [2.5, True, "1.5", "", "x" * 10_000, [], {}, b"1", "1e3", object()])
def test_what_is_no_value_of_a_key_is_refused(value: Any) -> None:
    schema = TableSchema.create(columns="k INT, n INT", partition_keys=["n"])
    with pytest.raises(ContractError):
        parse_partition(schema, {"n": value}, "shop.orders")


# ---------------------------------------------------------------- hostile bytes


def row(*slots: bytes, keys: int | None = None, tail: bytes = b"", bits: bytes = bytes(8)) -> bytes:
    return struct.pack(">I", len(slots) if keys is None else keys) + bits + b"".join(slots) + tail


@pytest.mark.parametrize(
    "data",
    [b"", b"\0\0\0\1", row(b"x" * 7 + b"\x81", keys=2), row(struct.pack("<II", 100, 16)), row(struct.pack("<II", 4, 2**30)), row(keys=1)],
)
def test_rows_that_are_cut_off_are_broken_and_nothing_worse(data: bytes) -> None:
    with pytest.raises(FormatError):
        parse_partition(TEXT, {"dt": "x"}, "shop.orders").holds(data)


def test_a_long_text_stands_where_its_slot_says() -> None:
    wanted = parse_partition(TEXT, {"dt": "2026-11-18"}, "shop.orders")
    assert wanted.holds(row(struct.pack("<II", 10, 16), tail=b"2026-11-18\0\0\0\0\0\0"))
    assert not wanted.holds(row(struct.pack("<II", 10, 16), tail=b"2026-11-19\0\0\0\0\0\0"))


def _manifest(entries: list[dict[str, Any]]) -> bytes:
    file = {"type": "record", "name": "F", "fields": [{"name": "_FILE_NAME", "type": "string"}, {"name": "_SCHEMA_ID", "type": "long"}]}
    fields = [{"name": "_KIND", "type": "int"}, {"name": "_PARTITION", "type": "bytes"}, {"name": "_FILE", "type": file}]
    out = io.BytesIO()
    fastavro.writer(out, fastavro.parse_schema({"type": "record", "name": "E", "fields": fields}), entries)
    return out.getvalue()


def _entry(kind: int = 0, schema: int = 0, name: str = "data-1.parquet") -> dict[str, Any]:
    return {"_KIND": kind, "_PARTITION": row(b"x" + bytes(6) + b"\x81"), "_FILE": {"_FILE_NAME": name, "_SCHEMA_ID": schema}}


@pytest.mark.parametrize("entry", [_entry(kind=2), _entry(schema=-1), _entry(schema=2**40), _entry(name="../../x")])
def test_entries_that_mean_nothing_are_broken(lake: Lake, entry: dict[str, Any]) -> None:
    _replaced(lake, [entry])
    with pytest.raises(SchemaError):
        lake.landed()


def test_a_file_that_moved_to_another_level_is_there_once(lake: Lake) -> None:
    """Compaction says of it that it went and that it came, under one name, in any order."""
    _replaced(lake, [_entry(1), _entry(0), _entry(0)])
    assert versions(lake.landed()) == {0: 1}


def test_a_manifest_that_is_cut_off_is_named(lake: Lake) -> None:
    path = _replaced(lake, [_entry()])
    path.write_bytes(path.read_bytes()[:-4])
    with pytest.raises(FormatError, match="manifest-"):
        lake.landed()


def test_a_snapshot_that_cannot_be_read_is_named(lake: Lake) -> None:
    lake.create()
    lake.write()
    (lake.folder / "shop.db/orders/snapshot/snapshot-1").write_text(json.dumps({"version": 3, "id": 1}))
    with pytest.raises(FormatError, match="snapshot-1"):
        lake.landed()


def _replaced(lake: Lake, entries: list[dict[str, Any]]) -> Path:
    """The manifest of a table's only snapshot, with other entries; the list that names it does not say its size any more."""
    lake.create()
    lake.write()
    folder = lake.folder / "shop.db/orders/manifest"
    (path,) = [one for one in folder.iterdir() if "list" not in one.name]
    data = _manifest(entries)
    bounds = [{"name": name, "type": "bytes"} for name in ("_MIN_VALUES", "_MAX_VALUES")]
    fields = [
        {"name": "_FILE_NAME", "type": "string"},
        {"name": "_FILE_SIZE", "type": "long"},
        {"name": "_PARTITION_STATS", "type": {"type": "record", "name": "S", "fields": bounds}},
    ]
    record = {"_FILE_NAME": path.name, "_FILE_SIZE": len(data), "_PARTITION_STATS": {"_MIN_VALUES": b"", "_MAX_VALUES": b"?"}}
    snapshot = json.loads((lake.folder / "shop.db/orders/snapshot/snapshot-1").read_text())
    for key in ("baseManifestList", "deltaManifestList"):
        out = io.BytesIO()
        kind = fastavro.parse_schema({"type": "record", "name": "L", "fields": fields})
        fastavro.writer(out, kind, [record] if key == "deltaManifestList" else [])
        (folder / snapshot[key]).write_bytes(out.getvalue())
        snapshot.pop(f"{key}Size", None)
    (lake.folder / "shop.db/orders/snapshot/snapshot-1").write_text(json.dumps(snapshot))
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("kind", FORMATS)
def test_manifests_in_another_format_are_healthy_and_the_schema_can_be_waited_for(lake: Lake, kind: str) -> None:
    lake.create()
    lake.write()
    names = rewrite_lists(lake.folder / "shop.db/orders", kind)
    with pytest.raises(FormatError) as caught:
        lake.landed()
    assert (caught.value.code, caught.value.path in names) == ("paimon.manifest-format", True)
    assert "The table is healthy" in caught.value.message
    assert "until='schema'" in caught.value.fix
    assert "backup" not in str(caught.value)
