"""Manifest lists and manifests: which schema ids they name, in any codec, however hostile their bytes are."""

import io
import json
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import fastavro
import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.errors import FormatError, NotThereError, SchemaError
from airflow_provider_schemas.store.paimon import manifest_cache
from airflow_provider_schemas.store.paimon.avro_container import MAX_UNPACKED, opened
from airflow_provider_schemas.store.paimon.manifest_cache import Memory
from airflow_provider_schemas.store.paimon.manifests import Known, ManifestFacts, Named, file_name, look, read_list, read_manifest
from tests.support import damaged
from tests.support.paimon.made_by_pypaimon import Copy, made
from tests.support.paimon.other_manifests import FORMATS, manifest_bytes

CODECS = ("null", "deflate", "zstd", "bzip2", "xz")
STATS = {"type": "record", "name": "Stats", "fields": [{"name": "_NULL_COUNTS", "type": ["null", {"type": "array", "items": "long"}]}]}
FILE = {
    "type": "record",
    "name": "File",
    "fields": [
        {"name": "_FILE_NAME", "type": "string"},
        {"name": "_KEY_STATS", "type": STATS},
        {"name": "_VALUE_STATS", "type": "Stats"},
        {"name": "_SCHEMA_ID", "type": "long"},
        {"name": "_EXTERNAL_PATH", "type": ["null", "string"]},
    ],
}
MANIFEST: dict[str, Any] = {
    "type": "record",
    "name": "Entry",
    "fields": [{"name": "_KIND", "type": "int"}, {"name": "_FILE", "type": FILE}],
}

PART = {**MANIFEST, "fields": [{"name": "_FILE", "type": {**FILE, "fields": [{"name": "_SCHEMA_ID", "type": "long"}]}}]}


@pytest.fixture(autouse=True)
def forgetful() -> None:
    manifest_cache.forget()


def entry(schema: int, name: str = "data-1.parquet") -> dict[str, Any]:
    stats = {"_NULL_COUNTS": [0, 1]}
    file = {"_FILE_NAME": name, "_KEY_STATS": stats, "_VALUE_STATS": stats, "_SCHEMA_ID": schema, "_EXTERNAL_PATH": None}
    return {"_KIND": 0, "_FILE": file}


def written(records: list[Any], schema: Any = None, codec: str = "null", **options: Any) -> bytes:
    out = io.BytesIO()
    fastavro.writer(out, fastavro.parse_schema(MANIFEST if schema is None else schema), records, codec=codec, **options)
    return out.getvalue()


def of_fastavro(data: bytes, part: Any = None) -> Counter[int]:
    """The other opinion: the whole file read by fastavro alone, without our blocks and limits, and without our projection unless asked."""
    found: list[Any] = list(fastavro.reader(io.BytesIO(data), part))
    return Counter(one["_FILE"]["_SCHEMA_ID"] for one in found)


def manifests_of(table: str) -> dict[str, bytes]:
    folder = made().folder / "db.db" / table / "manifest"
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# ---------------------------------------------------------------- what pypaimon wrote


@pytest.mark.parametrize("codec", CODECS)
def test_manifests_of_pypaimon_in_every_codec_say_what_pypaimon_says(codec: str) -> None:
    table = f"codec_{codec}"
    files = manifests_of(table)
    for number, said in made().said[table]["main"].items():
        snapshot = json.loads((made().folder / "db.db" / table / "snapshot" / f"snapshot-{number}").read_text())
        lists = [read_list(files[snapshot[key]]) for key in ("baseManifestList", "deltaManifestList")]
        assert sorted({schema for one in lists for schema in one.schemas}) == said["lists"]
        inside = [read_manifest(files[one.name]) for facts in lists for one in facts.manifests]
        assert sorted({schema for one in inside for schema in one.schemas}) == said["files"]


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
            for one in read_list(data).manifests if name.startswith("manifest-list-") else ():
                assert len(files[one.name]) == one.size
                assert of_fastavro(files[one.name]).total() == one.entries


def test_snappy_asks_for_its_library_or_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cramjam", None)
    data = next(data for name, data in manifests_of("codec_snappy").items() if not name.startswith("manifest-list"))
    with pytest.raises(FormatError, match="cramjam"):
        read_manifest(data)


# ---------------------------------------------------------------- what else may write


def test_many_blocks_and_entries_are_counted() -> None:
    data = written([entry(n % 3) for n in range(1_000)], sync_interval=100)
    assert len(list(opened(data).blocks)) > 50
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


# ---------------------------------------------------------------- what nobody should have written


