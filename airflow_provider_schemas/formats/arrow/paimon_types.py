"""Paimon's types and Arrow's: what each becomes, and what is lost on the way.

This is data. It agrees with pypaimon, so that each accepts the tables that the other has built.
A new type of Paimon gets a row in TO_ARROW, one of Arrow in FROM_ARROW.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.types.atomic import BYTES, STRING, AtomicType, atomic
from airflow_provider_schemas.core.types.kinds import MAX_LENGTH, Root
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.arrow.model import PLAIN, ArrowField, ArrowKind, ArrowType, struct_of
from airflow_provider_schemas.formats.base import refuse_opaque

_UNIT_OF_PRECISION: Final = {0: "s", **dict.fromkeys((1, 2, 3), "ms"), **dict.fromkeys((4, 5, 6), "us"), **dict.fromkeys((7, 8, 9), "ns")}
PRECISION_OF_UNIT: Final = {"s": 0, "ms": 3, "us": 6, "ns": 9}
UTC: Final = "UTC"

VARIANT: Final = struct_of(tuple(ArrowField(name, PLAIN[ArrowKind.BINARY], nullable=False) for name in ("value", "metadata")))

# ---------------------------------------------------------------- to Arrow


def _plain(kind: ArrowKind) -> Callable[[AtomicType], ArrowType]:
    return lambda _: PLAIN[kind]


def _timestamp(timezone: str | None) -> Callable[[AtomicType], ArrowType]:
    return lambda kind: ArrowType(ArrowKind.TIMESTAMP, unit=_UNIT_OF_PRECISION[kind.precision or 0], timezone=timezone)


TO_ARROW: Final[dict[Root, Callable[[AtomicType], ArrowType]]] = {
    Root.CHAR: _plain(ArrowKind.UTF8),
    Root.VARCHAR: _plain(ArrowKind.UTF8),
    Root.BOOLEAN: _plain(ArrowKind.BOOL),
    Root.BINARY: _plain(ArrowKind.BINARY),
    Root.VARBINARY: _plain(ArrowKind.BINARY),
    Root.DECIMAL: lambda kind: ArrowType(ArrowKind.DECIMAL128, precision=kind.precision, scale=kind.scale),
    Root.TINYINT: _plain(ArrowKind.INT8),
    Root.SMALLINT: _plain(ArrowKind.INT16),
    Root.INTEGER: _plain(ArrowKind.INT32),
    Root.BIGINT: _plain(ArrowKind.INT64),
    Root.FLOAT: _plain(ArrowKind.FLOAT32),
    Root.DOUBLE: _plain(ArrowKind.FLOAT64),
    Root.DATE: _plain(ArrowKind.DATE32),
    Root.TIME: lambda _: ArrowType(ArrowKind.TIME32, unit="ms"),
    Root.TIMESTAMP: _timestamp(None),
    Root.TIMESTAMP_LTZ: _timestamp(UTC),
    Root.VARIANT: lambda _: VARIANT,
    Root.BLOB: _plain(ArrowKind.LARGE_BINARY),
    Root.GEOMETRY: _plain(ArrowKind.BINARY),
    Root.GEOGRAPHY: _plain(ArrowKind.BINARY),
    Root.OPAQUE: lambda kind: refuse_opaque(kind, "Arrow"),
}

# The part of a type that does not come back, for the types that do not come back whole.
WHAT: Final = {
    **dict.fromkeys((Root.CHAR, Root.VARCHAR, Root.BINARY, Root.VARBINARY), "length"),
    **dict.fromkeys((Root.TIME, Root.TIMESTAMP, Root.TIMESTAMP_LTZ), "precision"),
    **dict.fromkeys((Root.GEOMETRY, Root.GEOGRAPHY, Root.MULTISET), "type"),
}

# Ours, Arrow's, and what comes back.
LOSSY: Final[tuple[tuple[str, str, str], ...]] = (
    ("CHAR(5)", "utf8", "STRING"),
    ("VARCHAR(5)", "utf8", "STRING"),
    ("BINARY(5)", "binary", "BYTES"),
    ("VARBINARY(5)", "binary", "BYTES"),
    ("TIME(0)", "time32[ms]", "TIME(3)"),
    ("TIME(9)", "time32[ms]", "TIME(3)"),
    ("TIMESTAMP(1)", "timestamp[ms]", "TIMESTAMP(3)"),
    ("TIMESTAMP(7) WITH LOCAL TIME ZONE", "timestamp[ns, UTC]", "TIMESTAMP(9) WITH LOCAL TIME ZONE"),
    ("GEOMETRY(OGC:CRS84)", "binary", "BYTES"),
    ("GEOGRAPHY(OGC:CRS84, spherical)", "binary", "BYTES"),
)

# ---------------------------------------------------------------- from Arrow


class ReadLeaf(NamedTuple):
    """The type of ours that a type of Arrow becomes."""

    type: AtomicType
    lost: str = ""
    """The part of Arrow's type that is lost."""


