"""The tables of a flatbuffer, each followed only after every byte of it was found to lie inside the buffer.

It is read with `struct`, since the reader of the flatbuffers library checks nothing: foreign offsets lead it
anywhere. What a vtable says is checked once and remembered, so that most tables cost two look-ups.
"""

import struct
from collections.abc import Iterator
from typing import Final

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.flatbuffer.layout import EMPTY, MAX_BYTES, MAX_TABLES, Layout

_u16 = struct.Struct("<H").unpack_from
_u32 = struct.Struct("<I").unpack_from
_i32 = struct.Struct("<i").unpack_from
_FIX: Final = "Compare its hash with its name; fetch it again if they differ."


class Buffer:
    """A flatbuffer that is being read, and how much of it may still be."""

    def __init__(self, data: bytes, tables: int = MAX_TABLES) -> None:
        self.data = data
        self.size = len(data)
        if self.size > MAX_BYTES:
            raise _too_large(f"it has {self.size} bytes")
        self._tables = tables
        self._bytes = MAX_BYTES
        self._vtables: dict[tuple[int, Layout], tuple[int, tuple[int, ...]]] = {}

    @property
    def exhausted(self) -> bool:
        """Whether so much was read that nothing more may be."""
        return self._tables < 0 or self._bytes < 0

    def root(self) -> int:
        """Where the outermost table is."""
        if self.size < 4:
            raise broken("it has no beginning")
        return self.follow(0)

    def follow(self, at: int) -> int:
        """Where the offset at this place leads to; room for four bytes is there."""
        target: int = at + _u32(self.data, at)[0]
        if target + 4 > self.size:
            raise broken(f"the offset at {at} leads out of it")
        return target

    def slots(self, at: int, layout: Layout) -> tuple[int, ...]:
        """How far behind its beginning a table has what its layout says, and 0 for what it has not."""
        self._tables -= 1
        if self._tables < 0:
            raise _too_large("it has too many tables")
        vtable = at - _i32(self.data, at)[0]
        size, slots = self._vtables.get((vtable, layout)) or self._vtable(vtable, layout)
        if at + size > self.size:
            raise broken(f"the table at {at} is cut off")
        return slots

    def _vtable(self, at: int, layout: Layout) -> tuple[int, tuple[int, ...]]:
        if at < 0 or at + 4 > self.size:
            raise broken(f"a table says that its slots are at {at}")
        (length,), (size,) = _u16(self.data, at), _u16(self.data, at + 2)
        if length < 4 or length % 2 or at + length > self.size or size < 4:
            raise broken(f"the slots at {at} are cut off")
        count = min(length // 2 - 2, len(layout.slots))
        found = struct.unpack_from(f"<{count}H", self.data, at + 4)
        for slot, place in zip(layout.slots, found, strict=False):
            if place and not 4 <= place <= size - slot.width:
                raise broken(f"the slots at {at} lead out of their table")
        known = size, found + (0,) * (len(layout.slots) - count)
        self._vtables[at, layout] = known
        return known

    def is_empty(self, at: int) -> bool:
        """Whether the table here has nothing set."""
        self.slots(at, EMPTY)
        (length,) = _u16(self.data, at - _i32(self.data, at)[0])
        return bool(length == 4)

    def bytes_at(self, at: int) -> bytes:
        """The bytes to which the offset at this place leads."""
        start = self.follow(at) + 4
        end: int = start + _u32(self.data, start - 4)[0]
        if end > self.size:
            raise broken(f"the bytes at {start} are cut off")
        self._bytes -= end - start
        if self._bytes < 0:
            raise _too_large("it has the same bytes in too many places")
        return self.data[start:end]

    def text_at(self, at: int) -> str:
        """The text to which the offset at this place leads."""
        try:
            return self.bytes_at(at).decode()
        except UnicodeDecodeError:
            raise broken("a text is no UTF-8", "format.encoding") from None

    def tables_at(self, at: int) -> Iterator[int]:
        """Where the places are that lead to the tables of the list to which the offset at this place leads."""
        start = self.follow(at) + 4
        (count,) = _u32(self.data, start - 4)
        if start + 4 * count > self.size:
            raise broken(f"the list at {start} is cut off")
        return iter(range(start, start + 4 * count, 4))


def broken(why: str, code: str = "odf.block-broken") -> FormatError:
    """The error about bytes that are no block."""
    return FormatError(f"this is no whole block: {why}.", code=code, fix=_FIX)


def _too_large(why: str) -> FormatError:
    return FormatError(f"{why}.", code="odf.too-large", fix="Nothing sensible is that large: ask where it comes from.")
