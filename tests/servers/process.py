"""Servers as processes of their own on the loopback: started, waited for until they answer, and ended by their ids.

Nothing of the credentials and addresses of this machine reaches them.
"""

import contextlib
import http.client
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

TOP = Path(__file__).parents[2]
HOST = "127.0.0.1"
# Generous: a machine at its limits is no reason to fail. Nobody waits that long where all is well.
_PATIENCE = 120.0
_KEPT_AWAY = ("AWS_", "AZURE_", "AZURITE_", "BOTO_", "GCSFS_", "GOOGLE_", "MOTO_", "S3_", "STORAGE_EMULATOR_")


def free_port() -> int:
    """A port that nobody listens on right now."""
    with socket.socket() as one:
        one.bind((HOST, 0))
        port: int = one.getsockname()[1]
        return port


def plain_environment() -> dict[str, str]:
    """The environment without what speaks of storages."""
    return {name: value for name, value in os.environ.items() if not name.startswith(_KEPT_AWAY)}


@contextlib.contextmanager
def server(
    *command: str,
    port: int,
    environment: Mapping[str, str | None] | None = None,
    folder: Path = TOP,
    answers: Callable[[int], bool] | None = None,
) -> Iterator[int]:
    """A process that serves on the port while the block runs: HTTP, unless it is said how to know that it answers.

    What is None in the environment is taken out of it.
    """
    merged = plain_environment() | dict(environment or {})
    kept = {name: value for name, value in merged.items() if value is not None}
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=said, stderr=said, env=kept)
        try:
            _wait(process, port, said.fileno(), answers or _answers)
            yield port
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextlib.contextmanager
def python_server(module: str, *arguments: str, port: int) -> Iterator[int]:
    """The same for a module of ours or of a library."""
    with server(sys.executable, "-m", module, *arguments, port=port):
        yield port


def _wait(process: subprocess.Popen[bytes], port: int, said: int, answers: Callable[[int], bool]) -> None:
    until = time.monotonic() + _PATIENCE
    while not answers(port):
        if process.poll() is not None or time.monotonic() > until:
            size = os.fstat(said).st_size
            raise RuntimeError(f"{process.args!r} does not serve: {os.pread(said, size, 0).decode(errors='replace')}")
        time.sleep(0.02)


def listens(port: int) -> bool:
    """Whether anything listens there, whatever it speaks."""
    with contextlib.suppress(OSError), socket.create_connection((HOST, port), timeout=1):
        return True
    return False


def _answers(port: int) -> bool:
    """Whether something speaks HTTP there; what it says does not matter."""
    connection = http.client.HTTPConnection(HOST, port, timeout=5)
    try:
        connection.request("GET", "/")
        connection.getresponse().read()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True
