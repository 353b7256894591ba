"""What `read_table` makes of the same files: the table is made, its rows are written, it is evolved as the case says, and read."""

from pathlib import Path
from typing import Any, get_args

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.core.projection.projection import Casts
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats import load
from airflow_provider_schemas.spark import read_table, write_files
from airflow_provider_schemas.store import SchemaStore
from tests.lies.cases import Case
from tests.lies.plain import frame, settings
from tests.lies.showing import ERROR, REFUSED_CHANGE, failure, rows

NAME = "lies.t"


def made(spark: Any, case: Case, folder: Path) -> tuple[Any, str]:
    """The table, evolved, with its rows in Parquet files and, written by nobody's ids, in ORC files; and why it could not be."""
    place = folder / "parquet"
    store = SchemaStore(folder / "lake", actor="ana")
    store.adopt(NAME, str(place), _first(case))
    table = store.table(NAME)
    for number, written in enumerate(case.written):
        if number:
            _evolve(table, case.changes[number - 1])
        rows_of_then = frame(spark, written).coalesce(1)
        write_files(rows_of_then, table, str(place))
        rows_of_then.write.format("orc").mode("append").save(str(folder / "orc"))
    for change in case.changes[len(case.written) - 1 :]:
        try:
            _evolve(table, change)
        except SchemaError as error:
            return table, f"{REFUSED_CHANGE}{error.code}"
    return table, ""


def _first(case: Case) -> TableSchema:
    if case.started:
        return TableSchema.create(case.started)
    schema: TableSchema = load("spark-ddl", case.written[0].columns).schema
    return schema


def _evolve(table: Any, changes: str) -> None:
    table.evolve([one.strip() for one in changes.split(";")], override="to see what becomes of the files")


def answers(spark: Any, case: Case, table: Any, refused: str) -> dict[str, str]:
    """What is read with the casts checked, and as Paimon's Java code casts."""
    return {casts: refused or _answer(spark, case, table, casts) for casts in get_args(Casts)}


def _answer(spark: Any, case: Case, table: Any, casts: Casts) -> str:
    with settings(spark, {case.conf: "true"} if case.conf else {}):
        try:
            found = read_table(spark, table, casts=casts)
            return rows(found.where(case.query) if case.query else found)
        except SchemaError as error:
            return f"{ERROR}{error.code}"
        except Exception as error:  # noqa: BLE001  # what Spark says while it reads
            return failure(error)
