"""`restore --column`, and the lines that a report prints for a name that returns: pasted, they bring the old column back."""

import json
import shlex
from pathlib import Path

import pytest

from airflow_provider_schemas.core.difference import word
from airflow_provider_schemas.render.api import text
from airflow_provider_schemas.store import SchemaStore, judge
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
    line = ["evolve", "--store", str(tmp_path), "--rename", f"{word(column)}:id", name]
    assert line in commands(done.out), done
    fine(*line, "--override", "x")
    assert table.schema().names == ("id",)


@pytest.mark.parametrize("door", ["evolve", "check"])
def test_what_is_written_cannot_be_left_out_so_the_new_column_goes_first(store: SchemaStore, door: str) -> None:
    said = fine("evolve", "shop.o", "--add", "email STRING", "--override", "x")
    said = said if door == "evolve" else typed("check", "shop.o:2", "shop.o:3").out
    assert "leave this change out" not in " ".join(said.split())
    lines = commands(said)
    assert lines == [["evolve", "--drop", "email", "shop.o"], ["restore", "--column", "email", "shop.o", "0"]]
    for line in lines:
        fine(*line)
    assert {field.name: field.id for field in store.table("shop.o").schema().fields} == {"id": 0, "email": 1, "coupon": 2}


def test_of_a_column_that_was_dropped_and_added_in_one_step_the_old_one_comes_back(store: SchemaStore) -> None:
    said = fine("evolve", "shop.o", "--drop", "coupon", "--add", "coupon INT", "--override", "x")
    assert "leave this change out" not in " ".join(said.split())
    lines = commands(said)
    assert lines == [["evolve", "--drop", "coupon", "shop.o"], ["restore", "--column", "coupon", "shop.o", "2"]]
    for line in lines:
        fine(*line)
    assert store.table("shop.o").schema().field("coupon").id == 2  # type: ignore[union-attr]  # it is there


def test_a_column_whose_name_was_taken_in_the_step_is_named_back_once_the_new_one_is_gone(store: SchemaStore) -> None:
    said = fine("evolve", "shop.o", "--rename", "coupon:code", "--add", "coupon INT", "--override", "x")
    lines = commands(said)
    assert lines[-2:] == [["evolve", "--drop", "coupon", "shop.o"], ["evolve", "--rename", "code:coupon", "shop.o"]]
    for line in lines[-2:]:
        said = fine(*line)
    assert store.table("shop.o").schema().field("coupon").id == 2  # type: ignore[union-attr]  # it is there
    assert commands(said) == []  # to undo that would begin a circle


def test_a_column_that_was_renamed_before_it_was_dropped_comes_back_by_its_last_name_and_then_gets_the_first(store: SchemaStore) -> None:
    fine("evolve", "shop.o", "--rename", "coupon:code", "--override", "x")
    fine("evolve", "shop.o", "--type", "code=INT", "--override", "x")
    fine("evolve", "shop.o", "--drop", "code", "--override", "x")
    lines = commands(typed("plan", "shop.o", "--add", "coupon STRING").out)
    assert lines == [["restore", "--column", "code", "shop.o", "4"], ["evolve", "--rename", "code:coupon", "shop.o"]]
    for line in lines:
        fine(*line)
    column = store.table("shop.o").schema().field("coupon")
    assert column is not None
    assert (column.id, str(column.type)) == (2, "INT")


def test_a_version_that_is_not_the_last_with_the_column_names_the_one_that_is(store: SchemaStore) -> None:
    fine("evolve", "shop.o", "--type", "coupon=INT", "--override", "x")
    fine("evolve", "shop.o", "--drop", "coupon", "--override", "x")
    assert "The last that had it is version 3." in _refused("restore", "shop.o", "1", "--column", "coupon")
    for dry in (["--dry-run"], ["--override", "x"]):
        said = " ".join(fine("restore", "shop.o", "2", "--column", "coupon", *dry).split())
        assert "'coupon' comes back as it was in version 2; the last that had it is version 3, as 'coupon' INT" in said
    assert "the last that had it" not in fine("restore", "shop.o", "3", "--column", "coupon", "--dry-run")


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


def test_the_lines_about_a_branch_act_on_that_branch(store: SchemaStore) -> None:
    table = store.table("shop.o")
    branch = table.create_branch("next")
    branch.evolve("DROP COLUMN coupon", override="x")
    (finding,) = branch.plan("ADD COLUMN coupon INT").report.findings
    assert "airflow-schemas restore --column coupon shop.o@next 2`" in finding.fix
    done = branch.evolve("ADD COLUMN coupon INT", override="x")
    (finding,) = done.report.findings
    assert "airflow-schemas evolve --drop coupon shop.o@next`" in finding.fix
    for line in commands(typed("check", "shop.o@next:3", "shop.o@next:4").out):
        assert "shop.o@next" in line
        fine(*line)
    assert branch.schema().field("coupon").id == 2  # type: ignore[union-attr]  # it is there
    assert table.numbers() == (0, 1, 2)


def test_what_a_judgement_of_a_branch_proposes_acts_on_that_branch(store: SchemaStore) -> None:
    table = store.table("shop.o")
    branch = table.create_branch("next")
    branch.evolve("RENAME COLUMN coupon TO code", override="x")
    table.evolve("ADD COLUMN code STRING", override="x")
    said = text(judge(store, {"shop.o": "coupon STRING"}, branch="next", consumer="daily").tables[0].report, color=False, width=300)
    line = ["evolve", *shlex.split(said.partition("airflow-schemas evolve ")[2].splitlines()[0])]
    assert line == ["evolve", "shop.o@next", "RENAME COLUMN code TO coupon"]
    fine(*line)
    assert branch.schema().names == ("id", "coupon")
    assert table.schema().names == ("id", "coupon", "code")
