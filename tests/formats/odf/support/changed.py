"""Pairs of schemas that have something to do with each other: the second is the first after a few edits."""

from collections.abc import Callable

from hypothesis import strategies as st
from msgspec.structs import replace

from airflow_provider_schemas.formats.odf.model import types
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.kinds import Kind
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import DataField, DataType, List, Map, Option, Struct, without_option

Pair = tuple[DataSchema, DataSchema]

NAMES = st.sampled_from("abcd")
EXTRAS = st.none() | st.sampled_from([Attributes({}), Attributes({"x.c/a": 1}), Attributes({"opendatafabric.org/description": "d"})])
LEAVES: st.SearchStrategy[DataType] = st.sampled_from([
    *types.PLAIN.values(),
    types.Decimal(10, 2),
    types.Decimal(12, 2),
    types.Timestamp(),
    types.Timestamp(timezone="+00:00"),
    types.Time(),
    types.Binary(3),
    types.Binary(),
])  # fmt: skip
KINDS: st.SearchStrategy[DataType] = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        inner.map(Option),
        st.builds(List, inner, st.sampled_from([None, 3])),
        st.builds(Map, inner, inner, st.sampled_from([None, False, True])),
        st.lists(st.builds(DataField, NAMES, inner, EXTRAS), max_size=3).map(lambda found: Struct(tuple(found))),
    ),
    max_leaves=4,
)
FIELDS = st.builds(DataField, NAMES, KINDS, EXTRAS)
SCHEMAS = st.builds(DataSchema, st.lists(FIELDS, max_size=4).map(tuple), EXTRAS)

NAMED_ONCE = st.builds(DataSchema, st.lists(FIELDS, max_size=4, unique_by=lambda field: field.name).map(tuple), EXTRAS)


@st.composite
def edited(draw: st.DrawFn, schema: DataSchema) -> DataSchema:
    """The schema after up to three edits."""
    fields = list(schema.fields)
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, max(len(fields) - 1, 0)))
        edit = draw(st.sampled_from(["add", "drop", "move", "type", "inner", "option", "extra"]))
        if edit == "add" or not fields:
            fields.insert(place, draw(FIELDS))
        elif edit == "drop":
            fields.pop(place)
        elif edit == "move":
            fields.insert(draw(st.integers(0, len(fields) - 1)), fields.pop(place))
        else:
            fields[place] = draw(_field(fields[place], edit))
    return DataSchema(tuple(fields), draw(EXTRAS) if draw(st.booleans()) else schema.extra)


def _field(one: DataField, edit: str) -> st.SearchStrategy[DataField]:
    if edit == "extra":
        return EXTRAS.map(lambda extra: replace(one, extra=extra))
    kinds = {"type": KINDS, "inner": inner(one.type), "option": st.just(flipped(one.type))}[edit]
    return kinds.map(lambda kind: replace(one, type=kind))


def flipped(kind: DataType) -> DataType:
    """The type with another optionality."""
    return without_option(kind) if kind.kind is Kind.OPTION else Option(kind)


def inner(kind: DataType) -> st.SearchStrategy[DataType]:
    """The type with another one somewhere inside."""
    if isinstance(kind, List | Option):
        name = "item" if isinstance(kind, List) else "inner"
        return st.deferred(lambda: inner(getattr(kind, name))).map(lambda part: replace(kind, **{name: part}))
    if isinstance(kind, Map):
        return st.deferred(lambda: inner(kind.value)).map(lambda part: replace(kind, value=part))
    if isinstance(kind, Struct):
        return edited(DataSchema(kind.fields)).map(lambda found: Struct(found.fields))
    return LEAVES | st.just(flipped(kind))


# Without maps, structs and fixed lengths.
SIMPLE_KINDS: st.SearchStrategy[DataType] = st.recursive(LEAVES, lambda inner: inner.map(Option) | st.builds(List, inner), max_leaves=2)
SIMPLE_SCHEMAS = st.builds(
    DataSchema, st.lists(st.builds(DataField, NAMES, SIMPLE_KINDS, EXTRAS), min_size=1, max_size=4).map(tuple), EXTRAS
)


@st.composite
def retyped(draw: st.DrawFn, schema: DataSchema) -> DataSchema:
    """The schema with other simple types and attributes for some of its fields, under the same names."""
    fields = [replace(one, type=draw(st.just(one.type) | SIMPLE_KINDS), extra=draw(st.just(one.extra) | EXTRAS)) for one in schema.fields]
    return DataSchema(tuple(fields), schema.extra)


@st.composite
def part(draw: st.DrawFn, schema: DataSchema) -> DataSchema:
    """The schema without some of its fields."""
    return DataSchema(tuple(one for one in schema.fields if draw(st.booleans())), schema.extra)


@st.composite
def rearranged(draw: st.DrawFn, schema: DataSchema) -> DataSchema:
    """The schema with its fields in another order, and with other attributes."""
    fields = [replace(one, extra=draw(st.just(one.extra) | EXTRAS)) for one in draw(st.permutations(schema.fields))]
    return DataSchema(tuple(fields), draw(EXTRAS))


@st.composite
def extended(draw: st.DrawFn, schema: DataSchema) -> DataSchema:
    """The schema rearranged, with optional fields more."""
    fields = list(draw(rearranged(schema)).fields)
    for name in draw(st.sampled_from(["", "x", "xy"])):
        fields.insert(draw(st.integers(0, len(fields))), DataField(name, Option(without_option(draw(KINDS)))))
    return DataSchema(tuple(fields), draw(EXTRAS))


def paired(first: st.SearchStrategy[DataSchema], second: Callable[[DataSchema], st.SearchStrategy[DataSchema]]) -> st.SearchStrategy[Pair]:
    """Pairs whose second is made of the first."""
    return first.flatmap(lambda one: st.tuples(st.just(one), second(one)))


PAIRS = paired(SCHEMAS, edited)
PARTS = paired(SCHEMAS, part)
RETYPED = paired(SIMPLE_SCHEMAS, retyped)
REARRANGED = paired(NAMED_ONCE, rearranged)
EXTENDED = paired(NAMED_ONCE, extended)
TRIPLES = PAIRS.flatmap(lambda pair: st.tuples(st.just(pair[0]), st.just(pair[1]), edited(pair[1])))
ASPECTS = st.frozensets(st.sampled_from(["order", "optionality", "attributes"]))
