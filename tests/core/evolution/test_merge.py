"""Merging incoming data into a table: what a user who writes with merge-schema relies on."""

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core.evolution.merge import merge, merge_type
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.field_ids import all_ids
from airflow_provider_schemas.core.types.nested import Field, RowType, array, map_of, multiset, row
from airflow_provider_schemas.core.types.nested import field as field_of
from airflow_provider_schemas.core.types.parsing import parse_ddl
from airflow_provider_schemas.errors import InvalidSchemaError, MergeError, TypeTextError

# A type, and one that it grows into without a cast being asked for and without old files becoming unreadable.
WIDER = [
    ("TINYINT", "SMALLINT"),
    ("SMALLINT", "INT"),
    ("INT", "BIGINT"),
    ("BIGINT", "DECIMAL(19, 0)"),
    ("FLOAT", "DOUBLE"),
    ("DECIMAL(10, 2)", "DECIMAL(12, 2)"),
    ("VARCHAR(5)", "STRING"),
    ("CHAR(3)", "VARCHAR(3)"),
    ("BINARY(5)", "BYTES"),
    ("TIMESTAMP(3)", "TIMESTAMP(6)"),
    ("TIMESTAMP(3) WITH LOCAL TIME ZONE", "TIMESTAMP(9) WITH LOCAL TIME ZONE"),
]
OTHERS = ["BOOLEAN", "DATE", "TIME(3)", "STRING", "BYTES", "VARIANT", "ARRAY<INT>", "MAP<INT, STRING>", "VECTOR<FLOAT, 3>", "INT NOT NULL"]


def table(columns: str, **more: Any) -> TableSchema:
    return TableSchema.create(columns, **more)


def kind(text: str) -> DataType:
    return parse_ddl(text)


def names_and_types(schema: TableSchema) -> list[tuple[str, str]]:
    return [(one.name, str(one.type)) for one in schema.fields]


def merged_type(base: str, update: str, **how: bool) -> str:
    return str(merge_type(kind(base), kind(update), highest_field_id=10, **how)[0])


def refusal(base: str, update: str, **how: bool) -> MergeError:
    with pytest.raises(MergeError) as caught:
        merge(table(base), update, **how)
    return caught.value


class TestNewColumns:
    def test_a_new_column_is_appended_under_a_new_id(self) -> None:
        merged = merge(table("id INT, name STRING"), "coupon STRING, id INT")
        assert [(one.id, one.name) for one in merged.fields] == [(0, "id"), (1, "name"), (2, "coupon")]
        assert merged.highest_field_id == 2

    def test_a_new_column_is_nullable_because_old_files_lack_it_but_what_is_inside_it_stays_not_null(self) -> None:
        merged = merge(table("id INT"), "a INT NOT NULL, r ROW<x INT NOT NULL> NOT NULL")
        assert names_and_types(merged)[1:] == [("a", "INT"), ("r", "ROW<`x` INT NOT NULL>")]

    def test_a_new_column_brings_its_comment_and_default(self) -> None:
        merged = merge(table("id INT"), "coupon INT COMMENT 'what they typed' DEFAULT 5")
        assert (merged.fields[1].description, merged.fields[1].default) == ("what they typed", "5")

    def test_a_new_field_of_a_row_is_added_at_every_depth(self) -> None:
        merged = merge(
            table("r ROW<a ARRAY<ROW<x INT>>, m MAP<STRING, ROW<y INT>>>"),
            "r ROW<a ARRAY<ROW<x INT, x2 INT>>, m MAP<STRING, ROW<y2 INT, y INT>>>",
        )
        assert str(merged.fields[0].type) == ("ROW<`a` ARRAY<ROW<`x` INT, `x2` INT>>, `m` MAP<STRING, ROW<`y` INT, `y2` INT>>>")

    def test_new_nested_fields_get_their_ids_before_the_column_around_them_as_java_counts(self) -> None:
        merged = merge(table("id INT"), "f ROW<f1 INT, f2 INT>")
        inner = merged.fields[1].type
        assert isinstance(inner, RowType)
        assert ([one.id for one in inner.fields], merged.fields[1].id) == ([1, 2], 3)

    def test_an_id_that_a_dropped_column_had_is_not_used_again(self) -> None:
        before = table("id INT")
        dropped = TableSchema(fields=before.fields, highest_field_id=7)
        assert merge(dropped, "id INT, x INT").fields[1].id == 8

    def test_an_id_in_use_is_not_given_again_even_if_the_file_claims_a_lower_highest_id(self) -> None:
        damaged = TableSchema(fields=table("a INT, b INT").fields, highest_field_id=0)
        assert [one.id for one in merge(damaged, "c INT").fields] == [0, 1, 2]


