"""Mini Paimon's layout: every operation of the project with its promise, files that its own reader reads, and tables that it changed."""

import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.core.schema.version import file_digest
from airflow_provider_schemas.errors import AlreadyThereError, FormatError, NotThereError, SchemaError, SchemaFileError
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.storage import commit_steps
from airflow_provider_schemas.store.table import Table
from tests.support.stores import at, bytes_of, columns

USERS = "id INT NOT NULL, name STRING"


def mini(folder: Path, **said: Any) -> SchemaStore:
    return SchemaStore(folder / "lake", layout="mini-paimon", **said)


def users(store: SchemaStore) -> Table:
    store.create_table("example_db.user_table", USERS, primary_keys=["id"])
    return store.table("example_db.user_table")


def schema_folder(folder: Path) -> Path:
    return folder / "lake/example_db/user_table/schema"


def metadata_file(folder: Path) -> Path:
    return folder / "lake/example_db/user_table/metadata"


# ---------------------------------------------------------------- the reader of the project


def strictly_read(path: Path) -> dict[str, Any]:
    """A schema file as a reader sees it who knows these keys and refuses every other."""
    value: dict[str, Any] = json.loads(path.read_text())
    assert list(value) == ["schemaId", "fields", "primaryKeys", "partitionKeys"]
    assert isinstance(value["schemaId"], int)
    for one in value["fields"]:
        assert list(one) == ["name", "type", "nullable"]
        assert isinstance(one["nullable"], bool)
        assert isinstance(one["type"], str | dict)
    names = {one["name"] for one in value["fields"]}
    assert names
    assert names >= {*value["primaryKeys"], *value["partitionKeys"]}
    return value


def strictly_about(path: Path) -> dict[str, Any]:
    """The file about the table, likewise."""
    value: dict[str, Any] = json.loads(path.read_text())
    known = ["tableName", "databaseName", "currentSchemaId", "createTime", "lastModifiedTime", "description", "properties"]
    assert list(value) == known
    assert all(value[key].endswith("Z") for key in ("createTime", "lastModifiedTime"))
    return value


def test_the_example_of_the_project_comes_out_as_it_prints_it(tmp_path: Path) -> None:
    users(mini(tmp_path))
    assert (schema_folder(tmp_path) / "schema-0").read_text().rstrip() == (
        '{\n  "schemaId" : 0,\n  "fields" : [ {\n    "name" : "id",\n    "type" : "INT",\n    "nullable" : false\n  }, {\n'
        '    "name" : "name",\n    "type" : "STRING",\n    "nullable" : true\n  } ],\n'
        '  "primaryKeys" : [ "id" ],\n  "partitionKeys" : [ ]\n}'
    )


def test_every_version_is_read_by_a_reader_that_knows_only_its_keys(tmp_path: Path) -> None:
    table = users(mini(tmp_path))
    table.evolve("ADD COLUMN price DECIMAL(10, 2)")
    table.evolve(["ADD COLUMN tags ARRAY<STRING>", "ADD COLUMN more MAP<STRING, INT>"])
    table.evolve(["RENAME COLUMN name TO full_name", "ALTER COLUMN price COMMENT 'gross'"])
    seen = [strictly_read(schema_folder(tmp_path) / f"schema-{number}") for number in range(4)]
    assert [one["schemaId"] for one in seen] == [0, 1, 2, 3]
    assert [one["type"] for one in seen[3]["fields"]] == [
        "INT", "STRING", "DECIMAL(10, 2)", {"type": "ARRAY", "elementType": {"type": "STRING"}},
        {"type": "MAP", "keyType": {"type": "STRING"}, "valueType": {"type": "INT"}},
    ]  # fmt: skip
    assert [one["name"] for one in seen[3]["fields"]] == ["id", "full_name", "price", "tags", "more"]


# ---------------------------------------------------------------- TableManager


