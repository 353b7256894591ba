"""What an audit proposes about tables and their files, followed: the next audit says nothing of it, and the rows come back."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.formats.spark.struct_json import FIELD_ID
from airflow_provider_schemas.spark import audit, read_table
from tests.spark.support.folders import Folder, rows
from tests.support.companion import Companion
from tests.support.paimon.paimon_lake import Lake

COLUMNS = "id BIGINT NOT NULL, note STRING"


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path, COLUMNS)


@pytest.fixture(scope="module")
def pypaimon() -> Iterator[Companion]:
    companion = Companion(".venv-paimon", "tests.support.paimon.pypaimon_process")
    yield companion
    companion.end()


def told(spark: Any, store: Any) -> dict[str, str]:
    """The rules that an audit names, with what it proposes."""
    return {row["rule"]: row["fix"] for row in audit(spark, store).collect()}


def test_a_file_that_nobody_can_read_is_restored_or_taken_away(classic_spark: Any, folder: Folder) -> None:
    folder.write(classic_spark, [(1, "a")])
    (path,) = folder.files()
    copy = path.read_bytes()
    path.write_bytes(b"PAR1 no more than this")
    path.with_name(f".{path.name}.crc").unlink()
    assert told(classic_spark, folder.store)["FILE_UNREADABLE"].startswith(
        "Take the file away if it is no data of this table, or write it again"
    )
    path.write_bytes(copy)
    (folder.data / "broken.parquet").write_bytes(b"PAR1 no more than this")
    assert list(told(classic_spark, folder.store)) == ["FILE_UNREADABLE"]
    (folder.data / "broken.parquet").unlink()
    assert told(classic_spark, folder.store) == {}
    assert rows(read_table(classic_spark, folder.table)) == [(1, "a")]


def test_a_folder_that_no_version_explains_is_bound_by_the_line_that_is_printed(classic_spark: Any, folder: Folder) -> None:
    folder.evolve("RENAME COLUMN note TO text", "ADD COLUMN note STRING", "DROP COLUMN text")
    classic_spark.sql("SELECT 1L AS id, 'a' AS note").write.parquet(str(folder.data / "old"))
    fix = told(classic_spark, folder.store)["FILE_UNEXPLAINED"]
    assert fix.endswith(".bind('old', version).")
    folder.table.bind("old", 3)
    assert "FILE_UNEXPLAINED" not in told(classic_spark, folder.store)
    assert rows(read_table(classic_spark, folder.table)) == [(1, "a")]


def strange(spark: Any, folder: Folder, *columns: tuple[str, str]) -> str:
    """Write a file whose ids this table never gave, and return what the audit proposes."""
    from pyspark.sql.types import StructField, StructType

    plain = spark.sql(f"SELECT {', '.join(f'{value} AS {name}' for name, value in columns)}")
    marked = [StructField(one.name, one.dataType, True, {FIELD_ID: number}) for number, one in enumerate(plain.schema, 98)]
    spark.createDataFrame(plain.collect(), StructType(marked)).coalesce(1).write.parquet(str(folder.data))
    said = told(spark, folder.store)
    assert list(said) == ["FILE_DIFFERS"]
    return said["FILE_DIFFERS"]


def test_a_file_to_which_somebody_else_gave_ids_is_bound(classic_spark: Any, folder: Folder) -> None:
    fix = strange(classic_spark, folder, ("id", "1L"), ("note", "'a'"))
    assert "If somebody else gave these ids: Say with which version" in fix
    folder.table.bind(fix.partition(".bind('")[2].partition("'")[0], 0)
    assert told(classic_spark, folder.store) == {}
    assert rows(read_table(classic_spark, folder.table)) == [(1, "a")]


def test_a_file_of_another_table_is_taken_away(classic_spark: Any, folder: Folder) -> None:
    assert "Take the file away if it is of another table." in strange(classic_spark, folder, ("total", "1L"))
    for path in folder.files():
        path.unlink()
    folder.write(classic_spark, [(1, "a")])
    assert told(classic_spark, folder.store) == {}
    assert rows(read_table(classic_spark, folder.table)) == [(1, "a")]


def test_a_column_behind_a_broken_chain_of_types_makes_room_for_a_new_one(classic_spark: Any, tmp_path: Path) -> None:
    folder = Folder(tmp_path, "id BIGINT NOT NULL, day DATE")
    classic_spark.sql("SELECT 1L AS id, DATE'2026-11-19' AS day").write.parquet(str(folder.data))
    for kind in ("STRING", "INT"):
        folder.retype("day", kind)
    assert told(classic_spark, folder.store)["TYPE_CHAIN_BROKEN"] == RULES["TYPE_CHAIN_BROKEN"].fix
    folder.evolve("ADD COLUMN number INT", "DROP COLUMN day")
    folder.write(classic_spark, [(2, 20261119)])
    assert told(classic_spark, folder.store) == {}
    assert rows(read_table(classic_spark, folder.table)) == [(1, None), (2, 20261119)]


def test_a_schema_file_that_files_need_is_restored_from_a_copy(classic_spark: Any, pypaimon: Companion, tmp_path: Path) -> None:
    lake = Lake(pypaimon, tmp_path / "lake")
    lake.create().write().add("a").write({"k": 2, "a": "x"})
    path = lake.path / "schema/schema-0"
    copy = path.read_bytes()
    path.unlink()
    assert told(classic_spark, lake.store) == {"VERSION_MISSING": "Restore it from a backup."}
    path.write_bytes(copy)
    assert told(classic_spark, lake.store) == {}
    assert len(rows(read_table(classic_spark, lake.store.table("shop.orders")))) == 2


def test_a_version_that_cannot_be_read_is_mended_as_its_sentence_says(classic_spark: Any, tmp_path: Path) -> None:
    from airflow_provider_schemas.store import SchemaStore

    store = SchemaStore(tmp_path / "lake", actor="ana")
    store.create_table("shop.orders", COLUMNS)
    path = tmp_path / "lake/shop.db/orders/schema/schema-0"
    copy = path.read_bytes()
    path.write_bytes(copy[:100])
    assert list(told(classic_spark, store)) == ["TABLE_UNREAD"]
    assert told(classic_spark, store)["TABLE_UNREAD"]
    path.write_bytes(copy)
    assert told(classic_spark, store) == {}
