"""Planning from a table file: what is not mentioned stays, nothing is guessed, and what came later is not undone."""

from datetime import UTC, datetime
from typing import Any

import pytest

from airflow_provider_schemas.core import TableSchema, Version, evolve, short_text
from airflow_provider_schemas.core.contract import Contract
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.policy import Policy
from airflow_provider_schemas.core.report import Finding, Place, Verdict
from airflow_provider_schemas.errors import SchemaError, TableFileError
from airflow_provider_schemas.formats.table_file import Planned, TableFile, changes_of, plan, read, spelling_findings
from airflow_provider_schemas.formats.table_file.places import places_of
from airflow_provider_schemas.formats.table_file.planning import excused

FILE = "schemas/shop/orders.yaml"
NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)
DAILY = Contract.of("order_id BIGINT, cust_id BIGINT", name="daily_report", owner="team-bi")


def table(columns: str = "id BIGINT, note STRING, amount DECIMAL(10, 2)", **more: Any) -> TableSchema:
    return TableSchema.create(columns, **more)


def file_of(*columns: str, rest: str = "") -> TableFile:
    """A table file whose columns begin on line 3."""
    lines = "".join(f"  - {{{one}}}\n" for one in columns)
    return read(f"table: shop.orders\n{'columns:' if columns else ''}\n{lines}{rest}", FILE)


def planned(schema: TableSchema, *columns: str, rest: str = "", history: Any = ()) -> Planned:
    return changes_of(file_of(*columns, rest=rest), schema, history, now=NOW)


def texts(found: Planned) -> list[str]:
    assert evolve(found.base, found.changes).content == found.target.content
    return list(map(short_text, found.changes))


def version(schema: TableSchema) -> Version:
    return Version.read(schema.to_json().encode(), schema.id)


def stopped(schema: TableSchema, *columns: str, rest: str = "", history: Any = ()) -> tuple[str, str, str]:
    """The path, sentence and advice of the fault that stops the plan."""
    with pytest.raises(TableFileError) as caught:
        planned(schema, *columns, rest=rest, history=history)
    (fault,) = caught.value.faults
    return fault.path, fault.message, fault.fix


ID, NOTE, AMOUNT = "name: id, type: BIGINT", "name: note, type: STRING", "name: amount, type: 'DECIMAL(10, 2)'"


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


# ---------------------------------------------------------------- g: rules that are accepted


ACCEPTING = "name: customer_id, type: BIGINT, was: cust_id, accepts: {FIELD_RENAMED: they know, until: 2026-12-31, by: ana}"
ORDERS = "order_id BIGINT, cust_id BIGINT"


def planned_for(file: TableFile, schema: TableSchema, **more: Any) -> Plan:
    return plan(file, version(schema), contracts=[DAILY], now=NOW, **more)


def test_a_break_that_is_accepted_until_a_date_only_warns() -> None:
    found = planned_for(file_of("name: order_id, type: BIGINT", ACCEPTING), table(ORDERS))
    (finding,) = found.report.findings
    assert (finding.rule, finding.verdict) == ("FIELD_RENAMED", Verdict.WARN)
    assert "until 2026-12-31: they know, ana" in finding.waived
    assert [one.name for one in finding.consumers] == ["daily_report"]


def test_a_break_that_was_accepted_breaks_again_when_that_is_over() -> None:
    found = planned_for(file_of("name: order_id, type: BIGINT", ACCEPTING.replace("2026-12-31", "2026-11-17")), table(ORDERS))
    assert found.verdict is Verdict.BREAK
    assert found.report.notes == (f"{FILE}:4: FIELD_RENAMED of customer_id was accepted until 2026-11-17, which is over.",)


def test_what_is_accepted_counts_under_the_new_name_and_the_earlier_one() -> None:
    found = planned(table(ORDERS), "name: order_id, type: BIGINT", ACCEPTING)
    assert [(one.rule, one.path) for one in found.waivers] == [("FIELD_RENAMED", "customer_id"), ("FIELD_RENAMED", "cust_id")]


