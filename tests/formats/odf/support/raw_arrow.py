"""The bytes of a `rawArrowSchema`, as chains before ODF 0.37 hold them."""

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

_HEAD = 8


def write_raw_arrow(schema: "pa.Schema") -> bytes:
    """Return the bytes for a schema: the message of pyarrow, with its beginning pointed at the table inside."""
    message = bytearray(schema.serialize().to_pybytes()[_HEAD:])
    (table,) = struct.unpack_from("<I", message)
    (back,) = struct.unpack_from("<i", message, table)
    (slot,) = struct.unpack_from("<H", message, table - back + 8)
    header = table + slot
    struct.pack_into("<I", message, 0, header + struct.unpack_from("<I", message, header)[0])
    return bytes(message)
