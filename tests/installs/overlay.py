"""A clean Airflow with a wheel on top of it: an environment of its own, in which the wheel is installed and taken away again.

The environment below it is one of `make airflow33` and `make airflow32`; nothing is written there.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

TOP = Path(__file__).parents[2]


class Overlay:
    """An environment over another one, with an Airflow home and a DAGs folder of its own."""

    def __init__(self, name: str, folder: Path) -> None:
        below = TOP / f".venv-{name}"
        if not (below / "made-from").is_file():
            raise FileNotFoundError(f"{below.name} is not there: run make {name}")
        self.name, self.folder, self.dags = name, folder, folder / "home" / "dags"
        self.dags.mkdir(parents=True)
        # Its pip is that of the environment below.
        done([below / "bin/python", "-m", "venv", "--without-pip", folder / "env"], folder)
        self.python = folder / "env/bin/python"
        site = next((folder / "env/lib").iterdir()) / "site-packages"
        packages = next((below / "lib").iterdir()) / "site-packages"
        (site / "below.pth").write_text(f"{packages}\n")
        self.environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith(("AIRFLOW", "_AIRFLOW", "PYTHON"))},
            "AIRFLOW_HOME": str(folder / "home"),
            "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
            "AIRFLOW__CORE__DAGS_FOLDER": str(self.dags),
            "AIRFLOW__CORE__TEST_CONNECTION": "Enabled",
            "COLUMNS": "200",
        }

    def connect(self, conn_id: str, **fields: Any) -> None:
        """Make a connection known."""
        self.environment[f"AIRFLOW_CONN_{conn_id.upper()}"] = json.dumps({"conn_type": "schema_store", **fields})

    def pip(self, *arguments: str | Path) -> str:
        """What pip does here."""
        return done([self.python, "-m", "pip", "-q", "--disable-pip-version-check", *arguments], self.folder)

    def run(self, *arguments: str | Path, ends: int = 0, **more: str) -> str:
        """What a Python of this environment prints."""
        return done([self.python, *arguments], self.folder, ends=ends, env=self.environment | more)

    def airflow(self, *arguments: str, ends: int = 0) -> str:
        """What `airflow ...` prints."""
        return self.run("-m", "airflow", *arguments, ends=ends)


def wheel(folder: Path) -> Path:
    """The wheel of this project."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    done([*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, TOP], folder)
    return next(folder.glob("*.whl"))


def done(command: list[str | Path], folder: Path, *, ends: int = 0, env: dict[str, str] | None = None) -> str:
    """What a command prints, if it ends as it should."""
    found = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert found.returncode == ends, found.stdout + found.stderr
    return found.stdout + found.stderr
