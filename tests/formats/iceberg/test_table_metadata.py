"""A metadata file of any version says which schemas a table has, which one counts, and what hangs on it."""

import gzip
import json
import zlib
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.errors import FormatError, NotThereError, SchemaError
from airflow_provider_schemas.formats.iceberg import IcebergMetadata, LogEntry, Ref, SnapshotFacts, metadata_file, read_metadata
from tests.benchmarks import iceberg_metadata
from tests.formats.iceberg.support.tables import ORDERS, WIDER, column, list_of, schema, table, text


def read(value: Any) -> IcebergMetadata:
    return read_metadata(text(value))


def without(value: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: member for key, member in value.items() if key not in keys}


# ---------------------------------------------------------------- the table and its schemas


def test_a_table_says_who_and_where_it_is() -> None:
    found = read(table(ORDERS, WIDER, properties={"comment": "people", "n": 5, "b": True, "x": None}))
    assert (found.uuid, found.format_version, found.last_column_id) == ("9c12d441-03fe-4693-9a96-a0705ddf69c1", 2, 3)
    assert (found.location, found.last_updated_ms) == ("s3://lake/shop/orders", 1_700_000_000_000)
    assert found.properties == {"comment": "people", "n": "5", "b": "true"}
    assert found.schema(1).comment == "people"


def test_the_current_schema_is_the_one_that_the_table_names_and_not_the_highest() -> None:
    found = read(table(ORDERS, WIDER, **{"current-schema-id": 0}))
    assert (found.current_schema_id, found.schema_ids, found.duplicate_ids) == (0, (0, 1), ())
    assert found.schema(0).names == ("id", "at")
    assert (found.schema(1).id, found.schema(1).names) == (1, ("id", "at", "coupon"))
    assert found.schema(0) is found.schema(0)
    assert found.digest(0) != found.digest(1)


def test_a_schema_that_is_not_there_is_said_to_be_gone() -> None:
    with pytest.raises(NotThereError, match="The metadata holds 0, 1") as caught:
        read(table(ORDERS, WIDER)).schema(7)
    assert caught.value.path == "7"
    with pytest.raises(NotThereError):
        read(table(ORDERS)).digest(7)


def test_of_two_schemas_with_one_number_the_first_counts_and_both_are_reported() -> None:
    other = schema(*ORDERS["fields"], column(3, "salary", "int"), number=1)
    found = read(table(ORDERS, WIDER, other))
    assert (found.schema_ids, found.duplicate_ids) == ((0, 1), (1,))
    assert found.schema(1).names[-1] == "coupon"
    assert read(table(ORDERS, ORDERS)).duplicate_ids == ()


def test_the_highest_id_never_falls_from_schema_to_schema() -> None:
    dropped = schema(*ORDERS["fields"], number=2)
    nested = schema(*ORDERS["fields"], column(4, "l", list_of(5, "int")), number=3)
    found = read(table(ORDERS, WIDER, dropped, nested, **{"last-column-id": 9}))
    assert [found.schema(number).highest_field_id for number in found.schema_ids] == [2, 3, 3, 9]


def test_a_table_of_the_first_version_has_one_schema_and_perhaps_no_number() -> None:
    old = without(table(), "schemas", "current-schema-id", "table-uuid", "last-updated-ms")
    spec = [{"name": "id", "transform": "identity", "source-id": 1, "field-id": 1000}]
    for only, number in ((schema(*ORDERS["fields"], number=None), 0), ({**ORDERS, "schema-id": 4}, 4)):
        found = read({**old, "format-version": 1, "schema": only, "partition-spec": spec})
        assert (found.uuid, found.last_updated_ms, found.schema_ids, found.current_schema_id) == ("", None, (number,), number)
        assert (found.schema(number).names, found.schema(number).partition_keys) == (("id", "at"), ("id",))


def test_the_first_version_with_all_its_schemas_is_read_like_the_second() -> None:
    found = read({**table(ORDERS, WIDER), "format-version": 1, "schema": ORDERS})
    assert (found.schema_ids, found.current_schema_id) == ((0, 1), 1)


def test_nulls_mean_that_nothing_is_there() -> None:
    empty = ("properties", "current-snapshot-id", "snapshots", "metadata-log", "refs", "partition-specs", "sort-orders", "schema")
    found = read(table(**dict.fromkeys(empty)))
    assert (dict(found.properties), found.snapshots, found.metadata_log, dict(found.refs)) == ({}, (), (), {})
    assert found.schema(0).table_attributes == {"format": "iceberg", "location": "s3://lake/shop/orders"}


