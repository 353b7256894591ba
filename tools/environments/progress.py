"""Show that a long command is alive: one line that is rewritten on a terminal, a line every ten seconds elsewhere."""

import re
import shutil
import sys
import time
from pathlib import Path

_EVERY = 10.0
_STEPS = re.compile(r"^\s*((?:Collecting|Downloading|Building|Built|Resolved|Prepared|Installing|Uninstalling|Preparing)\b.*)")


class Progress:
    """The seconds, the megabytes written, and the last step of a command."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.step = ""
        self.started = time.monotonic()
        self._shown = self.started
        self._terminal = sys.stdout.isatty()

    def hear(self, line: str) -> None:
        """Keep a line of the command that names a step."""
        match = _STEPS.match(line)
        if match:
            self.step = match.group(1).strip()

    def tick(self, pid: int) -> None:
        """Show the state of the command, where it is time to."""
        now = time.monotonic()
        if self._terminal:
            width = shutil.get_terminal_size().columns - 1
            print(f"\r{self.line(now - self.started, pid)[:width]}\x1b[K", end="", flush=True)
        elif now - self._shown >= _EVERY:
            self._shown = now
            print(self.line(now - self.started, pid), flush=True)

    def line(self, seconds: float, pid: int) -> str:
        """Return the state in a line."""
        megabytes = written(pid)
        amount = f", {megabytes:,} MB written" if megabytes else ""
        return f"  {self.label}: {seconds:.0f} s{amount}{f', {self.step}' if self.step else ''}"

    def end(self) -> None:
        """Take the line away."""
        if self._terminal:
            print("\r\x1b[K", end="", flush=True)


def written(pid: int) -> int:
    """Return the megabytes that a process has written; 0 where the system does not count them."""
    try:
        counters = Path(f"/proc/{pid}/io").read_text("ascii")
    except OSError:
        return 0
    match = re.search(r"wchar: (\d+)", counters)
    return int(match.group(1)) // 1_000_000 if match else 0
