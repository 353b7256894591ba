"""The folder of the demo: emptied at the start, used by one demo at a time, never while an Airflow runs from it."""

import contextlib
import fcntl
import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from tools.airflow_home import BIN, connection, environment
from tools.demo.demo_error import DemoError

TOP = Path(__file__).parents[2]
DAG_FILE = TOP / "example_dags" / "quickstart.py"
DAG = "schemas_quickstart"
_NEEDED = 200_000_000
_SHOWN = "AIRFLOW_HOME AIRFLOW__CORE__DAGS_FOLDER AIRFLOW__CORE__LOAD_EXAMPLES AIRFLOW_CONN_LAKE SPARK_CONF_DIR SPARK_LOCAL_IP".split()
# The job is small: Spark is told not to spend time on what serves large ones.
_SPARK = """spark.ui.enabled false
spark.ui.showConsoleProgress false
spark.sql.shuffle.partitions 2
spark.local.dir {folder}/tmp
spark.driver.extraJavaOptions -XX:+UseSerialGC -XX:TieredStopAtLevel=1 "-Djava.io.tmpdir={folder}/tmp"
"""


class Folder:
    """Where everything of the demo is."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.home = self.path / "airflow"
        self.dag_file = self.path / "dags" / DAG_FILE.name
        self.cache = self.path / "cache"
        self._schemas = self.path / "lake" / "shop.db" / "orders" / "schema"

    @property
    def name(self) -> str:
        """Return the shortest path that can be typed at the top of the checkout."""
        return str(self.path.relative_to(TOP)) if self.path.is_relative_to(TOP) else str(self.path)

    @property
    def typed(self) -> str:
        """Return the same as part of a command."""
        return shlex.quote(self.name)

    @property
    def version(self) -> int | None:
        """Return the number of the newest schema file of shop.orders."""
        numbers = [int(file.name.removeprefix("schema-")) for file in self._schemas.glob("schema-*")]
        return max(numbers, default=None)

    def environment(self) -> dict[str, str]:
        """Return what every process of the demo gets."""
        lake = connection("schema_store", str(self.path / "lake"))
        return environment(self.home, self.dag_file.parent, AIRFLOW_CONN_LAKE=lake, SPARK_CONF_DIR=str(self.path / "spark"))

    def shown(self, text: str) -> str:
        """Return a text with the folder's short name, so that lines are not too long for the screen."""
        return text.replace(f"{self.path}/", f"{self.name}/")

    def prepare(self) -> None:
        """Empty the folder but for its cache, and put in what the demo needs."""
        if shutil.disk_usage(self.path).free < _NEEDED:
            raise DemoError(f"The demo needs {_NEEDED // 1_000_000} MB on the disk of {self.name}, and there is less.")
        for entry in self.path.iterdir():
            if entry != self.cache:
                _remove(entry)
        for name in ("airflow", "dags", "spark", "tmp"):
            (self.path / name).mkdir()
        shutil.copyfile(DAG_FILE, self.dag_file)
        (self.path / "spark" / "spark-defaults.conf").write_text(_SPARK.format(folder=self.path))
        self._write_scripts(self.environment())

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other demos out of the folder while the block runs."""
        self.path.mkdir(parents=True, exist_ok=True)
        opened = os.open(self.path, os.O_RDONLY)
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
        except BlockingIOError:
            raise DemoError(f"Another demo runs in {self.name}. Wait for its end, or stop it with Ctrl-C.") from None
        finally:
            os.close(opened)

    def refuse_if_used(self) -> None:
        """Fail while an Airflow runs from this folder: it would start what the demo runs, and lose its database."""
        processes = sorted(self._ui() | set(_with_setting(f"AIRFLOW_HOME={self.home}")))
        if processes:
            raise DemoError(
                f"An Airflow still runs from {self.name} (process {', '.join(map(str, processes))}). "
                "Stop it with Ctrl-C where it was started, or with `kill`, then run the demo again."
            )

    def _ui(self) -> set[int]:
        file = self.path / "ui.pid"
        process = file.read_text().strip() if file.exists() else ""
        if not process.isdigit():
            return set()
        found = subprocess.run(["ps", "-o", "command=", "-p", process], capture_output=True, text=True, check=False)
        return {int(process)} if "airflow" in found.stdout else set()

    def _write_scripts(self, settings: Mapping[str, str]) -> None:
        lines = [*(f"export {name}={shlex.quote(settings[name])}" for name in _SHOWN), f'export PATH={shlex.quote(str(BIN))}:"$PATH"']
        (self.path / "env.sh").write_text("\n".join(["# The Airflow and the tables of the demo, for this shell.", *lines, ""]))
        ui = [
            "# Airflow's UI on the runs of the demo, on this machine only, until Ctrl-C.",
            f". {shlex.quote(str(self.path / 'env.sh'))}",
            "export AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_ALL_ADMINS=True AIRFLOW__API__HOST=127.0.0.1 AIRFLOW__CORE__PARALLELISM=4",
            f"echo $$ > {shlex.quote(str(self.path / 'ui.pid'))}",
            "exec airflow standalone",
        ]
        (self.path / "ui.sh").write_text("\n".join([*ui, ""]))


def _remove(entry: Path) -> None:
    if entry.is_dir() and not entry.is_symlink():
        shutil.rmtree(entry)
    else:
        entry.unlink()


def _with_setting(setting: str) -> Iterator[int]:
    """Yield the processes that have this variable in their environment, where the system shows it (Linux)."""
    for entry in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if setting.encode() in entry.read_bytes().split(b"\0"):
                yield int(entry.parent.name)