def hostile(schema: Any, body: bytes, count: int = 1, codec: str = "null") -> bytes:
    """A file with this schema and this block, whatever they are."""
    head = written([], {"type": "record", "name": "Entry", "fields": []})
    sync = head[-16:]
    text = schema if isinstance(schema, bytes) else json.dumps(schema).encode()
    about = {b"avro.schema": text, b"avro.codec": codec.encode()}
    packed = b"".join(varint(len(key)) + key + varint(len(value)) + value for key, value in about.items())
    return b"Obj\x01" + varint(len(about)) + packed + b"\0" + sync + varint(count) + varint(len(body)) + body + sync


def varint(value: int) -> bytes:
    value = (value << 1) ^ (value >> 63)
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def with_field(kind: Any) -> dict[str, Any]:
    return {**MANIFEST, "fields": [{"name": "evil", "type": kind}, *MANIFEST["fields"]]}


RECURSIVE = {"type": "record", "name": "R", "fields": [{"name": "next", "type": ["null", "R"]}]}
DEEP = b'{"type":"array","items":' * 60 + b'"int"' + b"}" * 60
HOSTILE: dict[str, bytes] = {
    "nothing": b"",
    "no Avro": b"PAR1" + b"x" * 100,
    "only the magic": b"Obj\x01",
    "a header without end": b"Obj\x01" + varint(10**9),
    "a header with a negative size": b"Obj\x01" + varint(1) + varint(-5),
    "a number that never ends": b"Obj\x01" + b"\xff" * 100,
    "a schema that is no JSON": hostile(b"{", b""),
    "a schema nested without end": hostile(b"[" * 100_000, b"\0"),
    "a schema nested deep": hostile(b'{"type":"record","name":"E","fields":[{"name":"a","type":' + DEEP + b"}]}", b"\0"),
    "a schema of a megabyte": hostile(b'"' + b"x" * 2_000_000 + b'"', b"\0"),
    "a schema of an unknown type": hostile(with_field("Nowhere"), b"\0"),
    "a schema that is a number": hostile(b"5", b"\0"),
    "a schema without the field": hostile({"type": "record", "name": "E", "fields": [{"name": "_KIND", "type": "int"}]}, b"\0"),
    "a record that contains itself": hostile(with_field(RECURSIVE), b"\x02" * 5_000_000),
    "a union that contains its record": hostile(
        {"type": "record", "name": "E", "fields": [{"name": "_FILE", "type": ["null", "E"]}]}, b"\2"
    ),
    "lists of nothing": hostile(with_field({"type": "array", "items": "null"}), varint(2**60) + b"\0" * 9),
    "lists of empty records": hostile(
        with_field({"type": "array", "items": {"type": "record", "name": "N", "fields": []}}), varint(2**60) + b"\0" * 9
    ),
    "a string longer than the file": hostile(MANIFEST, varint(0) + varint(2**40)),
    "a string shorter than nothing": hostile(MANIFEST, varint(0) + varint(-3) + b"abc"),
    "a branch of a union that is not there": hostile(MANIFEST, varint(0) + varint(1) + b"a" + varint(7)),
    "more records than bytes": hostile(MANIFEST, b"\0", count=10**6),
    "a negative count": hostile(MANIFEST, b"\0", count=-3),
    "fewer records than there are": hostile(MANIFEST, b"\0" * 12, count=1),
    "an unknown codec": hostile(MANIFEST, b"\0", codec="lzma9"),
    "a broken zstandard block": hostile(MANIFEST, b"\x28\xb5\x2f\xfd____", codec="zstandard"),
    "a broken deflate block": hostile(MANIFEST, b"\xff\xff", codec="deflate"),
    "a broken xz block": hostile(MANIFEST, b"\xfd7zXZ", codec="xz"),
    "a schema id below zero": written([entry(-1)]),
    "a schema id beyond an int": written([entry(2**40)]),
    "an entry that is null": written([None], ["null", MANIFEST]),
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("read", [read_manifest, read_list])
def test_what_is_no_manifest_is_refused(read: Callable[[bytes], Any], data: bytes) -> None:
    with pytest.raises(FormatError):
        read(data)


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("read", [read_manifest, read_list])
def test_another_format_is_told_from_what_is_broken(read: Callable[[bytes], Any], kind: str) -> None:
    whole = manifest_bytes(kind)
    with pytest.raises(FormatError) as caught:
        read(whole)
    assert caught.value.code == "paimon.manifest-format"
    for broken in (whole[:-1], whole[: len(whole) // 2], whole[1:], whole[:5]):
        with pytest.raises(FormatError) as caught:
            read(broken)
        assert caught.value.code == "avro.broken"


@pytest.mark.parametrize("codec", ["deflate", "zstandard", "bzip2", "xz"])
def test_a_bomb_is_not_unpacked(codec: str) -> None:
    import bz2  # only here
    import lzma

    import zstandard

    piece = b"\0" * (MAX_UNPACKED + 1024)
    pack: dict[str, Callable[[bytes], bytes]] = {
        "deflate": lambda data: zlib.compress(data, 1)[2:-4],
        "zstandard": zstandard.ZstdCompressor().compress,
        "bzip2": lambda data: bz2.compress(data, 1),
        "xz": lambda data: lzma.compress(data, preset=0),
    }
    with pytest.raises(FormatError, match="larger than"):
        read_manifest(hostile(MANIFEST, pack[codec](piece), codec=codec))


MARKER = b"mark" * 4  # a random one would draw other places for the same example


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A manifest with a few bytes changed: in the names of its files, in its blocks, or anywhere."""
    codec = draw(st.sampled_from([*["null"] * 5, "deflate"]))
    whole = bytearray(written([entry(n, "data-" + "1" * 90) for n in range(4)], codec=codec, sync_interval=60, sync_marker=MARKER))
    names = st.sampled_from([place for place, byte in enumerate(whole) if byte == ord("1")] or range(len(whole)))
    blocks = st.integers(len(written([], codec=codec)), len(whole) - 1)
    places = damaged.mostly(damaged.mostly(names, blocks, 2), st.integers(0, len(whole) - 1))
    for _ in range(draw(st.sampled_from([1, 1, 2]))):
        whole[draw(places)] = draw(damaged.mostly(st.integers(0, 127), st.integers(0, 255)))
    return bytes(whole)


@given(mutated())
def test_mutated_manifests_are_refused_or_read_as_fastavro_reads_them(whole: bytes) -> None:
    try:
        found = read_manifest(whole)
    except FormatError:
        return
    agreed(found, whole)


@st.composite
def blocks(draw: st.DrawFn) -> tuple[int, bytes]:
    """The number of entries in a block and its bytes, of which one may have been changed."""
    entries = draw(st.lists(st.builds(entry, st.integers(0, 2**31 - 1), st.text(max_size=20)), max_size=3))
    out = io.BytesIO()
    for one in entries:
        fastavro.schemaless_writer(out, fastavro.parse_schema(MANIFEST), one)
    body = bytearray(out.getvalue())
    if body and draw(st.booleans()):
        body[draw(st.integers(0, len(body) - 1))] = draw(st.integers(0, 255))
    return len(entries), bytes(body)


@given(damaged.mostly(blocks(), st.tuples(st.just(1), st.binary(max_size=300))))
def test_any_block_is_refused_or_read_as_fastavro_reads_it(block: tuple[int, bytes]) -> None:
    count, body = block
    whole = hostile(MANIFEST, body, count)
    try:
        found = read_manifest(whole)
    except FormatError:
        return
    agreed(found, whole)


def agreed(found: ManifestFacts, data: bytes) -> None:
    assert found.schemas in readings(data)


def readings(data: bytes) -> Iterator[Mapping[int, int]]:
    """What fastavro reads: whole records; and parts of them, where it skips texts that are none, and lists by the size that they give."""
    with suppress(UnicodeDecodeError, EOFError, IndexError):
        yield of_fastavro(data)
    yield of_fastavro(data, PART)


@pytest.mark.parametrize("codec", CODECS)
def test_a_manifest_that_is_cut_off_anywhere_is_never_taken_for_whole(tmp_path: Path, codec: str) -> None:
    table = Copy(tmp_path, f"codec_{codec}")
    names = [Named(table.snapshot(3)["deltaManifestList"], table.snapshot(3)["deltaManifestListSize"])]
    (manifest,) = read_list((table.path / "manifest" / names[0].name).read_bytes()).manifests
    for name in (names[0].name, manifest.name):
        path = table.path / "manifest" / name
        whole = path.read_bytes()
        for length in range(0, len(whole), 7):
            path.write_bytes(whole[:length])
            found = look(table.files, f"{table.folder}/manifest", names, Forgetful())
            assert name in found.wrong, length
        path.write_bytes(whole)


class Forgetful(Known):
    """Knows nothing."""


# ---------------------------------------------------------------- each is read once


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
    names = [Named(snapshot["baseManifestList"]), Named(snapshot["deltaManifestList"])]
    found = look(table.files, f"{table.folder}/manifest", names, Memory(table.files, "", table.registry, "x"))
    assert (found.gone, set(found.wrong)) == ({names[0].name}, {names[1].name})
    with pytest.raises(NotThereError):
        table.files.read(f"{table.folder}/manifest/{names[0].name}")
    assert issubclass(FormatError, SchemaError)
