"""The plan of a table file as a whole: what is accepted, older states, attributes, spelling, places, and what is printed of it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import TableSchema, evolve
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.report import Finding, Place, Report, Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.errors import SchemaError, TableFileError
from airflow_provider_schemas.formats.table_file import TableFile, plan, read, spelling_findings
from airflow_provider_schemas.formats.table_file.planning.source_places import places_of, with_places
from tests.formats.table_file.support.planned import AMOUNT, DAILY, FILE, ID, NOTE, NOW, file_of, planned, stopped, table, texts, version

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
    policy = Policy().excused(found.waivers)
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


@pytest.mark.parametrize(
    ("since", "gone"), [(["ADD COLUMN d INT"], "d"), (["RENAME COLUMN note TO text"], "text")], ids=["added", "renamed"]
)
def test_a_file_that_drops_what_came_since_is_no_older_state(since: list[str], gone: str) -> None:
    first = table("id BIGINT")
    second = evolve(first, ["ADD COLUMN note STRING"])
    third = evolve(second, since)
    columns = ["name: id, type: BIGINT"] + (["name: note, type: STRING"] if gone == "d" else [])
    found = planned(third, *columns, rest=f"dropped: [{gone}]\n", history=[first, second])
    assert texts(found) == [f"DROP COLUMN {gone}"]


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
    assert finding.place == Place(FILE, 4, 15)


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
        ("FIELD_RENAMED", "before"): 7,
        ("TYPE_WIDENED", "renamed"): 6,
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


KEYS = """\
table: shop.orders
columns:
  - name: bucket
    type: BIGINT
    comment: changed
    default: 7
    deprecated: 2099-12-31
    unit: EUR
  - name: inner
    alias: {outer: 2099-12-31}
    comment: same
    type: ROW<x BIGINT>
options:
  bucket: "4"
"""


def test_a_finding_about_a_key_of_a_column_stands_at_that_key() -> None:
    schema = table("bucket INT, inner ROW<x INT>, k INT", options={"bucket": "2", "bucket-key": "k"})
    schema = evolve(schema, ["ALTER COLUMN bucket COMMENT 'old'", "ALTER COLUMN inner COMMENT 'same'"])
    report = plan(read(KEYS, FILE), version(schema), policy=Policy(), now=NOW).report
    lines = {(one.rule, one.path): _line(one) for one in report.findings}
    expected = {
        ("TYPE_WIDENED", "bucket"): 4,
        ("FIELD_DOC_CHANGED", "bucket"): 5,
        ("WRITE_DEFAULT_CHANGED", "bucket"): 6,
        ("FIELD_DEPRECATED", "bucket"): 7,
        ("FIELD_MEANING_CHANGED", "bucket"): 8,
        ("TYPE_WIDENED", "inner.x"): 12,
    }
    assert {key: lines.get(key) for key in expected} == expected
    assert {line for (rule, path), line in lines.items() if path == "bucket" and rule.startswith("OPTION_")} == {14}


def test_a_table_file_without_a_text_gives_no_places() -> None:
    report = Report((Finding("FIELD_DROPPED", "a", "m."),))
    assert with_places(report, TableFile(table="a.b")) is report


@given(
    st.sampled_from(sorted(RULES)),
    st.text(max_size=8) | st.sampled_from(["", "bucket", "inner.x", "inner[]", "`a`.b", "primaryKeys", "x.y.z"]),
)
def test_every_finding_has_a_place_whatever_its_rule_and_path(rule: str, path: str) -> None:
    file = read(KEYS, FILE)
    (finding,) = with_places(Report((Finding(rule, path, "m."),)), file).findings
    assert 1 <= _line(finding) <= KEYS.count("\n")


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


# ---------------------------------------------------------------- what is printed can be done


def test_a_rename_said_in_a_mapping_has_its_place_and_can_be_accepted() -> None:
    entry = "name: items, type: 'ARRAY<ROW<item STRING>>', was: {items: lines, items.element.item: sku}"
    base = version(table("id BIGINT, lines ARRAY<ROW<sku STRING>>"))
    strict = Policy.read({"protect": ["data", "jobs"]})
    found = plan(file_of(ID, entry), base, policy=strict, now=NOW)
    assert {one.place for one in found.report.findings} == {Place(FILE, 4, 52)}
    assert found.verdict is Verdict.BREAK
    accepting = file_of(ID, f"{entry}, accepts: {{FIELD_RENAMED: why, until: 2027-01-01}}")
    assert plan(accepting, base, policy=strict, now=NOW).verdict is Verdict.WARN


def test_that_an_alias_goes_can_be_accepted_at_its_column() -> None:
    base = version(evolve(table("cust_id BIGINT"), ['SET OPTION schemas.field.0 = \'{"alias": "cust"}\'']))
    need, entry = Contract.of(["cust"], name="old", read_with="read_table"), "name: cust_id, type: BIGINT, alias: null"
    found = plan(file_of(entry), base, contracts=[need], now=NOW)
    broken = {one.rule for one in found.report.findings if one.verdict is Verdict.BREAK}
    assert found.verdict is Verdict.BREAK
    accepts = ", ".join(f"{rule}: why" for rule in broken)
    accepting = file_of(f"{entry}, accepts: {{{accepts}, until: 2027-01-01}}")
    assert plan(accepting, base, contracts=[need], now=NOW).verdict is Verdict.WARN


def test_a_column_that_only_a_key_names_is_found_at_the_key() -> None:
    base = version(table("id BIGINT NOT NULL, x INT, dt DATE", primary_keys=["id"]))
    found = plan(file_of("name: id, type: BIGINT NOT NULL", rest="primary_key:\n  - id\n  - x\n"), base, now=NOW)
    assert {one.path: one.place for one in found.report.findings}["x"] == Place(FILE, 6, 5)
