"""What the tests of environments share: a place with lists, pins and wheels, and a uv that installs with pip."""

import subprocess
import sys
import zipfile
from pathlib import Path

TOP = Path(__file__).parents[3]
SCRIPT = TOP / "tools/environment.sh"
PINS = "alpha==1.0\nbeta==1.0\n"
# Installs with the pip of the tests, which needs no pip in the environment, and keeps what it was called with.
UV = f"""#!/bin/sh
if [ "$1" = --version ]; then echo "uv 0.9.9"; exit 0; fi
case "$*" in *--offline*) echo "error: No solution found"; exit 2 ;; esac
echo "$@" >>"$CALLS"
env >"$CALLS.env"
[ -z "${{UV_SAYS:-}}" ] || {{ echo "$UV_SAYS" >&2; exit 2; }}
shift 2
python=$2
shift 2
for word in "$@"; do
    shift
    [ "$word" = pip ] || set -- "$@" "$word"
done
exec {sys.executable} -m pip --python "$python" install "$@"
"""


def executable(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def make_wheel(folder: Path, name: str, version: str) -> None:
    folder.mkdir(exist_ok=True)
    about = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{name}.py", f"VERSION = {version!r}\n")
        archive.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", f"{name}.py,,\n{about}/METADATA,,\n{about}/WHEEL,,\n{about}/RECORD,,\n")


class Place:
    """A folder with two lists, their pins, wheels, a uv, and a home that is empty."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.venv = folder / "env"
        self.calls = folder / "calls"
        self.pins = folder / "pins.txt"
        self.pins.write_text(PINS)
        (folder / "small.txt").write_text("alpha\n")
        (folder / "big.txt").write_text("-r small.txt\nbeta\n")
        (folder / "home").mkdir()
        for name, version in (("alpha", "1.0"), ("alpha", "2.0"), ("beta", "1.0")):
            make_wheel(folder / "wheels", name, version)
        self.uv = executable(folder / "bin/uv", UV)
        self.variables = {
            "HOME": str(folder / "home"),
            "PATH": f"{folder / 'bin'}:/usr/bin:/bin",
            "PYTHON": sys.executable,
            "CALLS": str(self.calls),
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(folder / "wheels"),
        }

    def start(self, name: str, **more: str) -> subprocess.Popen[str]:
        command: list[str | Path] = [SCRIPT, self.venv, self.folder / f"{name}.txt", self.pins, "bare"]
        return subprocess.Popen(
            command, env=self.variables | more, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL
        )

    def make(self, name: str, *, ends: int = 0, **more: str) -> str:
        process = self.start(name, **more)
        out, error = process.communicate()
        assert process.returncode == ends, out + error
        assert "Traceback" not in error
        return out + error

    def installed(self) -> set[str]:
        return {path.name.removesuffix(".dist-info") for path in self.venv.glob("lib/*/site-packages/*.dist-info")} - {"pip"}
