"""`explain` tells the same of a rule or a code in text, Markdown and JSON, and needs neither a store nor a file."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from airflow_provider_schemas.core.rules import RULES
from tests.support.command_line import fine, typed

GOLDEN = Path(__file__).parent / "golden"
LINES = {
    "rule.80.txt": ["explain", "F07", "--width=80"],
    "rule.160.txt": ["explain", "FIELD_RENAMED", "--width=160"],
    "need.80.txt": ["explain", "expect_may_be_null", "--width=80"],
    "rows.80.txt": ["explain", "DATA_KEY_DUPLICATE", "--width=80"],
    "errors.80.txt": ["explain", "type.length-out-of-range", "format.orc", "T09", "binding", "--width=80"],
    "list.80.txt": ["explain", "--width=80"],
    "rule.md": ["explain", "FIELD_RENAMED", "--format=markdown"],
    "errors.md": ["explain", "type.length-out-of-range", "T09", "binding", "--format=markdown"],
    "rule.json": ["explain", "FIELD_RENAMED", "--format=json"],
    "errors.json": ["explain", "type.length-out-of-range", "T09", "--format=json"],
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AIRFLOW_SCHEMAS_STORE", raising=False)


@pytest.mark.parametrize("name", LINES)
def test_it_reads_as_it_was_looked_at(name: str) -> None:
    file = GOLDEN / f"explain.{name}"
    text = fine(*LINES[name])
    if os.environ.get("GOLDEN") == "write":
        file.write_text(text, "utf-8")
    assert text == file.read_text("utf-8"), f"if it should read so, GOLDEN=write pytest {__file__}"


def test_several_names_are_explained_below_each_other_and_each_rule_once() -> None:
    out = fine("explain", "F07", "field_renamed", "T13")
    firsts = [line.split("  ")[0] for line in out.splitlines() if line.split("  ")[0] in RULES]
    assert firsts == ["FIELD_RENAMED", "LENGTH_RELAXED", "LENGTH_TIGHTENED"]


def test_no_name_is_explained_where_one_means_nothing() -> None:
    done = typed("explain", "FIELD_RENAMED", "FIELD_DROPED")
    assert (done.code, done.out) == (2, "")
    assert "Did you mean FIELD_DROPPED" in done.err


def test_a_name_without_meaning_is_an_error_in_json() -> None:
    done = typed("explain", "nothing", "--format=json")
    assert (done.code, done.json["error"]["code"], done.err) == (2, "explain.unknown", "")


def test_all_rules_stand_in_the_list_on_a_line_each() -> None:
    lines = fine("explain", "--width=1000").splitlines()
    assert [line.split()[1] for line in lines if line.startswith("  ")] == sorted(RULES, key=lambda rule: _place(lines, rule))


def _place(lines: list[str], rule: str) -> int:
    return next(number for number, line in enumerate(lines) if line.split()[1:2] == [rule])


def test_nothing_of_a_store_or_a_file_is_loaded() -> None:
    code = (
        "import sys; from airflow_provider_schemas.cli.main import main; main(['explain', 'F07', '--quiet'])\n"
        "heavy = {'pyarrow', 'pyiceberg', 'boto3', 'airflow', 'pydantic', 'fsspec'} & sys.modules.keys()\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_no_store_is_asked_whatever_the_environment_says_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STORE", "CONN", "MOUNTS"):
        monkeypatch.setenv(f"AIRFLOW_SCHEMAS_{name}", "nothing of the kind")
    assert fine("explain", "F07").startswith("FIELD_RENAMED")


def test_the_waiver_that_is_offered_names_the_store_of_the_line() -> None:
    out = fine("explain", "F07", "--store", "lake")
    assert "airflow-schemas waive --store lake shop.orders FIELD_RENAMED cust_id" in out
    assert "airflow-schemas explain FIELD_RENAMED" in fine("explain", "--store", "lake")
