"""Reading old files under a newer schema: what comes out, what is refused, and how it is told."""

import math
import pickle
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core.projection.projection import Projection, ReadMode, project
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, RowType, array, field, map_of, row
from airflow_provider_schemas.core.types.parsing import parse_ddl
from airflow_provider_schemas.errors import ProjectionError


def columns(text: str, ids: list[int] | None = None) -> RowType:
    """Columns of SQL text, numbered from 0 or by these ids: first a ROW's own fields, then what is inside them."""
    kind = parse_ddl(text)
    assert isinstance(kind, RowType)
    return renumbered(kind, iter(ids)) if ids else kind


def renumbered(kind: RowType, ids: Iterator[int]) -> RowType:
    numbered = [(next(ids), one) for one in kind.fields]
    return row(field(at, one.name, renumbered(one.type, ids) if isinstance(one.type, RowType) else one.type) for at, one in numbered)


def read(written: RowType, wanted: RowType, values: dict[str, Any], **how: Any) -> dict[str, Any]:
    return project(written, wanted, **how).row(values)


def refusal(written: RowType, wanted: RowType, values: dict[str, Any] | None = None, **how: Any) -> ProjectionError:
    """The error of reading this row; without one, of projecting alone."""
    with pytest.raises(ProjectionError) as caught:
        _ = project(written, wanted, **how) if values is None else read(written, wanted, values, **how)
    return caught.value


class TestColumns:
    def test_a_renamed_column_keeps_its_values(self) -> None:
        assert read(columns("cust_id INT"), columns("customer_id INT"), {"cust_id": 7}) == {"customer_id": 7}

    def test_two_columns_that_swapped_names_keep_their_values(self) -> None:
        assert read(columns("a INT, b INT", [0, 1]), columns("b INT, a INT", [0, 1]), {"a": 1, "b": 2}) == {"b": 1, "a": 2}

    def test_columns_come_in_the_wanted_order(self) -> None:
        got = read(columns("a INT, b INT", [0, 1]), columns("b INT, a INT", [1, 0]), {"a": 1, "b": 2})
        assert list(got.items()) == [("b", 2), ("a", 1)]

    def test_a_column_that_the_files_lack_is_null_even_with_a_default(self) -> None:
        wanted = columns("a INT, coupon STRING DEFAULT 'none'")
        assert read(columns("a INT"), wanted, {"a": 1}) == {"a": 1, "coupon": None}

    def test_a_column_that_was_dropped_is_ignored(self) -> None:
        assert read(columns("a INT, b INT"), columns("a INT"), {"a": 1, "b": 2}) == {"a": 1}

    def test_a_dropped_name_that_came_back_does_not_bring_its_old_values_back(self) -> None:
        assert read(columns("a INT", [0]), columns("a INT", [1]), {"a": 1}) == {"a": None}

    def test_a_null_is_read_into_a_not_null_column_as_java_does(self) -> None:
        assert read(columns("a INT"), columns("a BIGINT NOT NULL"), {"a": None}) == {"a": None}

    def test_a_table_schema_will_do_as_well_as_a_row(self) -> None:
        written, wanted = TableSchema.create("a INT"), TableSchema.create("b BIGINT")
        assert project(written, wanted).row({"a": 1}) == {"b": 1}


class TestRowsOfAFile:
    def test_a_nullable_column_may_be_left_out_and_is_null(self) -> None:
        assert read(columns("a INT, b INT"), columns("a INT, b INT"), {"a": 1}) == {"a": 1, "b": None}

    def test_a_not_null_column_that_is_left_out_is_an_error(self) -> None:
        error = refusal(columns("a INT NOT NULL, b INT"), columns("a INT, b INT"), {"b": 1})
        assert (error.code, error.path) == ("read.missing-column", "a")

    def test_every_column_that_the_written_schema_lacks_is_named(self) -> None:
        error = refusal(columns("a INT"), columns("a INT"), {"a": 1, "x": 2, "y": 3})
        assert [(fault.code, fault.path) for fault in error.faults] == [("read.unknown-column", "x"), ("read.unknown-column", "y")]

    @pytest.mark.parametrize("values", [None, 7, "abc", [], (1, 2)])
    def test_what_is_no_row_is_refused(self, values: Any) -> None:
        with pytest.raises(ProjectionError):
            project(columns("a INT"), columns("a INT")).row(values)


