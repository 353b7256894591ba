"""Check that the disk has room for an environment, before anything is downloaded."""

import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from tools.environments.errors import SetupError

# Megabytes, measured, with a tenth of headroom: what the environment takes, and what downloading and building it take at most. Where both
# are on one disk, the environment is made of links into the second, and takes nothing of its own.
NEEDS = {
    "slim.txt": (30, 100),
    "demo.txt": (1_150, 3_350),
    "test.txt": (1_500, 3_700),
    "all.txt": (1_750, 4_000),
    "paimon.txt": (1_200, 3_350),
    "peers.txt": (1_200, 3_350),
    "checkers.txt": (500, 700),
    "writers.txt": (275, 420),
    "validators.txt": (100, 200),
    "airflow33.txt": (250, 400),
    "airflow32.txt": (250, 400),
}
_UNKNOWN = (30, 100)
_LEAST = 50
_MEGABYTE = 1_000_000


def need(wanted: Sequence[str], present: Sequence[str] = ()) -> tuple[int, int]:
    """Return the megabytes that lists take in the environment and while it is made; less where smaller lists are there."""
    size, working = _most(wanted)
    if not present:
        return size, working
    size_there, working_there = _most(present)
    return max(size - size_there, _LEAST), max(working - working_there, _LEAST)


def _most(names: Sequence[str]) -> tuple[int, int]:
    needs = [NEEDS.get(Path(name).name, _UNKNOWN) for name in names]
    return max(size for size, _ in needs), max(working for _, working in needs)


def check(folder: Path, wanted: tuple[int, int], variables: Mapping[str, str]) -> None:
    """Stop where a disk is too full: that of the folder, of the downloads, or of the temporary files."""
    size, working = wanted
    needs: dict[int, tuple[Path, int]] = {}
    for path, megabytes_needed in ((folder, size), (cache(variables), working), (Path(tempfile.gettempdir()), _LEAST)):
        place = _existing(path)
        device = place.stat().st_dev
        first, most = needs.get(device, (place, 0))
        needs[device] = (first, max(most, megabytes_needed))
    for place, megabytes_needed in needs.values():
        free = shutil.disk_usage(place).free // _MEGABYTE
        if free < megabytes_needed:
            needed = f"{folder} with its downloads needs {megabytes_needed / 1000:.1f} GB there"
            raise SetupError(
                f"The disk of {place} has {free / 1000:.1f} GB free, and {needed}: free some space, or put the downloads "
                "on another disk (UV_CACHE_DIR=FOLDER, TMPDIR=FOLDER), then run this again."
            )


def cache(variables: Mapping[str, str]) -> Path:
    """Return the folder in which uv keeps its downloads; that of pip is beside it."""
    own = variables.get("UV_CACHE_DIR")
    if own:
        return Path(own)
    shared = variables.get("XDG_CACHE_HOME")
    return Path(shared) / "uv" if shared else Path("~/.cache/uv").expanduser()


def megabytes(folder: Path) -> int:
    """Return what the files of a folder take; a file with two names counts once."""
    seen: set[tuple[int, int]] = set()
    blocks = 0
    todo = [folder]
    while todo:
        with os.scandir(todo.pop()) as entries:
            for entry in entries:
                status = entry.stat(follow_symlinks=False)
                if entry.is_dir(follow_symlinks=False):
                    todo.append(Path(entry.path))
                if (status.st_dev, status.st_ino) not in seen:
                    seen.add((status.st_dev, status.st_ino))
                    blocks += status.st_blocks
    return blocks * 512 // _MEGABYTE


def _existing(path: Path) -> Path:
    absolute = path.absolute()
    return next(place for place in (absolute, *absolute.parents) if place.exists())
