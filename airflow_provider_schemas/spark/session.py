"""The session of Spark that a job hands in, classic or of Spark Connect, or one that is started here; errors say what it lacks.

Only this module asks what kind of session there is. In one process both kinds may live side by side, and each has functions of its
own: they are taken from `functions_of`, never imported.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, cast

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import SparkError

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

_Jvm = Any
"""An object of the JVM, which py4j types as nothing."""

MIN_SPARK: Final = (4, 0)
MIN_JAVA: Final = 17
_CONNECT: Final = "pyspark.sql.connect."
_NO_SESSION: Final = "Pass a SparkSession that runs, classic or of Spark Connect."
_GET_JAVA: Final = (
    f"Install Java {MIN_JAVA} or newer and put it on the PATH, or into JAVA_HOME; or use Spark Connect, which needs none here."
)
_GET_SPARK: Final = "Install airflow-provider-schemas[spark]."
_JAVA_VERSION: Final = re.compile(r'version "(?:1\.)?(\d+)')
_PATIENCE: Final = 30
_DESCRIPTION: Final = "spark.job.description"
_ZONE: Final = "spark.sql.session.timeZone"
_NO_TAG: Final = re.compile(r"[,\s]+")


def is_connect(thing: object) -> bool:
    """Return whether a session, a frame or a column is of Spark Connect."""
    return any(base.__module__.startswith(_CONNECT) for base in type(thing).__mro__)


def is_local(spark: "SparkSession") -> bool:
    """Return whether the executors of a session run on the machine of its driver."""
    return str(spark.conf.get("spark.master", "")).startswith("local")


def functions_of(thing: object) -> ModuleType:
    """Return the functions for a session or a frame: the `F` of its own kind."""
    if is_connect(thing):
        from pyspark.sql.connect import functions as functions_of_connect

        return functions_of_connect
    from pyspark.sql import functions

    return functions


def column_namer(frame: "DataFrame") -> "Callable[[str, str, Mapping[str, Any]], Column]":
    """Return a function that gives a column, which it takes by its quoted name, a name and metadata.

    In a classic session PySpark looks each class of the JVM up again for each column, which takes three times as long as all else.
    """
    functions = functions_of(frame)
    if is_connect(frame):
        return lambda source, name, metadata: functions.col(source).alias(name, metadata=dict(metadata))
    jvm: _Jvm = session_of_frame(frame)._jvm
    sql = jvm.org.apache.spark.sql
    column_of = sql.functions.col
    parse_metadata = sql.types.Metadata.fromJson
    column_class = type(functions.lit(0))
    return lambda source, name, metadata: column_class(getattr(column_of(source), "as")(name, parse_metadata(json.dumps(metadata))))


def checked(spark: object) -> "SparkSession":
    """Return the session, if it is one that runs and its Spark is not too old; else raise SparkError."""
    if not all(hasattr(spark, name) for name in ("read", "conf", "sql", "createDataFrame")):
        raise SparkError(f"{_article(spark)} is no Spark session.", code="spark.no-session", path="spark", fix=_NO_SESSION)
    session = cast("SparkSession", spark)
    version = _running_version(session)
    if _parse_version(version) < MIN_SPARK:
        message = f"this is Spark {shown(version)[1:-1]}, and Spark {MIN_SPARK[0]} is the oldest that this works with."
        raise SparkError(message, code="spark.version", path="spark", fix=f"Run the job on Spark {MIN_SPARK[0]} or newer.")
    return session


def session_of_frame(frame: object) -> "SparkSession":
    """Return the session that a frame belongs to; raise SparkError if it is no frame of Spark."""
    if not all(hasattr(frame, name) for name in ("sparkSession", "schema", "select")):
        fix = "Pass a DataFrame of Spark, classic or of Spark Connect."
        raise SparkError(f"{_article(frame)} is no DataFrame of Spark.", code="spark.no-frame", path="df", fix=fix)
    return checked(cast("DataFrame", frame).sparkSession)


def needs_classic(spark: "SparkSession", what: str, instead: str) -> None:
    """Raise SparkError on Spark Connect, which has no way to do this; it says what to do instead."""
    if is_connect(spark):
        message = f"{what} needs a classic session, and this one is of Spark Connect, which does not show it."
        raise SparkError(message, code="spark.connect", path="spark", fix=instead)


def _running_version(spark: "SparkSession") -> str:
    """Return the version of Spark; raise SparkError if the session was stopped, or does not answer."""
    try:
        if is_connect(spark) or spark.sparkContext._jsc is not None:
            return str(spark.version)
    except Exception as error:
        raise SparkError("this Spark session does not answer.", code="spark.stopped", path="spark", fix=_NO_SESSION) from error
    raise SparkError("this Spark session was stopped.", code="spark.stopped", path="spark", fix=_NO_SESSION)


def _parse_version(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:2])


def _article(thing: object) -> str:
    return f"a {type(thing).__name__}"


def time_zone(spark: "SparkSession") -> str:
    """Return the time zone of the session."""
    return str(spark.conf.get(_ZONE))


@contextmanager
def described(spark: "SparkSession", what: str) -> Iterator[None]:
    """Describe the jobs of this thread in Spark's own pages, while the context lasts; on Spark Connect, which has none, by a tag."""
    if is_connect(spark):
        tag = _NO_TAG.sub("-", f"schemas: {what}")
        spark.addTag(tag)
        try:
            yield
        finally:
            spark.removeTag(tag)
        return
    context = spark.sparkContext
    before = context.getLocalProperty(_DESCRIPTION)
    context.setLocalProperty(_DESCRIPTION, f"schemas: {what}")
    try:
        yield
    finally:
        context.setLocalProperty(_DESCRIPTION, before)  # type: ignore[arg-type]  # None takes the property away