class TestNested:
    def test_fields_of_a_row_are_renamed_reordered_added_dropped_and_converted(self) -> None:
        written = columns("r ROW<a INT, b STRING, c INT>", [0, 1, 2, 3])
        wanted = columns("r ROW<n INT, bb STRING, a BIGINT>", [0, 9, 2, 1])
        assert read(written, wanted, {"r": {"a": 1, "b": "x", "c": 3}}) == {"r": {"n": None, "bb": "x", "a": 1}}

    def test_elements_and_map_values_are_read_the_same_way(self) -> None:
        written, wanted = (
            columns("a ARRAY<ROW<x INT>>, m MAP<STRING, ROW<y INT>>"),
            columns("a ARRAY<ROW<x2 BIGINT>>, m MAP<STRING, ROW<y2 INT>>"),
        )
        got = read(written, wanted, {"a": [{"x": 1}, None], "m": [("k", {"y": 2}), ("l", None)]})
        assert got == {"a": [{"x2": 1}, None], "m": [("k", {"y2": 2}), ("l", None)]}

    def test_a_null_container_stays_null_and_an_empty_one_empty(self) -> None:
        written, wanted = (
            columns("r ROW<x INT>, a ARRAY<INT>, m MAP<INT, INT>"),
            columns("r ROW<x BIGINT>, a ARRAY<BIGINT>, m MAP<INT, BIGINT>"),
        )
        assert read(written, wanted, {"r": None, "a": [], "m": []}) == {"r": None, "a": [], "m": []}
        assert read(written, wanted, {"r": {"x": None}, "a": [None], "m": [(1, None)]}) == {"r": {"x": None}, "a": [None], "m": [(1, None)]}

    @pytest.mark.parametrize(
        ("around", "value"),
        [
            ("r {}", {"r": {"x": 1}}),
            ("r ARRAY<{}>", {"r": [{"x": 1}]}),
            ("r MAP<STRING, {}>", {"r": [("k", {"x": 1})]}),
            ("r ARRAY<MAP<STRING, {}>>", {"r": [[("k", {"x": 1})]]}),
        ],
    )
    def test_a_row_none_of_whose_fields_is_in_the_files_is_null_with_the_container_around_it(
        self, around: str, value: dict[str, Any]
    ) -> None:
        written = columns(around.format("ROW<x INT>"))
        renewed = columns(around.format("ROW<n INT, x INT>")).fields[0].type
        wanted = row([field(0, "r", without_first_ids(renewed))])
        assert read(written, wanted, value) == {"r": None}

    def test_a_row_around_a_replaced_row_is_null_too_but_not_one_with_another_field_left(self) -> None:
        written = columns("o ROW<r ROW<x INT>, keep INT>", [0, 1, 2, 3])
        value = {"o": {"r": {"x": 1}, "keep": 5}}
        assert read(written, columns("o ROW<r ROW<n INT>, keep INT>", [0, 1, 2, 9]), value) == {"o": {"r": None, "keep": 5}}
        assert read(written, columns("o ROW<r ROW<n INT>>", [0, 1, 9]), value) == {"o": None}

    def test_a_row_may_be_a_tuple_in_the_files_and_comes_out_as_a_dict(self) -> None:
        same, more = columns("r ROW<x INT, a ARRAY<ROW<y INT>>>"), columns("r ROW<x BIGINT, a ARRAY<ROW<y INT>>>")
        for wanted in (same, more):
            assert read(same, wanted, {"r": (1, [(2,)])}) == {"r": {"x": 1, "a": [{"y": 2}]}}

    def test_a_map_stays_pairs_or_a_dict_as_it_came(self) -> None:
        written, wanted = columns("m MAP<STRING, INT>"), columns("m MAP<STRING, BIGINT>")
        assert read(written, wanted, {"m": {"k": 1}}) == {"m": {"k": 1}}
        assert read(written, wanted, {"m": [["k", 1]]}) == {"m": [("k", 1)]}

    @pytest.mark.parametrize(
        ("text", "value"),
        [("v ROW<x INT>", 5), ("v ROW<x INT>", (1, 2)), ("v ARRAY<INT>", 5), ("v MAP<INT, INT>", [1]), ("v MAP<INT, INT>", 5)],
    )
    def test_a_value_of_the_wrong_form_is_named(self, text: str, value: Any) -> None:
        error = refusal(columns(text), columns(text.replace("INT>", "BIGINT>")), {"v": value})
        assert (error.code, error.path) == ("read.no-conversion-or-bad-value", "v")


