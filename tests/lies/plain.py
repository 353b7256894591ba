"""What plain Spark reads: the schema that the table has now is handed to it, and the folder with all files."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from airflow_provider_schemas.spark.struct_types import struct_type
from tests.lies.cases import BY_ID, Case, Written
from tests.lies.showing import failure, rows

# How Spark can read: the format of the files, and what is switched off.
WAYS: Mapping[str, tuple[str, str]] = {
    "vectorized": ("parquet", ""),
    "row": ("parquet", "spark.sql.parquet.enableVectorizedReader"),
    "ORC": ("orc", ""),
}


def answers(spark: Any, case: Case, table: Any, folder: Path) -> dict[str, str]:
    """What each way of reading makes of the files that lie below the folder."""
    return {
        name: _answer(spark, case, declared(spark, case, table), folder / way[0], way)
        for name, way in WAYS.items()
        if case.everywhere or name == "vectorized"
    }


def _answer(spark: Any, case: Case, schema: Any, folder: Path, way: tuple[str, str]) -> str:
    form, off = way
    with settings(spark, {**({off: "false"} if off else {}), **({case.conf: "true"} if case.conf else {})}):
        try:
            reader = spark.read.format(form)
            frame = (reader if schema is None else reader.schema(schema)).load(str(folder))
            return rows(frame.where(case.query) if case.query else frame)
        except Exception as error:  # noqa: BLE001  # whatever Spark says is the answer
            return failure(error)


def declared(spark: Any, case: Case, table: Any) -> Any:
    """The wanted schema as a job declares it, if it does; with the ids of the fields, where Spark is told to go by them."""
    if not case.wanted:
        return None
    return struct_type(table.schema()) if case.conf == BY_ID else spark.createDataFrame([], case.wanted).schema


def frame(spark: Any, written: Written) -> Any:
    """Rows as a job of their time had them."""
    schema = spark.createDataFrame([], written.columns).schema
    rows_of_then = spark.sql(f"SELECT * FROM VALUES ({written.rows}) AS t({', '.join(f'`{name}`' for name in schema.names)})")
    return rows_of_then.select(*(rows_of_then[one.name].cast(one.dataType) for one in schema))


@contextmanager
def settings(spark: Any, wanted: Mapping[str, str]) -> Iterator[None]:
    """Settings of a session for a while."""
    before = {key: spark.conf.get(key, None) for key in wanted}
    for key, one in wanted.items():
        spark.conf.set(key, one)
    try:
        yield
    finally:
        for key, old in before.items():
            spark.conf.unset(key) if old is None else spark.conf.set(key, old)
