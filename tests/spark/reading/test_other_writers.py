"""Files that were not written by Spark are read as what they hold, or refused with their names before a row is read."""

from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import ProjectionError, SparkError
from airflow_provider_schemas.spark import read_table
from tests.spark.support.folders import Folder, rows


def write(folder: Folder, name: str, **columns: Any) -> None:
    """One file as Arrow writes it, with columns of these values and Arrow's types."""
    import pyarrow as pa
    from pyarrow import parquet

    made = {key: pa.array(values, getattr(pa, kind)() if isinstance(kind, str) else kind) for key, (values, kind) in columns.items()}
    path = folder.data / name
    path.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(pa.table(made), path)


@pytest.mark.parametrize("vectorized", ["true", "false"])
def test_numbers_without_a_sign_stay_what_they_are_when_the_column_becomes_a_decimal(
    classic_spark: Any, tmp_path: Path, vectorized: str
) -> None:
    folder = Folder(tmp_path, "a SMALLINT, b INT, c BIGINT, d DECIMAL(20, 0)")
    most = (2**8 - 1, 2**16 - 1, 2**32 - 1, 2**64 - 1)
    write(folder, "x.parquet", **{name: ([value], f"uint{8 << at}") for at, (name, value) in enumerate(zip("abcd", most, strict=True))})
    assert rows(read_table(classic_spark, folder.table)) == [most]
    for name in "abcd":
        folder.retype(name, "DECIMAL(22, 0)")
    classic_spark.conf.set("spark.sql.parquet.enableVectorizedReader", vectorized)
    try:
        assert rows(read_table(classic_spark, folder.table)) == [most]
    finally:
        classic_spark.conf.unset("spark.sql.parquet.enableVectorizedReader")


def test_a_column_that_pandas_saw_no_value_of_is_null(classic_spark: Any, tmp_path: Path) -> None:
    folder = Folder(tmp_path, "id INT, coupon STRING")
    write(folder, "a.parquet", id=([1], "int32"), coupon=([None], "null"))
    write(folder, "b.parquet", id=([2], "int32"), coupon=(["x"], "string"))
    write(folder, "old/c.parquet", coupon=([None], "null"))
    folder.table.bind("old", 0)
    assert rows(read_table(classic_spark, folder.table)) == [(1, None), (2, "x"), (None, None)]
    folder.evolve("RENAME COLUMN coupon TO code")
    assert rows(read_table(classic_spark, folder.table, columns=["code"])) == [("x",), (None,), (None,)]
    write(folder, "d.parquet", id=([4], "int32"), other=([None], "null"))
    with pytest.raises(ProjectionError, match=r"d\.parquet: .* more columns \(other\)"):
        read_table(classic_spark, folder.table)


def test_times_that_are_finer_than_spark_s_are_refused_with_the_file_where_they_are_selected(classic_spark: Any, tmp_path: Path) -> None:
    import pyarrow as pa

    folder = Folder(tmp_path, "id INT, at TIMESTAMP(6)")
    write(folder, "a.parquet", id=([1], "int32"), at=([7], pa.timestamp("us")))
    write(folder, "b.parquet", id=([2], "int32"), at=([7_001], pa.timestamp("ns")))
    with pytest.raises(SparkError, match=r"^at: the file .*b\.parquet has it as TIMESTAMP\(9\): .* microseconds"):
        read_table(classic_spark, folder.table)
    assert rows(read_table(classic_spark, folder.table, columns=["id"])) == [(1,), (2,)]


def test_a_column_may_be_called_as_a_type_is_written(classic_spark: Any, tmp_path: Path) -> None:
    folder = Folder(tmp_path, "id INT, `Price (EUR)` DOUBLE, `a = 5` INT")
    write(folder, "a.parquet", **{"id": ([1], "int32"), "Price (EUR)": ([1.5], "float64"), "a = 5": ([7], "int32")})
    assert rows(read_table(classic_spark, folder.table)) == [(1, 1.5, 7)]
