"""Planning from a table file: what is not mentioned stays, nothing is guessed, and types and order are those of the file."""

import pytest

from airflow_provider_schemas.core import TableSchema, evolve
from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.formats.table_file import plan
from tests.formats.table_file.support.planned import FILE, ID, NOW, file_of, planned, stopped, table, texts, version

# ---------------------------------------------------------------- a: what is not mentioned


def test_a_column_that_the_file_does_not_mention_stays_and_is_listed() -> None:
    found = planned(table(), ID)
    assert found.target is found.base
    assert found.left_alone == ("note", "amount")


def test_fields_inside_that_the_file_does_not_mention_stay_and_are_listed() -> None:
    schema = table("a ROW<x INT, y INT>, l ARRAY<ROW<x INT, y INT>>, m MAP<INT, ROW<x INT, y INT>>, `odd name` ROW<x INT, `y.z` INT>")
    found = planned(
        schema,
        "name: a, type: ROW<x INT>",
        "name: l, type: 'ARRAY<ROW<y INT>>'",
        "name: m, type: 'MAP<INT, ROW<y INT>>'",
        "name: odd name, type: ROW<x INT>",
    )
    assert found.target is schema
    assert found.left_alone == ("a.y", "l.element.x", "m.value.x", "`odd name`.`y.z`")


def test_a_column_that_only_a_key_names_is_mentioned() -> None:
    schema = table("id BIGINT NOT NULL, dt DATE NOT NULL, other INT", primary_keys=["id", "dt"], partition_keys=["dt"])
    found = planned(schema, "name: id, type: BIGINT", rest="primary_key: [id, dt]\n")
    assert found.left_alone == ("other",)


def test_comments_defaults_options_and_keys_that_are_not_mentioned_stay_silently() -> None:
    columns = [{"name": "id", "type": "INT NOT NULL", "comment": "c", "default": "1"}, {"name": "dt", "type": "DATE NOT NULL"}]
    schema = TableSchema.create(columns, ["dt"], ["id", "dt"], {"bucket": "4"}, "all of it")
    found = planned(schema, "name: id, type: INT", "name: dt, type: DATE")
    assert (found.target, found.left_alone, found.notes) == (schema, (), ())


def test_a_null_that_is_written_out_takes_something_away() -> None:
    schema = TableSchema.create([{"name": "id", "type": "INT", "comment": "c", "default": "1"}], options={"x": "1"}, comment="all")
    found = planned(schema, "name: id, type: INT, comment: null, default: null", rest="comment: null\noptions: {x: null, y: null}\n")
    assert texts(found) == ["ALTER COLUMN id DROP COMMENT", "ALTER COLUMN id DROP DEFAULT", "UNSET OPTION x", "DROP COMMENT"]


def test_keys_that_are_mentioned_are_meant() -> None:
    schema = table("id BIGINT, dt DATE")
    found = planned(schema, rest="primary_key: [id, dt]\npartitioned_by: [dt]\n")
    assert texts(found) == ["SET OPTION primary-key = 'id,dt'", "SET OPTION partition = dt"]
    assert planned(evolve(schema, found.changes), rest="primary_key: []\n").changes != ()


# ---------------------------------------------------------------- b: renames


def test_a_column_is_renamed_where_a_person_says_so() -> None:
    assert texts(planned(table(), "name: amount_eur, type: 'DECIMAL(10, 2)', was: amount")) == ["RENAME COLUMN amount TO amount_eur"]


def test_a_rename_that_has_happened_asks_for_nothing() -> None:
    schema = evolve(table(), ["RENAME COLUMN amount TO amount_eur"])
    assert planned(schema, "name: amount_eur, type: 'DECIMAL(10, 2)', was: amount").target is schema


def test_an_earlier_name_that_came_back_is_another_column() -> None:
    schema = evolve(table(), ["RENAME COLUMN amount TO amount_eur", "ADD COLUMN amount STRING"])
    found = planned(schema, "name: amount_eur, type: 'DECIMAL(10, 2)', was: amount")
    assert (found.target, found.left_alone) == (schema, ("id", "note", "amount"))


def test_of_several_earlier_names_the_one_that_is_there_counts() -> None:
    assert texts(planned(table(), "name: sum, type: 'DECIMAL(10, 2)', was: [total, amount]")) == ["RENAME COLUMN amount TO sum"]


def test_two_earlier_names_that_are_both_there_stop_the_plan() -> None:
    path, message, _ = stopped(table("a INT, b INT"), "name: c, type: INT, was: [a, b]", rest="")
    assert path == f"{FILE}:3 columns[0]"
    assert message == "'c' cannot have been both 'a' and 'b': the table has them all."


