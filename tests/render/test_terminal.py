"""The width of the terminal is what `shutil` says."""

import os
import shutil
import sys

import pytest

from airflow_provider_schemas.render.terminal import terminal_columns


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
