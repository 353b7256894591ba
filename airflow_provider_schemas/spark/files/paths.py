"""Paths of data files: as Spark takes them, and what their folders say, `dt=2026-11-18`."""

import posixpath
import re
from typing import Final

from airflow_provider_schemas.store.footers.folder_keys import unescaped

# How the name begins under which a frame of `read_table` stands in a plan.
ALIAS_PREFIX: Final = "schemas:"
_WILDCARDS: Final = str.maketrans({char: f"\\{char}" for char in "\\{}[]*?"})
_ONE_SLASH: Final = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*):/(?!/)")


def escaped(path: str) -> str:
    """Return the path so that Spark takes none of its characters for a pattern."""
    return path.translate(_WILDCARDS)


def with_slashes(path: str) -> str:
    """Return the path as an address with an authority, be it empty: Java writes file:/data."""
    return _ONE_SLASH.sub(r"\1:///", path)


def located(folder: str, path: str) -> str:
    """Return the folder, of which Spark has listed this file, spelled as the file is."""
    scheme, mark, rest = path.partition("://")
    authority = rest.partition("/")[0] if mark else ""
    _, folder_mark, folder_rest = with_slashes(folder).partition("://")
    inside = folder_rest.partition("/")[2] if folder_mark else folder
    return f"{scheme}{mark}{authority}/{posixpath.normpath(inside).strip('/')}".rstrip("/")


def is_hidden(path: str) -> bool:
    """Return whether the name of a file is one that readers pass over."""
    return path.rpartition("/")[2].startswith(("_", "."))


def seen_by_spark(base: str, path: str) -> tuple[str, tuple[str, ...]]:
    """Return the folder below which Spark finds partitions on the way to a file, and their keys.

    Spark goes up from the file, and stops above the first folder that is named for a partition if a plain one follows. Where it would
    stumble there are no keys: at a folder that says nothing, and at one name for two folders, whatever their case.
    """
    steps: list[str] = []
    if path.startswith(f"{base}/"):
        steps = path[len(base) :].strip("/").split("/")[:-1]
    while steps and "=" not in steps[-1]:
        steps.pop()
    start = next((place for place in range(len(steps), 0, -1) if "=" not in steps[place - 1]), 0)
    folder = "/".join([base, *steps[:start]])
    pairs = [step.partition("=") for step in steps[start:]]
    keys = tuple(unescaped(key) for key, _, _ in pairs)
    says_all = all(key and text for key, _, text in pairs)
    is_sure = says_all and len({key.lower() for key in keys}) == len(keys)
    return folder, keys if is_sure else ()


def base_of(path: str, keys: frozenset[str]) -> str:
    """Return the folder above the first one on the way to a file that is named for one of the keys; its own folder if there is none."""
    folder, *steps = path.split("/")
    for step in steps:
        if "=" in step and unescaped(step.partition("=")[0]) in keys:
            return folder
        folder = f"{folder}/{step}"
    return path.rpartition("/")[0]
