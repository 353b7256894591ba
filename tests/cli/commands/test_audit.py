"""`audit`: one line looks at all tables of a store, those of mounted databases among them."""

import json
from pathlib import Path

import pytest

from airflow_provider_schemas.cli.main import main
from airflow_provider_schemas.store import SchemaStore
from tests.store.mounts.iceberg.support.lakes import NAMESPACE, create, metadata_files, sql_catalog


class Line:
    """A command line with a store, and a mount of a folder of Iceberg tables."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.tables = f"{folder}/warehouse/{NAMESPACE}"
        self.lake = folder / "lake"
        self._capsys = capsys
        create(sql_catalog(folder))
        SchemaStore(self.lake, actor="ana").create_table("web.visits", "visit_id BIGINT")

    def __call__(self, *words: str, ends: int = 0) -> str:
        code = main(["audit", *words, "--store", str(self.lake), "--mount", f"shop=file://{self.tables}", "--width", "200"])
        said = self._capsys.readouterr()
        assert code == ends, said
        return said.out + said.err

    def spoil(self, **changes: object) -> None:
        place = metadata_files(self.tables)[-1]
        place.write_text(json.dumps(json.loads(place.read_text()) | changes))


@pytest.fixture
def line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Line:
    return Line(tmp_path, capsys)


def test_sound_tables_are_counted(line: Line) -> None:
    assert line() == "2 tables looked at: nothing was found; data files were not looked at\n"
    assert line("web").startswith("1 table looked at")
    assert json.loads(line("--format", "json")) == {"tables": 2, "verdict": "ok", "reports": []}


def test_a_table_that_a_writer_damaged_is_told_with_what_to_do(line: Line) -> None:
    line.spoil(**{"last-column-id": 2})
    said = line()
    assert said.startswith("2 tables looked at: 1 finding in 1 table")
    assert "LAST_COLUMN_ID_LOW" in said
    assert "shop.orders" in said
    assert "Add no column before last-column-id is 3 or more" in said
    line("--strict", ends=1)
    assert "nothing was found" in line("web.visits")
    (report,) = json.loads(line("--format", "json"))["reports"]
    assert [finding["rule"] for finding in report["findings"]] == ["LAST_COLUMN_ID_LOW"]


def test_a_check_of_the_table_weighs_the_finding_and_tells_it_once(line: Line, capsys: pytest.CaptureFixture[str]) -> None:
    line.spoil(**{"last-column-id": 2})
    mount = f"shop=file://{line.tables}"
    assert main(["check", "shop.orders", "--store", str(line.lake), "--mount", mount, "--format", "json"]) == 0
    assert capsys.readouterr().out.count('"LAST_COLUMN_ID_LOW"') == 1


def test_what_cannot_be_read_ends_the_line_with_2_and_hides_nothing(line: Line) -> None:
    line.spoil(**{"current-schema-id": 9})
    SchemaStore(line.lake).table("web.visits").evolve("ADD COLUMN page STRING")
    newest = line.lake / "web.db/visits/schema/schema-1"
    newest.write_text(
        newest.read_text()
        .replace('"id":1,"name":"page"', '"id":0,"name":"page"')
        .replace('"id" : 1,\n    "name" : "page"', '"id" : 0,\n    "name" : "page"')
    )
    said = line(ends=2)
    assert "TABLE_UNREAD" in said
    assert "web.visits" in said
    assert "FIELD_ID_DUPLICATE" in said


def test_a_branch_and_a_database_that_is_not_there_are_refused(line: Line) -> None:
    assert "an audit looks at no branch" in line("--branch", "b1", ends=2)
    assert "there is no database" in line("nope", ends=2)
