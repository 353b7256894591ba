"""A law of which few examples reach its last claim fails, and all others run as if nobody counted."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.plugins.laws import listing

TOP = Path(__file__).parents[2]

LAWS = """
import functools
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

settings.register_profile("steady", deadline=None, derandomize=True, database=None)
settings.load_profile("steady")

NUMBERS = st.integers(0, 10**6)
DRAWN = Path(__file__).with_suffix(".drawn")


@given(NUMBERS)
def test_always(number):
    with DRAWN.open("a") as file:
        print(number, file=file)
    assert number >= 0


@given(NUMBERS)
def test_never(number):
    assert number >= 0
    if number < 0:
        assert number == "nonsense"


@given(NUMBERS)
def test_half(number):
    if number % 2:
        return
    assert number % 2 == 0


@given(NUMBERS)
def test_a_fifth(number):
    if number % 5 == 1:
        assert number


@given(NUMBERS)
def test_rejected_examples_do_not_count(number):
    assume(number % 5 == 1)
    assert number


@given(NUMBERS)
def test_loop_over_nothing(number):
    for _ in range(0):
        assert number == "nonsense"


@given(NUMBERS)
def test_all_of_nothing(number):
    assert all(one == "nonsense" for one in range(0))


@given(NUMBERS)
def test_all_of_something(number):
    assert all(one >= 0 for one in range(3))


@given(NUMBERS)
def test_raises_is_a_claim(number):
    assert number >= 0
    if number < 0:
        with pytest.raises(ValueError):
            int("x")


@given(NUMBERS)
def test_without_assert(number):
    try:
        int(str(number))
    except ValueError:
        return


@given(NUMBERS)
def test_without_assert_and_never(number):
    if number < 0:
        int("x")


@given(NUMBERS)
def test_function_inside(number):
    def check(value):
        assert value >= 0

    check(number)
    if number < 0:
        assert number == "nonsense"


def made(limit):
    @given(NUMBERS)
    def law(number):
        assert number <= limit

    return law


test_closure = made(10**6)


class TestClass:
    __limit = 10**6

    @pytest.mark.parametrize("least", [0, -1])
    @example(number=5)
    @given(number=NUMBERS)
    def test_method(self, least, number):
        assert least <= number <= self.__limit


@given(st.sampled_from("abc"))
def test_few_examples(letter):
    if letter == "a":
        assert letter


@given(st.sampled_from("abcd"))
def test_fewer_examples(letter):
    if letter == "a":
        assert letter


@given(NUMBERS)
def test_failing(number):
    names = {"found": number}
    assert names["found"] < 1000


test_lambda = given(NUMBERS)(lambda number: None)


def decorated(law):
    @functools.wraps(law)
    def call(*values, **named):
        return law(*values, **named)

    return call


@given(NUMBERS)
@decorated
def test_decorated(number):
    assert number == number


class Machine(RuleBasedStateMachine):
    @rule()
    def step(self):
        assert True


TestMachine = Machine.TestCase


def test_no_law():
    assert True
"""


class Run(NamedTuple):
    """What a run of the laws above said, what it counted, and what its first law drew."""

    outcomes: Mapping[str, str]
    text: str
    counts: Mapping[str, dict[str, int]]
    drawn: str

    def message(self, test: str) -> str:
        """The text below the title of a test that failed."""
        found = re.search(rf"^_+ {re.escape(test)} _+$(.*?)^(?:__|==)", self.text, re.DOTALL | re.MULTILINE)
        assert found is not None, self.text
        return found[1]


def run(folder: Path, *options: str) -> Run:
    file = folder / "test_some_laws.py"
    file.write_text(LAWS)
    report = folder / "laws.json"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-c", os.devnull, "-vv", *options, str(file)]
    environment = {**os.environ, "LAWS_REPORT": str(report), "PYTHONPATH": str(TOP)}
    text = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment).stdout
    outcomes = dict(re.findall(r"::(\S+)(?: <- \S+)? (PASSED|FAILED)", text))
    counts = json.loads(report.read_text()) if report.exists() else {}
    return Run(outcomes, text, {name.split("::", 1)[1]: count for name, count in counts.items()}, file.with_suffix(".drawn").read_text())


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return run(tmp_path_factory.mktemp("counted"), "-p", "tests.plugins.laws")


@pytest.mark.parametrize(
    "test",
    [
        *("test_always", "test_half", "test_rejected_examples_do_not_count", "test_all_of_something", "test_without_assert"),
        *("test_closure", "TestClass::test_method[0]", "TestClass::test_method[-1]", "test_few_examples", "test_no_law"),
    ],
)
def test_what_reaches_its_claim_passes(counted: Run, test: str) -> None:
    assert counted.outcomes[test] == "PASSED"


@pytest.mark.parametrize(
    "test",
    [
        *("test_never", "test_a_fifth", "test_loop_over_nothing", "test_all_of_nothing", "test_raises_is_a_claim"),
        *("test_without_assert_and_never", "test_function_inside", "test_fewer_examples"),
    ],
)
def test_what_seldom_reaches_its_claim_fails(counted: Run, test: str) -> None:
    assert counted.outcomes[test] == "FAILED"
    assert re.search(r"only \d+ of \d+ examples of this law reach its last claim", counted.message(test))


def test_the_message_names_the_line_of_the_claim_and_what_to_do(counted: Run) -> None:
    line = LAWS.splitlines().index('        assert number == "nonsense"') + 1
    expected = f"only 0 of 100 examples of this law reach its last claim (line {line}): draw examples that do, at least 30 of 100"
    assert counted.message("test_never").strip() == expected


def test_an_assert_that_fails_still_explains_itself(counted: Run) -> None:
    assert counted.outcomes["test_failing"] == "FAILED"
    message = counted.message("test_failing")
    assert "assert 1000 < 1000" in message
    assert ">       assert names" in message
    assert "laws.py" not in message.replace("test_some_laws.py", "")


@pytest.mark.parametrize(
    ("test", "words"),
    [
        ("test_lambda", "the examples of this law cannot be counted: its source cannot be found. Write it with def"),
        ("test_decorated", "the examples of this law cannot be counted: a decorator below @given hides it. Put the decorator above"),
        ("TestMachine.runTest", "the examples of a state machine cannot be counted: write it as a law over a list of steps"),
    ],
)
def test_what_cannot_be_counted_fails_with_what_to_do(counted: Run, test: str, words: str) -> None:
    assert counted.outcomes[test.replace(".", "::")] == "FAILED"
    assert words in counted.message(test)


def test_a_law_draws_the_same_examples_as_without_the_plugin(counted: Run, tmp_path: Path) -> None:
    plain = run(tmp_path, "-k", "test_always")
    assert not plain.counts
    assert plain.drawn == counted.drawn


def test_the_report_holds_the_counts_of_each_law(counted: Run) -> None:
    assert {key: counted.counts["test_always"][key] for key in ("examples", "reached")} == {"examples": 100, "reached": 100}
    assert counted.counts["test_rejected_examples_do_not_count"]["examples"] == 100
    assert {key: counted.counts["test_few_examples"][key] for key in ("examples", "reached")} == {"examples": 3, "reached": 1}


def test_the_list_begins_with_the_smallest_share() -> None:
    counts = {
        "many": {"examples": 100, "reached": 40, "line": 3},
        "few": {"examples": 10, "reached": 3, "line": 7},
        "none": {"examples": 0, "reached": 0, "line": 9},
    }
    assert [line.split()[3] for line in listing(counts)] == ["none", "few", "many"]
    assert listing(counts)[1] == "    3 of    10  few (line 7)"