class TestWhatTheTableHas:
    def test_nothing_is_dropped_moved_or_renamed(self) -> None:
        assert names_and_types(merge(table("a INT, b INT, c INT"), "c INT, d INT, a INT")) == [(name, "INT") for name in "abcd"]

    def test_a_column_keeps_its_id_name_comment_default_and_not_null(self) -> None:
        before = table("n INT NOT NULL COMMENT 'ours' DEFAULT 1")
        merged = merge(before, "n BIGINT COMMENT 'theirs' DEFAULT 2")
        assert merged.fields == (before.fields[0].with_type(kind("BIGINT NOT NULL")),)

    def test_a_container_keeps_its_not_null(self) -> None:
        assert merged_type("ARRAY<INT NOT NULL> NOT NULL", "ARRAY<BIGINT>") == "ARRAY<BIGINT NOT NULL> NOT NULL"
        assert merged_type("ROW<x INT> NOT NULL", "ROW<y INT>") == "ROW<`x` INT, `y` INT> NOT NULL"

    def test_keys_options_and_comment_are_carried_over_and_the_version_goes_up(self) -> None:
        before = table(
            "id INT NOT NULL, dt STRING NOT NULL, v INT",
            partition_keys=["dt"],
            primary_keys=["id", "dt"],
            options={"bucket": "4"},
            comment="orders",
        )
        after = merge(before, "v BIGINT")
        assert (after.partition_keys, after.primary_keys, after.options, after.comment) == (("dt",), ("id", "dt"), before.options, "orders")
        assert (after.id, after.version) == (before.id + 1, 3)
        assert after.time_millis > 1_700_000_000_000

    def test_keys_of_other_tools_in_the_file_are_kept_but_not_our_note_about_the_version(self) -> None:
        unknown = ((("schemas",), '{"run": "r1"}'), (("acme",), "1"), (("fields", 0, "hint"), "2"))
        before = TableSchema(fields=table("a INT").fields, highest_field_id=0, unknown=unknown)
        assert merge(before, "b INT").unknown == ((("acme",), "1"),)

    def test_a_merge_that_changes_nothing_makes_no_version(self) -> None:
        before = table("a INT NOT NULL, r ROW<x INT, y INT>")
        assert merge(before, "r ROW<y INT NOT NULL> COMMENT 'other', a INT") is before


