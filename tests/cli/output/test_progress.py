"""How far a command is: told on standard error after a while, and taken away before the answer."""

import io
import sys
import time
from argparse import Namespace
from pathlib import Path

import pytest

from airflow_provider_schemas.cli.output.progress import ProgressLine
from tests.support.terminals import Terminal

ERASED = "\r\x1b[K"
SLOW = """
import sys, time
from argparse import Namespace
from airflow_provider_schemas.cli.output.progress import ProgressLine

with ProgressLine.of(Namespace(quiet="--quiet" in sys.argv, objects=sys.argv[1:])) as progress:
    progress.begin("reading tables \\x1b[31m of\\nlake", 20_000)
    progress.advance(1_200)
    time.sleep(float(sys.argv[1]))
print("the answer")
"""


class Screen(io.StringIO):
    """Standard error that is a terminal."""

    def isatty(self) -> bool:
        return True


def slow(seconds: float, *words: str, **environment: str) -> Terminal:
    return Terminal.run([sys.executable, "-c", SLOW, str(seconds), *words], environment=environment)


def test_a_slow_command_tells_how_far_it_is_and_takes_it_away() -> None:
    before, _, after = slow(1.6).text.rpartition(ERASED)
    assert "1,200 of 20,000, 1 s" in before
    assert "\n" not in before
    assert before.count("\x1b") == before.count(ERASED)
    assert after == "the answer\n"


def test_a_quick_command_tells_nothing() -> None:
    assert slow(0.2).text == "the answer\n"


@pytest.mark.parametrize(("words", "environment"), [(["--quiet"], {}), ([], {"CI": "1"}), ([], {"TERM": "dumb"}), (["-"], {})])
def test_nobody_is_told_where_nobody_looks(words: list[str], environment: dict[str, str]) -> None:
    assert slow(1.3, *words, **environment).text == "the answer\n"


def test_a_pipe_gets_nothing() -> None:
    done = Terminal.run(["sh", "-c", f"{sys.executable} -c '{SLOW}' 1.3 2>&1 | cat"])
    assert done.text == "the answer\n"


def test_ctrl_c_leaves_a_clean_line() -> None:
    done = Terminal.run([sys.executable, "-c", SLOW, "30"], typed=[("1,200 of", b"\x03")])
    assert "KeyboardInterrupt" in done.text.rpartition(ERASED)[2]


def test_a_stream_that_goes_away_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    with ProgressLine(screen, first=0) as progress:
        screen.close()
        progress.advance()
        time.sleep(0.3)


def test_what_is_done_is_counted_by_any_thread_and_never_more_than_all() -> None:
    with ProgressLine(None) as progress:
        progress.begin("reading", 3)
        for _ in range(5):
            progress.advance()
        assert progress.line() == "reading: 3 of 3, 0 s"
        progress.begin("judging")
        assert progress.line() == "judging: 0 s"


def test_a_line_is_never_wider_than_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    screen = Screen()
    with ProgressLine(screen, first=0) as progress:
        progress.begin("reading 表" * 20)
        time.sleep(0.3)
    for line in screen.getvalue().split(ERASED):
        assert len(line.encode("utf-16-le")) // 2 <= 29


def test_arguments_of_any_kind_are_looked_through() -> None:
    ProgressLine.of(Namespace(quiet=False, objects=["a"], number=3, nothing=None, mount={"a": 1}, path=Path()))
