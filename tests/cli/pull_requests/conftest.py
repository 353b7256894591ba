"""A machine with Python and git alone, and the project as others get it: a repository with the action and the hook, and a wheel."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.pull_requests.support.blocks import TOP
from tests.cli.pull_requests.support.repositories import git

SHIPPED = (
    "airflow_provider_schemas",
    "action.yml",
    ".pre-commit-hooks.yaml",
    "templates",
    "tools/run_slim.py",
    "tools/pre_commit.sh",
    "pyproject.toml",
)


@pytest.fixture(scope="session")
def machine(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the PATH of a machine on which Python has pip and nothing else."""
    folder = tmp_path_factory.mktemp("machine")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True, capture_output=True)
    return f"{folder / 'bin'}:/usr/bin:/bin"


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory, machine: str) -> Path:
    """Return a repository with what is shipped; the libraries are installed, so that nothing needs the network any more."""
    folder = tmp_path_factory.mktemp("published") / "airflow-provider-schemas"
    folder.mkdir()
    for name in SHIPPED:
        source, target = TOP / name, folder / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            target.parent.mkdir(exist_ok=True)
            shutil.copy(source, target)
    (folder / ".gitignore").write_text("/build/\n__pycache__/\n")
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "what is shipped")
    done = subprocess.run(
        [folder / "tools/run_slim.py", "--version"],
        env={**os.environ, "PATH": machine},
        cwd=folder.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel of the project."""
    folder = tmp_path_factory.mktemp("wheel")
    line = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*line, "--wheel-dir", folder, TOP], check=True, capture_output=True)
    return next(folder.glob("*.whl"))