def test_create_table_makes_folders_schema_0_and_metadata(tmp_path: Path) -> None:
    users(mini(tmp_path))
    names = sorted(path for path in bytes_of(tmp_path) if ".more-" not in path)
    assert names == ["lake/example_db/user_table/metadata", "lake/example_db/user_table/schema/schema-0"]
    about = strictly_about(metadata_file(tmp_path))
    assert (about["tableName"], about["databaseName"], about["currentSchemaId"]) == ("user_table", "example_db", 0)
    assert (about["description"], about["properties"]) == ("", {})


def test_create_table_is_an_error_where_another_table_is(tmp_path: Path) -> None:
    users(store := mini(tmp_path))
    with pytest.raises(AlreadyThereError):
        store.create_table("example_db.user_table", "other INT")


def test_get_table_metadata_is_an_error_where_no_table_is(tmp_path: Path) -> None:
    users(mini(tmp_path))
    with pytest.raises(NotThereError):
        mini(tmp_path).table("example_db.another").metadata()


def test_drop_table_takes_the_folder_away_and_is_an_error_where_no_table_is(tmp_path: Path) -> None:
    users(store := mini(tmp_path))
    store.drop_table("example_db.user_table")
    assert not (tmp_path / "lake/example_db/user_table").exists()
    with pytest.raises(NotThereError):
        store.drop_table("example_db.user_table")


def test_list_tables_names_them_and_none_of_an_unknown_database(tmp_path: Path) -> None:
    users(store := mini(tmp_path))
    store.create_table("example_db.other", "a INT")
    assert (store.tables("example_db"), store.tables("nowhere")) == (("other", "user_table"), ())


def test_table_exists(tmp_path: Path) -> None:
    users(store := mini(tmp_path))
    (tmp_path / "lake/example_db/empty").mkdir()
    assert [store.exists(f"example_db.{name}") for name in ("user_table", "empty", "nothing")] == [True, False, False]


# ---------------------------------------------------------------- SchemaManager


def test_create_new_schema_version_takes_the_highest_on_disk_and_becomes_current(tmp_path: Path) -> None:
    table = users(mini(tmp_path))
    wanted = TableSchema.create(f"{USERS}, email STRING", primary_keys=["id"])
    done = table.evolve(target=wanted)
    assert (done.number, table.latest().number, columns(table)) == (1, 1, {"id": 0, "name": 1, "email": 2})
    strange = json.loads((schema_folder(tmp_path) / "schema-1").read_text()) | {"schemaId": 7}
    (schema_folder(tmp_path) / "schema-7").write_text(json.dumps(strange))
    assert table.evolve("ADD COLUMN age INT").number == 8


def test_load_schema_is_an_error_where_the_file_is_missing(tmp_path: Path) -> None:
    table = users(mini(tmp_path))
    assert table.schema(0).names == ("id", "name")
    with pytest.raises(NotThereError):
        table.schema(1)


def test_load_latest_schema_is_an_error_where_none_is(tmp_path: Path) -> None:
    (tmp_path / "lake/example_db/user_table/schema").mkdir(parents=True)
    with pytest.raises(NotThereError):
        mini(tmp_path).table("example_db.user_table").latest()


def test_what_is_no_version_is_ignored_and_versions_are_counted(tmp_path: Path) -> None:
    table = users(mini(tmp_path))
    table.evolve("ADD COLUMN email STRING")
    for name in ("schema-x", "schema-", "schema-01", "schema--1", "_schema-9", "schema-2.tmp", "README"):
        (schema_folder(tmp_path) / name).write_text("{")
    assert (table.numbers(), len(table.versions()), table.latest().number) == ((0, 1), 2, 1)


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ("ADD COLUMN email STRING", ("id", "name", "email")),
        ("DROP COLUMN name", ("id",)),
        ("RENAME COLUMN name TO full_name", ("id", "full_name")),
        ("RENAME COLUMN id TO user_id", ("user_id", "name")),
    ],
)
def test_each_change_of_a_column_is_a_version_and_keys_follow_names(tmp_path: Path, change: str, names: tuple[str]) -> None:
    table = users(mini(tmp_path))
    done = table.evolve(change, override="a test")
    assert (done.number, done.schema.names) == (1, names)
    assert strictly_read(schema_folder(tmp_path) / "schema-1")["primaryKeys"] == [names[0]]


