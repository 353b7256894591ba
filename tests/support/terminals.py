"""A program in a terminal of its own: a real pty with a size, keys that are typed, and the text that is shown."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Self

TOP = Path(__file__).parents[2]
_DEADLINE = 30
_WITHOUT = ("CI", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES", "PAGER", "LESS", "AIRFLOW_SCHEMAS_PAGER")


class Terminal(NamedTuple):
    """What a program has shown, and how it ended."""

    code: int
    text: str

    @classmethod
    def run(
        cls,
        words: Sequence[str],
        *,
        columns: int = 80,
        lines: int = 24,
        environment: Mapping[str, str] | None = None,
        typed: Sequence[tuple[str, bytes]] = (),
    ) -> Self:
        """Run a program until it ends; keys are typed, in their order, once the text before them is there."""
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        known = {name: value for name, value in os.environ.items() if name not in _WITHOUT}
        variables = {**known, "TERM": "xterm-256color", "PYTHONPATH": str(TOP), **(environment or {})}
        process = subprocess.Popen(
            ["setsid", "--ctty", "--wait", *words], stdin=slave, stdout=slave, stderr=slave, env=variables, close_fds=True
        )
        os.close(slave)
        try:
            shown = _read(master, process, [*typed])
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
            os.close(master)
        return cls(process.wait(), shown.decode("utf-8", "replace").replace("\r\n", "\n"))


def _read(master: int, process: "subprocess.Popen[bytes]", typed: list[tuple[str, bytes]]) -> bytes:
    shown = b""
    seen = 0
    end = time.monotonic() + _DEADLINE
    while time.monotonic() < end:
        if select.select([master], [], [], 0.05)[0]:
            try:
                part = os.read(master, 65_536)
            except OSError:  # the program has closed its terminal
                break
            if not part:
                break
            shown += part
        elif process.poll() is not None:
            break
        while typed and typed[0][0].encode() in shown[seen:]:
            seen = len(shown)
            os.write(master, typed.pop(0)[1])
    process.wait(timeout=max(end - time.monotonic(), 1))
    return shown
