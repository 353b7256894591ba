"""The wheel without Airflow: at most ten distributions, in an environment of their own, run the core."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
MOST = 10
# What a DAG author touches needs Airflow; everything else does not.
DOORS = ("assets", "hooks", "notifications", "operators", "sensors", "tasks", "triggers")
# Airflow itself imports the plugin: nobody else knocks there.
OF_AIRFLOW = (*DOORS, "plugins")
ALONE = {"_airflow", "cli.airflow_plugin"}
CARRIED = {
    "py.typed",
    "render/explain/facts.json",
    "render/html/templates/base.html",
    "plugins/templates/frame.html",
    "plugins/templates/tables.css",
}
# What is imported by a function that says which extra it needs.
SEAMS = {"formats.arrow.library"}
IMPORT_ALL = f"""
import importlib, pkgutil, airflow_provider_schemas as top
unwatched = []
for found in pkgutil.walk_packages(top.__path__, f"{{top.__name__}}.", onerror=unwatched.append):
    name = found.name.removeprefix(f"{{top.__name__}}.")
    if name.split(".")[0] not in {OF_AIRFLOW} and name not in {sorted(ALONE | SEAMS)}:
        importlib.import_module(found.name)
assert {{name.split(".")[1] for name in unwatched}} <= set({OF_AIRFLOW}), unwatched
"""
ODF = """
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats import dump, odf
from airflow_provider_schemas.formats.odf.model.block_time import BlockTime
from airflow_provider_schemas.formats.odf.chain.block import SetDataSchema
schema = odf.load("fields: [{name: a, type: string}]").schema
print(dump("arrow", schema).text)
time = BlockTime(2026, 1, 0, 0)
for call in (lambda: odf.to_arrow(schema), lambda: odf.write_block(SetDataSchema(schema), system_time=time, sequence_number=0)):
    try:
        call()
    except SchemaError as error:
        print(error)
"""
KNOCK = """
import importlib, sys
try:
    importlib.import_module(f"airflow_provider_schemas.{sys.argv[1]}")
except ImportError as error:
    print(error)
"""
EVOLVE = """
from airflow_provider_schemas.core import TableSchema, evolve, parse_changes
old = TableSchema.create(columns="id BIGINT NOT NULL, amount DECIMAL(10, 2)", primary_keys=["id"])
new = evolve(old, parse_changes(["ADD COLUMN coupon STRING AFTER amount"]))
print(*(field.name for field in TableSchema.from_json(new.to_json()).fields))
"""


def run(*command: str | Path, folder: Path = TOP) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def pip(python: str | Path, *arguments: str | Path) -> str:
    """Run the pip of this environment on another one."""
    return run(sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python, *arguments)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip(sys.executable, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, TOP)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("slim")
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    python = folder / "bin" / "python"
    pip(python, "install", "--requirement", TOP / "tests/environments/slim.txt", "--constraint", TOP / "constraints.txt")
    pip(python, "install", "--no-deps", wheel)
    return python


def test_the_wheel_holds_the_package_its_types_and_its_licence(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {
        "airflow_provider_schemas",
        f"{wheel.name.removesuffix('-py3-none-any.whl')}.dist-info",
    }
    assert {f"airflow_provider_schemas/{path}" for path in CARRIED} <= set(names)
    assert [name for name in names if name.endswith("/licenses/LICENSE")]


def test_the_library_installs_without_airflow_in_ten_distributions(python: Path) -> None:
    installed = {entry["name"] for entry in json.loads(pip(python, "list", "--format=json"))}
    assert "apache-airflow" not in installed
    assert len(installed) <= MOST, sorted(installed)


def test_every_module_can_be_imported_there(python: Path, tmp_path: Path) -> None:
    run(python, "-I", "-W", "error", "-c", IMPORT_ALL, folder=tmp_path)


def test_a_schema_of_odf_becomes_one_of_arrow_there_as_text_and_pyarrow_is_asked_for_by_its_extra(python: Path, tmp_path: Path) -> None:
    said = run(python, "-I", "-W", "error", "-c", ODF, folder=tmp_path)
    assert '"name": "utf8"' in said
    assert 'pip install "airflow-provider-schemas[arrow]"' in said
    assert 'pip install "airflow-provider-schemas[odf]"' in said


def test_a_schema_is_evolved_there(python: Path, tmp_path: Path) -> None:
    assert run(python, "-I", "-W", "error", "-c", EVOLVE, folder=tmp_path) == "id amount coupon\n"


def test_a_rule_is_explained_there_with_its_example(python: Path, tmp_path: Path) -> None:
    assert "F07" in run(python, "-I", "-W", "error", "-m", "airflow_provider_schemas.cli", "explain", "F07", folder=tmp_path)


@pytest.mark.parametrize("door", DOORS)
def test_a_door_of_airflow_says_what_is_missing_there(python: Path, tmp_path: Path, door: str) -> None:
    told = run(python, "-I", "-W", "error", "-c", KNOCK, door, folder=tmp_path)
    assert "works with apache-airflow >=3.2,<4, and there is none" in told
