"""The tables of metadata blocks as data: the content of each slot of a table.

A letter of the module `struct` stands for a number, and `?` behind it for one that may be unset, which is written
even if it is 0; other numbers are left out when they are 0. `@` is the offset of something that lies elsewhere,
`T` a point in time that lies in the table itself. A type inside a table takes two slots: its tag, and its offset.
"""

import struct
from typing import Final, NamedTuple

from airflow_provider_schemas.formats.odf.model.kinds import PARAMETERS, Kind, ParameterForm

MANIFEST_KIND: Final = 0x400000
READ_VERSIONS: Final = (2, 3)
WRITTEN_VERSION: Final = 3
# The reference implementation follows no more.
MAX_DEPTH: Final = 64
MAX_TABLES: Final = 1_000_000
MAX_BYTES: Final = 64 * 1024 * 1024
# The table of a schema lies in that of the event, which lies in the block.
SCHEMA_DEPTH: Final = 3

OFFSET: Final = "@"
MOMENT: Final = "T"
TIMESTAMP: Final = struct.Struct("<iHxxII")
TIMESTAMP_ALIGNMENT: Final = 4


class Slot(NamedTuple):
    """The content of a slot of a table."""

    code: str
    optional: bool
    width: int


class TableLayout:
    """The slots of a table, by their numbers."""

    __slots__ = ("slots",)

    def __init__(self, slots: str) -> None:
        self.slots: Final = tuple(map(_slot, slots.split()))


_WIDTHS: Final = {OFFSET: 4, MOMENT: TIMESTAMP.size}


def _slot(text: str) -> Slot:
    code = text[0]
    width = _WIDTHS.get(code) or struct.calcsize(f"<{code}")
    return Slot(code, code == OFFSET or text.endswith("?"), width)


MANIFEST: Final = TableLayout("q i @")  # kind, version, content
METADATA_BLOCK: Final = TableLayout("T @ Q B @")  # system time, hash of the block before, sequence number, event
SET_VOCAB: Final = TableLayout("@ @ @ @")  # columns of the offset, operation type, system time, event time
SET_DATA_SCHEMA: Final = TableLayout("@ @")  # raw Arrow schema, schema
DATA_SCHEMA: Final = TableLayout("@ @")  # fields, extra
DATA_FIELD: Final = TableLayout("@ B @ @")  # name, type, extra
EXTRA_ATTRIBUTES: Final = TableLayout("@")  # JSON text
EMPTY: Final = TableLayout("")

_SLOTS: Final = {
    ParameterForm.U64: "Q?",
    ParameterForm.U32: "I",
    ParameterForm.I32: "i",
    ParameterForm.BOOL: "B?",
    ParameterForm.UNIT: "h?",
    ParameterForm.TEXT: "@",
    ParameterForm.TYPE: "B @",
    ParameterForm.FIELDS: "@",
}


def _layout_of_type(kind: Kind) -> TableLayout:
    return TableLayout(" ".join(_SLOTS[parameter.form] for parameter in PARAMETERS[kind]))


TYPES: Final = {kind: _layout_of_type(kind) for kind in PARAMETERS}
KINDS: Final = dict(enumerate(Kind, 1))
