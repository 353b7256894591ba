"""Which tests a run takes: the quick suite by default, the rest, or the whole; and what their files may cost."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.plugins import budgets
from tests.plugins.budgets import DEFAULT, too_dear
from tests.plugins.folders import MARKERS, SMOKE, STORIES
from tests.plugins.selection import BEYOND_QUICK, DESCRIPTIONS, belongs, named_with_m

TOP = Path(__file__).parents[2]
READ = "tests/spark/reading/test_read_table.py"
BACKENDS = "tests/store/storage/test_files.py"
MANIFESTS = "tests/store/paimon/test_manifests.py"


def collected(*arguments: str) -> list[str]:
    """Return the ids of the tests that a run would take."""
    line = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(line, cwd=TOP, capture_output=True, text=True, check=False)
    assert done.returncode in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}, done.stdout + done.stderr
    return [line for line in done.stdout.splitlines() if "::" in line]


@pytest.fixture(scope="module")
def whole() -> list[str]:
    return collected("--suite=whole", READ, BACKENDS, MANIFESTS)


@pytest.fixture(scope="module")
def quick() -> list[str]:
    return collected(READ, BACKENDS, MANIFESTS)


@pytest.fixture(scope="module")
def rest() -> list[str]:
    return collected("--suite=rest", READ, BACKENDS, MANIFESTS)


def test_every_test_is_in_one_of_the_suites_and_only_laws_are_in_both(whole: list[str], quick: list[str], rest: list[str]) -> None:
    assert set(quick) | set(rest) == set(whole)
    assert set(quick) & set(rest) == set(quick) & set(collected("--suite=whole", "-m", "law", READ, BACKENDS, MANIFESTS))


def test_the_quick_suite_has_the_smoke_tests_of_spark_and_s3_and_neither_azure_nor_gcs_nor_pypaimon(quick: list[str]) -> None:
    assert [name for name in quick if name.startswith(READ)] == sorted(name for name in SMOKE if name.startswith(READ))
    kinds = {kind for kind in ("local", "memory", "s3", "azure", "gcs") if any(f"[{kind}]" in name for name in quick)}
    assert kinds == {"local", "memory", "s3"}
    assert set(quick).isdisjoint(collected("--suite=whole", "-m", "pypaimon", MANIFESTS))


def test_a_test_that_is_named_by_its_id_runs() -> None:
    name = f"{BACKENDS}::test_a_folder_that_is_not_there_is_empty[azure]"
    assert collected(name) == [name]


def test_a_marker_that_is_named_is_wanted() -> None:
    found = collected("-m", "azure", BACKENDS)
    assert found
    assert all("azure" in name for name in found)


@pytest.mark.parametrize(
    ("markers", "suite", "expression", "belongs_there"),
    [
        ("", "quick", "", True),
        ("", "rest", "", False),
        ("law", "rest", "", True),
        ("azure", "quick", "", False),
        ("azure slow", "quick", "(azure or gcs)", True),
        ("slow spark", "quick", "spark and not airflow", True),
        ("slow spark", "quick", "not airflow and not azure", False),
        ("slow", "rest", "slow", True),
        ("azure", "whole", "", True),
    ],
)
def test_a_test_belongs_to_a_suite_by_its_markers(markers: str, suite: str, expression: str, *, belongs_there: bool) -> None:
    class Item:
        def iter_markers(self) -> list[pytest.Mark]:
            return [getattr(pytest.mark, name).mark for name in markers.split()]

    assert belongs(Item(), suite, named_with_m(expression)) is belongs_there  # type: ignore[arg-type]  # all that is asked of an item


def test_an_id_beside_a_folder_brings_that_test_alone_along() -> None:
    name = f"{BACKENDS}::test_a_folder_that_is_not_there_is_empty[azure]"
    found = collected(name, READ)
    assert name in found
    assert set(found) - {name} == {test for test in SMOKE if test.startswith(READ)}


def test_markers_leave_tests_out() -> None:
    assert collected("-m", "not airflow and not spark", READ) == []


@pytest.mark.parametrize("path", [*MARKERS, *STORIES], ids=str)
def test_the_table_of_folders_names_what_exists(path: str) -> None:
    assert (TOP / path).exists()


def test_the_table_of_folders_names_markers_that_are_described() -> None:
    named = {name for names in MARKERS.values() for name in names.split()}
    assert named <= set(DESCRIPTIONS)
    assert set(DESCRIPTIONS) >= BEYOND_QUICK


def test_every_smoke_test_exists() -> None:
    assert set(collected("-m", "smoke", "tests/spark")) == set(SMOKE)


# ---------------------------------------------------------------- budgets


def test_a_cost_far_beyond_the_budget_is_told_with_what_to_do() -> None:
    costs = {"tests/a.py": 11.9, "tests/b.py": 12.0, "tests/c.py": 4 * DEFAULT, "tests/d.py": 1.0}
    allowed = {"tests/a.py": 3.0, "tests/b.py": 3.0}
    assert too_dear(costs, allowed) == ["tests/b.py", "tests/c.py"]
    line = budgets.sentence("tests/b.py", 12.0, allowed)
    assert "its budget is 3. Make it cheaper, or raise its budget in tests/budgets.toml" in line


def test_the_budgets_of_the_whole_are_the_sums_of_both_parts() -> None:
    quick, rest, whole = (budgets.budgets(suite) for suite in ("quick", "rest", "whole"))
    name = next(name for name in quick if name in rest)
    assert whole[name] == quick[name] + rest[name]


def test_every_budget_is_that_of_a_file_or_of_a_fixture() -> None:
    table = tomllib.loads(budgets.TABLE.read_text("utf-8"))
    names = {name for section, budget in table.items() if section != "total" for name in budget}
    assert [name for name in names if not (name.startswith(("fixture ", "(")) or (TOP / name).is_file())] == []


COSTLY = """
import subprocess, sys

