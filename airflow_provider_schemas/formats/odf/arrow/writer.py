"""An ODF schema as a schema of Arrow: every kind, as the encoding attribute of its field chooses, or a setting for all.

The attribute of a field stands for the type inside one Option. What stands inside lists and maps has none,
so the settings decide.
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
from airflow_provider_schemas.formats.odf.arrow.kinds import SAME, TIMES, UNASKED, UNITS, chosen, encoding_text
from airflow_provider_schemas.formats.odf.model import types
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.encodings import ENCODINGS, BufferEncoding, DateEncoding, Encoding, encoding_of
from airflow_provider_schemas.formats.odf.model.kinds import Kind
from airflow_provider_schemas.formats.odf.model.schema import DataSchema, checked_schema
from airflow_provider_schemas.formats.odf.model.types import DataField, DataType, Option

_LARGEST: Final = 2**31 - 1
_SCALES: Final = range(-128, 128)


class ArrowSettings(Struct, frozen=True):
    """How to hold what no attribute speaks of; None is Arrow's plainest way."""

    binary: BufferEncoding | None = None
    string: BufferEncoding | None = None
    list: BufferEncoding | None = None
    date: DateEncoding | None = None
    reference_compatible: bool = False
    """Answer as the reference does: defaults also reach what has a fixed length, which fails, and digits are hardly counted."""

    def default(self, kind: Kind) -> Encoding | None:
        """What a kind gets that no attribute speaks of."""
        name = _SETTINGS.get(kind)
        found: Encoding | None = None if name is None else getattr(self, name)
        return found


_SETTINGS: Final = {Kind.BINARY: "binary", Kind.STRING: "string", Kind.LIST: "list", Kind.DATE: "date"}
PLAINEST: Final = ArrowSettings()


def arrow_schema(schema: DataSchema, settings: ArrowSettings = PLAINEST) -> ArrowSchema:
    """The schema as Arrow has it, or a FormatError that names every type which has no counterpart."""
    writer = _Writer(_checked_settings(settings))
    fields = [writer.field(one, f"fields[{place}]", 0) for place, one in enumerate(checked_schema(schema).fields)]
    writer.faults.settle()
    return ArrowSchema(tuple(one for one in fields if one is not None))


def _checked_settings(value: object) -> ArrowSettings:
    if not isinstance(value, ArrowSettings):
        raise FormatError(f"{shown(value)} is no ArrowSettings.", code="format.wrong-type", path="settings", fix="Pass an ArrowSettings.")
    wanted = {name: DateEncoding if name == "date" else BufferEncoding for name in _SETTINGS.values()}
    given = [(name, getattr(value, name), of) for name, of in wanted.items()]
    wrong = [(f"settings.{name}", one, f"Pass a {of.__name__}.") for name, one, of in given if not isinstance(one, of | None)]
    if wrong:
        raise FormatError.of(Fault("format.wrong-type", path, f"{shown(one)} is no encoding.", fix) for path, one, fix in wrong)
    return value