def _read_binary(kind: ArrowType) -> ReadLeaf:
    if 1 <= (kind.length or 0) <= MAX_LENGTH:
        return ReadLeaf(atomic(Root.BINARY, length=kind.length))
    return ReadLeaf(BYTES, "length")


def _read_decimal(kind: ArrowType) -> ReadLeaf:
    lost = "" if kind.kind is ArrowKind.DECIMAL128 else "layout"
    return ReadLeaf(atomic(Root.DECIMAL, precision=kind.precision, scale=kind.scale), lost)


def _read_timestamp(kind: ArrowType) -> ReadLeaf:
    root = Root.TIMESTAMP_LTZ if kind.timezone else Root.TIMESTAMP
    lost = "" if kind.timezone in (None, "", UTC) else "timezone"
    return ReadLeaf(atomic(root, precision=PRECISION_OF_UNIT[kind.unit or ""]), lost)


def _read_time(kind: ArrowType) -> ReadLeaf:
    return ReadLeaf(atomic(Root.TIME, precision=PRECISION_OF_UNIT[kind.unit or ""]))


def _as(kind: AtomicType, lost: str = "") -> Callable[[ArrowType], ReadLeaf]:
    return lambda _: ReadLeaf(kind, lost)


FROM_ARROW: Final[dict[ArrowKind, Callable[[ArrowType], ReadLeaf]]] = {
    ArrowKind.BOOL: _as(atomic(Root.BOOLEAN)),
    ArrowKind.INT8: _as(atomic(Root.TINYINT)),
    ArrowKind.INT16: _as(atomic(Root.SMALLINT)),
    ArrowKind.INT32: _as(atomic(Root.INTEGER)),
    ArrowKind.INT64: _as(atomic(Root.BIGINT)),
    # The smallest type that holds every number.
    ArrowKind.UINT8: _as(atomic(Root.SMALLINT), "type"),
    ArrowKind.UINT16: _as(atomic(Root.INTEGER), "type"),
    ArrowKind.UINT32: _as(atomic(Root.BIGINT), "type"),
    ArrowKind.UINT64: _as(atomic(Root.DECIMAL, precision=20, scale=0), "type"),
    ArrowKind.FLOAT16: _as(atomic(Root.FLOAT), "type"),
    ArrowKind.FLOAT32: _as(atomic(Root.FLOAT)),
    ArrowKind.FLOAT64: _as(atomic(Root.DOUBLE)),
    **dict.fromkeys((ArrowKind.DECIMAL32, ArrowKind.DECIMAL64, ArrowKind.DECIMAL128, ArrowKind.DECIMAL256), _read_decimal),
    ArrowKind.DATE32: _as(atomic(Root.DATE)),
    ArrowKind.DATE64: _as(atomic(Root.DATE), "layout"),
    ArrowKind.TIME32: _read_time,
    ArrowKind.TIME64: _read_time,
    ArrowKind.TIMESTAMP: _read_timestamp,
    ArrowKind.BINARY: _as(BYTES),
    ArrowKind.LARGE_BINARY: _as(atomic(Root.BLOB)),
    ArrowKind.BINARY_VIEW: _as(BYTES, "layout"),
    ArrowKind.FIXED_SIZE_BINARY: _read_binary,
    ArrowKind.UTF8: _as(STRING),
    ArrowKind.LARGE_UTF8: _as(STRING, "layout"),
    ArrowKind.UTF8_VIEW: _as(STRING, "layout"),
}

# What no table can hold, and what to do instead.
REFUSED: Final = {
    ArrowKind.NULL: "Cast the column to a type; nothing but NULL has none.",
    ArrowKind.DURATION: "Cast it to int64, and say the unit in the column's comment.",
    ArrowKind.INTERVAL: "Store a number of months or microseconds as int64, or two timestamps.",
    ArrowKind.UNION: "Store a struct with a member for each of its types.",
}


def leaf_text(kind: ArrowType) -> str:
    """Return a type without parts, as users write it."""
    parameters = [kind.unit, kind.timezone or None, kind.precision, kind.scale, kind.length]
    inside = ", ".join(str(parameter) for parameter in parameters if parameter is not None)
    if not inside:
        return str(kind.kind)
    return f"{kind.kind}[{inside}]"


def read_leaf(kind: ArrowType) -> ReadLeaf:
    """Return what a type without parts becomes; for a type that no table holds, raise a FormatError that says what to do."""
    read = FROM_ARROW.get(kind.kind)
    if read is None:
        fix = REFUSED.get(kind.kind, "Use another type.")
        raise FormatError(f"{shown(leaf_text(kind))} cannot be a column's type.", code="format.unsupported-type", fix=fix)
    return read(kind)
