"""Shapes that writers really leave, and that a reader of the specification does not expect: each is read as the engines read it.

Seen in files of Spark, Trino, Hive, Presto, Dremio, BigQuery, Snowflake, pyiceberg and two writers in Rust.
"""

import gzip
from typing import Any

import pytest

from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.iceberg import read_metadata
from airflow_provider_schemas.formats.iceberg.digests import schema_digest
from tests.formats.iceberg.support.metadata_files import ORDERS, WIDER, array, column, mapping, metadata, read, schema, struct, text

FIRST_VERSION = ("schemas", "current-schema-id", "table-uuid", "last-sequence-number", "refs", "partition-specs", "default-spec-id")


def first_version(only: dict[str, Any], **members: object) -> dict[str, Any]:
    """Return a file of the first version, which has one schema and one spec and neither has a number."""
    return metadata(WIDER, without=FIRST_VERSION) | {"format-version": 1, "schema": only, "partition-spec": []} | members


# ---------------------------------------------------------------- which schemas there are


@pytest.mark.parametrize("missing", ["schema-id", "type"])
def test_the_only_schema_of_the_first_version_needs_neither_number_nor_type(missing: str) -> None:
    only = {key: value for key, value in ORDERS.items() if key != missing}
    found = read(first_version(only))
    assert (found.current_schema_id, found.schema_ids, found.duplicate_ids) == (0, (0,), ())
    assert [field.name for field in found.schema(0).fields] == ["order_id", "amount"]


def test_where_both_members_stand_the_list_of_schemas_counts() -> None:
    other = schema(0, column(1, "ORDER_ID", required=True))
    found = read(metadata(ORDERS, schema=other, format_version=1))
    assert [field.name for field in found.schema(0).fields] == ["order_id", "amount"]


def test_an_empty_list_of_schemas_is_no_list() -> None:
    found = read(metadata(WIDER, without=("current-schema-id",)) | {"schemas": [], "schema": WIDER})
    assert (found.current_schema_id, found.schema_ids) == (1, (1,))


def test_schemas_may_stand_newest_first() -> None:
    found = read(metadata(WIDER, ORDERS, current_schema_id=1))
    assert found.schema_ids == (0, 1)
    assert [len(found.schema(number).fields) for number in found.schema_ids] == [2, 3]


def test_the_current_schema_may_be_older_than_another() -> None:
    found = read(metadata(ORDERS, WIDER, current_schema_id=0))
    assert found.current_schema_id == 0
    assert found.schema(found.current_schema_id).field("coupon") is None


def test_schemas_that_were_cleaned_up_leave_gaps() -> None:
    found = read(metadata(schema(4, *ORDERS["fields"]), schema(9, *WIDER["fields"])))
    assert found.schema_ids == (4, 9)
    assert found.schema(9).id == 9


def test_one_schema_twice_is_no_contradiction_but_two_of_one_number_are() -> None:
    spelled = ORDERS | {"fields": [ORDERS["fields"][0], ORDERS["fields"][1] | {"type": "decimal(10,2)"}], "identifier-field-ids": []}
    assert read(metadata(ORDERS, spelled)).duplicate_ids == ()
    assert read(metadata(ORDERS, schema(0, column(1, "order_id")))).duplicate_ids == (0,)


# ---------------------------------------------------------------- numbers of fields


def test_a_counter_below_the_numbers_that_are_in_use_does_not_count() -> None:
    nested = schema(
        0, column(1, "region", "string"), column(2, "place", struct(column(3, "lat", "double"), column(4, "tags", array(5, "int"))))
    )
    found = read(metadata(nested, last_column_id=1))
    assert found.last_column_id == 1
    assert found.schema(0).highest_field_id == 5


def test_the_counter_of_the_table_counts_where_the_newest_column_is_gone() -> None:
    assert read(metadata(ORDERS, last_column_id=40)).schema(0).highest_field_id == 40


def test_ids_of_elements_keys_and_values_are_kept_at_every_depth() -> None:
    deep = array(2, mapping(3, struct(column(5, "city", "string", required=True)), 4, array(6, "uuid", required=True)))
    found = read(metadata(schema(0, column(1, "routes", deep)))).schema(0)
    assert found.attributes(1)["element_ids"] == {
        "element": 2,
        "element.key": 3,
        "element.value": 4,
        "element.value.element": 6,
    }
    assert found.attributes(1)["logical"] == {"element.value.element": "uuid"}
    assert str(found.fields[0].type) == "ARRAY<MAP<ROW<`city` STRING NOT NULL> NOT NULL, ARRAY<BINARY(16) NOT NULL>>>"