def test_a_rule_is_accepted_of_one_column_and_what_is_inside_it() -> None:
    found = planned(
        table("a ROW<x INT>, b INT"),
        "name: a, type: ROW<x BIGINT>, accepts: {TYPE_WIDENED: x, until: 2026-12-31}",
        "name: b, type: BIGINT",
    )
    policy = excused(Policy(), found.waivers)
    assert [one.reason for one in policy.waivers("TYPE_WIDENED", ["a.x"])] == ["x"]
    assert policy.waivers("TYPE_WIDENED", ["b"]) == policy.waivers("TYPE_NARROWED", ["a"]) == []


def test_a_drop_is_accepted_where_it_is_written() -> None:
    rest = "dropped: [{name: cust_id, accepts: {FIELD_DROPPED: gone, until: 2026-12-31}}]\n"
    found = planned_for(file_of("name: order_id, type: BIGINT", rest=rest), table(ORDERS))
    assert [(one.rule, one.verdict) for one in found.report.findings] == [("FIELD_DROPPED", Verdict.WARN)]
    nested = "dropped: [{name: 'l[].y', accepts: {FIELD_DROPPED: gone, until: 2026-12-31}}]\n"
    schema = table("id INT, l ARRAY<ROW<x INT, y INT>>")
    inside = plan(file_of(rest=nested), version(schema), contracts=[Contract.of(["l.element.y", "l"], name="j")], now=NOW)
    assert [(one.path, one.waived) for one in inside.report.findings] == [("l[].y", "until 2026-12-31: gone")]


def test_what_a_file_accepts_counts_under_every_policy_that_is_judged_by() -> None:
    policy = Policy.read({"protect": "FULL"}).stricter(Policy.read({"protect": ["data", "jobs", "writers"]}))
    found = planned_for(file_of("name: order_id, type: BIGINT", ACCEPTING), table(ORDERS), policy=policy)
    assert found.verdict is Verdict.WARN


# ---------------------------------------------------------------- h: older states

V0 = table("id BIGINT, cust_id BIGINT, note STRING")
V1 = evolve(V0, ["RENAME COLUMN cust_id TO customer_id"])
V2 = evolve(V1, ["ADD COLUMN coupon STRING", "ALTER COLUMN note TYPE VARCHAR(10)"])
STALE = (ID, "name: cust_id, type: BIGINT", NOTE)


def test_a_file_that_equals_an_older_version_does_not_undo_what_came_after() -> None:
    path, message, fix = stopped(V2, *STALE, history=[V0, V1])
    assert path == f"{FILE}:1 table"
    assert message == (
        "the file says what the table was at version 0, and since then: RENAME COLUMN cust_id TO customer_id, "
        "ALTER COLUMN note TYPE VARCHAR(10), ADD COLUMN coupon STRING."
    )
    assert fix == "Add to the file what came since; to go back, restore version 0, which keeps the ids."


def test_the_newest_version_that_it_equals_is_named() -> None:
    assert "at version 1," in stopped(V2, ID, "name: customer_id, type: BIGINT", NOTE, history=[version(V1), version(V0)])[1]
    first = evolve(V0, ["ADD COLUMN extra DOUBLE"])
    head = evolve(first, ["RENAME COLUMN cust_id TO customer_id"])
    assert "at version 1," in stopped(head, *STALE, history=[first, V0])[1]


def test_a_file_with_something_new_in_it_is_no_older_state() -> None:
    found = planned(V2, ID, "name: customer_id, type: BIGINT", NOTE, "name: paid, type: BOOLEAN", history=[V0, V1])
    assert texts(found) == ["ALTER COLUMN note TYPE STRING", "ADD COLUMN paid BOOLEAN"]


def test_a_file_that_asks_for_nothing_of_the_newest_version_is_fine() -> None:
    schema = evolve(V0, ["ADD COLUMN coupon STRING"])
    assert planned(schema, *STALE, history=[V0]).target is schema


def test_many_changes_since_are_cut_short() -> None:
    later = evolve(V1, [f"ADD COLUMN c{number} INT" for number in range(8)])
    assert stopped(later, *STALE, history=[V0])[1].endswith("ADD COLUMN c3 INT and 4 more.")


