"""A warehouse of tables that pypaimon made, and what pypaimon says of them. Made once a run; whoever changes a table copies it before."""

import functools
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from airflow_provider_schemas.store.layout.identifiers import MAIN, TableName
from airflow_provider_schemas.store.layout.paths import SCHEMA_FILE, Layout, branch_folder
from airflow_provider_schemas.store.retention.references import References, references
from airflow_provider_schemas.store.storage.local import LocalFiles
from airflow_provider_schemas.store.storage.numbered_files import Numbered

ROOT = Path(__file__).parents[3]
ENVIRONMENTS = (".venv-paimon", ".venv-peers")


class Made(NamedTuple):
    """The folder of the warehouse; by table, branch and snapshot, the schema ids that pypaimon found."""

    folder: Path
    said: dict[str, dict[str, dict[str, Any]]]
    keeper: "tempfile.TemporaryDirectory[str]"
    """Takes the folder away once nobody holds it."""


def interpreter() -> Path:
    """The interpreter of an environment with pypaimon, which cannot be installed beside Airflow."""
    found = [path for name in ENVIRONMENTS if (path := ROOT / name / "bin" / "python").exists()]
    if not found:
        raise FileNotFoundError(f"none of {', '.join(ENVIRONMENTS)} is there: run `make test-all`, which makes the first")
    return found[0]


@functools.cache
def made() -> Made:
    """The warehouse of this run."""
    keeper = tempfile.TemporaryDirectory(prefix="pypaimon-")
    script = Path(__file__).with_name("pypaimon_tables.py")
    command = [str(interpreter()), str(script), keeper.name]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": ""})
    if done.returncode:
        raise RuntimeError(done.stderr)
    return Made(Path(keeper.name), json.loads(done.stdout.splitlines()[-1]), keeper)


class Copy:
    """A copy of one table, with a registry beside it."""

    def __init__(self, folder: Path, table: str) -> None:
        self.name = TableName("db", table)
        self.path = folder / "warehouse" / "db.db" / table
        self.files, self.registry = LocalFiles(folder / "warehouse"), LocalFiles(folder / "registry")
        self.folder = f"db.db/{table}"
        shutil.copytree(made().folder / "db.db" / table, self.path)

    def numbers(self, branch: str = MAIN) -> list[int]:
        """The versions that are there."""
        return Numbered(self.files, f"{branch_folder(self.folder, branch)}/schema", SCHEMA_FILE).numbers()

    def references(self, branch: str = MAIN, **options: Any) -> References:
        """Who needs which version."""
        if "numbers" not in options:
            options["numbers"] = self.numbers(branch)
        given = {"layout": Layout.PAIMON, "registry": self.registry, "branch": branch, **options}
        return references(self.files, self.folder, self.name, **given)

    def snapshot(self, number: int, branch: str = MAIN) -> dict[str, Any]:
        """What a snapshot file says."""
        found: dict[str, Any] = json.loads(self.snapshot_path(number, branch).read_text())
        return found

    def snapshot_path(self, number: int, branch: str = MAIN) -> Path:
        """Where a snapshot file lies."""
        return self.path.parent / branch_folder(self.path.name, branch) / "snapshot" / f"snapshot-{number}"

    def write(self, path: str, value: Any) -> None:
        """Put a JSON file of the table over."""
        target = self.path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(json.dumps(value))
