"""Importing everything that a DAG file can import must not load a heavy library."""

import subprocess
import sys
import tomllib
from pathlib import Path

TOP = Path(__file__).parents[2]
ROOT = TOP / "airflow_provider_schemas"
ROOMS = ("core", "store", "render", "spark", "hooks", "triggers", "tasks", "sensors", "operators", "notifications", "plugins", "cli")
DOORS = [path for path in [*(door for room in ROOMS for door in sorted((ROOT / room).rglob("*.py"))), ROOT / "assets.py"] if path.exists()]
LINT = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["tool"]["ruff"]["lint"]
HEAVY = set(LINT["flake8-tidy-imports"]["banned-module-level-imports"])
# pydantic and msgspec, and what they are made of: Airflow has loaded all of it before it reads the first DAG.
CORE_NEEDS = {"annotated_types", "msgspec", "pydantic", "pydantic_core", "typing_extensions", "typing_inspection"}


# What files of DAGs and the triggerer's loop import. What needs a store is imported when something runs.
WITHOUT_STORE = ("assets", "hooks.schema_store", "notifications", "operators.create", "operators.decorated", "operators.restore", "sensors")
WITHOUT_CORE = ("assets", "hooks.schema_store", "operators.gate", "operators.guard", "operators.fleet_guard", "operators.validate")
# What needs nothing of the core but how texts are shown, until something runs.
LIGHT = ("operators.decorated", "sensors")
TRIGGERS = ("triggers.contract", "triggers.event", "triggers.version")


def loaded_by(*names: str) -> set[str]:
    """The libraries that a fresh process loads for these modules, without the standard library and ourselves."""
    code = f"import sys; before = set(sys.modules); import {', '.join(names)}; print(*(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    libraries = {name.split(".")[0] for name in done.stdout.split()}
    # What sysconfig keeps about its build has a name of its own on every machine.
    ours = {name for name in libraries if name in (ROOT.name, "__mp_main__") or name.startswith("_sysconfigdata")}
    return libraries - sys.stdlib_module_names - ours


def test_doors_open_light() -> None:
    doors = [".".join(path.relative_to(TOP).with_suffix("").parts) for path in DOORS]
    assert not loaded_by(*doors) & HEAVY


def test_the_core_needs_pydantic_msgspec_and_nothing_else() -> None:
    modules = [".".join(path.relative_to(TOP).with_suffix("").parts) for path in sorted((ROOT / "core").rglob("*.py"))]
    assert loaded_by(*modules, "airflow_provider_schemas.errors") <= CORE_NEEDS


def test_the_package_itself_loads_nothing() -> None:
    assert not loaded_by(ROOT.name)


def test_a_file_of_a_dag_loads_no_room_that_only_a_run_needs() -> None:
    """Load the doors in two steps in one process: those that need no core, and after them those that need no store."""
    first, then = (", ".join(f"{ROOT.name}.{door}" for door in doors) for doors in ((*WITHOUT_CORE, *TRIGGERS), WITHOUT_STORE))
    loaded = f"*(name for name in sys.modules if name.startswith('{ROOT.name}.'))"
    code = f"import sys, {first}; print({loaded}); import {then}; print({loaded})"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], cwd=TOP, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    without_core, without_store = ({name.split(".")[1] for name in line.split()} for line in done.stdout.splitlines())
    assert without_core & {"core", "formats", "render", "store"} == set()
    assert "store" not in without_store


def test_sensors_load_the_core_when_they_run() -> None:
    doors = ", ".join(f"{ROOT.name}.{door}" for door in LIGHT)
    code = f"import sys, {doors}; print(*(name for name in sys.modules if name.startswith('{ROOT.name}.')))"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], cwd=TOP, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    heavy = [name for name in done.stdout.split() if name.split(".")[1] in ("core", "formats", "render", "store")]
    known = ("core", "core.common", "core.common.secrets", "core.common.strict_json", "core.common.text", "render", "render.sanitize")
    assert {name.removeprefix(f"{ROOT.name}.") for name in heavy} <= set(known)
