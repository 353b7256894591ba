"""The rows that a job reads, and where it writes the rows that it puts aside."""

from typing import TYPE_CHECKING, Final

from airflow_provider_schemas.errors import ContractError
from airflow_provider_schemas.spark.files.kept_folders import PLAIN, check_matches, check_pattern
from airflow_provider_schemas.spark.jobs.job_requests import PARQUET, DataRequest

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_FIX: Final = "Pass path=, or sql=, and only one of them."


def check_one(request: DataRequest) -> None:
    """Raise where two sources are named, or what says how files are read, and no files."""
    if request.path and request.sql:
        raise ContractError("files are named, and a query, too.", code="task.argument", path="path", fix=_FIX)
    if not request.path and (request.file_format or request.options):
        message = "it says how files are read, and no files are named."
        argument = "file_format" if request.file_format else "options"
        raise ContractError(message, code="task.argument", path=argument, fix=_FIX)


def is_named(request: DataRequest) -> bool:
    """Return whether files or a query are named, rather than a table alone."""
    return bool(request.path or request.sql)


def rows_of(spark: "SparkSession", request: DataRequest) -> "DataFrame":
    """Return the rows that are named, as a frame."""
    check_one(request)
    if request.sql:
        return spark.sql(request.sql)
    kind = request.file_format or PARQUET
    if kind.lower() not in PLAIN:
        return spark.read.format(kind).options(**request.options).load(request.path)
    check_pattern(spark, request.path)
    frame = spark.read.format(kind).options(**request.options).load(request.path)
    check_matches(frame, request.path)
    return frame


def keep(frame: "DataFrame", folder: str, run: str) -> str:
    """Write rows as Parquet, and return where. A folder that belongs to a run is written over by its next try, any other must be new."""
    if not run:
        frame.write.mode("errorifexists").parquet(folder)
        return folder
    where = f"{folder.rstrip('/')}/{run}"
    frame.write.mode("overwrite").parquet(where)
    return where
