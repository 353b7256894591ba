"""The tables of a flatbuffer, each read only after a check that all its bytes are inside the buffer.

They are read with `struct`, since the reader of the flatbuffers library checks nothing: foreign offsets lead it
anywhere. A vtable is checked once and kept, so that most tables cost two look-ups.
"""

import struct
from collections.abc import Iterator
from typing import Final

from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.flatbuffer.layout import EMPTY, MAX_BYTES, MAX_TABLES, TableLayout

_u16 = struct.Struct("<H").unpack_from
_u32 = struct.Struct("<I").unpack_from
_i32 = struct.Struct("<i").unpack_from
_FIX: Final = "Compare its hash with its name; fetch it again if they differ."


class Buffer:
    """A flatbuffer, and how many tables and bytes may still be read from it."""

    def __init__(self, data: bytes, tables: int = MAX_TABLES) -> None:
        self.data = data
        self.size = len(data)
        if self.size > MAX_BYTES:
            raise _too_large(f"it has {self.size} bytes")
        self._tables = tables
        self._bytes = MAX_BYTES
        self._vtables: dict[tuple[int, TableLayout], tuple[int, tuple[int, ...]]] = {}

    @property
    def exhausted(self) -> bool:
        """Return whether the limit of tables or bytes was reached."""
        return self._tables < 0 or self._bytes < 0

    def root(self) -> int:
        """Return the place of the outermost table."""
        if self.size < 4:
            raise broken("it has no beginning")
        return self.follow(0)

    def follow(self, at: int) -> int:
        """Return the place to which the offset at a place leads, with room for four bytes."""
        target: int = at + _u32(self.data, at)[0]
        if target + 4 > self.size:
            raise broken(f"the offset at {at} leads out of it")
        return target

    def slots(self, at: int, layout: TableLayout) -> tuple[int, ...]:
        """Return the distance of each slot from the beginning of the table at a place, and 0 for slots that are not set."""
        self._tables -= 1
        if self._tables < 0:
            raise _too_large("it has too many tables")
        vtable = at - _i32(self.data, at)[0]
        size, slots = self._vtables.get((vtable, layout)) or self._vtable(vtable, layout)
        if at + size > self.size:
            raise broken(f"the table at {at} is cut off")
        return slots

    def _vtable(self, at: int, layout: TableLayout) -> tuple[int, tuple[int, ...]]:
        if at < 0 or at + 4 > self.size:
            raise broken(f"a table says that its slots are at {at}")
        (length,) = _u16(self.data, at)
        (size,) = _u16(self.data, at + 2)
        if length < 4 or length % 2 or at + length > self.size or size < 4:
            raise broken(f"the slots at {at} are cut off")
        count = min(length // 2 - 2, len(layout.slots))
        distances = struct.unpack_from(f"<{count}H", self.data, at + 4)
        for slot, distance in zip(layout.slots, distances, strict=False):
            if distance and not 4 <= distance <= size - slot.width:
                raise broken(f"the slots at {at} lead out of their table")
        vtable = size, distances + (0,) * (len(layout.slots) - count)
        self._vtables[at, layout] = vtable
        return vtable

    def is_empty(self, at: int) -> bool:
        """Return whether the table at a place has no slot set."""
        self.slots(at, EMPTY)
        (length,) = _u16(self.data, at - _i32(self.data, at)[0])
        return bool(length == 4)

    def bytes_at(self, at: int) -> bytes:
        """Return the bytes to which the offset at a place leads."""
        start = self.follow(at) + 4
        end: int = start + _u32(self.data, start - 4)[0]
        if end > self.size:
            raise broken(f"the bytes at {start} are cut off")
        self._bytes -= end - start
        if self._bytes < 0:
            raise _too_large("it has the same bytes in too many places")
        return self.data[start:end]

    def text_at(self, at: int) -> str:
        """Return the text to which the offset at a place leads."""
        try:
            return self.bytes_at(at).decode()
        except UnicodeDecodeError:
            raise broken("a text is no UTF-8", "format.encoding") from None

    def tables_at(self, at: int) -> Iterator[int]:
        """Yield the places of the offsets in the list of tables to which the offset at a place leads."""
        start = self.follow(at) + 4
        (count,) = _u32(self.data, start - 4)
        if start + 4 * count > self.size:
            raise broken(f"the list at {start} is cut off")
        return iter(range(start, start + 4 * count, 4))


def broken(why: str, code: str = "odf.block-broken") -> FormatError:
    """Return the error for bytes that do not make up a whole block."""
    return FormatError(f"this is no whole block: {why}.", code=code, fix=_FIX)


def _too_large(why: str) -> FormatError:
    return FormatError(f"{why}.", code="odf.too-large", fix="Nothing sensible is that large: ask where it comes from.")
