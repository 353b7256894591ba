"""How much memory the processes of one Airflow home hold."""

import contextlib
import os
from pathlib import Path

_PROCESSES = Path("/proc")
AVAILABLE = _PROCESSES.is_dir()


def resident(home: Path) -> int:
    """Return the bytes in memory of all processes that were started for a home."""
    mark = f"AIRFLOW_HOME={home}".encode()
    return sum(_resident(entry) for entry in _PROCESSES.iterdir() if entry.name.isdigit() and mark in _environment(entry))


def _environment(process: Path) -> list[bytes]:
    with contextlib.suppress(OSError):
        return (process / "environ").read_bytes().split(b"\0")
    return []


def _resident(process: Path) -> int:
    with contextlib.suppress(OSError):
        return int((process / "statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0
