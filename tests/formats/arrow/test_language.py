"""A table's schema as a schema of Arrow: the format `arrow`, and pyarrow's own values."""

import contextlib
import json
from pathlib import Path

import pyarrow as pa  # noqa: TID253  # these are schemas of pyarrow
import pyarrow.parquet as pq  # noqa: TID253  # likewise
import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import FormatError, SchemaError
from airflow_provider_schemas.formats.arrow.language import dump, from_arrow, load, read, to_arrow, to_pyarrow
from airflow_provider_schemas.formats.arrow.model import ArrowField, ArrowKind, ArrowSchema, ArrowType
from tests.formats.support.strategies import schemas

COLUMNS = "id BIGINT NOT NULL COMMENT 'the key', at TIMESTAMP(6), items ARRAY<ROW<sku STRING, price DECIMAL(10, 2)>>, v VARIANT"


def test_columns_ids_and_comments_come_back() -> None:
    schema = TableSchema.create(COLUMNS)
    for loaded in (load(dump(schema).text), from_arrow(to_arrow(schema)), load(to_arrow(schema).serialize().to_pybytes())):
        assert loaded.schema.fields == schema.fields
        assert loaded.losses == ()


def test_the_schema_is_the_one_that_pypaimon_makes() -> None:
    schema = TableSchema.create(
        "a INT NOT NULL, b MAP<STRING, TIME(0)>, c ROW<x BINARY(4)>, d VECTOR<FLOAT, 3>, e TIMESTAMP(2) WITH LOCAL TIME ZONE"
    )
    entry = pa.map_(pa.field("key", pa.string(), nullable=False), pa.field("value", pa.time32("ms")))
    wanted = [
        pa.field("a", pa.int32(), nullable=False),
        pa.field("b", entry),
        pa.field("c", pa.struct([pa.field("x", pa.binary())])),
        pa.field("d", pa.list_(pa.float32(), 3)),
        pa.field("e", pa.timestamp("ms", "UTC")),
    ]
    assert to_arrow(schema).equals(pa.schema(wanted), check_metadata=False)


def test_ids_lie_where_parquet_keeps_them_and_comments_where_pypaimon_does() -> None:
    found = to_arrow(TableSchema.create("a INT COMMENT 'x', b ROW<c INT>"))
    assert found.field("a").metadata == {b"PARQUET:field_id": b"0", b"description": b"x"}
    assert found.field("b").type.field("c").metadata == {b"PARQUET:field_id": b"2"}


def test_ids_survive_a_parquet_file(tmp_path: Path) -> None:
    schema = TableSchema.create("a INT, b ROW<c INT, d ARRAY<STRING>>")
    arrow = to_arrow(TableSchema(schema.fields[1:], 3))
    pq.write_table(pa.table({"b": [{"c": 1, "d": ["x"]}]}, schema=arrow), tmp_path / "f.parquet")
    assert from_arrow(pq.read_schema(tmp_path / "f.parquet")).schema.fields[0].id == schema.fields[1].id


def test_without_an_id_for_every_field_they_are_numbered_anew() -> None:
    partly = pa.schema([pa.field("a", pa.int8(), metadata={"PARQUET:field_id": "7"}), pa.field("b", pa.int8())])
    loaded = from_arrow(partly)
    assert [one.id for one in loaded.schema.fields] == [0, 1]
    assert [one.what for one in loaded.losses] == ["ids"]


@pytest.mark.parametrize(
    ("arrow", "ours", "what"),
    [
        (pa.large_string(), "STRING", "layout"),
        (pa.string_view(), "STRING", "layout"),
        (pa.dictionary(pa.int8(), pa.string()), "STRING", "layout"),
        (pa.run_end_encoded(pa.int32(), pa.int64()), "BIGINT", "layout"),
        (pa.large_list(pa.int8()), "ARRAY<TINYINT>", "layout"),
        (pa.list_(pa.string(), 3), "ARRAY<STRING>", "length"),
        (pa.timestamp("us", "Europe/Berlin"), "TIMESTAMP(6) WITH LOCAL TIME ZONE", "timezone"),
        (pa.date64(), "DATE", "layout"),
        (pa.binary(0), "BYTES", "length"),
        (pa.float16(), "FLOAT", "type"),
        (pa.map_(pa.int8(), pa.int8(), keys_sorted=True), "MAP<TINYINT NOT NULL, TINYINT>", "order"),
    ],
)
def test_what_a_table_has_no_place_for_is_told(arrow: pa.DataType, ours: str, what: str) -> None:
    loaded = from_arrow(pa.schema([pa.field("a", arrow)]))
    assert str(loaded.schema.fields[0].type) == ours
    assert [(one.path, one.what) for one in loaded.losses] == [("a", what)]


