"""Processes that are forked from this one, write down what they see line by line, and end by a deadline."""

import ctypes
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

Note = dict[str, Any]
Work = Callable[[Callable[[Note], None]], None]
PR_SET_PDEATHSIG = 1
INTERRUPTS = {signal.SIGINT, signal.SIGTERM}
MEMORY = 6 << 30


@dataclass
class Fork:
    """A process at work. `notes` is what it has written so far."""

    label: Any
    process: int
    folder: Path
    deadline: float
    ended_by_deadline: bool = False

    def notes(self) -> list[Note]:
        """Read the notes; a last line that is not whole is none."""
        lines = (self.folder / "notes").read_text(encoding="utf-8").splitlines(keepends=True)
        return [json.loads(line) for line in lines if line.endswith("\n")]


@dataclass
class Forks:
    """At most so many processes at a time. Leaving the block ends those that still run, and whatever they have started."""

    most: int
    running: dict[int, Fork] = field(default_factory=dict)

    def __enter__(self) -> Self:
        self._folder = Path(tempfile.mkdtemp(prefix="m-"))  # short, since tests measure the width of what they print
        self._started = 0
        return self

    def __exit__(self, *exception: object) -> None:
        for fork in list(self.running.values()):
            _end(fork)
        shutil.rmtree(self._folder, ignore_errors=True)

    def start(self, label: Any, work: Work, seconds: float) -> None:
        """Start a process. The caller waits before there are too many."""
        self._started += 1
        folder = self._folder / str(self._started)
        folder.mkdir()
        (folder / "notes").touch()
        sys.stdout.flush()
        parent = os.getpid()
        # What a handler of a signal raises during the fork is lost, since Python's own handlers of the fork ignore it.
        signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTS)
        process = os.fork()
        if process == 0:
            _work(parent, folder, work)
        self.running[process] = Fork(label, process, folder, time.monotonic() + seconds)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTS)

    @property
    def full(self) -> bool:
        return len(self.running) >= self.most

    def ended(self) -> Iterator[tuple[Fork, list[Note]]]:
        """Wait until a process ends, or has to: give it with its notes."""
        while self.running:
            for fork in list(self.running.values()):
                if self._has_ended(fork):
                    del self.running[fork.process]
                    yield fork, fork.notes()
                    shutil.rmtree(fork.folder, ignore_errors=True)
                    return
            time.sleep(0.01)

    def _has_ended(self, fork: Fork) -> bool:
        if os.waitpid(fork.process, os.WNOHANG) != (0, 0):
            with suppress(ProcessLookupError):
                os.killpg(fork.process, signal.SIGKILL)  # what it has started
            return True
        fork.ended_by_deadline = time.monotonic() > fork.deadline
        if fork.ended_by_deadline:
            _end(fork)
        return fork.ended_by_deadline


def _end(fork: Fork) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(fork.process, signal.SIGKILL)
    with suppress(ProcessLookupError):
        os.kill(fork.process, signal.SIGKILL)
    with suppress(ChildProcessError):
        os.waitpid(fork.process, 0)


def _work(parent: int, folder: Path, work: Work) -> None:
    """Work in the new process, which never returns to what the old one was about to do."""
    try:
        _settle(parent, folder)
        with (folder / "notes").open("w", encoding="utf-8") as notes:

            def write(note: Note) -> None:
                notes.write(json.dumps(note) + "\n")
                notes.flush()

            work(write)
    finally:
        os._exit(0)


def _settle(parent: int, folder: Path) -> None:
    """Make the process a group of its own, which ends with its parent, says nothing, and leaves its files in its folder."""
    os.setsid()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