def without_first_ids(kind: DataType) -> DataType:
    """The type with ids that no file has."""
    if isinstance(kind, RowType):
        return row(field(one.id + 100, one.name, one.type) for one in kind.fields)
    return inside(kind, without_first_ids)


def inside(kind: DataType, change: Callable[[DataType], DataType]) -> DataType:
    """The ARRAY or MAP with its element or value changed."""
    if isinstance(kind, ArrayType):
        return array(change(kind.element))
    assert isinstance(kind, MapType)
    return map_of(kind.key, change(kind.value))


class TestConversions:
    def test_a_value_is_converted_from_the_type_of_the_file(self) -> None:
        assert read(columns("a INT"), columns("a STRING"), {"a": 383}) == {"a": "383"}

    def test_every_pair_that_cannot_be_read_is_named_before_any_row_is(self) -> None:
        error = refusal(
            columns("a DATE, r ROW<x INT, t TIME(3)>, m MAP<INT, INT>, v ARRAY<BOOLEAN>"),
            columns("a INT, r ROW<x BINARY(3), t TIME(6)>, m MAP<BIGINT, INT>, v ARRAY<DATE>"),
        )
        assert [fault.path for fault in error.faults] == ["a", "r.x", "r.t", "m.key", "v.element"]
        assert {fault.code for fault in error.faults} == {"read.no-conversion-or-bad-value"}
        assert error.message == "DATE in the files cannot be read as INT: no such conversion exists."

    @pytest.mark.parametrize("wanted", ["ROW<x INT>", "ARRAY<STRING>", "MAP<STRING, STRING>"])
    def test_text_is_never_read_as_a_container(self, wanted: str) -> None:
        assert refusal(columns("v STRING"), columns(f"v {wanted}")).path == "v"

    def test_not_null_of_a_map_key_counts_because_keys_are_never_converted(self) -> None:
        assert refusal(columns("m MAP<INT, INT>"), columns("m MAP<INT NOT NULL, BIGINT>")).path == "m.key"

    def test_a_value_that_cannot_be_converted_is_named_with_its_field_and_types(self) -> None:
        error = refusal(columns("s STRING", [4]), columns("flag BOOLEAN", [4]), {"s": "maybe"})
        assert (error.code, error.path) == ("read.no-conversion-or-bad-value", "flag")
        assert error.message.startswith("STRING in the files cannot be read as BOOLEAN: 'maybe' is ")

    def test_all_bad_values_of_a_row_are_named_at_once(self) -> None:
        written, wanted = columns("a STRING, r ROW<x STRING, y INT>"), columns("a INT, r ROW<x INT, y INT>")
        assert [fault.path for fault in refusal(written, wanted, {"a": "?", "r": {"x": "?", "y": 1}}).faults] == ["a", "r.x"]

    def test_a_huge_value_does_not_flood_the_message(self) -> None:
        assert len(str(refusal(columns("s STRING"), columns("s BOOLEAN"), {"s": "x" * 1_000_000}))) < 500

    @pytest.mark.parametrize("value", [object(), "x", [1], {"a": 1}, b"1"])
    def test_a_value_that_is_not_what_the_file_s_type_holds_is_an_error_of_ours(self, value: Any) -> None:
        with pytest.raises(ProjectionError):
            project(columns("a INT"), columns("a DECIMAL(9, 0)")).row({"a": value})

    def test_containers_become_text_whatever_form_their_rows_came_in(self) -> None:
        written, wanted = columns("a ARRAY<ROW<x INT, y STRING>>, m MAP<STRING, INT>"), columns("a STRING, m STRING", [0, 3])
        for rows, pairs in (([{"x": 1, "y": "b"}, None], {"k": 1}), ([(1, "b"), None], [("k", 1)])):
            assert read(written, wanted, {"a": rows, "m": pairs}, casts="paimon") == {"a": "[{1, b}, null]", "m": "{k -> 1}"}