# ---------------------------------------------------------------- TableMetadata


def test_the_file_about_the_table_is_current_after_every_commit(tmp_path: Path) -> None:
    table = users(mini(tmp_path))
    first = strictly_about(metadata_file(tmp_path))
    for number in (1, 2):
        table.evolve(f"ADD COLUMN c{number} INT")
        about = strictly_about(metadata_file(tmp_path))
        assert about["currentSchemaId"] == number
        assert about["createTime"] == first["createTime"]
        assert about["lastModifiedTime"] >= first["lastModifiedTime"]
    table.restore(0)
    assert strictly_about(metadata_file(tmp_path))["currentSchemaId"] == 3
    assert table.metadata().current_schema_id == 3


@pytest.mark.parametrize("text", [None, "", "{", "[]", '{"currentSchemaId": 99}', "\x00\xff", '{"currentSchemaId": "a"}'])
def test_a_missing_or_broken_file_about_the_table_decides_nothing(tmp_path: Path, text: str | None) -> None:
    table = users(mini(tmp_path))
    metadata_file(tmp_path).unlink()
    if text is not None:
        metadata_file(tmp_path).write_text(text)
    assert (table.latest().number, table.exists(), mini(tmp_path).tables("example_db")) == (0, True, ("user_table",))
    if text is None:
        assert table.metadata().current_schema_id == 0
    else:
        with pytest.raises(SchemaError):
            table.metadata()
    assert table.evolve("ADD COLUMN email STRING").number == 1
    assert strictly_about(metadata_file(tmp_path))["currentSchemaId"] == 1


def test_a_stale_file_about_the_table_is_not_believed(tmp_path: Path) -> None:
    table = users(mini(tmp_path))
    stale = metadata_file(tmp_path).read_text()
    table.evolve("ADD COLUMN email STRING")
    metadata_file(tmp_path).write_text(stale)
    assert (table.latest().number, table.metadata().current_schema_id) == (1, 1)
    metadata_file(tmp_path).write_text(stale.replace('"currentSchemaId" : 0', '"currentSchemaId" : 50'))
    assert (table.latest().number, table.metadata().current_schema_id) == (1, 1)


def test_what_others_say_about_the_table_survives(tmp_path: Path) -> None:
    table = users(mini(tmp_path))
    said = json.loads(metadata_file(tmp_path).read_text())
    said |= {"tableType": "PRIMARY_KEY", "indexConfig": {"id": ["BLOOM"]}, "later": {"a": [1, None]}, "properties": {"k": "v"}}
    metadata_file(tmp_path).write_text(json.dumps(said | {"description": "all users"}))
    table.evolve("ADD COLUMN email STRING")
    now = json.loads(metadata_file(tmp_path).read_text())
    assert now == said | {"description": "all users", "currentSchemaId": 1, "lastModifiedTime": now["lastModifiedTime"]}


def test_of_a_file_about_the_table_that_is_broken_in_one_place_the_rest_survives(tmp_path: Path) -> None:
    table = users(mini(tmp_path))
    said = json.loads(metadata_file(tmp_path).read_text()) | {"properties": {"k": "v"}, "description": "all users", "later": [1]}
    metadata_file(tmp_path).write_text(json.dumps(said | {"currentSchemaId": "zero", "createTime": 5}))
    table.evolve("ADD COLUMN email STRING")
    now = json.loads(metadata_file(tmp_path).read_text())
    assert (now["properties"], now["description"], now["later"], now["currentSchemaId"]) == ({"k": "v"}, "all users", [1], 1)
    assert now["createTime"].endswith("Z")


def test_a_folder_that_takes_no_metadata_is_told_and_the_version_is_there(tmp_path: Path) -> None:
    table = users(mini(tmp_path))
    metadata_file(tmp_path).unlink()
    (metadata_file(tmp_path) / "folder").mkdir(parents=True)
    done = table.evolve("ADD COLUMN email STRING")
    assert (done.number, table.latest().number) == (1, 1)
    assert any("the file about the table was not written" in one for one in done.notes)


