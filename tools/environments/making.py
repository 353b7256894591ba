"""Make an environment, or grow it: the order of the steps, and which tool takes them."""

import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

from tools.environments import disk, failures, installers, lists, state
from tools.environments.errors import SetupError
from tools.environments.failures import Failure, Kind
from tools.environments.installers import Installer, python_of
from tools.environments.log import Log, locked
from tools.environments.pip_settings import PipSettings
from tools.environments.state import Change, State

# Another tool would fail at the same.
_FINAL = {Kind.DISK, Kind.PINS}
_UNREACHABLE = {Kind.DISK, Kind.TRUST, Kind.ACCESS, Kind.NETWORK}
_OWN_FILES = {"bin", "include", "lib", "lib64", "share", "pyvenv.cfg", ".gitignore", ".lock", "CACHEDIR.TAG", state.STAMP}


@dataclass(frozen=True)
class Request:
    """One call: a folder, the list and the pins, and whether the project itself goes there."""

    folder: Path
    requirements: Path
    constraints: Path
    mode: str
    call: str


def make(request: Request) -> None:
    """Bring an environment to what a call asks for."""
    with locked(request.folder) as log:
        before = state.read(request.folder)
        after = state.wanted(request.folder, request.requirements, request.constraints, request.mode, before)
        change = state.change(before, after, works=_works(request.folder))
        known = [call for call in state.calls(request.folder) if not _same_call(call, request.call)] if change is Change.NOTHING else []
        if change is not Change.NOTHING:
            _Making(request, log, before, after).run(change)
        state.write(request.folder, after, [*known, request.call])


def _same_call(one: str, other: str) -> bool:
    """Tell whether two calls differ at most in their checksum, which comes last."""
    return one.rpartition(" ")[0] == other.rpartition(" ")[0]