class TestCheckedCasts:
    @pytest.mark.parametrize(
        ("written", "wanted", "value", "as_java"),
        [
            ("INT", "TINYINT", 383, 127),
            ("BIGINT", "INT", 2**31, -(2**31)),
            ("DOUBLE", "INT", 1.5, 1),
            ("DOUBLE", "INT", math.nan, 0),
            ("INT", "BOOLEAN", 5, True),
            ("INT", "FLOAT", 16_777_217, 16_777_216.0),
            ("DECIMAL(5, 2)", "DECIMAL(4, 2)", Decimal("123.45"), None),
            ("DECIMAL(5, 2)", "INT", Decimal("1.25"), 1),
            ("STRING", "VARCHAR(2)", "abc", "ab"),
            ("STRING", "INT", "007", 7),
            ("BYTES", "BINARY(4)", b"abc", b"abc\0"),
        ],
    )
    def test_a_value_that_does_not_come_back_stops_the_read_and_java_s_answer_can_be_had(
        self, written: str, wanted: str, value: Any, as_java: Any
    ) -> None:
        before, after = columns(f"v {written}"), columns(f"v {wanted}")
        error = refusal(before, after, {"v": value})
        assert (error.code, error.path) == ("read.lossy-value", "v")
        assert "casts='paimon'" in error.fix
        assert read(before, after, {"v": value}, casts="paimon") == {"v": as_java}

    @pytest.mark.parametrize(
        ("written", "wanted", "value", "expected"),
        [
            ("INT", "TINYINT", 100, 100),
            ("DOUBLE", "INT", 1.0, 1),
            ("STRING", "INT", "-12", -12),
            ("DECIMAL(5, 2)", "DECIMAL(4, 2)", Decimal("12.30"), Decimal("12.30")),
            ("VARCHAR(20)", "DATE", "2024-02-29", 19782),
            ("CHAR(12)", "DATE", "2024-02-29  ", 19782),
            ("ARRAY<INT>", "STRING", [1, None, 3], "[1, null, 3]"),
            ("ROW<x INT, y STRING>", "STRING", {"x": 1, "y": "b"}, "{1, b}"),
            ("BOOLEAN", "STRING", True, "true"),
            ("BOOLEAN", "DECIMAL(3, 1)", True, Decimal("1.0")),
            ("BOOLEAN", "DOUBLE", False, 0.0),
            ("FLOAT", "STRING", 0.1, "0.1"),
        ],
    )
    def test_a_value_that_comes_back_is_read(self, written: str, wanted: str, value: Any, expected: Any) -> None:
        wanted_columns = row([field(0, "v", parse_ddl(wanted))])
        assert read(columns(f"v {written}"), wanted_columns, {"v": value}) == {"v": expected}

    def test_not_a_number_comes_back_as_itself(self) -> None:
        assert math.isnan(read(columns("v DOUBLE"), columns("v FLOAT"), {"v": math.nan})["v"])

    def test_text_that_would_not_be_the_same_array_again_is_lossy(self) -> None:
        assert refusal(columns("v ARRAY<STRING>"), columns("v STRING"), {"v": ["a, b"]}).code == "read.lossy-value"

    def test_the_sentence_shows_what_would_be_read_and_the_way_out(self) -> None:
        assert str(refusal(columns("n INT"), columns("n TINYINT"), {"n": 383})) == (
            "n: 383, INT in the files, does not survive as TINYINT: it would read as 127. "
            "Read the field as INT, or pass casts='paimon' to accept the loss."
        )

    def test_the_time_zone_decides_whether_wall_time_comes_back(self) -> None:
        written, wanted = columns("t TIME(3)"), columns("t TIMESTAMP(3) WITH LOCAL TIME ZONE")
        assert project(written, wanted, timezone="UTC").row({"t": 1})["t"].millis == 1
        assert refusal(written, wanted, {"t": 1}, timezone="Asia/Shanghai").code == "read.lossy-value"