# ---------------------------------------------------------------- a session of our own


def local_session(app: str, *, master: str | None = None, remote: str | None = None, **conf: Any) -> "SparkSession":
    """Return the session of a job: the one that is active, or a new one, as spark-submit, `master` or `remote` has it.

    Conf is configuration of Spark, by its names. An error about what is missing on this machine comes before Spark is started.
    """
    sessions = _session_class()
    if remote is None and "SPARK_REMOTE" not in os.environ and sessions.getActiveSession() is None:
        check_java()
    builder = sessions.builder.appName(app)
    if remote is not None:
        builder = builder.remote(remote)
    elif master is not None:
        builder = builder.master(master)
    for name, value in conf.items():
        builder = builder.config(name, value)
    try:
        return checked(builder.getOrCreate())
    except SparkError:
        raise
    except Exception as error:
        message = f"no session of Spark was started: {shown(type(error).__name__)[1:-1]}."
        fix = f"Look at what it said above, and whether {remote or master or 'the cluster'} can be reached."
        raise SparkError(message, code="spark.not-started", path="spark", fix=fix) from error


def _session_class() -> "type[SparkSession]":
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        message = "pyspark is not installed here."
        raise SparkError(message, code="spark.no-pyspark", path="spark", fix=_GET_SPARK) from error
    return SparkSession


def check_java() -> None:
    """Raise SparkError if Spark would find no Java on this machine, or one that is too old."""
    version = _java_version(_find_java())
    if version is not None and version < MIN_JAVA:
        message = f"this is Java {version}, and Spark {MIN_SPARK[0]} needs {MIN_JAVA} or newer."
        raise SparkError(message, code="spark.old-java", path="spark", fix=_GET_JAVA)


def _find_java() -> str:
    """Return the Java that Spark would run: that of JAVA_HOME, or else the one on the PATH."""
    home = os.environ.get("JAVA_HOME")
    if home:
        java = Path(home) / "bin" / "java"
        if not java.exists():
            message = f"there is no Java in JAVA_HOME, which is {shown(home)}."
            raise SparkError(message, code="spark.no-java", path="spark", fix=_GET_JAVA)
        return str(java)
    on_path = shutil.which("java")
    if on_path is None:
        raise SparkError("there is no Java here, and Spark runs on it.", code="spark.no-java", path="spark", fix=_GET_JAVA)
    return on_path


def _java_version(java: str) -> int | None:
    """Return the number of its version; None where it does not print one that we can read, which is for Spark to judge."""
    try:
        command = [java, "-version"]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=_PATIENCE, check=False)  # noqa: S603  # the Java that Spark itself would run
    except (OSError, subprocess.TimeoutExpired):
        return None
    version = _JAVA_VERSION.search(done.stderr + done.stdout)
    return int(version[1]) if version else None


# ---------------------------------------------------------------- tables of the session's own catalog


def catalog_schema(spark: "SparkSession", name: str) -> dict[str, Any]:
    """Return the JSON of the schema that the session's catalog has for a table of files; classic sessions only."""
    catalog, identifier = _catalog(spark, name)
    try:
        table = catalog.getTableMetadata(identifier)
    except Exception as error:
        message = f"the catalog of this session has no table {shown(name)} of files."
        fix = "Check its name; views, and tables of a catalog with schemas of its own, cannot be stamped."
        raise SparkError(message, code="spark.no-catalog-table", path="name", fix=fix) from error
    provider = table.provider().getOrElse(None) if table.provider().isDefined() else ""
    if provider != "parquet":
        message = f"{shown(name)} is a table of {provider or 'Hive'}, and Spark puts field ids into Parquet only."
        raise SparkError(message, code="spark.not-parquet", path="name", fix="Write its files as Parquet; or bind them to their versions.")
    struct: dict[str, Any] = json.loads(table.schema().json())
    return struct


def set_catalog_schema(spark: "SparkSession", name: str, struct: dict[str, Any]) -> None:
    """Give the catalog this schema for a table; columns and types must be those that it has."""
    catalog, identifier = _catalog(spark, name)
    keys = set(catalog.getTableMetadata(identifier).partitionColumnNames().mkString("\n").split("\n"))
    data = {**struct, "fields": [field for field in struct["fields"] if field["name"] not in keys]}
    jvm: _Jvm = spark._jvm
    catalog.alterTableDataSchema(identifier, jvm.org.apache.spark.sql.types.DataType.fromJson(json.dumps(data)))
    spark.catalog.refreshTable(name)  # a session that has read the table before would go on writing without ids


def _catalog(spark: "SparkSession", name: str) -> tuple[_Jvm, _Jvm]:
    """Return the catalog of a classic session, and the identifier of a table in it."""
    state = spark._jsparkSession.sessionState()
    try:
        return state.catalog(), state.sqlParser().parseTableIdentifier(name)
    except Exception as error:
        message = f"{shown(name)} is no name of a table."
        raise SparkError(message, code="spark.no-catalog-table", path="name", fix="Write it as SQL does: database.table.") from error