def test_this_process_works():
    sum(number * number for number in range({rounds}))

def test_a_process_beside_works():
    subprocess.run([sys.executable, "-c", "sum(number * number for number in range({rounds}))"], check=True)
"""


def run_with_costs(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the tests of a folder, with a small budget for each file and fixture."""
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "conftest.py").write_text("from tests.plugins import budgets\n\nbudgets.DEFAULT = 0.1\n")
    plugins = ("-p", "tests.plugins.budgets", "-p", "tests.plugins.selection")
    options = ("-c", str(folder / "pytest.ini"), f"--costs={folder / 'costs.json'}")
    line = [sys.executable, "-m", "pytest", "-q", *plugins, *options, str(folder)]
    return subprocess.run(line, cwd=TOP, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize(("rounds", "ends"), [(100, 0), (20_000_000, 1)], ids=["cheap", "dear"])
def test_a_run_fails_where_a_file_costs_too_much_processes_beside_included(rounds: int, ends: int, tmp_path: Path) -> None:
    (tmp_path / "test_costly.py").write_text(COSTLY.format(rounds=rounds))
    done = run_with_costs(tmp_path)
    assert done.returncode == ends, done.stdout + done.stderr
    assert ("test_costly.py costs " in done.stdout) is bool(ends)
    assert ("test_costly.py was measured again by itself: " in done.stdout) is bool(ends)


COSTLY_ONCE = """
from pathlib import Path

import pytest

@pytest.fixture(scope="session")
def server():
    work("server")

def work(name):
    mark = Path(__file__).with_name(f"{name}.mark")
    if not mark.exists():
        mark.touch()
        sum(number * number for number in range(20_000_000))

def test_a_cheap_one(server):
    work("test")
"""


@pytest.mark.slow
def test_a_cost_that_was_too_high_once_fails_no_run(tmp_path: Path) -> None:
    (tmp_path / "test_costly.py").write_text(COSTLY_ONCE)
    done = run_with_costs(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    again = [line for line in done.stdout.splitlines() if "was measured again by itself" in line]
    assert [line.split(" was ")[0] for line in again] == ["fixture server", "test_costly.py"]
