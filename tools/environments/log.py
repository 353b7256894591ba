"""Run commands whose output goes into a log, of which there is one for each environment.

The log is also the lock: whoever writes it may change the environment. A command inherits the lock, so that it is held until the command
has ended, even where its caller was killed.
"""

import contextlib
import fcntl
import os
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

from tools.environments.failures import hide_secrets
from tools.environments.progress import Progress

_TICK = 0.5
_PATIENCE = 5.0
_FOLDER = Path("build/logs")


class Log:
    """The locked log of an environment."""

    def __init__(self, path: Path, file: IO[str]) -> None:
        self.path = path
        self._file = file
        self._written = False

    def note(self, text: str) -> None:
        """Write a line; the first one takes the place of what an earlier call has written."""
        if not self._written:
            self._file.truncate(0)
            self._written = True
        self._file.write(f"{hide_secrets(text)}\n")
        self._file.flush()

    def run(self, label: str, command: Sequence[str | Path], variables: Mapping[str, str]) -> tuple[int, str]:
        """Run a command, show that it is alive, and return how it ended and what it printed."""
        self.note(f"$ {' '.join(map(str, command))}")
        process = subprocess.Popen(
            list(map(str, command)),
            env=dict(variables),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            pass_fds=(self._file.fileno(),),
        )
        progress = Progress(label)
        printed: list[str] = []
        reader = threading.Thread(target=self._copy, args=(process.stdout, printed, progress), daemon=True)
        reader.start()
        try:
            _wait(process, progress)
        finally:
            _end(process)
            progress.end()
        reader.join(_PATIENCE)
        return process.returncode, "".join(printed)

    def _copy(self, source: IO[str], printed: list[str], progress: Progress) -> None:
        for line in source:
            printed.append(line)
            progress.hear(hide_secrets(line))
            self.note(line.rstrip("\n"))


def _wait(process: subprocess.Popen[str], progress: Progress) -> None:
    while True:
        try:
            process.wait(_TICK)
        except subprocess.TimeoutExpired:
            progress.tick(process.pid)
        else:
            return


def _end(process: subprocess.Popen[str]) -> None:
    """End a command that still runs because its caller was interrupted."""
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[Log]:
    """Hold the lock of a folder, and write its log, while the block runs."""
    _FOLDER.mkdir(parents=True, exist_ok=True)
    path = _FOLDER / f"{folder.name.lstrip('.')}.log"
    with path.open("a+", encoding="utf-8") as file:
        _lock(file, folder, path)
        yield Log(path, file)


def _lock(file: IO[str], folder: Path, path: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print(f"Another process is making {folder}: waiting for it (its output: {path})", flush=True)
        fcntl.flock(file, fcntl.LOCK_EX)
    os.set_inheritable(file.fileno(), True)
