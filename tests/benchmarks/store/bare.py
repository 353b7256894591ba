"""The limits: the same files listed, read and written with plain calls, and nothing done with their bytes."""

import os
from collections.abc import Iterator
from pathlib import Path

TEMPORARY = ".bare.tmp"


def names(folder: str) -> list[str]:
    """What lies in a folder."""
    with os.scandir(folder) as found:
        return [one.name for one in found]


def read(path: str) -> bytes:
    with open(path, "rb") as file:  # noqa: PTH123  # a Path costs more than the reading
        return file.read()


def everything(folder: str) -> list[bytes]:
    """The bytes of every file in a folder."""
    return [read(f"{folder}/{name}") for name in names(folder)]


def newest(folder: str) -> str:
    """The path of the file with the highest number."""
    return f"{folder}/schema-{max(int(name.rpartition('-')[2]) for name in names(folder))}"


def tables(warehouse: str) -> Iterator[str]:
    """The folders of all tables."""
    for database in names(warehouse):
        folder = f"{warehouse}/{database}"
        yield from (f"{folder}/{name}" for name in names(folder))


def create(folder: str, number: int, data: bytes, *, sync: bool) -> None:
    """A new file, from a temporary one by a hard link."""
    temporary, target = f"{folder}/{TEMPORARY}", f"{folder}/schema-{number}"
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    os.write(handle, data)
    if sync:
        os.fsync(handle)
    os.close(handle)
    os.link(temporary, target)
    if sync:
        _sync(folder)
    os.unlink(temporary)  # noqa: PTH108  # as above


def _sync(folder: str) -> None:
    handle = os.open(folder, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)


def back_to(folder: Path, versions: int) -> None:
    """Take away what came after so many versions."""
    for path in folder.iterdir():
        if int(path.name.rpartition("-")[2]) >= versions:
            path.unlink()


def refill(folder: Path, pool: Path) -> None:
    """Put back what was taken away, with the times that it had."""
    for path in pool.iterdir():
        if not (folder / path.name).exists():
            (folder / path.name).hardlink_to(path)
