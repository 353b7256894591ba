"""A description that comes to name another place, or another format, is compared with the files there, at every door."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa  # noqa: TID253  # the files of these tests are made by it
import pytest
from pyarrow import orc, parquet  # noqa: TID253  # likewise

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.errors import ChangeError, FormatError, IncompatibleSchemaError, SchemaError
from airflow_provider_schemas.render.layout import TYPED
from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.table import Table

NAME = "shop.orders"


def attributes(**said: Any) -> dict[str, str]:
    """The change that writes the attributes of a table."""
    return {"action": "setOption", "key": "schemas.table", "value": json.dumps(said)}


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A table whose columns fit the files in `old`, and not those in `new`."""
    for name, column in {"old": "x", "new": "y"}.items():
        (tmp_path / name).mkdir()
        parquet.write_table(pa.table({column: [1]}), tmp_path / name / "part-0.parquet")
    (tmp_path / "orc").mkdir()
    orc.write_table(pa.table({"x": [1]}), tmp_path / "orc/part-0.orc")
    (tmp_path / "lake").mkdir()
    store = SchemaStore(tmp_path / "lake")
    store.adopt(NAME, str(tmp_path / "old"), "x BIGINT")
    return store.table(NAME)


def change(folder: Path, name: str, kind: str = "parquet") -> dict[str, str]:
    return attributes(location=str(folder / name), format=kind)


def file_of(folder: Path, name: str) -> Path:
    path = folder / "orders.yaml"
    path.write_text(f"table: {NAME}\nlocation: {folder / name}\nformat: parquet\ncolumns: [{{name: x, type: BIGINT}}]\n")
    return path


def schema_of(table: Table, folder: Path, name: str) -> TableSchema:
    options = {"schemas.table": json.dumps({"location": str(folder / name), "format": "parquet"})}
    return TableSchema.create(table.schema().fields, options=options)


DOORS: dict[str, Callable[..., Any]] = {
    "plan": lambda table, folder, **about: table.plan(change(folder, "new"), **about),
    "plan a file": lambda table, folder, **about: table.plan(target=file_of(folder, "new"), **about),
    "evolve": lambda table, folder, **about: table.evolve(change(folder, "new"), **about),
    "evolve to a file": lambda table, folder, **about: table.evolve(target=file_of(folder, "new"), **about),
    "evolve to a schema": lambda table, folder, **about: table.evolve(target=schema_of(table, folder, "new"), **about),
}


@pytest.mark.parametrize("door", DOORS)
def test_another_place_whose_files_contradict_is_refused_unless_a_reason_is_given(table: Table, tmp_path: Path, door: str) -> None:
    with pytest.raises(IncompatibleSchemaError, match="x is described as BIGINT"):
        DOORS[door](table, tmp_path)
    assert table.numbers() == (0,)
    assert DOORS[door](table, tmp_path, unchecked="INC-7")
    if door.startswith("evolve"):
        assert "INC-7" in str(table.latest().provenance)


def test_a_plan_is_compared_again_when_it_is_applied(table: Table, tmp_path: Path) -> None:
    plan = table.plan(change(tmp_path, "new"), unchecked="INC-7")
    assert "not compared" in plan.report.notes[0]
    with pytest.raises(IncompatibleSchemaError, match="x is described as BIGINT"):
        table.apply(plan)
    assert table.apply(plan, unchecked="INC-7").created


def test_going_back_to_another_place_is_compared(table: Table, tmp_path: Path) -> None:
    table.evolve(change(tmp_path, "orc", "orc"))
    (tmp_path / "old/part-0.parquet").unlink()
    parquet.write_table(pa.table({"y": [1]}), tmp_path / "old/part-0.parquet")
    for go_back in (table.restore, table.restore_plan):
        with pytest.raises(IncompatibleSchemaError, match="x is described as BIGINT"):
            go_back(0)
    assert table.restore(0, unchecked="INC-7").created


