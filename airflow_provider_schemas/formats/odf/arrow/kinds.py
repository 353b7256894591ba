"""The kinds of ODF in Arrow, and the kinds that encoding attributes choose: tables, looked up both ways."""

from typing import Final

from airflow_provider_schemas.formats.arrow.model import ArrowKind
from airflow_provider_schemas.formats.odf.model.encodings import (
    BufferEncoding,
    BufferKind,
    DateEncoding,
    DateUnit,
    DecimalEncoding,
    Encoding,
)
from airflow_provider_schemas.formats.odf.model.kinds import Kind, TimeUnit

SAME: Final = {
    Kind.BOOL: ArrowKind.BOOL,
    Kind.NULL: ArrowKind.NULL,
    Kind.FLOAT16: ArrowKind.FLOAT16,
    Kind.FLOAT32: ArrowKind.FLOAT32,
    Kind.FLOAT64: ArrowKind.FLOAT64,
    Kind.INT8: ArrowKind.INT8,
    Kind.INT16: ArrowKind.INT16,
    Kind.INT32: ArrowKind.INT32,
    Kind.INT64: ArrowKind.INT64,
    Kind.UINT8: ArrowKind.UINT8,
    Kind.UINT16: ArrowKind.UINT16,
    Kind.UINT32: ArrowKind.UINT32,
    Kind.UINT64: ArrowKind.UINT64,
}

UNITS: Final = {TimeUnit.SECOND: "s", TimeUnit.MILLISECOND: "ms", TimeUnit.MICROSECOND: "us", TimeUnit.NANOSECOND: "ns"}
# A time of day is counted in 32 bits where these are enough.
TIMES: Final = {
    TimeUnit.SECOND: ArrowKind.TIME32,
    TimeUnit.MILLISECOND: ArrowKind.TIME32,
    TimeUnit.MICROSECOND: ArrowKind.TIME64,
    TimeUnit.NANOSECOND: ArrowKind.TIME64,
}

_CONTIGUOUS: Final = BufferKind.CONTIGUOUS
_VIEW: Final = BufferKind.VIEW
_LAYOUTS: Final[dict[tuple[Kind, BufferKind, int], ArrowKind]] = {
    (Kind.BINARY, _CONTIGUOUS, 32): ArrowKind.BINARY,
    (Kind.BINARY, _CONTIGUOUS, 64): ArrowKind.LARGE_BINARY,
    (Kind.BINARY, _VIEW, 32): ArrowKind.BINARY_VIEW,
    (Kind.STRING, _CONTIGUOUS, 32): ArrowKind.UTF8,
    (Kind.STRING, _CONTIGUOUS, 64): ArrowKind.LARGE_UTF8,
    (Kind.STRING, _VIEW, 32): ArrowKind.UTF8_VIEW,
    (Kind.LIST, _CONTIGUOUS, 32): ArrowKind.LIST,
    (Kind.LIST, _CONTIGUOUS, 64): ArrowKind.LARGE_LIST,
    (Kind.LIST, _VIEW, 32): ArrowKind.LIST_VIEW,
    (Kind.LIST, _VIEW, 64): ArrowKind.LARGE_LIST_VIEW,
}
_DATES: Final = {DateUnit.DAY: ArrowKind.DATE32, DateUnit.MILLISECOND: ArrowKind.DATE64}
_DECIMALS: Final = {32: ArrowKind.DECIMAL32, 64: ArrowKind.DECIMAL64, 128: ArrowKind.DECIMAL128, 256: ArrowKind.DECIMAL256}

# The encoding of a field whose attributes set none.
DEFAULT_ENCODINGS: Final[dict[Kind, Encoding]] = {
    **dict.fromkeys((Kind.BINARY, Kind.STRING, Kind.LIST), BufferEncoding(_CONTIGUOUS, 32)),
    Kind.DATE: DateEncoding(DateUnit.DAY),
}


def chosen(kind: Kind, encoding: Encoding) -> ArrowKind | None:
    """Return the kind of Arrow that an encoding chooses for a kind; None if the two do not go together."""
    if isinstance(encoding, BufferEncoding):
        bits = 32 if encoding.bits is None else encoding.bits
        return _LAYOUTS.get((kind, encoding.kind, bits))
    if isinstance(encoding, DateEncoding):
        if kind is not Kind.DATE:
            return None
        return _DATES[encoding.unit]
    if kind is not Kind.DECIMAL:
        return None
    return _DECIMALS.get(encoding.bits)


# ---------------------------------------------------------------- from Arrow

# The kind without its parameters, and the encoding that is kept on the field.
ENCODED: Final[dict[ArrowKind, tuple[Kind, Encoding | None]]] = {
    **{arrow: (kind, BufferEncoding(buffer, bits)) for (kind, buffer, bits), arrow in _LAYOUTS.items()},
    **{arrow: (Kind.DECIMAL, DecimalEncoding(bits)) for bits, arrow in _DECIMALS.items()},
    ArrowKind.DATE32: (Kind.DATE, None),
    ArrowKind.DATE64: (Kind.DATE, DateEncoding(DateUnit.MILLISECOND)),
}
# The encodings that need no attribute: reading without one gives the same.
UNWRITTEN: Final = (None, BufferEncoding(_CONTIGUOUS, 32), DecimalEncoding(128))
SAME_OF: Final = {arrow: kind for kind, arrow in SAME.items()}
UNIT_OF: Final = {text: unit for unit, text in UNITS.items()}
RUN_ENDS: Final = {ArrowKind.INT32: 32, ArrowKind.INT64: 64}


def encoding_text(encoding: Encoding) -> str:
    """Return the encoding as text for a message."""
    if isinstance(encoding, DateEncoding):
        return f"{encoding.unit}s"
    if isinstance(encoding, DecimalEncoding):
        return f"a decimal of {encoding.bits} bits"
    if encoding.bits is None:
        return str(encoding.kind)
    return f"{encoding.kind} of {encoding.bits} bits"
