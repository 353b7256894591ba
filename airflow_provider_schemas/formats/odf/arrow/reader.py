"""A schema of Arrow as an ODF schema: kinds, and on each field the attribute that says how Arrow held it.

What ODF has no place for (metadata, names inside lists and maps, how an item was held) is told as losses.
"""

from collections.abc import Callable
from typing import Any, Final, Literal

from msgspec import Struct

from airflow_provider_schemas.core.types.nested import MAX_DEPTH
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.arrow.model import LISTS, ArrowField, ArrowKind, ArrowSchema, ArrowType, joined
from airflow_provider_schemas.formats.base import Faults, Loss
from airflow_provider_schemas.formats.odf.arrow.kinds import BY_ITSELF, ENCODED, RUN_ENDS, SAME_OF, UNIT_OF, encoding_text
from airflow_provider_schemas.formats.odf.model import types
from airflow_provider_schemas.formats.odf.model.encodings import BufferEncoding, BufferKind, Encoding, with_encoding
from airflow_provider_schemas.formats.odf.model.kinds import Kind
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import PLAIN, DataField, DataType, Option
from airflow_provider_schemas.formats.odf.serialization.loaded import Loaded

Naive = Literal["utc", "keep"]
"""What becomes of a timestamp without a timezone: one in UTC, as the reference has it, or one with an empty timezone."""

_FIX: Final = "Cast the column to a type that ODF has, or leave it out."
_INSTEAD: Final = {
    ArrowKind.INTERVAL: "Store a Duration, a number of months, or two timestamps.",
    ArrowKind.DICTIONARY: "Cast the column to the type of its values.",
    ArrowKind.UNION: "Store a struct with a member for each of its types.",
}


class _Slot(Struct, frozen=True):
    """A type, and how Arrow held its values."""

    type: DataType
    encoding: Encoding | None = None


def data_schema(schema: ArrowSchema, *, naive: Naive = "utc", reference_compatible: bool = False) -> Loaded:
    """The ODF schema, or a FormatError that names every type which ODF does not have."""
    if naive not in ("utc", "keep"):
        raise FormatError(f"naive is {naive!r}.", code="format.parameters", path="naive", fix="Pass 'utc' or 'keep'.")
    reader = _Reader(naive == "keep", reference_compatible)
    if schema.metadata:
        reader.lost("", "metadata", "ODF has no place for the metadata of Arrow's schema.")
    fields = [reader.field(one, one.name, 0) for one in schema.fields]
    reader.faults.settle()
    return Loaded(DataSchema(tuple(one for one in fields if one is not None)), tuple(reader.losses))