class TestTypes:
    @pytest.mark.parametrize(("narrow", "wide"), WIDER)
    def test_a_column_grows_into_the_wider_type(self, narrow: str, wide: str) -> None:
        assert names_and_types(merge(table(f"v {narrow}"), f"v {wide}")) == [("v", wide)]

    @pytest.mark.parametrize(("narrow", "wide"), WIDER)
    def test_types_stay_as_they_are_when_widening_is_off(self, narrow: str, wide: str) -> None:
        before = table(f"v {narrow}, a ARRAY<{narrow}>")
        assert merge(before, f"v {wide}, a ARRAY<{wide}>", type_widening=False) is before

    def test_with_widening_off_even_a_row_instead_of_a_number_changes_nothing(self) -> None:
        before = table("v INT")
        assert merge(before, "v ROW<x INT>", type_widening=False) is before

    def test_with_widening_off_new_fields_still_arrive(self) -> None:
        assert names_and_types(merge(table("r ROW<x INT>"), "r ROW<x BIGINT, y INT>", type_widening=False)) == [
            ("r", "ROW<`x` INT, `y` INT>")
        ]

    def test_elements_and_values_grow_too(self) -> None:
        merged = merge(table("a ARRAY<INT>, m MAP<STRING, FLOAT>"), "a ARRAY<BIGINT>, m MAP<STRING, DOUBLE>")
        assert names_and_types(merged) == [("a", "ARRAY<BIGINT>"), ("m", "MAP<STRING, DOUBLE>")]

    def test_text_does_not_become_a_number_unless_an_explicit_cast_is_allowed(self) -> None:
        error = refusal("v STRING", "v INT")
        assert (error.code, error.path) == ("merge.incompatible", "v")
        assert error.fix == "Cast the incoming column to STRING before writing. Or allow explicit casts."
        assert names_and_types(merge(table("v STRING"), "v INT", allow_explicit_cast=True)) == [("v", "INT")]

    def test_explicit_casts_are_not_recommended_where_they_would_make_old_files_unreadable(self) -> None:
        assert refusal("v VARIANT", "v STRING").fix == "Cast the incoming column to VARIANT before writing."

    def test_decimals_of_one_scale_take_the_larger_precision(self) -> None:
        assert merged_type("DECIMAL(10, 2) NOT NULL", "DECIMAL(12, 2)") == "DECIMAL(12, 2) NOT NULL"
        assert merged_type("DECIMAL(12, 2)", "DECIMAL(10, 2)") == "DECIMAL(12, 2)"

    @pytest.mark.parametrize("explicit", [False, True])
    def test_decimals_of_another_scale_never_merge(self, explicit: bool) -> None:
        assert refusal("v DECIMAL(10, 2)", "v DECIMAL(12, 3)", allow_explicit_cast=explicit).code == "merge.decimal-scale"

    @pytest.mark.parametrize(
        ("base", "update", "code"),
        [
            ("VARCHAR(5)", "VARCHAR(4)", "merge.lower-length"),
            ("STRING", "VARCHAR(4)", "merge.lower-length"),
            ("CHAR(5)", "VARCHAR(4)", "merge.lower-length"),
            ("BINARY(5)", "VARBINARY(4)", "merge.lower-length"),
            ("TIMESTAMP(6)", "TIMESTAMP(3)", "merge.lower-precision"),
            ("TIMESTAMP(6)", "TIMESTAMP(3) WITH LOCAL TIME ZONE", "merge.lower-precision"),
            ("TIMESTAMP(6)", "TIME(3)", "merge.lower-precision"),
        ],
    )
    def test_a_column_shrinks_only_by_an_explicit_cast(self, base: str, update: str, code: str) -> None:
        error = refusal(f"v {base}", f"v {update}")
        assert (error.code, error.fix) == (code, f"Cast the incoming column to {base} before writing.")
        assert merged_type(base, update, allow_explicit_cast=True) == update

    @pytest.mark.parametrize("shape", ["{}", "ROW<a {}>", "ARRAY<{}>", "MAP<INT, {}>", "MULTISET<{}>", "{} NOT NULL"])
    def test_a_vector_shrinks_only_by_an_explicit_cast_at_every_depth(self, shape: str) -> None:
        longer, shorter = (str(kind(shape.format(f"VECTOR<FLOAT, {length}>"))) for length in (5, 3))
        with pytest.raises(MergeError) as caught:
            merged_type(longer, shorter)
        assert caught.value.code == "merge.lower-length"
        assert "VECTOR<FLOAT, 3> is shorter than VECTOR<FLOAT, 5>" in caught.value.message
        assert merged_type(longer, shorter, allow_explicit_cast=True) == shorter
        assert merged_type(longer, shorter, type_widening=False) == longer
        assert merged_type(shorter, longer) == longer
        assert refusal(f"v {longer}", f"v {shorter}").code == "merge.lower-length"


