"""What is measured is what was used, or it is said that nobody knows."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.benchmarks.spark import processor


def busy(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


@pytest.fixture
def below() -> Iterator[list[subprocess.Popen[bytes]]]:
    """Processes below this one, which have used some time."""
    found = [subprocess.Popen([sys.executable, "-c", "sum(range(10**8)); input()"], stdin=subprocess.PIPE) for _ in range(2)]
    while any(processor._spent().get(process.pid, 0.0) < 0.3 for process in found):
        time.sleep(0.05)
    yield found
    for process in found:
        process.kill()
        process.communicate()


def test_the_time_of_a_way_is_that_of_this_process_and_of_those_below(below: list[subprocess.Popen[bytes]]) -> None:
    del below
    found = processor.least({"much": lambda: busy(0.2), "little": lambda: None}, 2)
    assert found["much"] > found["little"] >= 0


def test_a_round_in_which_a_process_ended_is_done_again(below: list[subprocess.Popen[bytes]]) -> None:
    def way() -> None:
        if below:
            ended_unseen(below.pop())
        busy(0.1)

    assert processor.least({"way": way}, 1)["way"] >= 0.05


def ended_unseen(process: subprocess.Popen[bytes]) -> None:
    """End a process as the daemon of Spark's workers does: nobody learns what it has used."""
    usual = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        process.kill()
        while Path(f"/proc/{process.pid}").exists():
            time.sleep(0.01)
    finally:
        signal.signal(signal.SIGCHLD, usual)
    process.communicate()


def test_what_was_not_measured_is_no_goal_that_was_kept() -> None:
    assert "(kept)" in processor.goal("fast", 1.0, 1.0, 2)
    for ours, beside in ((float("inf"), 1.0), (1.0, float("inf")), (1.0, 0.0)):
        assert "NOT KEPT" in processor.goal("unknown", ours, beside, 2)
