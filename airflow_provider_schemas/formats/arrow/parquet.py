"""A schema of Arrow as the tree of a Parquet file: groups, physical and logical types, as arrow-rs writes them.

It keeps Arrow's own names of the fields inside lists and maps (`item`, `entries`), which are not Parquet's.
"""

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from airflow_provider_schemas.errors import Fault, FormatError
from airflow_provider_schemas.formats.arrow.model import DECIMALS, LISTS, ArrowField, ArrowKind, ArrowSchema, ArrowType, joined

ROOT: Final = "arrow_schema"
_UNITS: Final = {"ms": "MILLIS", "us": "MICROS", "ns": "NANOS"}


class ParquetField(Struct, frozen=True):
    """A column, or a group, which has fields and no physical type."""

    name: str
    repetition: str = ""
    physical: str = ""
    length: int | None = None
    logical: str = ""
    fields: "tuple[ParquetField, ...]" = ()


class _Leaf(Struct, frozen=True):
    """The types of Parquet for a type without parts."""

    physical: str
    logical: str = ""
    length: int | None = None


def _small(bits: int, signed: str) -> _Leaf:
    return _Leaf("INT64" if bits > 32 else "INT32", f"INTEGER({bits},{signed})")


_TEXT: Final = _Leaf("BYTE_ARRAY", "STRING")
_BYTES: Final = _Leaf("BYTE_ARRAY")

_LEAVES: Final[dict[ArrowKind, _Leaf]] = {
    ArrowKind.NULL: _Leaf("INT32", "UNKNOWN"),
    ArrowKind.BOOL: _Leaf("BOOLEAN"),
    ArrowKind.INT8: _small(8, "true"),
    ArrowKind.INT16: _small(16, "true"),
    ArrowKind.INT32: _Leaf("INT32"),
    ArrowKind.INT64: _Leaf("INT64"),
    ArrowKind.UINT8: _small(8, "false"),
    ArrowKind.UINT16: _small(16, "false"),
    ArrowKind.UINT32: _small(32, "false"),
    ArrowKind.UINT64: _small(64, "false"),
    ArrowKind.FLOAT16: _Leaf("FIXED_LEN_BYTE_ARRAY", "FLOAT16", 2),
    ArrowKind.FLOAT32: _Leaf("FLOAT"),
    ArrowKind.FLOAT64: _Leaf("DOUBLE"),
    ArrowKind.DATE32: _Leaf("INT32", "DATE"),
    ArrowKind.DATE64: _Leaf("INT64"),
    ArrowKind.DURATION: _Leaf("INT64"),
    ArrowKind.BINARY: _BYTES,
    ArrowKind.LARGE_BINARY: _BYTES,
    ArrowKind.BINARY_VIEW: _BYTES,
    ArrowKind.UTF8: _TEXT,
    ArrowKind.LARGE_UTF8: _TEXT,
    ArrowKind.UTF8_VIEW: _TEXT,
}


def _time(kind: ArrowType) -> _Leaf:
    physical = "INT32" if kind.kind is ArrowKind.TIME32 else "INT64"
    if kind.unit not in _UNITS:
        return _Leaf(physical)
    return _Leaf(physical, f"TIME({_UNITS[kind.unit]},false)")


def _timestamp(kind: ArrowType) -> _Leaf:
    if kind.unit not in _UNITS:
        return _Leaf("INT64")
    adjusted = "true" if kind.timezone else "false"
    return _Leaf("INT64", f"TIMESTAMP({_UNITS[kind.unit]},{adjusted})")


def _decimal(kind: ArrowType) -> _Leaf:
    precision = kind.precision or 0
    logical = f"DECIMAL({precision},{kind.scale})"
    if precision <= 18:
        # A single digit goes into 64 bits: so the reference writes it, and Parquet allows it.
        return _Leaf("INT32" if 2 <= precision <= 9 else "INT64", logical)
    return _Leaf("FIXED_LEN_BYTE_ARRAY", logical, bytes_for(precision))


def bytes_for(precision: int) -> int:
    """Return how many bytes hold any signed number of so many digits."""
    bits: int = (10**precision).bit_length() + 1
    return -(-bits // 8)


_PARAMETRIC: Final[dict[ArrowKind, Callable[[ArrowType], _Leaf]]] = {
    **dict.fromkeys(DECIMALS, _decimal),
    ArrowKind.TIME32: _time,
    ArrowKind.TIME64: _time,
    ArrowKind.TIMESTAMP: _timestamp,
    ArrowKind.FIXED_SIZE_BINARY: lambda kind: _Leaf("FIXED_LEN_BYTE_ARRAY", length=kind.length),
}


def to_tree(schema: ArrowSchema) -> ParquetField:
    """Return the tree of the whole file, or raise a FormatError that names every column that Parquet cannot hold."""
    faults: list[Fault] = []
    fields = tuple(_to_node(field, field.name, faults) for field in schema.fields)
    if faults:
        raise FormatError.of(faults)
    return ParquetField(ROOT, fields=fields)


def _to_node(field: ArrowField, path: str, faults: list[Fault]) -> ParquetField:
    kind = field.type
    repetition = "OPTIONAL" if field.nullable else "REQUIRED"
    if kind.kind in (ArrowKind.DICTIONARY, ArrowKind.RUN_END_ENCODED):
        return _to_node(ArrowField(field.name, kind.children[1].type, field.nullable), path, faults)
    leaf = _leaf(kind)
    if leaf is not None:
        return ParquetField(field.name, repetition, leaf.physical, leaf.length, leaf.logical)
    inside = tuple(_to_node(member, joined(path, member.name), faults) for member in _members(kind))
    if kind.kind in LISTS:
        return ParquetField(field.name, repetition, logical="LIST", fields=(ParquetField("list", "REPEATED", fields=inside),))
    if kind.kind is ArrowKind.MAP:
        entries = ParquetField(kind.children[0].name, "REPEATED", fields=inside)
        return ParquetField(field.name, repetition, logical="MAP", fields=(entries,))
    if kind.kind is not ArrowKind.STRUCT or not inside:
        what = "an empty struct" if kind.kind is ArrowKind.STRUCT else str(kind.kind)
        faults.append(Fault("arrow.unsupported", path, f"Parquet cannot hold {what}.", "Give it a member, or leave the column out."))
    return ParquetField(field.name, repetition, fields=inside)


def _leaf(kind: ArrowType) -> _Leaf | None:
    make = _PARAMETRIC.get(kind.kind)
    if make is not None:
        return make(kind)
    return _LEAVES.get(kind.kind)


def _members(kind: ArrowType) -> tuple[ArrowField, ...]:
    if kind.kind is ArrowKind.MAP:
        return kind.entry
    if kind.kind in (*LISTS, ArrowKind.STRUCT):
        return kind.children
    return ()
