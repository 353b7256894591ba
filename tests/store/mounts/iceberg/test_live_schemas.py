"""Which schemas the live files were written with: the headers of manifests say it, and what they leave open is said to be open."""

import json
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import NotThereError
from tests.store.mounts.iceberg.support.lakes import Lake, append, metadata_files


def rename(lake: Lake, old: str, new: str) -> None:
    lake.change(lambda update: update.rename_column(old, new))


def test_a_table_without_files_needs_no_schema(lake: Lake) -> None:
    lake.create()
    live = lake.look().live()
    assert (live.numbers, live.holders, live.reason) == (frozenset(), {}, "")


def test_files_need_the_schema_of_their_writer_and_not_that_of_their_snapshot(lake: Lake) -> None:
    table = lake.create()
    append(table)
    rename(lake, "cust", "a")
    rename(lake, "a", "b")
    lake.append()
    look = lake.look()
    assert (look.numbers, look.live().numbers) == ((0, 1, 2), frozenset({0, 2}))
    assert look.live().holders == {0: ("branch main",), 2: ("branch main",)}


def test_branches_and_tags_hold_what_the_table_has_left_behind(lake: Lake) -> None:
    table = lake.create()
    append(table)
    first = table.current_snapshot().snapshot_id
    table.manage_snapshots().create_tag(first, "v1").create_branch(first, "audit").commit()
    rename(lake, "cust", "a")
    table = lake.writer.load_table("shop.orders")
    table.overwrite(_rows(table))
    live = lake.look().live()
    assert (live.numbers, live.holders) == (frozenset({0, 1}), {0: ("branch audit", "tag v1"), 1: ("branch main",)})


def _rows(table: Any) -> Any:
    import pyarrow as pa

    schema = table.schema().as_arrow()
    return pa.Table.from_pylist([{"order_id": 1}], schema=schema)


def test_a_manifest_that_was_rewritten_may_hold_files_of_every_schema(sql: Lake) -> None:
    table = sql.create(properties={"commit.manifest-merge.enabled": "true", "commit.manifest.min-count-to-merge": "2"})
    append(table)
    append(table)
    rename(sql, "cust", "a")
    rename(sql, "a", "b")
    sql.append()
    sql.append()
    live = sql.look().live()
    assert live.numbers == frozenset({0, 1, 2})
    assert "rewritten" in live.reason


@pytest.mark.parametrize(
    "spoil", [lambda place: place.unlink(), lambda place: place.write_bytes(b"Obj\x01 and no more")], ids=["gone", "cut off"]
)
@pytest.mark.parametrize("kind", ["snap-*.avro", "*-m0.avro"])
def test_manifests_that_cannot_be_read_leave_it_open(lake: Lake, spoil: Any, kind: str) -> None:
    table = lake.create()
    append(table)
    (place,) = (Path(lake.folder) / "orders" / "metadata").glob(kind)
    spoil(place)
    live = lake.look().live()
    assert live.numbers is None
    assert place.name[:20] in live.reason or place.name in live.reason


def test_a_schema_that_the_metadata_have_lost_is_read_from_the_manifests(sql: Lake) -> None:
    table = sql.create()
    append(table)
    rename(sql, "cust", "customer")
    place = metadata_files(sql.folder)[-1]
    content = json.loads(place.read_text())
    content["schemas"] = [schema for schema in content["schemas"] if schema["schema-id"] == 1]
    place.write_text(json.dumps(content))
    look = sql.look()
    with pytest.raises(NotThereError):
        look.version(0)
    assert look.live().numbers == frozenset({0})
    assert [field.name for field in look.version(0).schema.fields] == ["order_id", "cust", "amount"]


def test_a_header_that_is_longer_than_a_first_read_is_read_whole(sql: Lake) -> None:
    from pyiceberg.schema import Schema
    from pyiceberg.types import NestedField, StringType

    wide = Schema(*(NestedField(number, f"column_{number}_{'x' * 60}", StringType()) for number in range(1, 900)))
    append(sql.writer.create_table("shop.wide", wide))
    assert sql.look("wide").live().numbers == frozenset({0})


def test_without_the_reader_of_avro_nobody_knows(sql: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    append(sql.create())
    monkeypatch.setitem(sys.modules, "fastavro", None)
    live = sql.look().live()
    assert live.numbers is None
    assert "fastavro" in live.reason
