"""Requests: a table is created from text, mappings, values and JSON, and what has another shape is told, all of it."""

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from airflow_provider_schemas.core.schema.schema_file import MAX_BYTES
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import STRING
from airflow_provider_schemas.core.types.nested import Field, array, field, row
from airflow_provider_schemas.core.validation.validity import created
from airflow_provider_schemas.errors import InvalidSchemaError, SchemaError


def create(columns: Any, partition_keys: Any = (), primary_keys: Any = (), options: Any = None, comment: Any = None) -> TableSchema:
    return created(columns, partition_keys, primary_keys, {} if options is None else options, comment)


def faults(*given: Any, **named: Any) -> list[tuple[str, str]]:
    with pytest.raises(InvalidSchemaError) as error:
        create(*given, **named)
    assert all(fault.fix for fault in error.value.faults)
    return [(fault.code, fault.path) for fault in error.value.faults]


def ids(schema: TableSchema) -> Any:
    def of(fields: Any) -> Any:
        return {one["name"]: (one["id"], of(_fields_in(one["type"]))) for one in fields}

    return of(json.loads(schema.to_json())["fields"])


def _fields_in(kind: Any) -> list[Any]:
    if isinstance(kind, str):
        return []
    inner = [one for key in ("element", "key", "value") if key in kind for one in _fields_in(kind[key])]
    fields: list[Any] = kind.get("fields", inner)
    return fields


# ---------------------------------------------------------------- the shapes that are read


def test_columns_may_be_text() -> None:
    schema = create("k BIGINT NOT NULL COMMENT 'the key', v MAP<STRING, INT>, w INT DEFAULT 5", primary_keys=["k"])
    assert [str(one) for one in schema.fields] == ["`k` BIGINT NOT NULL COMMENT 'the key'", "`v` MAP<STRING, INT>", "`w` INT DEFAULT 5"]
    assert (schema.id, schema.version, schema.highest_field_id) == (0, 3, 2)


@pytest.mark.parametrize("kind", ["ARRAY<STRING>", array(STRING), {"type": "ARRAY", "element": "STRING"}], ids=["text", "value", "json"])
def test_a_type_may_be_text_a_value_or_json(kind: Any) -> None:
    assert str(create([{"name": "a", "type": kind}]).fields[0].type) == "ARRAY<STRING>"


def test_comments_and_defaults_have_two_names_each() -> None:
    schema = create(
        [
            {"name": "a", "type": "INT", "comment": "x", "default": "1"},
            {"name": "b", "type": "INT", "description": "", "defaultValue": None},
        ]
    )
    assert [(one.description, one.default) for one in schema.fields] == [("x", "1"), ("", None)]


def test_columns_may_come_from_a_generator_and_be_fields() -> None:
    def columns() -> Iterator[Field]:
        yield field(5, "a", STRING)
        yield field(3, "b", row([field(9, "x", STRING)]))

    schema = create(columns())
    assert ids(schema) == {"a": (5, {}), "b": (3, {"x": (9, {})})}
    assert schema.highest_field_id == 9


def test_the_time_is_now() -> None:
    before = time.time_ns() // 1_000_000
    assert before <= create("a INT").time_millis <= time.time_ns() // 1_000_000


def test_the_comment_of_the_table_is_kept_even_if_empty() -> None:
    assert create("a INT", comment="").comment == ""
    assert create("a INT").comment is None


def test_no_columns_are_a_table_too() -> None:
    assert create([]).highest_field_id == -1


# ---------------------------------------------------------------- ids


def test_a_column_takes_its_id_before_the_fields_inside_it_and_those_after_their_own() -> None:
    schema = create("a ROW<b ROW<c INT>, d INT>, e MAP<ROW<x INT>, ROW<y INT>>, f INT")
    assert ids(schema) == {"a": (0, {"b": (2, {"c": (1, {})}), "d": (3, {})}), "e": (4, {"x": (5, {}), "y": (6, {})}), "f": (7, {})}


def test_ids_that_every_column_brings_are_kept() -> None:
    inner = {"type": "ROW", "fields": [{"id": 40, "name": "x", "type": "INT"}]}
    schema = create([{"id": 7, "name": "a", "type": inner}, {"id": 2, "name": "b", "type": "INT"}])
    assert ids(schema) == {"a": (7, {"x": (40, {})}), "b": (2, {})}
    assert schema.highest_field_id == 40


def test_fields_without_ids_inside_such_columns_get_new_ones() -> None:
    schema = create(
        [
            {"id": 7, "name": "a", "type": "ROW<x INT>"},
            {"id": 2, "name": "b", "type": {"type": "ROW", "fields": [{"name": "y", "type": "INT"}]}},
        ]
    )
    assert ids(schema) == {"a": (7, {"x": (8, {})}), "b": (2, {"y": (9, {})})}


def test_ids_that_stand_twice_are_refused() -> None:
    assert faults([{"id": 1, "name": "a", "type": "INT"}, {"id": 1, "name": "b", "type": "INT"}]) == [("fields.duplicate-id", "1")]


