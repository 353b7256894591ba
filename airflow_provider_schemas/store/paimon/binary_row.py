"""Read rows in Paimon's binary form, in which its manifests name partitions.

A row holds how many values there are, which of them are NULL, and a slot of eight bytes for each. What does not fit into a slot lies
behind all of them: longer texts, larger decimals, finer times.
"""

import struct
from typing import Final

from airflow_provider_schemas.formats.avro.errors import broken

_WORD: Final = 8
# Bits for NULL begin behind a byte that says what kind of row it is.
_HEADER_BITS: Final = 8
_SHORT: Final = 0x80
_LENGTH: Final = 0x7F


def slot(row: bytes, keys: int, at: int) -> bytes | None:
    """Return the eight bytes of the value at a place, counted from 0; None for NULL."""
    body = row[4:]
    bits = (keys + 63 + _HEADER_BITS) // 64 * _WORD
    if len(row) < 4 + bits + keys * _WORD or int.from_bytes(row[:4], "big") != keys:
        raise broken("it names a partition that does not have the keys of its table")
    bit = at + _HEADER_BITS
    if body[bit // 8] >> bit % 8 & 1:
        return None
    return body[bits + at * _WORD : bits + (at + 1) * _WORD]


def written(row: bytes, eight: bytes) -> bytes:
    """Return a text or bytes: up to seven bytes stand in the slot, with their number behind them; longer ones where the slot says."""
    if eight[7] & _SHORT:
        return eight[: min(eight[7] & _LENGTH, 7)]
    return behind(row, eight, int.from_bytes(eight[:4], "little"))


def behind(row: bytes, eight: bytes, length: int) -> bytes:
    """Return as many bytes as the length says from behind the slots; the slot says from where."""
    start = 4 + struct.unpack_from("<I", eight, 4)[0]
    if start + length > len(row):
        raise broken("it names a partition by a value that is cut off")
    return row[start : start + length]
