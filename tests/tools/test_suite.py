"""The jobs of `make test` and `make test-all`: they run side by side, failures are shown, and no job is forgotten."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.plugins.selection import BEYOND_QUICK, by_folder
from tools.processes import wait_until
from tools.suite import costs, outcome, running
from tools.suite.__main__ import carry_out, main
from tools.suite.jobs import TOP, Job, suites
from tools.suite.outcome import Counts
from tools.suite.running import Ended

PASSED = "tests/core/evolution/test_diff.py .... [100%]\n===== 40 passed, 2 skipped in 3.10s =====\n"
FAILED = "F [100%]\n=== FAILURES ===\n___ test_a ___\nE assert 1 == 2\n=== 1 failed, 3 passed, 2 errors in 61.02s (0:01:01) ===\n"


def job(name: str, folder: Path, code: str, *, waits: bool = False) -> Job:
    """Make a job of a line of Python, whose log lies in a folder of the test."""
    return Job(name, (sys.executable, "-c", code), waits, folder)


def test_the_counts_of_pytest_are_read_from_its_last_line() -> None:
    assert outcome.counts(PASSED) == Counts(40, 0, 2)
    assert outcome.counts(FAILED) == Counts(3, 3, 0)
    assert outcome.counts("All checks passed!\n") is None


def test_a_quiet_run_is_counted_too() -> None:
    assert outcome.counts("....  [100%]\n7 passed, 1 deselected in 0.12s\n") == Counts(7, 0, 0)


def test_failures_are_shown_from_their_heading_on() -> None:
    assert outcome.failures(FAILED).startswith("=== FAILURES ===\n___ test_a ___")


def test_of_a_job_without_a_list_of_failures_the_last_lines_are_shown() -> None:
    output = "\n".join(f"line {number}" for number in range(1000))
    assert outcome.failures(output).splitlines()[-1] == "line 999"
    assert len(outcome.failures(output).splitlines()) == 150


def test_the_progress_of_pytest_is_its_last_percentage() -> None:
    assert outcome.percent(b"... [ 33%]\n... [ 67%]\n..") == 67
    assert outcome.percent(b"Success: no issues found") is None


MEET = """
import pathlib, time
folder = pathlib.Path({folder!r})
(folder / {own!r}).touch()
while not (folder / {other!r}).exists():
    time.sleep(0.01)
