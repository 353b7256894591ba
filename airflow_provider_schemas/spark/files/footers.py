"""What the columns of data files are, as the files themselves say: names, types, and ids where there are any.

Footers of Parquet files are read by Spark's own library, several at once, on the driver; from 200 files on by the executors, where they
reach the storage. Where neither can be done (Spark Connect, other formats) Spark is asked for the schema of each file. What was read of a
file once is remembered while the file stays as it is.
"""

import json
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import Field, RowType, children, rebuilt, wire
from airflow_provider_schemas.errors import Fault, SchemaError, StorageError
from airflow_provider_schemas.formats.spark import struct_json
from airflow_provider_schemas.spark.files import parquet_schema_text
from airflow_provider_schemas.spark.files.data_file import PARQUET, DataFile
from airflow_provider_schemas.spark.files.executor_footers import MANY, Reached, read_in_job
from airflow_provider_schemas.spark.files.paths import escaped
from airflow_provider_schemas.spark.progress import progress
from airflow_provider_schemas.spark.session import is_connect
from airflow_provider_schemas.store.footers.footer import Footer, footer_of
from airflow_provider_schemas.store.spark.errors import spark_trouble

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_AT_ONCE: Final = 8
_MOST: Final = 200_000
_BEFORE_GIVING_UP: Final = 20


_files: "OrderedDict[tuple[str, int, str], Footer]" = OrderedDict()
_lock = Lock()


def footers(spark: "SparkSession", files: Sequence[DataFile], table: str, *, root: Reached | None = None) -> list[Footer]:
    """What each of these files says of itself; a StorageError that names those which cannot be read.

    Root is where executors reach them, if they do: many files are read there.
    """
    _read_ahead(spark, root, files)
    known = {place: found for place, one in enumerate(files) if (found := _files.get(_key(one))) is not None}
    missing = [place for place in range(len(files)) if place not in known]
    read = _reader(spark)
    faults: list[Fault] = []
    if missing:
        with ThreadPoolExecutor(_AT_ONCE, "schemas-footers") as pool, progress(f"{table}: footers read", len(missing)) as step:
            asked = {pool.submit(_asked, read, files[place]): place for place in missing}
            for done in as_completed(asked):
                try:
                    known[asked[done]] = done.result()
                except SchemaError as error:
                    faults += error.faults
                    if len(faults) >= _BEFORE_GIVING_UP:
                        pool.shutdown(cancel_futures=True)
                        break
                step()
    if faults:
        raise StorageError.of(sorted(faults, key=lambda fault: fault.path))
    return [known[place] for place in range(len(files))]


def _read_ahead(spark: "SparkSession", root: Reached | None, files: Sequence[DataFile]) -> None:
    """Let executors read what is not known yet, if that is much. What they could not read, the driver is asked for."""
    missing = [one for one in files if _key(one) not in _files]
    if root is None or len(missing) < MANY:
        return
    for number, footer in read_in_job(spark, root, missing).items():
        _remember(missing[number], footer)


def _remember(one: DataFile, footer: Footer) -> None:
    with _lock:
        _files[_key(one)] = footer
        if len(_files) > _MOST:
            _files.popitem(last=False)


def _key(one: DataFile) -> tuple[str, int, str]:
    return (one.path, one.size, one.mark)


def _asked(read: Callable[[DataFile], Footer], one: DataFile) -> Footer:
    try:
        found = read(one)
    except Exception as error:
        raise _unreadable(one, error) from error
    _remember(one, found)
    return found


def _unreadable(one: DataFile, error: Exception) -> StorageError:
    """The error that names the file, with the reason as far as it is known."""
    trouble = spark_trouble(error, url=one.path, path="", doing="read")
    place, reason = without_credentials(one.path), trouble.message.partition(": ")[2] or trouble.message
    fix = "Take the file away if it is no data of this table, or write it again: nothing of the table is read until then."
    return StorageError(f"{place} cannot be read as {one.format}: {reason}", code="read.unreadable-file", path=place, fix=fix)


# ---------------------------------------------------------------- how a file is asked


def _reader(spark: "SparkSession") -> Callable[[DataFile], Footer]:
    """How a file of any format is asked in this session."""
    infer = partial(_inferred, spark)
    if is_connect(spark):
        return infer
    parquet = _of_library(spark)
    return lambda one: parquet(one) if one.format == PARQUET else infer(one)


def _of_library(spark: "SparkSession") -> Callable[[DataFile], Footer]:
    """Parquet's own library. What it is called is looked up once: that takes longer than a footer does."""
    jvm: Any = spark._jvm
    conf = spark._jsc.hadoopConfiguration()
    path, reader = jvm.org.apache.hadoop.fs.Path, jvm.org.apache.parquet.hadoop.ParquetFileReader
    without_rows = jvm.org.apache.parquet.format.converter.ParquetMetadataConverter.SKIP_ROW_GROUPS
    as_json = jvm.com.fasterxml.jackson.databind.ObjectMapper()

    def read(one: DataFile) -> Footer:
        schema = reader.readFooter(conf, path(one.path), without_rows).getFileMetaData().getSchema()
        text = schema.toString()  # of `a` with an id and of `a = 1` without one alike; their hashes differ
        return footer_of(f"{text}{schema.hashCode()}", lambda: parquet_schema_text.parse(text, _paths(as_json, schema)))

    return read


def _paths(as_json: Any, schema: Any) -> list[list[str]]:
    found: list[list[str]] = json.loads(as_json.writeValueAsString(schema.getPaths()))
    return found


def _inferred(spark: "SparkSession", one: DataFile) -> Footer:
    """What Spark makes of the file."""
    options = {"recursiveFileLookup": "true", "ignoreCorruptFiles": "false", "ignoreMissingFiles": "false"}
    struct = spark.read.format(one.format).options(**options).load(escaped(one.path)).schema.jsonValue()
    return footer_of(json.dumps(struct), lambda: of_struct(struct))


def of_struct(struct: Any) -> tuple[Field, ...]:
    """The fields of a StructType, given by its `jsonValue()`: with the ids in its metadata, and numbers below zero where there are none."""
    found = struct_json.of_value(_without_ids(struct)).schema.fields
    numbers = [-1 - place if number is None else number for place, number in enumerate(_ids(struct))]
    return tuple(_renumbered_field(one, numbers) for one in found)


def _ids(kind: Any) -> Iterator[int | None]:
    """The ids of the fields, parents first."""
    for one in kind.get("fields", ()) if isinstance(kind, dict) else ():
        yield (one.get("metadata") or {}).get(struct_json.FIELD_ID)
        yield from _ids(one["type"])
    for word in ("elementType", "keyType", "valueType") if isinstance(kind, dict) else ():
        yield from _ids(kind.get(word))


def _without_ids(kind: Any) -> Any:
    if isinstance(kind, list):
        return [_without_ids(one) for one in kind]
    return {key: _without_ids(one) for key, one in kind.items() if key != "metadata"} if isinstance(kind, dict) else kind


def _renumbered_field(one: Field, numbers: list[int]) -> Field:
    """The field with its id in the place of its number, and so the fields inside."""
    return Field(numbers[one.id], one.name, wire(_renumbered(one.type, numbers)))


def _renumbered(kind: DataType, numbers: list[int]) -> DataType:
    if isinstance(kind, RowType):
        return type(kind)(tuple(_renumbered_field(one, numbers) for one in kind.fields))
    return rebuilt(kind, [_renumbered(part, numbers) for _, part in children(kind)])
