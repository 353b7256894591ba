"""Rows in Paimon's binary form, in which its manifests name partitions: how many values, which are NULL, eight bytes each.

Behind the eight bytes of all values lies what does not fit into them: longer texts, larger decimals, finer times.
"""

import struct
from typing import Final

from airflow_provider_schemas.store.paimon.avro_container import broken

_WORD: Final = 8
# Bits for NULL begin behind a byte that says what kind of row it is.
_HEADER_BITS: Final = 8
_SHORT: Final = 0x80
_LENGTH: Final = 0x7F


def slot(row: bytes, keys: int, at: int) -> bytes | None:
    """The eight bytes of one value; None for NULL."""
    body, bits = row[4:], (keys + 63 + _HEADER_BITS) // 64 * _WORD
    if len(row) < 4 + bits + keys * _WORD or int.from_bytes(row[:4], "big") != keys:
        raise broken("it names a partition that does not have the keys of its table")
    bit = at + _HEADER_BITS
    if body[bit // 8] >> bit % 8 & 1:
        return None
    return body[bits + at * _WORD : bits + (at + 1) * _WORD]


def written(row: bytes, eight: bytes) -> bytes:
    """A text or bytes: up to seven stand in the slot, with their number behind them; longer ones where the slot says."""
    if eight[7] & _SHORT:
        return eight[: min(eight[7] & _LENGTH, 7)]
    return behind(row, eight, int.from_bytes(eight[:4], "little"))


def behind(row: bytes, eight: bytes, length: int) -> bytes:
    """So many bytes behind the values, from where the slot says."""
    start = 4 + struct.unpack_from("<I", eight, 4)[0]
    if start + length > len(row):
        raise broken("it names a partition by a value that is cut off")
    return row[start : start + length]