# ---------------------------------------------------------------- i: attributes


def test_what_is_said_about_the_table_goes_into_its_attributes() -> None:
    found = planned(table(), rest="owner: team-orders\ncontact: '#orders'\nlocation: s3://x\nformat: parquet\n")
    assert found.target.table_attributes == {"owner": "team-orders", "contact": "#orders", "location": "s3://x", "format": "parquet"}


def test_what_is_said_about_a_column_goes_into_its_attributes() -> None:
    said = "unit: EUR, tags: [pii, money], alias: {sum: 2026-12-31}, deprecated: true, reason: old"
    found = planned(table(), f"name: amount, type: 'DECIMAL(10, 2)', {said}")
    assert found.target.attributes(2) == {
        "unit": "EUR",
        "tags": ["pii", "money"],
        "alias": {"sum": "2026-12-31"},
        "deprecated": True,
        "reason": "old",
    }


def test_a_new_column_has_its_attributes_under_the_id_that_it_gets() -> None:
    found = planned(table("id BIGINT, r ROW<x INT>"), "name: r, type: 'ROW<x INT, y ROW<z INT>>'", "name: fee, type: DATE, unit: EUR")
    (added,) = [one for one in found.target.fields if one.name == "fee"]
    assert evolve(found.base, found.changes).attributes(added.id) == {"unit": "EUR"}
    assert texts(found)[-1] == f"SET OPTION schemas.field.{added.id} = " + '\'{"unit": "EUR"}\''


def test_attributes_by_other_tools_stay() -> None:
    schema = table(options={"schemas.field.0": '{"odf": 1, "unit": "m"}', "schemas.table": '{"steward": "x", "owner": "me"}'})
    found = planned(schema, "name: id, type: BIGINT, unit: null, tags: pii", rest="owner: you\n")
    assert found.target.attributes(0) == {"odf": 1, "tags": ["pii"]}
    assert found.target.table_attributes == {"steward": "x", "owner": "you"}


def test_attributes_that_say_the_same_are_left_as_they_are_spelled() -> None:
    text = '{"tags":"pii","alias":["k"],"unit":"m"}'
    schema = table(options={"schemas.field.0": text, "schemas.policy": '{"against":"all"}'})
    assert planned(schema, "name: id, type: BIGINT, unit: m, tags: [pii], alias: k", rest="policy: {against: all}\n").target is schema


def test_a_column_that_is_no_longer_deprecated_needs_no_reason() -> None:
    schema = table(options={"schemas.field.0": '{"deprecated": true, "reason": "x"}'})
    assert texts(planned(schema, "name: id, type: BIGINT, deprecated: null")) == ["UNSET OPTION schemas.field.0"]


def test_attributes_that_nobody_can_read_are_not_overwritten() -> None:
    schema = TableSchema.from_json(table(options={"schemas.field.0": "{}"}).to_json().replace('"{}"', '"{"'))
    path, message, _ = stopped(schema, "name: id, type: BIGINT, unit: m")
    assert (path, message) == (f"{FILE}:3 columns[0]", "the attributes in the option schemas.field.0 are '{', which no JSON object is.")


@pytest.mark.parametrize(
    ("written", "option"),
    [
        ("strict", "strict"),
        ("{against: all, rules: {TYPE_WIDENED: ok}}", '{"against": "all", "rules": {"TYPE_WIDENED": "ok"}}'),
        ("{}", "{}"),
    ],
)
def test_the_policy_goes_into_its_option(written: str, option: str) -> None:
    schema = planned(table(), rest=f"policy: {written}\n").target
    assert schema.options["schemas.policy"] == option
    assert texts(planned(schema, rest="policy: null\n")) == ["UNSET OPTION schemas.policy"]


