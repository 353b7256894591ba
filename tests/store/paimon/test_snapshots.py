"""Snapshots, changelogs and tags: which schema and which manifest lists each names."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.paimon.snapshots import AnchorKind, anchors, read_anchor, read_statistics
from airflow_provider_schemas.store.storage.local import LocalFiles
from tests.support import damaged
from tests.support.paimon.made_by_pypaimon import Copy, made

SNAPSHOT: dict[str, Any] = {
    "version": 3,
    "id": 7,
    "schemaId": 2,
    "baseManifestList": "manifest-list-a-0",
    "baseManifestListSize": 10,
    "deltaManifestList": "manifest-list-a-1",
    "changelogManifestList": None,
    "statistics": "stat-1",
}


def test_every_snapshot_and_tag_that_pypaimon_wrote_is_found_with_its_schema() -> None:
    files = LocalFiles(made().folder)
    for table, branches in made().said.items():
        for branch, snapshots in branches.items():
            folder = f"db.db/{table}" + ("" if branch == "main" else f"/branch/branch-{branch}")
            found = anchors(files, folder)
            said = {number: snapshot["schema"] for number, snapshot in snapshots.items()}
            assert {anchor.name: anchor.schema for anchor in found.found if anchor.kind is AnchorKind.SNAPSHOT} == said
            assert not found.wrong
            assert found.snapshots == len(said)
    tags = {anchor.name: anchor.schema for anchor in anchors(files, "db.db/plain").found if anchor.kind is AnchorKind.TAG}
    assert tags == {"first": 0}


def test_hints_temporary_files_and_folders_are_no_snapshots(tmp_path: Any) -> None:
    table = Copy(tmp_path, "plain")
    for name in ("EARLIEST", "LATEST", ".snapshot-9.1234.tmp", "snapshot-9.tmp", "snapshot-", "snapshot-x"):
        (table.path / "snapshot" / name).write_text("99")
    (table.path / "snapshot" / "snapshot-8").mkdir()
    found = anchors(table.files, table.folder)
    assert found.snapshots == 3
    assert not found.wrong


def test_each_folder_is_listed_once() -> None:
    files = LocalFiles(made().folder)
    anchors(files, "db.db/plain")
    assert files.count.snapshot() == (3, 4, 0)


def test_a_tag_may_outlive_its_changelog_and_a_changelog_its_data() -> None:
    about = {**SNAPSHOT, "changelogManifestList": "manifest-list-a-2"}
    must = {kind: {mention.file.name[-1]: mention.must for mention in read_anchor(kind, "7", as_bytes(about)).lists} for kind in AnchorKind}
    assert must[AnchorKind.SNAPSHOT] == {"0": True, "1": True, "2": False}
    assert must[AnchorKind.TAG] == {"0": True, "1": True, "2": False}
    assert must[AnchorKind.CHANGELOG] == {"0": False, "1": False, "2": True}


def test_sizes_are_known_where_they_are_written() -> None:
    found = read_anchor(AnchorKind.SNAPSHOT, "7", as_bytes(SNAPSHOT))
    assert [mention.file.size for mention in found.lists] == [10, -1]


def test_a_snapshot_without_format_version_is_one_of_an_old_paimon() -> None:
    about = {key: value for key, value in SNAPSHOT.items() if key != "version"}
    assert read_anchor(AnchorKind.SNAPSHOT, "7", as_bytes(about)).schema == 2


WRONG = {
    "no number of a schema": {"schemaId": None},
    "a schema that is true": {"schemaId": True},
    "a schema below zero": {"schemaId": -1},
    "a schema beyond an int": {"schemaId": 2**31},
    "a schema in words": {"schemaId": "2"},
    "another snapshot": {"id": 8},
    "a format of the future": {"version": 4},
    "no base list": {"baseManifestList": None},
    "no delta list": {"deltaManifestList": None},
    "a list outside": {"baseManifestList": "../../other/manifest-list"},
    "a hidden list": {"baseManifestList": ".."},
    "a list that is a number": {"deltaManifestList": 5},
    "a name with a line break": {"deltaManifestList": "a\nb"},
    "a size in words": {"baseManifestListSize": "10"},
    "statistics outside": {"statistics": "/etc/passwd"},
}


@pytest.mark.parametrize("change", WRONG.values(), ids=WRONG)
def test_a_snapshot_that_makes_no_sense_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(SchemaError):
        read_anchor(AnchorKind.SNAPSHOT, "7", as_bytes({**SNAPSHOT, **change}))


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"schemaId":' + b"9" * 10_000 + b"}", b'{"schemaId":1,"schemaId":2}', b"{}"],
)
def test_what_is_no_snapshot_is_refused(data: bytes) -> None:
    with pytest.raises(SchemaError):
        read_anchor(AnchorKind.SNAPSHOT, "7", data)
    with pytest.raises(SchemaError):
        read_statistics(data)


LISTS = st.text("abc-019", min_size=1, max_size=30).map(lambda name: f"manifest-list-{name}")
SNAPSHOTS = st.fixed_dictionaries(
    {"version": st.just(3), "id": st.just(7), "schemaId": st.integers(0, 99), "baseManifestList": LISTS, "deltaManifestList": LISTS},
    optional={"baseManifestListSize": st.integers(0, 2**40), "statistics": st.just("stat-1"), "commitUser": st.text(max_size=20)},
)


@given(SNAPSHOTS, st.data())
def test_hostile_bytes_are_read_or_refused_and_nothing_else(snapshot: dict[str, Any], data: st.DataObject) -> None:
    whole = bytearray(as_bytes(snapshot))
    for _ in range(data.draw(damaged.DAMAGES)):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.sampled_from(b"0123abc-") | st.integers(0, 255))
    try:
        found = read_anchor(AnchorKind.SNAPSHOT, "7", bytes(whole))
    except SchemaError:
        return
    assert found.schema == json.loads(bytes(whole))["schemaId"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.dictionaries(st.sampled_from([*SNAPSHOT]), inner)
)


@given(damaged.mostly(damaged.mostly(SNAPSHOTS, damaged.values(SNAPSHOTS, JSON), 2), JSON))
def test_json_of_any_shape_is_read_or_refused(value: Any) -> None:
    try:
        read_anchor(AnchorKind.SNAPSHOT, "7", as_bytes(value))
    except SchemaError:
        return
    assert isinstance(value["schemaId"], int)


def as_bytes(value: Any) -> bytes:
    return json.dumps(value).encode()
