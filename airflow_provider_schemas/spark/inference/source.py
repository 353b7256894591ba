"""The data to infer from: a frame, or files under a path, read by Spark as it would read them itself."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import SparkError
from airflow_provider_schemas.spark.files.kept_folders import check_frame, check_matches, check_pattern
from airflow_provider_schemas.spark.session import checked, session_of_frame

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row, SparkSession

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


def frame_of(data: Any, spark: "SparkSession | None", kind: str, options: Mapping[str, str]) -> "tuple[DataFrame, str, tuple[str, ...]]":
    """The frame, the path that it comes from, if any, and what has to be said of it."""
    if not isinstance(data, str) and not hasattr(data, "__fspath__"):
        session_of_frame(data)
        check_frame(data, "data")
        return data, "", ()
    if spark is None:
        fix = "Pass spark=, or a DataFrame."
        raise SparkError(f"to read {shown(str(data))}, a session is needed.", code="spark.no-session", path="spark", fix=fix)
    if kind in ("", *FORMATS):
        check_pattern(checked(spark), str(data), "data")
    frame, said = _read(checked(spark), str(data), kind, options)
    if said in FORMATS:
        check_matches(frame, str(data), "data")
    whole, notes = _whole_lines(frame, options) if said in _OF_LINES else (frame, ())
    return whole, str(data), notes


def _read(spark: "SparkSession", path: str, kind: str, options: Mapping[str, str]) -> "tuple[DataFrame, str]":
    try:
        said = kind or _kind(spark, path)
        frame = spark.read.format(said).options(**{**_OPTIONS.get(said, {}), **options}).load(path)
        frame.schema  # noqa: B018  # Spark Connect reads nothing before it is asked
    except SparkError:
        raise
    except Exception as error:
        raise failed(shown(path), error) from error
    return frame, said


def _whole_lines(frame: "DataFrame", options: Mapping[str, str]) -> "tuple[DataFrame, tuple[str, ...]]":
    """The frame without the column in which Spark puts lines that it cannot read, which is none of the data; and a note on it."""
    column = options.get(_CORRUPT) or frame.sparkSession.conf.get(f"spark.sql.{_CORRUPT}")
    if column not in frame.columns:
        return frame, ()
    return frame.drop(column), (f"some lines cannot be read, and count as rows of NULL: Spark puts them into {column}, which is left out",)


def failed(what: str, error: Exception) -> SparkError:
    """What Spark said when it could not read something, in one line, with what it says of the file."""
    lines = [line.strip().removeprefix(": ") for line in str(error).splitlines() if line.strip()]
    first = next((line for line in lines if not line.startswith(_OF_JAVA)), type(error).__name__)
    causes = [line.removeprefix(_CAUSE) for line in lines if line.startswith(_CAUSE)]
    said = without_credentials("; because of ".join(line[:300].rstrip(".") for line in dict.fromkeys([first, *causes[-1:]]))) + "."
    fix = "Look whether the path is right; say format= if the files' names do not tell it; read files apart that contradict each other."
    return SparkError(f"{what} cannot be read: {said}", code="spark.unreadable", path="data", fix=fix)


def rows_of(frame: "DataFrame") -> "list[Row]":
    """The rows of a small frame, or an error that says what Spark could not read."""
    try:
        return frame.collect()
    except Exception as error:
        raise failed("the rows", error) from error


def _kind(spark: "SparkSession", path: str) -> str:
    """The format, by the name of the file or of the first one in the folder."""
    found = _by_name(path)
    if found:
        return found
    files = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(path)
    first = files.select("path").limit(1).collect()
    return (_by_name(first[0][0]) if first else "") or "parquet"


def _by_name(path: str) -> str:
    ending = _PACKED.sub("", path.rstrip("/").lower()).rpartition(".")[2]
    ending = _ENDINGS.get(ending, ending)
    return ending if ending in FORMATS else ""


# ---------------------------------------------------------------- partitions


def partitions(frame: "DataFrame", path: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The columns that come from the names of folders, in order, and notes on values that Spark made something else of."""
    if not path:
        return (), ()
    files = frame.inputFiles()[:_FILES]
    kinds = {one.name: one.dataType.typeName() for one in frame.schema.fields}
    found: dict[str, str] = {}
    for file in files:
        for name, value in [map(unquote, pair) for pair in _PARTITION.findall(_below(file, path))]:
            if name in kinds and not found.get(name):
                found[name] = value if _coded(value, kinds[name]) else ""
    notes = [_of_code(name, value, kinds[name]) for name, value in found.items() if value]
    return tuple(found), tuple(notes)


def _below(file: str, path: str) -> str:
    """The part of a file's path below the folder."""
    inner = path.rstrip("/").partition("://")[2] or path.rstrip("/").removeprefix("file:")
    return file.partition(inner)[2] if inner and inner in file else file


def _coded(value: str, kind: str) -> bool:
    return kind in ("integer", "long", "double") and len(value) > 1 and value[0] == "0" and value.isdigit()


def _of_code(name: str, value: str, kind: str) -> str:
    return f"the folder says {name}={value}, and Spark makes an {kind} of it: {int(value)}; make the column a STRING if zeros count"
