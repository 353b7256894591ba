"""The folder of the bundle that the DAG of a task lies in: all that a worker has of the files of its DAGs."""

import os
from pathlib import Path
from typing import Any

from airflow.sdk import conf


def bundle_folder(ti: Any, dag: Any) -> Path | None:
    """Find the folder of the bundle. `dag.test()` prepares none: the place of the DAG file in its bundle says it, or the DAGs folder."""
    path = getattr(getattr(ti, "bundle_instance", None), "path", None)
    if isinstance(path, str | os.PathLike):
        return Path(path)
    file = getattr(dag, "fileloc", None)
    if not isinstance(file, str) or not file:
        return None
    return _by_relative_place(Path(file), getattr(dag, "relative_fileloc", None)) or _dags_folder(Path(file))


def _by_relative_place(file: Path, relative: object) -> Path | None:
    """The folder from which the DAG file has this relative path; None where the path is no relative path of it."""
    if not isinstance(relative, str) or not relative:
        return None
    inside = Path(relative)
    if inside.is_absolute() or file.parts[-len(inside.parts) :] != inside.parts:
        return None
    return file.parents[len(inside.parts) - 1]


def _dags_folder(file: Path) -> Path | None:
    folder = conf.get("core", "dags_folder", fallback="") or ""
    return Path(folder) if folder and file.is_relative_to(folder) else None
