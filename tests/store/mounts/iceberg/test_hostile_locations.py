"""Metadata may name anything as a file: what comes of it is an answer or an error of ours."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats.iceberg import read_metadata
from airflow_provider_schemas.store.mounts.iceberg.finder import FoundMetadata
from airflow_provider_schemas.store.mounts.iceberg.history import KnownHistory
from airflow_provider_schemas.store.mounts.iceberg.live_schemas import KnownManifestSchemas
from airflow_provider_schemas.store.mounts.iceberg.locations import LocationReader, folders_of_properties
from airflow_provider_schemas.store.mounts.iceberg.look import IcebergLook, KnownFiles
from airflow_provider_schemas.store.mounts.iceberg.mount import open_folder
from airflow_provider_schemas.store.mounts.source import Heads, LiveSchemas
from airflow_provider_schemas.store.storage.files import Count

TABLE: dict[str, Any] = {
    "format-version": 2,
    "table-uuid": "9c12d441-03fe-4693-9a96-a0705ddf69c1",
    "location": "/nowhere/shop/orders",
    "last-sequence-number": 1,
    "last-updated-ms": 1_700_000_000_000,
    "last-column-id": 1,
    "current-schema-id": 0,
    "schemas": [{"type": "struct", "schema-id": 0, "fields": [{"id": 1, "name": "id", "required": True, "type": "long"}]}],
    "default-spec-id": 0,
    "partition-specs": [{"spec-id": 0, "fields": []}],
    "refs": {"main": {"snapshot-id": 7, "type": "branch"}},
    "current-snapshot-id": 7,
}
READERS = {
    "catalog": lambda: LocationReader(folders_of_properties({}, Count()), Count()),
    "address": lambda: LocationReader(partial(open_folder, None, None), Count()),
}
ODD = (
    "",
    "/",
    "x",
    "//",
    "metadata/x",
    "file:",
    "file://",
    "file:///",
    "/nowhere/shop/orders/",
    "a\0b",
    "\udc80",
    "what://ever",
    "s3:/x",
    "~/x",
)
LOCATIONS = st.sampled_from(ODD) | st.text(max_size=30) | st.builds("/nowhere/{}/{}".format, st.text(max_size=9), st.text(max_size=9))


def look(kind: str, **changes: Any) -> IcebergLook:
    metadata = read_metadata(json.dumps(TABLE | changes).encode())
    return IcebergLook(FoundMetadata("mark", READERS[kind]()), metadata, KnownFiles(KnownHistory(), KnownManifestSchemas()))


def outcome(call: Callable[[], object]) -> object:
    """What a call answers, or our error."""
    try:
        return call()
    except SchemaError as error:
        return error


@pytest.mark.parametrize("kind", READERS)
@given(locations=st.lists(LOCATIONS, min_size=1, max_size=4))
def test_a_past_in_files_of_any_name_is_short_or_an_error(kind: str, locations: list[str]) -> None:
    log = [{"timestamp-ms": number, "metadata-file": location} for number, location in enumerate(locations)]
    answer = outcome(lambda: look(kind, **{"metadata-log": log}).heads())
    assert isinstance(answer, SchemaError) or (isinstance(answer, Heads) and not answer.whole and len(answer.entries) == 1)


@pytest.mark.parametrize("kind", READERS)
@given(location=LOCATIONS)
def test_manifests_of_any_name_leave_it_open_or_are_an_error(kind: str, location: str) -> None:
    snapshot = {"snapshot-id": 7, "timestamp-ms": 1, "sequence-number": 1, "summary": {"operation": "append"}, "schema-id": 0}
    answer = outcome(lambda: look(kind, snapshots=[snapshot | {"manifest-list": location}]).live())
    assert isinstance(answer, SchemaError) or (isinstance(answer, LiveSchemas) and answer.numbers is None and answer.reason != "")


def test_a_ref_without_its_snapshot_leaves_it_open() -> None:
    live = look("catalog", snapshots=[]).live()
    assert (live.numbers, "main" in live.reason) == (None, True)


def test_a_past_that_names_its_own_file_ends(tmp_path: Path) -> None:
    place = tmp_path / "v1.metadata.json"
    log = [{"timestamp-ms": number, "metadata-file": str(place)} for number in range(5_000)]
    place.write_text(json.dumps(TABLE | {"metadata-log": log}))
    heads = look("address", **{"metadata-log": log}).heads()
    assert (len(heads.entries), heads.whole) == (1, False)
