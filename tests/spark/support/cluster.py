"""A standalone cluster of Spark on the loopback: a master and a worker, processes of their own, ended by their ids."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.servers.process import HOST, TOP, free_port, listens, plain_environment, server

_BINARIES = Path(sys.executable).parent
# Whatever Spark this machine has besides is not the one that is meant.
_ABOUT: dict[str, str | None] = {"SPARK_HOME": None, "SPARK_LOCAL_IP": HOST, "PATH": f"{_BINARIES}{os.pathsep}{os.environ['PATH']}"}
_CONF = {
    "spark.ui.enabled": "false",
    "spark.driver.host": HOST,
    "spark.driver.bindAddress": HOST,
    "spark.executor.memory": "512m",
    "spark.sql.shuffle.partitions": "2",
}


@contextlib.contextmanager
def standalone(folder: Path) -> Iterator[str]:
    """The address of a cluster with one worker of two cores."""
    port, worker = free_port(), free_port()
    start = [str(_BINARIES / "spark-class")]
    at = ["--host", HOST, "--webui-port", "0"]
    master = [*start, "org.apache.spark.deploy.master.Master", *at, "--port", str(port)]
    address = f"spark://{HOST}:{port}"
    limits = ["--cores", "2", "--memory", "1g", "--work-dir", str(folder / "work"), "--port", str(worker)]
    with server(*master, port=port, environment=_ABOUT, folder=folder, answers=listens):
        joined = [*start, "org.apache.spark.deploy.worker.Worker", *at, *limits, address]
        with server(*joined, port=worker, environment=_ABOUT, folder=folder, answers=listens):
            yield address


def submitted(master: str, module: Path, *arguments: str) -> str:
    """What a job prints that spark-submit brings to a cluster."""
    conf = [f"--conf={key}={value}" for key, value in _CONF.items()]
    command = [str(_BINARIES / "spark-submit"), f"--master={master}", *conf, str(module), *arguments]
    about = plain_environment() | _ABOUT | {"PYSPARK_PYTHON": sys.executable, "PYTHONPATH": str(TOP)}
    kept = {name: value for name, value in about.items() if value is not None}
    done = subprocess.run(command, cwd=TOP, env=kept, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4_000:] + done.stderr[-8_000:]
    return done.stdout
