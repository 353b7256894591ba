"""Commands that are printed for a table whose name a shell takes for something else: each comes back as one word."""

from pathlib import Path

import pyarrow as pa  # noqa: TID253  # the files of these tests are made by it
import pyarrow.parquet as pq  # noqa: TID253  # likewise
import pytest

from airflow_provider_schemas.store import SchemaStore
from tests.support.command_line import commands, typed

NAME = "shop.a;touch PWNED"


@pytest.fixture
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A warehouse with a table of that name, whose data lie elsewhere: its only file has a column that no version has."""
    (tmp_path / "data").mkdir()
    pq.write_table(pa.table({"id": [1], "more": ["x"]}), tmp_path / "data/part-0.parquet")
    monkeypatch.setenv("AIRFLOW_SCHEMAS_STORE", str(tmp_path / "lake"))
    monkeypatch.chdir(tmp_path)
    SchemaStore(tmp_path / "lake").adopt(NAME, str(tmp_path / "data"), "id BIGINT, c STRING", unchecked="x")
    return tmp_path


@pytest.mark.parametrize(
    ("line", "verb"),
    [
        (["plan", NAME, "ADD COLUMN d INT", "--save"], "apply"),
        (["evolve", NAME, "SET OPTION 'location' = '/tmp/elsewhere'"], "evolve"),
        (["check", f"{NAME}:0", "--for", "nobody"], "contract"),
        (["check", f"{NAME}:newest"], "log"),
        (["check", NAME, "--contract", "job.yaml"], "evolve"),
    ],
)
def test_a_printed_command_names_the_table_in_one_word(lake: Path, line: list[str], verb: str) -> None:
    (lake / "job.yaml").write_text(f"job: daily\nreads:\n  {NAME!r}:\n    read_with: read_table\n    columns:\n      id: BIGINT\n")
    done = typed(*line)
    found = [words for words in commands((done.out + done.err).replace(": airflow-", ":\nairflow-").replace("; airflow-", "\nairflow-"))
             if words[0] == verb]  # fmt: skip
    assert found, done
    assert all(any(word.rstrip(".") == NAME for word in words) for words in found)


def test_a_folder_without_a_schema_is_named_in_one_word(lake: Path) -> None:
    (lake / "lake/shop.db/a;touch OTHER").mkdir(parents=True)
    assert "airflow-schemas create 'shop.a;touch OTHER' COLUMNS" in typed("show", "shop.a;touch OTHER").err


def test_a_plan_in_a_file_is_no_option(lake: Path) -> None:
    done = typed("plan", NAME, "ADD COLUMN d INT", "--output=-p.json")
    assert ["apply", "./-p.json"] in commands(done.out)
