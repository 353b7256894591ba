"""Interrupted runs leave nothing: on SIGINT, SIGTERM and SIGHUP pytest tears its fixtures down, and ends what is left then.

A second signal ends pytest at once. What is left after that, or when it is killed, or when the fixtures take too long, its watchman ends.
"""

import signal
import warnings
from typing import Any

import pytest

from tools.leftovers import Guard

_GUARD = pytest.StashKey[Guard]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_GUARD] = guard = Guard()
    guard.begin()
    config.add_cleanup(_signals_kept(guard).undo)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.config.stash[_GUARD].ending:
        raise KeyboardInterrupt("the run was told to end")  # the first one was caught: the gateway to Java makes an error of it


def pytest_sessionfinish(session: pytest.Session) -> None:
    if session.config.stash[_GUARD].ending:
        session.exitstatus = pytest.ExitCode.INTERRUPTED


@pytest.hookimpl(tryfirst=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    if config.stash[_GUARD].ending:
        warnings.simplefilter("ignore")  # a test that was cut off has closed nothing, and the exit code is to say that it was cut off
        config.stash[_GUARD].end()


def _signals_kept(guard: Guard) -> pytest.MonkeyPatch:
    """Let nobody else in this process take the signals: Spark takes SIGINT, and Airflow SIGTERM for each task, and never gives it back."""
    replaced = signal.signal

    def kept(number: int, handler: Any) -> Any:
        return signal.getsignal(number) if guard.holds(number) else replaced(number, handler)

    patch = pytest.MonkeyPatch()
    patch.setattr(signal, "signal", kept)
    return patch
