"""Sessions of Spark, classic and of Spark Connect; each is started once a run.

Library code runs in this process, with both kinds side by side: `spark`, `classic_spark`, `connect_spark`. What must hold where nothing
of Airflow is installed is asked in a process beside: `ask`.
"""

import contextlib
import importlib.util
import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store import SchemaStore
from tests.interop.companion import Companion
from tests.servers.process import HOST, free_port, listens, server

Ask = Callable[..., Any]
_HERE = Path(__file__).parent
_MODULE = "tests.spark.session_process"
_CONF = {
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
# Spark Connect says so of the pandas it is given, whatever is done with it.
_OF_PANDAS = "ignore:PySpark does not yet fully support pandas:FutureWarning"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What Spark says of other libraries is no fault of a test."""
    for item in items:
        if _HERE in item.path.parents:
            item.add_marker(pytest.mark.filterwarnings(_OF_PANDAS))


# ---------------------------------------------------------------- sessions in this process


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
    """The address of a server of Spark Connect, which is a process of its own. Skipped where its libraries are not installed."""
    if importlib.util.find_spec("grpc") is None:
        pytest.skip("no Spark Connect here")
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


@pytest.fixture(params=["classic", "connect"])
def spark(request: pytest.FixtureRequest) -> Any:
    """A session of either kind."""
    return request.getfixturevalue(f"{request.param}_spark")


# ---------------------------------------------------------------- sessions in processes beside


@pytest.fixture(scope="session")
def classic() -> Iterator[Companion]:
    """A session of its own process, as a driver has it, where only the slim library is installed."""
    companion = Companion(".venv-spark", _MODULE, {"SPARK_LOCAL_IP": HOST, "SCHEMAS_CONNECT": ""})
    yield companion
    companion.end()


@pytest.fixture(scope="session")
def connect(connect_server: str) -> Iterator[Companion]:
    """A session of Spark Connect: the server is a process of its own, too."""
    companion = Companion(".venv", _MODULE, {"SCHEMAS_CONNECT": connect_server})
    yield companion
    companion.end()


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


@pytest.fixture(params=["classic", "connect"])
def ask(request: pytest.FixtureRequest) -> Ask:
    """Evaluates an expression in a session of either kind; what it knows stands in `session_process`. An error of ours is raised."""
    companion: Companion = request.getfixturevalue(request.param)

    def evaluate(expression: str, **values: Any) -> Any:
        answer = companion.ask("evaluate", expression=expression, **values)
        if isinstance(answer, SchemaError):
            raise answer
        return answer

    return evaluate


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    return tmp_path / "lake"


@pytest.fixture
def ours(lake: Path) -> SchemaStore:
    """The same warehouse without Spark, with a table of two versions."""
    store = SchemaStore(lake, actor="ana")
    store.create_table("shop.orders", "order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(10, 2)")
    store.table("shop.orders").evolve("ADD COLUMN coupon STRING", run="evolve_shop/manual__1/widen")
    return store
