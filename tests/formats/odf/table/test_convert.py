"""ODF schemas in tables: they come back as they were, their attributes stay with their fields, and tables are published as ODF."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import evolve, parse_changes, parse_type
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import AtomicType
from airflow_provider_schemas.core.types.kinds import KINDS, Root
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.core.validation.validity import validity
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.model import types
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.kinds import Kind
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import DataField
from airflow_provider_schemas.formats.odf.serialization.reader import schema_of
from airflow_provider_schemas.formats.odf.serialization.writer import of_field, of_schema
from airflow_provider_schemas.formats.odf.table import convert, leaf_types
from airflow_provider_schemas.formats.odf.table.convert import to_odf, to_table
from tests.formats.odf.support import strategies
from tests.formats.support.strategies import schemas

DESCRIPTION, PAIMON_TYPE = "opendatafabric.org/description", "airflow-provider-schemas/paimonType"


def schema(*fields: dict[str, Any], **rest: Any) -> DataSchema:
    return schema_of({"fields": list(fields), **rest})


def atom(column: str) -> AtomicType:
    kind = parse_type(column)
    assert isinstance(kind, AtomicType)
    return kind


def text(found: DataSchema) -> str:
    return json.dumps(of_schema(found), sort_keys=True)


def stored(found: DataSchema) -> TableSchema:
    """The schema as it lies in the store and is read from there."""
    return TableSchema.from_json(to_table(found).schema.to_json())


# ---------------------------------------------------------------- to a table

# ODF's type, and Paimon's. Each holds every value of the other's.
COLUMNS: list[tuple[Any, str]] = [
    ("Bool", "BOOLEAN"),
    ("Int8", "TINYINT"),
    ("Int16", "SMALLINT"),
    ("Int32", "INT"),
    ("Int64", "BIGINT"),
    ("UInt8", "SMALLINT"),
    ("UInt16", "INT"),
    ("UInt32", "BIGINT"),
    ("UInt64", "DECIMAL(20, 0)"),
    ("Float16", "FLOAT"),
    ("Float32", "FLOAT"),
    ("Float64", "DOUBLE"),
    ("String", "STRING"),
    ("Binary", "BYTES"),
    ({"kind": "Binary", "fixedLength": 4}, "BINARY(4)"),
    ({"kind": "Binary", "fixedLength": 0}, "BYTES"),
    ("Date", "DATE"),
    ("Time", "TIME(3)"),
    ({"kind": "Time", "unit": "Second"}, "TIME(0)"),
    ({"kind": "Time", "unit": "Nanosecond"}, "TIME(9)"),
    ("Duration", "BIGINT"),
    ("Timestamp", "TIMESTAMP(3) WITH LOCAL TIME ZONE"),
    ({"kind": "Timestamp", "unit": "Microsecond", "timezone": "Europe/Berlin"}, "TIMESTAMP(6) WITH LOCAL TIME ZONE"),
    ({"kind": "Timestamp", "unit": "Nanosecond", "timezone": ""}, "TIMESTAMP(9)"),
    ({"kind": "Decimal", "precision": 10, "scale": 2}, "DECIMAL(10, 2)"),
    ({"kind": "Decimal", "precision": 10, "scale": -3}, "DECIMAL(13, 0)"),
    ({"kind": "Decimal", "precision": 6, "scale": 19}, "DECIMAL(19, 19)"),
    ({"kind": "Decimal", "precision": 0, "scale": 0}, "DECIMAL(1, 0)"),
    ({"kind": "Decimal", "precision": 39, "scale": 0}, "STRING"),
    ({"kind": "List", "itemType": "Int8"}, "ARRAY<TINYINT NOT NULL>"),
    ({"kind": "List", "itemType": "Int8", "fixedLength": 3}, "ARRAY<TINYINT NOT NULL>"),
    ({"kind": "Map", "keyType": "String", "valueType": {"kind": "Option", "inner": "Int8"}}, "MAP<STRING NOT NULL, TINYINT>"),
]


@pytest.mark.parametrize(("kind", "column"), COLUMNS, ids=[f"{kind} {column}" for kind, column in COLUMNS])
def test_a_type_becomes_the_smallest_that_holds_it_and_comes_back(kind: Any, column: str) -> None:
    given_schema = schema({"name": "a", "type": kind}, {"name": "b", "type": {"kind": "Option", "inner": kind}})
    found = stored(given_schema)
    assert [str(one.type) for one in found.fields] == [f"{column} NOT NULL", column]
    assert text(to_odf(found).schema) == text(given_schema)


def test_every_kind_without_parts_has_a_row() -> None:
    containers = {Kind.LIST, Kind.MAP, Kind.OPTION, Kind.STRUCT}
    named = {Kind[str(one if isinstance(one, str) else one["kind"]).upper()] for one, _ in COLUMNS}
    assert named | {Kind.NULL, Kind.OPTION, Kind.STRUCT} == set(Kind) - containers | containers


def test_nothing_but_null_may_be_null() -> None:
    null = schema({"name": "a", "type": {"kind": "Null"}}, {"name": "b", "type": {"kind": "Option", "inner": {"kind": "Null"}}})
    assert [str(one.type) for one in stored(null).fields] == ["BOOLEAN", "BOOLEAN"]
    assert text(to_odf(stored(null)).schema) == text(null)


def test_what_is_another_type_in_the_table_is_told() -> None:
    found = to_table(
        schema({"name": "s", "type": {"kind": "Struct", "fields": [{"name": "n", "type": "UInt64"}]}}, {"name": "b", "type": "Int8"})
    )
    assert [(one.path, one.what) for one in found.losses] == [("s.n", "kind")]
    assert "UInt64" in found.losses[0].message


def test_a_description_is_the_comment_of_the_column() -> None:
    described = schema({"name": "a", "type": "Int8", "extra": {DESCRIPTION: "the key", "x.y/z": 1}}, extra={DESCRIPTION: "all of it"})
    found = stored(described)
    assert (found.fields[0].description, found.comment) == ("the key", "all of it")
    assert found.attributes(0) == {"odf": {"extra": {"x.y/z": 1}}}
    renamed = evolve(found, parse_changes(["ALTER COLUMN a COMMENT 'another'"]))
    assert to_odf(renamed).schema.fields[0].extra == Attributes({DESCRIPTION: "another", "x.y/z": 1})


def test_a_description_that_paimon_would_follow_is_no_comment() -> None:
    order = schema({"name": "a", "type": "Binary", "extra": {DESCRIPTION: "__BLOB_FIELD"}})
    assert stored(order).fields[0].description is None
    assert text(to_odf(stored(order)).schema) == text(order)


def test_all_names_that_a_table_cannot_have_are_named_at_once() -> None:
    inner = {"kind": "Struct", "fields": [{"name": "x", "type": "Int8"}, {"name": "x", "type": "Int8"}, {"name": " ", "type": "Int8"}]}
    fields = [{"name": one, "type": "Int8"} for one in ("a", "a", "", "_LEVEL", "_KEY_a")]
    with pytest.raises(FormatError) as caught:
        to_table(schema(*fields, {"name": "s", "type": inner}))
    codes = {one.code for one in caught.value.faults}
    assert codes >= {"schema.duplicate-column", "fields.blank-name", "schema.reserved-name", "fields.duplicate-name-in-row"}
    assert "s.x" in [one.path for one in caught.value.faults]


def test_types_without_end_are_an_error_of_ours() -> None:
    kind: types.DataType = types.Binary()
    for _ in range(400):
        kind = types.List(kind)
    with pytest.raises(FormatError, match="deeper"):
        to_table(DataSchema((DataField("a", kind),)))


# ---------------------------------------------------------------- after changes

ORDERS = schema(
    {"name": "id", "type": "UInt32", "extra": {"x.y/who": "id"}},
    {
        "name": "s",
        "type": {"kind": "Option", "inner": {"kind": "Struct", "fields": [{"name": "n", "type": "UInt8", "extra": {"x.y/who": "n"}}]}},
        "extra": {},
    },
    {"name": "t", "type": {"kind": "Option", "inner": {"kind": "Timestamp", "timezone": "+10:30"}}},
)


def evolved(*changes: str) -> list[dict[str, Any]]:
    found = to_odf(evolve(stored(ORDERS), parse_changes(list(changes)))).schema
    return [of_field(one) for one in found.fields]


def test_attributes_and_hints_follow_a_renamed_and_moved_column() -> None:
    before = [of_field(one) for one in ORDERS.fields]
    assert evolved("RENAME COLUMN id TO key", "ALTER COLUMN key LAST") == [before[1], before[2], {**before[0], "name": "key"}]


def test_attributes_of_fields_inside_follow_them() -> None:
    struct = evolved("RENAME COLUMN s.n TO m", "ADD COLUMN s.x INT FIRST")[1]
    members = struct["type"]["inner"]["fields"]
    added = {"name": "x", "type": {"kind": "Option", "inner": {"kind": "Int32"}}}
    assert members == [added, {"name": "m", "type": {"kind": "UInt8"}, "extra": {"x.y/who": "n"}}]
    assert struct["extra"] == {}


def test_a_new_column_of_an_old_name_has_nothing_of_the_dropped_one() -> None:
    found = evolved("DROP COLUMN id", "ADD COLUMN id BIGINT")
    assert found[-1] == {"name": "id", "type": {"kind": "Option", "inner": {"kind": "Int64"}}}


def test_a_hint_holds_when_only_null_has_become_possible() -> None:
    assert evolved("ALTER COLUMN id DROP NOT NULL")[0]["type"] == {"kind": "Option", "inner": {"kind": "UInt32"}}


def test_a_hint_about_a_type_that_the_column_no_longer_has_is_dropped_and_told() -> None:
    changed = evolve(stored(ORDERS), parse_changes(["ALTER COLUMN id TYPE DECIMAL(30, 0)"]))
    found = to_odf(changed)
    assert of_field(found.schema.fields[0]) == {
        "name": "id",
        "type": {"kind": "Decimal", "precision": 30, "scale": 0},
        "extra": {"x.y/who": "id"},
    }
    assert [(one.path, one.what) for one in found.losses] == [("id", "hint")]


@pytest.mark.parametrize(
    "hint", ['"x"', "[]", '{"type":"Nope"}', '{"type":"Int8"}', '{"type":"Int8","of":7}', '{"extra":[]}', '{"extra":"x"}', "null"]
)
def test_a_hint_that_nobody_can_read_is_left_out_and_told(hint: str) -> None:
    spoiled = evolve(stored(ORDERS), parse_changes([{"action": "setOption", "key": "schemas.field.0", "value": f'{{"odf":{hint}}}'}]))
    found = to_odf(spoiled)
    assert of_field(found.schema.fields[0]) == {"name": "id", "type": {"kind": "Int64"}}
    assert [one.what for one in found.losses] == ["hint"]


# ---------------------------------------------------------------- publishing


@pytest.mark.parametrize(("column", "kind", "back"), leaf_types.LOSSY)
def test_a_lossy_type_becomes_what_the_table_says(column: str, kind: types.DataType, back: str) -> None:
    assert leaf_types.leaf_to_odf(atom(column)) == kind
    assert str(leaf_types.leaf_to_table(kind).with_nullable(True)) == back


def test_every_type_of_paimon_has_a_row_and_comes_back_or_is_in_the_table() -> None:
    lossy = {atom(column).root for column, *_ in convert.LOSSY}
    for root, kind in KINDS.items():
        if root is Root.OPAQUE:
            continue  # refused
        ours = AtomicType(root, **kind.defaults)
        back = leaf_types.leaf_to_table(leaf_types.leaf_to_odf(ours)).with_nullable(True)
        assert back == ours or root in lossy


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        ("CHAR(5)", {"kind": "String"}),
        ("VECTOR<FLOAT, 3>", {"kind": "List", "itemType": {"kind": "Option", "inner": {"kind": "Float32"}}, "fixedLength": 3}),
        ("MULTISET<STRING NOT NULL>", {"kind": "Map", "keyType": {"kind": "String"}, "valueType": {"kind": "Int32"}}),
        ("VARIANT", {"kind": "Binary"}),
    ],
)
def test_a_type_that_odf_lacks_is_kept_in_an_attribute_and_restored(column: str, kind: Any) -> None:
    found = TableSchema.create(f"a {column}")
    published = to_odf(found)
    field = of_field(published.schema.fields[0])
    assert field["type"] == {"kind": "Option", "inner": kind}
    assert set(field["extra"]) == {PAIMON_TYPE}
    assert [one.what for one in published.losses] == ["type"]
    assert to_table(published.schema).schema.fields == found.fields


def test_what_odf_has_no_place_for_is_told() -> None:
    found = TableSchema.create(
        "a INT NOT NULL DEFAULT 5, b INT", primary_keys=["a"], options={"bucket": "2", "schemas.field.1": '{"alias": "c"}'}
    )
    assert {(one.path, one.what) for one in to_odf(found).losses} == {
        ("", "primary key"),
        ("", "options"),
        ("a", "default"),
        ("b", "attributes"),
    }


# ---------------------------------------------------------------- laws

_names = st.sampled_from(["a", "b", "x y", "日本", "a.b", "it's", "`"]) | st.text(st.characters(codec="utf-8"), min_size=1, max_size=5)
_sayable = _names.filter(lambda one: bool(one.strip()) and not one.startswith("_") and one != "rowkind")
_kept_types = st.sampled_from(["CHAR(3)", "CHAR(3) NOT NULL", "BLOB", "VARIANT NOT NULL", "VARBINARY(9) NOT NULL", "INT NOT NULL", "x", 5])
_extras = strategies.extras | st.builds(lambda kept: Attributes({PAIMON_TYPE: kept}), _kept_types)


def _fields(kinds: st.SearchStrategy[types.DataType], least: int) -> st.SearchStrategy[tuple[DataField, ...]]:
    one = st.builds(DataField, _sayable, kinds, _extras)
    return st.lists(one, min_size=least, max_size=4).map(lambda found: tuple({one.name: one for one in found}.values()))


_kinds = st.recursive(
    strategies.leaves,
    lambda inner: st.one_of(
        inner.map(types.Option),
        st.builds(types.List, inner, strategies.lengths),
        st.builds(types.Map, inner, inner, st.none() | st.booleans()),
        _fields(inner, 0).map(types.Struct),
    ),
    max_leaves=5,
)
storable = st.builds(DataSchema, _fields(_kinds, 1), strategies.extras)


@given(storable)
def test_every_schema_whose_names_a_table_can_have_comes_back_as_it_was(given_schema: DataSchema) -> None:
    back = to_odf(stored(given_schema))
    assert text(back.schema) == text(given_schema)
    assert [one for one in back.losses if one.what not in ("type", "nullability")] == []


@given(storable)
def test_the_table_is_one_that_may_be_created(given_schema: DataSchema) -> None:
    assert validity(to_table(given_schema).schema).fits


@given(storable, st.data())
def test_attributes_stay_with_their_field_whatever_happens_to_the_columns(given_schema: DataSchema, data: st.DataObject) -> None:
    before = stored(given_schema)
    kept = {one.id: of_field(found) for one, found in zip(before.fields, given_schema.fields, strict=True)}
    after = before
    for _ in range(data.draw(st.integers(1, 4))):
        after = evolve(after, parse_changes([data.draw(_changes(after.fields))]))
    for column, found in zip(after.fields, to_odf(after).schema.fields, strict=True):
        if column.id in kept:
            assert json.dumps(of_field(found)) == json.dumps({**kept[column.id], "name": column.name})
        else:
            assert of_field(found) == {"name": column.name, "type": {"kind": "Option", "inner": {"kind": "Int32"}}}


def _changes(fields: tuple[Field, ...]) -> st.SearchStrategy[dict[str, Any]]:
    there = [one.name for one in fields]
    column, new = st.sampled_from(there), _sayable.filter(lambda one: one not in there)
    rename = st.builds(lambda old, name: {"action": "renameColumn", "fieldNames": [old], "newName": name}, column, new)
    add = new.map(lambda name: {"action": "addColumn", "fieldNames": [name], "dataType": "INT"})
    if len(there) == 1:
        return rename | add
    drop = column.map(lambda name: {"action": "dropColumn", "fieldNames": [name]})
    move = st.sampled_from(there[1:]).map(lambda name: {"action": "updateColumnPosition", "move": {"fieldName": name, "type": "FIRST"}})
    return rename | add | drop | move


@given(schemas())
def test_every_table_can_be_published(found: TableSchema) -> None:
    published = to_odf(found)
    assert published.schema.names == found.names
    assert [one.extra.get(DESCRIPTION) if one.extra else None for one in published.schema.fields] == [
        one.description for one in found.fields
    ]
