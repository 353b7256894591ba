"""Each manifest is read once in its life: what a process and a file of the registry remember of it."""

import json
from pathlib import Path

import pytest

from airflow_provider_schemas.store.paimon import manifest_cache
from tests.support.paimon.made_by_pypaimon import Copy


def test_each_manifest_is_read_once_in_its_life(tmp_path: Path) -> None:
    table = Copy(tmp_path, "plain")
    first = table.references(may_write=True)
    before = table.files.count.gets
    second = table.references(may_write=True)
    assert table.files.count.gets - before == 4  # three snapshots and a tag
    manifest_cache.forget()  # as a new process does
    before = table.files.count.gets
    third = table.references(may_write=True)
    assert table.files.count.gets - before == 4
    assert first == second == third


def test_who_may_not_write_leaves_nothing_in_the_registry(tmp_path: Path) -> None:
    table = Copy(tmp_path, "plain")
    assert table.references().complete
    assert not (tmp_path / "registry").exists()


def test_only_what_is_new_is_read_and_what_went_is_forgotten(tmp_path: Path) -> None:
    table = Copy(tmp_path, "plain")
    hidden = table.snapshot_path(3).read_text()
    table.snapshot_path(3).unlink()
    table.references(may_write=True)
    file = tmp_path / "registry" / "references" / "db" / "plain" / "main.json"
    assert len(json.loads(file.read_text())["lists"]) == 4
    table.snapshot_path(3).write_text(hidden)
    manifest_cache.forget()
    before = table.files.count.gets
    table.references(may_write=True)
    assert table.files.count.gets - before == 4 + 2 + 1  # snapshots and tag, two new lists, one new manifest
    assert len(json.loads(file.read_text())["lists"]) == 6


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"version":2,"manifests":[],"lists":{}}', b"[" * 100_000, b"\xff"])
def test_a_registry_file_that_makes_no_sense_is_not_used(tmp_path: Path, content: bytes) -> None:
    table = Copy(tmp_path, "plain")
    wanted = table.references(may_write=True)
    (tmp_path / "registry" / "references" / "db" / "plain" / "main.json").write_bytes(content)
    manifest_cache.forget()
    assert table.references() == wanted


def test_what_is_remembered_of_another_file_of_that_name_is_not_used(tmp_path: Path) -> None:
    table = Copy(tmp_path, "plain")
    wanted = table.references(may_write=True)
    file = tmp_path / "registry" / "references" / "db" / "plain" / "main.json"
    stored = json.loads(file.read_text())
    for row in stored["manifests"]:
        row[0][1] += 1  # the size
        row[1] = {"2": 5}
    file.write_text(json.dumps(stored))
    manifest_cache.forget()
    found = table.references()
    assert not found.complete or found == wanted


def test_a_registry_that_refuses_to_be_written_costs_nothing(tmp_path: Path) -> None:
    table = Copy(tmp_path, "plain")
    (tmp_path / "registry").write_text("a file where the folder should be")
    assert table.references(may_write=True).complete


def test_memory_of_a_process_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifest_cache, "_MAX_WEIGHT", 5)
    table = Copy(tmp_path, "plain")
    assert table.references() == table.references()
    assert len(manifest_cache._PROCESS.facts) <= 5