def _works(folder: Path) -> bool:
    try:
        return subprocess.run([python_of(folder), "-c", ""], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


class _Making:
    """The steps of one change."""

    def __init__(self, request: Request, log: Log, before: State | None, after: State) -> None:
        self.folder = request.folder
        self.request = request
        self.log = log
        self.before = before
        self.after = after
        self.own = dict(os.environ)
        self.failed: Failure | None = None
        self.host = str(getattr(sys, "_base_executable", sys.executable))

    def run(self, change: Change) -> None:
        """Take the steps, and say what came of them."""
        started = time.monotonic()
        self._announce(change)
        if change is Change.MAKE:
            self._clear()
        self._check_disk(change)
        state.forget(self.folder)
        tool = self._with_uv(change) or self._with_pip()
        self._report(tool, time.monotonic() - started)

    def _announce(self, change: Change) -> None:
        names = " and ".join(self.after.lists)
        pins = f"with the pins of {self.request.constraints}"
        texts = {
            Change.MAKE: f"Making {self.folder} from {names} {pins}, Python {sys.version.split()[0]}",
            Change.GROW: f"Adding {self.request.requirements} to {self.folder}, {pins}",
            Change.UPDATE: f"Bringing {self.folder} to the changed lists and pins ({names}, {self.request.constraints})",
            Change.PROJECT: f"Installing this project into {self.folder} again, since {state.PROJECT} has changed",
        }
        print(f"{texts[change]} (output: {self.log.path})", flush=True)

    def _clear(self) -> None:
        """Empty the folder; one that is no environment is left alone."""
        if not self.folder.is_dir():
            return
        names = {path.name for path in self.folder.iterdir()}
        if names and "pyvenv.cfg" not in names and names - _OWN_FILES:
            raise SetupError(f"{self.folder} is not empty and not a virtual environment: remove it, or name another folder.")
        for path in self.folder.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()

    def _check_disk(self, change: Change) -> None:
        if change is Change.PROJECT:
            return
        biggest = max((Path(name).name for name in self.after.lists), key=disk.need)
        there = (
            None if change is Change.MAKE or self.before is None else max((Path(name).name for name in self.before.lists), key=disk.need)
        )
        disk.check(self.folder, disk.need(biggest, there), self.own)

    # ---------------------------------------------------------------- the two tools

    def _with_uv(self, change: Change) -> Installer | None:
        """Install with uv; None where it cannot be had or fails at what pip may be able to do."""
        settings = installers.settings_of_pip(self.host) if change is Change.MAKE else installers.settings_of_pip(python_of(self.folder))
        file = installers.find_uv(self.folder, self.own.get("PATH", os.defpath))
        if change is Change.MAKE:
            self._venv(with_pip=file is None or settings is None)
        if settings is None:
            settings = installers.settings_of_pip(python_of(self.folder)) or PipSettings()
        file = file or self._get_uv(settings)
        if file is None:
            return None
        uv = installers.uv(file, self.folder, settings, self.own)
        failure = self._install(uv, change)
        if failure is not None and failure.kind is Kind.NETWORK and self._install(uv.offline(), change) is None:
            return uv.offline()
        if failure is None:
            return uv
        if failure.kind in _FINAL:
            raise SetupError(failure.sentence(str(self.log.path)))
        self.failed = failure
        print(f"{failure.tool} {failure.summary()}: pip is tried", flush=True)
        return None

    def _get_uv(self, settings: PipSettings) -> Path | None:
        """Put uv into the environment with its pip."""
        pip = installers.pip(self.folder, settings, self.own)
        quick = [] if settings.text("retries") else ["--retries", "2"]
        command = pip.install(*quick, "--only-binary", "uv", installers.UV)
        returned, output = self.log.run(f"{pip.name} gets uv", command, pip.variables)
        if returned == 0:
            return self.folder.absolute() / "bin" / "uv"
        failure = failures.failure(pip.name, output, "uv")
        if failure.kind in _UNREACHABLE:
            raise SetupError(failure.sentence(str(self.log.path)))
        print(f"uv is not on the PATH, and {failure.tool} {failure.summary()}: pip installs instead, which takes some minutes", flush=True)
        return None

    def _with_pip(self) -> Installer:
        """Install with pip, from nothing: another tool may have left half of something."""
        self._clear()
        self._venv(with_pip=True)
        settings = installers.settings_of_pip(python_of(self.folder)) or PipSettings()
        pip = installers.pip(self.folder, settings, self.own)
        failure = self._reach(pip) or self._install(pip, Change.MAKE)
        if failure is None:
            return pip
        first = self.failed
        if first is not None and first.kind == failure.kind:
            failure = replace(first, tool=f"{first.tool} and {failure.tool}")
        raise SetupError(failure.sentence(str(self.log.path)))

    def _reach(self, pip: Installer) -> Failure | None:
        """Ask pip for one distribution where uv reached nothing: a list of them takes long to fail."""
        if self.failed is None or self.failed.kind is not Kind.NETWORK:
            return None
        first = lists.names(self.request.constraints)[0]
        command = pip.install("--dry-run", "--no-deps", "--retries", "1", first, "--constraint", self.request.constraints)
        returned, output = self.log.run(f"{pip.name} looks for {first}", command, pip.variables)
        return failures.failure(pip.name, output, first) if returned else None

    # ---------------------------------------------------------------- the steps of both

    def _venv(self, *, with_pip: bool) -> None:
        option = [] if with_pip else ["--without-pip"]
        returned, output = self.log.run(f"Python makes {self.folder}", [self.host, "-E", "-m", "venv", *option, self.folder], self.own)
        if returned == 0:
            return
        failure = failures.failure(f"{self.host} -m venv", output, str(self.folder))
        if failure.kind is Kind.DISK:
            raise SetupError(failure.sentence(str(self.log.path)))
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise SetupError(
            f"Python {version} ({self.host}) cannot make a virtual environment: {failure.words}. Debian and Ubuntu keep that part in a "
            f"package of its own: sudo apt install python{version}-venv. The whole output is in {self.log.path}."
        )

    def _install(self, tool: Installer, change: Change) -> Failure | None:
        """Install the lists and the project; return why it failed."""
        commands: list[tuple[str, list[str]]] = []
        if change is not Change.PROJECT:
            named = [word for name in self.after.lists for word in ("--requirement", name)]
            # Tests call pip in the environment.
            commands.append((", ".join(self.after.lists), tool.install("pip", *named, "--constraint", self.request.constraints)))
        if self.after.mode == "editable":
            commands.append(("this project", tool.install("--no-deps", "--no-build-isolation", "--editable", ".")))
        for what, command in commands:
            returned, output = self.log.run(f"{tool.name} installs {what}", command, tool.variables)
            if returned:
                return failures.failure(tool.name, output, what)
        return None

    def _report(self, tool: Installer, seconds: float) -> None:
        count = sum(1 for _ in self.folder.glob("lib/python*/site-packages/*.dist-info"))
        size = disk.megabytes(self.folder)
        print(f"{self.folder} is ready: {count} distributions by {tool.name} in {seconds:.0f} s, {size:,} MB", flush=True)
