"""Evolving: each change does what it says, follows where it must, and is refused with the column and the next step."""

import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from airflow_provider_schemas.core import TableSchema, evolve, parse_changes
from airflow_provider_schemas.core.changes.schema_change import UpdateColumnComment
from airflow_provider_schemas.core.evolution.evolve import attempt
from airflow_provider_schemas.core.evolution.rename_references import renamed_options
from airflow_provider_schemas.core.types.field_ids import all_ids
from airflow_provider_schemas.errors import ChangeError, ColumnNotFoundError, SchemaError
from tests.support.tables import additions, batches, one_change, tables

ORDERS = TableSchema.create(
    "order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(10, 2) COMMENT 'gross', day DATE, address ROW<street STRING, zip INT>, "
    "lines ARRAY<ROW<sku STRING, qty INT>>, notes MAP<STRING NOT NULL, ROW<text STRING>>, tags MULTISET<STRING>",
    primary_keys=["order_id"],
    options={"bucket": "2", "bucket-key": "order_id", "sequence.field": "day"},
)


def types_of(schema: TableSchema) -> dict[str, str]:
    return {one.name: str(one.type) for one in schema.fields}


def refused(schema: TableSchema, *batch: Any, **known: Any) -> ChangeError:
    with pytest.raises(SchemaError) as error:
        evolve(schema, batch, **known)
    assert isinstance(error.value, ChangeError)
    assert all(fault.fix for fault in error.value.faults)
    return error.value


# ---------------------------------------------------------------- what every batch does


def test_a_batch_is_one_version_and_the_old_schema_stays_as_it_is() -> None:
    before = ORDERS.to_json()
    after = evolve(ORDERS, ["ADD COLUMN coupon STRING", "DROP COLUMN tags"])
    assert (after.id, after.version, ORDERS.to_json()) == (ORDERS.id + 1, 3, before)
    assert after.time_millis >= ORDERS.time_millis


def test_an_empty_batch_is_a_version_too() -> None:
    assert evolve(ORDERS, []).id == 1
    assert evolve(ORDERS, []).digest == ORDERS.digest


def test_a_batch_is_all_or_nothing_and_every_refusal_is_told() -> None:
    error = refused(ORDERS, "ADD COLUMN coupon STRING", "DROP COLUMN nope", "RENAME COLUMN cust_id TO amount", "DROP COLUMN order_id")
    assert [(fault.path, fault.code) for fault in error.faults] == [
        ("nope", "column.not-exists"),
        ("amount", "column.already-exists"),
        ("order_id", "drop.key-column"),
    ]
    assert "(change 2 of 4: DROP COLUMN nope)" in str(error)


def test_the_echo_of_a_refused_change_is_not_told() -> None:
    error = refused(ORDERS, "ADD COLUMN coupon INT NOT NULL", "ALTER COLUMN coupon COMMENT 'x'", "RENAME COLUMN coupon TO voucher")
    assert [fault.code for fault in error.faults] == ["add.not-null"]


def test_a_missing_column_is_a_lookup_error() -> None:
    assert isinstance(refused(ORDERS, "DROP COLUMN nope"), ColumnNotFoundError)
    with pytest.raises(LookupError):
        evolve(ORDERS, ["DROP COLUMN nope"])


def test_a_name_in_the_wrong_case_is_pointed_out() -> None:
    assert "'cust_id'" in refused(ORDERS, "DROP COLUMN Cust_Id").fix


def test_a_schema_with_two_columns_of_one_name_cannot_be_evolved() -> None:
    fields = [{"id": 0, "name": "a", "type": "INT"}, {"id": 1, "name": "a", "type": "INT"}]
    file = {"version": 3, "id": 0, "fields": fields, "highestFieldId": 1, "partitionKeys": [], "primaryKeys": [], "options": {}}
    assert refused(TableSchema.from_json(json.dumps(file)), "DROP COLUMN a").code == "schema.duplicate-column"


def test_unknown_keys_about_the_table_are_kept_and_those_about_the_version_are_not() -> None:
    source = json.loads(ORDERS.to_json()) | {"uuid": "7", "schemas": {"actor": "ana"}}
    after = evolve(TableSchema.from_json(json.dumps(source)), ["SET COMMENT 'x'"])
    assert after.unknown == ((("uuid",), '"7"'),)


