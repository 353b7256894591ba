"""A work tree of git in which project files are written, and an environment that names no store."""

import os
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a work tree, which is the current one; no project file is looked for above it."""
    for name in list(os.environ):
        if name.startswith("AIRFLOW_SCHEMAS_"):
            monkeypatch.delenv(name)
    top = tmp_path / "tree"
    (top / ".git").mkdir(parents=True)
    monkeypatch.chdir(top)
    return top