class TestOldFilesStayReadable:
    """Java merges these pairs and cannot read the old files afterwards; a whole schema is not merged into that."""

    @pytest.mark.parametrize(
        ("base", "update", "path"),
        [
            ("TIME(3)", "TIME(6)", "v"),
            ("DECIMAL(10, 2)", "TIMESTAMP(3)", "v"),
            ("VARIANT", "STRING", "v"),
            ("DATE", "VARCHAR(10)", "v"),
            ("DATE NOT NULL", "STRING", "v"),
            ("VECTOR<FLOAT, 3>", "VECTOR<FLOAT, 5>", "v"),
            ("ARRAY<TIME(3)>", "ARRAY<TIME(6)>", "v.element"),
            ("MULTISET<INT>", "MULTISET<BIGINT>", "v.element"),
            ("MAP<INT, STRING>", "MAP<BIGINT, STRING>", "v.key"),
            ("MAP<ROW<x INT>, STRING>", "MAP<ROW<x INT, y INT>, STRING>", "v.key"),
        ],
    )
    def test_a_type_that_old_files_cannot_be_converted_to_is_refused(self, base: str, update: str, path: str) -> None:
        error = refusal(f"v {base}", f"v {update}", allow_explicit_cast=True)
        assert (error.code, error.path) == ("merge.no-converter", path)
        assert merge_type(kind(base), kind(update), highest_field_id=10, allow_explicit_cast=True)[0] != kind(base)

    @pytest.mark.parametrize(("key", "code"), [("partition_keys", "type.partition-key"), ("primary_keys", "type.primary-key")])
    def test_a_key_column_keeps_its_type(self, key: str, code: str) -> None:
        before = table("k INT NOT NULL, v INT", **{key: ["k"]})
        with pytest.raises(MergeError, match="Cast the incoming column to INT before writing") as caught:
            merge(before, "k BIGINT, v BIGINT")
        assert (caught.value.code, caught.value.path) == (code, "k")


class TestNamesAndCase:
    def test_a_name_in_another_case_is_another_column(self) -> None:
        assert names_and_types(merge(table("A INT"), "a INT")) == [("A", "INT"), ("a", "INT")]

    @pytest.mark.parametrize(
        ("ours", "theirs"), [("A", "a"), ("Straße", "STRAßE"), ("İd", "id"), ("ärger", "ÄRGER"), ("Kelvin", "\u212aelvin")]
    )
    def test_when_case_is_ignored_it_is_the_same_column_under_the_table_s_name(self, ours: str, theirs: str) -> None:
        merged = merge(table(f"`{ours}` INT"), f"`{theirs}` BIGINT", case_sensitive=False)
        assert names_and_types(merged) == [(ours, "BIGINT")]

    def test_when_case_is_ignored_a_double_s_is_still_not_a_sharp_one(self) -> None:
        assert len(merge(table("strasse INT"), "straße INT", case_sensitive=False).fields) == 2

    @pytest.mark.parametrize(
        ("base", "update"),
        [("a INT, A INT", "a BIGINT"), ("a INT", "a INT, A BIGINT"), ("x INT", "b INT, B INT"), ("a INT, A INT", "a INT, A BIGINT")],
    )
    def test_when_case_is_ignored_a_name_that_could_mean_two_columns_is_refused(self, base: str, update: str) -> None:
        error = refusal(base, update, case_sensitive=False)
        assert (error.code, len(error.faults)) == ("merge.ambiguous-name", 1)

    def test_the_ambiguous_name_inside_a_row_is_found_at_its_path(self) -> None:
        error = refusal("a ARRAY<ROW<x INT>>", "a ARRAY<ROW<x INT, X INT>>", case_sensitive=False)
        assert (error.path, error.message) == ("a.element.X", "when case is ignored, 'X' and 'x' are one name.")

    def test_an_ambiguous_name_is_found_inside_a_new_column_too_for_the_next_merge_would_stumble_over_it(self) -> None:
        assert refusal("a INT", "m MAP<STRING, ROW<x INT, X INT>>", case_sensitive=False).path == "m.value.X"

    def test_two_columns_of_the_table_that_differ_in_case_do_not_disturb_a_merge_that_names_neither(self) -> None:
        assert len(merge(table("a INT, A INT"), "b INT", case_sensitive=False).fields) == 3


