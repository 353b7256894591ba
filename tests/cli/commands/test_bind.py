"""`bind`, and the lines that a verdict prints for a file that no version explains: pasted, they make it green for the right reason."""

import os
import re
from pathlib import Path

import pyarrow as pa  # noqa: TID253  # the files of these tests are made by it
import pyarrow.parquet as pq  # noqa: TID253  # likewise
import pytest

from airflow_provider_schemas.store import SchemaStore
from tests.support.command_line import commands, fine, typed


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SchemaStore:
    """A table in which the column `a` was two columns, one after the other."""
    (tmp_path / "lake").mkdir()
    (tmp_path / "data").mkdir()
    monkeypatch.setenv("AIRFLOW_SCHEMAS_STORE", str(tmp_path / "lake"))
    store = SchemaStore(tmp_path / "lake")
    store.adopt("shop.o", str(tmp_path / "data"), "id BIGINT, a STRING")
    store.table("shop.o").evolve("RENAME COLUMN a TO b", override="x")
    store.table("shop.o").evolve(["RENAME COLUMN b TO c", "ADD COLUMN a STRING"], override="x")
    return store


def written(path: Path, age: int = 0, **columns: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table({name: [value] for name, value in columns.items()}), path)
    os.utime(path, (1_800_000_000 - age, 1_800_000_000 - age))


CHECK = ("check", "shop.o", "--contract", "id BIGINT, a STRING")


@pytest.mark.parametrize("path", ["part-0.parquet", "now/part-0.parquet", "it's [now]/part-*.parquet"])
@pytest.mark.parametrize("others", [False, True])
def test_the_line_for_a_file_that_two_versions_hold_is_pasted(tmp_path: Path, table: SchemaStore, path: str, others: bool) -> None:
    written(tmp_path / "data" / path, id=1, a="NEW")
    if others:  # a file of another version in the same folder, which must not come under the same binding
        written(tmp_path / "data" / Path(path).parent / "part-9.parquet", age=9, id=1, b="OLD")
    done = typed(*CHECK)
    assert done.code == 1
    offered = commands(done.out)
    assert [line[0] for line in offered] == ["bind", "bind"]
    assert [line[-1] for line in offered] == ["0", "2"]
    fine(*offered[1])
    assert "FILE_UNEXPLAINED" not in fine(*CHECK)
    assert "judged by footer" in fine(*CHECK)
    if others:
        assert Path(path).name in offered[1][-2].replace("[*]", "*")
        (tmp_path / "data" / path).unlink()
        assert "part-9.parquet, the newest file, was written with version 1" in re.sub(r"\s+", " ", typed(*CHECK).out)


def test_a_file_with_a_column_that_no_version_has_is_answered_by_a_line_that_adds_it(tmp_path: Path, table: SchemaStore) -> None:
    written(tmp_path / "data/part-0.parquet", id=1, c="x", more=1)
    check = ("check", "shop.o", "--contract", str(_read_table(tmp_path)))
    done = typed(*check)
    assert done.code == 1
    evolve, bind = commands(done.out)
    assert (evolve[0], bind[0]) == ("evolve", "bind")
    fine(*evolve)
    fine(*bind)
    assert "FILE_UNEXPLAINED" not in fine(*check)


def test_a_file_that_nothing_explains_is_bound_to_nothing(tmp_path: Path, table: SchemaStore) -> None:
    written(tmp_path / "data/part-0.parquet", id="one", more=1)
    done = typed("check", "shop.o", "--contract", str(_read_table(tmp_path)))
    assert done.code == 1
    assert commands(done.out) == []
    assert "No version holds such a file" in re.sub(r"\s+", " ", done.out)


def test_no_version_is_offered_that_lacks_a_column_of_the_file(tmp_path: Path, table: SchemaStore) -> None:
    table.table("shop.o").evolve("ADD COLUMN z STRING")
    written(tmp_path / "data/part-0.parquet", id=1, a="NEW", z="x")
    done = typed("check", "shop.o", "--contract", str(_read_table(tmp_path)))
    assert {line[-1] for line in commands(done.out)} <= {"3"}, done


def test_no_binding_is_offered_for_a_folder_that_tells_no_value(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path / "lake")
    store.adopt("shop.o", str(tmp_path / "data"), "id BIGINT, a STRING, dt INT", key=None, unchecked="x")
    store.table("shop.o").evolve("ADD COLUMN b STRING")
    written(tmp_path / "data/dt=3 x/part-0.parquet", a="x")
    job = _read_table(tmp_path)
    done = typed("check", "--store", str(tmp_path / "lake"), "shop.o", "--contract", str(job))
    assert done.code == 1
    assert commands(done.out) == []
    assert "Give the folder another name" in re.sub(r"\s+", " ", done.out)


def _read_table(folder: Path) -> Path:
    path = folder / "job.yaml"
    path.write_text("job: daily\nreads:\n  shop.o:\n    read_with: read_table\n    columns:\n      id: BIGINT\n")
    return path


def test_what_was_bound_is_listed_and_taken_back(table: SchemaStore) -> None:
    assert "no folder is bound" in fine("bind", "shop.o", "--list")
    assert "was written with version 2" in fine("bind", "shop.o", "now", "2")
    assert "now" in fine("bind", "shop.o", "--list")
    fine("bind", "shop.o", "now", "--remove")
    assert "no folder is bound" in fine("bind", "shop.o", "--list")


@pytest.mark.parametrize(
    "words", [[], ["now"], ["now", "2", "--remove"], ["now", "2", "--list"], ["--remove"], ["now", "9"], ["now", "--remove"], ["../x", "1"]]
)
def test_what_is_no_binding_is_refused(table: SchemaStore, words: list[str]) -> None:
    done = typed("bind", "shop.o", *words)
    assert (done.code, done.out) == (2, "")
    assert "Traceback" not in done.err