def test_a_column_whose_earlier_name_is_unknown_is_added_and_said_to_be() -> None:
    found = planned(table("id BIGINT"), ID, "name: coupon, type: STRING, was: [cupon, code]")
    assert texts(found) == ["ADD COLUMN coupon STRING"]
    assert found.notes == (f"{FILE}:4: coupon was to be renamed from cupon, code, which the table does not have: it is added.",)


def test_a_field_inside_is_renamed_by_its_path() -> None:
    schema = table("a ROW<x INT, l ARRAY<ROW<y INT>>>")
    whole = planned(schema, "name: b, type: 'ROW<x INT, l ARRAY<ROW<z INT>>>', was: {b: a, b.l.element.z: y}")
    assert texts(whole) == ["RENAME COLUMN a TO b", "RENAME COLUMN b.l.element.y TO z"]
    short = planned(schema, "name: a, type: 'ROW<w INT>', was: {w: x}")
    assert texts(short) == ["RENAME COLUMN a.x TO w"]


def test_an_earlier_name_that_the_type_names_too_is_a_field_of_its_own() -> None:
    schema = table("a ROW<x INT>")
    assert texts(planned(schema, "name: a, type: 'ROW<x INT, y INT>', was: {a.y: x}")) == ["ADD COLUMN a.y INT"]
    twice = planned(schema, "name: a, type: 'ROW<y INT, z INT>', was: {a.y: x, a.z: x}")
    assert texts(twice) == ["RENAME COLUMN a.x TO y", "ADD COLUMN a.z INT"]


def test_keys_and_options_follow_a_rename() -> None:
    schema = table("id BIGINT, v INT", primary_keys=["id"], options={"bucket": "4", "bucket-key": "id", "fields.v.ignore-retract": "true"})
    found = planned(schema, "name: order_id, type: BIGINT, was: id", "name: value, type: INT, was: v")
    assert texts(found) == ["RENAME COLUMN id TO order_id", "RENAME COLUMN v TO value"]
    assert found.target.primary_keys == ("order_id",)
    assert dict(found.target.options) == {"bucket": "4", "bucket-key": "order_id", "fields.value.ignore-retract": "true"}


# ---------------------------------------------------------------- c: drops


def test_only_what_stands_under_dropped_is_dropped() -> None:
    assert texts(planned(table(), ID, rest="dropped: [note]\n")) == ["DROP COLUMN note"]


def test_what_is_gone_already_may_stay_under_dropped() -> None:
    assert planned(table(), rest="dropped: [gone, id.x, amount.y]\n").changes == ()


def test_a_field_inside_is_dropped_by_its_path() -> None:
    schema = table("a ROW<x INT, y INT>, l ARRAY<ROW<x INT, y INT>>, m MAP<INT, ROW<x INT, y INT>>")
    for paths in ("a.y, l.element.y, m.value.y", "a.y, 'l[].y', 'm{}.y'"):
        found = planned(schema, rest=f"columns:\n{rows(schema)}dropped: [{paths}]\n".replace(" y INT", "").replace(",>", ">"))
        assert texts(found) == ["DROP COLUMN a.y", "DROP COLUMN l.element.y", "DROP COLUMN m.value.y"]
        assert found.left_alone == ()


def rows(schema: TableSchema) -> str:
    return "".join(f"  - {{name: {one.name}, type: '{one.type}'}}\n".replace("`", "") for one in schema.fields)


def test_a_field_of_a_column_that_is_not_listed_is_dropped_too() -> None:
    found = planned(table("id INT, l ARRAY<ROW<x INT, y ROW<z INT, w INT>>>"), rest="dropped: [l.element.y.z]\n")
    assert texts(found) == ["DROP COLUMN l.element.y.z"]
    assert found.left_alone == ("id", "l")


def test_the_name_of_a_column_may_hold_dots() -> None:
    schema = table("id BIGINT, `a.b` INT, a ROW<b INT, c INT>")
    assert texts(planned(schema, rest="dropped: [a.b, a.c]\n")) == ["DROP COLUMN `a.b`", "DROP COLUMN a.c"]
    assert texts(planned(schema, "name: a, type: ROW<b INT>", rest="dropped: ['`a.b`', a.c]\n")) == ["DROP COLUMN `a.b`", "DROP COLUMN a.c"]


def test_the_attributes_of_a_dropped_column_go_with_it() -> None:
    schema = table(options={"schemas.field.1": '{"unit": "EUR"}'})
    assert dict(planned(schema, rest="dropped: [note]\n").target.options) == {}


