"""Sessions of Spark: a classic one where nothing of Airflow is installed, and one of Spark Connect. Each is started once a run."""

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store import SchemaStore
from tests.interop.companion import Companion
from tests.servers.process import HOST, free_port, listens, server

Ask = Callable[..., Any]
_MODULE = "tests.spark.session_process"
_CONNECT = """
--master local[2] --conf spark.ui.enabled=false --conf spark.connect.grpc.binding.address=127.0.0.1
--conf spark.sql.files.ignoreCorruptFiles=true --conf spark.sql.files.ignoreMissingFiles=true
--class org.apache.spark.sql.connect.service.SparkConnectServer
"""


@pytest.fixture(scope="session")
def classic() -> Iterator[Companion]:
    """A session of its own process, as a driver has it, where only the slim library is installed."""
    companion = Companion(".venv-spark", _MODULE, {"SPARK_LOCAL_IP": HOST, "SCHEMAS_CONNECT": ""})
    yield companion
    companion.end()


@pytest.fixture(scope="session")
def connect() -> Iterator[Companion]:
    """A session of Spark Connect: the server is a process of its own, too."""
    with _connect_server() as port:
        companion = Companion(".venv", _MODULE, {"SCHEMAS_CONNECT": f"sc://{HOST}:{port}"})
        yield companion
        companion.end()


@contextlib.contextmanager
def _connect_server() -> Iterator[int]:
    port, binaries = free_port(), Path(sys.executable).parent
    command = [str(binaries / "spark-submit"), *_CONNECT.split(), "--conf", f"spark.connect.grpc.binding.port={port}", "spark-internal"]
    about = {"SPARK_HOME": None, "SPARK_LOCAL_IP": HOST, "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}"}
    with tempfile.TemporaryDirectory() as folder, server(*command, port=port, environment=about, folder=Path(folder), answers=listens):
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
