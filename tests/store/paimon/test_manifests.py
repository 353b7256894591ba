"""Manifest lists and manifests: which schema ids they name, in any codec, whoever wrote them."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from airflow_provider_schemas.errors import FormatError, NotThereError, SchemaError
from airflow_provider_schemas.formats.avro.container import open_container
from airflow_provider_schemas.store.paimon.manifest_cache import Memory
from airflow_provider_schemas.store.paimon.manifests import NamedFile, file_name, look, read_list, read_manifest
from tests.store.support.avro_files import CODECS, FILE, MANIFEST, entry, manifests_of, of_fastavro, written
from tests.support.paimon.made_by_pypaimon import Copy, made

# ---------------------------------------------------------------- what pypaimon wrote


@pytest.mark.parametrize("codec", CODECS)
def test_manifests_of_pypaimon_in_every_codec_say_what_pypaimon_says(codec: str) -> None:
    table = f"codec_{codec}"
    files = manifests_of(table)
    for number, said in made().said[table]["main"].items():
        snapshot = json.loads((made().folder / "db.db" / table / "snapshot" / f"snapshot-{number}").read_text())
        lists = [read_list(files[snapshot[key]]) for key in ("baseManifestList", "deltaManifestList")]
        assert sorted({schema for facts in lists for schema in facts.schemas}) == said["lists"]
        inside = [read_manifest(files[manifest.name]) for facts in lists for manifest in facts.manifests]
        assert sorted({schema for facts in inside for schema in facts.schemas}) == said["files"]


def test_the_id_of_a_deleted_file_counts() -> None:
    said = made().said["plain"]["main"]["3"]
    assert said["deleted"] == [0]  # pypaimon says that the last snapshot took a file of version 0 away
    last = json.loads((made().folder / "db.db" / "plain" / "snapshot" / "snapshot-3").read_text())
    files = manifests_of("plain")
    (delta,) = read_list(files[last["deltaManifestList"]]).manifests
    assert 0 in read_manifest(files[delta.name]).schemas


def test_lists_tell_sizes_and_entries_exactly_so_that_they_can_be_checked() -> None:
    for table in ("codec_null", "codec_deflate", "codec_bzip2", "codec_xz"):  # fastavro unpacks the others with further libraries
        files = manifests_of(table)
        for name, data in files.items():
            for manifest in read_list(data).manifests if name.startswith("manifest-list-") else ():
                assert len(files[manifest.name]) == manifest.size
                assert of_fastavro(files[manifest.name]).total() == manifest.entries


def test_snappy_asks_for_its_library_or_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cramjam", None)
    data = next(data for name, data in manifests_of("codec_snappy").items() if not name.startswith("manifest-list"))
    with pytest.raises(FormatError, match="cramjam"):
        read_manifest(data)


# ---------------------------------------------------------------- what else may write


def test_many_blocks_and_entries_are_counted() -> None:
    data = written([entry(n % 3) for n in range(1_000)], sync_interval=100)
    assert len(list(open_container(data).blocks)) > 50
    assert read_manifest(data).schemas == dict(of_fastavro(data)) == {0: 334, 1: 333, 2: 333}


def test_a_union_at_the_top_as_rust_writes_it_is_read() -> None:
    data = written([entry(4)], ["null", MANIFEST])
    assert read_manifest(data).schemas == {4: 1}


def test_fields_in_another_order_and_new_fields_are_read() -> None:
    more = {
        **FILE,
        "fields": [{"name": "_NEW", "type": {"type": "map", "values": "bytes"}}, *reversed(FILE["fields"][3:]), FILE["fields"][0]],
    }
    schema = {**MANIFEST, "fields": [{"name": "_FILE", "type": more}, {"name": "_LAST", "type": "double"}]}
    file = {"_NEW": {"a": b"x"}, "_FILE_NAME": "f", "_SCHEMA_ID": 5, "_EXTERNAL_PATH": "s3://elsewhere"}
    assert read_manifest(written([{"_FILE": file, "_LAST": 1.5}], schema)).schemas == {5: 1}


def test_no_entries_are_no_schemas() -> None:
    assert read_manifest(written([])).schemas == {}


# ---------------------------------------------------------------- libraries


@pytest.mark.parametrize("library", ["fastavro", "zstandard"])
def test_a_missing_library_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    data = next(data for name, data in manifests_of("plain").items() if not name.startswith("manifest-list"))
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(FormatError, match=rf"without {library}.*airflow-provider-schemas\[paimon\]"):
        read_manifest(data)


# ---------------------------------------------------------------- names


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../a", "a\\b", ".hidden", "a\nb", "a\0b", "x" * 256, None, 5, b"a"])
def test_a_name_that_leads_elsewhere_is_refused(name: Any) -> None:
    with pytest.raises(FormatError):
        file_name(name)


def test_what_is_gone_is_told_apart_from_what_is_wrong(tmp_path: Path) -> None:
    table = Copy(tmp_path, "plain")
    snapshot = table.snapshot(1)
    (table.path / "manifest" / snapshot["baseManifestList"]).unlink()
    (table.path / "manifest" / snapshot["deltaManifestList"]).write_bytes(b"?")
    names = [NamedFile(snapshot["baseManifestList"]), NamedFile(snapshot["deltaManifestList"])]
    found = look(table.files, f"{table.folder}/manifest", names, Memory(table.files, "", table.registry, "x"))
    assert (found.gone, set(found.wrong)) == ({names[0].name}, {names[1].name})
    with pytest.raises(NotThereError):
        table.files.read(f"{table.folder}/manifest/{names[0].name}")
    assert issubclass(FormatError, SchemaError)
