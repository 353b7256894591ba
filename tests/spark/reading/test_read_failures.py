"""What cannot be read is said plainly, with the file; nothing is lost, and nothing is NULL that is not."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import (
    ContractError,
    FormatError,
    IncompatibleSchemaError,
    NotThereError,
    ProjectionError,
    SparkError,
    StorageError,
)
from airflow_provider_schemas.spark import audit, read_table
from airflow_provider_schemas.store import SchemaStore
from tests.spark.support.folders import NAME, Folder, rows


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path, "id INT, a INT, b STRING")


@contextmanager
def settings(spark: Any, **values: str) -> Iterator[None]:
    """The session with these settings, for a while."""
    names = {key.replace("__", "."): value for key, value in values.items()}
    before = {key: spark.conf.get(key) for key in names}
    for key, value in names.items():
        spark.conf.set(key, value)
    yield
    for key, value in before.items():
        spark.conf.set(key, value)


# ---------------------------------------------------------------- files


def test_files_that_cannot_be_read_are_named_all_at_once(spark: Any, classic_spark: Any, folder: Folder) -> None:
    folder.write(classic_spark, [(1, 2, "x")])
    for name, data in (("empty.parquet", b""), ("torn.parquet", b"PAR1\x00\x00"), ("README.md", b"hello")):
        (folder.data / name).write_bytes(data)
    with pytest.raises(StorageError) as caught:
        read_table(spark, folder.table)
    assert {(one.code, one.path.rpartition("/")[2]) for one in caught.value.faults} == {
        ("read.unreadable-file", name) for name in ("torn.parquet", "README.md")
    }


def test_what_is_written_meanwhile_is_not_read_and_what_vanishes_is_missed(spark: Any, classic_spark: Any, folder: Folder) -> None:
    folder.write(classic_spark, [(1, 2, "x")])
    first = folder.files()[0]
    frame = read_table(spark, folder.table)
    folder.write(classic_spark, [(2, 3, "y")])
    assert rows(frame) == [(1, 2, "x")]
    again = read_table(spark, folder.table)
    first.unlink()
    with pytest.raises(Exception, match=r"(?s)FILE_NOT_EXIST|FileNotFound|does not exist"):
        again.collect()


def test_a_value_that_does_not_survive_is_an_error_with_the_file_or_put_aside(spark: Any, classic_spark: Any, folder: Folder) -> None:
    folder.write(classic_spark, [(1, 300, "x"), (2, 3, "7")])
    folder.retype("a", "TINYINT")
    folder.retype("b", "INT")
    with pytest.raises(Exception, match=r"(?s)part-.*\.parquet"):
        read_table(spark, folder.table).collect()
    assert rows(read_table(spark, folder.table, bad_values="null")) == [(1, None, None), (2, 3, 7)]
    assert rows(read_table(spark, folder.table, casts="paimon", columns=["id", "a"])) == [(1, 44), (2, 3)]
    bad = {row["id"]: row["_bad"] for row in read_table(spark, folder.table, bad_values="quarantine").collect()}
    assert bad[2] is None
    assert {note["column"] for note in bad[1]} == {"a", "b"}
    assert all(".parquet" in note["file"] for note in bad[1])


def test_settings_of_the_session_change_nothing(classic_spark: Any, folder: Folder) -> None:
    spark = classic_spark
    folder.write(spark, [(1, 2, "x")])
    folder.write(spark, [(2, 3, "y")], ids=False)
    folder.evolve("RENAME COLUMN a TO tmp", "RENAME COLUMN b TO a", "RENAME COLUMN tmp TO b")
    folder.retype("b", "BIGINT")
    folder.write(spark, [(3, 4, "z")])
    folder.table.bind("*", 0)
    expected = [(1, 2, "x"), (2, 3, "y"), (3, 4, "z")]
    for setting in (
        {},
        {"spark__sql__parquet__fieldId__read__enabled": "true"},
        {"spark__sql__caseSensitive": "true"},
        {"spark__sql__parquet__enableVectorizedReader": "false"},
    ):
        with settings(spark, **setting):
            frame = read_table(spark, folder.table)
            assert rows(frame) == expected
            assert rows(frame.where("b = 2")) == expected[:1]
            assert rows(frame.where("a = 'z'")) == expected[2:]


# ---------------------------------------------------------------- what is asked for


def test_types_that_spark_lacks_are_refused_only_where_they_are_asked_for(spark: Any, classic_spark: Any, tmp_path: Path) -> None:
    store = SchemaStore(tmp_path / "lake")
    store.create_table(NAME, "id INT, at TIME(3), fine TIMESTAMP(9), place GEOMETRY(OGC:CRS84)")
    store.table(NAME).bind("*", 0)
    data = str(tmp_path / "data")
    classic_spark.range(1).selectExpr("cast(id as int) id").write.parquet(data)
    with pytest.raises(SparkError) as caught:
        read_table(spark, store.table(NAME), path=data)
    assert [one.path for one in caught.value.faults] == ["at", "fine", "place"]
    assert rows(read_table(spark, store.table(NAME), columns=["id"], path=data)) == [(0,)]


@pytest.mark.parametrize(
    ("about", "error", "code"),
    [
        ({"columns": []}, ProjectionError, "read.no-columns"),
        ({"columns": [7]}, ProjectionError, "read.no-column"),
        ({"version": 9}, NotThereError, "version.not-there"),
        ({"snapshot": 1}, ContractError, "read.no-snapshots"),
        ({"snapshot": 1, "tag": "x"}, ContractError, "read.said-twice"),
        ({"path": "relative"}, StorageError, "storage.no-address"),
        ({"path": "/nowhere/at/all"}, NotThereError, "read.no-folder"),
        ({"casts": "wild"}, ProjectionError, "read.unknown-casts"),
        ({"bad_values": "wild"}, ProjectionError, "spark.bad-values"),
    ],
)
def test_what_makes_no_sense_is_told(classic_spark: Any, folder: Folder, about: dict[str, Any], error: type[Exception], code: str) -> None:
    folder.data.mkdir(exist_ok=True)
    with pytest.raises(error) as caught:
        read_table(classic_spark, folder.table, **about)
    assert caught.value.code == code  # type: ignore[attr-defined]  # one of ours


def test_what_is_no_table_is_told(classic_spark: Any) -> None:
    wrong: Any
    for wrong in (7, None, "{}", {"place": "x", "digest": "y"}, {"tables": {}}):
        with pytest.raises((FormatError, NotThereError)):
            read_table(classic_spark, wrong)


# ---------------------------------------------------------------- verdicts


def test_a_verdict_reads_the_version_that_was_checked(spark: Any, classic_spark: Any, folder: Folder) -> None:
    folder.write(classic_spark, [(1, 2, "x")])
    table = folder.table
    place = f"{folder.store.registry.url}/shop.db/orders/schema"
    entry = {"version": 0, "digest": table.version(0).digest, "place": place, "layout": "registry", "branch": "main"}
    folder.evolve("RENAME COLUMN b TO c", "ADD COLUMN d INT")
    for verdict in (entry, {"outcome": "fits", "tables": {NAME: entry}}):
        assert rows(read_table(spark, verdict), "id", "b") == [(1, "x")]
    with pytest.raises(IncompatibleSchemaError) as caught:
        read_table(spark, entry | {"digest": "0" * 64})
    assert caught.value.code == "door.moved"
    with pytest.raises(ContractError):
        read_table(spark, entry, version=1)
    with pytest.raises(ContractError):
        read_table(spark, {"tables": {NAME: entry, "shop.more": entry}})
    with pytest.raises(IncompatibleSchemaError):
        read_table(spark, {"outcome": "fail", "tables": {NAME: entry}})


# ---------------------------------------------------------------- other formats, and wide tables


def test_orc_is_read_by_footers_and_bindings(spark: Any, classic_spark: Any, tmp_path: Path) -> None:
    folder = Folder(tmp_path, "id INT, a INT, b STRING", kind="orc")
    folder.write(classic_spark, [(1, 2, "x")], inside="old")
    folder.evolve("RENAME COLUMN a TO c")
    folder.retype("c", "BIGINT")
    folder.write(classic_spark, [(2, 3, "y")])
    assert rows(read_table(spark, folder.table)) == [(1, 2, "x"), (2, 3, "y")]
    folder.evolve("DROP COLUMN b", "ADD COLUMN b STRING")
    with pytest.raises(ProjectionError) as caught:
        read_table(spark, folder.table)
    assert caught.value.code == "read.ambiguous-file"
    folder.table.bind("*.orc", 2)
    assert rows(read_table(spark, folder.table)) == [(1, 2, None), (2, 3, None)]


def test_five_thousand_columns_are_read(classic_spark: Any, tmp_path: Path) -> None:
    count = 5_000
    folder = Folder(tmp_path, ", ".join(f"c{number} INT" for number in range(count)))
    folder.write(classic_spark, [tuple(range(count))])
    folder.evolve("RENAME COLUMN c7 TO seven", "DROP COLUMN c8", "ADD COLUMN c8 INT")
    folder.write(classic_spark, [tuple(range(count))])
    found = read_table(classic_spark, folder.table)
    assert (len(found.columns), rows(found, "seven", "c8", "c4999")) == (count, [(7, 4999, 4998), (7, None, 4999)])


def test_a_file_of_todays_job_that_leaves_a_column_out_is_no_file_of_the_first_version(spark: Any, tmp_path: Path) -> None:
    folder = Folder(tmp_path, "id BIGINT, a STRING")
    folder.evolve("RENAME COLUMN a TO b", ["RENAME COLUMN b TO c", "ADD COLUMN a STRING"])
    spark.sql("SELECT 1L id, 'NEW' a").write.parquet(str(folder.data / "now"))
    with pytest.raises(ProjectionError) as caught:
        read_table(spark, folder.table)
    said = str(caught.value)
    assert caught.value.code == "read.ambiguous-file"
    assert "now/part-" in said
    assert "version 0" in said
    assert "version 2" in said
    folder.table.bind("now", 2)
    assert rows(read_table(spark, folder.table), "id", "a", "c") == [(1, "NEW", None)]
    assert "FILE_UNEXPLAINED" not in {row["rule"] for row in audit(spark, folder.store).collect()}


def test_columns_that_came_back_make_their_first_files_ambiguous(spark: Any, tmp_path: Path) -> None:
    folder = Folder(tmp_path, "id BIGINT, a STRING, x INT")
    folder.evolve("DROP COLUMN a", ["DROP COLUMN x", "ADD COLUMN a STRING", "ADD COLUMN x INT", "ADD COLUMN y INT"])
    spark.sql("SELECT 1L id, 'NEW' a, 7 x").write.parquet(str(folder.data / "now"))
    with pytest.raises(ProjectionError, match=r"version 0.*version 2"):
        read_table(spark, folder.table)
    (told,) = [row for row in audit(spark, folder.store).collect() if row["rule"] == "FILE_UNEXPLAINED"]
    assert "version 2" in told["message"]


def test_old_files_stay_readable_when_columns_are_added_at_the_end(spark: Any, tmp_path: Path) -> None:
    folder = Folder(tmp_path, "id INT, r ROW<a INT>")
    spark.sql("SELECT 1 id, named_struct('a', 1) r").write.parquet(str(folder.data / "old"))
    folder.evolve("ADD COLUMN b INT", "ADD COLUMN r.c INT", "RENAME COLUMN b TO d", "ADD COLUMN e INT")
    assert [row["id"] for row in read_table(spark, folder.table).collect()] == [1]


def test_a_field_of_a_struct_that_a_job_leaves_out_is_told_alike_and_a_binding_settles_it(classic_spark: Any, tmp_path: Path) -> None:
    folder = Folder(tmp_path, "id INT, r ROW<a STRING>")
    folder.evolve("RENAME COLUMN r.a TO b", ["RENAME COLUMN r.b TO c", "ADD COLUMN r.a STRING"])
    classic_spark.sql("SELECT 1 id, named_struct('a', 'NEW') r").write.parquet(str(folder.data / "now"))
    with pytest.raises(ProjectionError, match=r"r\.a of the one is not r\.a of the other"):
        read_table(classic_spark, folder.table)
    folder.table.bind("now", 2)
    assert rows(read_table(classic_spark, folder.table), "id", "r.a", "r.c") == [(1, "NEW", None)]
