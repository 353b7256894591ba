"""Run collected tests in a fork: all of them, to learn which mutants they reach; or the few that reach a mutant, until one fails."""

import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType

import pytest
from _pytest.runner import runtestprotocol

from tools.mutants.forks import Note, Work
from tools.mutants.planting import Switch, cached_functions

SLOWER = 10
"""A mutant may make a test so many times as slow as it was."""


class OutOfTimeError(BaseException):
    """A test took too long. No `except Exception` of the code under test may catch it."""


class Caches:
    """The functions of the package that keep answers; they forget them before each test."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._modules = 0
        self._functions = cached_functions(package)

    def clear(self) -> None:
        if len(sys.modules) != self._modules:
            self._modules = len(sys.modules)
            self._functions = cached_functions(self._package)
        for function in self._functions:
            function.cache_clear()


def learn(tests: Sequence[pytest.Item], switch: Switch, package: str, until: float, seconds: float) -> Work:
    """Run tests as they are, each for at most so many seconds, and note how it ended, how long it took and what it reached."""

    def work(write: Callable[[Note], None]) -> None:
        caches = Caches(package)
        _keep_files_here(tests)
        for test, following in _with_next(tests):
            if time.monotonic() > until:
                return
            caches.clear()
            switch.reached.clear()
            started = time.monotonic()
            outcome, reason = _outcome(test, following, seconds)
            if outcome == "failed":  # perhaps because of what an earlier test has left behind, such as a warning
                outcome, reason = _outcome(test, following, seconds)
            took = time.monotonic() - started
            write({"test": test.nodeid, "outcome": outcome, "reason": reason, "seconds": took, "reached": sorted(switch.reached)})

    return work


def try_out(tests: Sequence[tuple[pytest.Item, float]], switch: Switch, number: int, package: str, least: float) -> Work:
    """Turn a mutant on and run tests, each given with the seconds that it takes without, until one fails.

    A test gets ten times the seconds that it took, and at least `least`.
    """

    def work(write: Callable[[Note], None]) -> None:
        Caches(package).clear()
        switch.active = number
        seconds = dict(tests)
        _keep_files_here(list(seconds))
        for test, following in _with_next(list(seconds)):
            outcome, reason = _outcome(test, following, max(least, SLOWER * seconds[test]))
            write({"test": test.nodeid, "outcome": outcome, "reason": reason})
            if outcome in ("failed", "time"):
                return

    return work


def _keep_files_here(tests: Sequence[pytest.Item]) -> None:
    """Let the tests have their `tmp_path` in the folder of this process, which goes with it."""
    for config in {test.config for test in tests}:
        factory: pytest.TempPathFactory = config._tmp_path_factory  # type: ignore[attr-defined]
        factory._given_basetemp = Path(tempfile.gettempdir()) / "t"


def _with_next(tests: Sequence[pytest.Item]) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    return zip(tests, [*tests[1:], None], strict=True)


def _outcome(test: pytest.Item, following: pytest.Item | None, seconds: float) -> tuple[str, str]:
    """Run a test: it passed, failed, was skipped, or ran out of time; and the first line of the reason."""
    random.seed(0)  # so that chance is the same with a mutant and without
    signal.signal(signal.SIGALRM, _out_of_time)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        reports = runtestprotocol(test, log=False, nextitem=following)
    except OutOfTimeError:
        return "time", ""
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    failed = [report for report in reports if report.failed]
    if failed:
        reason = _first_line(str(failed[0].longrepr))
        return ("time" if "OutOfTimeError" in str(failed[0].longrepr) else "failed"), reason
    return ("skipped" if any(report.skipped for report in reports) else "passed"), ""


def _out_of_time(number: int, frame: FrameType | None) -> None:
    raise OutOfTimeError


def _first_line(text: str) -> str:
    lines = [line.removeprefix("E ").strip() for line in text.splitlines() if line.startswith("E ")] or text.splitlines()
    return lines[0][:200] if lines else ""
