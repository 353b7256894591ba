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
from airflow_provider_schemas.spark.files.executor_footers import MANY, ExecutorRoot, read_in_job
from airflow_provider_schemas.spark.files.paths import escaped
from airflow_provider_schemas.spark.progress import progress
from airflow_provider_schemas.spark.session import is_connect
from airflow_provider_schemas.store.footers.footer import Footer, footer_of
from airflow_provider_schemas.store.spark.errors import spark_trouble

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_ReadFooter = Callable[[DataFile], Footer]
_FileKey = tuple[str, int, str]
_Json = Any
"""A part of a StructType as JSON has it: a type, its name, or a list of fields."""
_Jvm = Any
"""An object of the JVM, which py4j types as nothing."""

_AT_ONCE: Final = 8
_MOST_REMEMBERED: Final = 200_000
_MOST_FAULTS: Final = 20

_remembered: "OrderedDict[_FileKey, Footer]" = OrderedDict()
_lock = Lock()


def read_footers(spark: "SparkSession", files: Sequence[DataFile], table: str, *, root: ExecutorRoot | None = None) -> list[Footer]:
    """Read what each of these files says of itself; a StorageError names those which cannot be read.

    Root is where executors reach the files, if they do: many files are read there.
    """
    _read_by_executors(spark, root, files)
    footers = [_remembered.get(_key(file)) for file in files]
    missing = [place for place, footer in enumerate(footers) if footer is None]
    faults: list[Fault] = []
    if missing:
        read = _reader(spark)
        with ThreadPoolExecutor(_AT_ONCE, "schemas-footers") as pool, progress(f"{table}: footers read", len(missing)) as step:
            futures = {pool.submit(_read_and_remember, read, files[place]): place for place in missing}
            for future in as_completed(futures):
                try:
                    footers[futures[future]] = future.result()
                except SchemaError as error:
                    faults += error.faults
                    if len(faults) >= _MOST_FAULTS:
                        pool.shutdown(cancel_futures=True)
                        break
                step()
    if faults:
        raise StorageError.of(sorted(faults, key=lambda fault: fault.path))
    return [footer for footer in footers if footer is not None]


def _read_by_executors(spark: "SparkSession", root: ExecutorRoot | None, files: Sequence[DataFile]) -> None:
    """Let executors read what is not remembered, if that is much. What they could not read is left to the driver."""
    if root is None or len(files) < MANY:
        return
    missing = [file for file in files if _key(file) not in _remembered]
    if len(missing) < MANY:
        return
    for number, footer in read_in_job(spark, root, missing).items():
        _remember(missing[number], footer)


def _remember(file: DataFile, footer: Footer) -> None:
    with _lock:
        _remembered[_key(file)] = footer
        if len(_remembered) > _MOST_REMEMBERED:
            _remembered.popitem(last=False)


def _key(file: DataFile) -> _FileKey:
    return (file.path, file.size, file.mark)


def _read_and_remember(read: _ReadFooter, file: DataFile) -> Footer:
    try:
        footer = read(file)
    except Exception as error:
        raise _unreadable_error(file, error) from error
    _remember(file, footer)
    return footer


def _unreadable_error(file: DataFile, error: Exception) -> StorageError:
    """Return the error that names the file, with the reason as far as it is known."""
    trouble = spark_trouble(error, url=file.path, path="", doing="read")
    reason = trouble.message.partition(": ")[2] or trouble.message
    place = without_credentials(file.path)
    fix = "Take the file away if it is no data of this table, or write it again: nothing of the table is read until then."
    return StorageError(f"{place} cannot be read as {file.format}: {reason}", code="read.unreadable-file", path=place, fix=fix)


# ---------------------------------------------------------------- how a file is read


def _reader(spark: "SparkSession") -> _ReadFooter:
    """Return the function that reads the footer of a file of any format in this session."""
    infer = partial(_infer, spark)
    if is_connect(spark):
        return infer
    read_parquet = _parquet_reader(spark)

    def read(file: DataFile) -> Footer:
        return read_parquet(file) if file.format == PARQUET else infer(file)

    return read


def _parquet_reader(spark: "SparkSession") -> _ReadFooter:
    """Return the function that reads a footer by Parquet's own library. Its classes are looked up once: that takes longer than a footer."""
    jvm: _Jvm = spark._jvm
    conf = spark._jsc.hadoopConfiguration()
    path = jvm.org.apache.hadoop.fs.Path
    file_reader = jvm.org.apache.parquet.hadoop.ParquetFileReader
    without_rows = jvm.org.apache.parquet.format.converter.ParquetMetadataConverter.SKIP_ROW_GROUPS
    json_writer = jvm.com.fasterxml.jackson.databind.ObjectMapper()

    def read(file: DataFile) -> Footer:
        schema = file_reader.readFooter(conf, path(file.path), without_rows).getFileMetaData().getSchema()
        text = schema.toString()  # `a` with an id and `a = 1` without one have the same text; their hashes differ
        return footer_of(f"{text}{schema.hashCode()}", lambda: parquet_schema_text.parse(text, _column_paths(json_writer, schema)))

    return read


def _column_paths(json_writer: _Jvm, schema: _Jvm) -> list[list[str]]:
    """Return the names on the way to each column of a Parquet schema."""
    paths: list[list[str]] = json.loads(json_writer.writeValueAsString(schema.getPaths()))
    return paths


def _infer(spark: "SparkSession", file: DataFile) -> Footer:
    """Return what Spark makes of the file."""
    options = {"recursiveFileLookup": "true", "ignoreCorruptFiles": "false", "ignoreMissingFiles": "false"}
    struct = spark.read.format(file.format).options(**options).load(escaped(file.path)).schema.jsonValue()
    return footer_of(json.dumps(struct), lambda: fields_of_struct(struct))


# ---------------------------------------------------------------- a StructType as fields


def fields_of_struct(struct: _Json) -> tuple[Field, ...]:
    """Return the fields of a StructType, given by its `jsonValue()`: with the ids in its metadata, and numbers below zero without them."""
    fields = struct_json.of_value(_without_metadata(struct)).schema.fields
    ids = [-1 - place if field_id is None else field_id for place, field_id in enumerate(_field_ids(struct))]
    return tuple(_renumber_field(field, ids) for field in fields)


def _field_ids(part: _Json) -> Iterator[int | None]:
    """Yield the ids of the fields, parents first."""
    if not isinstance(part, dict):
        return
    for field in part.get("fields", ()):
        yield (field.get("metadata") or {}).get(struct_json.FIELD_ID)
        yield from _field_ids(field["type"])
    for word in ("elementType", "keyType", "valueType"):
        yield from _field_ids(part.get(word))


def _without_metadata(part: _Json) -> _Json:
    if isinstance(part, list):
        return [_without_metadata(entry) for entry in part]
    if isinstance(part, dict):
        return {key: _without_metadata(entry) for key, entry in part.items() if key != "metadata"}
    return part


def _renumber_field(field: Field, ids: list[int]) -> Field:
    """Return the field with its id in the place of its number, and so the fields inside."""
    return Field(ids[field.id], field.name, wire(_renumber_type(field.type, ids)))


def _renumber_type(data_type: DataType, ids: list[int]) -> DataType:
    if isinstance(data_type, RowType):
        return type(data_type)(tuple(_renumber_field(field, ids) for field in data_type.fields))
    return rebuilt(data_type, [_renumber_type(part, ids) for _, part in children(data_type)])