# ---------------------------------------------------------------- what the file cannot say


def test_ids_options_and_comments_lie_beside_the_file(tmp_path: Path) -> None:
    store = mini(tmp_path)
    store.create_table("example_db.user_table", USERS, primary_keys=["id"], options={"my.option": "1"}, comment="all users")
    table = store.table("example_db.user_table")
    table.evolve(["DROP COLUMN name", "ADD COLUMN email STRING COMMENT 'theirs'"], run="dag 1", actor="ana")
    again = mini(tmp_path).table("example_db.user_table").latest()
    assert [(one.id, one.name, one.description) for one in again.schema.fields] == [(0, "id", None), (2, "email", "theirs")]
    assert (again.schema.options["my.option"], again.schema.comment, again.schema.highest_field_id) == ("1", "all users", 2)
    assert mini(tmp_path).table("example_db.user_table").history()[0].run == "dag 1"
    data = (schema_folder(tmp_path) / "schema-1").read_bytes()
    assert (schema_folder(tmp_path) / f".more-{file_digest(data)}").is_file()


def test_what_the_layout_cannot_say_is_refused_all_at_once_and_nothing_is_written(tmp_path: Path) -> None:
    table = users(mini(tmp_path))
    before = bytes_of(tmp_path)
    with pytest.raises(FormatError) as error:
        table.evolve(["ADD COLUMN a DATE", "ADD COLUMN b TINYINT", "ADD COLUMN c MAP<STRING, ROW<x INT>>", "ADD COLUMN d INT"])
    assert [one.path for one in error.value.faults] == ["a", "b", "c.value"]
    assert all("Mini Paimon" in one.message and one.fix for one in error.value.faults)
    assert bytes_of(tmp_path) == before


def outside(folder: Path, number: int, fields: str, **said: Any) -> None:
    """A version as the project itself would write it."""
    schema = TableSchema.create(fields)
    file = [{"name": one.name, "type": str(one.type.with_nullable(True)), "nullable": one.type.nullable} for one in schema.fields]
    value = {"schemaId": number, "fields": file, "primaryKeys": ["id"], "partitionKeys": [], **said}
    (schema_folder(folder) / f"schema-{number}").write_text(json.dumps(value, indent=2))


def test_in_a_version_of_an_outside_writer_columns_keep_their_ids_by_name(tmp_path: Path) -> None:
    store = mini(tmp_path)
    store.create_table("example_db.user_table", f"{USERS}, age INT", primary_keys=["id"], options={"my.option": "1"}, comment="users")
    table = store.table("example_db.user_table")
    table.evolve(["DROP COLUMN name", "ALTER COLUMN age COMMENT 'in years'"])
    outside(tmp_path, 2, "email STRING, age INT, id INT NOT NULL")
    head = table.latest()
    assert [(one.id, one.name) for one in head.schema.fields] == [(3, "email"), (2, "age"), (0, "id")]
    assert (head.schema.options["my.option"], head.schema.comment, head.schema.fields[1].description) == ("1", "users", "in years")
    assert table.history()[0].outside
    outside(tmp_path, 3, "age INT, id INT NOT NULL, phone STRING")
    assert columns(table) == {"age": 2, "id": 0, "phone": 4}
    done = table.evolve("ADD COLUMN last INT")
    assert (done.number, columns(table)) == (4, {"age": 2, "id": 0, "phone": 4, "last": 5})
    assert done.schema.options["my.option"] == "1"


def test_a_table_that_the_project_made_itself_is_read_and_evolved(tmp_path: Path) -> None:
    schema_folder(tmp_path).mkdir(parents=True)
    outside(tmp_path, 0, USERS)
    outside(tmp_path, 1, f"{USERS}, email STRING")
    table = SchemaStore(tmp_path / "lake").table("example_db.user_table")
    assert [one.number for one in table.versions()] == [0, 1]
    assert columns(table) == {"id": 0, "name": 1, "email": 2}
    assert table.evolve("DROP COLUMN name").number == 2
    assert columns(table) == {"id": 0, "email": 2}
    assert table.inspect().notes == ("by an outside writer: version 0, 1",)


