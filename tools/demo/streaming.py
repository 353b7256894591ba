"""Read the lines of a process while it runs, and end it with everything that it started."""

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from typing import IO, NamedTuple

_TICK = 0.25
_PATIENCE = 3.0


class Line(NamedTuple):
    """A line, and whether it came from standard error."""

    text: str
    error: bool


def lines(process: "subprocess.Popen[bytes]", tick: Callable[[], None]) -> Iterator[Line]:
    """Yield the lines of both streams as they come; call `tick` several times a second."""
    rests: dict[int, bytes] = {}
    with selectors.DefaultSelector() as selector:
        for stream, error in ((process.stdout, False), (process.stderr, True)):
            selector.register(_opened(stream), selectors.EVENT_READ, error)
        while selector.get_map():
            ready = selector.select(_TICK)
            tick()
            for key, _ in ready:
                data = os.read(key.fd, 1 << 16)
                *whole, rest = (rests.pop(key.fd, b"") + data).split(b"\n")
                if data:
                    rests[key.fd] = rest
                else:
                    selector.unregister(key.fileobj)
                    whole += [rest] if rest else []
                yield from (Line(text.decode("utf-8", "replace").rstrip("\r"), key.data) for text in whole)


def end(process: "subprocess.Popen[bytes]") -> None:
    """End the process at once, and what it started: politely, then, after some seconds, by force."""
    group = process.pid
    _signal(group, signal.SIGTERM)
    process.kill()  # Airflow catches the polite signal while a task runs, and goes on for some seconds
    deadline = time.monotonic() + _PATIENCE
    while _signal(group, 0) and time.monotonic() < deadline:
        process.poll()
        time.sleep(0.05)
    _signal(group, signal.SIGKILL)
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream:
            with contextlib.suppress(OSError):
                stream.close()


def how_it_ended(code: int) -> str:
    """Say in words how a process ended."""
    return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"


def _opened(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None, "start the process with two pipes"
    return stream


def _signal(group: int, number: int) -> bool:
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True
