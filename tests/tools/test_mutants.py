"""`python -m tools.mutants` on a small project: it names the changes that no test notices, and no others."""

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tools.mutants.places import places
from tools.mutants.sample import sample
from tools.mutants.touched import touched

TOP = Path(__file__).parents[2]
PRICES = '''
    """Prices."""

    import functools

    SIZES = {"small": 1, "large": 2}


    def discounted(amount: int, members: bool) -> int:
        if members and amount > 100:
            return amount - 10
        return amount


    def countdown(start: int) -> list[int]:
        steps = []
        while start > 0:
            steps.append(start)
            start = start - 1
        return steps


    @functools.cache
    def doubled(amount: int) -> int:
        return amount * 2


    def even(amounts: list[int]):
        yield from (amount for amount in amounts if amount % 2 == 0)


    def never_called(amount: int) -> int:
        return amount + 1
'''
STRONG = """
    from shop.prices import countdown, discounted, doubled, even

    def test_members_get_ten_off_above_a_hundred():
        assert discounted(101, True) == 91
        assert discounted(100, True) == 100
        assert discounted(101, False) == 101

    def test_a_countdown_ends_at_one():
        assert countdown(3) == [3, 2, 1]

    def test_doubled():
        assert doubled(4) == 8

    def test_even():
        assert list(even([1, 2, 3, 4, 6])) == [2, 4, 6]
"""
WEAK = """
    from shop.prices import discounted

    def test_members_get_a_discount():
        assert discounted(200, True) == 190
        assert discounted(50, False) == 50
"""
WAITING = """
    import os, pathlib, time

    def test_it_waits():
        mark = pathlib.Path(os.environ["MARK"])
        mark.write_text(str(os.getpid()))
        time.sleep(20)
        mark.write_text("nobody has ended this process")
"""
SERVED = """
    import pytest
    from shop.prices import countdown

    @pytest.fixture(scope="session")
    def s3_server():
        raise AssertionError("started")

    @pytest.mark.parametrize("start", [1, 2])
    def test_with_a_server(s3_server, start):
        assert countdown(start) == []

    def test_without():
        countdown(0)
"""
Project = Callable[[str], Path]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Gives a project with a package `shop` and the tests that are passed."""

    def make(tests: str) -> Path:
        _write(tmp_path / "shop" / "__init__.py", "")
        _write(tmp_path / "shop" / "prices.py", PRICES)
        _write(tmp_path / "tests" / "test_prices.py", tests)
        _write(tmp_path / "pytest.ini", "[pytest]\naddopts = --import-mode=importlib\npythonpath = .\n")
        return tmp_path

    return make


def run(folder: Path, *options: str, ends: int = 0) -> str:
    """Return what the tool prints about the module of prices."""
    ended = subprocess.run(command(*options), cwd=folder, env=environment(folder), capture_output=True, text=True, check=False)
    assert ended.returncode == ends, ended.stdout + ended.stderr
    return ended.stdout


def command(*options: str) -> list[str]:
    modules = [] if "--only" in options else ["--modules", "shop/prices.py"]
    tests = [] if "--tests" in options else ["--tests", "tests"]
    return [sys.executable, "-m", "tools.mutants", "--number", "1000", "--seconds", "3", *modules, *tests, *options]


def environment(folder: Path) -> dict[str, str]:
    temporary = folder.parent / f"{folder.name}-temporary"
    temporary.mkdir(exist_ok=True)
    return {**os.environ, "PYTHONPATH": str(TOP), "PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": str(temporary)}


def contents(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()}


def survivors(page: str) -> list[str]:
    """Return the head line of each survivor."""
    return [line for line in page.splitlines() if line.startswith("shop/")]


def test_strong_tests_leave_only_what_they_never_run_and_a_hanging_mutant_ends(project: Project) -> None:
    folder = project(STRONG)
    before = contents(folder)
    page = run(folder)
    assert {line.partition("  ")[2] for line in survivors(page)} == {
        "never_called, return-none: no test runs it",
        "never_called, right-operand-away: no test runs it",
        "never_called, plus-one: no test runs it",
    }
    # `start - 1` without its right operand, and `start > 0` with other numbers: those that never end are ended.
    assert "by time 1, survive 3" in page
    assert contents(folder) == before


def test_weak_tests_let_a_change_survive_that_is_shown_with_the_command_to_repeat_it(project: Project) -> None:
    folder = project(WEAK)
    page = run(folder)
    shown = textwrap.dedent("""\
        shop/prices.py:9  discounted, comparison: no test notices
            - if members and amount > 100:
            + if members and amount >= 100:
            ran 1 of 1 tests that reach it: tests/test_prices.py::test_members_get_a_discount
            again: python -m tools.mutants --only shop/prices.py:9:19:comparison --tests tests/test_prices.py
    """)
    assert shown in page
    again = run(folder, "--only", "shop/prices.py:9:19:comparison", "--tests", "tests/test_prices.py")
    assert shown in again
    assert "killed 0, by time 0, survive 1" in again
    assert "left out: 4 places outside of functions" in page
    other = run(folder, "--only", "shop/prices.py:9:7:never")
    assert "shop/prices.py:9:7:never: noticed in tests/test_prices.py::test_members_get_a_discount" in other
    # What the tests do notice is not shown.
    assert not [line for line in survivors(page) if "discounted, return-none" in line]


def test_the_same_seed_gives_the_same_mutants_and_another_seed_gives_others(project: Project) -> None:
    folder = project(WEAK)
    first, second, other = (sample(folder, {"shop/prices.py": set()}, 6, seed).mutants for seed in (7, 7, 8))
    assert len({mutant.key for mutant in first}) == 6
    assert [mutant.key for mutant in first] == [mutant.key for mutant in second]
    assert {mutant.key for mutant in first} != {mutant.key for mutant in other}


def test_the_functions_that_a_change_touches_come_first(project: Project) -> None:
    folder = project(WEAK)
    line = 1 + PRICES.lstrip().splitlines().index("        return amount * 2")
    chosen = sample(folder, {"shop/prices.py": {line}}, 4, 7).mutants
    assert [mutant.function for mutant in chosen].count("doubled") == 3


def test_nothing_is_tried_where_a_test_fails_without_a_mutant(project: Project) -> None:
    page = run(project(WEAK + "\n\n    def test_wrong():\n        assert discounted(1, True) == 2\n"), ends=2)
    assert "The tests must pass before a mutant is tried" in page
    assert "tests/test_prices.py::test_wrong: assert 1 == 2" in page
    assert "killed" not in page


def test_nothing_is_tried_where_the_tests_cannot_be_collected(project: Project) -> None:
    page = run(project("import nonsense"), ends=2)
    assert "No module named 'nonsense'" in page


def test_tests_that_need_a_server_are_left_out(project: Project) -> None:
    folder = project(SERVED)
    page = run(folder)
    assert "did not run: --servers runs them" in page
    assert "learned from 1 of 3 tests" in page
    assert "2 need a server, Airflow or Spark, or skip themselves" in page
    assert "countdown" in "\n".join(survivors(page))


def test_what_the_time_did_not_suffice_for_is_no_survivor(project: Project) -> None:
    page = run(project(STRONG), "--minutes", "0")
    assert "4 were not asked, those far from these modules, since the time was up" in page
    assert "killed 0, by time 0, survive 0 (seed 7); 28 not reached by the tests that ran before the time was up" in page


def test_it_may_be_asked_to_fail(project: Project) -> None:
    run(project("def test_nothing(): pass"), "--number", "3", "--fail-over", "2", ends=1)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_run_leaves_no_process_and_no_file(project: Project, number: signal.Signals) -> None:
    folder = project(WAITING)
    mark = folder.parent / f"{folder.name}-mark"
    before = contents(folder)
    with subprocess.Popen(command("--seconds", "60"), cwd=folder, env=environment(folder) | {"MARK": str(mark)}) as tool:
        while not (mark.exists() and mark.read_text()):
            assert tool.poll() is None
        tool.send_signal(number)
    with pytest.raises(ProcessLookupError):
        _until_gone(int(mark.read_text()))
    assert mark.read_text().isdecimal()
    assert contents(folder) == before


def test_a_module_is_touched_where_it_differs_from_a_revision_or_is_new(tmp_path: Path) -> None:
    _write(tmp_path / "shop" / "prices.py", "one = 1\ntwo = 2\nthree = 3\n")
    _write(tmp_path / "shop" / "same.py", "one = 1\n")
    git(tmp_path, ["init", "-q"], ["add", "."], ["commit", "-qm", "first"])
    _write(tmp_path / "shop" / "prices.py", "one = 1\ntwo = 20\nthree = 3\nfour = 4\n")
    git(tmp_path, ["commit", "-qam", "second"])
    _write(tmp_path / "shop" / "new.py", "one = 1\n")
    _write(tmp_path / "elsewhere.py", "one = 1\n")
    assert touched(tmp_path, "shop", None) == {"shop/prices.py": {2, 4}, "shop/new.py": {1}}
    assert touched(tmp_path, "shop", "HEAD") == {"shop/new.py": {1}}


@pytest.mark.parametrize(
    ("line", "changes"),
    [
        ("a <= b", ["a < b"]),
        ("a not  in b", ["a in b"]),
        ("a is b is not c", ["a is not b is not c", "a is b is c"]),
        ("a and (b or c)", ["a or (b or c)", "(b or c)", "a", "b and c", "c", "b"]),
        ("(a) or b or (c)", ["(a) and b and (c)", "b or c", "a or c", "a or b"]),
        ("not (a and b)", ["(a and b)", "a or b", "b", "a"]),
        ("a | b", ["a"]),
        ("a if b else c", ["True", "False"]),
        ("[x for x in a if b]", ["True"]),
        ("'key'", ['"key_"']),
        ("'a whole sentence'", []),
        ("f'{a} text'", []),
        ("cast('Table', a)", []),
        ("(3, True)", ["4", "False"]),
        ("'ü' + a == b", ["'ü' + a != b", "'ü'", '"ü_"']),
    ],
)
def test_an_expression_changes_into(line: str, changes: Sequence[str]) -> None:
    found = places("shop/prices.py", f"def f():\n    x = {line}\n").mutants
    assert [mutant.edit.text for mutant in found] == list(changes)


def test_a_statement_changes_into() -> None:
    text = (
        'def f(a: "List" = 1):\n    """Doc."""\n    g(a)\n    if a:\n        return a\n    while a:\n        b: "T" = a\n    return None\n'
    )
    found = places("shop/prices.py", text)
    changes = [(mutant.line, mutant.edit.text) for mutant in found.mutants]
    assert changes == [(3, "pass"), (4, "True"), (4, "False"), (5, "None"), (6, "False")]
    assert sum(found.left_out.values()) == 1  # the default


def git(folder: Path, *commands: Sequence[str]) -> None:
    for arguments in commands:
        subprocess.run(["git", "-c", "user.name=ana", "-c", "user.email=ana@example.org", *arguments], cwd=folder, check=True)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(text).lstrip())


def _until_gone(process: int) -> None:
    while True:
        os.kill(process, 0)
