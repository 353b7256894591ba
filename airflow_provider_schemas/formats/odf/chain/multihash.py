"""Hashes of blocks: multihashes, written as multibase text that begins with `f1620`, and read in any common base."""

import base64
import binascii
import hashlib
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import FormatError

SHA3_256: Final = 0x16
_SHA3_SIZE: Final = 32
# Longer than any hash in any base.
_MAX_TEXT: Final = 512
_MAX_DIGEST: Final = 128
_BITCOIN: Final = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_FIX: Final = "Write it as blocks are named: f1620 and 64 hexadecimal digits."


class Multihash(Struct, frozen=True):
    """A digest, and the code of the function that made it."""

    code: int
    digest: bytes

    @property
    def binary(self) -> bytes:
        """Return the hash as bytes, in the form that blocks hold."""
        return _number_bytes(self.code) + _number_bytes(len(self.digest)) + self.digest

    def __str__(self) -> str:
        return f"f{self.binary.hex()}"


def block_hash(block: bytes) -> Multihash:
    """Return the hash by which a block is known: over all of its bytes."""
    return Multihash(SHA3_256, hashlib.sha3_256(block).digest())


def parse_multihash(text: str) -> Multihash:
    """Return the hash in a multibase text, or raise a FormatError."""
    if not 0 < len(text) <= _MAX_TEXT:
        raise _refusal(f"{shown(text)} is no hash")
    decode = _BASES.get(text[0])
    if decode is None:
        raise _refusal(f"{shown(text)} begins with {text[0]!r}, which stands for no base that we know")
    try:
        binary = decode(text[1:])
    except (ValueError, binascii.Error):
        raise _refusal(f"{shown(text)} has characters that its base does not have") from None
    return multihash_of(binary)


def multihash_of(binary: bytes) -> Multihash:
    """Return the hash in these bytes, or raise a FormatError."""
    code, at = _read_number(binary, 0)
    size, at = _read_number(binary, at)
    digest = bytes(binary[at:])
    has_wrong_size = code == SHA3_256 and size != _SHA3_SIZE
    if len(digest) != size or not 0 < size <= _MAX_DIGEST or has_wrong_size:
        raise _refusal(f"a hash that says it has {size} bytes has {len(digest)}")
    return Multihash(code, digest)


def _refusal(message: str) -> FormatError:
    return FormatError(f"{message}.", code="odf.hash", fix=_FIX)


# ---------------------------------------------------------------- numbers of seven bits a byte


def _number_bytes(value: int) -> bytes:
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def _read_number(data: bytes, at: int) -> tuple[int, int]:
    """Return the number that begins at a place, and the place behind it."""
    value = 0
    for shift in range(0, 63, 7):
        if at >= len(data):
            break
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise _refusal("a hash is cut off")


# ---------------------------------------------------------------- bases


def _hexadecimal(text: str) -> bytes:
    if text != text.lower():
        raise ValueError(text)
    return base64.b16decode(text.upper())


def _base32(text: str) -> bytes:
    if text != text.lower():
        raise ValueError(text)
    return base64.b32decode(_padded(text.upper(), 8))


def _base58(text: str) -> bytes:
    value = 0
    for letter in text:
        value = value * 58 + _BITCOIN.index(letter)
    zeros = len(text) - len(text.lstrip("1"))
    return bytes(zeros) + value.to_bytes((value.bit_length() + 7) // 8, "big")


def _base64(text: str) -> bytes:
    return base64.b64decode(_padded(text, 4), validate=True)


def _base64_url(text: str) -> bytes:
    return base64.b64decode(_padded(text, 4), altchars=b"-_", validate=True)


def _padded(text: str, block: int) -> str:
    return text + "=" * (-len(text) % block)


_BASES: Final[dict[str, Callable[[str], bytes]]] = {
    "f": _hexadecimal,
    "F": base64.b16decode,
    "b": _base32,
    "c": _base32,
    "B": lambda text: base64.b32decode(_padded(text, 8)),
    "C": lambda text: base64.b32decode(_padded(text, 8)),
    "z": _base58,
    "m": _base64,
    "M": _base64,
    "u": _base64_url,
    "U": _base64_url,
}
