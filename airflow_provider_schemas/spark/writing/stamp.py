"""Stamping: the ids of a table's fields as metadata of a frame's columns, from where Spark's own writer puts them into Parquet.

So a job keeps its writer. Stamping is the last step before the write: a `withColumn` behind it takes the id off its column again. In a
folder that holds files without ids too, plain Spark stops at these as soon as its columns have ids, unless it is told to pass over ids that
are missing (`spark.sql.parquet.fieldId.read.ignoreMissing`); `read_table` reads both.
"""

import logging
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from airflow_provider_schemas.core.projection.projection import project
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.nested import RowType
from airflow_provider_schemas.errors import IncompatibleSchemaError, SparkError
from airflow_provider_schemas.spark.files.data_file import DataFile
from airflow_provider_schemas.spark.files.footers import read_footers
from airflow_provider_schemas.spark.files.kept_folders import PLAIN, check_write
from airflow_provider_schemas.spark.reading.field_id_metadata import with_field_ids
from airflow_provider_schemas.spark.reading.project_columns import apply_projection
from airflow_provider_schemas.spark.session import catalog_schema, checked, needs_classic, session_of_frame, set_catalog_schema
from airflow_provider_schemas.spark.sql import name as quoted
from airflow_provider_schemas.spark.struct_types import with_ids
from airflow_provider_schemas.spark.writing.frame_check import FrameFit, compare_frame
from airflow_provider_schemas.store.footers.described import described
from airflow_provider_schemas.store.table import Table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_log = logging.getLogger("airflow_provider_schemas.spark")
_WRITES_IDS: Final = "spark.sql.parquet.fieldId.write.enabled"
_MISSING_IDS: Final = "spark.sql.parquet.fieldId.read.ignoreMissing"
_SHOWN: Final = 20
_BY_WRITING: Final = "Create it there with stamp(df, table).write.saveAsTable(name), which keeps the ids."


def stamp(df: "DataFrame", table: Table | TableSchema) -> "DataFrame":
    """Return the same rows as the newest version has its columns: in its order, with its field ids as metadata, nested ones too.

    Names and types are checked against it, all at once: IncompatibleSchemaError. What loses nothing is converted and logged:
    a narrower number, a column that may be NULL and is not in the frame.
    """
    name, head = _name_and_head(table)
    _check_location(session_of_frame(df), table, head)
    return stamp_as(df, name, head)


def stamp_as(df: "DataFrame", name: str, head: TableSchema) -> "DataFrame":
    """Return the same rows as a version has its columns, with its field ids as metadata."""
    _check_ids_are_written(session_of_frame(df))
    fit = _check_fit(compare_frame(df.schema.jsonValue(), head), name)
    names = [field.name for field in fit.wanted]
    if not fit.has_same_fields:
        df = apply_projection(df, project(RowType(fit.written), RowType(fit.wanted)), casts="checked", bad_values="error")
    elif df.columns != names:
        df = df.select(*map(quoted, names))
    return with_field_ids(df, fit.wanted)


def stamp_catalog_table(spark: "SparkSession", name: str, table: Table | TableSchema) -> None:
    """Put the field ids into the schema that the catalog has for a table, so that a plain `insertInto` writes them.

    Nothing else of it changes.
    """
    needs_classic(checked(spark), "stamp_catalog_table", _BY_WRITING)
    _check_ids_are_written(spark)
    table_name, head = _name_and_head(table)
    _check_location(spark, table, head)
    struct = catalog_schema(spark, name)
    fit = _check_fit(compare_frame(struct, head), table_name or name)
    _check_files(spark, name)
    set_catalog_schema(spark, name, with_ids(struct, fit.written))


def _check_location(spark: "SparkSession", table: Table | TableSchema, head: TableSchema) -> None:
    """Raise SparkError if a format of tables keeps the folder that is described as plain files: rows would be put among its files."""
    description = described(head, table.place.layout) if isinstance(table, Table) else None
    if description is not None and description.format in PLAIN:
        check_write(spark, description.location, "table")


def _name_and_head(table: Table | TableSchema) -> tuple[str, TableSchema]:
    """Return the name of a table and the schema of its newest version; a schema alone has no name."""
    if isinstance(table, TableSchema):
        return "", table
    check_is_table(table)
    return table.name, table.schema()


def check_is_table(table: object) -> None:
    """Raise SparkError if this is not a table of a store."""
    if not isinstance(table, Table):
        message = f"a {type(table).__name__} is no table of a store, and no schema."
        raise SparkError(message, code="spark.no-table", path="table", fix="Pass SchemaStore(...).table('db.t').")


def _check_ids_are_written(spark: "SparkSession") -> None:
    """Raise SparkError if this session was told to leave field ids out of the files it writes."""
    if str(spark.conf.get(_WRITES_IDS, "true")).lower() == "false":
        message = "this session leaves field ids out of the files it writes."
        raise SparkError(message, code="spark.no-ids", path=_WRITES_IDS, fix="Set it to true.")


def _check_files(spark: "SparkSession", name: str) -> None:
    """Raise SparkError if the table has files without ids: Spark does not read them under columns with ids, unless a setting says so."""
    if str(spark.conf.get(_MISSING_IDS, "false")).lower() == "true":
        return
    files = [DataFile(path=unquote(path), size=0, version=None) for path in spark.table(name).inputFiles()]
    footers = read_footers(spark, files, name)
    without_ids = [file.path for file, footer in zip(files, footers, strict=True) if not footer.stamped]
    if without_ids:
        message = (
            f"{len(without_ids):,} of its {len(files):,} files have no field ids, such as {without_ids[0]}, "
            "and Spark would not read them any more."
        )
        fix = f"Write it anew with stamp(df, table); or set {_MISSING_IDS} to true here and wherever plain Spark reads it."
        raise SparkError(message, code="spark.without-ids", path=name, fix=fix)


def _check_fit(fit: FrameFit, name: str) -> FrameFit:
    """Return the fit, if it has no faults; log what differs and loses nothing."""
    if fit.faults:
        raise IncompatibleSchemaError.of(fit.faults)
    notes = [*fit.notes, *(f"{path} had lost its id and has it again: stamp last, behind every withColumn" for path in fit.without_ids)]
    if len(notes) > _SHOWN:
        notes = [*notes[:_SHOWN], f"and {len(notes) - _SHOWN} more"]
    if notes:
        _log.warning("%s: %s", name or "the frame", "; ".join(notes))
    return fit