"""


def test_two_jobs_run_side_by_side_and_a_third_waits_for_a_slot(tmp_path: Path) -> None:
    names = {"a": "b", "b": "a"}
    pair = [job(own, tmp_path, MEET.format(folder=str(tmp_path), own=own, other=other)) for own, other in names.items()]
    together: list[int] = []
    ended: list[Ended] = []
    running.run([*pair, job("c", tmp_path, "pass")], 2, lambda jobs: together.append(len(jobs)), ended.append)
    assert sorted(end.job.name for end in ended) == ["a", "b", "c"]
    assert max(together) == 2


def test_a_job_that_waits_for_others_takes_no_slot(tmp_path: Path) -> None:
    names = {"a": "b", "b": "a"}
    pair = [job(own, tmp_path, MEET.format(folder=str(tmp_path), own=own, other=other), waits=own == "a") for own, other in names.items()]
    assert [end.code for end in running.run(pair, 1, lambda jobs: None, lambda end: None)] == [0, 0]


def test_jobs_that_run_alone_come_last_and_one_after_the_other(tmp_path: Path) -> None:
    together: list[tuple[str, ...]] = []
    quiet = [job(name, tmp_path, "pass")._replace(alone=True) for name in ("a", "b")]
    others = [job("c", tmp_path, "pass"), job("d", tmp_path, "import time; time.sleep(1)", waits=True)]
    ended: list[Ended] = []
    running.run([*quiet, *others], 2, lambda jobs: together.append(tuple(job.name for job in jobs)), ended.append)
    assert [end.job.name for end in ended] == ["c", "d", "a", "b"]
    assert [names for names in together if len(names) > 1 and set(names) & {"a", "b"}] == []


def test_the_exit_code_and_the_output_of_a_job_are_kept(tmp_path: Path) -> None:
    told: list[Ended] = []
    running.run([job("bad", tmp_path, "print('it is broken'); raise SystemExit(3)")], 2, lambda jobs: None, told.append)
    assert [(ended.job.name, ended.code) for ended in told] == [("bad", 3)]
    assert (tmp_path / "bad.log").read_text() == "it is broken\n"


def test_a_job_that_is_not_there_is_refused_with_the_names_of_those_that_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["quick", "lint"])
    assert "no such job: lint. The jobs are quick-demo, " in capsys.readouterr().err


def test_a_suite_ends_with_its_counts_and_fails_where_a_job_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = job("good", tmp_path, f"print({PASSED!r})")
    assert carry_out([good], 2) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "40 passed, 0 failed, 2 skipped"
    bad = job("bad", tmp_path, f"print({FAILED!r}); raise SystemExit(1)")
    broken = job("broken", tmp_path, "raise SystemExit('it does not start')")
    assert carry_out([good, bad, broken], 2) == 1
    told = capsys.readouterr().out
    assert told.splitlines()[-1] == "43 passed, 4 failed, 2 skipped"
    assert "E assert 1 == 2" in told
    assert "it does not start" in told
    assert f"failed: broken, see {tmp_path / 'broken.log'}" in told


def files_of(suite: str) -> set[str]:
    """Return the test files that the jobs of a suite are given, without those that they ignore."""
    found = set()
    for each in suites()[suite]:
        ignored = tuple(argument.removeprefix("--ignore=") for argument in each.command if argument.startswith("--ignore="))
        for argument in each.command:
            if argument.startswith("tests/"):
                found |= {path for path in below(argument.partition("::")[0]) if not path.startswith(ignored or ("-",))}
    return found


def below(path: str) -> set[str]:
    """Return a test file, or those of a folder."""
    place = TOP / path
    files = [place] if place.is_file() else place.rglob("test_*.py")
    return {file.relative_to(TOP).as_posix() for file in files}


def test_every_test_file_is_in_a_job_of_the_rest() -> None:
    assert below("tests") - files_of("rest") == set()


def test_every_test_file_with_a_quick_test_is_in_a_quick_job() -> None:
    assert [path for path in below("tests") - files_of("quick") if not by_folder(path) & BEYOND_QUICK] == []


def test_a_suite_that_costs_too_much_in_all_is_told(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.json").write_text('{"costs": {"tests/x.py": 1.0, "tests/y.py": 100000.0}}')
    records = sorted(tmp_path.glob("*.json"))
    assert costs.total(records) == 200_002
    assert "the suite quick costs 200002 units" in (costs.too_much("quick", records) or "")
    assert costs.too_much("quick", []) is None


INTERRUPTED = """
import sys
from pathlib import Path
from tools.suite.__main__ import carry_out
from tools.suite.jobs import Job
folder = Path(sys.argv[1])
code = "import os, pathlib, time; pathlib.Path({name!r}).write_text(str(os.getpid())); time.sleep(600)"
jobs = [Job(name, (sys.executable, "-c", code.format(name=str(folder / name))), False, folder / "logs") for name in ("a", "b")]
raise SystemExit(carry_out(jobs, 2))
"""


def test_the_keyboard_ends_a_suite_with_all_its_jobs(tmp_path: Path) -> None:
    suite = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, str(tmp_path)], cwd=TOP, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    started = [tmp_path / "a", tmp_path / "b"]
    wait_until(lambda: all(path.exists() and path.read_text() for path in started) or suite.poll() is not None, 60)
    os.killpg(suite.pid, signal.SIGINT)  # as a terminal does
    output, _ = suite.communicate(timeout=60)
    assert suite.returncode == 130
    assert "is being ended" in output
    numbers = [int(path.read_text()) for path in started]
    assert [number for number in numbers if Path(f"/proc/{number}").exists()] == []