def test_all_that_no_table_can_hold_is_named_at_once() -> None:
    arrow = pa.schema([pa.field("a", pa.null()), pa.field("b", pa.struct([pa.field("c", pa.list_(pa.duration("s")))]))])
    with pytest.raises(FormatError) as caught:
        from_arrow(arrow)
    assert [one.path for one in caught.value.faults] == ["a", "b.c.element"]


def test_what_pyarrow_cannot_hold_is_named_with_path_and_type() -> None:
    wide = ArrowField("a", ArrowType(ArrowKind.STRUCT, children=(ArrowField("b", ArrowType(ArrowKind.DECIMAL128, precision=39, scale=0)),)))
    null = ArrowField("c", ArrowType(ArrowKind.NULL), nullable=False)
    with pytest.raises(FormatError) as caught:
        to_pyarrow(ArrowSchema((wide, null)))
    assert [(one.path, one.code) for one in caught.value.faults] == [("a.b", "arrow.unsupported"), ("c", "arrow.unsupported")]
    assert "decimal128" in caught.value.faults[0].message


def test_types_without_end_are_refused() -> None:
    kind = pa.int8()
    for _ in range(2_000):
        kind = pa.list_(kind)
    with pytest.raises(FormatError, match="deeper"):
        from_arrow(pa.schema([pa.field("a", kind)]))


def test_a_schema_of_pyarrow_is_loaded_like_its_text() -> None:
    arrow = pa.schema([pa.field("a", pa.int32(), nullable=False)])
    assert [str(one) for one in load(arrow).schema.fields] == ["`a` INT NOT NULL"]
    with pytest.raises(FormatError, match=r"is no pyarrow\.Schema"):
        load(pa.int32())


def test_what_is_no_schema_is_refused() -> None:
    for value in (None, "a INT", pa.int8(), pa.table({})):
        with pytest.raises(FormatError, match=r"pyarrow\.Schema"):
            from_arrow(value)


# ---------------------------------------------------------------- laws


@given(schemas())
def test_every_schema_reads_back_as_itself_but_for_what_is_told(schema: TableSchema) -> None:
    dumped = dump(schema)
    again = load(dumped.text)
    assert [one.id for one in again.schema.fields] == [one.id for one in schema.fields]
    assert again.schema.names == schema.names
    if not [one for one in dumped.losses if one.path]:
        assert again.schema.fields == schema.fields
    assert [one for one in dump(again.schema).losses if one.path] == []


@given(schemas())
def test_pyarrow_holds_what_the_text_says(schema: TableSchema) -> None:
    through = from_arrow(to_arrow(schema)).schema
    assert through.fields == load(dump(schema).text).schema.fields


@given(schemas())
def test_pyarrow_gives_back_what_it_was_given(schema: TableSchema) -> None:
    arrow = to_arrow(schema)
    assert to_pyarrow(read(arrow)).equals(arrow, check_metadata=True)


# ---------------------------------------------------------------- bad input

_WORDS = ["int", "list", "map", "struct", "SECOND", "timestamp"]
_KEYS = ["fields", "name", "type", "children", "nullable", "metadata", "bitWidth", "isSigned", "unit"]
_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(_WORDS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_KEYS), inner),
    max_leaves=12,
)
_typed = _values.map(lambda one: {"fields": [{"name": "a", "type": one}]})


@given(_values | st.builds(lambda one: {"fields": one}, _values) | _typed)
def test_json_that_is_no_schema_ends_in_an_error_of_ours(value: object) -> None:
    with contextlib.suppress(SchemaError):
        load(json.dumps(value))


@given(st.binary(max_size=60), st.integers(0, 2_000), st.binary(min_size=1, max_size=4))
def test_bytes_that_are_no_schema_end_in_an_error_of_ours(junk: bytes, place: int, patch: bytes) -> None:
    sound = to_arrow(TableSchema.create(COLUMNS)).serialize().to_pybytes()
    patched = sound[:place] + patch + sound[place + len(patch) :]
    for source in (junk, b"ARROW1\0\0" + junk, b"\xff\xff\xff\xff" + junk, sound[:place], patched):
        with contextlib.suppress(SchemaError):
            load(source)
