"""Check that the disk has room for an environment, before anything is downloaded."""

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tools.environments.errors import SetupError

# Megabytes: what the environment takes when it is done, and what downloading and building take beside it, each with headroom.
NEEDS = {
    "demo.txt": (1_200, 1_500),
    "test.txt": (1_500, 1_700),
    "all.txt": (1_800, 1_900),
    "paimon.txt": (1_200, 1_500),
    "peers.txt": (1_200, 1_500),
    "checkers.txt": (500, 300),
    "airflow33.txt": (300, 200),
    "airflow32.txt": (300, 200),
}
_UNKNOWN = (200, 100)
_MEGABYTE = 1_000_000


def need(list_name: str, present: str | None = None) -> tuple[int, int]:
    """Return the megabytes that a list takes in the environment and beside it; less where a smaller list is there."""
    size, beside = NEEDS.get(list_name, _UNKNOWN)
    if present is None:
        return size, beside
    there, beside_there = NEEDS.get(present, (0, 0))
    return max(size - there, 50), max(beside - beside_there, 50)


def check(folder: Path, wanted: tuple[int, int], variables: Mapping[str, str]) -> None:
    """Stop where a disk is too full: that of the folder, of the cache, or of the temporary files."""
    size, beside = wanted
    wishes: dict[int, tuple[Path, int]] = {}
    for path, megabytes in ((folder, size), (cache(variables), beside), (Path(tempfile.gettempdir()), 50)):
        place = _existing(path)
        device = place.stat().st_dev
        first, sum_so_far = wishes.get(device, (place, 0))
        wishes[device] = (first, sum_so_far + megabytes)
    for place, megabytes in wishes.values():
        free = shutil.disk_usage(place).free // _MEGABYTE
        if free < megabytes:
            raise SetupError(
                f"The disk of {place} has {free / 1000:.1f} GB free, and {folder} with its downloads needs {megabytes / 1000:.1f} GB: "
                "free some space, or put the downloads on another disk (UV_CACHE_DIR=FOLDER, TMPDIR=FOLDER), then run this again."
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
