"""An audit looks into the footers of data files: what cannot be read, what no version explains, what nobody turns into today's table."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.formats.spark.struct_json import FIELD_ID
from airflow_provider_schemas.spark import audit, summarize
from tests.spark.support.folders import NAME, Folder
from tests.support.companion import Companion
from tests.support.paimon.paimon_lake import Lake

COLUMNS = "id BIGINT NOT NULL, day DATE, note STRING"


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path, COLUMNS)


def found(spark: Any, folder: Folder, **about: Any) -> dict[str, Any]:
    """The findings about data files, by rule."""
    return {one["rule"]: one for one in audit(spark, folder.store, **about).collect() if one["files"]}


def test_files_that_are_what_their_version_says_are_fine_and_counted(spark: Any, folder: Folder) -> None:
    folder.write(spark, [(1, None, "a")])
    folder.evolve("ADD COLUMN more STRING")
    folder.write(spark, [(2, None, "b", "c")])
    findings = audit(spark, folder.store)
    assert findings.count() == 0
    assert (summarize(findings).tables, summarize(findings).files) == (1, 2)


def test_each_way_in_which_a_file_can_be_wrong_is_one_finding(spark: Any, folder: Folder) -> None:
    folder.write(spark, [(1, None, "a")])
    shutil.copy(folder.files()[0], folder.data / "again.parquet")
    _alien(spark, folder)
    spark.createDataFrame([(1,)], "other INT").coalesce(1).write.mode("append").parquet(str(folder.data))
    (folder.data / "broken.parquet").write_bytes(b"PAR1 no more than this")
    _chained(folder)
    rows = found(spark, folder)
    assert {rule: one["files"] for rule, one in rows.items()} == {
        "FILE_UNREADABLE": 1,
        "FILE_DIFFERS": 1,
        "FILE_UNEXPLAINED": 1,
        "TYPE_CHAIN_BROKEN": 2,
    }
    assert rows["FILE_UNREADABLE"]["file"].endswith("/broken.parquet")
    assert (rows["FILE_DIFFERS"]["fault"], rows["FILE_UNEXPLAINED"]["fault"]) == ("read.unknown-id", "read.unknown-file")
    assert rows["TYPE_CHAIN_BROKEN"]["path"] == "day"
    assert "and 1 more: " in rows["TYPE_CHAIN_BROKEN"]["message"]


def test_without_data_no_file_is_looked_at(classic_spark: Any, folder: Folder) -> None:
    (folder.data).mkdir()
    (folder.data / "broken.parquet").write_bytes(b"PAR1 no more than this")
    assert not found(classic_spark, folder, data=False)
    assert found(classic_spark, folder)


def test_a_binding_explains_what_no_version_equals(classic_spark: Any, folder: Folder) -> None:
    folder.write(classic_spark, [(1, None, "a")], ids=False, inside="old")
    folder.evolve("RENAME COLUMN note TO text", "RENAME COLUMN day TO note", "RENAME COLUMN text TO day")
    classic_spark.createDataFrame([(1, "a")], "id BIGINT, note STRING").write.parquet(str(folder.data / "less"))
    assert "FILE_UNEXPLAINED" in found(classic_spark, folder)
    folder.table.bind("less", 0)
    assert not found(classic_spark, folder)


def _alien(spark: Any, folder: Folder) -> None:
    """A file whose ids nobody of this table gave."""
    from pyspark.sql.types import LongType, StructField, StructType

    struct = StructType([StructField("total", LongType(), True, {FIELD_ID: 99})])
    spark.createDataFrame([(1,)], struct).coalesce(1).write.mode("append").parquet(str(folder.data))


def _chained(folder: Folder) -> None:
    """DATE becomes STRING, and STRING becomes INT, as somebody did who looked at the last step only."""
    path = folder.store.registry
    table = folder.table
    for number, kind in ((1, "STRING"), (2, "INT")):
        head = table.schema().to_json().replace('"type" : "DATE"', f'"type" : "{kind}"') if number == 1 else table.schema().to_json()
        text = head.replace('"name" : "day",\n    "type" : "STRING"', f'"name" : "day",\n    "type" : "{kind}"')
        path.put(
            f"shop.db/orders/schema/schema-{number}",
            text.replace(f'"id" : {number - 1},\n  "fields"', f'"id" : {number},\n  "fields"').encode(),
        )


# ---------------------------------------------------------------- Paimon


@pytest.fixture(scope="module")
def pypaimon() -> Iterator[Companion]:
    companion = Companion(".venv-paimon", "tests.support.paimon.pypaimon_process")
    yield companion
    companion.end()


@pytest.fixture
def lake(pypaimon: Companion, tmp_path: Path) -> Lake:
    return Lake(pypaimon, tmp_path / "lake")


def test_the_files_of_a_table_of_paimon_are_found_by_its_manifests(classic_spark: Any, lake: Lake) -> None:
    lake.create().write().add("a").write({"k": 2, "a": "x"})
    findings = audit(classic_spark, lake.store)
    assert (findings.count(), summarize(findings).files) == (0, 2)


def test_a_version_that_files_need_and_that_is_gone_is_told_with_them(classic_spark: Any, lake: Lake) -> None:
    lake.create().write().add("a").write({"k": 2, "a": "x"})
    (lake.path / "schema/schema-0").unlink()
    (row,) = audit(classic_spark, lake.store).collect()
    assert (row["table"], row["rule"], row["verdict"]) == (NAME, "VERSION_MISSING", "break")


def test_a_data_file_that_is_gone_is_told(classic_spark: Any, lake: Lake) -> None:
    lake.create().write()
    (lake.folder / lake.live().files[0].path).unlink()
    (row,) = audit(classic_spark, lake.store).collect()
    assert (row["rule"], row["files"]) == ("FILE_UNREADABLE", 1)


def test_a_manifest_that_cannot_be_read_is_told(classic_spark: Any, lake: Lake) -> None:
    lake.create().write()
    for path in (lake.path / "manifest").iterdir():
        path.write_bytes(b"no Avro")
    assert {one["rule"] for one in audit(classic_spark, lake.store).collect()} == {"TABLE_UNREAD"}


def test_a_table_whose_rows_are_merged_by_key_is_left_to_its_connector(classic_spark: Any, lake: Lake) -> None:
    lake.create(primary=("k",), options={"bucket": "1"}).write()
    assert audit(classic_spark, lake.store).count() == 0