# ---------------------------------------------------------------- names, types


@pytest.mark.parametrize("name", ["Region", "order-id", "a.b", "a b", "größe", "", " ", "select", "x" * 300, "名前", '"', "\t"])
def test_any_name_is_kept(name: str) -> None:
    assert read(metadata(schema(0, column(1, name)))).schema(0).fields[0].name == name


def test_names_that_differ_in_case_only_stand_beside_each_other() -> None:
    twins = schema(0, column(1, "Region"), column(2, "region"))
    assert [field.name for field in read(metadata(twins)).schema(0).fields] == ["Region", "region"]


@pytest.mark.parametrize(
    ("kind", "ours"),
    [
        ("decimal(10,2)", "DECIMAL(10, 2)"),
        ("decimal( 10 , 2 )", "DECIMAL(10, 2)"),
        ("fixed[ 4 ]", "BINARY(4)"),
        ("STRING", "STRING"),
        ("Decimal(10, 2)", "DECIMAL(10, 2)"),
        ("timestamptz_ns", "TIMESTAMP(9) WITH LOCAL TIME ZONE"),
        ("variant", "VARIANT"),
        ("geometry", "GEOMETRY(OGC:CRS84)"),
        ("geometry(srid:3857)", "GEOMETRY(srid:3857)"),
        ("geography(srid:4269, karney)", "GEOGRAPHY(srid:4269, karney)"),
        ("Geography(srid:4269, KARNEY)", "GEOGRAPHY(srid:4269, karney)"),
    ],
)
def test_writers_spell_types_in_their_own_way(kind: str, ours: str) -> None:
    assert str(read(metadata(schema(0, column(1, "a", kind)))).schema(0).fields[0].type) == ours


@pytest.mark.parametrize("kind", ["unknown", "interval", "varchar(10)", "decimal(10)", "geography(OGC:CRS84, flat)", "uuid16"])
def test_a_type_that_nobody_knows_is_kept_by_its_text(kind: str) -> None:
    assert read(metadata(schema(0, column(1, "a", kind)))).schema(0).fields[0].type.root is Root.OPAQUE


def test_what_says_nothing_of_null_may_be_null() -> None:
    silent = {"id": 1, "name": "a", "type": {"type": "list", "element-id": 2, "element": "long"}}
    assert str(read(metadata(schema(0, silent))).schema(0).fields[0].type) == "ARRAY<BIGINT>"


def test_a_required_column_of_an_unknown_type_is_required() -> None:
    found = read(metadata(schema(0, column(1, "a", "interval", required=True)))).schema(0)
    assert not found.fields[0].type.nullable


# ---------------------------------------------------------------- what stands around the schemas


@pytest.mark.parametrize("nothing", [-1, None])
def test_a_table_without_data_has_no_branch(nothing: int | None) -> None:
    empty = metadata(current_snapshot_id=nothing, refs={}, snapshots=[])
    assert read(empty).refs == {}
    assert read({key: value for key, value in empty.items() if key != "refs"}).refs == {}


def test_a_table_with_data_has_the_branch_main_whether_the_file_says_so_or_not() -> None:
    found = read(metadata(without=("refs",)))
    assert (found.refs["main"].kind, found.refs["main"].snapshot_id) == ("branch", 77)


def test_a_snapshot_may_be_numbered_beyond_63_bits_name_a_schema_that_is_gone_and_list_its_manifests_itself() -> None:
    snapshots = [
        {"snapshot-id": 9_876_543_210_123_456_789, "timestamp-ms": 5, "manifest-list": "a.avro", "schema-id": None},
        {"snapshot-id": 2, "timestamp-ms": 6, "manifests": ["m0.avro", "m1.avro"], "schema-id": 700},
        {"snapshot-id": 3, "timestamp-ms": 7, "manifest-list": "metadata/b.avro"},
    ]
    found = read(
        metadata(snapshots=snapshots, refs={"old": {"snapshot-id": 9_876_543_210_123_456_789, "type": "tag", "max-ref-age-ms": 1}})
    )
    assert [snapshot.schema_id for snapshot in found.snapshots] == [None, 700, None]
    assert found.snapshots[1].manifests == ("m0.avro", "m1.avro")
    assert found.snapshots[1].manifest_list is None
    assert found.refs["old"].snapshot_id == 9_876_543_210_123_456_789


