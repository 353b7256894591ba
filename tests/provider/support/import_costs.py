"""Every module of ours that a DAG file, a task, the triggerer or Airflow's command line imports; and what importing one brings along."""

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

TOP = Path(__file__).parents[3]
PACKAGE = TOP / "airflow_provider_schemas"
ROOMS = ("hooks", "triggers", "sensors", "operators", "notifications", "tasks", "spark")
SINGLE = ("assets", "cli.airflow_plugin", "store", "core", "errors", "_provider_info", "_airflow")

# One process loads Airflow, and a copy of it imports each door: so do the DAG processor and the workers.
_SCRIPT = """
import json, os, sys, time, traceback, warnings
import airflow.sdk
before = set(sys.modules)

def opened(door):
    start = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            __import__(door)
        failed = ""
    except BaseException:
        failed = traceback.format_exc()
    took = time.process_time() - start
    return [door, took, sorted(set(sys.modules) - before), failed]

for door in json.loads(sys.argv[1]):
    inside, outside = os.pipe()
    child = os.fork()
    if not child:
        with os.fdopen(outside, "w") as answer:
            json.dump(opened(door), answer)
        os._exit(0)
    os.close(outside)
    with os.fdopen(inside) as answer:
        print(answer.read(), flush=True)
    os.waitpid(child, 0)
"""


class Opened(NamedTuple):
    """What came of importing a door on top of `airflow.sdk`."""

    door: str
    took: float
    """Seconds of the processor."""
    loaded: tuple[str, ...]
    failed: str
    """What went wrong; a warning is wrong as well."""

    @property
    def ours(self) -> tuple[str, ...]:
        return tuple(name for name in self.loaded if name.split(".")[0] == PACKAGE.name)

    @property
    def others(self) -> tuple[str, ...]:
        """What is neither ours nor Python's own."""
        return tuple(name for name in self.loaded if name not in self.ours and name.split(".")[0] not in sys.stdlib_module_names)


def _doors() -> list[str]:
    modules = [path.relative_to(PACKAGE).with_suffix("") for room in ROOMS for path in sorted((PACKAGE / room).rglob("*.py"))]
    return [f"{PACKAGE.name}.{name}" for name in [*(".".join(path.parts).removesuffix(".__init__") for path in modules), *SINGLE]]


DOORS = _doors()


def opened(folder: Path, doors: list[str]) -> list[Opened]:
    """What comes of each, imported by a process of its own."""
    command = [sys.executable, "-W", "ignore", "-c", f"import sys; sys.path.insert(0, {str(TOP)!r})\n{_SCRIPT}", json.dumps(doors)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return [Opened(door, took, tuple(loaded), failed) for door, took, loaded, failed in map(json.loads, done.stdout.splitlines())]