def test_another_format_is_compared_with_the_files(table: Table, tmp_path: Path) -> None:
    with pytest.raises(IncompatibleSchemaError, match="is parquet"):
        table.evolve(change(tmp_path, "old", "orc"))
    with pytest.raises(FormatError, match="no format of data"):
        table.evolve(change(tmp_path, "old", "parqet"))
    assert table.evolve(change(tmp_path, "orc", "orc")).notes == ()


def test_what_stays_where_it_is_is_not_compared_again(table: Table, tmp_path: Path) -> None:
    done = table.evolve("ADD COLUMN z STRING", unchecked="INC-7")
    assert "unchecked changes nothing here" in done.notes[0]
    assert "INC-7" not in str(table.latest().provenance)
    assert table.evolve(change(tmp_path, "old/")).notes == ()  # the same folder, with a slash


def test_a_location_that_is_taken_away_is_refused(table: Table) -> None:
    with pytest.raises(IncompatibleSchemaError, match="is taken away"):
        table.evolve(attributes(format="parquet"))
    assert table.evolve(attributes(format="parquet"), unchecked="INC-7").created


def test_a_plan_that_makes_a_table_is_compared_and_keeps_it_in_the_registry(table: Table, tmp_path: Path) -> None:
    store = SchemaStore(tmp_path / "lake")
    other = store.table("shop.other")
    path = file_of(tmp_path, "new")
    path.write_text(path.read_text().replace(NAME, "shop.other"))
    with pytest.raises(IncompatibleSchemaError, match="x is described as BIGINT"):
        other.plan(target=path)
    path.write_text(path.read_text().replace("name: x", "name: y"))
    done = other.apply(other.plan(target=path))
    assert Path(done.place).is_relative_to(tmp_path / "lake/_schemas")


# ---------------------------------------------------------------- options


@pytest.mark.parametrize("key", ["location", "path", "schemas.location", "format", "file.format", "schemas.table.format"])
def test_an_option_that_moves_nothing_is_refused_with_the_change_that_does(table: Table, tmp_path: Path, key: str) -> None:
    value = str(tmp_path / "orc") if key.endswith(("location", "path")) else "orc"
    for door in (table.plan, table.evolve):
        with pytest.raises(ChangeError) as error:
            door(f"SET OPTION {key} = '{value}'")
        assert error.value.code == "option.no-effect"
        assert f"airflow-schemas evolve {NAME}" in error.value.fix
    assert table.numbers() == (0,)


def test_the_command_of_an_option_that_moves_nothing_gets_the_connection(table: Table, tmp_path: Path) -> None:
    with pytest.raises(ChangeError) as error:
        table.evolve(f"SET OPTION location = '{tmp_path}/a `place'")
    command = TYPED.search(error.value.fix)
    assert command is not None
    *_, change = shlex.split(command["command"])
    assert command["command"].startswith(f"airflow-schemas evolve {NAME} ")
    assert json.loads(json.loads(change)["value"])["location"] == f"{tmp_path}/a `place"


