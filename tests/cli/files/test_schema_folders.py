"""The table files of a folder: which are taken, and that none is passed by in silence."""

from pathlib import Path

import pytest

from airflow_provider_schemas.cli.files import schema_folders
from tests.support.project_files import table_file, write


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_hidden_files_and_folders_are_no_table_files() -> None:
    text = table_file("a.b")
    write({"t/b.yaml": text, "t/a/c.YML": text, "t/.hidden/d.yaml": text, "t/.e.yaml": text, "t/f.json": text, "t/g.yaml": "other: file\n"})
    assert schema_folders.table_files(["t"]) == (["t/a/c.YML", "t/b.yaml"], [])


def test_a_hidden_folder_that_is_named_is_meant() -> None:
    write({".hidden/d.yaml": table_file("a.b")})
    assert schema_folders.table_files([".hidden"]) == ([".hidden/d.yaml"], [])


def test_folders_of_others_are_left_out() -> None:
    text = table_file("a.b")
    write({"t/a/x.yaml": text, "t/b/x.yaml": text, "t/bb/x.yaml": text, "t/c/d/x.yaml": text})
    left_out = [str(Path(name).absolute()) for name in ("t/b", "t/c/d")]
    assert schema_folders.table_files(["t"], left_out) == (["t/a/x.yaml", "t/bb/x.yaml"], [])


def test_many_other_files_hide_no_table_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema_folders, "_MAX_PATHS", 3)
    write({**{f"t/a/{number}.json": "" for number in range(20)}, "t/z.yaml": table_file("a.b")})
    assert schema_folders.table_files(["t"]) == (["t/z.yaml"], [])


def test_more_files_than_are_looked_at_are_a_fault_and_not_a_part() -> None:
    write({f"t/{number}.yaml": "" for number in range(11)})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema_folders, "_MAX_PATHS", 10)
        files, faults = schema_folders.table_files(["t"])
    assert (files, [fault.code for fault in faults]) == ([], ["cli.too-large"])
