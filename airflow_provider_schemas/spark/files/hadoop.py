"""What Hadoop's own file systems say on the driver of a classic session: answers for which a job, or an error of the JVM, costs too much.

Nothing here decides: where there is no answer, callers go the way that is there on Spark Connect, too.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from airflow_provider_schemas.spark.session import is_connect

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


_Jvm = Any
"""An object of the JVM, which py4j types as nothing."""


class ListedFile(NamedTuple):
    """A file, as its file system lists it."""

    path: str
    size: int
    modified: int
    """Milliseconds since 1970."""


def fits_nothing(spark: "SparkSession", pattern: str) -> bool:
    """Return whether it is sure that no path fits a pattern. Spark itself says so by an error, which takes ten times as long."""
    if is_connect(spark):
        return False
    session: _Jvm = spark
    try:
        path = session._jvm.org.apache.hadoop.fs.Path(pattern)
        files = path.getFileSystem(session._jsparkSession.sessionState().newHadoopConf())
        matches = files.globStatus(path)
        return matches is None or len(matches) == 0
    except Exception:  # noqa: BLE001  # nobody may look, or there is no such file system: Spark's own way says what is to be said
        return False


def listed_files(frame: "DataFrame", most: int) -> list[ListedFile] | None:
    """Return the files that the plan of a frame reads; None if they are more than that, or if the session does not show them."""
    if is_connect(frame.sparkSession):
        return None
    plan: _Jvm = frame
    files = plan._jdf.queryExecution().analyzed().relation().location().allFiles()
    if files.size() > most:
        return None
    listed = (ListedFile(file.getPath().toString(), file.getLen(), file.getModificationTime()) for file in walked(files))
    return [file for file in listed if file.size]  # Spark reads no file without bytes


def walked(collection: _Jvm) -> Iterator[_Jvm]:
    """Yield what a collection of Scala holds."""
    iterator = collection.iterator()
    while iterator.hasNext():
        yield iterator.next()