class TestInspection:
    WRITTEN = columns(
        "cust_id INT, amount DECIMAL(10, 2), note STRING, r ROW<x INT, gone INT>, q ROW<z INT>, k INT", [*range(6), 10, 11, 12]
    )
    WANTED = columns(
        "k INT, customer_id BIGINT, amount DECIMAL(12, 2), coupon STRING, r ROW<x2 INT, y INT>, q ROW<z2 INT>",
        [5, 0, 1, 7, 3, 4, 10, 13, 14],
    )

    def test_it_tells_in_plain_words_what_differs(self) -> None:
        assert str(project(self.WRITTEN, self.WANTED)).splitlines() == [
            "customer_id <- cust_id (renamed), INT as BIGINT",
            "amount <- DECIMAL(10, 2) as DECIMAL(12, 2)",
            "coupon <- nothing in these files: NULL",
            "r.x2 <- x (renamed)",
            "r.y <- nothing in these files: NULL",
            "q <- none of its fields in these files: NULL",
            "note: in these files, not wanted",
            "r.gone: in these files, not wanted",
            "1 column as in the files",
        ]

    def test_it_can_be_walked_as_a_tree(self) -> None:
        fields = {one.name: one for one in project(self.WRITTEN, self.WANTED).fields}
        assert {name: one.how.value for name, one in fields.items()} == {
            "k": "same",
            "customer_id": "convert",
            "amount": "convert",
            "coupon": "absent",
            "r": "nested",
            "q": "absent",
        }
        assert (fields["customer_id"].id, fields["customer_id"].source, str(fields["customer_id"].source_type)) == (0, "cust_id", "INT")
        assert (str(fields["k"]), str(fields["r"])) == ("k <- as it is", "r <- part by part")
        assert [(one.path, one.source, one.how) for one in fields["r"].children] == [
            ("r.x2", "x", ReadMode.SAME),
            ("r.y", None, ReadMode.ABSENT),
        ]

    def test_a_container_that_differs_only_in_comments_is_read_as_it_is(self) -> None:
        written, wanted = columns("a ARRAY<ROW<x INT>>"), columns("a ARRAY<ROW<x INT COMMENT 'new'>>")
        assert project(written, wanted).identity
        assert project(written, written).explain() == "1 column as in the files"

    def test_a_change_of_order_or_name_is_no_identity(self) -> None:
        written = columns("a INT, b INT")
        assert not project(written, columns("b INT, a INT", [1, 0])).identity
        assert not project(written, columns("a INT")).identity
        assert not project(written, columns("a INT, c INT")).identity

    def test_it_cannot_be_changed_and_survives_the_way_to_another_process(self) -> None:
        projection = project(self.WRITTEN, self.WANTED)
        value = {"cust_id": 1, "k": 2, "r": {"x": 3, "gone": 4}}
        before = projection.row(value)
        sent: Projection = pickle.loads(pickle.dumps(projection))
        assert (sent, sent.row(value)) == (projection, before)
        with pytest.raises(AttributeError):
            projection.casts = "paimon"  # type: ignore[misc]


class TestCallsThatMakeNoSense:
    def test_a_way_to_cast_that_does_not_exist_is_refused(self) -> None:
        assert refusal(columns("a INT"), columns("a INT"), casts="fast").code == "read.unknown-casts"

    @pytest.mark.parametrize("schema", [None, "a INT", parse_ddl("INT")])
    def test_only_what_has_columns_can_be_projected(self, schema: Any) -> None:
        assert refusal(schema, columns("a INT")).code == "read.no-columns"

    def test_a_written_schema_with_one_id_twice_is_refused(self) -> None:
        assert refusal(columns("a INT, b INT", [1, 1]), columns("a INT", [1])).code == "read.duplicate-id"


# ---------------------------------------------------------------- laws

LEAVES: dict[str, st.SearchStrategy[Any]] = {
    "INT": st.integers(-(2**31), 2**31 - 1),
    "SMALLINT": st.integers(-(2**15), 2**15 - 1),
    "FLOAT": st.floats(width=32),
    "DECIMAL(6, 2)": st.decimals(-9999, 9999, places=2),
    "VARCHAR(5)": st.text(max_size=5),
    "BOOLEAN": st.booleans(),
    "BYTES": st.binary(max_size=5),
}
WIDER = {"SMALLINT": "INT", "INT": "BIGINT", "FLOAT": "DOUBLE", "DECIMAL(6, 2)": "DECIMAL(9, 2)", "VARCHAR(5)": "STRING"}


def rows_of(kinds: st.SearchStrategy[DataType], least: int = 1) -> st.SearchStrategy[RowType]:
    return st.lists(kinds, min_size=least, max_size=4).map(lambda parts: row(field(at, f"f{at}", part) for at, part in enumerate(parts)))


TYPES = st.recursive(
    st.sampled_from(list(LEAVES)).map(parse_ddl),
    lambda kinds: st.one_of(kinds.map(array), rows_of(kinds), kinds.map(lambda value: map_of(parse_ddl("STRING"), value))),
    max_leaves=5,
)


