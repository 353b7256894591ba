"""A run that test_interruption.py starts and interrupts: its tests start what others of ours start, say what that is, and wait.

Pytest does not collect this file by itself.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from tests.servers.bucket import Storage

STARTED = "INTERRUPTED_RUN_STARTED"
"""The file in which a test says what it has started."""
TORN_DOWN = ".torn-down"
"""The ending of the file that the last fixture makes."""
_SLEEP = ["sleep", "600"]
_ORPHAN = f"import subprocess; print(subprocess.Popen({_SLEEP}, start_new_session=True, stdout=subprocess.DEVNULL).pid)"
_DEAF = "import signal, time; [signal.signal(number, signal.SIG_IGN) for number in (1, 2, 15)]; print(flush=True); time.sleep(600)"


@pytest.fixture(scope="session", autouse=True)
def torn_down() -> Iterator[None]:
    yield
    Path(os.environ[STARTED]).with_suffix(TORN_DOWN).touch()


def test_a_server(s3_server: Storage) -> None:
    say_and_wait([], s3_server.port)


def test_processes_of_all_kinds() -> None:
    child = subprocess.Popen(_SLEEP)
    orphan = int(subprocess.check_output([sys.executable, "-c", _ORPHAN]))
    processes = [child.pid, orphan, forked()]
    if sys.platform == "linux":  # elsewhere the environment is all that marks a process
        processes.append(subprocess.Popen(_SLEEP, env={}, start_new_session=True).pid)
    say_and_wait(processes)


def test_a_process_that_is_deaf() -> None:
    deaf = subprocess.Popen([sys.executable, "-c", _DEAF], stdout=subprocess.PIPE)
    assert deaf.stdout is not None
    deaf.stdout.readline()
    say_and_wait([deaf.pid])


def test_what_catches_the_interrupt() -> None:
    with contextlib.suppress(KeyboardInterrupt):
        say_and_wait([])


def test_what_comes_next() -> None:
    raise AssertionError("no test is run after an interrupt")


def forked() -> int:
    """A process that is a copy of this one."""
    pid = os.fork()
    if not pid:
        time.sleep(600)
        os._exit(0)
    return pid


def say_and_wait(processes: list[int], port: int = 0) -> NoReturn:
    """Write down what was started, and wait for the interrupt, as a test that has let a library take the signals."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    said = Path(os.environ[STARTED])
    said.with_suffix(".new").write_text(json.dumps({"run": os.getpid(), "processes": processes, "port": port}), "utf-8")
    said.with_suffix(".new").rename(said)
    time.sleep(600)
    raise AssertionError("nobody has interrupted it")