# ---------------------------------------------------------------- partitions, order


def test_only_values_of_columns_as_they_are_are_partition_keys() -> None:
    day = {"name": "at_day", "transform": "day", "source-id": 2, "field-id": 1000}
    key = {"name": "id", "transform": "identity", "source-id": 1, "field-id": 1001}
    gone = {"name": "x", "transform": "identity", "source-id": 77, "field-id": 1002}
    several = {"name": "b", "transform": "bucket[4]", "source-ids": [1, 2], "field-id": 1003}
    order = {"transform": "identity", "source-id": 1, "direction": "asc", "null-order": "nulls-first"}
    specs = [{"spec-id": 0, "fields": [key]}, {"spec-id": 1, "fields": [day, key, gone, several]}]
    orders = [{"order-id": 0, "fields": []}, {"order-id": 3, "fields": [order]}]
    more = {"partition-specs": specs, "default-spec-id": 1, "sort-orders": orders, "default-sort-order-id": 3}
    found = read(table(**more)).schema(0)
    assert found.partition_keys == ("id",)
    assert found.table_attributes["partition_transforms"] == [day, key, gone, several]
    assert found.table_attributes["sort_order"] == [order]


# ---------------------------------------------------------------- the past, and what hangs on it


def test_the_log_the_references_and_the_snapshots_are_read_when_they_are_asked_for() -> None:
    snapshots = [
        {"snapshot-id": 5, "timestamp-ms": 1, "manifest-list": "s3://l", "schema-id": 1, "summary": {"operation": "append"}},
        {"snapshot-id": 6, "timestamp-ms": 2, "manifests": ["s3://m"]},
    ]
    refs = {"main": {"snapshot-id": 6, "type": "branch"}, "q1": {"snapshot-id": 5, "type": "tag", "max-ref-age-ms": 1}}
    log = [{"timestamp-ms": 1, "metadata-file": "s3://old"}]
    found = read(table(**{"snapshots": snapshots, "refs": refs, "metadata-log": log, "current-snapshot-id": 6}))
    assert found.snapshots == (SnapshotFacts(5, 1, "s3://l", (), 1), SnapshotFacts(6, None, None, ("s3://m",), 2))
    assert found.refs == {"main": Ref("branch", 6), "q1": Ref("tag", 5)}
    assert found.metadata_log == (LogEntry(1, "s3://old"),)


@pytest.mark.parametrize(("current", "refs"), [(5, {"main": Ref("branch", 5)}), (-1, {}), (None, {})])
def test_a_table_with_data_has_the_branch_main_even_if_nobody_wrote_so(current: int | None, refs: dict[str, Ref]) -> None:
    assert read(table(**{"current-snapshot-id": current})).refs == refs


def test_a_fault_in_what_nobody_asked_for_stops_nobody() -> None:
    found = read(table(snapshots=[{"snapshot-id": "x"}], refs=7, **{"metadata-log": [{}]}))
    assert found.schema(0).names == ("id", "at")
    for ask, path in ((lambda: found.snapshots, "snapshots"), (lambda: found.refs, "refs"), (lambda: found.metadata_log, "metadata-log")):
        with pytest.raises(FormatError) as caught:
            ask()
        assert caught.value.path.startswith(path)


# ---------------------------------------------------------------- compressed, broken, hostile


def test_a_compressed_file_is_read_like_a_plain_one() -> None:
    plain = text(table(ORDERS, WIDER))
    for data in (gzip.compress(plain), gzip.compress(plain[:100]) + gzip.compress(plain[100:]), b"\xef\xbb\xbf" + plain):
        assert read_metadata(data).schema_ids == (0, 1)


@pytest.mark.parametrize(
    "damage",
    [lambda data: data[:-9], lambda data: data[:30] + b"\x00" * 40, lambda data: b"\x1f\x8bnothing"],
    ids=["cut", "zeros", "no gzip"],
)
def test_a_broken_compressed_file_is_refused(damage: Any) -> None:
    with pytest.raises(FormatError) as caught:
        read_metadata(damage(gzip.compress(text(table(ORDERS, WIDER)))))
    assert caught.value.code in ("format.encoding", "json.invalid")