# ---------------------------------------------------------------- columns


def test_new_columns_take_the_next_ids_before_the_fields_inside_them() -> None:
    after = evolve(ORDERS, ["ADD COLUMN r ROW<p INT, q ROW<z INT>>", "ADD COLUMN address.geo ROW<lat DOUBLE>"])
    top = ORDERS.highest_field_id
    r = after.field("r")
    assert r is not None
    assert r.id == top + 1
    assert json.dumps(r.type.to_json()).count('"id"') == 3
    assert [one["id"] for one in r.type.to_json()["fields"]] == [top + 2, top + 4]
    assert after.highest_field_id == top + 6


@pytest.mark.parametrize(
    ("place", "names"),
    [
        ("FIRST", ["x", "a", "b"]),
        ("AFTER a", ["a", "x", "b"]),
        ("BEFORE a", ["x", "a", "b"]),
        ("LAST", ["a", "b", "x"]),
        ("", ["a", "b", "x"]),
    ],
)
def test_a_column_goes_where_it_is_told(place: str, names: list[str]) -> None:
    table = TableSchema.create("a INT, b INT, r ROW<a INT, b INT>")
    assert list(evolve(table, [f"ADD COLUMN r.x INT {place}"]).fields[2].type.to_json()["fields"]) == [
        {"id": {"a": 3, "b": 4, "x": 5}[name], "name": name, "type": "INT"} for name in names
    ]
    assert [name for name in evolve(table, [f"ADD COLUMN x INT {place}"]).names if name != "r"] == names


def test_a_column_goes_before_the_partition_columns_where_the_table_says_so() -> None:
    table = TableSchema.create("a INT, p STRING, q INT", partition_keys=["p"], options={"add-column-before-partition": "true"})
    assert evolve(table, ["ADD COLUMN d INT"]).names == ("a", "d", "p", "q")
    assert evolve(table, ["ADD COLUMN d INT LAST"]).names == ("a", "p", "q", "d")


def test_ids_are_never_used_again() -> None:
    after = evolve(evolve(ORDERS, ["DROP COLUMN tags"]), ["ADD COLUMN tags STRING"])
    assert after.fields[-1].id == ORDERS.highest_field_id + 1


def test_a_renamed_column_keeps_its_id_and_takes_its_keys_and_options_along() -> None:
    table = TableSchema.create(
        "k INT, s INT, a INT, b INT, g INT",
        primary_keys=["k"],
        options={
            "merge-engine": "partial-update",
            "bucket-key": "k",
            "bucket": "1",
            "fields.g.sequence-group": "a,b",
            "fields.a.ignore-retract": "true",
        },
    )
    after = evolve(table, ["RENAME COLUMN k TO key", "RENAME COLUMN g TO grp", "RENAME COLUMN a TO first"])
    assert [one.id for one in after.fields] == [0, 1, 2, 3, 4]
    assert after.primary_keys == ("key",)
    assert dict(after.options) == {
        "merge-engine": "partial-update",
        "bucket-key": "key",
        "bucket": "1",
        "fields.grp.sequence-group": "first,b",
        "fields.first.ignore-retract": "true",
    }


@pytest.mark.parametrize(
    "suffix",
    [
        "aggregate-function",
        "ignore-retract",
        "distinct",
        "list-agg-delimiter",
        "map.storage-layout",
        "map.shared-shredding.max-columns",
        "map.shared-shredding.column-placement-policy",
    ],
)
def test_every_option_of_a_column_follows_its_rename(suffix: str) -> None:
    assert renamed_options({f"fields.a.{suffix}": "a"}, {"a": "b"}) == {f"fields.b.{suffix}": "a"}
    assert renamed_options({f"fields.aa.{suffix}": "a"}, {"a": "b"}) == {f"fields.aa.{suffix}": "a"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"bucket-key": "a"}, {"bucket-key": "b"}),
        ({"bucket-key": "aa,a,c"}, {"bucket-key": "aa,b,c"}),
        ({"sequence.field": "c,a"}, {"sequence.field": "c,b"}),
        ({"fields.a.sequence-group": "c,aa"}, {"fields.b.sequence-group": "c,aa"}),
        ({"fields.c,a.sequence-group": "a,aa"}, {"fields.c,b.sequence-group": "b,aa"}),
        ({"fields.a.nested-key": "c"}, {"fields.b.nested-key": "c"}),
        ({"fields.c.nested-key": "x,a"}, {"fields.c.nested-key": "x,b"}),
    ],
    ids=str,
)
def test_lists_of_columns_follow_a_rename_each_in_its_place(before: dict[str, str], after: dict[str, str]) -> None:
    assert renamed_options(before, {"a": "b"}) == after


