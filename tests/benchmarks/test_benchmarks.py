"""The benchmarks run, print every line of ours, and never judge a run by its times."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.apart import SUBJECTS
from tests.benchmarks.contest import OURS, Op
from tests.benchmarks.inputs import SHAPES
from tests.benchmarks.peers.installed import versions
from tests.benchmarks.store import measuring

TOP = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, Any]]:
    """What a quick run prints, and what it writes."""
    file = tmp_path_factory.mktemp("bench") / "figures.json"
    command = [sys.executable, "-m", "tests.benchmarks", "--quick", "--sizes", "50", "100", "--json", str(file)]
    printed = subprocess.run(command, cwd=TOP, stdout=subprocess.PIPE, text=True, check=True, timeout=120).stdout
    return printed, json.loads(file.read_text("utf-8"))


def test_every_operation_has_a_line_of_ours_for_both_shapes(run: tuple[str, dict[str, Any]]) -> None:
    printed = run[0].splitlines()
    for op in Op:
        for shape in SHAPES:
            place = printed.index(f"{op}, {shape.name}")
            assert printed[place + 1].split()[0] == OURS


def test_everything_of_ours_is_measured_at_every_size(run: tuple[str, dict[str, Any]]) -> None:
    ours = {(one["op"], one["shape"], one["size"]) for one in run[1]["measured"] if one["who"] == OURS}
    assert ours == {(op, shape.name, size) for op in Op for shape in SHAPES for size in (50, 100)}


def test_everything_that_a_store_does_is_measured_at_every_size_against_a_limit(run: tuple[str, dict[str, Any]]) -> None:
    def jobs(whose: str) -> list[tuple[str, str, int]]:
        lines = run[1]["stores"]
        return sorted({(one["subject"], one["job"], one["size"]) for one in lines if one["who"].startswith(whose) and "clock_ms" in one})

    wanted = [(one.title, job, size) for one in measuring.SUBJECTS for job in one.jobs for size in measuring.sizes(one, measuring.SOME)]
    assert jobs(OURS) == jobs("limit") == sorted(wanted)


def test_peers_that_are_not_here_are_listed_as_such(run: tuple[str, dict[str, Any]]) -> None:
    assert all(f"{name} {version}" in run[0] for name, version in versions().items())


def test_every_budget_has_a_verdict(run: tuple[str, dict[str, Any]]) -> None:
    assert run[1]["budgets"]
    assert all(one["budget"] in run[0] for one in run[1]["budgets"])


def test_every_operation_but_memory_belongs_to_one_subject() -> None:
    assert sorted([op for subject in SUBJECTS for op in subject.makers] + [Op.MEMORY]) == sorted(Op)


def test_every_goal_of_what_everybody_pays_is_printed_with_ours_and_its_limit() -> None:
    command = [sys.executable, "-m", "tests.benchmarks.everyday", "--quick"]
    printed = subprocess.run(command, cwd=TOP, stdout=subprocess.PIPE, text=True, check=True, timeout=120).stdout.splitlines()
    goals = [line for line in printed if "at most" in line]
    assert len(goals) == 14
    assert all("ours" in line and "limit" in line and line.split()[0] in ("met", "NOT") for line in goals)
