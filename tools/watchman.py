"""A small process outside a run that ends what is left of the run once it is gone, even when the run was killed.

It hears of the run by a pipe: a byte says that the run was told to end, the pipe's end that it is gone. Standard library only.
"""

import contextlib
import os
import select
import signal
import sys
import time
from pathlib import Path

from tools.processes import WATCHED_RUNS, Process, ancestors, marked, tell

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PATIENCE = 5.0
"""Seconds for a process that was asked to end: a JVM needs one or two."""
GRACE = 20.0
"""Seconds for a run to tear down what it has."""
_START = "import sys; sys.path.append(sys.argv[1]); from tools.watchman import watch; watch(*map(int, sys.argv[2:]))"
_TOP = str(Path(__file__).resolve().parents[1])
_LINUX = sys.platform == "linux"


def start(mark: int, marks: str, grace: float = GRACE) -> tuple[int, int]:
    """Start the watchman of this process; return its number, and the pipe to it."""
    hear, say = os.pipe()
    command = [sys.executable, "-I", "-S", "-c", _START, _TOP, *map(str, [mark, os.getpid(), int(grace), *_under_make()])]
    quiet = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_WRONLY, 0) for number in (1, 2)]
    actions = [(os.POSIX_SPAWN_DUP2, hear, 0), *quiet]
    # Blocked from its first moment on: a terminal sends its signals to the watchman as well.
    pid = os.posix_spawn(sys.executable, command, {WATCHED_RUNS: marks}, file_actions=actions, setsigmask=SIGNALS)
    os.close(hear)
    return pid, say


def _under_make() -> list[int]:
    """Return the processes from the parent up to the topmost make. When one of them is killed, nobody else ends the run."""
    above = list(ancestors()) if "MAKELEVEL" in os.environ else []
    makes = [place for place, (_pid, command) in enumerate(above) if command in {"make", "gmake"}]
    return [pid for pid, _command in above[: makes[-1] + 1]] if makes else []


def watch(mark: int, run: int, grace: int, *watched: int) -> None:
    """Wait until the run is gone, and end what is left of it. Tell it to end when a watched process is gone."""
    os.setsid()
    os.chdir("/")
    os.closerange(3, 256)  # what a shell or make has open must not be held by anybody else
    if os.getppid() == run:
        with contextlib.suppress(ProcessLookupError):
            _outlive(Process(run), watched, grace)
    end(mark)


def end(mark: int) -> None:
    """Ask the processes that bear the mark to end, and kill those that do not."""
    asked: set[int] = set()
    start = time.monotonic()
    while (found := set(marked(mark))) and time.monotonic() < start + 2 * PATIENCE:
        if time.monotonic() < start + PATIENCE:
            tell(found - asked, mark, signal.SIGTERM)
        else:
            tell(found, mark, signal.SIGKILL)
        asked |= found
        time.sleep(0.05)


def _outlive(run: Process, watched: tuple[int, ...], grace: int) -> None:
    with contextlib.suppress(ProcessLookupError):  # one of the watched is gone already
        _wait_for_news([run, *map(Process, watched)])
    if not _heard():
        run.send(signal.SIGTERM)
    if not _ends(run, grace):
        run.send(signal.SIGKILL)


def _wait_for_news(processes: list[Process]) -> None:
    """Wait until the run writes, or one of the processes is gone."""
    handles = [process.handle for process in processes if _LINUX]
    while not select.select([0, *handles], [], [], None if _LINUX else 1.0)[0]:
        for process in processes:
            os.kill(process.pid, 0)


def _heard() -> bool:
    """Whether there is anything to read from the run, which may be the end of the pipe."""
    return bool(select.select([0], [], [], 0)[0])


def _ends(run: Process, grace: int) -> bool:
    """Whether the run is gone in time."""
    until = time.monotonic() + grace
    handles = [run.handle] if _LINUX else []
    while (left := until - time.monotonic()) > 0:
        ready = select.select([0, *handles], [], [], left)[0]
        if run.handle in ready or (0 in ready and not os.read(0, 64)):
            return True
    return False
