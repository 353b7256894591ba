"""A table file is written as a person would write it, and says what it could not hold."""

import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.types.atomic import STRING
from airflow_provider_schemas.core.types.nested import field, row
from airflow_provider_schemas.errors import SchemaError, TableFileError
from airflow_provider_schemas.formats.table_file import changes_of, read, write
from airflow_provider_schemas.formats.table_file.language import LOSSY, PLACEHOLDER, dump, load
from airflow_provider_schemas.formats.table_file.writer import write_with_losses

SCHEMA = TableSchema.create(
    [
        {"name": "order_id", "type": "BIGINT NOT NULL"},
        {"name": "amount", "type": "DECIMAL(12, 2)", "comment": "gross, EUR", "default": "0"},
        {"name": "no", "type": "ROW<a INT COMMENT 'x'>", "comment": "several\nlines"},
        {"name": "dt", "type": "DATE NOT NULL"},
    ],
    ["dt"],
    ["order_id", "dt"],
    {
        "bucket": "4",
        "schemas.table": '{"contact": "#oncall", "format": "orc", "location": "s3://x", "owner": "team-orders"}',
        "schemas.field.1": '{"alias": {"sum": "2026-12-31"}, "tags": ["money"], "unit": "EUR"}',
        "schemas.field.0": '{"deprecated": true, "reason": "see id"}',
        "schemas.policy": '{"against": "all"}',
    },
    "all orders",
)
TEXT = """\
table: shop.orders
owner: team-orders
contact: '#oncall'
comment: all orders
columns:
  - {name: order_id, type: BIGINT NOT NULL, deprecated: true, reason: see id}
  - name: amount
    type: DECIMAL(12, 2)
    comment: gross, EUR
    default: '0'
    alias:
      sum: '2026-12-31'
    unit: EUR
    tags:
      - money
  - name: 'no'
    type: ROW<`a` INT COMMENT 'x'>
    comment: |-
      several
      lines
  - {name: dt, type: DATE NOT NULL}
primary_key: [order_id, dt]
partitioned_by: [dt]
options:
  bucket: '4'
location: s3://x
format: orc
policy:
  against: all
"""


def test_a_schema_is_written_as_people_write_it() -> None:
    assert write(SCHEMA, table="shop.orders") == TEXT
    assert write_with_losses(SCHEMA, "shop.orders").losses == ()


def test_what_was_written_makes_the_same_table() -> None:
    assert read(TEXT).create().content == SCHEMA.content


def test_a_table_without_columns_and_a_name_that_is_none() -> None:
    assert write(TableSchema((), -1), table="a.b") == "table: a.b\n"
    with pytest.raises(TableFileError, match="is no name of a table"):
        write(SCHEMA, table="orders")


# What somebody could put into a name or a comment to be read as something else.
TRICKY = st.text(st.sampled_from(" ,:#[]{}&*!|>'\"%@`-?nulltrue0.1eé\n\t\x07\ud7ff😀~=<\\"), min_size=1, max_size=12) | st.sampled_from(
    [
        "null",
        "true",
        "~",
        "1",
        "1.0",
        "1e3",
        "no",
        "2026-12-31",
        "- a",
        "a: b",
        "a:b",
        "a #b",
        "{a}",
        "[a]",
        "<<",
        "=",
        "a,b",
        "? a",
        "!x",
        "%x",
        "|",
    ]
)


@given(TRICKY, TRICKY, TRICKY)
def test_whatever_a_text_holds_it_is_read_back_as_it_was(comment: str, default: str, name: str) -> None:
    name, default = f"{name}x".strip(), default.replace("'", "")
    columns = [{"name": name, "type": "STRING", "comment": comment, "default": default}, {"name": "other column", "type": "INT"}]
    schema = TableSchema.create(columns, options={f"my.{name}": comment}, comment=default)
    text = write(schema, table="a.b")
    assert read(text).create().content == schema.content
    assert [one["name"] for one in yaml.safe_load(text)["columns"]] == [name, "other column"]


OF_COLUMNS = "a table file has keys for the attributes of columns, and for no other field."
LOST = [
    ({"schemas.field.0": '{"odf": 1}'}, "a", "a table file has no key for 'odf' with this value."),
    ({"schemas.field.0": '{"unit": 5}'}, "a", "a table file has no key for 'unit' with this value."),
    ({"schemas.field.0": '{"reason": "x"}'}, "a", "a table file has no key for 'reason' with this value."),
    ({"schemas.field.0": '{"alias": [5]}'}, "a", "a table file has no key for 'alias' with this value."),
    ({"schemas.field.2": '{"unit": "m"}'}, "schemas.field.2", OF_COLUMNS),
    ({"schemas.table": '{"steward": "x"}'}, "", "a table file has no key for 'steward' with this value."),
]  # fmt: skip


