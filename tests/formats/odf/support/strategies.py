"""Schemas of ODF: every kind, nested, with the names and attributes that break quoting."""

from typing import Any

from hypothesis import strategies as st

from airflow_provider_schemas.formats.odf.model import types
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.kinds import TimeUnit
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import DataField, DataType

AWKWARD = [
    *(
        "",
        "a",
        "x y",
        "日本",
        "😀",
        "it's",
        '"q"',
        "-",
        "- a",
        "?",
        "a:b",
        "a: b",
        "a:",
        "#",
        "a #b",
        "a#b",
        " a",
        "a ",
        "\t",
        "a\tb",
        "\n",
    ),
    *("yes", "No", "on", "null", "Null", "~", "true", "True", "1", "017", "0o17", "0b11", "0x1F", "-0x1F", "+5", "1_000", "1.", ".5", "."),
    *(
        "1e16",
        "1e-7",
        ".inf",
        "-.inf",
        ".nan",
        "12:30:45",
        "+10:30",
        "-10:00",
        "2020-01-01",
        "=",
        "<<",
        "---",
        "...",
        "--- a",
        "a\nb",
        "\n",
    ),
    *("a\nb\n", "a\n\n", "\na", " a\nb", "a\r\nb", "a \nb", "\\", "\x00", "\x7f", "\x85", "\ufeff", "\u2028", "\xa0", "[", "{", "!x", "&x"),
    *("*x", "|", ">", "%", "@", "`", ",", "]", "}", "9" * 30, "x" * 200),
]
texts = st.sampled_from(AWKWARD) | st.text(st.characters(codec="utf-8"), max_size=12)
names = texts
units = st.none() | st.sampled_from(TimeUnit)
zones = st.none() | st.sampled_from(["UTC", "", "+10:30", "-10:00", "+00:00", "Europe/Berlin", "Mars/Olympus"]) | texts
lengths = st.none() | st.sampled_from([0, 1, 16, 2**31, 2**64 - 1]) | st.integers(0, 2**64 - 1)

leaves: st.SearchStrategy[DataType] = st.one_of(
    st.sampled_from(list(types.PLAIN.values())),
    st.builds(types.Binary, lengths),
    st.builds(types.Decimal, st.integers(0, 2**32 - 1) | st.integers(1, 76), st.integers(-(2**31), 2**31 - 1) | st.integers(-5, 76)),
    st.builds(types.Duration, units),
    st.builds(types.Time, units),
    st.builds(types.Timestamp, units, zones),
)

_floats = st.floats(allow_nan=False, allow_infinity=False)
numbers = st.integers(-(2**63), 2**64 - 1) | _floats | st.sampled_from([1e16, 1e-7, 1e-5, 1.0, -0.0])
values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)
KNOWN = ["opendatafabric.org/description", "opendatafabric.org/type", "kamu.dev/archetype", "arrow.apache.org/bufferEncoding", "x.com/a"]
attributes = st.builds(Attributes, st.dictionaries(st.sampled_from(KNOWN) | texts, values, max_size=3))
extras = st.none() | attributes


def fields(kinds: st.SearchStrategy[DataType], extra: st.SearchStrategy[Attributes | None] = extras) -> st.SearchStrategy[DataField]:
    """Fields of these types."""
    return st.builds(DataField, names, kinds, extra)


def _around(inner: st.SearchStrategy[DataType]) -> st.SearchStrategy[DataType]:
    return st.one_of(
        inner.map(types.Option),
        st.builds(types.List, inner, lengths),
        st.builds(types.Map, inner, inner, st.none() | st.booleans()),
        st.lists(fields(inner), max_size=3).map(lambda found: types.Struct(tuple(found))),
    )


any_type: st.SearchStrategy[DataType] = st.recursive(leaves, _around, max_leaves=5)
any_field = fields(any_type)
schemas = st.builds(DataSchema, st.lists(any_field, max_size=4).map(tuple), extras)
