#!/usr/bin/env python3
"""Run the command line of this clone without Airflow: what pre-commit and the GitHub action start.

The libraries that the command line needs are installed once, beside this clone, in the versions that pyproject.toml asks for; a later run
takes them from there and needs no network. Nothing of the repository that is checked is imported.

    tools/run_slim.py check schemas/ --git
    tools/run_slim.py --extra=s3 check schemas/ --git --store s3://lake/registry
    tools/run_slim.py -m airflow_provider_schemas.cli.comments schemas.md
"""

from __future__ import annotations

import hashlib
import os
import runpy
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NoReturn

TOP = Path(__file__).resolve().parents[1]
COMMAND_LINE = "airflow_provider_schemas.cli"
_OLDEST = (3, 11)
_NEWER = tuple(f"python3.{minor}" for minor in range(19, 10, -1))
_EXTRA = "--extra="
_REFUSED = 2
# Settings of pip for installations of other kinds, which would refuse this one or put it elsewhere.
_NOT_FOR_US = {"PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0", "PIP_TARGET": "", "PIP_PREFIX": ""}


def main() -> NoReturn:
    """Find a Python, install what is missing, and run."""
    if sys.version_info < _OLDEST or not sys.flags.isolated:
        _start_again()
    extras = [word[len(_EXTRA) :] for word in sys.argv[1:] if word.startswith(_EXTRA)]
    words = [word for word in sys.argv[1:] if not word.startswith(_EXTRA)]
    sys.path[:0] = [str(TOP), str(_libraries(requirements(extras)))]
    module = COMMAND_LINE
    if words[:1] == ["-m"]:
        module, words = words[1], words[2:]
    sys.argv = [module, *words]
    runpy.run_module(module, run_name="__main__", alter_sys=False)
    raise SystemExit(0)


def _start_again() -> NoReturn:
    """Start a Python that is new enough, and isolated: neither the current folder nor variables name what it imports."""
    os.execv(_python(), [_python(), "-I", __file__, *sys.argv[1:]])


def _python() -> str:
    if sys.version_info >= _OLDEST:
        return sys.executable
    found = next(filter(None, map(shutil.which, _NEWER)), None) or _python_of_uv()
    if found is None:
        _refuse("Python 3.11 or newer is needed, and there is none on the PATH. Install one, or uv, which brings its own.")
    return found


def _python_of_uv() -> str | None:
    uv = shutil.which("uv")
    if uv is None:
        return None
    done = subprocess.run([uv, "python", "find", ">=3.11"], stdout=subprocess.PIPE, text=True, check=False)
    return done.stdout.strip() or None


# ---------------------------------------------------------------- libraries


def requirements(extras: list[str]) -> list[str]:
    """Return what the project requires, without Airflow and its providers, and what extras add."""
    import tomllib

    project = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]
    known = project["optional-dependencies"]
    missing = [extra for extra in extras if extra not in known]
    if missing:
        _refuse(f"there is no extra {missing[0]!r}. There are: {', '.join(known)}.")
    declared = [line for line in project["dependencies"] if not line.startswith("apache-airflow")]
    return sorted({*declared, *(line for extra in extras for line in known[extra])})


def _libraries(required: list[str]) -> Path:
    """Return the folder of the libraries, which is made the first time; who comes at the same time makes one too, and one of them stays."""
    wanted = "\n".join([sys.executable, sys.version, *required])
    folder = TOP / "build" / f"slim-{hashlib.sha256(wanted.encode()).hexdigest()[:16]}"
    if folder.is_dir():
        return folder
    try:
        folder.parent.mkdir(exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix="slim.", dir=folder.parent))
    except OSError as error:
        _refuse(f"{folder.parent} cannot be written ({error.strerror}), and the libraries are installed there. Make it writable once.")
    try:
        _install(made, required)
        _keep(made, folder)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return folder


def _keep(made: Path, folder: Path) -> None:
    try:
        made.rename(folder)
    except OSError:
        if not folder.is_dir():
            raise


def _install(folder: Path, required: list[str]) -> None:
    sys.stderr.write(f"airflow-schemas: installing {', '.join(required)}, this once\n")
    lines = list(_installers(folder, required))
    for line in lines:
        # From here, since uv takes settings from the current folder, and that is the repository that is checked.
        done = subprocess.run(
            line, cwd=TOP, env={**os.environ, **_NOT_FOR_US}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
        if done.returncode == 0:
            return
        sys.stderr.write(done.stdout.decode("utf-8", "replace"))
    if not lines:
        _refuse("neither uv nor pip is there to install the libraries. Install one of them.")
    _refuse(
        "the libraries could not be installed; what pip or uv printed stands above. Look at the network, or at the index they are set to."
    )


def _installers(folder: Path, required: list[str]) -> list[list[str]]:
    """Return the lines that install, the quickest first; each may be set to an index that the other does not know."""
    import importlib.util

    lines = []
    uv = shutil.which("uv")
    if uv is not None:
        lines.append([uv, "pip", "install", "--quiet", "--python", sys.executable, "--target", str(folder), *required])
    if importlib.util.find_spec("pip") is not None:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet"]
        lines.append([*pip, "--target", str(folder), *required])
    return lines


def _refuse(sentence: str) -> NoReturn:
    sys.stderr.write(f"airflow-schemas: {sentence}\n")
    raise SystemExit(_REFUSED)


if __name__ == "__main__":
    main()
