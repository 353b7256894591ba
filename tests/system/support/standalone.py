"""One `airflow standalone` for the tests: a process group of its own on free ports, known to be up, and known to be gone."""

import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.servers.process import HOST, free_port
from tests.system.support.rest import Rest
from tests.system.support.waiting import until
from tools.airflow_home import BIN, airflow, environment, migrated

ROLES = {"admin": "admin", "ana": "admin", "raj": "admin"}
# Nobody but this machine can sign in, and each name is its own password.
PASSWORDS = {name: name for name in ROLES}
_PARTS = ("metadatabase", "scheduler", "triggerer", "dag_processor")


def settings(home: Path, dags: Path, roles: Mapping[str, str] = ROLES, **more: str) -> dict[str, str]:
    """The environment of an Airflow with these users that answers quickly on a small machine."""
    port = free_port()
    passwords = home / "passwords.json"
    passwords.write_text(json.dumps({name: name for name in roles}))
    quick = {
        "AIRFLOW__API__HOST": HOST,
        "AIRFLOW__API__PORT": str(port),
        "AIRFLOW__API__BASE_URL": f"http://{HOST}:{port}",
        "AIRFLOW__CORE__EXECUTION_API_SERVER_URL": f"http://{HOST}:{port}/execution/",
        "AIRFLOW__LOGGING__WORKER_LOG_SERVER_PORT": str(free_port()),
        "AIRFLOW__LOGGING__TRIGGER_LOG_SERVER_PORT": str(free_port()),
        "AIRFLOW__CORE__PARALLELISM": "4",
        "AIRFLOW__CORE__DAGS_ARE_PAUSED_AT_CREATION": "False",
        "AIRFLOW__CORE__TEST_CONNECTION": "Enabled",
        "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_USERS": ",".join(f"{name}:{role}" for name, role in roles.items()),
        "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE": str(passwords),
        "AIRFLOW__DAG_PROCESSOR__REFRESH_INTERVAL": "10",
        "AIRFLOW__DAG_PROCESSOR__MIN_FILE_PROCESS_INTERVAL": "60",
        "AIRFLOW__SCHEDULER__SCHEDULER_IDLE_SLEEP_TIME": "0.5",
        # A small machine that does much else answers late, and a task that hears nothing for five seconds fails.
        "AIRFLOW__WORKERS__EXECUTION_API_TIMEOUT": "60",
        # An answer that does not come is noticed this often.
        "AIRFLOW__SCHEDULER__TRIGGER_TIMEOUT_CHECK_INTERVAL": "3",
    }
    return environment(home, dags, **(quick | more))


@contextlib.contextmanager
def standalone(
    home: Path, dags: Path, connections: Mapping[str, Mapping[str, object]], roles: Mapping[str, str] = ROLES, **more: str
) -> Iterator[Rest]:
    """An Airflow with these connections, users and settings while the block runs, spoken to as admin."""
    migrated(home)
    given = settings(home, dags, roles, **more)
    listed = home / "connections.json"
    listed.write_text(json.dumps(connections))
    airflow(given, "connections", "import", str(listed), check=True)
    said = home / "standalone.log"
    began = time.time()
    with said.open("wb") as out:
        process = subprocess.Popen(
            [str(BIN / "airflow"), "standalone"],
            env=given,
            cwd=home,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        rest = Rest(f"http://{HOST}:{given['AIRFLOW__API__PORT']}", "admin", "admin")
        rest.said = said
        until(
            "Airflow is up",
            lambda: _alive(process, said) and rest.healthy(_PARTS, since=began),
            seconds=180,
            tell=lambda: _end_of(said),
        )
        yield rest
    finally:
        _stop(process)


def _alive(process: "subprocess.Popen[bytes]", said: Path) -> bool:
    if process.poll() is not None:
        raise RuntimeError(f"airflow standalone ended by itself:\n{_end_of(said)}")
    return True


def _end_of(said: Path) -> str:
    return said.read_text("utf-8", "replace")[-6000:]


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """End the whole group: the parent alone would leave the API server and the workers behind."""
    for number, patience in ((signal.SIGTERM, 30.0), (signal.SIGKILL, 10.0)):
        _tell_group(process.pid, number)
        end = time.monotonic() + patience
        while time.monotonic() < end:
            process.poll()
            if not _tell_group(process.pid, 0):
                return
            time.sleep(0.1)
    raise RuntimeError(f"processes of the group {process.pid} are still there")


def _tell_group(group: int, number: int) -> bool:
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return False
    return True