@pytest.mark.parametrize(
    "option",
    [
        *("fields.a.count-limit", "fields.a.nested-sequence-field", "fields.a.nested-key-null-strategy", "fields.a.ts-field"),
        *("fields.a.pk-vector.index.type", "rowkind.field", "record-level.time-field", "file-index.bloom-filter.columns"),
        *("vector-field", "blob-field", "partition.timestamp-pattern", "clustering.columns", "my.option"),
    ],
)
def test_no_other_option_follows_a_rename(option: str) -> None:
    assert renamed_options({option: "a"}, {"a": "b"}) == {option: "a"}


def test_a_blank_behind_a_comma_hides_a_name_from_its_rename_as_in_java() -> None:
    assert renamed_options({"sequence.field": "c, a"}, {"a": "b"}) == {"sequence.field": "c, a"}


def test_renames_are_one_mapping_that_is_applied_once() -> None:
    assert renamed_options({"bucket-key": "a,b,c"}, {"a": "b", "b": "c"}) == {"bucket-key": "b,c,c"}


def test_keys_and_options_follow_their_own_column_and_not_a_later_one_of_its_name() -> None:
    batch = ["RENAME COLUMN a TO b", "ADD COLUMN a INT", "RENAME COLUMN a TO c"]
    table = TableSchema.create("k INT, a INT", primary_keys=["k"], options={"sequence.field": "a"})
    assert evolve(table, batch).options["sequence.field"] == "b"
    assert evolve(TableSchema.create("a INT, v INT", primary_keys=["a"]), batch).primary_keys == ("b",)


def test_a_batch_that_fails_for_other_reasons_too_is_no_lookup_error() -> None:
    assert not isinstance(refused(ORDERS, "DROP COLUMN nope", "DROP COLUMN order_id"), LookupError)


def test_a_batch_of_many_faults_stops_at_a_number_that_can_be_read() -> None:
    assert len(refused(ORDERS, *(f"DROP COLUMN n{number}" for number in range(3_000))).faults) == 1_000


def test_a_bucket_key_may_be_given_the_type_it_has() -> None:
    table = TableSchema.create("k INT, v INT", options={"bucket": "2", "bucket-key": "k"})
    for change in ("ALTER COLUMN k TYPE INT", "ALTER COLUMN k TYPE INT NULL"):
        assert types_of(evolve(table, [change], has_snapshots=True))["k"] == "INT"


def test_a_nested_rename_leaves_the_options_of_the_table_alone() -> None:
    table = TableSchema.create("k INT, r ROW<x INT, y INT>", options={"my.option": "r"})
    after = evolve(table, ["RENAME COLUMN r.x TO r", "RENAME COLUMN r.y TO x"])
    assert types_of(after)["r"] == "ROW<`r` INT, `x` INT>"
    assert after.options == table.options


def test_names_can_be_swapped_over_a_third() -> None:
    table = TableSchema.create("a INT, b STRING")
    after = evolve(table, ["RENAME COLUMN a TO t", "RENAME COLUMN b TO a", "RENAME COLUMN t TO b"])
    assert types_of(after) == {"b": "INT", "a": "STRING"}


def test_a_dropped_column_takes_its_attributes_along() -> None:
    table = TableSchema.create(
        "a INT, r ROW<x INT>", options={"schemas.field.1": '{"unit": "m"}', "schemas.field.2": "{}", "schemas.field.0": "{}"}
    )
    assert dict(evolve(table, ["DROP COLUMN r"]).options) == {"schemas.field.0": "{}"}


