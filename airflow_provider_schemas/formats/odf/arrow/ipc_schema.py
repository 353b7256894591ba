"""The Arrow schemas that chains held before ODF had its own: the bare `Schema` table of Arrow, without the message around it.

pyarrow reads and writes only whole messages. So a message of 32 bytes is put before the table to read it, and
the message that pyarrow makes gets its beginning pointed at the table inside to write it. Arrow verifies every
offset before it follows one, so that foreign bytes end in an error of ours and nowhere else.
"""

import struct
from typing import TYPE_CHECKING, Any, Final

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.types.nested import MAX_FIELDS
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.base import missing
from airflow_provider_schemas.formats.odf.flatbuffer.layout import MAX_DEPTH, Layout
from airflow_provider_schemas.formats.odf.flatbuffer.reader import Buffer, broken

if TYPE_CHECKING:
    import pyarrow

# Tables of Arrow: byte order, fields, metadata, features; and name, NULL, type, dictionary, children, metadata.
_SCHEMA: Final = Layout("h @ @ @")
_FIELD: Final = Layout("@ B B @ @ @ @")
_CHILDREN: Final = 5
# The mark of a message and its length; the offset of its table; the vtable with its three slots; the table itself.
_MESSAGE: Final = struct.Struct("<iiI HHHHH xx iIhBx xxxx")
_MARK, _HEAD = -1, 8
_TABLE, _VTABLE, _END = 16, 4, 32
_HEADER_SLOT, _VERSION_SLOT, _KIND_SLOT = 4, 8, 10
_ARROW_VERSION, _SCHEMA_KIND = 4, 1


def read_raw_arrow(raw: bytes) -> "pyarrow.Schema":
    """The schema in the bytes of a `rawArrowSchema`, or a FormatError."""
    pa = _pyarrow()
    if not isinstance(raw, bytes):
        raise FormatError(f"{shown(raw)} is not bytes.", code="format.wrong-type", fix="Pass the decoded bytes of rawArrowSchema.")
    _check_size(raw)
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
    (root,) = struct.unpack_from("<I", raw)
    vtable = (10, 12, _VERSION_SLOT, _KIND_SLOT, _HEADER_SLOT)
    table = (_TABLE - _VTABLE, _END - (_TABLE + _HEADER_SLOT) + root, _ARROW_VERSION, _SCHEMA_KIND)
    return _MESSAGE.pack(_MARK, _END + len(raw), _TABLE, *vtable, *table) + raw


def _check_size(raw: bytes) -> None:
    """Arrow follows an offset as often as it stands there, and makes fields out of each."""
    try:
        buffer = Buffer(raw, MAX_FIELDS)
        at = buffer.root()
        _, fields, _, _ = buffer.slots(at, _SCHEMA)
        left = [(at + fields, 0)] if fields else []
        while left:
            place, depth = left.pop()
            for one in map(buffer.follow, buffer.tables_at(place)):
                children = buffer.slots(one, _FIELD)[_CHILDREN]
                if depth >= MAX_DEPTH:
                    raise broken(f"it is deeper than {MAX_DEPTH} levels")
                if children:
                    left.append((one + children, depth + 1))
    except FormatError as error:
        raise _broken(error.message.rpartition(": ")[2].removesuffix(".")) from None


def _check_texts(field: Any) -> None:
    """Arrow takes names and timezones of any bytes, and fails only when somebody asks for them."""
    kind = field.type
    _ = (field.name, kind.num_fields or str(kind))
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
