"""Whatever the schema, it comes back from Arrow, or an error of ours says why it cannot go there."""

from typing import Any

import pyarrow as pa  # noqa: TID253  # these are schemas of pyarrow
from hypothesis import assume, given
from hypothesis import strategies as st

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.arrow.convert import from_arrow, to_arrow
from airflow_provider_schemas.formats.odf.arrow.reader import data_schema
from airflow_provider_schemas.formats.odf.arrow.strip_encodings import strip_encoding
from airflow_provider_schemas.formats.odf.arrow.writer import arrow_schema
from airflow_provider_schemas.formats.odf.model import types
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import DataField
from tests.formats.odf.support import strategies

_UNITS = ("s", "ms", "us", "ns")
_arrow_leaves = st.one_of(
    st.sampled_from(
        [pa.bool_(), pa.int8(), pa.uint64(), pa.float16(), pa.float64(), pa.date32(), pa.date64(), pa.time32("s"), pa.time64("ns")]
    ),
    st.sampled_from([pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view(), pa.binary(7)]),
    st.builds(pa.timestamp, st.sampled_from(_UNITS), st.sampled_from(["UTC", "+10:30", "Europe/Berlin"])),
    st.builds(pa.duration, st.sampled_from(_UNITS)),
    st.builds(pa.decimal128, st.integers(1, 38), st.integers(-5, 40)),
    st.builds(pa.decimal32, st.integers(1, 9), st.integers(-5, 9)),
    st.builds(pa.decimal256, st.integers(1, 76), st.integers(-5, 80)),
)


def _member(kinds: st.SearchStrategy[pa.DataType]) -> st.SearchStrategy[pa.Field]:
    return st.builds(pa.field, st.text(st.characters(codec="utf-8"), max_size=5), kinds, st.booleans())


_arrow_structs = st.recursive(_arrow_leaves, lambda inner: st.lists(_member(inner), max_size=3).map(pa.struct), max_leaves=8)


@given(st.lists(_member(_arrow_structs), max_size=5).map(pa.schema))
def test_columns_and_structs_of_any_layout_come_back_from_odf(arrow: pa.Schema) -> None:
    found = from_arrow(arrow)
    assert to_arrow(found.schema).equals(arrow, check_metadata=True)
    assert found.losses == ()


@given(strategies.schemas)
def test_a_schema_that_arrow_holds_comes_back_but_for_attributes(schema: DataSchema) -> None:
    try:
        arrow = arrow_schema(schema)
    except FormatError:
        assume(False)
    bare = strip_encoding(data_schema(arrow).schema)
    assert _defaults_spelled(bare) == _defaults_spelled(_without_attributes(schema))


def _without_attributes(schema: DataSchema) -> DataSchema:
    return DataSchema(tuple(DataField(one.name, types.fold(one.type, _bare)) for one in schema.fields))


def _bare(kind: types.DataType, parts: Any) -> types.DataType:
    whole = types.with_parts(kind, parts)
    return types.Struct(tuple(DataField(one.name, one.type) for one in whole.fields)) if isinstance(whole, types.Struct) else whole


def _defaults_spelled(schema: DataSchema) -> Any:
    """The one thing that Arrow cannot leave open is whether keys are sorted."""
    return DataSchema(tuple(DataField(one.name, types.fold(one.type, _sorted)) for one in schema.fields)).normalize()


def _sorted(kind: types.DataType, parts: Any) -> types.DataType:
    whole = types.with_parts(kind, parts)
    return types.Map(whole.key, whole.value, bool(whole.keys_sorted)) if isinstance(whole, types.Map) else whole


@given(strategies.schemas)
def test_pyarrow_takes_every_schema_or_an_error_of_ours_says_why_not(schema: DataSchema) -> None:
    try:
        found = to_arrow(schema)
    except FormatError as error:
        assert all(one.code and one.message for one in error.faults)  # noqa: PT017  # either answer is right
    else:
        assert found.names == [one.name for one in schema.fields]