def test_the_last_column_cannot_go_but_can_be_replaced() -> None:
    table = TableSchema.create("a INT")
    assert refused(table, "DROP COLUMN a").code == "drop.last-field"
    assert refused(table, "DROP COLUMN a", "ADD COLUMN b INT").code == "drop.last-field"
    assert evolve(table, ["ADD COLUMN b INT", "DROP COLUMN a"]).names == ("b",)


def test_columns_move() -> None:
    table = TableSchema.create("a INT, b INT, c INT")
    assert evolve(table, ["ALTER COLUMN a AFTER b"]).names == ("b", "a", "c")
    assert evolve(table, ["ALTER COLUMN c BEFORE a"]).names == ("c", "a", "b")
    assert evolve(table, ["ALTER COLUMN b AFTER a"]).names == ("a", "b", "c")
    for place in ("a FIRST", "c LAST", "b AFTER b"):
        assert refused(table, f"ALTER COLUMN {place}").code == "move.itself"


def test_paths_lead_into_rows_arrays_and_map_values() -> None:
    after = evolve(
        ORDERS,
        [
            "ALTER COLUMN address.zip TYPE BIGINT",
            "ADD COLUMN lines.element.price DECIMAL(10, 2) AFTER sku",
            "RENAME COLUMN notes.value.text TO body",
            "ALTER COLUMN lines.element.qty COMMENT 'pieces'",
            "ALTER COLUMN lines COMMENT 'what was bought'",
        ],
    )
    kinds = types_of(after)
    assert kinds["address"] == "ROW<`street` STRING, `zip` BIGINT>"
    assert kinds["lines"] == "ARRAY<ROW<`sku` STRING, `price` DECIMAL(10, 2), `qty` INT COMMENT 'pieces'>>"
    assert kinds["notes"] == "MAP<STRING NOT NULL, ROW<`body` STRING>>"


def test_a_comment_on_an_element_is_that_of_its_column() -> None:
    after = evolve(ORDERS, ["ALTER COLUMN lines.element COMMENT 'x'"])
    assert (after.field("lines") or ORDERS.fields[0]).description == "x"


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        ("DROP COLUMN address.nope", "column.not-exists", "address.nope"),
        ("DROP COLUMN nope.street", "column.not-exists", "nope"),
        ("DROP COLUMN address.nope.deep", "column.not-exists", "address.nope"),
        ("ALTER COLUMN tags.element TYPE INT", "column.not-exists", "tags.element"),
        ("ALTER COLUMN notes.key TYPE BIGINT", "path.wrapper-word", "notes.key"),
        ("ADD COLUMN lines.price INT", "path.wrapper-word", "lines.price"),
        ("ALTER COLUMN lines.item.qty TYPE BIGINT", "path.wrapper-word", "lines.item"),
        ("ADD COLUMN amount.cents INT", "path.not-a-field", "amount.cents"),
        ("DROP COLUMN lines.element", "path.not-a-field", "lines.element"),
        ("ADD COLUMN address.zip INT", "column.already-exists", "address.zip"),
        ("ADD COLUMN x INT AFTER nope", "column.not-exists", "nope"),
        ("ADD COLUMN address.x INT AFTER nope", "column.not-exists", "nope"),
        ("ADD COLUMN x BYTES COMMENT '__BLOB_X'", "directive.unknown", "x"),
        ("ADD COLUMN address.x BYTES COMMENT '__BLOB_FIELD'", "directive.nested", "address.x"),
        ("ALTER COLUMN amount COMMENT '__BLOB_FIELD'", "directive.comment-change", "amount"),
        ("ALTER COLUMN order_id TYPE STRING", "type.primary-key", "order_id"),
        ("ALTER COLUMN order_id DROP NOT NULL", "nullability.primary-key", "order_id"),
        ("ALTER COLUMN amount SET NOT NULL", "nullability.null-to-not-null-disabled", "amount"),
        ("ALTER COLUMN amount TYPE BIGINT NOT NULL", "nullability.null-to-not-null-disabled", "amount"),
        ("ALTER COLUMN lines TYPE ARRAY<INT>", "type.not-castable", "lines"),
        ("ALTER COLUMN day TYPE INT", "type.not-castable", "day"),
        ("ALTER COLUMN amount SET DEFAULT 'ten'", "default.invalid", "amount"),
        ("ALTER COLUMN nope FIRST", "move.unknown-field", "nope"),
        ("ALTER COLUMN day AFTER nope", "move.unknown-reference", "day"),
        ("DROP COLUMN day", "sequence.unknown-field", ""),
        ("SET OPTION type = view", "option.immutable", "type"),
        ("SET OPTION merge-engine = zzz", "option.bad-value", ""),
    ],
)
def test_a_refusal_names_the_column_and_the_rule(change: str, code: str, path: str) -> None:
    error = refused(ORDERS, change)
    assert error.code == code
    assert not path or error.path == path