class _Reader:
    """Reads Arrow's types, and collects what ODF does not have or does not keep."""

    def __init__(self, keep_naive: bool, compatible: bool) -> None:
        self.keep_naive = keep_naive
        self.compatible = compatible
        self.faults = Faults()
        self.losses: list[Loss] = []

    def lost(self, path: str, what: str, message: str) -> None:
        self.losses.append(Loss(path[:200], what, message))

    # ------------------------------------------------------------ fields and what stands inside

    def field(self, field: ArrowField, path: str, depth: int) -> DataField | None:
        slot = self.slot(field, path, depth)
        if slot is None:
            return None
        return DataField(field.name, slot.type, None if slot.encoding is None else with_encoding(None, slot.encoding))

    def slot(self, field: ArrowField, path: str, depth: int) -> _Slot | None:
        if field.metadata:
            self.lost(path, "metadata", "ODF has no place for the metadata of Arrow's fields.")
        slot = self.type(field.type, path, depth)
        if slot is None or not field.nullable or (isinstance(slot.type, Option) and not self.compatible):
            return slot
        return _Slot(Option(slot.type), slot.encoding)

    def inside(self, field: ArrowField, usual: str, path: str, depth: int) -> DataType | None:
        """The type of an item, a key or a value, where no attribute can stand."""
        path = joined(path, field.name)
        slot = self.slot(field, path, depth + 1)
        if slot is None:
            return None
        if field.name != usual:
            self.lost(path, "name", f"ODF has no place for the name; it is written as {usual!r}.")
        if slot.encoding not in BY_ITSELF and slot.encoding is not None:
            self.lost(path, "layout", f"ODF has no place for {encoding_text(slot.encoding)} inside a list or map.")
        return slot.type

    def type(self, kind: ArrowType, path: str, depth: int) -> _Slot | None:
        if depth > MAX_DEPTH:
            self.faults.add("type.too-deep", path, f"types are nested deeper than {MAX_DEPTH} levels.", "Flatten the schema.")
            return None
        if kind.kind in SAME_OF:
            return _Slot(PLAIN[SAME_OF[kind.kind]])
        read = _READERS.get(kind.kind)
        if read is None:
            self.faults.add("odf.unsupported-type", path, f"ODF has no {kind.kind}.", _INSTEAD.get(kind.kind, _FIX))
            return None
        return read(self, kind, path, depth)

    # ------------------------------------------------------------ types

    def encoded(self, kind: ArrowType, path: str, depth: int) -> _Slot | None:
        del path, depth
        of_kind, encoding = ENCODED[kind.kind]
        values = {"precision": kind.precision, "scale": kind.scale} if of_kind is Kind.DECIMAL else {}
        make: Any = types.PARAMETRIC.get(of_kind)
        return _Slot(PLAIN[of_kind] if make is None else make(**values), encoding)

    def timed(self, kind: ArrowType, path: str, depth: int) -> _Slot | None:
        del path, depth
        make: Any = types.Duration if kind.kind is ArrowKind.DURATION else types.Time
        return _Slot(make(UNIT_OF[kind.unit or ""]))

    def moment(self, kind: ArrowType, path: str, depth: int) -> _Slot | None:
        del depth
        timezone = kind.timezone
        if timezone is None and self.keep_naive:
            timezone = ""
        elif timezone is None:
            self.lost(path, "timezone", "a timestamp without a timezone becomes one in UTC; naive='keep' keeps it.")
        return _Slot(types.Timestamp(UNIT_OF[kind.unit or ""], timezone))

    def bytes(self, kind: ArrowType, path: str, depth: int) -> _Slot | None:
        del depth
        return _Slot(types.Binary(kind.length)) if self.counts(kind, path) else None

    def counts(self, kind: ArrowType, path: str) -> bool:
        if (kind.length or 0) < 0:
            self.faults.add("odf.fixed-length", path, f"the length is {kind.length}.", "Use a length that is not negative.")
        return (kind.length or 0) >= 0

    def list(self, kind: ArrowType, path: str, depth: int) -> _Slot | None:
        item = self.inside(kind.children[0], "item", path, depth)
        if item is None or not self.counts(kind, path):
            return None
        _, encoding = ENCODED.get(kind.kind, (Kind.LIST, None))
        return _Slot(types.List(item, kind.length), encoding)

    def map(self, kind: ArrowType, path: str, depth: int) -> _Slot | None:
        key, value = kind.entry
        before = len(self.faults)
        if self.compatible:
            self.refuse_encoded(key, joined(path, key.name), depth)
            self.refuse_encoded(value, joined(path, value.name), depth)
        parts = (self.inside(key, "keys", path, depth), self.inside(value, "values", path, depth))
        if parts[0] is None or parts[1] is None or len(self.faults) > before:
            return None
        return _Slot(types.Map(parts[0], parts[1], kind.keys_sorted))

    def refuse_encoded(self, field: ArrowField, path: str, depth: int) -> None:
        """The reference has no place for how a key or value was held, and refuses all that may be held in several ways."""
        slot = _Reader(self.keep_naive, self.compatible).type(field.type, path, depth + 1)
        if slot is not None and slot.encoding is not None:
            message = f"the reference does not take {encoding_text(slot.encoding)} inside a map."
            self.faults.add("odf.encoding", path, message, "Leave reference_compatible out.")

    def struct(self, kind: ArrowType, path: str, depth: int) -> _Slot | None:
        found = [self.field(one, joined(path, one.name), depth + 1) for one in kind.children]
        whole = tuple(one for one in found if one is not None)
        return _Slot(types.Struct(whole)) if len(whole) == len(found) else None

    def runs(self, kind: ArrowType, path: str, depth: int) -> _Slot | None:
        ends, values = kind.children
        bits, slot = RUN_ENDS.get(ends.type.kind), self.slot(values, path, depth + 1)
        if bits is None:
            self.faults.add("odf.unsupported-type", path, f"ODF has no run ends of {ends.type.kind}.", "Use run ends of int32 or int64.")
        if slot is not None and slot.encoding is not None:
            message = f"a field keeps one encoding, and {encoding_text(slot.encoding)} stands in runs."
            self.faults.add("odf.encoding", path, message, "Cast the column to the type of its values.")
        if slot is None or bits is None or slot.encoding is not None:
            return None
        return _Slot(slot.type, BufferEncoding(BufferKind.RUN_END, bits))


_READERS: Final[dict[ArrowKind, Callable[[_Reader, ArrowType, str, int], _Slot | None]]] = {
    **dict.fromkeys(ENCODED, _Reader.encoded),
    **dict.fromkeys(LISTS, _Reader.list),
    **dict.fromkeys((ArrowKind.TIME32, ArrowKind.TIME64, ArrowKind.DURATION), _Reader.timed),
    ArrowKind.TIMESTAMP: _Reader.moment,
    ArrowKind.FIXED_SIZE_BINARY: _Reader.bytes,
    ArrowKind.MAP: _Reader.map,
    ArrowKind.STRUCT: _Reader.struct,
    ArrowKind.RUN_END_ENCODED: _Reader.runs,
}
