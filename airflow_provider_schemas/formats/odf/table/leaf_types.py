"""ODF's types without parts and Paimon's: the counterpart of each, as tables.

Where Paimon lacks a type, its counterpart is the smallest one that holds every value. A hint beside the column, or
an attribute of the field, keeps the type that it was: see `convert`.
"""

from collections.abc import Callable
from typing import Any, Final

from airflow_provider_schemas.core.types.atomic import BYTES, STRING, AtomicType, atomic
from airflow_provider_schemas.core.types.kinds import MAX_LENGTH, Root
from airflow_provider_schemas.formats.base import refuse_opaque
from airflow_provider_schemas.formats.odf.model import types
from airflow_provider_schemas.formats.odf.model.kinds import Kind, TimeUnit
from airflow_provider_schemas.formats.odf.model.types import PLAIN, DataType

_DIGITS: Final = {TimeUnit.SECOND: 0, TimeUnit.MILLISECOND: 3, TimeUnit.MICROSECOND: 6, TimeUnit.NANOSECOND: 9}
MOST_DIGITS: Final = 38

# ---------------------------------------------------------------- to Paimon

_PLAIN: Final[dict[Kind, AtomicType]] = {
    Kind.BOOL: atomic(Root.BOOLEAN),
    Kind.DATE: atomic(Root.DATE),
    Kind.STRING: STRING,
    Kind.FLOAT16: atomic(Root.FLOAT),
    Kind.FLOAT32: atomic(Root.FLOAT),
    Kind.FLOAT64: atomic(Root.DOUBLE),
    Kind.INT8: atomic(Root.TINYINT),
    Kind.INT16: atomic(Root.SMALLINT),
    Kind.INT32: atomic(Root.INTEGER),
    Kind.INT64: atomic(Root.BIGINT),
    Kind.UINT8: atomic(Root.SMALLINT),
    Kind.UINT16: atomic(Root.INTEGER),
    Kind.UINT32: atomic(Root.BIGINT),
    Kind.UINT64: atomic(Root.DECIMAL, precision=20, scale=0),
    Kind.NULL: atomic(Root.BOOLEAN),
}


def _binary(kind: types.Binary) -> AtomicType:
    length = kind.fixed_length or 0
    if not 1 <= length <= MAX_LENGTH:
        return BYTES
    return atomic(Root.BINARY, length=length)


def _decimal(kind: types.Decimal) -> AtomicType:
    """Return the decimal with room for all digits before and after the point, or text if Paimon has none with so many."""
    after_point = max(kind.scale, 0)
    before_point = max(kind.precision - kind.scale, 0)
    digits = max(before_point + after_point, 1)
    if digits > MOST_DIGITS:
        return STRING
    return atomic(Root.DECIMAL, precision=digits, scale=after_point)


def _timestamp(kind: types.Timestamp) -> AtomicType:
    root = Root.TIMESTAMP_LTZ if kind.effective_timezone else Root.TIMESTAMP
    return atomic(root, precision=_DIGITS[kind.effective_unit])


_PARAMETRIC: Final[dict[Kind, Callable[[Any], AtomicType]]] = {
    Kind.BINARY: _binary,
    Kind.DECIMAL: _decimal,
    Kind.DURATION: lambda _: atomic(Root.BIGINT),
    Kind.TIME: lambda kind: atomic(Root.TIME, precision=_DIGITS[kind.effective_unit]),
    Kind.TIMESTAMP: _timestamp,
}


def leaf_to_table(kind: DataType) -> AtomicType:
    """Return the type of Paimon for one without parts; NOT NULL, except for the type of NULL alone."""
    make = _PARAMETRIC.get(kind.kind)
    column = _PLAIN[kind.kind] if make is None else make(kind)
    return column.with_nullable(kind.kind is Kind.NULL)


# ---------------------------------------------------------------- to ODF


def _unit(precision: int | None) -> TimeUnit | None:
    """Return the unit that holds so many digits; None for the default unit."""
    unit = next(unit for unit, digits in _DIGITS.items() if (precision or 0) <= digits)
    if unit is TimeUnit.MILLISECOND:
        return None
    return unit


_LEAVES: Final[dict[Root, DataType | Callable[[AtomicType], DataType]]] = {
    Root.CHAR: PLAIN[Kind.STRING],
    Root.VARCHAR: PLAIN[Kind.STRING],
    Root.BOOLEAN: PLAIN[Kind.BOOL],
    Root.BINARY: lambda kind: types.Binary(kind.length),
    Root.VARBINARY: types.Binary(),
    Root.DECIMAL: lambda kind: types.Decimal(kind.precision or 0, kind.scale or 0),
    Root.TINYINT: PLAIN[Kind.INT8],
    Root.SMALLINT: PLAIN[Kind.INT16],
    Root.INTEGER: PLAIN[Kind.INT32],
    Root.BIGINT: PLAIN[Kind.INT64],
    Root.FLOAT: PLAIN[Kind.FLOAT32],
    Root.DOUBLE: PLAIN[Kind.FLOAT64],
    Root.DATE: PLAIN[Kind.DATE],
    Root.TIME: lambda kind: types.Time(_unit(kind.precision)),
    Root.TIMESTAMP: lambda kind: types.Timestamp(_unit(kind.precision), ""),
    Root.TIMESTAMP_LTZ: lambda kind: types.Timestamp(_unit(kind.precision)),
    # Bytes in a format of their own.
    Root.VARIANT: types.Binary(),
    Root.BLOB: types.Binary(),
    Root.GEOMETRY: types.Binary(),
    Root.GEOGRAPHY: types.Binary(),
    Root.OPAQUE: lambda kind: refuse_opaque(kind, "ODF"),
}

# Paimon's, ODF's, and what comes back where no attribute is read.
LOSSY: Final[tuple[tuple[str, DataType, str], ...]] = (
    ("CHAR(5)", PLAIN[Kind.STRING], "STRING"),
    ("VARCHAR(5)", PLAIN[Kind.STRING], "STRING"),
    ("VARBINARY(5)", types.Binary(), "BYTES"),
    ("TIME(1)", types.Time(), "TIME(3)"),
    ("TIMESTAMP(4)", types.Timestamp(TimeUnit.MICROSECOND, ""), "TIMESTAMP(6)"),
    ("TIMESTAMP(8) WITH LOCAL TIME ZONE", types.Timestamp(TimeUnit.NANOSECOND), "TIMESTAMP(9) WITH LOCAL TIME ZONE"),
    ("VARIANT", types.Binary(), "BYTES"),
    ("BLOB", types.Binary(), "BYTES"),
    ("GEOMETRY(OGC:CRS84)", types.Binary(), "BYTES"),
    ("GEOGRAPHY(OGC:CRS84, spherical)", types.Binary(), "BYTES"),
)


def leaf_to_odf(kind: AtomicType) -> DataType:
    """Return the type of ODF for one without parts, without its nullability."""
    leaf = _LEAVES[kind.root]
    if isinstance(leaf, DataType):
        return leaf
    return leaf(kind)
