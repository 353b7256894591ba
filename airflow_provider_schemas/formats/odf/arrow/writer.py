"""An ODF schema as a schema of Arrow: every kind, as the encoding attribute of its field chooses, or a setting for all.

The attribute of a field counts for the type inside one Option. Items, keys and values have no attribute, so that
the settings decide.
"""

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.types.nested import MAX_DEPTH
from airflow_provider_schemas.errors import Fault, FormatError, collect
from airflow_provider_schemas.formats.arrow.model import (
    DECIMALS,
    PLAIN,
    ArrowField,
    ArrowKind,
    ArrowSchema,
    ArrowType,
    map_of,
    struct_of,
)
from airflow_provider_schemas.formats.base import Faults
from airflow_provider_schemas.formats.odf.arrow.kinds import DEFAULT_ENCODINGS, SAME, TIMES, UNITS, chosen, encoding_text
from airflow_provider_schemas.formats.odf.model import types
from airflow_provider_schemas.formats.odf.model.encodings import BufferEncoding, DateEncoding, Encoding, requested_encoding
from airflow_provider_schemas.formats.odf.model.kinds import Kind
from airflow_provider_schemas.formats.odf.model.schema import DataSchema, checked_schema
from airflow_provider_schemas.formats.odf.model.types import DataField, DataType, Option

_LONGEST: Final = 2**31 - 1
_SCALES: Final = range(-128, 128)
_REFERENCE_PRECISIONS: Final = range(256)


class ArrowSettings(Struct, frozen=True):
    """The encodings of fields without an encoding attribute; None is Arrow's plainest kind."""

    binary: BufferEncoding | None = None
    string: BufferEncoding | None = None
    list: BufferEncoding | None = None
    date: DateEncoding | None = None
    reference_compatible: bool = False
    """Answer as the reference does: settings also apply to fixed lengths, which fails, and the limits of digits are wider."""

    def default(self, kind: Kind) -> Encoding | None:
        """Return the encoding of a kind without an attribute."""
        name = _SETTINGS.get(kind)
        if name is None:
            return None
        encoding: Encoding | None = getattr(self, name)
        return encoding


_SETTINGS: Final = {Kind.BINARY: "binary", Kind.STRING: "string", Kind.LIST: "list", Kind.DATE: "date"}


PLAINEST: Final = ArrowSettings()


def arrow_schema(schema: DataSchema, settings: ArrowSettings = PLAINEST) -> ArrowSchema:
    """Return the schema as Arrow has it, or raise a FormatError that names every type without a counterpart."""
    writer = _ArrowWriter(_checked_settings(settings))
    fields = [writer.field(field, f"fields[{place}]", 0) for place, field in enumerate(checked_schema(schema).fields)]
    writer.faults.settle()
    return ArrowSchema(tuple(field for field in fields if field is not None))


_TYPES_OF_SETTINGS: Final = {"binary": BufferEncoding, "string": BufferEncoding, "list": BufferEncoding, "date": DateEncoding}


def _checked_settings(settings: object) -> ArrowSettings:
    if not isinstance(settings, ArrowSettings):
        message = f"{shown(settings)} is no ArrowSettings."
        raise FormatError(message, code="format.wrong-type", path="settings", fix="Pass an ArrowSettings.")
    faults: list[Fault] = []
    for name, wanted in _TYPES_OF_SETTINGS.items():
        value = getattr(settings, name)
        if not isinstance(value, wanted | None):
            message = f"{shown(value)} is no encoding."
            faults.append(Fault("format.wrong-type", f"settings.{name}", message, f"Pass a {wanted.__name__}."))
    if faults:
        raise FormatError.of(faults)
    return settings


