"""What is installed is what is pinned, and what the project declares is what the tests install."""

import re
import tomllib
from importlib.metadata import distributions
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
PROJECT = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]
# Every virtual environment brings the first two along; the third is ourselves.
NOT_PINNED = {"pip", "setuptools", "airflow-provider-schemas"}
REQUIREMENTS = sorted((TOP / "tests" / "environments").glob("*.txt"))


def plain(name: str) -> str:
    """The one spelling of a distribution's name."""
    return re.sub(r"[-_.]+", "-", re.split(r"[<>=!~\[ ]", name)[0]).lower()


def entries(path: Path) -> list[str]:
    return [line for line in path.read_text("utf-8").splitlines() if line and not line.startswith(("#", "-r"))]


def test_every_installed_distribution_is_pinned_and_no_other_is() -> None:
    pinned = {plain(line): line.partition("==")[2] for line in entries(TOP / "constraints.txt")}
    installed = {plain(found.name): found.version for found in distributions()}
    assert pinned == {name: version for name, version in installed.items() if name not in NOT_PINNED}


def test_the_slim_environment_is_what_the_project_declares_without_airflow() -> None:
    declared = {plain(line) for line in PROJECT["dependencies"]}
    without = {one for one in declared if not one.startswith("apache-airflow")}
    assert {plain(line) for line in entries(TOP / "tests/environments/slim.txt")} == without


def test_the_extra_all_is_every_other_extra() -> None:
    extras = PROJECT["optional-dependencies"]
    assert extras["all"] == [f"airflow-provider-schemas[{','.join(name for name in extras if name != 'all')}]"]


def required(path: Path) -> set[str]:
    """The distributions that a list of requirements names, with those of the lists it includes."""
    included = [line.removeprefix("-r").strip() for line in path.read_text("utf-8").splitlines() if line.startswith("-r")]
    return {plain(line) for line in entries(path)}.union(*(required(path.parent / name) for name in included))


@pytest.mark.parametrize(
    ("requirements", "pins"),
    [
        ("dev.txt", "../../constraints.txt"),
        ("paimon.txt", "paimon-constraints.txt"),
        ("spark.txt", "spark-constraints.txt"),
        ("peers.txt", "peers-constraints.txt"),
        ("checkers.txt", "checkers-constraints.txt"),
        ("airflow33.txt", "airflow33-constraints.txt"),
        ("airflow32.txt", "airflow32-constraints.txt"),
    ],
    ids=["dev", "paimon", "spark", "peers", "checkers", "airflow33", "airflow32"],
)
def test_what_an_environment_requires_is_pinned_once(requirements: str, pins: str) -> None:
    pinned = [plain(line) for line in entries(TOP / "tests/environments" / pins)]
    assert required(TOP / "tests/environments" / requirements) - set(pinned) == set()
    assert len(pinned) == len(set(pinned))


@pytest.mark.parametrize("path", REQUIREMENTS, ids=lambda path: path.name)
def test_requirements_leave_the_versions_to_the_pins(path: Path) -> None:
    assert [line for line in entries(path) if ("==" in line) != path.stem.endswith("constraints")] == []
