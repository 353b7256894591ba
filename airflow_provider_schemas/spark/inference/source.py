"""The data to infer from: a frame, or files under a path, read by Spark as it would read them itself."""

import re
from collections.abc import Iterator, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Final, Union
from urllib.parse import unquote

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import SparkError
from airflow_provider_schemas.spark.files.kept_folders import check_frame, check_matches, check_pattern
from airflow_provider_schemas.spark.session import checked, session_of_frame

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row, SparkSession

Data = Union["DataFrame", str, PathLike[str]]

FORMATS: Final = ("parquet", "orc", "json", "csv", "avro", "text")
# What is read otherwise than Spark does by itself: the files of a folder may differ, and a header is no row.
_OPTIONS: Final[dict[str, dict[str, str]]] = {"parquet": {"mergeSchema": "true"}, "orc": {"mergeSchema": "true"}, "csv": {"header": "true"}}
_ENDINGS: Final = {"jsonl": "json", "ndjson": "json", "tsv": "csv", "txt": "text"}
_PACKED: Final = re.compile(r"\.(?:gz|bz2|zst|snappy|deflate|lz4|xz)$")
_PARTITION: Final = re.compile(r"/([^/=]+)=([^/]*)(?=/)")
_FILES: Final = 1_000
# How errors of the JVM begin, and what was at the bottom of them.
_OF_JAVA: Final = "An error occurred while calling"
_CAUSE: Final = "Caused by: "
_CORRUPT: Final = "columnNameOfCorruptRecord"
_OF_LINES: Final = ("json", "csv")


def open_frame(data: Data, spark: "SparkSession | None", kind: str, options: Mapping[str, str]) -> "tuple[DataFrame, str, tuple[str, ...]]":
    """Return the frame, the path that it comes from, if any, and notes on it."""
    if not isinstance(data, str | PathLike):
        session_of_frame(data)
        check_frame(data, "data")
        return data, "", ()
    path = str(data)
    if spark is None:
        fix = "Pass spark=, or a DataFrame."
        raise SparkError(f"to read {shown(path)}, a session is needed.", code="spark.no-session", path="spark", fix=fix)
    if kind in ("", *FORMATS):
        check_pattern(checked(spark), path, "data")
    frame, file_format = _read_files(checked(spark), path, kind, options)
    if file_format in FORMATS:
        check_matches(frame, path, "data")
    if file_format not in _OF_LINES:
        return frame, path, ()
    whole, notes = _without_corrupt_lines(frame, options)
    return whole, path, notes


def _read_files(spark: "SparkSession", path: str, kind: str, options: Mapping[str, str]) -> "tuple[DataFrame, str]":
    """Return the frame of some files, and their format."""
    try:
        file_format = kind or _find_format(spark, path)
        frame = spark.read.format(file_format).options(**{**_OPTIONS.get(file_format, {}), **options}).load(path)
        frame.schema  # noqa: B018  # Spark Connect reads nothing before the schema is needed
    except SparkError:
        raise
    except Exception as error:
        raise unreadable(shown(path), error) from error
    return frame, file_format


def _without_corrupt_lines(frame: "DataFrame", options: Mapping[str, str]) -> "tuple[DataFrame, tuple[str, ...]]":
    """Return the frame without the column in which Spark puts lines that it cannot read, which is none of the data; and a note on it."""
    column = options.get(_CORRUPT) or frame.sparkSession.conf.get(f"spark.sql.{_CORRUPT}")
    if column is None or column not in frame.columns:
        return frame, ()
    return frame.drop(column), (f"some lines cannot be read, and count as rows of NULL: Spark puts them into {column}, which is left out",)


def unreadable(what: str, error: Exception) -> SparkError:
    """Return what Spark said when it could not read something, in one line, with what it says of the file."""
    lines = [line.strip().removeprefix(": ") for line in str(error).splitlines() if line.strip()]
    first = next((line for line in lines if not line.startswith(_OF_JAVA)), type(error).__name__)
    causes = [line.removeprefix(_CAUSE) for line in lines if line.startswith(_CAUSE)]
    reasons = [line[:300].rstrip(".") for line in dict.fromkeys([first, *causes[-1:]])]
    message = f"{what} cannot be read: {without_credentials('; because of '.join(reasons))}."
    fix = "Look whether the path is right; say format= if the files' names do not tell it; read files apart that contradict each other."
    return SparkError(message, code="spark.unreadable", path="data", fix=fix)


def collect_rows(frame: "DataFrame") -> "list[Row]":
    """Return the rows of a small frame. Raise a SparkError that says what Spark could not read."""
    try:
        return frame.collect()
    except Exception as error:
        raise unreadable("the rows", error) from error


def _find_format(spark: "SparkSession", path: str) -> str:
    """Return the format, by the name of the file or of the first one in the folder."""
    known = _format_by_name(path)
    if known:
        return known
    files = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(path)
    first = files.select("path").limit(1).collect()
    if not first:
        return "parquet"
    return _format_by_name(first[0][0]) or "parquet"


def _format_by_name(path: str) -> str:
    ending = _PACKED.sub("", path.rstrip("/").lower()).rpartition(".")[2]
    file_format = _ENDINGS.get(ending, ending)
    return file_format if file_format in FORMATS else ""


# ---------------------------------------------------------------- partitions


def find_partitions(frame: "DataFrame", path: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the columns that come from the names of folders, in order, and notes on values that Spark made something else of."""
    if not path:
        return (), ()
    types = {field.name: field.dataType.typeName() for field in frame.schema.fields}
    codes: dict[str, str] = {}
    for file in frame.inputFiles()[:_FILES]:
        for name, value in _folder_values(file, path):
            if name in types and not codes.get(name):
                codes[name] = value if _is_code(value, types[name]) else ""
    notes = [_code_note(name, code, types[name]) for name, code in codes.items() if code]
    return tuple(codes), tuple(notes)


def _folder_values(file: str, path: str) -> Iterator[tuple[str, str]]:
    """Yield the names and values of the folders between a path and a file."""
    for name, value in _PARTITION.findall(_part_below(file, path)):
        yield unquote(name), unquote(value)


def _part_below(file: str, path: str) -> str:
    """Return the part of a file's path below the folder."""
    folder = path.rstrip("/").partition("://")[2] or path.rstrip("/").removeprefix("file:")
    if not folder or folder not in file:
        return file
    return file.partition(folder)[2]


def _is_code(value: str, kind: str) -> bool:
    """Return whether a value has a leading zero that Spark takes away."""
    return kind in ("integer", "long", "double") and len(value) > 1 and value[0] == "0" and value.isdigit()


def _code_note(name: str, value: str, kind: str) -> str:
    return f"the folder says {name}={value}, and Spark makes an {kind} of it: {int(value)}; make the column a STRING if zeros count"
