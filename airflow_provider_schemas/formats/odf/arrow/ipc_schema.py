"""The Arrow schemas that chains held before ODF had its own: the bare `Schema` table of Arrow, without the message around it.

pyarrow reads only whole messages, so that a message of 32 bytes is put before the table. Arrow verifies every
offset before it follows one: foreign bytes can only end in an error of ours.
"""

import struct
from types import ModuleType
from typing import TYPE_CHECKING, Final

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.types.nested import MAX_FIELDS
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.base import missing
from airflow_provider_schemas.formats.odf.flatbuffer.layout import MAX_DEPTH, TableLayout
from airflow_provider_schemas.formats.odf.flatbuffer.reader import Buffer, broken

if TYPE_CHECKING:
    import pyarrow

# Tables of Arrow: byte order, fields, metadata, features; and name, NULL, type, dictionary, children, metadata.
_SCHEMA: Final = TableLayout("h @ @ @")
_FIELD: Final = TableLayout("@ B B @ @ @ @")
_CHILDREN: Final = 5
# The mark of a message and its length; the offset of its table; the vtable with its three slots; the table itself.
_MESSAGE: Final = struct.Struct("<iiI HHHHH xx iIhBx xxxx")
_MARK: Final = -1
_TABLE: Final = 16
_VTABLE: Final = 4
_END: Final = 32
_HEADER_SLOT: Final = 4
_VERSION_SLOT: Final = 8
_KIND_SLOT: Final = 10
_ARROW_VERSION: Final = 4
_SCHEMA_KIND: Final = 1


def read_raw_arrow(raw: bytes) -> "pyarrow.Schema":
    """Return the schema in the bytes of a `rawArrowSchema`, or raise a FormatError."""
    pa = _import_pyarrow()
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


def _as_message(raw: bytes) -> bytes:
    """Return the table with the message around it that pyarrow reads."""
    (root,) = struct.unpack_from("<I", raw)
    vtable = (10, 12, _VERSION_SLOT, _KIND_SLOT, _HEADER_SLOT)
    table = (_TABLE - _VTABLE, _END - (_TABLE + _HEADER_SLOT) + root, _ARROW_VERSION, _SCHEMA_KIND)
    return _MESSAGE.pack(_MARK, _END + len(raw), _TABLE, *vtable, *table) + raw


def _check_size(raw: bytes) -> None:
    """Refuse more fields than any schema has: Arrow makes a field at each offset, even where all of them lead to one table."""
    try:
        buffer = Buffer(raw, MAX_FIELDS)
        at = buffer.root()
        _, fields_slot, _, _ = buffer.slots(at, _SCHEMA)
        stack = []
        if fields_slot:
            stack.append((at + fields_slot, 0))
        while stack:
            place, depth = stack.pop()
            for field in map(buffer.follow, buffer.tables_at(place)):
                children_slot = buffer.slots(field, _FIELD)[_CHILDREN]
                if depth >= MAX_DEPTH:
                    raise broken(f"it is deeper than {MAX_DEPTH} levels")
                if children_slot:
                    stack.append((field + children_slot, depth + 1))
    except FormatError as error:
        raise _broken(error.message.rpartition(": ")[2].removesuffix(".")) from None


def _check_texts(field: "pyarrow.Field") -> None:
    """Read all names and timezones: Arrow accepts any bytes in them, and fails only when they are read."""
    kind = field.type
    _ = (field.name, kind.num_fields or str(kind))
    for number in range(kind.num_fields):
        _check_texts(kind.field(number))


def _broken(why: str) -> FormatError:
    return FormatError(f"this is no schema of Arrow: {why}.", code="odf.raw-arrow", fix="Pass the bytes as the block holds them.")


def _import_pyarrow() -> ModuleType:
    try:
        import pyarrow.ipc
    except ImportError:
        raise missing("Arrow schemas cannot be read or written", "pyarrow", "arrow") from None
    module: ModuleType = pyarrow
    return module
