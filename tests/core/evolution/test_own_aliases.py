"""A rename back takes the alias of that name away, at every door; a name that another column keeps as an alias is not given away."""

import pytest
from msgspec import structs

from airflow_provider_schemas.core import TableSchema, diff, evolve, merge, parse_changes
from airflow_provider_schemas.core.schema.field_attributes import aliases
from airflow_provider_schemas.core.schema.table_schema import Options
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats import table_file

ALIASED = """SET OPTION schemas.field.0 = '{"alias": {"a": "2999-12-31"}, "unit": "EUR"}'"""
ENDED = """SET OPTION schemas.field.0 = '{"alias": {"a": "2001-01-01"}}'"""
FIRST = TableSchema.create("a BIGINT, c STRING, s ROW<x INT, y INT>")
RENAMED = evolve(FIRST, ["RENAME COLUMN a TO b", ALIASED])
NESTED = evolve(FIRST, ["RENAME COLUMN s.x TO z", """SET OPTION schemas.field.3 = '{"alias": "x"}'"""])


def planned(file: str, schema: TableSchema) -> TableSchema:
    return table_file.changes_of(table_file.read(f"table: a.b\ncolumns:\n{file}"), schema).target


def test_a_rename_back_leaves_no_alias_of_the_own_name_and_what_else_is_said_stays() -> None:
    back = evolve(RENAMED, ["RENAME COLUMN b TO a"])
    assert (dict(back.attributes(0)), aliases(back, 0)) == ({"unit": "EUR"}, {})
    assert list(diff(RENAMED, back).changes) == parse_changes(["RENAME COLUMN b TO a"])


@pytest.mark.parametrize("alias", ['"a"', '["a"]', '{"a": ""}'])
def test_every_form_of_an_alias_vanishes(alias: str) -> None:
    schema = evolve(FIRST, ["RENAME COLUMN a TO b", f"""SET OPTION schemas.field.0 = '{{"alias": {alias}}}'"""])
    assert aliases(schema, 0)
    assert not evolve(schema, ["RENAME COLUMN b TO a"]).options


def test_a_field_inside_a_struct_loses_it_as_well() -> None:
    assert aliases(NESTED, 3) == {"x": ""}
    assert not evolve(NESTED, ["RENAME COLUMN s.z TO x"]).options


def test_a_table_file_that_renames_back_takes_it_away() -> None:
    target = planned(
        "  - {name: a, type: BIGINT, was: b}\n  - {name: c, type: STRING}\n  - {name: s, type: 'ROW<x INT, y INT>'}\n", RENAMED
    )
    assert (target.field("a").id, aliases(target, 0)) == (0, {})  # type: ignore[union-attr]  # it is there


def test_what_was_so_before_is_no_change_and_is_not_exported() -> None:
    foreign = structs.replace(FIRST, options=Options({"schemas.field.0": '{"alias": "a"}'}))
    text = table_file.write(foreign, table="a.b")
    assert "alias" not in text
    assert table_file.changes_of(table_file.read(text), foreign).target is foreign


@pytest.mark.parametrize(
    ("schema", "change"),
    [
        (RENAMED, "RENAME COLUMN c TO a"),
        (RENAMED, "ADD COLUMN a INT"),
        (RENAMED, "ADD COLUMN A INT"),
        (RENAMED, """SET OPTION schemas.field.1 = '{"alias": "a"}'"""),
        (NESTED, "RENAME COLUMN s.y TO x"),
        (NESTED, "ADD COLUMN s.x INT"),
    ],
)
def test_a_name_that_a_field_keeps_as_an_alias_is_refused_with_what_ends_it(schema: TableSchema, change: str) -> None:
    with pytest.raises(SchemaError) as error:
        evolve(schema, [change])
    (fault,) = error.value.faults
    assert fault.code == "attributes.alias-taken"
    ending = fault.fix.partition("with ")[2].partition(", and go on")[0]
    assert evolve(evolve(schema, [ending]), [change]).id == schema.id + 2


def test_an_alias_is_not_the_name_of_another_column() -> None:
    with pytest.raises(SchemaError, match="'b' is an alias of c, and 'b' is another column beside it") as error:
        evolve(RENAMED, ["""SET OPTION schemas.field.1 = '{"alias": "b"}'"""])
    assert error.value.fix.startswith("Choose another name")


def test_incoming_data_with_a_column_of_that_name_are_no_new_column() -> None:
    with pytest.raises(SchemaError, match="'a' is an alias of b"):
        merge(RENAMED, "a BIGINT")


def test_an_alias_that_has_ended_keeps_no_name() -> None:
    ended = evolve(FIRST, ["RENAME COLUMN a TO b", ENDED])
    taken = evolve(ended, ["ADD COLUMN a INT"])
    assert planned(table_file.write(taken, table="a.b").partition("columns:\n")[2], taken) is taken


def test_columns_trade_names_in_one_batch() -> None:
    swapped = evolve(RENAMED, ["UNSET OPTION schemas.field.0", "RENAME COLUMN c TO a", "RENAME COLUMN b TO c"])
    assert swapped.names == ("c", "a", "s")