def test_without_a_policy_the_table_is_judged_by_its_own_and_that_of_the_file() -> None:
    schema = table("id INT", options={"schemas.policy": '{"protect": "NONE"}'})
    widened = "name: id, type: 'ARRAY<INT>'"
    assert plan(file_of(widened), version(schema), now=NOW).verdict is Verdict.OK
    assert plan(file_of(widened, rest="policy: {protect: FULL}\n"), version(schema), now=NOW).verdict is Verdict.BREAK
    assert plan(file_of(widened), version(schema), policy=Policy(), now=NOW).verdict is Verdict.BREAK


def test_a_policy_that_is_only_a_name_is_said_to_be_unknown() -> None:
    found = plan(file_of(rest="policy: strict\n"), version(table()), now=NOW)
    assert found.report.notes == ("the policy 'strict' is a name, which stands for nothing here: the default was judged by",)
    assert plan(file_of(rest="policy: strict\n"), version(table()), policy=Policy(), now=NOW).report.notes == ()


# ---------------------------------------------------------------- j: spelling


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("INTEGER", "INT"),
        ("VARCHAR(2147483647)", "STRING"),
        ("NUMERIC(10, 2)", "DECIMAL(10, 2)"),
        ("DECIMAL", "DECIMAL(10, 0)"),
        ("TIMESTAMP_LTZ(3)", "TIMESTAMP(3) WITH LOCAL TIME ZONE"),
        ("ROW(a INTEGER)", "ROW<`a` INT>"),
        ("INT ARRAY", "ARRAY<INT>"),
    ],
)
def test_a_type_under_another_spelling_is_found(written: str, canonical: str) -> None:
    file = file_of(ID, f"name: a, type: '{written}'")
    (finding,) = spelling_findings(file)
    assert (finding.rule, finding.path, finding.verdict) == ("TYPE_SPELLING_CHANGED", "a", Verdict.OK)
    assert (finding.new, finding.old) == (written, canonical)
    assert finding.message == f"a: {written} is {canonical}."
    assert finding.place == Place(FILE, 4)


@pytest.mark.parametrize(
    "written", ["int", " INT ", "decimal(10,2)", "row<a int>", "ROW<`a` INT NOT NULL> not null", "map< string , int >"]
)
def test_blanks_and_case_are_no_other_spelling(written: str) -> None:
    assert spelling_findings(file_of(f"name: a, type: '{written}'")) == ()


def test_the_spelling_is_part_of_the_report() -> None:
    found = plan(file_of("name: id, type: INT8".replace("INT8", "BIGINT"), "name: n, type: INTEGER"), version(table("id BIGINT")), now=NOW)
    assert [one.rule for one in found.report.findings] == ["FIELD_ADDED_NULLABLE", "TYPE_SPELLING_CHANGED"]
    assert [one.rule for one in plan(file_of("name: n, type: INTEGER"), None).report.findings] == ["TYPE_SPELLING_CHANGED"]


# ---------------------------------------------------------------- k: places

ALL = """\
table: shop.orders
owner: me
columns:
  - {name: id, type: BIGINT, comment: new}
  - name: renamed
    type: BIGINT
    was: before
  - {name: r, type: "ROW<x INT, z DATE>"}
  - {name: added, type: BOOLEAN}
  - {name: odd name, type: BIGINT}
dropped:
  - gone
  - r.y
options:
  sequence.field: id
policy: strict
"""


def test_every_finding_says_where_in_the_file_it_comes_from() -> None:
    schema = table("id BIGINT NOT NULL, before INT, r ROW<x INT, y INT>, gone INT, `odd name` INT")
    report = plan(read(ALL, FILE), version(schema), policy=Policy(), now=NOW).report
    lines = {(one.rule, one.path): _line(one) for one in report.findings}
    assert lines == {
        ("NULLABILITY_RELAXED", "id"): 4,
        ("FIELD_DOC_CHANGED", "id"): 4,
        ("FIELD_RENAMED", "before"): 5,
        ("TYPE_WIDENED", "renamed"): 5,
        ("FIELD_DROPPED", "r.y"): 13,
        ("FIELD_ADDED_NULLABLE", "r.z"): 8,
        ("FIELD_ADDED_NULLABLE", "added"): 9,
        ("TYPE_WIDENED", "`odd name`"): 10,
        ("FIELD_DROPPED", "gone"): 12,
        ("OPTION_MEANING_CHANGED", "sequence.field"): 15,
        ("OPTION_TUNING", "schemas.policy"): 16,
        ("OPTION_TUNING", "schemas.table"): 2,
    }


