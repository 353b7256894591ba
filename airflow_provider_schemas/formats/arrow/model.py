"""Arrow's schemas as plain values, so that they can be made, compared and printed without the library.

They hold everything that Arrow's own format can express, also where a library refuses it. A timestamp without a
timezone differs from one whose timezone is the empty text, which pyarrow does not distinguish.
"""

from enum import StrEnum

from msgspec import Struct


class ArrowKind(StrEnum):
    """The types of Arrow, by their names in most libraries."""

    NULL = "null"
    BOOL = "bool"
    INT8 = "int8"
    INT16 = "int16"
    INT32 = "int32"
    INT64 = "int64"
    UINT8 = "uint8"
    UINT16 = "uint16"
    UINT32 = "uint32"
    UINT64 = "uint64"
    FLOAT16 = "float16"
    FLOAT32 = "float32"
    FLOAT64 = "float64"
    DECIMAL32 = "decimal32"
    DECIMAL64 = "decimal64"
    DECIMAL128 = "decimal128"
    DECIMAL256 = "decimal256"
    DATE32 = "date32"
    DATE64 = "date64"
    TIME32 = "time32"
    TIME64 = "time64"
    TIMESTAMP = "timestamp"
    DURATION = "duration"
    INTERVAL = "interval"
    BINARY = "binary"
    LARGE_BINARY = "large_binary"
    BINARY_VIEW = "binary_view"
    FIXED_SIZE_BINARY = "fixed_size_binary"
    UTF8 = "utf8"
    LARGE_UTF8 = "large_utf8"
    UTF8_VIEW = "utf8_view"
    LIST = "list"
    LARGE_LIST = "large_list"
    LIST_VIEW = "list_view"
    LARGE_LIST_VIEW = "large_list_view"
    FIXED_SIZE_LIST = "fixed_size_list"
    STRUCT = "struct"
    MAP = "map"
    UNION = "union"
    DICTIONARY = "dictionary"
    RUN_END_ENCODED = "run_end_encoded"


LISTS = (ArrowKind.LIST, ArrowKind.LARGE_LIST, ArrowKind.LIST_VIEW, ArrowKind.LARGE_LIST_VIEW, ArrowKind.FIXED_SIZE_LIST)

# Digits and width of the decimals.
DECIMALS = {ArrowKind.DECIMAL32: (9, 32), ArrowKind.DECIMAL64: (18, 64), ArrowKind.DECIMAL128: (38, 128), ArrowKind.DECIMAL256: (76, 256)}


class ArrowType(Struct, frozen=True):
    """A type. Parameters that its kind does not have are None; a map has one child, the entries, which have two."""

    kind: ArrowKind
    unit: str | None = None
    """s, ms, us or ns; of an interval, Arrow's name for it."""
    timezone: str | None = None
    precision: int | None = None
    scale: int | None = None
    length: int | None = None
    """The number of bytes, or of items."""
    keys_sorted: bool = False
    children: "tuple[ArrowField, ...]" = ()

    @property
    def entry(self) -> "tuple[ArrowField, ArrowField]":
        """The key and the value of a map."""
        key, value = self.children[0].type.children
        return key, value


class ArrowField(Struct, frozen=True):
    """A column, a member of a struct, or the field inside a list or map."""

    name: str
    type: ArrowType
    nullable: bool = True
    metadata: tuple[tuple[str, str], ...] = ()


class ArrowSchema(Struct, frozen=True):
    """Columns in an order."""

    fields: tuple[ArrowField, ...]
    metadata: tuple[tuple[str, str], ...] = ()


PLAIN = {kind: ArrowType(kind) for kind in ArrowKind}


def list_of(item: ArrowType, nullable: bool, kind: ArrowKind = ArrowKind.LIST, length: int | None = None) -> ArrowType:
    """Return a list whose items have the usual name."""
    return ArrowType(kind, length=length, children=(ArrowField("item", item, nullable),))


def map_of(key: ArrowField, value: ArrowField, keys_sorted: bool = False) -> ArrowType:
    """Return a map with these two as its entries."""
    entries = ArrowField("entries", struct_of((key, value)), nullable=False)
    return ArrowType(ArrowKind.MAP, keys_sorted=keys_sorted, children=(entries,))


def struct_of(fields: tuple[ArrowField, ...]) -> ArrowType:
    """Return a struct with these members."""
    return ArrowType(ArrowKind.STRUCT, children=fields)


def joined(path: str, name: str) -> str:
    """Return the path of a field below another path."""
    return f"{path}.{name}" if path else name
