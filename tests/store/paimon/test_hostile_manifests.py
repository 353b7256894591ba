"""Manifests that are damaged, cut off or made to do harm: each is refused, or read as fastavro alone reads it."""

import io
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import fastavro
import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.avro.codecs import MAX_UNPACKED
from airflow_provider_schemas.store.paimon.manifests import KnownManifests, ManifestFacts, NamedFile, look, read_list, read_manifest
from tests.store.support.avro_files import CODECS, MANIFEST, PART, entry, hostile, of_fastavro, varint, with_field, written
from tests.support import damaged
from tests.support.paimon.made_by_pypaimon import Copy
from tests.support.paimon.other_manifests import FORMATS, manifest_bytes

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


@pytest.mark.parametrize("megabytes", [1.5, 3])
def test_a_schema_is_read_up_to_a_megabyte(megabytes: float) -> None:
    with pytest.raises(FormatError) as caught:
        read_manifest(hostile(b'"' + b"x" * int(megabytes * 1_000_000) + b'"', b"\0"))
    assert caught.value.code == "avro.too-large"


def test_a_header_of_many_keys_is_not_read() -> None:
    key = varint(1) + b"k" + varint(0)
    with pytest.raises(FormatError, match="header") as caught:
        read_manifest(b"Obj\x01" + varint(1_000_000) + key * 1_000_000 + varint(0) + b"s" * 16)
    assert caught.value.code == "avro.too-large"


def test_a_manifest_of_too_many_entries_is_not_read() -> None:
    with pytest.raises(FormatError, match="500001 records") as caught:
        read_manifest(hostile(PART, b"\0" * 500_001, count=500_001))
    assert caught.value.code == "avro.too-large"


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
    for record in entries:
        fastavro.schemaless_writer(out, fastavro.parse_schema(MANIFEST), record)
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
    """Yield what fastavro reads: whole records; and parts of them, where it skips broken texts, and lists by the size that they give."""
    with suppress(UnicodeDecodeError, EOFError, IndexError):
        yield of_fastavro(data)
    yield of_fastavro(data, PART)


@pytest.mark.parametrize("codec", CODECS)
def test_a_manifest_that_is_cut_off_anywhere_is_never_taken_for_whole(tmp_path: Path, codec: str) -> None:
    table = Copy(tmp_path, f"codec_{codec}")
    names = [NamedFile(table.snapshot(3)["deltaManifestList"], table.snapshot(3)["deltaManifestListSize"])]
    (manifest,) = read_list((table.path / "manifest" / names[0].name).read_bytes()).manifests
    for name in (names[0].name, manifest.name):
        path = table.path / "manifest" / name
        whole = path.read_bytes()
        for length in range(0, len(whole), 7):
            path.write_bytes(whole[:length])
            found = look(table.files, f"{table.folder}/manifest", names, Forgetful())
            assert name in found.wrong, length
        path.write_bytes(whole)


class Forgetful(KnownManifests):
    """Knows nothing."""
