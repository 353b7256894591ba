"""The Arrow schemas that chains held before ODF had its own: the bare `Schema` table of Arrow, without the message around it.

pyarrow reads and writes only whole messages. So a message of 32 bytes is put before the table to read it, and
the message that pyarrow makes gets its beginning pointed at the table inside to write it. Arrow verifies every
offset before it follows one, so that foreign bytes end in an error of ours and nowhere else.
"""

import struct
from typing import TYPE_CHECKING, Any, Final

from airflow_provider_schemas.core.text import shown
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.odf.extras import missing

if TYPE_CHECKING:
    import pyarrow

MAX_BYTES: Final = 64 * 1024 * 1024
# The mark of a message and its length; the offset of its table; the vtable with its three slots; the table itself.
_MESSAGE: Final = struct.Struct("<iiI HHHHH xx iIhBx xxxx")
_MARK, _HEAD = -1, 8
_TABLE, _VTABLE, _END = 16, 4, 32
_HEADER_SLOT, _VERSION_SLOT, _KIND_SLOT = 4, 8, 10
_ARROW_VERSION, _SCHEMA_KIND = 4, 1


def read_raw_arrow(raw: bytes) -> "pyarrow.Schema":
    """The schema in the bytes of a `rawArrowSchema`, or a FormatError."""
    pa = _pyarrow()
    message = _as_message(raw)
    try:
        schema = pa.ipc.read_schema(pa.py_buffer(message))
        for field in schema:
            _check_texts(field)
    except (pa.ArrowException, ValueError, TypeError, KeyError, OSError, MemoryError, RecursionError) as error:
        raise _broken(f"Arrow cannot read it: {shown(str(error))[1:-1]}") from None
    return schema


def write_raw_arrow(schema: "pyarrow.Schema") -> bytes:
    """The bytes of a `rawArrowSchema` for a schema."""
    _pyarrow()
    message = bytearray(schema.serialize().to_pybytes()[_HEAD:])
    (table,) = struct.unpack_from("<I", message)
    (back,) = struct.unpack_from("<i", message, table)
    (slot,) = struct.unpack_from("<H", message, table - back + 8)
    header = table + slot
    struct.pack_into("<I", message, 0, header + struct.unpack_from("<I", message, header)[0])
    return bytes(message)


def _as_message(raw: bytes) -> bytes:
    if not isinstance(raw, bytes | bytearray | memoryview):
        raise FormatError(f"{shown(raw)} is not bytes.", code="format.wrong-type", fix="Pass the decoded bytes of rawArrowSchema.")
    if not 8 <= len(raw) <= MAX_BYTES:
        raise _broken(f"it has {len(raw)} bytes")
    (root,) = struct.unpack_from("<I", raw)
    if root + 4 > len(raw):
        raise _broken("it begins with an offset that lies outside of it")
    slots = (_HEADER_SLOT, _VERSION_SLOT, _KIND_SLOT)
    vtable = (10, 12, slots[1], slots[2], slots[0])
    header = _END - (_TABLE + _HEADER_SLOT) + root
    size = _END + len(raw)
    table = (_TABLE - _VTABLE, header, _ARROW_VERSION, _SCHEMA_KIND)
    return _MESSAGE.pack(_MARK, size, _TABLE, *vtable, *table) + bytes(raw)


def _check_texts(field: Any) -> None:
    """Arrow takes names and timezones of any bytes, and fails only when somebody asks for them."""
    kind = field.type
    _ = (field.name, str(kind))
    for number in range(kind.num_fields):
        _check_texts(kind.field(number))


def _broken(why: str) -> FormatError:
    return FormatError(f"this is no schema of Arrow: {why}.", code="odf.raw-arrow", fix="Pass the bytes as the block holds them.")


def _pyarrow() -> Any:
    try:
        import pyarrow.ipc
    except ImportError:
        raise missing("Arrow schemas cannot be read or written", "pyarrow", "arrow") from None
    return pyarrow