@pytest.mark.parametrize(("options", "path", "message"), LOST)
def test_attributes_without_a_key_are_said_to_be_lost_and_stay_in_the_table(options: dict[str, str], path: str, message: str) -> None:
    schema = TableSchema.create("a INT, r ROW<x INT>", options=options)
    text, losses = write_with_losses(schema, "a.b").text, write_with_losses(schema, "a.b").losses
    assert [(one.path, one.message) for one in losses] == [(path, message)]
    assert changes_of(read(text), schema).target is schema


def test_attributes_that_are_no_object_are_lost_too() -> None:
    schema = TableSchema.from_json(TableSchema.create("a INT", options={"schemas.field.0": "{}"}).to_json().replace('"{}"', '"{"'))
    assert [one.message for one in write_with_losses(schema, "a.b").losses] == ["the attributes are no JSON object."]


@pytest.mark.parametrize("default", ["", "a, b", "(", "x COMMENT 'y'", " "])
def test_a_default_inside_that_no_sql_text_can_say_is_lost_and_stays_in_the_table(default: str) -> None:
    schema = TableSchema.create([{"name": "r", "type": row([field(0, "x", STRING, "c", default)])}])
    found = write_with_losses(schema, "a.b")
    assert [(one.path, one.what) for one in found.losses] == [("r", "default")]
    assert changes_of(read(found.text), schema).target is schema


@pytest.mark.parametrize(
    "policy", ["strict", '{"against": "all", "rules": {"TYPE_WIDENED": "ok"}}', '{"against":"all"}', "{", "[1]", '{"x": 1}', ""]
)
def test_a_policy_is_written_as_a_block_where_that_is_the_same(policy: str) -> None:
    schema = TableSchema.create("a INT", options={"schemas.policy": policy})
    file = read(write(schema, table="a.b"))
    assert isinstance(file.policy, Policy) == (policy.startswith('{"against": '))
    assert file.create().options == schema.options


def test_the_table_file_is_a_format_among_others() -> None:
    dumped = dump(SCHEMA)
    assert dumped.text.startswith(f"table: {PLACEHOLDER}\n")
    assert load(dumped.text).schema.content == SCHEMA.content
    assert (load(dumped.text.encode()).losses, LOSSY) == ((), ())


# ---------------------------------------------------------------- a table that is not there yet


def created(text: str) -> TableSchema:
    return read(f"table: a.b\n{text}", "t.yaml").create()


def test_a_table_is_created_from_its_file() -> None:
    schema = created(
        "columns: [{name: id, type: BIGINT, was: key, unit: m}, {name: v, type: 'ROW<x INT>', default: null, tags: x}]\n"
        "dropped: [old]\nprimary_key: [id]\noptions: {bucket: 4, x: null}\nowner: me\npolicy: {against: all}\n"
    )
    assert str(schema.fields[0]) == "`id` BIGINT NOT NULL"
    assert schema.primary_keys == ("id",)
    assert {key: json.loads(text) for key, text in schema.options.items()} == {
        "bucket": 4,
        "schemas.table": {"owner": "me"},
        "schemas.field.0": {"unit": "m"},
        "schemas.field.1": {"tags": ["x"]},
        "schemas.policy": {"against": "all"},
    }


A = "columns:\n  - {name: a, type: INT}\n"


@pytest.mark.parametrize(
    ("text", "path", "message"),
    [
        ("", "t.yaml:1 columns", "the file lists no columns"),
        (f"{A}  - {{name: _ROW_ID, type: INT}}\n", "t.yaml:4 columns[1]", "Paimon has a column of its own"),
        (f"{A}  - {{name: b, type: INT, default: x}}\n", "t.yaml:4 columns[1]", "the default value 'x' is no INT"),
        (f"{A}  - {{name: b, type: \"ROW<x INT COMMENT '__BLOB_FIELD'>\"}}\n", "t.yaml:4 columns[1]", "b.x: a comment directive works"),
        (f"{A}options:\n  x: y\n  bucket: many\n", "t.yaml:6 options.bucket", "'many' is no whole number"),
        (f"{A}primary_key:\n  - b\n", "t.yaml:5 primary_key[0]", "'b' is in the primary key, and no column."),
        (f"{A}partitioned_by: [b]\n", "t.yaml:4 partitioned_by[0]", "'b' is in the partition keys, and no column."),
    ],
)
def test_what_keeps_a_table_from_being_created_is_told_with_its_line(text: str, path: str, message: str) -> None:
    with pytest.raises(TableFileError) as caught:
        created(text)
    assert caught.value.path == path
    assert caught.value.message.startswith(message)


@pytest.mark.parametrize("schema", [None, 5, "a INT"])
def test_only_a_schema_is_written(schema: Any) -> None:
    with pytest.raises(SchemaError, match="is no schema"):
        write(schema, table="a.b")
