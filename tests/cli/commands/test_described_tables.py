"""Tables that are only described, on the command line: where their data lie, and what is said when that changes."""

import json
import os
import shlex
from pathlib import Path

import pyarrow as pa  # noqa: TID253  # the files of these tests are made by it
import pyarrow.parquet as pq  # noqa: TID253  # likewise
import pytest

from airflow_provider_schemas.render.layout import TYPED
from airflow_provider_schemas.store import SchemaStore
from tests.support.command_line import Done, fine, typed


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that somebody works in, with a store and data whose only column is x, or y."""
    for name, column in {"old": "x", "new": "y"}.items():
        (tmp_path / name).mkdir()
        pq.write_table(pa.table({column: [1]}), tmp_path / name / "part-0.parquet")
    (tmp_path / "lake").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AIRFLOW_SCHEMAS_STORE", str(tmp_path / "lake"))
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def location_of(folder: Path, table: str = "shop.o") -> object:
    return SchemaStore(folder / "lake").table(table).schema().table_attributes["location"]


# ---------------------------------------------------------------- relative places


@pytest.mark.parametrize("text", ["old", "./old/", "../{name}/old", "~/old"])
@pytest.mark.parametrize("line", [["adopt", "shop.o", "{}", "x BIGINT"], ["create", "shop.o", "x BIGINT", "--location", "{}"]])
def test_a_relative_place_is_made_whole_and_said(folder: Path, text: str, line: list[str]) -> None:
    text = text.format(name=folder.name)
    said = fine(*(text if word == "{}" else word for word in line))
    assert location_of(folder) == str(folder / "old")
    assert f"the location is {folder / 'old'}" in " ".join(said.split()).replace(" /", " /")
    os.chdir("/")
    assert "judged by footer (1 of 1)" in fine("check", "shop.o")


def test_a_relative_place_beside_a_store_elsewhere_is_refused_with_what_may_be_meant(folder: Path) -> None:
    done = typed("adopt", "shop.o", "old", "x BIGINT", "--store", "memory://cli-relative", "--layout", "registry")
    assert done.code == 2
    for word in ("memory://cli-relative/old", str(folder / "old")):
        assert word in done.err.replace("\n", "")


def test_a_place_below_the_warehouse_alone_is_not_guessed(folder: Path) -> None:
    (folder / "lake/events").mkdir()
    done = typed("adopt", "shop.o", "events", "x BIGINT")
    assert done.code == 2
    assert f"{folder}/lake/events, or {folder}/events" in done.err.replace("\n", "")


def test_a_relative_place_in_a_table_file_is_refused(folder: Path) -> None:
    (folder / "o.yaml").write_text("table: shop.o\nlocation: old\nformat: parquet\ncolumns: [{name: x, type: BIGINT}]\n")
    for line in (["create", "o.yaml"], ["adopt", "o.yaml"], ["plan", "o.yaml", "--new"]):
        done = typed(*line)
        if line[0] != "plan":
            assert (done.code, "table.relative-location" in done.out + done.err or "is relative" in done.err) == (2, True)
    assert fine("adopt", "o.yaml", "old")


# ---------------------------------------------------------------- another place


def _file(folder: Path, name: str) -> str:
    path = folder / "o.yaml"
    path.write_text(f"table: shop.o\nlocation: {folder / name}\nformat: parquet\ncolumns: [{{name: x, type: BIGINT}}]\n")
    return str(path)


@pytest.mark.parametrize("command", ["check", "plan", "evolve"])
def test_another_place_is_judged_by_its_files_at_every_door(folder: Path, command: str) -> None:
    fine("adopt", "shop.o", "old", "x BIGINT")
    done = typed(command, _file(folder, "new"))
    assert done.code != 0
    assert "x is described as BIGINT" in done.err
    assert "--unchecked" in done.err
    done = typed(command, _file(folder, "new"), "--unchecked", "INC-7")
    assert done.code == (1 if command == "check" else 0)  # which tells what a gate will say
    assert "not compared with the data, as was asked for" in " ".join(done.out.split())


def test_a_step_to_a_file_is_judged_by_the_files_of_its_place(folder: Path) -> None:
    fine("adopt", "shop.o", "old", "x BIGINT")
    done = typed("check", "shop.o", _file(folder, "new"))
    assert done.code != 0
    assert "x is described as BIGINT" in done.err
    assert "as was asked for" in fine("check", "shop.o", _file(folder, "new"), "--unchecked", "INC-7")


def test_a_plan_is_applied_with_its_own_reason(folder: Path) -> None:
    fine("adopt", "shop.o", "old", "x BIGINT")
    fine("plan", _file(folder, "new"), "--unchecked", "INC-7", "-o", "plan.json")
    assert "--unchecked" in typed("apply", "plan.json").err
    fine("apply", "plan.json", "--unchecked", "INC-8")
    assert "unchecked: INC-8" in fine("log", "shop.o")
    pq.write_table(pa.table({"y": [1]}), folder / "old/part-0.parquet")
    assert typed("restore", "shop.o", "0").code == 1
    assert typed("restore", "shop.o", "0", "--dry-run").code == 1
    fine("restore", "shop.o", "0", "--unchecked", "INC-9")


def test_the_line_that_is_printed_for_an_option_does_what_was_meant(folder: Path) -> None:
    fine("adopt", "shop.o", "old", "x BIGINT")
    (folder / "it's there").mkdir()
    done = typed("evolve", "shop.o", f"SET OPTION location = '{folder}/it''s there'")
    assert done.code == 2
    fine(*_line(done))
    assert location_of(folder) == f"{folder}/it's there"
    assert json.loads(fine("log", "shop.o", "--format", "json"))


def _line(done: Done) -> list[str]:
    """Return the words of the command that an error names, as a shell reads them."""
    command = TYPED.search(" ".join(done.err.split()))
    assert command is not None, done.err
    return shlex.split(command["command"])[1:]


# ---------------------------------------------------------------- the newest file, and the readers that are registered


def test_check_judges_each_registered_reader_by_the_newest_file(folder: Path) -> None:
    fine("adopt", "shop.o", str(folder / "old"), "x BIGINT")
    fine("evolve", "shop.o", "RENAME COLUMN x TO y", "ADD COLUMN z STRING", "--override", "x")
    store = SchemaStore(folder / "lake")
    for job, needs in {
        "daily": "y BIGINT, z STRING",
        "weekly": "z STRING",
        "ours": {"columns": "y BIGINT", "read_with": "read_table"},
    }.items():
        store.table("shop.o").register(needs, consumer=job)
    done = typed("check", "shop.o", "--format", "json")
    assert done.code == 1
    report = json.loads(done.out)["reports"][0]
    found = {(one["rule"], one["path"]): [job["name"] for job in one["consumers"]] for one in report["findings"]}
    assert found == {("EXPECT_FIELD_RENAMED", "y"): ["daily"], ("EXPECT_FIELD_MISSING", "z"): ["daily", "weekly"]}
    for job in ("daily", "weekly"):
        assert typed("check", "shop.o", "--for", job).code == 1
    fine("check", "shop.o", "--for", "ours")


@pytest.mark.parametrize("line", [["check"], ["show"], ["log"], ["expire"], ["plan", "ADD COLUMN y INT"], ["restore", "0"]])
def test_a_table_is_not_called_missing_while_its_registry_is_not_mounted(folder: Path, line: list[str]) -> None:
    command, *more = line
    (folder / "apart").mkdir()
    at = ("--store", str(folder / "lake"), "--registry", str(folder / "apart"))
    fine("adopt", "shop.o", str(folder / "old"), "x BIGINT", *at)
    (folder / "apart").rename(folder / "gone")
    done = typed(command, "shop.o", *more, *at)
    assert done.code == 2
    assert f"{folder / 'apart'} is not there" in done.err.replace("\n", "")
    assert "adopt" not in done.err
    assert not (folder / "apart").exists()


def test_a_place_that_is_not_there_is_never_a_bare_ok(folder: Path) -> None:
    fine("adopt", "shop.o", str(folder / "old"), "x BIGINT")
    file = folder / "o.yaml"
    file.write_text(f"table: shop.o\nlocation: {folder / 'nowhere'}\nformat: parquet\ncolumns:\n  - {{name: x, type: BIGINT}}\n")
    assert fine("plan", str(file)).count("TABLE_NOT_LOOKED_AT") == 1
    assert fine("check", str(file)).count("TABLE_NOT_LOOKED_AT") == 1
    SchemaStore(folder / "lake").save_policy({"descriptions": "block"})
    assert typed("evolve", str(file)).code == 1
    said = fine("evolve", str(file), "--override", "the disk comes tomorrow")
    assert "TABLE_NOT_LOOKED_AT" in said
    fine("restore", "shop.o", "0")