def test_a_table_without_an_identity_says_that_it_has_none() -> None:
    anonymous = metadata(without=("table-uuid",), format_version=1)
    assert read(anonymous).uuid == read(anonymous).uuid == ""


@pytest.mark.parametrize("member", ["last-updated-ms", "properties", "snapshots", "snapshot-log", "metadata-log", "sort-orders", "refs"])
def test_what_schemas_do_not_need_may_be_missing_or_null(member: str) -> None:
    whole = read(metadata())
    for file in (metadata(without=(member,)), metadata() | {member: None}):
        found = read(file)
        assert found.digest(1) == whole.digest(1)
        assert found.schema(1).fields == whole.schema(1).fields


def test_members_that_nobody_knows_are_passed_over() -> None:
    more = metadata(
        row_lineage=False, next_row_id=0, statistics=[{"blob-metadata": [{"type": "ours"}]}], encryption_keys=[], future={"a": [1]}
    )
    assert read(more).schema(1) == read(metadata()).schema(1)


@pytest.mark.parametrize("member", ["default-spec-id", "default-sort-order-id"])
def test_a_default_that_is_not_in_the_list_partitions_nothing(member: str) -> None:
    assert read(metadata() | {member: 12}).schema(1).partition_keys == ()


@pytest.mark.parametrize("numbered", [{"field-id": 1000}, {}])
def test_the_first_version_may_leave_out_the_numbers_of_partitions(numbered: dict[str, int]) -> None:
    spec = [
        {"name": "order_id", "transform": "identity", "source-id": 1, **numbered},
        {"name": "b", "transform": "bucket[4]", "source-id": 2},
    ]
    found = read(first_version(ORDERS, **{"partition-spec": spec})).schema(0)
    assert found.partition_keys == ("order_id",)
    assert [field["transform"] for field in found.table_attributes["partition_transforms"]] == ["identity", "bucket[4]"]


def test_properties_that_are_no_texts_are_read_as_their_json() -> None:
    assert read(metadata(properties={"a": 5, "b": True, "c": None, "d": "x"})).properties == {"a": "5", "b": "true", "d": "x"}


WRAPPED = {
    "by gzip": gzip.compress(text(metadata())),
    "by gzip, in two parts": gzip.compress(text(metadata())[:50]) + gzip.compress(text(metadata())[50:]),
    "by gzip, with zeros behind": gzip.compress(text(metadata())) + b"\x00" * 9,
    "by nothing, with a mark of the byte order": b"\xef\xbb\xbf" + text(metadata()),
}


@pytest.mark.parametrize("wrapped", WRAPPED)
def test_a_file_may_be_wrapped_whatever_its_name_says(wrapped: str) -> None:
    assert read_metadata(WRAPPED[wrapped]).schema(1) == read(metadata()).schema(1)


@pytest.mark.parametrize("number", ["0", "one", 0.5, True])
def test_a_number_that_is_none_is_refused(number: object) -> None:
    with pytest.raises(FormatError):
        read(metadata(schema(0, *ORDERS["fields"]) | {"schema-id": number}, current_schema_id=0))


# ---------------------------------------------------------------- digests


def digest(fields: dict[str, Any]) -> str:
    return schema_digest(text(fields))


def test_how_a_writer_spells_a_schema_does_not_change_its_digest() -> None:
    first = WIDER["fields"][0]
    turned = {key: first[key] for key in reversed(first)} | {"doc": None, "initial-default": None}
    spelled: dict[str, Any] = {"identifier-field-ids": [], "schema-id": 12, "fields": [turned, *WIDER["fields"][1:]], "type": "struct"}
    spelled["fields"][1] = WIDER["fields"][1] | {"type": "decimal( 10,2 )"}
    assert digest(spelled) == digest(WIDER)


@pytest.mark.parametrize(
    ("kind", "other"),
    [
        ("string", "uuid"),
        ("geometry(srid 3857)", "geometry(srid3857)"),
        ("interval day", "intervalday"),
        ("decimal(10, 2)", "decimal(1, 02)"),
        ("long", "int"),
        (array(5, "long"), array(6, "long")),
        (array(5, "long"), array(5, "long", required=True)),
        (struct(column(5, "a")), struct(column(5, "b"))),
    ],
)
def test_schemas_that_are_not_the_same_have_different_digests(kind: object, other: object) -> None:
    assert digest(schema(0, column(1, "a", kind))) != digest(schema(0, column(1, "a", other)))
