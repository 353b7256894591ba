"""The blocks of an Avro file, unpacked, and never more of them than is sane: a file of some bytes may claim to hold any amount.

The container is simple: a header with the schema and the codec, then blocks that end with the same sixteen
bytes. It has no end mark, so that a file cut off behind a block looks whole: whoever names a file knows its size.
"""

import bz2
import lzma
import zlib
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from typing import Final, NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import FormatError

MAX_UNPACKED: Final = 256 * 1024 * 1024
MAX_RECORDS: Final = 500_000
MANIFEST_FORMAT: Final = "paimon.manifest-format"
_MAX_KEYS: Final = 1_000
_MAGIC: Final = b"Obj\x01"
_SYNC: Final = 16
_PIECE: Final = 1024 * 1024
_FIX: Final = "Restore the file from a backup, or expire the snapshots that name it."
# How whole files of the other formats begin, and what stands at their end or one byte before it.
_OTHERS: Final = (("it is an ORC file", "orc", b"ORC", slice(-4, -1)), ("it is a Parquet file", "parquet", b"PAR1", slice(-4, None)))
_OTHERS_FIX: Final = (
    "There is nothing to restore and nothing to expire. Read the table with Paimon's own connector; a sensor can wait for the schema "
    "(until='schema') instead of the files."
)


class Block(NamedTuple):
    """Records, one behind the other."""

    records: int
    data: bytes


class Container(NamedTuple):
    """An Avro file: the text of its schema, and its blocks."""

    schema: bytes
    blocks: Iterator[Block]


def broken(why: str, code: str = "avro.broken") -> FormatError:
    """The error about an Avro file that cannot be read."""
    return FormatError(f"{why}.", code=code, fix=_FIX)


def _no_avro(data: bytes) -> FormatError:
    """The error about a file that is no Avro file, which may be a healthy one of another format."""
    for what, name, magic, end in _OTHERS:
        if len(data) > 2 * len(magic) and data.startswith(magic) and data[end] == magic:
            why = f"the table keeps its manifests in that format (manifest.format={name}), and only Avro manifests are read here"
            return FormatError(f"{what}: {why}. The table is healthy.", code=MANIFEST_FORMAT, fix=_OTHERS_FIX)
    return broken("this is no Avro file")


def missing(library: str) -> FormatError:
    """The error about a library that is not installed."""
    message = f"manifests cannot be read without {library}."
    return FormatError(message, code="extra.missing", fix="Install it with: pip install 'airflow-provider-schemas[paimon]'.")


def opened(data: bytes) -> Container:
    """The file with these bytes. Its blocks are unpacked one at a time."""
    if not data.startswith(_MAGIC):
        raise _no_avro(data)
    about, at = _header(data)
    codec = about.get("avro.codec", b"null").decode("utf-8", "replace")
    if codec not in _CODECS:
        raise broken(f"its codec {shown(codec)} is not known")
    if "avro.schema" not in about:
        raise broken("it holds no schema")
    return Container(about["avro.schema"], _blocks(data, at, _CODECS[codec]))


def _header(data: bytes) -> tuple[dict[str, bytes], int]:
    """What the header says, and where it ends."""
    about: dict[str, bytes] = {}
    count, at = _long(data, len(_MAGIC))
    while count:
        if count < 0:
            _, at = _long(data, at)
        if abs(count) + len(about) > _MAX_KEYS:
            raise broken("its header has no end")
        for _ in range(abs(count)):
            key, at = _bytes(data, at)
            about[_text(key)], at = _bytes(data, at)
        count, at = _long(data, at)
    return about, at


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise broken("its header is no text") from None


def _blocks(data: bytes, at: int, unpack: Callable[[bytes, int], bytes]) -> Iterator[Block]:
    sync, at = _piece(data, at, _SYNC)
    room, records = MAX_UNPACKED, MAX_RECORDS
    while at < len(data):
        count, at = _long(data, at)
        packed, at = _bytes(data, at)
        end, at = _piece(data, at, _SYNC)
        if end != sync:
            raise broken("a block of it does not end where it should")
        if not 0 <= count <= records:
            raise broken(f"it claims to hold {count} records or more", "avro.too-large")
        block = _unpacked(packed, room, unpack)
        room, records = room - len(block), records - count
        yield Block(count, block)


def _long(data: bytes, at: int) -> tuple[int, int]:
    """A number of Avro: seven bits a byte, the sign in the lowest."""
    value = shift = 0
    while shift < 70:
        if at >= len(data):
            raise broken("it is cut off")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return (value >> 1) ^ -(value & 1), at
        shift += 7
    raise broken("it holds a number that is too large")


def _bytes(data: bytes, at: int) -> tuple[bytes, int]:
    size, at = _long(data, at)
    return _piece(data, at, size)


def _piece(data: bytes, at: int, size: int) -> tuple[bytes, int]:
    if size < 0 or at + size > len(data):
        raise broken("it is cut off")
    return data[at : at + size], at + size


# ---------------------------------------------------------------- codecs


def _unpacked(packed: bytes, limit: int, unpack: Callable[[bytes, int], bytes]) -> bytes:
    try:
        block = unpack(packed, limit)
    except FormatError:
        raise
    except Exception as error:  # noqa: BLE001  # each library has errors of its own, and the bytes are anybody's
        raise broken(f"a block of it cannot be unpacked: {shown(str(error))[1:-1]}") from None
    if len(block) > limit:
        raise broken(f"it is larger than {MAX_UNPACKED} bytes when unpacked", "avro.too-large")
    return block


def _plain(packed: bytes, _limit: int) -> bytes:
    return packed


def _deflate(packed: bytes, limit: int) -> bytes:
    return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, limit + 1)


def _bzip2(packed: bytes, limit: int) -> bytes:
    return bz2.BZ2Decompressor().decompress(packed, limit + 1)


def _xz(packed: bytes, limit: int) -> bytes:
    return lzma.LZMADecompressor(memlimit=MAX_UNPACKED).decompress(packed, limit + 1)


def _zstandard(packed: bytes, limit: int) -> bytes:
    try:
        import zstandard
    except ImportError:
        raise missing("zstandard") from None
    pieces: list[bytes] = []
    size = 0
    with zstandard.ZstdDecompressor(max_window_size=MAX_UNPACKED).stream_reader(BytesIO(packed), read_across_frames=True) as stream:
        while size <= limit and (piece := stream.read(_PIECE)):
            pieces.append(piece)
            size += len(piece)
    return b"".join(pieces)


def _snappy(packed: bytes, limit: int) -> bytes:
    """Snappy needs a library that hardly any table needs, and that is therefore in no extra of ours."""
    try:
        from cramjam import snappy
    except ImportError:
        raise FormatError("it is packed with snappy.", code="extra.missing", fix="Install cramjam: pip install cramjam.") from None
    body = packed[:-4]
    if len(packed) < 4 or snappy.decompress_raw_len(body) > limit:
        raise broken("a block of it is cut off, or too large")
    block = bytes(snappy.decompress_raw(body))
    if zlib.crc32(block) != int.from_bytes(packed[-4:], "big"):
        raise broken("a block of it has another checksum than it says")
    return block


_CODECS: Final[Mapping[str, Callable[[bytes, int], bytes]]] = {
    "null": _plain,
    "deflate": _deflate,
    "bzip2": _bzip2,
    "xz": _xz,
    "zstandard": _zstandard,
    "snappy": _snappy,
}
