"""A home for an Airflow of our own: SQLite, no examples, only the given DAGs, nothing of the settings of this machine."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

BIN = Path(sys.executable).parent
# What speaks of another Airflow, of a storage or of a Spark on this machine must not reach the one that is started here.
_KEPT_AWAY = ("AIRFLOW", "AWS_", "AZURE_", "BOTO_", "GOOGLE_", "MOTO_", "PYSPARK_", "SPARK_", "S3_")
# The same in every process of one Airflow; it guards nothing but a loopback address.
_SECRET = "not a secret, and long enough for the algorithm that signs the tokens of tasks: 0123456789"


def environment(home: Path, dags: Path, **more: str) -> dict[str, str]:
    """What every process of an Airflow in this home is given."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_KEPT_AWAY)}
    return {
        **kept,
        "PATH": f"{BIN}{os.pathsep}{kept['PATH']}",
        "AIRFLOW_HOME": str(home),
        "AIRFLOW__CORE__DAGS_FOLDER": str(dags),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": f"sqlite:///{home}/airflow.db",
        "AIRFLOW__LOGGING__BASE_LOG_FOLDER": str(home / "logs"),
        "AIRFLOW__API_AUTH__JWT_SECRET": _SECRET,
        "AIRFLOW__API__SECRET_KEY": _SECRET,
        "AIRFLOW__USAGE_DATA_COLLECTION__ENABLED": "False",
        # The driver and the workers of a local Spark speak over the loopback, whatever the name of this machine stands for.
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
        "NO_COLOR": "1",
        **more,
    }


def connection(conn_type: str, host: str = "", **extra: object) -> str:
    """A connection as AIRFLOW_CONN_... holds it."""
    return json.dumps({"conn_type": conn_type, "host": host} | ({"extra": extra} if extra else {}))


def migrated(home: Path, *, like: Path | None = None) -> Path:
    """The home, with an empty database in it: made here, or copied from another home."""
    home.mkdir(parents=True, exist_ok=True)
    if like is None:
        airflow(environment(home, home / "dags"), "db", "migrate", check=True)
    else:
        shutil.copyfile(like / "airflow.db", home / "airflow.db")
    return home


def airflow(given: Mapping[str, str], *arguments: str, check: bool = False) -> "subprocess.CompletedProcess[str]":
    """What an airflow command prints, both streams together, in order."""
    return subprocess.run(
        [str(BIN / "airflow"), *arguments],
        env=dict(given),
        cwd=given["AIRFLOW_HOME"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=check,
    )