class TestRefusals:
    def test_every_column_that_does_not_fit_is_named_with_its_path(self) -> None:
        error = refusal(
            "a INT, r ROW<x INT, y STRING>, m MAP<STRING, INT>, ok INT, d DECIMAL(5, 2)",
            "a STRING, r ROW<x BOOLEAN, y STRING>, m MAP<STRING, DATE>, ok BIGINT, d DECIMAL(5, 1)",
        )
        assert [(fault.path, fault.code) for fault in error.faults] == [
            ("a", "merge.incompatible"),
            ("r.x", "merge.incompatible"),
            ("m.value", "merge.incompatible"),
            ("d", "merge.decimal-scale"),
        ]

    def test_the_sentence_names_both_types_and_the_next_step(self) -> None:
        assert str(refusal("a INT", "a BOOLEAN")) == (
            "a: BOOLEAN does not fit into INT. Cast the incoming column to INT before writing. Or allow explicit casts."
        )

    def test_a_type_of_a_thousand_fields_does_not_flood_the_sentence(self) -> None:
        wide = ", ".join(f"f{number} INT" for number in range(1_000))
        assert len(str(refusal("a INT", f"a ROW<{wide}>"))) < 300

    def test_a_column_that_no_table_may_have_is_refused(self) -> None:
        with pytest.raises(InvalidSchemaError):
            merge(table("a INT"), "_SEQUENCE_NUMBER BIGINT")

    @pytest.mark.parametrize("incoming", ["INT", kind("ARRAY<INT>"), None, 3])
    def test_what_has_no_columns_cannot_be_merged(self, incoming: Any) -> None:
        with pytest.raises(MergeError) as caught:
            merge(table("a INT"), incoming)
        assert caught.value.code == "merge.no-columns"

    def test_text_that_is_no_list_of_columns_says_so(self) -> None:
        with pytest.raises(TypeTextError):
            merge(table("a INT"), "a INTT")


@pytest.mark.parametrize("form", [str, kind, table, lambda text: kind(text).with_nullable(False)])
def test_incoming_columns_may_be_text_a_row_or_a_whole_schema(form: Any) -> None:
    assert names_and_types(merge(table("a INT"), form("a BIGINT, b STRING"))) == [("a", "BIGINT"), ("b", "STRING")]


def test_what_nobody_could_read_is_not_made() -> None:
    schema = table("a INT", comment="x" * 9_000_000)
    with pytest.raises(InvalidSchemaError) as caught:
        merge(schema, table("a INT, b INT COMMENT '" + "x" * 6_999_999 + "'"))
    assert [(one.code, one.path) for one in caught.value.faults] == [("json.too-large", "")]
    merged = merge(schema, table("a INT, b INT COMMENT '" + "x" * 6_999_000 + "'"))
    assert TableSchema.from_json(merged.to_json()).content == merged.content


# ---------------------------------------------------------------- laws

NAMES = st.sampled_from(["a", "b", "c", "d", "A", "B", "order id", "größe"])
LEAVES = st.sampled_from([text for pair in WIDER for text in pair] + OTHERS).map(kind)


def columns(kinds: st.SearchStrategy[DataType], most: int = 5) -> st.SearchStrategy[RowType]:
    return st.dictionaries(NAMES, kinds, min_size=1, max_size=most).map(
        lambda named: row(field_of(number, name, one) for number, (name, one) in enumerate(named.items()))
    )


def containers(kinds: st.SearchStrategy[DataType]) -> st.SearchStrategy[DataType]:
    nested: st.SearchStrategy[DataType] = st.one_of(
        kinds.map(array), kinds.map(multiset), st.builds(map_of, LEAVES, kinds), columns(kinds, 3)
    )
    return st.builds(lambda one, nullable: one.with_nullable(nullable), nested, st.booleans())


