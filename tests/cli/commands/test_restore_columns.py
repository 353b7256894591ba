"""`restore --column`, and the lines that a report prints for a name that returns: pasted, they bring the old column back."""

import json
from pathlib import Path

import pytest

from airflow_provider_schemas.store import SchemaStore
from tests.support.command_line import commands, fine, typed


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SchemaStore:
    """A table whose column `email` was dropped, and to which another one came since."""
    monkeypatch.setenv("AIRFLOW_SCHEMAS_STORE", str(tmp_path))
    store = SchemaStore(tmp_path)
    store.create_table("shop.o", "id BIGINT, email STRING")
    store.table("shop.o").evolve("DROP COLUMN email", override="x")
    store.table("shop.o").evolve("ADD COLUMN coupon STRING", override="x")
    return store


@pytest.mark.parametrize("door", [("plan", "shop.o"), ("evolve", "shop.o")])
def test_the_line_for_a_column_that_was_dropped_brings_it_back_and_nothing_else(store: SchemaStore, door: tuple[str, str]) -> None:
    store.save_policy({"protect": {"data": "block", "jobs": "block", "writers": "warn"}})
    done = typed(*door, "--add", "email STRING")
    assert done.code == 1
    line, *again = commands(done.out + done.err)
    assert again in ([], [line])
    assert line == ["restore", "--column", "email", "shop.o", "0"]
    said = fine(*line)
    assert "FIELD_UNDELETED" in said
    schema = store.table("shop.o").schema()
    assert {field.name: field.id for field in schema.fields} == {"id": 0, "email": 1, "coupon": 2}
    assert "FIELD_READDED" not in fine("check", "shop.o")


def test_a_column_that_was_renamed_is_named_back(store: SchemaStore) -> None:
    fine("evolve", "shop.o", "--rename", "coupon:code", "--override", "x")
    done = typed("plan", "shop.o", "--add", "coupon STRING")
    (line,) = commands(done.out)
    assert line == ["evolve", "--rename", "code:coupon", "shop.o"]
    fine(*line, "--override", "x")
    assert store.table("shop.o").schema().field("coupon").id == 2  # type: ignore[union-attr]  # it is there


@pytest.mark.parametrize("width", ["40", "80", "100"])
def test_the_lines_are_never_broken_whatever_a_table_is_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, width: str) -> None:
    name, column = f"shop.a;touch {'orders_of_all_customers' * 2}", "the 'old' `name`"
    table = SchemaStore(tmp_path).table(name)
    SchemaStore(tmp_path).create_table(name, [{"name": "id", "type": "BIGINT"}, {"name": column, "type": "STRING"}])
    table.evolve([{"action": "dropColumn", "fieldNames": [column]}], override="x")
    change = json.dumps({"action": "addColumn", "fieldNames": [column], "dataType": "STRING"})
    monkeypatch.setenv("COLUMNS", width)
    done = typed("plan", "--store", str(tmp_path), name, change)
    assert ["restore", "--store", str(tmp_path), "--column", column, name, "0"] in commands(done.out), done
    table.evolve([{"action": "renameColumn", "fieldNames": ["id"], "newName": column}], override="x")
    done = typed("plan", "--store", str(tmp_path), name, json.dumps({"action": "addColumn", "fieldNames": ["id"], "dataType": "INT"}))
    assert ["evolve", "--store", str(tmp_path), "--rename", f"{column}:id", name] in commands(done.out), done


def test_a_step_between_two_versions_names_the_line_too(store: SchemaStore) -> None:
    fine("evolve", "shop.o", "--add", "email STRING", "--override", "x")
    assert ["restore", "--column", "email", "shop.o", "0"] in commands(typed("check", "shop.o:2", "shop.o:3").out)


def test_nothing_is_written_twice_or_over_something_else(store: SchemaStore) -> None:
    assert "FIELD_UNDELETED" in fine("restore", "shop.o", "0", "--column", "email", "--dry-run")
    fine("restore", "shop.o", "0", "--column", "email")
    assert "the table has email" in fine("restore", "shop.o", "0", "--column", "email")
    fine("evolve", "shop.o", "--rename", "email:mail", "--override", "x")
    assert "it is called 'mail' now" in _refused("restore", "shop.o", "0", "--column", "email")


def test_a_name_that_is_taken_is_not_given_twice(store: SchemaStore) -> None:
    fine("evolve", "shop.o", "--add", "email STRING", "--override", "x")
    said = _refused("restore", "shop.o", "0", "--column", "email", "--column", "nobody")
    assert "is the name of field 3 now" in said
    assert "version 0 has no column 'nobody'" in said


def _refused(*words: str) -> str:
    done = typed(*words)
    assert done.code == 2
    return " ".join(done.err.split())


def test_a_column_that_had_to_have_a_value_comes_back_without_that(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path / "other")
    store.create_table("shop.o", "id BIGINT, a STRING NOT NULL")
    table = store.table("shop.o")
    table.evolve("DROP COLUMN a", override="x")
    assert {one.rule for one in table.restore_plan(0, columns=["a"]).report.findings} == {"NULLABILITY_RELAXED", "FIELD_UNDELETED"}


def test_attributes_of_a_column_come_back_with_it(tmp_path: Path) -> None:
    store = SchemaStore(tmp_path / "other")
    store.create_table("shop.o", "id BIGINT, a STRING", options={"schemas.field.1": '{"unit": "kg"}'})
    table = store.table("shop.o")
    table.evolve("DROP COLUMN a", override="x")
    assert "schemas.field.1" not in table.schema().options
    assert table.restore(0, columns=["a"]).schema.options["schemas.field.1"] == '{"unit": "kg"}'
    assert "restored" not in str(table.history())