# ---------------------------------------------------------------- types


def test_a_type_keeps_its_nullability_unless_it_says_otherwise() -> None:
    table = TableSchema.create("a INT NOT NULL, b INT NOT NULL, c INT")
    after = evolve(table, ["ALTER COLUMN a TYPE BIGINT", "ALTER COLUMN b TYPE BIGINT NULL", "ALTER COLUMN c TYPE BIGINT"])
    assert types_of(after) == {"a": "BIGINT NOT NULL", "b": "BIGINT", "c": "BIGINT"}


def test_not_null_needs_the_switch_in_a_change_before() -> None:
    table = TableSchema.create("a INT")
    switch = "SET OPTION alter-column-null-to-not-null.disabled = false"
    assert refused(table, switch, "ALTER COLUMN a SET NOT NULL").code == "nullability.null-to-not-null-disabled"
    assert types_of(evolve(evolve(table, [switch]), ["ALTER COLUMN a SET NOT NULL"])) == {"a": "INT NOT NULL"}


def test_explicit_casts_can_be_switched_off() -> None:
    table = TableSchema.create("a BIGINT, b INT", options={"disable-explicit-type-casting": "true"})
    assert refused(table, "ALTER COLUMN a TYPE INT").code == "type.not-castable"
    assert types_of(evolve(table, ["ALTER COLUMN b TYPE BIGINT"]))["b"] == "BIGINT"


def test_a_chain_of_types_that_no_file_could_follow_is_refused() -> None:
    table = TableSchema.create("a DATE, r ROW<d DATE>")
    assert refused(table, "ALTER COLUMN a TYPE STRING", "ALTER COLUMN a TYPE INT").code == "type.chain"
    assert refused(table, "ALTER COLUMN r.d TYPE STRING", "RENAME COLUMN r.d TO e", "ALTER COLUMN r.e TYPE INT").code == "type.chain"
    second = evolve(table, ["ALTER COLUMN a TYPE STRING"])
    assert types_of(evolve(second, ["ALTER COLUMN a TYPE INT"]))["a"] == "INT"
    error = refused(second, "ALTER COLUMN a TYPE INT", history=[table])
    assert error.code == "type.chain"
    assert "schema 0 hold DATE" in str(error)


def test_the_type_of_a_key_cannot_change_behind_a_rename() -> None:
    error = refused(ORDERS, "RENAME COLUMN order_id TO id", "ALTER COLUMN id TYPE STRING")
    assert error.code == "type.primary-key"


def test_columns_that_decide_where_rows_lie_keep_their_type_once_there_is_data() -> None:
    table = TableSchema.create("k INT, v INT", options={"bucket": "2", "bucket-key": "k"})
    assert types_of(evolve(table, ["ALTER COLUMN k TYPE BIGINT"]))["k"] == "BIGINT"
    assert refused(table, "ALTER COLUMN k TYPE BIGINT", has_snapshots=True).code == "type.bucket-key"
    sequence = TableSchema.create("k INT, v INT", primary_keys=["k"], options={"sequence.field": "v"})
    assert types_of(evolve(sequence, ["ALTER COLUMN v TYPE BIGINT"], has_snapshots=True))["v"] == "BIGINT"
    assert refused(sequence, "ALTER COLUMN v TYPE STRING", has_snapshots=True).code == "type.sequence-field"


def test_a_default_must_fit_the_new_type() -> None:
    table = evolve(TableSchema.create("a STRING"), ["ALTER COLUMN a SET DEFAULT 'ten'"])
    assert refused(table, "ALTER COLUMN a TYPE INT").code == "default.invalid"
    after = evolve(table, ["ALTER COLUMN a SET DEFAULT 10", "ALTER COLUMN a TYPE INT"])
    assert (types_of(after)["a"], after.fields[0].default) == ("INT", "10")


