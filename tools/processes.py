"""Find processes by a mark that they have inherited, whatever session they are in and whoever is their parent by now.

The mark of a run is a number. It stands in the environment, under RUNS, beside the marks of outer runs; on Linux it is also the limit of
a resource that nobody uses, since a child may be given another environment but keeps the limits. Each process has one limit only: it
shows the innermost run. Standard library only.
"""

import contextlib
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

RUNS = "SCHEMAS_RUNS"
"""The marks of the runs that a process belongs to, the outermost first, with commas between them."""
WATCHED_RUNS = "SCHEMAS_WATCHED_RUNS"
"""Where the watchman of a run bears these marks, since no search for the run's processes is to find it."""
NO_LIMIT = resource.RLIM_INFINITY
# A limit in microseconds that is never reached, and always of 19 digits, so that no mark is a part of another one.
_SMALLEST_MARK = 2**60
_INTERVAL = 0.05
_TABLE = Path("/proc")
_LINUX = sys.platform == "linux"


class Process:
    """A process that is not our child, held so that its number cannot come to mean another one. Raises ProcessLookupError if it is gone."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.handle = os.pidfd_open(pid) if _LINUX else -1

    def send(self, number: int) -> None:
        """Send a signal, unless the process is gone."""
        with contextlib.suppress(ProcessLookupError):
            if _LINUX:
                signal.pidfd_send_signal(self.handle, number)
            else:
                os.kill(self.pid, number)

    def close(self) -> None:
        """Hold it no longer."""
        if _LINUX:
            os.close(self.handle)


def new_mark() -> int:
    """Return a mark that no other run has."""
    return _SMALLEST_MARK + int.from_bytes(os.urandom(6), "big")


def set_limit(number: int) -> None:
    """Bear the mark as a limit, where the system has this limit and allows it to be set."""
    if _LINUX:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_RTTIME, (number, resource.getrlimit(resource.RLIMIT_RTTIME)[1]))


def marked(mark: int, name: str = RUNS) -> list[int]:
    """Return the processes that bear the mark under the name, without this one and its ancestors."""
    spared = {os.getpid(), *(pid for pid, _command in ancestors())}
    if not _LINUX:
        return [pid for pid in _listed(mark, name) if pid not in spared]
    numbers = [int(entry.name) for entry in _TABLE.iterdir() if entry.name.isdigit()]
    return [pid for pid in numbers if pid not in spared and _bears(pid, mark, name)]


def ancestors() -> Iterator[tuple[int, str]]:
    """Return the parent of this process, its parent and so on, with the names of their commands."""
    pid = os.getppid()
    while pid > 0:
        parent, command = parent_and_command(pid)
        yield pid, command
        pid = parent


def parent_and_command(pid: int) -> tuple[int, str]:
    """Return the parent of a process and the name of its command: 0 and nothing if it is gone."""
    if not _LINUX:
        words = _ps("-o", "ppid=,comm=", "-p", str(pid)).split(maxsplit=1)
        return (int(words[0]), Path(words[1].strip()).name) if words else (0, "")
    command, _, rest = _read(pid, "stat").rpartition(b")")
    return (int(rest.split()[1]), command.partition(b"(")[2].decode(errors="replace")) if rest else (0, "")


def wait_until(condition: Callable[[], bool], seconds: float) -> None:
    """Wait until the condition holds, or time is up."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(_INTERVAL)


def tell(pids: set[int], mark: int, number: int) -> None:
    """Send a signal to processes that bear the mark."""
    for pid in pids:
        with contextlib.suppress(OSError):
            _tell(pid, mark, number)


def _tell(pid: int, mark: int, number: int) -> None:
    process = Process(pid)
    try:
        if not _LINUX or _bears(pid, mark, RUNS):  # now that it is held
            process.send(number)
    finally:
        process.close()


def _bears(pid: int, mark: int, name: str) -> bool:
    if name == RUNS and _limit(pid) == mark:
        return not _has_ended(pid)
    variable = f"\0{name}=".encode()
    value = (b"\0" + _read(pid, "environ")).partition(variable)[2].partition(b"\0")[0]
    return str(mark).encode() in value.split(b",")


def _limit(pid: int) -> int:
    with contextlib.suppress(OSError):
        return resource.prlimit(pid, resource.RLIMIT_RTTIME)[0]
    return NO_LIMIT


def _has_ended(pid: int) -> bool:
    """Whether nothing is left of a process but its exit code, for which its parent did not ask yet."""
    return _read(pid, "stat").rpartition(b")")[2].split()[:1] in ([], [b"Z"], [b"X"])


def _read(pid: int, file: str) -> bytes:
    with contextlib.suppress(OSError):
        return (_TABLE / str(pid) / file).read_bytes()
    return b""


def _listed(mark: int, name: str) -> list[int]:
    """The same where there is no /proc: `ps` shows the environments of our own processes."""
    lines = _ps("-axEww", "-o", "pid=,stat=,command=").splitlines()
    return [int(line.split()[0]) for line in lines if str(mark) in _value(line, name) and not line.split()[1].startswith("Z")]


def _value(line: str, name: str) -> list[str]:
    return line.partition(f" {name}=")[2].partition(" ")[0].split(",")


def _ps(*options: str) -> str:
    import subprocess

    return subprocess.run(["ps", *options], capture_output=True, text=True, check=False).stdout