def test_ids_of_some_columns_only_are_refused() -> None:
    assert faults([{"id": 1, "name": "a", "type": "INT"}, {"name": "b", "type": "INT"}]) == [("type.partial-field-ids", "b")]


def test_fields_inside_columns_without_ids_are_numbered_anew() -> None:
    schema = create([{"name": "a", "type": row([field(9, "x", STRING)])}])
    assert ids(schema) == {"a": (0, {"x": (1, {})})}


# ---------------------------------------------------------------- the shapes that are not


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (None, [("json.wrong-type", "columns")]),
        (5, [("json.wrong-type", "columns")]),
        (b"a INT", [("json.wrong-type", "columns")]),
        ({"a": "INT"}, [("json.wrong-type", "columns")]),
        (["a INT"], [("json.wrong-type", "columns[0]")]),
        ([None, {"name": "b"}], [("json.wrong-type", "columns[0]"), ("json.missing-key", "b")]),
        ([{}], [("json.missing-key", "columns[0]")] * 2),
        ([{"name": 5, "type": 5}], [("json.wrong-type", "columns[0]")]),
        ([{"name": "a", "type": 5}], [("type.json-shape", "a")]),
        ([{"name": "a", "type": None}], [("type.json-shape", "a")]),
        ([{"name": "a", "type": "INTT"}], [("type.parse.unknown-name", "a")]),
        ([{"name": "a", "type": {"type": "INT"}}], [("type.json-shape", "a")]),
        ([{"name": "a", "type": "INT", "nullable": False, 3: 4}], [("json.unknown-key", "columns[0]")] * 2),
        ([{"name": "a", "type": "INT", "comment": "x", "description": "y"}], [("json.duplicate-key", "columns[0]")]),
        ([{"name": "a", "type": "INT", "default": 5, "comment": []}], [("json.wrong-type", "a")] * 2),
        ([{"name": "a", "type": "INT", "id": "1"}], [("json.wrong-type", "a")]),
        ([{"name": "a", "type": "INT", "id": True}], [("json.wrong-type", "a")]),
        ([{"name": "a", "type": "INT", "id": 2**31}], [("json.wrong-type", "a")]),
        ([{"name": "a" * 5_000, "type": "INT"}], [("json.too-long", "columns[0]")]),
        (f"{'a' * 4_097} INT, b INTT", [("fields.name-too-long", "a" * 200), ("type.parse.unknown-name", "b")]),
        (f"r ROW<`{'a' * 4_097}` INT>", [("fields.name-too-long", "r." + "a" * 200)]),
        ([{"name": "\ud800", "type": "INT"}], [("json.surrogate", "columns[0]")]),
        ([Field(0, 5, None)], [("json.wrong-type", "columns[0]")]),  # type: ignore[arg-type]  # on purpose
        ([Field(0, "a", "NOTHING")], [("json.wrong-type", "columns[0]")]),
        ([Field(0, "a", array(STRING)), Field(1, "b", array(5))], [("json.wrong-type", "columns[1]")]),  # type: ignore[arg-type]
        ("", [("type.parse.unexpected-end", "")]),
        ("a INT, b", [("type.parse.unexpected-end", "b")]),
        ("a FOO, b BAR, c INT", [("type.parse.unknown-name", "a"), ("type.parse.unknown-name", "b")]),
        ("a \ud800", [("json.surrogate", "columns")]),
    ],
)
def test_columns_of_another_shape_are_told_one_by_one(columns: Any, expected: list[tuple[str, str]]) -> None:
    assert faults(columns) == expected


def test_keys_of_another_shape_are_told_with_what_to_write() -> None:
    assert faults("a INT", None, "a") == [("json.wrong-type", "partition_keys"), ("json.wrong-type", "primary_keys")]
    assert faults("a INT", {"a": 1}, 5) == [("json.wrong-type", "partition_keys"), ("json.wrong-type", "primary_keys")]
    assert faults("a INT", ["a", None], [b"a"]) == [("json.wrong-type", "partition_keys[1]"), ("json.wrong-type", "primary_keys[0]")]
    with pytest.raises(InvalidSchemaError, match=r"Pass a list: \['dt'\]\."):
        create("dt STRING", "dt")


def test_options_are_text_and_the_fault_says_which() -> None:
    assert faults("a INT", options=[("a", "b")]) == [("json.wrong-type", "options")]
    assert faults("a INT", options={"bucket": 2, 5: "x", "b": None}) == [
        ("json.wrong-type", "options.bucket"),
        ("json.wrong-type", "options"),
        ("json.wrong-type", "options.b"),
    ]
    with pytest.raises(InvalidSchemaError, match='Write it as text: "true"'):
        create("a INT", options={"write-only": True})


def test_a_comment_is_text() -> None:
    assert faults("a INT", comment=5) == [("json.wrong-type", "comment")]
    assert faults("a INT", comment="\udc00") == [("json.surrogate", "comment")]


