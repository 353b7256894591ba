"""The sizes of the terminal are what `shutil` says; colours are where the environment wants them, else on terminals."""

import io
import os
import shutil
import sys

import pytest

from airflow_provider_schemas.render.terminal import supports_colors, terminal_columns, terminal_lines


@pytest.mark.parametrize("said", ["", "0", "-3", "40", " 120 ", "wide", "1_00", None])
def test_a_width_that_is_said_counts_as_it_does_for_others(monkeypatch: pytest.MonkeyPatch, said: str | None) -> None:
    if said is None:
        monkeypatch.delenv("COLUMNS", raising=False)
    else:
        monkeypatch.setenv("COLUMNS", said)
    assert terminal_columns(77) == shutil.get_terminal_size((77, 24)).columns


@pytest.mark.parametrize("columns", [132, 0])
def test_a_terminal_says_its_width(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr(os, "get_terminal_size", lambda _number: os.terminal_size((columns, 24)))
    with open(os.devnull, "w", encoding="utf-8") as stream:  # noqa: PTH123  # a device and no path
        monkeypatch.setattr(sys, "__stdout__", stream)
        assert terminal_columns(77) == shutil.get_terminal_size((77, 24)).columns == (columns or 77)
    monkeypatch.setattr(sys, "__stdout__", None)
    assert terminal_columns(77) == 77


@pytest.mark.parametrize("said", ["0", "40", "tall", None])
def test_a_height_that_is_said_counts_as_it_does_for_others(monkeypatch: pytest.MonkeyPatch, said: str | None) -> None:
    if said is None:
        monkeypatch.delenv("LINES", raising=False)
    else:
        monkeypatch.setenv("LINES", said)
    assert terminal_lines(17) == shutil.get_terminal_size((77, 17)).lines


# ---------------------------------------------------------------- colours


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


COLORS = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "CLICOLOR", "TERM")


@pytest.mark.parametrize(
    ("variables", "on_screen", "in_pipe"),
    [
        ({}, True, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": ""}, True, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": "3", "TERM": "dumb"}, True, True),
        ({"FORCE_COLOR": "0"}, False, False),
        ({"FORCE_COLOR": "0", "CLICOLOR_FORCE": "1"}, False, False),
        ({"FORCE_COLOR": ""}, True, False),
        ({"CLICOLOR_FORCE": "1"}, True, True),
        ({"CLICOLOR_FORCE": "1", "CLICOLOR": "0"}, True, True),
        ({"CLICOLOR_FORCE": "0"}, True, False),
        ({"CLICOLOR": "0"}, False, False),
        ({"CLICOLOR": "1"}, True, False),
        ({"TERM": "dumb"}, False, False),
    ],
)
def test_the_environment_says_where_colours_are(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], on_screen: bool, in_pipe: bool
) -> None:
    for name in COLORS:
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert (supports_colors(Screen()), supports_colors(io.StringIO())) == (on_screen, in_pipe)


def test_a_closed_stream_shows_no_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in COLORS:
        monkeypatch.delenv(name, raising=False)
    stream = io.StringIO()
    stream.close()
    assert not supports_colors(stream)
