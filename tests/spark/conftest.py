"""Sessions of Spark: a classic one where nothing of Airflow is installed, and one of Spark Connect. Each is started once a run."""

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store import SchemaStore
from tests.interop.companion import Companion
from tests.servers.process import HOST, free_port, plain_environment

Ask = Callable[..., Any]
_MODULE = "tests.spark.session_process"
_PATIENCE = 120.0
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
    environment = {name: value for name, value in plain_environment().items() if name != "SPARK_HOME"} | {"SPARK_LOCAL_IP": HOST}
    environment["PATH"] = f"{binaries}{os.pathsep}{environment['PATH']}"
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=said, stderr=said, env=environment)
        try:
            _wait(process, port, said.fileno())
            yield port
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait(process: subprocess.Popen[bytes], port: int, said: int) -> None:
    until = time.monotonic() + _PATIENCE
    while True:
        with contextlib.suppress(OSError), socket.create_connection((HOST, port), timeout=1):
            return
        if process.poll() is not None or time.monotonic() > until:
            raise RuntimeError(f"Spark Connect does not serve: {os.pread(said, 10_000, 0).decode(errors='replace')}")
        time.sleep(0.1)


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
