"""Sessions of Spark for tests, classic and of Spark Connect; each is started once a run, whichever tests ask for it."""

import contextlib
import os
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.servers.process import HOST, free_port, listens, server

_CONF = {
    # One session serves all tests of a run, and Spark's parser remembers what it has met: 1 GB, which is usual, is full after some hundred.
    "spark.driver.memory": "4g",
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.driver.host": HOST,
    "spark.driver.bindAddress": HOST,
    "spark.log.level": "ERROR",
    "spark.ui.showConsoleProgress": "false",
}
# What others set for their own reads makes no difference to ours.
_CARELESS = {"spark.sql.files.ignoreCorruptFiles": "true", "spark.sql.files.ignoreMissingFiles": "true"}
_SERVER = {"spark.connect.grpc.binding.address": HOST, **_CONF, **_CARELESS}


@pytest.fixture(scope="session")
def classic_spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A classic session, with a warehouse of its own."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("SPARK_LOCAL_IP", HOST)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[2]").appName("schemas")
    for key, value in {**_CONF, "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse"))}.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="session")
def connect_server() -> Iterator[str]:
    """The address of a server of Spark Connect, which is a process of its own. .venv-paimon lacks its libraries: -k "not connect" there."""
    with _connect_server() as port:
        yield f"sc://{HOST}:{port}"


@pytest.fixture(scope="session")
def connect_spark(connect_server: str) -> Iterator[Any]:
    """A session of Spark Connect."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas")
        from pyspark.sql.connect.session import SparkSession

    session = SparkSession.builder.remote(connect_server).create()
    yield session
    session.stop()


@contextlib.contextmanager
def _connect_server() -> Iterator[int]:
    port, binaries = free_port(), Path(sys.executable).parent
    conf = [f"--conf={key}={value}" for key, value in {**_SERVER, "spark.connect.grpc.binding.port": str(port)}.items()]
    command = [
        str(binaries / "spark-submit"),
        "--master=local[2]",
        *conf,
        "--class",
        "org.apache.spark.sql.connect.service.SparkConnectServer",
    ]
    about = {"SPARK_HOME": None, "SPARK_LOCAL_IP": HOST, "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}"}
    with (
        tempfile.TemporaryDirectory() as folder,
        server(*command, "spark-internal", port=port, environment=about, folder=Path(folder), answers=listens),
    ):
        yield port