def test_faults_of_shape_come_with_those_of_keys_but_without_their_echo() -> None:
    assert faults([{"name": "a", "type": "INTT"}, {"name": "b", "type": "INT"}], ["z"], ["a"]) == [
        ("type.parse.unknown-name", "a"),
        ("schema.partition-key-not-a-column", "z"),
    ]


def test_directives_are_followed_in_order_and_refused_one_by_one() -> None:
    columns = "k INT, a BYTES COMMENT '__BLOB_FIELD; x', b BYTES COMMENT '__BLOB_FIELD'"
    schema = create(columns, options={"row-tracking.enabled": "true", "data-evolution.enabled": "true"})
    assert schema.options["blob-field"] == "a,b"
    assert [one.description for one in schema.fields] == [None, "x", None]
    assert faults("k INT COMMENT '__BLOB_X', v INT COMMENT '__VECTOR_FIELD;1'") == [("directive.unknown", "k"), ("directive.type", "v")]


def test_a_descriptor_column_takes_over_the_list_under_the_old_key() -> None:
    columns = "k INT, a BYTES COMMENT '__BLOB_DESCRIPTOR_FIELD', b BYTES COMMENT '__BLOB_DESCRIPTOR_FIELD', c BLOB"
    options = {"row-tracking.enabled": "true", "data-evolution.enabled": "true", "blob.stored-descriptor-fields": "c"}
    assert create(columns, options=options).options["blob-descriptor-field"] == "c,a,b"


@pytest.mark.parametrize(
    ("columns", "options", "comment"),
    [
        ([{"name": "a", "type": "INT", "comment": "x" * 16_000_000}], {}, None),
        ([{"name": f"a{number}", "type": "INT", "comment": "ä" * 2_000} for number in range(4_000)], {}, None),
        (", ".join(f"c{number} {'ARRAY<' * 98}INT{'>' * 98}" for number in range(600)), {}, None),
        ("a INT", {"o": "x" * 16_000_000}, None),
        ("a INT", {}, "x" * 16_000_000),
    ],
    ids=["comment", "comments", "indentation", "option", "table comment"],
)
def test_a_schema_whose_file_nobody_could_read_is_not_made(columns: Any, options: dict[str, str], comment: str | None) -> None:
    assert faults(columns, options=options, comment=comment) == [("json.too-large", "")]


def test_the_largest_file_that_is_made_can_be_read() -> None:
    empty = len(create("a INT", comment="").to_json())
    largest = create("a INT", comment="x" * (MAX_BYTES - empty))
    assert TableSchema.from_json(largest.to_json()).comment == largest.comment
    assert faults("a INT", comment="x" * (MAX_BYTES - empty + 100)) == [("json.too-large", "")]


# ---------------------------------------------------------------- anything

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.binary(max_size=3)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(SCALARS, inner, max_size=3) | st.tuples(inner, inner),
    max_leaves=8,
)
TYPES = ANYTHING | st.sampled_from(["INT", "ROW<x INT>", "ARRAY<BLOB>", "VECTOR<INT, 0>"])
COLUMN = st.fixed_dictionaries({"name": ANYTHING | st.sampled_from("abc"), "type": TYPES}, optional={"id": ANYTHING, "comment": ANYTHING})
OPTIONS = st.dictionaries(
    st.sampled_from(["bucket", "primary-key", "merge-engine", "fields.a.x"]) | st.text(max_size=5), ANYTHING, max_size=3
)


@given(ANYTHING | st.lists(COLUMN, max_size=4), ANYTHING, ANYTHING, ANYTHING | OPTIONS, ANYTHING)
@example([{"name": "a", "type": {"type": "ROW", "fields": [{"id": "x"}]}}], [], [], {}, None)
@example([], [[]], [{}], {"": ""}, "")
@example(10**5_000, 10**5_000, 10**5_000, 10**5_000, 10**5_000)
def test_whatever_is_passed_only_a_schema_error_is_raised(columns: Any, partition: Any, primary: Any, options: Any, comment: Any) -> None:
    refusal: SchemaError | None = None
    try:
        created(columns, partition, primary, options, comment)
    except SchemaError as error:
        refusal = error
    assert refusal is None or (str(refusal) and all(fault.code and fault.fix for fault in refusal.faults))


def test_nothing_is_too_deep_to_be_refused() -> None:
    nested: Any = []
    kind: Any = "INT"
    for _ in range(100_000):
        nested, kind = [nested], {"type": "ARRAY", "element": kind}
    assert faults(nested) == [("json.wrong-type", "columns[0]")]
    assert faults("a INT", nested, options={"a": nested}) == [("json.wrong-type", "partition_keys[0]"), ("json.wrong-type", "options.a")]
    assert [code for code, _ in faults([{"name": "a", "type": kind}])] == ["type.too-deep"]


def test_a_broken_text_of_columns_is_not_blamed_on_the_keys() -> None:
    with pytest.raises(InvalidSchemaError) as refused:
        TableSchema.create("id INTEGR, b INT", primary_keys=["id"])
    assert [fault.code for fault in refused.value.faults] == ["type.parse.unknown-name"]
