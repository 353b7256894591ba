"""A schema as the bytes that a layout keeps, and back: nothing is lost, and no file passes for another."""

import json
import string
from collections.abc import Callable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from airflow_provider_schemas.core import TableSchema, evolve
from airflow_provider_schemas.core.schema.table_schema import Options
from airflow_provider_schemas.core.schema.version import Provenance
from airflow_provider_schemas.errors import FormatError, SchemaError, SchemaFileError
from airflow_provider_schemas.store.versions import codec
from tests.support import tables

MINI = ["INT", "BIGINT NOT NULL", "STRING", "BOOLEAN", "DOUBLE", "TIMESTAMP", "DECIMAL(10, 2)", "ARRAY<INT>", "MAP<STRING, ARRAY<BIGINT>>"]
NAMES = st.lists(st.text(string.ascii_lowercase, min_size=1, max_size=4), min_size=1, max_size=6, unique=True)
SCHEMA = TableSchema.create("a INT NOT NULL, b STRING", primary_keys=["a"])


@given(tables.tables())
def test_paimons_file_says_everything(schema: TableSchema) -> None:
    made = codec.encode(schema, mini=False)
    assert made.beside is None
    found = codec.decode(made.data, schema.id, "main")
    assert (found.schema, found.digest, found.number) == (schema, made.digest, schema.id)


@given(names=NAMES, data=st.data())
def test_mini_paimons_two_files_say_everything_together(names: list[str], data: st.DataObject) -> None:
    columns = ", ".join(f"{name} {data.draw(st.sampled_from(MINI))}" for name in names)
    schema = TableSchema.create(columns, options={"k": "v"}, comment=data.draw(st.none() | st.text("abc\n", max_size=3)))
    if len(names) > 1:
        schema = evolve(schema, [f"DROP COLUMN {names[0]}"])
    schema = Provenance(actor="ana", key="k").on(schema)
    made = codec.encode(schema, mini=True)
    assert made.beside is not None
    found = codec.decode_mini(made.data, made.beside, schema.id, "b1")
    assert (found.schema, found.digest, found.branch) == (schema, made.digest, "b1")
    assert set(json.loads(made.data)) == {"schemaId", "fields", "primaryKeys", "partitionKeys"}


def test_two_attempts_to_say_the_same_never_have_the_same_bytes() -> None:
    attempts = {codec.encode(SCHEMA, mini=True).data for _ in range(100)}
    assert len(attempts) == 100
    assert len({attempt.rstrip() for attempt in attempts}) == 1


@given(first=tables.tables(), second=st.sampled_from(["c INT", "a BIGINT", "a INT NOT NULL", "b STRING, a INT"]))
def test_the_file_of_another_schema_never_passes_for_the_one_beside(first: TableSchema, second: str) -> None:
    other = TableSchema.create(second)
    try:
        made = codec.encode(first, mini=True)
    except FormatError:
        made = codec.encode(SCHEMA, mini=True)
        first = SCHEMA
    assume(first.fields != other.fields)
    beside = codec.encode(other, mini=True).beside
    assert beside is not None
    with pytest.raises(SchemaFileError, match="about another schema"):
        codec.decode_mini(made.data, beside, first.id, "main")


@pytest.mark.parametrize("mini", [False, True])
def test_a_file_under_another_number_is_found_out(mini: bool) -> None:
    made = codec.encode(SCHEMA, mini=mini)
    with pytest.raises(SchemaFileError, match="schema-7") as error:
        codec.decode_outside(made.data, None, 7, "main") if mini else codec.decode(made.data, 7, "main")
    assert error.value.code == "schema.wrong-id"
    assert error.value.fix


def test_a_version_of_an_outside_writer_goes_on_from_the_one_before() -> None:
    old = evolve(TableSchema.create("a INT, b STRING, c INT", options={"k": "v"}, comment="x"), ["DROP COLUMN b"])
    before = codec.decode(codec.encode(old, mini=False).data, old.id, "main")
    file = codec.encode(TableSchema.create("d INT, c INT, a BIGINT"), mini=True).data
    found = codec.decode_outside(file, before, 0, "main").schema
    assert [(column.id, column.name) for column in found.fields] == [(3, "d"), (2, "c"), (0, "a")]
    assert (found.options, found.comment, found.highest_field_id) == (Options({"k": "v"}), "x", 3)
    alone = codec.decode_outside(file, None, 0, "main").schema
    assert [column.id for column in alone.fields] == [0, 1, 2]


KEYS = st.sampled_from(["version", "id", "fields", "schemaId", "primaryKeys", "name", "type"])
JSON = st.recursive(
    st.none() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
)


@given(st.binary(max_size=60) | JSON.map(lambda value: json.dumps(value).encode()))
def test_whatever_lies_in_a_file_is_a_schema_or_an_error_of_ours(data: bytes) -> None:
    good = codec.encode(SCHEMA, mini=True)
    assert good.beside is not None
    calls: list[Callable[[], object]] = [
        lambda: codec.decode(data, 0, "main"),
        lambda: codec.decode_outside(data, None, 0, "main"),
        lambda: codec.decode_mini(data, good.beside or b"", 0, "main"),
        lambda: codec.decode_mini(good.data, data, 0, "main"),
    ]
    found: list[SchemaError] = []
    for call in calls:
        try:
            call()
        except SchemaError as error:
            found.append(error)
    for refusal in found:
        located = codec.locate(refusal, "s3://lake/t/schema-0")
        assert type(located) is type(refusal)
        assert all(fault.message.startswith("s3://lake/t/schema-0: ") for fault in located.faults)