def test_going_back_to_what_an_older_release_took_is_noted(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    from airflow_provider_schemas.store.commit import option_effects

    with monkeypatch.context() as older:
        older.setattr(option_effects, "check", lambda *_: ())
        table.evolve("SET OPTION location = '/data/other'")
    table.evolve("UNSET OPTION location")
    assert "nothing acts on location here" in " ".join(table.restore(1).notes)


def test_a_new_description_says_its_place_by_attributes_alone(tmp_path: Path, table: Table) -> None:
    store = SchemaStore(tmp_path / "lake")
    schema = TableSchema.create("x BIGINT", options={"location": "s3://other/place"})
    with pytest.raises(ChangeError, match="moves no data"):
        store.adopt("shop.other", str(tmp_path / "old"), schema)


def test_an_option_that_nothing_acts_on_is_kept_and_said(table: Table) -> None:
    done = table.evolve(["SET OPTION target-file-size = 128mb", "SET OPTION team.note = x"])
    assert "nothing acts on target-file-size, team.note here" in done.notes[0]
    assert "nothing acts on" in table.plan("SET OPTION target-file-size = 64mb").report.notes[0]
    assert table.evolve("UNSET OPTION target-file-size").notes == ()


def test_an_option_that_counts_for_every_table_says_nothing(table: Table) -> None:
    assert table.evolve("SET OPTION disable-explicit-type-casting = true").notes == ()


@pytest.mark.parametrize("key", ["location", "path", "format"])
def test_what_is_no_option_of_paimon_is_kept_and_said(tmp_path: Path, key: str) -> None:
    store = SchemaStore(tmp_path)
    store.create_table(NAME, "x BIGINT")
    assert f"the option {key} has no effect on {NAME}" in store.table(NAME).evolve(f"SET OPTION {key} = x").notes[0]
    assert store.table(NAME).evolve("SET OPTION snapshot.time-retained = 2h").notes == ()


# ---------------------------------------------------------------- relative places

RELATIVE = {
    "data": "is relative",
    "./data": "is relative",
    "../data": "is relative",
    "~/data": "is relative",
    "file://data/x": "is relative",
    "file:/data": "Write file:///data",
    "s3:/bucket/x": "Write s3://bucket/x",
    "s3:bucket/x": "is relative",
}


@pytest.mark.parametrize("location", RELATIVE)
def test_a_relative_place_is_refused_at_every_door(table: Table, tmp_path: Path, location: str) -> None:
    store = SchemaStore(tmp_path / "lake")
    options = {"schemas.table": json.dumps({"location": location, "format": "parquet"})}
    doors: list[Callable[[], Any]] = [
        lambda: store.adopt("shop.other", location, "x BIGINT", unchecked="INC-7"),
        lambda: store.create_table("shop.other", "x BIGINT", options=options),
        lambda: table.plan(attributes(location=location, format="parquet")),
        lambda: table.evolve(attributes(location=location, format="parquet"), unchecked="INC-7"),
    ]
    for door in doors:
        with pytest.raises(SchemaError) as error:
            door()
        assert error.value.code == "table.relative-location"
        assert RELATIVE[location] in str(error.value)


@pytest.mark.parametrize(
    ("typed", "kept"), [("s3://bucket/x/", "s3://bucket/x"), ("s3://bucket/", "s3://bucket"), (" /data/x// ", "/data/x"), ("/", "/")]
)
def test_a_place_is_kept_without_slashes_at_its_end(tmp_path: Path, typed: str, kept: str) -> None:
    (tmp_path / "lake").mkdir()
    store = SchemaStore(tmp_path / "lake", look=False) if typed != "/" else None
    if store is None:
        from airflow_provider_schemas.store.common.data_location import trimmed

        assert trimmed(typed) == kept
        return
    assert store.adopt(NAME, typed, "x BIGINT").schema.table_attributes["location"] == kept
    assert not store.adopt(NAME, kept, "x BIGINT").created


def test_a_path_on_a_filesystem_that_was_handed_in_is_one_from_its_root(tmp_path: Path) -> None:
    from fsspec.implementations.memory import MemoryFileSystem

    store = SchemaStore("handed/lake", fs=MemoryFileSystem(), layout="registry")
    assert store.adopt(NAME, "handed/data", "x BIGINT").created


def test_a_relative_place_of_an_older_release_is_not_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from airflow_provider_schemas.store import judge
    from airflow_provider_schemas.store.commit import compare_data
    from airflow_provider_schemas.store.table_state import Subject

    (tmp_path / "lake").mkdir()
    (tmp_path / "data").mkdir()
    parquet.write_table(pa.table({"x": [1]}), tmp_path / "data/part-0.parquet")
    store, options = SchemaStore(tmp_path / "lake"), {"schemas.table": json.dumps({"location": "data", "format": "parquet"})}
    with monkeypatch.context() as older:
        for module in (compare_data, __import__(Subject.__module__, fromlist=["check_location"])):
            older.setattr(module, "check_location", lambda *_, **__: None)
        store.create_table(NAME, "x BIGINT", options=options)
    monkeypatch.chdir(tmp_path)
    answer = judge(store, [NAME]).tables[0]
    assert [one.rule for one in answer.report.findings] == ["TABLE_NOT_LOOKED_AT"]
    assert "is relative" in answer.report.findings[0].message
    assert store.table(NAME).evolve("ADD COLUMN z STRING").created
