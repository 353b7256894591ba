"""A scan as a frame of Spark: explicit paths, an explicit schema by the names in the files, and the values of partitions beside it."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.errors import Fault, SparkError
from airflow_provider_schemas.formats.spark_types.lacking import lacks
from airflow_provider_schemas.spark.files.folder import few_listing_tasks
from airflow_provider_schemas.spark.files.partition_values import DAYS, FOLDER, TEXT, VALUE, Route
from airflow_provider_schemas.spark.files.paths import escaped
from airflow_provider_schemas.spark.reading.scan_planning import Scan
from airflow_provider_schemas.spark.sql import name, null, type_text
from airflow_provider_schemas.spark.struct_types import struct_type
from airflow_provider_schemas.store.spark.errors import spark_trouble

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

_STRICT: Final = {"ignoreCorruptFiles": "false", "ignoreMissingFiles": "false", "mergeSchema": "false"}
# Spark looks at so many paths on the driver, one after the other.
_PATHS_ON_DRIVER: Final = 32
_BY_IDS: Final = "spark.sql.parquet.fieldId.read.enabled"
_EPOCH: Final = date(1970, 1, 1)
_STRING: Final = "string"
_ANEW: Final = "Write these files anew, a time with microseconds for one; or leave the column out (columns=...)."


def check_held(scans: Iterable[Scan]) -> None:
    """Raise SparkError if files hold a column in a form that Spark cannot read, although it has the type as which it is wanted."""
    faults: list[Fault] = []
    for scan in scans:
        for column in scan.columns:
            reason = lacks(column.type)
            if reason:
                faults.append(Fault("spark.type", column.name, f"{_some_files(scan.paths)} has it as {reason}.", _ANEW))
    if faults:
        raise SparkError.of(faults)


def _some_files(paths: tuple[str, ...]) -> str:
    first = without_credentials(paths[0])
    if len(paths) == 1:
        return f"the file {first}"
    return f"each of {len(paths):,} files such as {first}"


@contextmanager
def few_tasks(spark: "SparkSession", scans: Iterable[Scan]) -> Iterator[None]:
    """Have Spark look at the paths of these scans with few tasks, however many paths there are, while the context lasts."""
    if all(len(scan.paths) <= _PATHS_ON_DRIVER for scan in scans):
        yield
        return
    with few_listing_tasks(spark):
        yield


def read_scan(spark: "SparkSession", scan: Scan) -> "DataFrame":
    """Return the rows of the scan: its columns, then what folders or a manifest say."""
    options = {"basePath": scan.base} if scan.base else {"recursiveFileLookup": "true"}
    schema = _schema(scan, ids=scan.stamped and not _reads_by_ids(spark))
    reader = spark.read.format(scan.format).schema(schema).options(**_STRICT, **options)
    try:
        frame = reader.load([escaped(path) for path in scan.paths])
    except Exception as error:
        place = without_credentials(scan.paths[0])
        raise spark_trouble(error, url=place, path="", doing=f"read the {len(scan.paths):,} files like") from error
    if all(route.way == FOLDER for route in scan.routes):
        return frame
    columns = [name(column.name) for column in scan.columns]
    values = [f"{_SQL[route.way](route)} as {name(route.field.name)}" for route in scan.routes]
    return frame.selectExpr(*columns, *values)


def _reads_by_ids(spark: "SparkSession") -> bool:
    return str(spark.conf.get(_BY_IDS, "false")).lower() == "true"


def _schema(scan: Scan, *, ids: bool) -> "StructType":
    """Return the schema by the names in the files. Ids are carried along; without them, Spark goes by names whatever a setting says."""
    struct = struct_type(scan.columns, ids=ids)
    if not scan.base:
        return struct
    for route in scan.routes:
        if not route.by_folder:
            continue
        field = struct_type([route.field], ids=ids)[0]
        struct = struct.add(field) if route.way == FOLDER else struct.add(field.name, _STRING)
    return struct


# ---------------------------------------------------------------- values of partitions, as SQL


def _literal(route: Route) -> str:
    """Write the value of a route as SQL."""
    if route.value is None:
        return null(route.field.type)
    write = _LITERALS.get(route.field.type.root, _any_value)
    return f"cast({write(route.value)} as {type_text(route.field.type)})"


def _any_value(value: Any) -> str:
    return _text(str(value))


def _text(text: str) -> str:
    """Write a text by its bytes: settings say what a quote and a backslash mean."""
    return f"cast(X'{text.encode('utf-8', 'surrogatepass').hex()}' as string)"


def _date(value: Any) -> str:
    days = (value - _EPOCH).days if isinstance(value, date) else int(value)
    return f"date_from_unix_date({days})"


def _instant(value: datetime) -> str:
    """Write an instant where the zone is known; else the clock, in the zone of the session."""
    if value.tzinfo is None:
        return _text(value.isoformat(" "))
    since = value - datetime.fromtimestamp(0, value.tzinfo)
    return f"timestamp_micros({(since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds})"


def _from_text(route: Route) -> str:
    return f"cast({name(route.field.name)} as {type_text(route.field.type)})"


def _from_days(route: Route) -> str:
    return f"date_from_unix_date(cast({name(route.field.name)} as int))"


_LITERALS: Final[dict[Root, Callable[[Any], str]]] = {
    Root.DATE: _date,
    Root.TIMESTAMP: lambda value: _text(value.isoformat(" ")),
    Root.TIMESTAMP_LTZ: _instant,
    Root.BINARY: lambda value: f"X'{bytes(value).hex()}'",
    Root.VARBINARY: lambda value: f"X'{bytes(value).hex()}'",
    Root.DECIMAL: lambda value: _text(f"{value:f}"),
    Root.FLOAT: lambda value: _text(repr(value)),
    Root.DOUBLE: lambda value: _text(repr(value)),
}

_SQL: Final[dict[str, Callable[[Route], str]]] = {
    FOLDER: lambda route: name(route.field.name),
    TEXT: _from_text,
    DAYS: _from_days,
    VALUE: _literal,
}