# ---------------------------------------------------------------- options and keys


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("SET OPTION merge-engine = first-row", "option.immutable"),
        ("UNSET OPTION bucket-key", "option.immutable"),
        ("UNSET OPTION bucket", "bucket.reset"),
        ("SET OPTION bucket = -1", "bucket.to-dynamic"),
        ("SET OPTION deletion-vectors.enabled = true", "dv.mode-change"),
        ("SET OPTION primary-key = cust_id", "option.immutable"),
        ("DROP PRIMARY KEY", "primary-key.drop-with-snapshots"),
    ],
)
def test_what_decides_the_layout_is_fixed_once_there_is_data(change: str, code: str) -> None:
    assert refused(ORDERS, change, has_snapshots=True).code == code


def test_ignoring_cannot_be_turned_off_by_taking_the_option_away() -> None:
    table = TableSchema.create("k INT, v INT", primary_keys=["k"], options={"ignore-delete": "true"})
    for change in ("SET OPTION ignore-delete = false", "UNSET OPTION ignore-delete"):
        assert refused(table, change, has_snapshots=True).code == "option.ignore-cannot-turn-off"
        assert evolve(table, [change]).options.get("ignore-delete") != "true"


def test_an_option_that_is_set_and_set_back_in_one_batch_is_refused() -> None:
    table = TableSchema.create("k INT, v INT", primary_keys=["k"], options={"x": "1"})
    for batch in (
        ["SET OPTION x = 2", "SET OPTION x = 1"],
        ["UNSET OPTION x", "SET OPTION x = 1"],
        ["DROP PRIMARY KEY", "SET OPTION primary-key = k"],
    ):
        assert refused(table, *batch).code == "option.contradictory-batch"
    assert dict(evolve(table, ["SET OPTION x = 2", "SET OPTION x = 3"]).options) == {"x": "3"}


def test_keys_are_set_through_options_while_the_table_is_empty() -> None:
    table = TableSchema.create("k INT, p STRING, v INT")
    after = evolve(table, ["SET OPTION primary-key = 'k,p'", "SET OPTION partition = p"])
    assert (after.primary_keys, after.partition_keys, dict(after.options)) == (("k", "p"), ("p",), {})
    assert types_of(after)["k"] == "INT NOT NULL"


def test_a_table_comment_is_set_and_removed() -> None:
    after = evolve(ORDERS, ["SET COMMENT ''"])
    assert after.comment == ""
    assert evolve(after, ["DROP COMMENT"]).comment is None


# ---------------------------------------------------------------- laws


@given(st.data())
def test_ids_are_unique_and_the_highest_never_falls(data: st.DataObject) -> None:
    before = data.draw(tables())
    batch = data.draw(batches(before, min_size=1, change=lambda schema: additions(schema) | one_change(schema)))
    after = evolve(before, batch)
    ids = all_ids(after.fields)
    assert len(ids) == len(set(ids))
    assert after.highest_field_id >= before.highest_field_id
    new = set(ids) - set(all_ids(before.fields))
    assert all(before.highest_field_id < number <= after.highest_field_id for number in new)


def test_changes_into_rows_and_around_them_do_in_one_batch_what_they_do_one_by_one() -> None:
    table = TableSchema.create("a INT, r ROW<x INT>, l ARRAY<ROW<p ROW<q INT>>>")
    batch = [
        "ADD COLUMN r.b INT",
        "ADD COLUMN l.element.p.b INT FIRST",
        "ADD COLUMN r.c ROW<y INT> AFTER x",
        "ADD COLUMN r.c.z INT FIRST",
        "ADD COLUMN s INT",
        "RENAME COLUMN r.b TO d",
        "ALTER COLUMN r.d TYPE BIGINT",
        "ADD COLUMN r.b STRING BEFORE d",
        "RENAME COLUMN r TO t",
        "DROP COLUMN t.x",
        "ALTER COLUMN t.d COMMENT 'd'",
        "RENAME COLUMN s TO r",
        "ADD COLUMN l.element.o INT",
        "DROP COLUMN l.element.p.q",
        "ALTER COLUMN t FIRST",
        "ALTER COLUMN t.b SET DEFAULT 'x'",
    ]
    after = table
    for change in batch:
        after = evolve(after, [change])
    together = evolve(table, batch)
    assert (together.fields, together.highest_field_id) == (after.fields, after.highest_field_id)
    assert [str(one) for one in together.fields] == [
        "`t` ROW<`c` ROW<`z` INT, `y` INT>, `b` STRING DEFAULT 'x', `d` BIGINT COMMENT 'd'>",
        "`a` INT",
        "`l` ARRAY<ROW<`p` ROW<`b` INT>, `o` INT>>",
        "`r` INT",
    ]