class _Writer:
    """Turns types into Arrow's, and collects what has no counterpart."""

    def __init__(self, settings: ArrowSettings) -> None:
        self.settings = settings
        self.faults = Faults()

    def field(self, field: DataField, path: str, depth: int) -> ArrowField | None:
        before = len(self.faults)
        encoding = collect(self.faults, lambda: asked(field.extra), f"{path}.extra")
        if len(self.faults) > before:
            return None
        return self.slot(field.name, field.type, f"{path}.type", depth, encoding)

    def slot(self, name: str, kind: DataType, path: str, depth: int, encoding: Encoding | None = None) -> ArrowField | None:
        """What has a name and may be null: a field, an item, a key, a value."""
        nullable = isinstance(kind, Option)
        if isinstance(kind, Option):
            path, kind = f"{path}.inner", kind.inner
        arrow = self.type(kind, path, depth, encoding)
        return None if arrow is None else ArrowField(name, arrow, nullable)

    def type(self, kind: DataType, path: str, depth: int, encoding: Encoding | None) -> ArrowType | None:
        if depth > MAX_DEPTH:
            self.faults.add("type.too-deep", path, f"types are nested deeper than {MAX_DEPTH} levels.", "Flatten the schema.")
            return None
        if isinstance(kind, Option):
            message = "an Option stands directly in another, and Arrow has one NULL."
            self.faults.add("odf.nested-option", path, message, "Leave one of them out.")
            return None
        if encoding is None and self.reached_by_settings(kind):
            encoding = self.settings.default(kind.kind)
        layout = self.layout(kind, path, encoding)
        if layout is None:
            return None
        make = _MAKERS.get(kind.kind)
        return PLAIN[layout] if make is None else make(self, kind, layout, path, depth)

    def reached_by_settings(self, kind: DataType) -> bool:
        """Settings speak of what may be held in several ways, which a fixed length may not."""
        return self.settings.reference_compatible or getattr(kind, "fixed_length", None) is None

    def layout(self, kind: DataType, path: str, encoding: Encoding | None) -> ArrowKind | None:
        """The kind of Arrow that the encoding chooses, or the plainest; None with a fault, if the two do not go together."""
        if encoding is None:
            return self.plainest(kind, path)
        fixed = getattr(kind, "fixed_length", None) is not None
        found = None if fixed else chosen(kind.kind, encoding)
        if found is None:
            message = f"{kind.kind}{' of fixed length' if fixed else ''} cannot be held as {encoding_text(encoding)}."
            self.faults.add("odf.encoding", path, message, "Leave the encoding out, or use one that the type has.")
        return found

    def plainest(self, kind: DataType, path: str) -> ArrowKind | None:
        if isinstance(kind, types.Decimal):
            digits = _REFERENCE_DIGITS if self.settings.reference_compatible else _DIGITS
            found = next((arrow for arrow, most in digits.items() if kind.precision <= most), None)
            if found is None:
                self.too_many_digits(kind, path, ArrowKind.DECIMAL256)
            return found
        if isinstance(kind, types.Time):
            return TIMES[kind.effective_unit]
        unasked = UNASKED.get(kind.kind)
        return _ONLY[kind.kind] if unasked is None else chosen(kind.kind, unasked)

    # ------------------------------------------------------------ types with parameters

    def bytes(self, kind: types.Binary, layout: ArrowKind, path: str, depth: int) -> ArrowType | None:
        del depth
        if kind.fixed_length is None:
            return PLAIN[layout]
        return ArrowType(ArrowKind.FIXED_SIZE_BINARY, length=kind.fixed_length) if self.fits(kind.fixed_length, path) else None

    def list(self, kind: types.List, layout: ArrowKind, path: str, depth: int) -> ArrowType | None:
        item = self.slot("item", kind.item, f"{path}.itemType", depth + 1)
        fits = kind.fixed_length is None or self.fits(kind.fixed_length, path)
        if item is None or not fits:
            return None
        fixed = kind.fixed_length is not None
        return ArrowType(ArrowKind.FIXED_SIZE_LIST if fixed else layout, length=kind.fixed_length, children=(item,))

    def fits(self, length: int, path: str) -> bool:
        if length > _LARGEST:
            fix = f"Use a length of at most {_LARGEST}."
            self.faults.add("odf.fixed-length", f"{path}.fixedLength", f"Arrow counts to {_LARGEST}, and the length is {length}.", fix)
        return length <= _LARGEST

    def map(self, kind: types.Map, layout: ArrowKind, path: str, depth: int) -> ArrowType | None:
        del layout
        key = self.slot("keys", kind.key, f"{path}.keyType", depth + 1)
        value = self.slot("values", kind.value, f"{path}.valueType", depth + 1)
        return None if key is None or value is None else map_of(key, value, kind.keys_sorted or False)

    def struct(self, kind: types.Struct, layout: ArrowKind, path: str, depth: int) -> ArrowType | None:
        del layout
        found = [self.field(one, f"{path}.fields[{place}]", depth + 1) for place, one in enumerate(kind.fields)]
        whole = tuple(one for one in found if one is not None)
        return struct_of(whole) if len(whole) == len(found) else None

    def decimal(self, kind: types.Decimal, layout: ArrowKind, path: str, depth: int) -> ArrowType | None:
        del depth
        lowest, highest = (0, 255) if self.settings.reference_compatible else (1, DECIMALS[layout][0])
        if not lowest <= kind.precision <= highest:
            self.too_many_digits(kind, path, layout)
            return None
        if kind.scale not in _SCALES:
            fix = f"Use a scale from {_SCALES.start} to {_SCALES.stop - 1}."
            self.faults.add("odf.decimal-scale", f"{path}.scale", f"Arrow has no scale {kind.scale}.", fix)
            return None
        return ArrowType(layout, precision=kind.precision, scale=kind.scale)

    def too_many_digits(self, kind: types.Decimal, path: str, layout: ArrowKind) -> None:
        fix = f"Use a precision from 1 to {DECIMALS[layout][0]}."
        self.faults.add("odf.decimal-precision", f"{path}.precision", f"Arrow's {layout} cannot have {kind.precision} digits.", fix)


def asked(extra: Attributes | None) -> Encoding | None:
    """The encoding that the attributes ask for; one that is null asks for nothing."""
    if extra is None or "arrow.apache.org/" not in extra.text:
        return None
    return encoding_of(extra.without(*(key for key in ENCODINGS if extra.get(key) is None)))


_REFERENCE_DIGITS: Final = {ArrowKind.DECIMAL128: 39, ArrowKind.DECIMAL256: 77}
_DIGITS: Final = {kind: DECIMALS[kind][0] for kind in _REFERENCE_DIGITS}
_ONLY: Final = {
    **SAME,
    Kind.DURATION: ArrowKind.DURATION,
    Kind.TIMESTAMP: ArrowKind.TIMESTAMP,
    Kind.MAP: ArrowKind.MAP,
    Kind.STRUCT: ArrowKind.STRUCT,
}


def _timed(writer: _Writer, kind: Any, layout: ArrowKind, path: str, depth: int) -> ArrowType:
    del writer, path, depth
    timezone = kind.effective_timezone if isinstance(kind, types.Timestamp) else None
    return ArrowType(layout, unit=UNITS[kind.effective_unit], timezone=timezone)


_MAKERS: Final[dict[Kind, Callable[[_Writer, Any, ArrowKind, str, int], ArrowType | None]]] = {
    Kind.BINARY: _Writer.bytes,
    Kind.DECIMAL: _Writer.decimal,
    Kind.LIST: _Writer.list,
    Kind.MAP: _Writer.map,
    Kind.STRUCT: _Writer.struct,
    **dict.fromkeys((Kind.DURATION, Kind.TIME, Kind.TIMESTAMP), _timed),
}
