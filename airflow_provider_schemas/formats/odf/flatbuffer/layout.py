"""The tables of metadata blocks as data: what lies in each slot of a table, and the numbers of events.

A letter of the module `struct` stands for a number, and `?` behind it for one that may be unset, which is written
even if it is 0; other numbers are left out when they are 0. `@` is the offset of something that lies elsewhere,
`T` a point in time that lies in the table itself. A type inside a table takes two slots: its tag, and its offset.
"""

import struct
from typing import Final, NamedTuple

from airflow_provider_schemas.formats.odf.model.kinds import PARAMETERS, Form, Kind

MANIFEST_KIND: Final = 0x400000
READ_VERSIONS: Final = (2, 3)
WRITTEN_VERSION: Final = 3
# What the reference implementation follows at most.
MAX_DEPTH: Final = 64
MAX_TABLES: Final = 1_000_000
MAX_BYTES: Final = 64 * 1024 * 1024
# The table of a schema lies in that of the event, which lies in the block.
SCHEMA_DEPTH: Final = 3

OFFSET, MOMENT = "@", "T"
TIMESTAMP: Final = struct.Struct("<iHxxII")
TIMESTAMP_ALIGNMENT: Final = 4


class Slot(NamedTuple):
    """What a slot of a table holds."""

    code: str
    optional: bool
    width: int


class Layout:
    """The slots of a table, by their numbers."""

    __slots__ = ("slots",)

    def __init__(self, slots: str) -> None:
        self.slots: Final = tuple(map(_slot, slots.split()))


def _slot(text: str) -> Slot:
    code = text[0]
    width = {OFFSET: 4, MOMENT: TIMESTAMP.size}.get(code) or struct.calcsize(f"<{code}")
    return Slot(code, code == OFFSET or text.endswith("?"), width)


MANIFEST: Final = Layout("q i @")  # kind, version, content
METADATA_BLOCK: Final = Layout("T @ Q B @")  # system time, hash of the block before, sequence number, event
SET_VOCAB: Final = Layout("@ @ @ @")  # columns of the offset, operation type, system time, event time
SET_DATA_SCHEMA: Final = Layout("@ @")  # raw Arrow schema, schema
DATA_SCHEMA: Final = Layout("@ @")  # fields, extra
DATA_FIELD: Final = Layout("@ B @ @")  # name, type, extra
EXTRA_ATTRIBUTES: Final = Layout("@")  # JSON text
EMPTY: Final = Layout("")

_FORMS: Final = {
    Form.U64: "Q?",
    Form.U32: "I",
    Form.I32: "i",
    Form.BOOL: "B?",
    Form.UNIT: "h?",
    Form.TEXT: "@",
    Form.TYPE: "B @",
    Form.FIELDS: "@",
}
TYPES: Final = {kind: Layout(" ".join(_FORMS[one.form] for one in PARAMETERS[kind])) for kind in PARAMETERS}


KINDS: Final = dict(enumerate(Kind, 1))
