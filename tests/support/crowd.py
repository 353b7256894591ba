"""Processes that start together: each is a fork of one that has everything imported, waits for the others, and goes when all are there."""

import contextlib
import os
import select
import sys
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from typing import NoReturn

Work = Callable[["Signals"], None]


class Signals:
    """The pipes by which the crowd is told to go, and those who only watch to stop. A closed end is the signal."""

    def __init__(self) -> None:
        self._ready, self._am_ready = os.pipe()
        self._go, self._say_go = os.pipe()
        self._stop, self._say_stop = os.pipe()

    def keep_ears(self) -> None:
        """In a child: only its parent can give the signals."""
        os.close(self._say_go)
        os.close(self._say_stop)

    def wait(self) -> None:
        """Be ready, and wait for all others."""
        os.write(self._am_ready, b".")
        os.read(self._go, 1)

    def stopped(self) -> bool:
        """Whether those who work have finished."""
        return bool(select.select([self._stop], [], [], 0)[0])

    def start(self, count: int) -> None:
        """In the parent: let them go once so many are ready. One that died before that is not waited for."""
        os.close(self._am_ready)
        ready = 0
        while ready < count and (said := os.read(self._ready, count)):
            ready += len(said)
        os.close(self._say_go)

    def finish(self) -> None:
        """In the parent: those who watch may go home."""
        os.close(self._say_stop)
        for end in (self._ready, self._go, self._stop):
            os.close(end)


def run(workers: Sequence[Work], watchers: Sequence[Work] = ()) -> list[int]:
    """Run them all, each in a process of its own; how each ended: 0, or what it failed with; below 0, the signal that killed it."""
    signals = Signals()
    working = [_forked(work, signals) for work in workers]
    watching = [_forked(work, signals) for work in watchers]
    signals.start(len(working) + len(watching))
    ended = [_ended(pid) for pid in working]
    signals.finish()
    return ended + [_ended(pid) for pid in watching]


def alone(work: Callable[[], None]) -> int:
    """Run one piece of work in a process of its own; how it ended."""
    sys.stdout.flush()
    pid = os.fork()
    return _ended(pid) if pid else _child(work)


def _forked(work: Work, signals: Signals) -> int:
    sys.stdout.flush()
    pid = os.fork()
    return pid or _child(partial(_together, work, signals))


def _together(work: Work, signals: Signals) -> None:
    signals.keep_ears()
    work(signals)


def _child(work: Callable[[], None]) -> NoReturn:
    code = 1
    with contextlib.suppress(BaseException):
        try:
            work()
            code = 0
        except BaseException:
            traceback.print_exc()
            raise
    sys.stderr.flush()
    os._exit(code)


def _ended(pid: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
