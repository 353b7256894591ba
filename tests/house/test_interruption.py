"""A run that is interrupted leaves no process behind, whoever is told to end, and however."""

import contextlib
import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.house.support.interrupted import STARTED, TORN_DOWN
from tests.servers.process import TOP, listens
from tools.processes import wait_until

PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
RUNNER = [sys.executable, "-m", "tests.house.support.interrupted_runner"]
KINDS = "tests/house/support/interrupted.py::test_processes_of_all_kinds"
SERVER = "tests/house/support/interrupted.py::test_a_server"
DEAF = "tests/house/support/interrupted.py::test_a_process_that_is_deaf"


class Started(NamedTuple):
    """What stands behind a command that was started: its pytest, and what that has started."""

    command: "subprocess.Popen[bytes]"
    log: Path
    torn_down: Path
    run: int
    processes: list[int]
    port: int

    def left(self) -> list[str]:
        """What is still there."""
        numbers = ",".join(map(str, [self.run, *self.processes]))
        listed = subprocess.run(["ps", "-o", "pid=,stat=,args=", "-p", numbers], capture_output=True, text=True, check=False).stdout
        alive = [line for line in listed.splitlines() if not line.split()[1].startswith("Z")]
        return [*alive, f"port {self.port}"] if self.port and listens(self.port) else alive

    def leaves_nothing(self) -> bool:
        """Whether all of it is gone soon."""
        wait_until(lambda: not self.left(), 30)
        return self.left() == []


Start = Callable[..., Started]


@contextlib.contextmanager
def heard(number: signal.Signals) -> Iterator[None]:
    """Let what is started in the block hear a signal, although these tests themselves may run under nohup, which hides SIGHUP."""
    hidden = signal.getsignal(number) == signal.SIG_IGN
    if hidden:
        signal.signal(number, signal.SIG_DFL)
    try:
        yield
    finally:
        if hidden:
            signal.signal(number, signal.SIG_IGN)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a command that comes to run a test of interrupted.py, and waits until that test has started everything."""
    said, log = tmp_path / "started", tmp_path / "log"

    def start(*command: str, **variables: str) -> Started:
        with heard(signal.SIGHUP):
            process = subprocess.Popen(command, cwd=TOP, env=os.environ | {STARTED: str(said)} | variables, stdout=out, stderr=out)
        wait_until(lambda: said.exists() or process.poll() is not None, 120)
        assert said.exists(), log.read_text("utf-8")
        return Started(process, log, said.with_suffix(TORN_DOWN), **json.loads(said.read_text("utf-8")))

    with log.open("wb") as out:
        yield start


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_pytest_ends_in_order_and_then_what_it_has_started(start: Start, number: signal.Signals) -> None:
    started = start(*PYTEST, KINDS)
    os.kill(started.run, number)
    assert started.command.wait(60) == pytest.ExitCode.INTERRUPTED
    assert started.torn_down.exists()
    assert started.leaves_nothing()


@pytest.mark.parametrize("test", [KINDS, SERVER])
def test_a_pytest_that_is_killed_leaves_nothing_either(start: Start, test: str) -> None:
    started = start(*PYTEST, test)
    os.kill(started.run, signal.SIGKILL)
    assert started.command.wait(60) == -signal.SIGKILL
    assert started.leaves_nothing()


def test_a_process_that_ignores_signals_is_killed(start: Start) -> None:
    started = start(*PYTEST, DEAF)
    os.kill(started.run, signal.SIGTERM)
    started.command.wait(60)
    assert started.leaves_nothing()


@pytest.mark.parametrize("tests", ["catches", "catches or next"])
def test_an_interrupt_that_was_caught_ends_the_run_before_the_next_test(start: Start, tests: str) -> None:
    started = start(*PYTEST, "-k", tests, "tests/house/support/interrupted.py")
    os.kill(started.run, signal.SIGTERM)
    assert started.command.wait(60) == pytest.ExitCode.INTERRUPTED
    assert "\n1 passed" in started.log.read_text("utf-8")


@pytest.mark.parametrize(("test", "number"), [(KINDS, signal.SIGINT), (SERVER, signal.SIGTERM)])
def test_in_the_background_of_a_shell_it_is_the_same(start: Start, test: str, number: signal.Signals) -> None:
    started = start("sh", "-c", f"{shlex.join([*PYTEST, test])} & wait")
    os.kill(started.run, number)
    started.command.wait(60)
    assert started.torn_down.exists()
    assert started.leaves_nothing()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("recipe", ["$(RUN)", "true; $(RUN); true"], ids=["run by make", "run by a shell of make"])
def test_a_signal_to_make_ends_the_runner_and_its_pytest(start: Start, tmp_path: Path, recipe: str, number: signal.Signals) -> None:
    (tmp_path / "Makefile").write_text(f"all:\n\t@{recipe}\n", "utf-8")
    started = start("make", "-f", str(tmp_path / "Makefile"), RUN=shlex.join([*RUNNER, *PYTEST, KINDS]))
    started.command.send_signal(number)
    started.command.wait(60)
    assert started.leaves_nothing()
    assert started.torn_down.exists()
