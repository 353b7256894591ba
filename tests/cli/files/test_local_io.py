"""Standard input in place of a file: each thing that can be wrong with it is told as what it is."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command_line import SCHEMA_FILE, fine, typed

COMMAND = [sys.executable, "-m", "airflow_provider_schemas.cli"]
TOP = Path(__file__).parents[3]
LINES = [
    ["plan", "-"],
    ["apply", "-"],
    ["check", "-"],
    ["check", "shop.orders", "--contract", "-"],
    ["check", "shop.orders", "shop.orders", "--policy", "-"],
    ["evolve", "-"],
    ["create", "-"],
    ["adopt", "-"],
    ["show", "-"],
    ["diff", "shop.orders", "-"],
    ["convert", "-", "--to", "paimon", "--from", "paimon"],
    ["contract", "register", "-"],
]


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> str:
    store = str(tmp_path_factory.mktemp("lake"))
    fine("create", "shop.orders", "order_id BIGINT", "--store", store)
    return store


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_a_standard_input_that_holds_nothing_is_told_as_that(line: list[str], lake: str) -> None:
    done = typed(*line, "--store", lake, stdin=b" \n")
    assert (done.code, done.out) == (2, "")
    assert "there is nothing on standard input. Look at what the command before the pipe wrote" in done.err


@pytest.mark.parametrize("line", [["plan", "-"], ["apply", "-"], ["check", "-"]], ids=" ".join)
def test_a_standard_input_that_is_closed_is_told_as_that(line: list[str], lake: str) -> None:
    words = " ".join([*COMMAND, *line, "--store", lake])
    done = subprocess.run(["/bin/sh", "-c", f"{words} <&-"], capture_output=True, text=True, check=False, cwd=TOP)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "airflow-schemas: standard input is closed. Pipe a file into the command, or name the file.\n"


@pytest.mark.parametrize(
    "line",
    [
        ["check", "-", "-"],
        ["check", "-", "--contract", "-"],
        ["check", "-", "--policy", "-"],
        ["plan", "-", "--base", "-"],
        ["plan", "-", "--policy", "-"],
        ["contract", "register", "-", "-"],
    ],
    ids=" ".join,
)
def test_a_standard_input_that_is_named_twice_is_refused(line: list[str], lake: str) -> None:
    done = typed(*line, "--store", lake, stdin=Path(SCHEMA_FILE).read_bytes())
    assert (done.code, "standard input is read once, and named twice" in done.err) == (2, True)


def test_what_is_wrong_on_standard_input_names_it(lake: str) -> None:
    assert "standard input, read as SQL text of columns: " in typed("plan", "-", "--store", lake, stdin=b"a NOPE").err


def test_a_table_file_on_standard_input_is_adopted(tmp_path: Path, lake: str) -> None:
    text = f"table: web.clicks\nlocation: {tmp_path}\nformat: parquet\ncolumns:\n  - {{name: a, type: INT}}\n"
    assert "web.clicks  created" in fine("adopt", "-", "--store", lake, stdin=text.encode())
    assert typed("adopt", "-", "--store", lake, stdin=b"table: web.views\ncolumns:\n  - {name: a, type: INT}\n").code == 2