class _ArrowWriter:
    """Turns types into Arrow's, and collects faults. A method that returns None has added a fault."""

    def __init__(self, settings: ArrowSettings) -> None:
        self.settings = settings
        self.faults = Faults()

    def field(self, field: DataField, path: str, depth: int) -> ArrowField | None:
        before = len(self.faults)
        encoding = collect(self.faults, lambda: requested_encoding(field.extra), f"{path}.extra")
        if len(self.faults) > before:
            return None
        return self.nullable_field(field.name, field.type, f"{path}.type", depth, encoding)

    def nullable_field(self, name: str, kind: DataType, path: str, depth: int, encoding: Encoding | None = None) -> ArrowField | None:
        """Return a field, an item, a key or a value: what has a name and may be null."""
        nullable = isinstance(kind, Option)
        if isinstance(kind, Option):
            path = f"{path}.inner"
            kind = kind.inner
        arrow_type = self.type(kind, path, depth, encoding)
        if arrow_type is None:
            return None
        return ArrowField(name, arrow_type, nullable)

    def type(self, kind: DataType, path: str, depth: int, encoding: Encoding | None) -> ArrowType | None:
        if depth > MAX_DEPTH:
            self.faults.add("type.too-deep", path, f"types are nested deeper than {MAX_DEPTH} levels.", "Flatten the schema.")
            return None
        if isinstance(kind, Option):
            message = "an Option stands directly in another, and Arrow has one NULL."
            self.faults.add("odf.nested-option", path, message, "Leave one of them out.")
            return None
        if encoding is None and (self.settings.reference_compatible or not _has_fixed_length(kind)):
            encoding = self.settings.default(kind.kind)
        layout = self.layout(kind, path, encoding)
        if layout is None:
            return None
        make = _MAKERS.get(kind.kind)
        if make is None:
            return PLAIN[layout]
        return make(self, kind, layout, path, depth)

    def layout(self, kind: DataType, path: str, encoding: Encoding | None) -> ArrowKind | None:
        """Return the kind of Arrow that the encoding chooses, or the plainest; None with a fault if type and encoding do not fit."""
        if encoding is None:
            return self.plainest(kind, path)
        if _has_fixed_length(kind):
            self.refuse_encoding(f"{kind.kind} of fixed length", encoding, path)
            return None
        layout = chosen(kind.kind, encoding)
        if layout is None:
            self.refuse_encoding(kind.kind, encoding, path)
        return layout

    def refuse_encoding(self, what: str, encoding: Encoding, path: str) -> None:
        message = f"{what} cannot be held as {encoding_text(encoding)}."
        self.faults.add("odf.encoding", path, message, "Leave the encoding out, or use one that the type has.")

    def plainest(self, kind: DataType, path: str) -> ArrowKind | None:
        if isinstance(kind, types.Decimal):
            return self.plainest_decimal(kind, path)
        if isinstance(kind, types.Time):
            return TIMES[kind.effective_unit]
        encoding = DEFAULT_ENCODINGS.get(kind.kind)
        if encoding is None:
            return _ONLY[kind.kind]
        return chosen(kind.kind, encoding)

    def plainest_decimal(self, kind: types.Decimal, path: str) -> ArrowKind | None:
        digits = _REFERENCE_DIGITS if self.settings.reference_compatible else _DIGITS
        for layout, most in digits.items():
            if kind.precision <= most:
                return layout
        self.refuse_precision(kind, path, ArrowKind.DECIMAL256)
        return None

    # ------------------------------------------------------------ types with parameters

    def bytes(self, kind: types.Binary, layout: ArrowKind, path: str, depth: int) -> ArrowType | None:
        del depth
        if kind.fixed_length is None:
            return PLAIN[layout]
        if not self.has_valid_length(kind.fixed_length, path):
            return None
        return ArrowType(ArrowKind.FIXED_SIZE_BINARY, length=kind.fixed_length)

    def list(self, kind: types.List, layout: ArrowKind, path: str, depth: int) -> ArrowType | None:
        item = self.nullable_field("item", kind.item, f"{path}.itemType", depth + 1)
        if kind.fixed_length is not None:
            layout = ArrowKind.FIXED_SIZE_LIST
            if not self.has_valid_length(kind.fixed_length, path):
                return None
        if item is None:
            return None
        return ArrowType(layout, length=kind.fixed_length, children=(item,))

    def has_valid_length(self, length: int, path: str) -> bool:
        is_valid = length <= _LONGEST
        if not is_valid:
            fix = f"Use a length of at most {_LONGEST}."
            self.faults.add("odf.fixed-length", f"{path}.fixedLength", f"Arrow counts to {_LONGEST}, and the length is {length}.", fix)
        return is_valid

    def map(self, kind: types.Map, layout: ArrowKind, path: str, depth: int) -> ArrowType | None:
        del layout
        key = self.nullable_field("keys", kind.key, f"{path}.keyType", depth + 1)
        value = self.nullable_field("values", kind.value, f"{path}.valueType", depth + 1)
        if key is None or value is None:
            return None
        return map_of(key, value, kind.keys_sorted or False)

    def struct(self, kind: types.Struct, layout: ArrowKind, path: str, depth: int) -> ArrowType | None:
        del layout
        written = [self.field(field, f"{path}.fields[{place}]", depth + 1) for place, field in enumerate(kind.fields)]
        fields = tuple(field for field in written if field is not None)
        if len(fields) < len(written):
            return None
        return struct_of(fields)

    def decimal(self, kind: types.Decimal, layout: ArrowKind, path: str, depth: int) -> ArrowType | None:
        del depth
        if kind.precision not in self.precisions(layout):
            self.refuse_precision(kind, path, layout)
            return None
        if kind.scale not in _SCALES:
            fix = f"Use a scale from {_SCALES.start} to {_SCALES.stop - 1}."
            self.faults.add("odf.decimal-scale", f"{path}.scale", f"Arrow has no scale {kind.scale}.", fix)
            return None
        return ArrowType(layout, precision=kind.precision, scale=kind.scale)

    def precisions(self, layout: ArrowKind) -> range:
        """Return the numbers of digits that a decimal may have."""
        if self.settings.reference_compatible:
            return _REFERENCE_PRECISIONS
        return range(1, DECIMALS[layout][0] + 1)

    def refuse_precision(self, kind: types.Decimal, path: str, layout: ArrowKind) -> None:
        fix = f"Use a precision from 1 to {DECIMALS[layout][0]}."
        self.faults.add("odf.decimal-precision", f"{path}.precision", f"Arrow's {layout} cannot have {kind.precision} digits.", fix)