def _line(one: Finding) -> int:
    assert one.place is not None
    assert one.place.file == FILE
    return one.place.line


def test_keys_and_the_table_have_their_places_too() -> None:
    schema = table("id BIGINT, dt DATE", primary_keys=["id"])
    report = plan(file_of(rest="primary_key: [id, dt]\npartitioned_by: [dt]\ncomment: x\n"), version(schema), now=NOW).report
    places = {one.rule: _line(one) for one in report.findings}
    assert (places["PRIMARY_KEY_CHANGED"], places["PARTITION_KEYS_CHANGED"]) == (3, 4)
    assert _line(plan(file_of(ID), version(table("id BIGINT")), now=NOW).report.findings[0]) == 1


def test_a_column_is_found_in_the_file_under_each_of_its_names() -> None:
    file = file_of("name: now, type: INT, was: [before, earlier], alias: [other]", "name: odd name, type: INT")
    lines = {path: place.line for path, place in places_of(file).items()}
    assert lines["now"] == lines["before"] == lines["earlier"] == lines["other"] == 3
    assert lines["`odd name`"] == 4


def test_a_key_that_is_no_column_is_told_with_its_line() -> None:
    path, message, _ = stopped(table(), ID, rest="primary_key:\n  - id\n  - day\n")
    assert (path, message) == (f"{FILE}:6 primary_key[1]", "'day' is a column neither of the file nor of the table.")


# ---------------------------------------------------------------- the plan as a whole


def test_the_plan_holds_what_was_left_alone_and_makes_the_target() -> None:
    base = version(table())
    found = plan(file_of(ID, "name: coupon, type: BOOLEAN"), base, now=NOW)
    assert found.table == "shop.orders"
    assert found.left_alone == ("note", "amount")
    assert found.apply(base).names == ("id", "note", "amount", "coupon")


def test_what_is_known_of_files_and_jobs_is_judged_by() -> None:
    switch = {"alter-column-null-to-not-null.disabled": "false"}
    base = version(table("id BIGINT", options=switch))
    required = file_of("name: id, type: BIGINT NOT NULL")
    assert plan(required, base, now=NOW).verdict is Verdict.BREAK
    proven = plan(required, base, evidence=[{"path": "id", "not_null": True}], now=NOW)
    assert [one.rule for one in proven.report.findings] == ["NULLABILITY_TIGHTENED_PROVEN"]
    narrower = file_of("name: id, type: INT")
    assert plan(narrower, base, live=[0], now=NOW).verdict is Verdict.BREAK
    assert plan(narrower, base, live=[], now=NOW).verdict is not Verdict.BREAK


def test_a_file_that_asks_for_nothing_makes_an_empty_plan() -> None:
    found = plan(file_of(ID, NOTE, AMOUNT), version(table()), now=NOW)
    assert found.unchanged
    assert [one.rule for one in found.report.findings] == ["NO_CHANGE"]


@pytest.mark.parametrize("base", [table(), 5, "table", b""])
def test_a_plan_is_made_on_a_version(base: Any) -> None:
    with pytest.raises(SchemaError, match=r"is no (version|schema)"):
        plan(file_of(ID), base, now=NOW)


def test_all_that_a_person_has_to_decide_is_told_at_once() -> None:
    with pytest.raises(TableFileError) as caught:
        planned(
            table("id BIGINT, cust_id BIGINT, a ROW<zip STRING>"),
            ID,
            "name: customer_id, type: BIGINT",
            "name: a, type: ROW<zip_code STRING>",
            rest="primary_key: [nothing]\n",
        )
    assert [one.path for one in caught.value.faults] == [f"{FILE}:4 columns[1]", f"{FILE}:5 columns[2]", f"{FILE}:6 primary_key[0]"]