def test_what_unpacks_to_more_than_any_table_is_refused_on_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata_file, "MAX_BYTES", 10_000)
    bomb = zlib.compressobj(9, wbits=31)
    data = bomb.compress(b" " * 50_000_000) + bomb.flush()
    for source in (data, b" " * 10_001):
        with pytest.raises(FormatError) as caught:
            read_metadata(source)
        assert caught.value.code == "format.too-large"


@pytest.mark.parametrize(
    ("value", "faults"),
    [
        ({}, [("json.missing-key", "format-version"), ("json.missing-key", "location"), ("json.missing-key", "last-column-id")]),
        (
            {"format-version": "2", "location": 3, "last-column-id": 2**31, "refs": "not asked for"},
            [("json.wrong-type", "format-version"), ("json.wrong-type", "location"), ("json.wrong-type", "last-column-id")],
        ),
        (table(**{"format-version": 4}), [("iceberg.unknown-version", "format-version")]),
        (table(**{"format-version": 0}), [("iceberg.unknown-version", "format-version")]),
        (table(**{"current-schema-id": 9}), [("iceberg.no-current-schema", "current-schema-id")]),
        (without(table(), "schemas"), [("json.missing-key", "schemas")]),
        (without(table(ORDERS, WIDER), "current-schema-id"), [("json.missing-key", "current-schema-id")]),
        (table(ORDERS, schemas=[{"schema-id": "0"}]), [("json.wrong-type", "schemas.schema-id")]),
        ([], [("json.wrong-type", "")]),
        ("x", [("json.wrong-type", "")]),
    ],
)
def test_a_file_with_faults_is_told_all_of_them(value: Any, faults: list[tuple[str, str]]) -> None:
    with pytest.raises(FormatError) as caught:
        read(value)
    assert [(fault.code, fault.path) for fault in caught.value.faults] == faults


@pytest.mark.parametrize(
    "data", [b"", b"{", b"\xff", b"\x00", b"[" * 1_000_000, b'{"a":' * 200_000, b'{"schemas":' + b"[" * 200_000, None, "{}", 5]
)
def test_what_is_no_metadata_file_is_refused(data: Any) -> None:
    with pytest.raises(FormatError):
        read_metadata(data)


def ask_everything(found: IcebergMetadata) -> None:
    for number in found.schema_ids:
        found.schema(number)
        found.digest(number)
    for ask in ("refs", "snapshots", "metadata_log", "properties", "duplicate_ids", "highest_given_id"):
        getattr(found, ask)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5) | st.sampled_from(["identity", "int"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from("schema-id fields id name type spec-id order-id source-id transform main".split()), inner, max_size=4
        )
    ),
    max_leaves=10,
)
MEMBERS = [member.encode_name for member in msgspec.structs.fields(metadata_file.MetadataFile)]


@given(st.dictionaries(st.sampled_from(MEMBERS), JSON, max_size=4), JSON)
def test_any_member_is_read_or_refused(members: dict[str, Any], one: Any) -> None:
    for value in ({**table(), **members}, table(schema(one))):
        with suppress(SchemaError):
            ask_everything(read(value))


@given(st.data())
def test_damaged_bytes_are_read_or_refused(data: st.DataObject) -> None:
    whole = bytearray(text(table(ORDERS, WIDER)))
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    for damaged in (bytes(whole), bytes(whole[: data.draw(st.integers(0, len(whole)))])):
        with suppress(SchemaError):
            ask_everything(read_metadata(damaged))


# ---------------------------------------------------------------- cost


def test_the_head_costs_little_more_than_any_look_at_the_bytes() -> None:
    for measures in (iceberg_metadata.Table(100, 10, 1_000), iceberg_metadata.Table(1_000, 1, 5_000)):
        data = iceberg_metadata.metadata(measures)
        least = iceberg_metadata.best(lambda data=data: msgspec.json.decode(data, type=metadata_file.MetadataFile), 15)  # type: ignore[misc]  # bound in the loop
        ours = iceberg_metadata.best(lambda data=data: iceberg_metadata.head(data), 15)  # type: ignore[misc]  # likewise
        assert ours < 3 * least  # twice is the aim; a busy machine takes its part


def test_a_thousand_schemas_are_looked_at_without_decoding_them() -> None:
    data = iceberg_metadata.metadata(iceberg_metadata.Table(50, 1_000, 10))
    found = read_metadata(data)
    assert len(found.schema_ids) == 1_000
    assert found.schema(999).highest_field_id == 1_049
    assert found.schema(500).highest_field_id == 550
    assert json.loads(bytes(found.schemas[0][1]))["schema-id"] == 0
