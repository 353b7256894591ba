"""What happens without any file of an older type: when a frame is written, or two are put together."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.spark import validate
from tests.lies.showing import rows


class Probe(NamedTuple):
    """One thing that happens when frames are written or joined."""

    title: str
    expected: str
    ask: Callable[[Any, Path], dict[str, str]]


def _null_into_not_null(spark: Any, folder: Path) -> dict[str, str]:
    spark.sql(f"CREATE TABLE lies_not_null (id INT NOT NULL) USING parquet LOCATION '{folder}'")
    try:
        spark.sql("INSERT INTO lies_not_null SELECT CAST(NULL AS INT)")
        found = rows(spark.table("lies_not_null"))
    finally:
        spark.sql("DROP TABLE lies_not_null")
    frame = spark.sql("SELECT CAST(NULL AS INT) AS id")
    return {"vectorized": found, "checked": _found(frame, "id INT NOT NULL")}


def _union_by_name(spark: Any, _folder: Path) -> dict[str, str]:
    both = spark.sql("SELECT 7 AS v").unionByName(spark.sql("SELECT '8' AS v"))
    return {"vectorized": f"{both.schema['v'].dataType.simpleString()}: {rows(both)}", "checked": _found(both, "v STRING")}


def _found(frame: Any, columns: str) -> str:
    """What `validate` finds."""
    report = validate(frame, TableSchema.create(columns)).report
    return ", ".join(f"{one.rule} {one.path}" for one in report.findings)


PROBES = (
    Probe("NULL is inserted into a column that is NOT NULL", "an error", _null_into_not_null),
    Probe("a column of INT and one of STRING are put together by unionByName", "an error", _union_by_name),
)
