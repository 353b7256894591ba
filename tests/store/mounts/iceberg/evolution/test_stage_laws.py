"""Whatever changes are judged, pyiceberg stages the same schema of them; with ids of its own for what is new, none of which was used."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.core import TableSchema, evolve, parse_changes
from airflow_provider_schemas.errors import ChangeError, SchemaError
from airflow_provider_schemas.formats.iceberg import IcebergMetadata, read_metadata, read_schema
from airflow_provider_schemas.store.mounts.iceberg.evolution.compare import all_ids, check_as_judged
from airflow_provider_schemas.store.mounts.iceberg.evolution.refusals import unbearable
from airflow_provider_schemas.store.mounts.iceberg.evolution.stage import stage
from tests.store.mounts.iceberg.support.lakes import NAMESPACE, sql_catalog

NAMES = ("a", "b", "c", "d")
TYPES = ("INT", "STRING", "DECIMAL(9, 2)", "ROW<x INT, y STRING>", "ARRAY<ROW<x INT>>", "MAP<STRING NOT NULL, ROW<x INT>>")
PLACES = ("a", "b", "c", "d", "r.x", "r.y", "list.element.x", "map.value.x")
WIDER = ("b", "d", "r.x", "list.element.x", "map.value.x")


def _new(place: str, kind: str) -> str:
    return f"ADD COLUMN {place}_n {kind}"


NEW = st.builds(_new, st.sampled_from((*NAMES, "r.z", "list.element.z", "map.value.z")), st.sampled_from(TYPES))
OTHERS = st.one_of(
    st.builds(lambda place: f"DROP COLUMN {place}", st.sampled_from(PLACES)),
    st.builds(lambda place, name: f"RENAME COLUMN {place} TO {name}_r", st.sampled_from(PLACES), st.sampled_from(NAMES)),
    st.builds(lambda place: f"ALTER COLUMN {place} TYPE BIGINT", st.sampled_from(WIDER)),
    st.builds(lambda place: f"ALTER COLUMN {place} DROP NOT NULL", st.sampled_from(PLACES)),
    st.builds(lambda place, text: f"ALTER COLUMN {place} COMMENT '{text}'", st.sampled_from(PLACES), st.sampled_from(("hi", "", "x.y"))),
    st.builds(lambda name, other: f"ALTER COLUMN {name} AFTER {other}", st.sampled_from(NAMES), st.sampled_from(NAMES)),
    st.builds(lambda name: f"ALTER COLUMN {name} FIRST", st.sampled_from(NAMES)),
)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Any:
    from pyiceberg.schema import Schema
    from pyiceberg.types import IntegerType, ListType, LongType, MapType, NestedField, StringType, StructType

    schema = Schema(
        NestedField(1, "a", LongType(), required=True),
        NestedField(2, "b", IntegerType(), doc="as it was"),
        NestedField(3, "c", StringType()),
        NestedField(4, "d", IntegerType()),
        NestedField(5, "r", StructType(NestedField(6, "x", IntegerType()), NestedField(7, "y", StringType()))),
        NestedField(8, "list", ListType(9, StructType(NestedField(10, "x", IntegerType())))),
        NestedField(11, "map", MapType(12, StringType(), 13, StructType(NestedField(14, "x", IntegerType())))),
    )
    folder: Path = tmp_path_factory.mktemp("lake")
    return sql_catalog(folder).create_table((NAMESPACE, "t"), schema)


@pytest.fixture(scope="module")
def metadata(table: Any) -> IcebergMetadata:
    return read_metadata(table.metadata.model_dump_json().encode())


def _judged(metadata: IcebergMetadata, texts: list[str]) -> tuple[TableSchema, list[Any]] | None:
    """What the changes make that Iceberg's readers bear, one after the other; None of changes that make nothing."""
    head = metadata.schema(0)
    made: list[Any] = []
    schema = head
    for text in texts:
        try:
            [change] = parse_changes([text])
            after = evolve(head, [*made, change])
        except SchemaError:
            continue
        if not list(unbearable(metadata, after, [*made, change])):
            schema = after
            made.append(change)
    return (schema, made) if made else None


@given(texts=st.lists(st.one_of(NEW, OTHERS), min_size=2, max_size=8))
def test_the_staged_schema_is_the_judged_one(table: Any, metadata: IcebergMetadata, texts: list[str]) -> None:
    head = metadata.schema(0)
    judged = _judged(metadata, texts)
    if judged is None:
        return
    schema, changes = judged
    staged_by_peer = stage(table, changes).schema
    staged = read_schema(staged_by_peer.model_dump_json().encode(), staged_by_peer.schema_id)
    check_as_judged(head, schema, staged, metadata.last_column_id)
    new = set(all_ids(staged)) - set(all_ids(head))
    assert min(new, default=metadata.last_column_id + 1) > metadata.last_column_id


@given(texts=st.lists(st.one_of(NEW, OTHERS), min_size=1, max_size=4), other=NEW)
def test_a_schema_of_other_changes_is_never_taken_for_the_judged_one(
    table: Any, metadata: IcebergMetadata, texts: list[str], other: str
) -> None:
    head = metadata.schema(0)
    judged = _judged(metadata, texts)
    more = _judged(metadata, [*texts, other])
    if judged is None or more is None or len(more[1]) == len(judged[1]):
        return
    staged_by_peer = stage(table, more[1]).schema
    staged = read_schema(staged_by_peer.model_dump_json().encode(), staged_by_peer.schema_id)
    with pytest.raises(ChangeError):
        check_as_judged(head, judged[0], staged, metadata.last_column_id)
