"""The three attributes that set how Arrow holds the values of a field.

They are checked when somebody asks for the encoding: until then any attribute is kept as it is. A field has at
most one of them.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Final

from msgspec import Struct

from airflow_provider_schemas.formats.odf.model.attributes import Attributes, PlainValue
from airflow_provider_schemas.formats.odf.model.kinds import ParameterForm, spellings
from airflow_provider_schemas.formats.odf.model.strict_reader import DocumentFaults, joined, members, number, word

BUFFER: Final = "arrow.apache.org/bufferEncoding"
DATE: Final = "arrow.apache.org/dateEncoding"
DECIMAL: Final = "arrow.apache.org/decimalEncoding"
ENCODINGS: Final = (BUFFER, DATE, DECIMAL)
_PREFIX: Final = "arrow.apache.org/"


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
    """How text, bytes and lists lie in memory: `bits` is the width of the offsets, or of the run ends."""

    kind: BufferKind
    bits: int | None = None


class DateEncoding(Struct, frozen=True):
    """How dates are held."""

    unit: DateUnit


class DecimalEncoding(Struct, frozen=True):
    """How decimal numbers are held."""

    bits: int


Encoding = BufferEncoding | DateEncoding | DecimalEncoding

_WIDTH_KEYS: Final = {BufferKind.CONTIGUOUS: "offsetBitWidth", BufferKind.VIEW: "offsetBitWidth", BufferKind.RUN_END: "runEndsBitWidth"}
_KINDS: Final = spellings(BufferKind)
_UNITS: Final = spellings(DateUnit)


def encoding_of(extra: Attributes | None) -> Encoding | None:
    """Return the encoding that the attributes set, if any; raise a FormatError for a wrong one, or for two of them."""
    if extra is None or _PREFIX not in extra.text:
        return None
    values = dict(extra)
    faults = DocumentFaults()
    keys = [key for key in ENCODINGS if key in values]
    encodings = [_READERS[key](values[key], key, faults) for key in keys]
    if len(keys) > 1:
        faults.add("odf.encodings", keys[1], f"{keys[0]} is set as well.", "Keep one encoding for a field.")
    faults.settle()
    return next(iter(encodings), None)


def requested_encoding(extra: Attributes | None) -> Encoding | None:
    """Return the encoding that the attributes set, where null counts as not set."""
    if extra is None or _PREFIX not in extra.text:
        return None
    return encoding_of(extra.without(*(key for key in ENCODINGS if extra.get(key) is None)))


def with_encoding(extra: Attributes | None, encoding: Encoding) -> Attributes:
    """Return the attributes with this encoding, in place of any other."""
    kept = {key: value for key, value in dict(extra or ()).items() if key not in ENCODINGS}
    key, value = _plain(encoding)
    return Attributes({**kept, key: value})


def without_encodings(extra: Attributes | None) -> Attributes | None:
    """Return the attributes without encodings; None if there were only encodings. An empty map that was there stays."""
    if extra is None or _PREFIX not in extra.text:
        return extra
    kept = extra.without(*ENCODINGS)
    if kept == extra:
        return extra
    return kept or None


# ---------------------------------------------------------------- reading and writing


def _read_buffer(value: PlainValue, path: str, faults: DocumentFaults) -> BufferEncoding | None:
    tag = value.get("kind") if isinstance(value, dict) else None
    members(value, path, _buffer_keys(tag), ("kind",), faults)
    if not isinstance(value, dict) or "kind" not in value:
        return None
    kind = word(tag, joined(path, "kind"), _KINDS, "a kind of buffers", faults, code="odf.unknown-kind")
    if kind is None:
        return None
    key = _WIDTH_KEYS[kind]
    bits = value.get(key)
    if bits is not None and number(bits, joined(path, key), ParameterForm.U32, faults) is None:
        return None
    return BufferEncoding(kind, bits)


def _buffer_keys(tag: PlainValue) -> list[str]:
    """Return the keys of a buffer encoding with this tag; those of all kinds if the tag is none of them."""
    if isinstance(tag, str) and tag in _KINDS:
        return sorted({"kind", _WIDTH_KEYS[_KINDS[tag]]})
    return sorted({"kind", *_WIDTH_KEYS.values()})


def _read_date(value: PlainValue, path: str, faults: DocumentFaults) -> DateEncoding | None:
    entries = members(value, path, ("unit",), ("unit",), faults)
    if "unit" not in entries:
        return None
    unit = word(entries["unit"], joined(path, "unit"), _UNITS, "a unit of dates", faults)
    if unit is None:
        return None
    return DateEncoding(unit)


def _read_decimal(value: PlainValue, path: str, faults: DocumentFaults) -> DecimalEncoding | None:
    entries = members(value, path, ("bitWidth",), ("bitWidth",), faults)
    if "bitWidth" not in entries:
        return None
    bits = number(entries["bitWidth"], joined(path, "bitWidth"), ParameterForm.U32, faults)
    if bits is None:
        return None
    return DecimalEncoding(bits)


_READERS: Final[dict[str, Callable[[PlainValue, str, DocumentFaults], Encoding | None]]] = {
    BUFFER: _read_buffer,
    DATE: _read_date,
    DECIMAL: _read_decimal,
}


def _plain(encoding: Encoding) -> tuple[str, dict[str, PlainValue]]:
    """Return the key and the value of the attribute that sets an encoding."""
    if isinstance(encoding, BufferEncoding):
        entries: dict[str, PlainValue] = {"kind": str(encoding.kind)}
        if encoding.bits is not None:
            entries[_WIDTH_KEYS[encoding.kind]] = encoding.bits
        return BUFFER, entries
    if isinstance(encoding, DateEncoding):
        return DATE, {"unit": str(encoding.unit)}
    return DECIMAL, {"bitWidth": encoding.bits}