def test_a_column_with_a_directive_asks_for_nothing_once_it_is_there() -> None:
    photo = "name: photo, type: BYTES, comment: __BLOB_FIELD; a photo"
    schema = table("id BIGINT", options={"row-tracking.enabled": "true", "data-evolution.enabled": "true", "bucket": "-1"})
    found = planned(schema, ID, photo)
    assert str(found.target.fields[1].type) == "BLOB"
    assert found.target.options["blob-field"] == "photo"
    assert planned(found.target, ID, photo).target is found.target


# ---------------------------------------------------------------- a file cannot excuse itself

WEAK = "policy: {protect: {data: warn, jobs: off}, exceptions: [{rule: DECIMAL_DIGITS_REDUCED, until: 2027-01-01, reason: x}]}\n"
NARROW = "name: amount, type: 'DECIMAL(8, 2)'"


def verdict_with(rest: str, **options: str) -> Verdict:
    return plan(file_of(NARROW, rest=rest), version(table(options=options)), now=NOW).verdict


def test_a_policy_that_a_file_brings_does_not_excuse_what_comes_with_it() -> None:
    assert verdict_with("") is Verdict.BREAK
    assert verdict_with(WEAK) is Verdict.BREAK


def test_a_weak_policy_of_the_table_counts_until_the_file_makes_it_stricter() -> None:
    there = '{"protect": {"data": "warn"}}'
    assert verdict_with("", **{"schemas.policy": there}) is Verdict.WARN
    assert verdict_with(WEAK, **{"schemas.policy": there}) is Verdict.WARN
    assert verdict_with("policy: {protect: [data]}\n", **{"schemas.policy": there}) is Verdict.BREAK


def test_taking_a_policy_away_is_judged_by_the_default_as_well() -> None:
    assert verdict_with("policy: null\n", **{"schemas.policy": '{"protect": {"data": "warn"}}'}) is Verdict.BREAK


# ---------------------------------------------------------------- what is printed can be done


def test_a_rename_said_in_a_mapping_has_its_place_and_can_be_accepted() -> None:
    entry = "name: items, type: 'ARRAY<ROW<item STRING>>', was: {items: lines, items.element.item: sku}"
    base = version(table("id BIGINT, lines ARRAY<ROW<sku STRING>>"))
    strict = Policy.read({"protect": ["data", "jobs"]})
    found = plan(file_of(ID, entry), base, policy=strict, now=NOW)
    assert {one.place for one in found.report.findings} == {Place(FILE, 4)}
    assert found.verdict is Verdict.BREAK
    accepting = file_of(ID, f"{entry}, accepts: {{FIELD_RENAMED: why, until: 2027-01-01}}")
    assert plan(accepting, base, policy=strict, now=NOW).verdict is Verdict.WARN


def test_that_an_alias_goes_can_be_accepted_at_its_column() -> None:
    base = version(evolve(table("cust_id BIGINT"), ['SET OPTION schemas.field.0 = \'{"alias": "cust"}\'']))
    need, entry = Contract.of(["cust"], name="old"), "name: cust_id, type: BIGINT, alias: null"
    found = plan(file_of(entry), base, contracts=[need], now=NOW)
    broken = {one.rule for one in found.report.findings if one.verdict is Verdict.BREAK}
    assert found.verdict is Verdict.BREAK
    accepts = ", ".join(f"{rule}: why" for rule in broken)
    accepting = file_of(f"{entry}, accepts: {{{accepts}, until: 2027-01-01}}")
    assert plan(accepting, base, contracts=[need], now=NOW).verdict is Verdict.WARN


def test_a_column_that_only_a_key_names_is_found_at_the_key() -> None:
    base = version(table("id BIGINT NOT NULL, x INT, dt DATE", primary_keys=["id"]))
    found = plan(file_of("name: id, type: BIGINT NOT NULL", rest="primary_key:\n  - id\n  - x\n"), base, now=NOW)
    assert {one.path: one.place for one in found.report.findings}["x"] == Place(FILE, 6)