def values_of(kind: DataType) -> st.SearchStrategy[Any]:
    if isinstance(kind, RowType):
        present: st.SearchStrategy[Any] = st.fixed_dictionaries({one.name: values_of(one.type) for one in kind.fields})
    elif isinstance(kind, ArrayType):
        present = st.lists(values_of(kind.element), max_size=3)
    elif isinstance(kind, MapType):
        present = st.lists(st.tuples(st.text(max_size=3), values_of(kind.value)), max_size=3, unique_by=lambda pair: pair[0])
    else:
        present = LEAVES.get(str(kind), st.nothing())
    return st.none() | present


class Evolution:
    """Lossless changes to a schema, drawn one by one; ids are handed out once."""

    def __init__(self, data: st.DataObject, start: RowType) -> None:
        self.data = data
        self.ids = iter(range(10_000))
        self.schema = row(self.fresh(one) for one in start.fields)

    def fresh(self, one: Field) -> Field:
        return field(next(self.ids), one.name, self.with_ids(one.type))

    def with_ids(self, kind: DataType) -> DataType:
        if isinstance(kind, RowType):
            return row(self.fresh(one) for one in kind.fields)
        return kind if isinstance(kind, AtomicType) else inside(kind, self.with_ids)

    def step(self) -> RowType:
        kept = [one for one in self.schema.fields if self.data.draw(st.integers(0, 4)) or len(self.schema.fields) == 1]
        self.schema = self.evolved(row(kept))
        return self.schema

    def evolved(self, kind: RowType) -> RowType:
        """Fields renamed, widened and in another order, and perhaps one more."""
        number = next(self.ids)
        fields = [
            field(one.id, f"n{number}_{at}" if self.data.draw(st.booleans()) else one.name, self.widened(one.type))
            for at, one in enumerate(kind.fields)
        ]
        names = {one.name for one in fields}
        extra = [self.fresh(field(0, f"n{number}", self.data.draw(TYPES)))] if self.data.draw(st.booleans()) else []
        return row(self.data.draw(st.permutations(fields + extra))) if len(names) == len(fields) else kind

    def widened(self, kind: DataType) -> DataType:
        if isinstance(kind, RowType):
            return self.evolved(kind)
        if not isinstance(kind, AtomicType):
            return inside(kind, self.widened)
        return parse_ddl(WIDER.get(str(kind), str(kind))) if self.data.draw(st.booleans()) else kind


def same(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return isinstance(other, dict) and one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other) or (isinstance(one, float) and math.isnan(one) and math.isnan(other))


@given(st.data(), rows_of(TYPES), st.sampled_from(["checked", "paimon"]))
def test_a_schema_projected_onto_itself_gives_back_every_row(data: st.DataObject, kind: RowType, casts: Any) -> None:
    schema = Evolution(data, kind).schema
    values = {one.name: data.draw(values_of(one.type)) for one in schema.fields}
    projection = project(schema, schema, casts=casts)
    assert projection.identity
    assert same(projection.row(values), values)


@given(st.data(), rows_of(TYPES), st.integers(1, 4), st.sampled_from(["checked", "paimon"]))
def test_reading_through_every_version_in_between_gives_what_reading_at_once_gives(
    data: st.DataObject, kind: RowType, steps: int, casts: Any
) -> None:
    evolution = Evolution(data, kind)
    written = before = evolution.schema
    values = {one.name: data.draw(values_of(one.type)) for one in written.fields}
    through = values
    for _ in range(steps):
        after = evolution.step()
        through, before = project(before, after, casts=casts).row(through), after
    assert same(project(written, before, casts=casts).row(values), through)


@given(st.data(), rows_of(TYPES), rows_of(TYPES))
def test_any_two_schemas_read_or_say_why_not_and_what_is_checked_equals_java_s_answer(
    data: st.DataObject, before: RowType, after: RowType
) -> None:
    values = {one.name: data.draw(values_of(one.type)) for one in before.fields}
    error = None
    try:
        checked = project(before, after).row(values)
    except ProjectionError as refused:
        error = refused
    if error is None:
        assert same(checked, project(before, after, casts="paimon").row(values))
    else:
        assert pickle.loads(pickle.dumps(error)).faults == error.faults
        assert all(fault.path and fault.fix for fault in error.faults)