TYPES = st.recursive(LEAVES, containers, max_leaves=5)
SCHEMAS = columns(TYPES).map(str).map(lambda text: table(text.removeprefix("ROW<").removesuffix(">")))
GROWS = dict(WIDER)


@st.composite
def relatives(draw: st.DrawFn, schema: TableSchema) -> RowType:
    """Columns like those of the schema: some gone, some grown, some strange, some new, in any order."""
    there = [(one.name, kind(GROWS.get(str(one.type), str(one.type)))) for one in schema.fields if draw(st.booleans())]
    strange = [(name, draw(TYPES)) for name in draw(st.lists(NAMES, max_size=3))]
    named = dict(draw(st.permutations([*there, *strange])))
    return row(field_of(number, name, one) for number, (name, one) in enumerate(named.items()))


HOW = st.fixed_dictionaries({"type_widening": st.booleans(), "allow_explicit_cast": st.booleans(), "case_sensitive": st.booleans()})


def attempt(schema: TableSchema, incoming: TableSchema | DataType, how: dict[str, bool]) -> TableSchema | None:
    """The merged schema; None if it was refused, with an error that survives the way to another process."""
    try:
        return merge(schema, incoming, **how)
    except (MergeError, InvalidSchemaError) as error:
        refused = error
    assert pickle.loads(pickle.dumps(refused)).faults == refused.faults
    assert all(fault.path and fault.fix for fault in refused.faults)
    return None


@given(st.data(), SCHEMAS, HOW)
def test_merging_the_same_columns_again_changes_nothing(data: st.DataObject, schema: TableSchema, how: dict[str, bool]) -> None:
    incoming = data.draw(relatives(schema))
    once = attempt(schema, incoming, how)
    if once is not None:
        assert merge(once, incoming, **how) is once


@given(SCHEMAS, HOW)
def test_a_schema_merged_into_itself_is_itself(schema: TableSchema, how: dict[str, bool]) -> None:
    assert merge(schema, schema, **how) is schema


@given(st.data(), SCHEMAS, HOW)
def test_a_merge_keeps_what_was_there_and_never_uses_an_id_again(data: st.DataObject, schema: TableSchema, how: dict[str, bool]) -> None:
    merged = attempt(schema, data.draw(relatives(schema)), how)
    if merged is None:
        return
    kept = merged.fields[: len(schema.fields)]
    assert [facts(one) for one in kept] == [facts(one) for one in schema.fields]
    ids, before = all_ids(merged.fields), set(all_ids(schema.fields))
    assert len(ids) == len(set(ids))
    assert all(number > schema.highest_field_id for number in set(ids) - before)
    assert merged.highest_field_id == max([schema.highest_field_id, *ids])


def facts(one: Field) -> tuple[object, ...]:
    return one.id, one.name, one.type.nullable, one.description, one.default


@given(TYPES, TYPES, HOW)
def test_a_merged_type_is_as_nullable_as_the_base_and_merges_again_into_itself(
    base: DataType, update: DataType, how: dict[str, bool]
) -> None:
    try:
        merged, highest = merge_type(base, update, highest_field_id=1_000, **how)
    except MergeError:
        return
    assert merged.nullable is base.nullable
    again, same = merge_type(merged, update, highest_field_id=highest, **how)
    assert (again, same) == (merged, highest)


@given(TYPES, HOW)
def test_a_type_merged_with_itself_is_itself(one: DataType, how: dict[str, bool]) -> None:
    assert merge_type(one, one, highest_field_id=5, **how) == (one, 5)


def test_explicit_casts_are_not_advised_where_they_would_only_shrink_the_column() -> None:
    with pytest.raises(MergeError) as refused:
        merge(TableSchema.create("q BIGINT, t INT"), "q INT, t STRING")
    narrower, text = refused.value.faults
    assert "explicit" not in narrower.fix
    assert "explicit" in text.fix
