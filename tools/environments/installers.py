"""Know the two tools that install, uv and pip: where they are, and how they are called."""

import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tools.environments import certificates, pip_settings, uv_settings
from tools.environments.pip_settings import PipSettings

# Any of these installs the same pins.
UV = "uv>=0.8,<1"
# From this release on, pip trusts what the system trusts.
_PIP_WITH_SYSTEM_TRUST = (24, 2)


@dataclass(frozen=True)
class Installer:
    """A tool that installs into one environment."""

    name: str
    command: tuple[str, ...]
    options: tuple[str, ...]
    variables: Mapping[str, str]

    def install(self, *arguments: str | Path) -> list[str]:
        """Return the command that installs something."""
        return [*self.command, *self.options, *map(str, arguments)]

    def offline(self) -> "Installer":
        """Return the same tool, which takes all from its own cache."""
        return replace(self, name=f"{self.name} without network", options=(*self.options, "--offline"))


def python_of(folder: Path) -> Path:
    """Return the Python of an environment."""
    return folder.absolute() / "bin" / "python"


def find_uv(folder: Path, path: str) -> Path | None:
    """Return the uv of the PATH, or else the one inside an environment."""
    inside = folder.absolute() / "bin"
    outside = ":".join(entry for entry in path.split(":") if entry and Path(entry).absolute() != inside)
    found = shutil.which("uv", path=outside)
    return next((file for file in (found and Path(found), inside / "uv") if file and _version([file, "--version"])), None)


def uv(file: Path, folder: Path, settings: PipSettings, own: Mapping[str, str]) -> Installer:
    """Return uv as the tool of an environment."""
    return Installer(
        name=f"uv {_version([file, '--version'])}",
        command=(str(file), "pip", "install", "--python", str(python_of(folder))),
        options=tuple(uv_settings.arguments(settings)),
        variables=uv_settings.variables(settings, own),
    )


def pip(folder: Path, settings: PipSettings, own: Mapping[str, str]) -> Installer:
    """Return the pip of an environment as its tool."""
    call = (str(python_of(folder)), "-E", "-m", "pip", "--disable-pip-version-check", "--no-input")
    version = _version([*call, "--version"])
    return Installer(
        name=f"pip {version}",
        command=(*call, "install"),
        options=tuple(_trust_of_pip(version, settings, own)),
        variables={name: value for name, value in own.items() if name not in ("PYTHONPATH", "PYTHONHOME")} | {"NO_COLOR": "1"},
    )


def settings_of_pip(*pythons: str | Path) -> PipSettings | None:
    """Return the settings of the first pip that one of the Pythons has."""
    readings = (pip_settings.read(python) for python in pythons)
    return next((settings for settings in readings if settings is not None), None)


def _trust_of_pip(version: str, settings: PipSettings, own: Mapping[str, str]) -> list[str]:
    """Return what makes an older pip trust what the newer ones do."""
    numbers = tuple(int(number) for number in re.findall(r"\d+", version)[:2])
    if settings.text("cert") or numbers >= _PIP_WITH_SYSTEM_TRUST:
        return []
    file = certificates.chosen(settings, own) or certificates.system_file()
    return ["--cert", file] if file else []


def _version(command: Sequence[str | Path]) -> str:
    """Return the version that a tool prints; nothing where it does not run."""
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    match = re.search(r"\d[\w.]*", done.stdout)
    return match.group() if done.returncode == 0 and match else ""