def test_the_version_that_says_the_ids_of_an_outside_one_is_not_expired(tmp_path: Path) -> None:
    table = users(mini(tmp_path))
    table.evolve("DROP COLUMN name")
    outside(tmp_path, 2, "id INT NOT NULL, email STRING")
    table.evolve("ADD COLUMN age INT")
    assert columns(table, 2) == {"id": 0, "email": 2}
    time.sleep(0.01)
    assert table.expire(timedelta(0)).deleted == (0, 2)


# ---------------------------------------------------------------- a file beside that is wrong


def beside(folder: Path, number: int) -> Path:
    return schema_folder(folder) / f".more-{file_digest((schema_folder(folder) / f'schema-{number}').read_bytes())}"


@pytest.mark.parametrize("text", ["", "{", "[]", "\x00", '{"version": 3}'])
def test_a_broken_file_beside_a_version_is_an_error_that_names_it(tmp_path: Path, text: str) -> None:
    table = users(mini(tmp_path))
    beside(tmp_path, 0).write_text(text)
    before = bytes_of(tmp_path)
    fresh = mini(tmp_path).table("example_db.user_table")
    doors: list[Callable[[], object]] = [fresh.latest, lambda: fresh.evolve("ADD COLUMN a INT")]
    for door in doors:
        with pytest.raises(SchemaError, match="schema-0") as error:
            door()
        assert error.value.fix
    assert bytes_of(tmp_path) == before
    assert table.name == fresh.name


def test_a_file_beside_a_version_that_is_about_another_schema_is_an_error(tmp_path: Path) -> None:
    table = users(mini(tmp_path))
    table.evolve("ADD COLUMN email STRING")
    beside(tmp_path, 1).write_bytes(beside(tmp_path, 0).read_bytes())
    with pytest.raises(SchemaFileError, match="about another schema") as error:
        mini(tmp_path).table("example_db.user_table").latest()
    assert error.value.code == "schema.sidecar-differs"
    assert ".more-" in error.value.fix


def test_without_the_file_beside_it_names_types_and_keys_remain(tmp_path: Path) -> None:
    table = users(mini(tmp_path))
    table.evolve("ADD COLUMN email STRING")
    beside(tmp_path, 1).unlink()
    again = mini(tmp_path).table("example_db.user_table").latest()
    assert [(one.id, one.name) for one in again.schema.fields] == [(0, "id"), (1, "name"), (2, "email")]
    assert again.schema.primary_keys == ("id",)


# ---------------------------------------------------------------- races


def test_of_many_equal_changes_at_once_exactly_one_wins(tmp_path: Path) -> None:
    users(mini(tmp_path))
    start = threading.Barrier(8)

    def work(_: int) -> str:
        table = mini(tmp_path).table("example_db.user_table")
        start.wait()
        return table.evolve("ADD COLUMN email STRING").outcome

    with ThreadPoolExecutor(8) as pool:
        outcomes = sorted(pool.map(work, range(8)))
    assert outcomes == ["created", *["unchanged"] * 7]
    table = mini(tmp_path).table("example_db.user_table")
    assert (table.numbers(), columns(table)) == ((0, 1), {"id": 0, "name": 1, "email": 2})
    assert len([path for path in schema_folder(tmp_path).iterdir() if path.name.startswith(".more-")]) == 2


def test_two_whose_files_say_the_same_words_are_told_apart(tmp_path: Path) -> None:
    table, other = users(mini(tmp_path)), mini(tmp_path).table("example_db.user_table")
    with at(commit_steps.SIDECAR, lambda: other.evolve("ADD COLUMN email STRING COMMENT 'his'")):
        done = table.evolve("ADD COLUMN phone STRING")
    assert (done.number, done.attempts) == (2, 2)
    again = mini(tmp_path).table("example_db.user_table")
    assert [one.description for one in again.schema(1).fields] == [None, None, "his"]
    assert columns(again) == {"id": 0, "name": 1, "email": 2, "phone": 3}
