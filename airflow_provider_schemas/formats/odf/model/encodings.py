"""The three attributes that say how Arrow is to hold the values of a field.

They are looked at when somebody asks: until then an attribute is kept whatever it says. A field has at most
one of them.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.kinds import Form, spellings
from airflow_provider_schemas.formats.odf.model.strict_reader import Faults, joined, members, number, word

BUFFER: Final = "arrow.apache.org/bufferEncoding"
DATE: Final = "arrow.apache.org/dateEncoding"
DECIMAL: Final = "arrow.apache.org/decimalEncoding"
ENCODINGS: Final = (BUFFER, DATE, DECIMAL)


class BufferKind(StrEnum):
    """How values of varying length lie in memory."""

    CONTIGUOUS = "Contiguous"
    VIEW = "View"
    RUN_END = "RunEnd"


class DateUnit(StrEnum):
    """What a date is counted in."""

    DAY = "Day"
    MILLISECOND = "Millisecond"


class BufferEncoding(Struct, frozen=True):
    """How text, bytes and lists are held: `bits` is the width of the offsets, or of the run ends."""

    kind: BufferKind
    bits: int | None = None


class DateEncoding(Struct, frozen=True):
    """How dates are held."""

    unit: DateUnit


class DecimalEncoding(Struct, frozen=True):
    """How decimal numbers are held."""

    bits: int


Encoding = BufferEncoding | DateEncoding | DecimalEncoding

_WIDTHS = {BufferKind.CONTIGUOUS: "offsetBitWidth", BufferKind.VIEW: "offsetBitWidth", BufferKind.RUN_END: "runEndsBitWidth"}
_KINDS = spellings(BufferKind)
_UNITS = spellings(DateUnit)


def encoding_of(extra: Attributes | None) -> Encoding | None:
    """The encoding that the attributes ask for, if any; a FormatError if it is no sound one, or if there are two."""
    if extra is None or "arrow.apache.org/" not in extra.text:
        return None
    values, faults = dict(extra), Faults()
    there = [key for key in ENCODINGS if key in values]
    found = [_READERS[key](values[key], key, faults) for key in there]
    if len(there) > 1:
        faults.add("odf.encodings", there[1], f"{there[0]} is set as well.", "Keep one encoding for a field.")
    faults.settle()
    return found[0] if found else None


def with_encoding(extra: Attributes | None, encoding: Encoding) -> Attributes:
    """The attributes with this encoding, in place of any other."""
    key, value = _written(encoding)
    kept = {} if extra is None else {name: one for name, one in extra.items() if name not in ENCODINGS}
    return Attributes({**kept, key: value})


# ---------------------------------------------------------------- reading and writing


def _buffer(value: Any, path: str, faults: Faults) -> BufferEncoding | None:
    tag = value.get("kind") if isinstance(value, dict) else None
    known = {"kind", *([_WIDTHS[_KINDS[tag]]] if isinstance(tag, str) and tag in _KINDS else _WIDTHS.values())}
    found = members(value, path, sorted(known), ("kind",), faults)
    kind = word(tag, joined(path, "kind"), _KINDS, "a kind of buffers", faults, code="odf.unknown-kind") if "kind" in found else None
    bits = None if kind is None else found.get(_WIDTHS[kind])
    if kind is None or (bits is not None and number(bits, joined(path, _WIDTHS[kind]), Form.U32, faults) is None):
        return None
    return BufferEncoding(kind, bits)


def _date(value: Any, path: str, faults: Faults) -> DateEncoding | None:
    found = members(value, path, ("unit",), ("unit",), faults)
    unit = word(found["unit"], joined(path, "unit"), _UNITS, "a unit of dates", faults) if "unit" in found else None
    return None if unit is None else DateEncoding(unit)


def _decimal(value: Any, path: str, faults: Faults) -> DecimalEncoding | None:
    found = members(value, path, ("bitWidth",), ("bitWidth",), faults)
    bits = number(found["bitWidth"], joined(path, "bitWidth"), Form.U32, faults) if "bitWidth" in found else None
    return None if bits is None else DecimalEncoding(bits)


_READERS: dict[str, Callable[[Any, str, Faults], Encoding | None]] = {BUFFER: _buffer, DATE: _date, DECIMAL: _decimal}


def _written(encoding: Encoding) -> tuple[str, dict[str, Any]]:
    if isinstance(encoding, BufferEncoding):
        width = {} if encoding.bits is None else {_WIDTHS[encoding.kind]: encoding.bits}
        return BUFFER, {"kind": str(encoding.kind), **width}
    if isinstance(encoding, DateEncoding):
        return DATE, {"unit": str(encoding.unit)}
    return DECIMAL, {"bitWidth": encoding.bits}
