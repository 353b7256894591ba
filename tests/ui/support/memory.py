"""How much memory an API server holds."""

import contextlib
import os
from pathlib import Path

_PROCESSES = Path("/proc")
AVAILABLE = _PROCESSES.is_dir()


def resident(port: int) -> int:
    """Return the bytes in memory of the processes of the server at a port, which call themselves by it."""
    mark = f"port:{port}".encode()
    held = sum(_resident(entry) for entry in _PROCESSES.iterdir() if entry.name.isdigit() and mark in _title(entry))
    assert held, f"no process says that it serves at port {port}"
    return held


def _title(process: Path) -> bytes:
    with contextlib.suppress(OSError):
        return (process / "cmdline").read_bytes()
    return b""


def _resident(process: Path) -> int:
    with contextlib.suppress(OSError):
        return int((process / "statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0