# ---------------------------------------------------------------- d: renames that nobody declared


def test_a_new_column_that_may_be_an_old_one_renamed_stops_the_plan() -> None:
    path, message, fix = stopped(table("id BIGINT, cust_id BIGINT"), ID, "name: customer_id, type: BIGINT")
    assert path == f"{FILE}:4 columns[1]"
    assert message == (
        "'customer_id' is new, and the file does not mention 'cust_id' (same type, same place, similar name) of the table: "
        "it may be the same, renamed."
    )
    assert fix == (
        "Write `was: cust_id` if it was renamed, `dropped: [cust_id]` if that shall go, or list cust_id as a column to keep both."
    )


@pytest.mark.parametrize(
    ("columns", "rest", "changes"),
    [
        (("name: customer_id, type: BIGINT, was: cust_id",), "", ["RENAME COLUMN cust_id TO customer_id"]),
        (("name: customer_id, type: BIGINT",), "dropped: [cust_id]\n", ["DROP COLUMN cust_id", "ADD COLUMN customer_id BIGINT"]),
        (("name: cust_id, type: BIGINT", "name: customer_id, type: BIGINT"), "", ["ADD COLUMN customer_id BIGINT"]),
    ],
)
def test_each_way_out_that_is_named_leads_out(columns: tuple[str, ...], rest: str, changes: list[str]) -> None:
    assert texts(planned(table("id BIGINT, cust_id BIGINT"), ID, *columns, rest=rest)) == changes


def test_a_field_inside_that_may_be_an_old_one_renamed_stops_the_plan() -> None:
    schema = table("a ROW<b ARRAY<ROW<zip STRING, x INT>>>")
    path, _, fix = stopped(schema, "name: a, type: 'ROW<b ARRAY<ROW<zip_code STRING>>>'")
    assert path == f"{FILE}:3 columns[0]"
    assert fix == (
        "Write `was: {a.b.element.zip_code: zip}` if it was renamed, `dropped: [a.b.element.zip]` if that shall go, "
        "or name zip in the type to keep both."
    )
    ways = [
        ("name: a, type: 'ROW<b ARRAY<ROW<zip_code STRING>>>', was: {a.b.element.zip_code: zip}", ""),
        ("name: a, type: 'ROW<b ARRAY<ROW<zip_code STRING>>>'", "dropped: [a.b.element.zip]\n"),
        ("name: a, type: 'ROW<b ARRAY<ROW<zip_code STRING, zip STRING>>>'", ""),
    ]
    assert all(planned(schema, column, rest=rest).changes for column, rest in ways)


def test_columns_with_fields_inside_are_compared_without_their_ids() -> None:
    _, message, _ = stopped(table("id BIGINT, addr ROW<x INT, y ROW<z INT>>"), ID, "name: address, type: 'ROW<x INT, y ROW<z INT>>'")
    assert "'addr' (same type, same place, similar name)" in message


def test_a_new_column_that_is_like_no_other_is_added() -> None:
    found = planned(table("id BIGINT, cust_id BIGINT, note STRING"), ID, "name: paid, type: BOOLEAN")
    assert texts(found) == ["ADD COLUMN paid BOOLEAN"]
    assert found.left_alone == ("cust_id", "note")


def test_the_likeliest_of_many_comes_first() -> None:
    schema = table(", ".join(f"column_{number} INT" for number in range(9)))
    _, message, fix = stopped(schema, "name: x, type: BOOLEAN", "name: column_11, type: INT", "name: y, type: BOOLEAN")
    assert message.count("similar name") == 3
    assert "'column_1' (same type, same place, similar name), 'column_0' (same type, similar name)" in message
    assert "and 6 more of the table" in message
    assert fix.startswith("Write `was: column_1`")


def test_where_nobody_can_tell_what_was_renamed_the_plan_stops() -> None:
    schema = table(", ".join(f"old_{number} INT" for number in range(300)))
    _, message, _ = stopped(schema, *(f"name: new_{number}, type: STRING" for number in range(300)))
    assert message == "300 fields are new, and 300 of the table are not mentioned: nobody can tell which of them were renamed."


def test_candidates_are_found_in_the_widest_tables() -> None:
    wide = [{"name": f"c{number}", "type": "DOUBLE"} for number in range(12_000)]
    path, message, _ = stopped(TableSchema.create([*wide, {"name": "cust_id", "type": "BIGINT"}]), "name: customer_id, type: BIGINT")
    assert path == f"{FILE}:3 columns[0]"
    assert "'cust_id' (same type, similar name)" in message


# ---------------------------------------------------------------- e: types