def _has_fixed_length(kind: DataType) -> bool:
    return isinstance(kind, (types.Binary, types.List)) and kind.fixed_length is not None


_REFERENCE_DIGITS: Final = {ArrowKind.DECIMAL128: 39, ArrowKind.DECIMAL256: 77}
_DIGITS: Final = {kind: DECIMALS[kind][0] for kind in _REFERENCE_DIGITS}
_ONLY: Final = {
    **SAME,
    Kind.DURATION: ArrowKind.DURATION,
    Kind.TIMESTAMP: ArrowKind.TIMESTAMP,
    Kind.MAP: ArrowKind.MAP,
    Kind.STRUCT: ArrowKind.STRUCT,
}


def _temporal(
    writer: _ArrowWriter, kind: types.Duration | types.Time | types.Timestamp, layout: ArrowKind, path: str, depth: int
) -> ArrowType:
    del writer, path, depth
    timezone = kind.effective_timezone if isinstance(kind, types.Timestamp) else None
    return ArrowType(layout, unit=UNITS[kind.effective_unit], timezone=timezone)


_MAKERS: Final[dict[Kind, Callable[[_ArrowWriter, Any, ArrowKind, str, int], ArrowType | None]]] = {
    Kind.BINARY: _ArrowWriter.bytes,
    Kind.DECIMAL: _ArrowWriter.decimal,
    Kind.LIST: _ArrowWriter.list,
    Kind.MAP: _ArrowWriter.map,
    Kind.STRUCT: _ArrowWriter.struct,
    **dict.fromkeys((Kind.DURATION, Kind.TIME, Kind.TIMESTAMP), _temporal),
}
