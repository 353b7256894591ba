"""Unpack the blocks of Avro files, each no further than a limit of bytes.

This is by hand because fastavro has no limit. A deflated file of 4.7 MB that unpacks to 1 GB makes `fastavro.block_reader` hold
2.1 GB, and a file may have 64 MB; the functions here stop after 256 MB. Besides, fastavro 1.13 unpacks zstandard, which Paimon
writes, only with a further library (backports.zstd), and skips the checksums of snappy.
"""

import bz2
import lzma
import zlib
from collections.abc import Callable, Mapping
from io import BytesIO
from typing import Final

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.avro.errors import broken, describe_error, missing_library

MAX_UNPACKED: Final = 256 * 1024 * 1024
_PIECE: Final = 1024 * 1024

Codec = Callable[[bytes, int], bytes]
"""Unpacks bytes. Where there are more than the limit, it returns more than the limit, but not all."""


def unpack(packed: bytes, limit: int, codec: Codec) -> bytes:
    """Return the bytes of a block; an error if they are more than the limit."""
    try:
        block = codec(packed, limit)
    except FormatError:
        raise
    except Exception as error:  # noqa: BLE001  # each library has errors of its own, and the bytes are anybody's
        raise broken(f"a block of it cannot be unpacked: {describe_error(error)}") from None
    if len(block) > limit:
        raise broken(f"it is larger than {MAX_UNPACKED} bytes when unpacked", "avro.too-large")
    return block


def _copy(packed: bytes, _limit: int) -> bytes:
    return packed


def _unpack_deflate(packed: bytes, limit: int) -> bytes:
    return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, limit + 1)


def _unpack_bzip2(packed: bytes, limit: int) -> bytes:
    return bz2.BZ2Decompressor().decompress(packed, limit + 1)


def _unpack_xz(packed: bytes, limit: int) -> bytes:
    return lzma.LZMADecompressor(memlimit=MAX_UNPACKED).decompress(packed, limit + 1)


def _unpack_zstandard(packed: bytes, limit: int) -> bytes:
    try:
        import zstandard
    except ImportError:
        raise missing_library("zstandard") from None
    pieces: list[bytes] = []
    size = 0
    with zstandard.ZstdDecompressor(max_window_size=MAX_UNPACKED).stream_reader(BytesIO(packed), read_across_frames=True) as stream:
        while size <= limit and (piece := stream.read(_PIECE)):
            pieces.append(piece)
            size += len(piece)
    return b"".join(pieces)


def _unpack_snappy(packed: bytes, limit: int) -> bytes:
    """Unpack with a library that hardly any table needs, and that is therefore in no extra of ours."""
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


CODECS: Final[Mapping[str, Codec]] = {
    "null": _copy,
    "deflate": _unpack_deflate,
    "bzip2": _unpack_bzip2,
    "xz": _unpack_xz,
    "zstandard": _unpack_zstandard,
    "snappy": _unpack_snappy,
}
