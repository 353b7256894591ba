"""A Spark session, and what a job does with it: expressions, evaluated in an environment of its own. Errors come back as what they are."""

import os
import sys
from typing import Any

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.spark import assert_schema
from airflow_provider_schemas.spark.gate_handover import KEY
from airflow_provider_schemas.store import SchemaStore, judge
from airflow_provider_schemas.store.spark.files import SparkFiles
from tests.support.answering import serve

_SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.files.ignoreCorruptFiles": "true",  # what others set for their own reads makes no difference to ours
    "spark.sql.files.ignoreMissingFiles": "true",
}


def made() -> Any:
    """A session: classic, or of Spark Connect where a server is named."""
    remote = os.environ.get("SCHEMAS_CONNECT", "")
    if remote:
        from pyspark.sql.connect.session import SparkSession as Connected

        return Connected.builder.remote(remote).create()
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").appName("schemas")
    for key, value in _SETTINGS.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


spark = made()
_KNOWN = {
    "spark": spark,
    "store": lambda url, **about: SchemaStore.on(spark, url, **about),
    "files": lambda url, **about: SparkFiles(spark, url, **about),
    "door": lambda verdict=None, **about: {table: one.identity for table, one in assert_schema(spark, verdict, **about).items()},
    "judge": judge,
    "assert_schema": assert_schema,
    "handed": lambda text: spark.conf.unset(KEY) if text is None else spark.conf.set(KEY, text),
    "modules": lambda: sorted(sys.modules),
}


def evaluated(expression: str, **values: Any) -> Any:
    """The value of an expression; or the error of ours that it ends in."""
    try:
        return eval(expression, {**_KNOWN, **values})
    except SchemaError as error:
        return error


if __name__ == "__main__":
    try:
        serve({"evaluate": evaluated})
    finally:
        spark.stop()
