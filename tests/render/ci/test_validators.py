"""What the formats' own schemas and readers say of our files."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.render.ci.api import rendered
from airflow_provider_schemas.render.ci.check_run import CheckRun
from tests.render.ci.support.rich_run import FAULTS, large_run, rich_run

TOP = Path(__file__).parents[3]
PYTHON = TOP / ".venv-validators/bin/python"
VALIDATE = Path(__file__).parent / "support/validate.py"
RUNS = {
    "rich": rich_run(),
    "verbose": rich_run(verbose=True),
    "without links": rich_run(""),
    "faults alone": CheckRun(faults=FAULTS),
    "fits": CheckRun((Report((), "shop.orders"),)),
    "nothing": CheckRun(),
    "many": large_run(101, 50),
}


def validate(kind: str, text: str, folder: Path) -> Any:
    """What the validator prints about a text."""
    if not PYTHON.exists():
        raise FileNotFoundError(".venv-validators is not there: run `make validators`")
    file = folder / "run"
    file.write_text(text, "utf-8")
    done = subprocess.run([PYTHON, VALIDATE, kind, file], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", RUNS)
def test_the_schema_of_sarif_finds_nothing_wrong(name: str, tmp_path: Path) -> None:
    assert validate("sarif", rendered(RUNS[name], "sarif"), tmp_path) == []


def test_the_schema_of_sarif_would_find_something(tmp_path: Path) -> None:
    log = rendered(RUNS["rich"], "sarif").replace('"level": "error"', '"level": "fatal"')
    assert validate("sarif", log, tmp_path) != []


def multitool(text: str, folder: Path) -> list[tuple[str, str]]:
    """What the rules of SARIF's own reader, and those of GitHub, find wrong with a text."""
    home = TOP / ".venv-validators/sarif-multitool"
    subprocess.run([TOP / "tools/sarif_multitool.sh", sys.prefix, home], check=True, capture_output=True)
    (program,) = (home / "node_modules/@microsoft").glob("sarif-multitool-*/Sarif.Multitool")
    file = folder / "run.sarif"
    found = folder / "found.sarif"
    file.write_text(text, "utf-8")
    line: list[str | Path] = [program, "validate", file, "--rule-kind", "Sarif;Ghas", "--output", found, "--log", "ForceOverwrite"]
    subprocess.run(line, check=True, capture_output=True, env={**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"})
    (run,) = json.loads(found.read_text("utf-8-sig"))["runs"]
    return [(result["ruleId"], result["message"].get("text", result["message"].get("id", ""))) for result in run.get("results", [])]


# An address of the documentation is known to who gives one, and so it is missing in some runs.
WITHOUT_ADDRESS = "SARIF2005"


@pytest.mark.parametrize("name", RUNS)
def test_the_reader_of_sarif_finds_nothing_wrong(name: str, tmp_path: Path) -> None:
    found = multitool(rendered(RUNS[name], "sarif"), tmp_path)
    assert [rule for rule, _ in found if rule != WITHOUT_ADDRESS] == []
    assert found == [] or not RUNS[name].docs


def test_the_reader_of_sarif_would_find_something(tmp_path: Path) -> None:
    log = rendered(RUNS["rich"], "sarif").replace('"startLine": 6', '"startLine": -6')
    assert multitool(log, tmp_path) != []


@pytest.mark.parametrize("name", RUNS)
def test_a_reader_of_junit_finds_every_table_and_fault(name: str, tmp_path: Path) -> None:
    run = RUNS[name]
    cases = validate("junit", rendered(run, "junit"), tmp_path)
    assert len(cases) == len(run.reports) + len(run.faults)
    failing = sum(not report.fits for report in run.reports) + len(run.faults)
    assert sum(len(case) > 2 for case in cases) == failing
    assert {outcome for case in cases for outcome in case[2:]} <= {"Failure", "Error"}