@pytest.mark.parametrize(
    ("before", "written", "changes"),
    [
        ("INT", "INTEGER", []),
        ("STRING", "varchar(2147483647)", []),
        ("INT", "BIGINT", ["ALTER COLUMN a TYPE BIGINT"]),
        ("INT NOT NULL", "INT", ["ALTER COLUMN a DROP NOT NULL"]),
        ("INT NOT NULL", "BIGINT", ["ALTER COLUMN a TYPE BIGINT NULL"]),
        ("ROW<x INT, y INT>", "ROW<y INT, x INT>", []),
        ("ROW<x INT, y INT>", "ROW<y BIGINT>", ["ALTER COLUMN a.y TYPE BIGINT"]),
        ("ROW<x INT, y INT>", "ROW<x INT, y INT, z BOOLEAN>", ["ADD COLUMN a.z BOOLEAN"]),
        ("ROW<x INT, y INT>", "ROW<x INT, z BOOLEAN, y INT>", ["ADD COLUMN a.z BOOLEAN AFTER x"]),
        ("ROW<x INT COMMENT 'c'>", "ROW<x INT>", []),
        ("ROW<x INT COMMENT 'c'>", "ROW<x INT COMMENT 'd'>", ["ALTER COLUMN a.x COMMENT 'd'"]),
        ("ARRAY<ROW<x INT>>", "ARRAY<ROW<x BIGINT>>", ["ALTER COLUMN a.element.x TYPE BIGINT"]),
        ("MAP<INT, ROW<x INT>>", "MAP<INT, ROW<x INT, y DATE>>", ["ADD COLUMN a.value.y DATE"]),
        ("ARRAY<INT NOT NULL>", "ARRAY<INT>", ["ALTER COLUMN a.element DROP NOT NULL"]),
        ("GEOMETRY(OGC:CRS84)", "GEOMETRY(ogc:crs84)", []),
        ("MAP<INT, GEOMETRY(OGC:CRS84)> NOT NULL", "MAP<INT, GEOMETRY(ogc:crs84)>", ["ALTER COLUMN a DROP NOT NULL"]),
    ],
)
def test_only_what_differs_in_a_type_is_changed(before: str, written: str, changes: list[str]) -> None:
    assert texts(planned(table(f"a {before}"), f"name: a, type: '{written}'".replace("'c'", "''c''").replace("'d'", "''d''"))) == changes


def test_columns_of_the_primary_key_are_not_null_whatever_the_file_says() -> None:
    schema = table("id BIGINT NOT NULL, v INT", primary_keys=["id"])
    assert planned(schema, ID).target is schema


def test_a_type_that_no_change_leads_to_becomes_the_result_of_the_plan() -> None:
    base = version(table("a INT, b STRING"))
    found = plan(file_of("name: a, type: 'ARRAY<INT>'"), base, now=NOW)
    assert found.changes == ()
    assert str(found.result.fields[0].type) == "ARRAY<INT>"
    assert [one.rule for one in found.report.findings] == ["KIND_CHANGED"]
    assert found.verdict is Verdict.BREAK


# ---------------------------------------------------------------- f: order


@pytest.mark.parametrize(
    ("there", "listed", "names"),
    [
        ("a b c", "a N:BOOLEAN b c", "a N b c"),
        ("a b c", "N a b c", "N a b c"),
        ("a b c", "a b c N M", "a b c N M"),
        ("a b c", "b N", "a b c N"),
        ("a b c", "b N c", "a b N c"),
        ("a b c", "c a", "c a b"),
        ("a b c", "b a c", "b a c"),
        ("a b c d e", "e a b c d", "e a b c d"),
        ("a b c d e", "c a", "c d e a b"),
        ("a b c", "N M", "a b c N M"),
        ("a b c", "c N M a", "c N M a b"),
    ],
)
def test_new_columns_go_behind_the_one_before_them_and_listed_ones_stand_as_listed(there: str, listed: str, names: str) -> None:
    schema = TableSchema.create([{"name": name, "type": "INT"} for name in there.split()])
    kinds = [f"name: {name[0]}, type: {'BOOLEAN' if name[0].isupper() else 'INT'}" for name in listed.split()]
    found = planned(schema, *kinds)
    assert found.target.names == tuple(names.split())
    assert evolve(schema, found.changes).content == found.target.content


def test_the_fewest_columns_move() -> None:
    schema = TableSchema.create([{"name": name, "type": "INT"} for name in "abcdefgh"])
    found = planned(schema, *(f"name: {name}, type: INT" for name in "hbcdefga"))
    assert texts(found) == ["ALTER COLUMN h FIRST", "ALTER COLUMN a AFTER g"]