def test_a_refused_change_of_a_type_leaves_the_type_as_it_was() -> None:
    table = TableSchema.create("a STRING DEFAULT 'x'")
    _, refusals = attempt(table, parse_changes(["ALTER COLUMN a TYPE INT", "ALTER COLUMN a SET DEFAULT 'y'"]))
    assert [(one.number, one.faults[0].code) for one in refusals] == [(0, "default.invalid")]


@pytest.mark.parametrize("place", ["", "r."])
def test_a_field_whose_id_is_taken_is_refused_even_if_it_goes_again(place: str) -> None:
    source = json.loads(TableSchema.create("r ROW<x INT>, a INT").to_json()) | {"highestFieldId": -1 if not place else 0}
    table = TableSchema.from_json(json.dumps(source))
    for gone in ("b", "a" if not place else "x"):
        assert refused(table, f"ADD COLUMN {place}b INT", f"DROP COLUMN {place}{gone}").code == "fields.duplicate-id"


def test_what_can_be_read_no_more_is_not_made() -> None:
    table = TableSchema.create("a INT", comment="x" * 9_000_000)
    assert refused(table, "ALTER COLUMN a COMMENT '" + "x" * 7_000_000 + "'").code == "json.too-large"


def test_only_what_stays_counts_for_the_size_of_a_schema() -> None:
    table = TableSchema.from_json(TableSchema.create("a INT, b ROW<x INT>").to_json())
    long = "x" * 6_000_000
    once, again, and_gone = (UpdateColumnComment(("a",), text) for text in (long, long + "x", None))
    assert evolve(table, [once, again, once, and_gone]).fields == table.fields
    for _ in range(4):
        table = evolve(table, [UpdateColumnComment(("b", "x"), long)])
    assert refused(table, once, UpdateColumnComment(("b",), long)).code == "json.too-large"


def test_what_no_file_can_hold_is_refused() -> None:
    table = TableSchema.create("a INT")
    assert refused(table, UpdateColumnComment(("a",), "\ud800")).code == "json.surrogate"
    assert evolve(table, [UpdateColumnComment(("a",), "\ud800"), UpdateColumnComment(("a",), None)]).fields == table.fields


@given(st.data())
def test_a_batch_gives_the_same_schema_every_time(data: st.DataObject) -> None:
    before = data.draw(tables())
    batch = data.draw(batches(before))
    assert evolve(before, batch).digest == evolve(before, [one.to_json() for one in batch]).digest


@given(st.data())
def test_what_evolves_reads_back(data: st.DataObject) -> None:
    before = data.draw(tables())
    after = evolve(before, data.draw(batches(before)))
    assert TableSchema.from_json(after.to_json()) == after


@given(st.data())
def test_no_batch_fails_otherwise_and_no_refusal_is_without_advice(data: st.DataObject) -> None:
    before = data.draw(tables())
    batch = data.draw(st.lists(one_change(before), max_size=6))
    _, refusals = attempt(before, batch, has_snapshots=data.draw(st.booleans()))
    for refusal in refusals:
        assert all(fault.code and fault.message and fault.fix for fault in refusal.faults)


@given(st.data())
def test_more_history_and_data_never_allow_more(data: st.DataObject) -> None:
    first = data.draw(tables())
    second = evolve(first, data.draw(batches(first)))
    batch = data.draw(st.lists(one_change(second), min_size=1, max_size=3))
    _, refusals = attempt(second, batch, has_snapshots=True, history=[first])
    assume(not refusals)
    assert not attempt(second, batch)[1]
