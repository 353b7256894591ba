"""What is longer than the screen goes through a pager: in a real terminal, with real pagers."""

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.terminals import Terminal

LONG = [sys.executable, "-m", "airflow_provider_schemas.cli", "show"]
MARK = "through the pager"
# With which less waits for a key.
PROMPT = "\n:\x1b[K"


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    """The file of a table that is longer than the screen."""
    file = tmp_path / "wide.sql"
    columns = ",\n".join(f"column_{number} BIGINT" for number in range(60))
    file.write_text(columns, "utf-8")
    return file


@pytest.fixture
def marking(tmp_path: Path) -> Path:
    """A pager that says that it is one."""
    script = tmp_path / "marking pager"
    script.write_text(f"#!/bin/sh\ncat\necho '{MARK}' \"$@\" LESS=$LESS\n", "utf-8")
    script.chmod(0o755)
    return script


def show(schema: Path, *options: str, **environment: str) -> Terminal:
    return Terminal.run([*LONG, str(schema), *options], environment=environment)


def test_a_long_text_goes_through_the_pager_of_the_environment(schema: Path, marking: Path) -> None:
    done = show(schema, PAGER=f"'{marking}' --with 'two words'")
    assert (done.code, "column_59" in done.text) == (0, True)
    assert f"{MARK} --with two words LESS=FRX" in done.text


def test_our_own_variable_counts_before_that_of_all_programs(schema: Path, marking: Path) -> None:
    assert MARK in show(schema, PAGER="false", AIRFLOW_SCHEMAS_PAGER=f"'{marking}'").text
    assert MARK not in show(schema, PAGER=f"'{marking}'", AIRFLOW_SCHEMAS_PAGER="").text


@pytest.mark.parametrize(
    ("options", "environment"),
    [(["--no-pager"], {}), ([], {"CI": "true"}), ([], {"TERM": "dumb"}), (["--format=json", "--quiet"], {"PAGER": "cat"})],
)
def test_none_is_asked_where_none_is_wanted(schema: Path, marking: Path, options: list[str], environment: Mapping[str, str]) -> None:
    assert MARK not in show(schema, *options, **{"PAGER": f"'{marking}'", **environment}).text


def test_a_text_that_fits_on_the_screen_is_printed(schema: Path, marking: Path) -> None:
    assert MARK not in show(schema, LINES="100", PAGER=f"'{marking}'").text


@pytest.mark.parametrize("pager", ["no-such-program-anywhere", "env no-such-program-anywhere", "'an open quote", "/", " "])
def test_a_pager_that_is_not_there_loses_nothing(schema: Path, pager: str) -> None:
    done = show(schema, PAGER=pager)
    assert (done.code, "column_59" in done.text, "Traceback" in done.text) == (0, True, False)


def test_no_shell_reads_the_name_of_the_pager(schema: Path, tmp_path: Path) -> None:
    show(schema, PAGER=f"cat; touch {tmp_path}/injected")
    assert not (tmp_path / "injected").exists()


def test_whoever_leaves_the_pager_early_gets_the_code_of_the_command(schema: Path, tmp_path: Path) -> None:
    wide = tmp_path / "wider.sql"
    wide.write_text(",\n".join(f"column_{number} BIGINT" for number in range(20_000)), "utf-8")
    done = show(wide, PAGER="head -n 1")
    assert (done.code, "Traceback" in done.text) == (0, False)
    broken = Terminal.run([*LONG[:-1], "check", str(wide), str(schema)], environment={"PAGER": "head -n 1"})
    assert (broken.code, "Traceback" in broken.text) == (1, False)


def test_less_shows_the_text_and_ends_with_q(schema: Path) -> None:
    done = Terminal.run([*LONG, str(schema)], environment={"PAGER": "less"}, typed=[(PROMPT, b"\x03"), (PROMPT, b"q")])
    assert done.code == 0
    assert "column_0" in done.text
    assert "column_59" not in done.text
    assert "Traceback" not in done.text


def test_a_pipe_is_no_screen(schema: Path, marking: Path) -> None:
    done = Terminal.run(["sh", "-c", f"{' '.join(LONG)} {schema} | cat"], environment={"PAGER": f"'{marking}'"})
    assert MARK not in done.text
