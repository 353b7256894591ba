"""What a gate reads of files that Spark wrote: every column is what the table says, without Spark."""

from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.store import SchemaStore, judge

COLUMNS = (
    "id BIGINT, t TINYINT, n DECIMAL(10, 2), at TIMESTAMP(6) WITH LOCAL TIME ZONE, ntz TIMESTAMP(6), d DATE, "
    "l ARRAY<STRING>, m MAP<STRING, INT>, r ROW<x INT, y ARRAY<ROW<z STRING>>>, raw BYTES, dt STRING"
)
ROW = (
    "SELECT 1L id, 1Y t, 1.20BD n, timestamp'2026-01-01 00:00:00' at, timestamp_ntz'2026-01-01 00:00:00' ntz, date'2026-01-01' d, "
    "array('x') l, map('k', 1) m, named_struct('x', 1, 'y', array(named_struct('z', 'a'))) r, X'00' raw, '2026-01-01' dt"
)


@pytest.mark.parametrize("kind", ["parquet", "orc"])
def test_the_footer_of_a_file_by_spark_is_explained_by_the_version_that_it_was_written_as(
    classic_spark: Any, tmp_path: Path, kind: str
) -> None:
    classic_spark.sql(ROW.replace("1.20BD", "cast(1.20 as decimal(10, 2))")).write.partitionBy("dt").format(kind).save(
        str(tmp_path / "data")
    )
    (tmp_path / "lake").mkdir()
    store = SchemaStore(tmp_path / "lake")
    assert store.adopt("shop.orders", str(tmp_path / "data"), COLUMNS, format=kind).notes == ()
    (answer,) = judge(store, {"shop.orders": COLUMNS}).tables
    assert (answer.judged_by, answer.report.findings, answer.report.notes) == ("footer (1 of 1)", (), ())
    classic_spark.sql("SELECT 1L id, '2026-01-02' dt, 1 customer").write.partitionBy("dt").mode("append").format(kind).save(
        str(tmp_path / "data")
    )
    (answer,) = judge(store, {"shop.orders": "id BIGINT, t TINYINT, dt STRING"}).tables
    assert [(one.rule, one.path) for one in answer.report.findings] == [("EXPECT_FIELD_MISSING", "t")]
