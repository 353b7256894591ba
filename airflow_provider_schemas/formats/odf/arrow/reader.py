"""A schema of Arrow as an ODF schema: kinds, and on each field the attribute with its encoding in Arrow.

What ODF has no place for (metadata, names inside lists and maps, the encoding of an item) is reported as losses.
"""

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from airflow_provider_schemas.core.types.nested import MAX_DEPTH
from airflow_provider_schemas.errors import FormatError
from airflow_provider_schemas.formats.arrow.model import LISTS, ArrowField, ArrowKind, ArrowSchema, ArrowType, joined
from airflow_provider_schemas.formats.base import Faults, Loss
from airflow_provider_schemas.formats.odf.arrow.kinds import ENCODED, RUN_ENDS, SAME_OF, UNIT_OF, UNWRITTEN, encoding_text
from airflow_provider_schemas.formats.odf.model import types
from airflow_provider_schemas.formats.odf.model.encodings import BufferEncoding, BufferKind, Encoding, with_encoding
from airflow_provider_schemas.formats.odf.model.kinds import Kind
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import PLAIN, DataField, DataType, Option
from airflow_provider_schemas.formats.odf.serialization.loaded import LoadedOdf

Naive: TypeAlias = Literal["utc", "keep"]
"""How to read a timestamp without a timezone: as one in UTC, as the reference does, or as one with an empty timezone."""

_FIX: Final = "Cast the column to a type that ODF has, or leave it out."
_INSTEAD: Final = {
    ArrowKind.INTERVAL: "Store a Duration, a number of months, or two timestamps.",
    ArrowKind.DICTIONARY: "Cast the column to the type of its values.",
    ArrowKind.UNION: "Store a struct with a member for each of its types.",
}


class _EncodedType(Struct, frozen=True):
    """A type, and the encoding of its values in Arrow."""

    type: DataType
    encoding: Encoding | None = None


def data_schema(schema: ArrowSchema, *, naive: Naive = "utc", reference_compatible: bool = False) -> LoadedOdf:
    """Return the ODF schema, or raise a FormatError that names every type which ODF does not have."""
    if naive not in ("utc", "keep"):
        raise FormatError(f"naive is {naive!r}.", code="format.parameters", path="naive", fix="Pass 'utc' or 'keep'.")
    reader = _ArrowReader(naive == "keep", reference_compatible)
    if schema.metadata:
        reader.lost("", "metadata", "ODF has no place for the metadata of Arrow's schema.")
    fields = [reader.field(field, field.name, 0) for field in schema.fields]
    reader.faults.settle()
    return LoadedOdf(DataSchema(tuple(field for field in fields if field is not None)), tuple(reader.losses))


class _ArrowReader:
    """Reads Arrow's types, and collects faults and losses. A method that returns None has added a fault."""

    def __init__(self, keep_naive: bool, reference_compatible: bool) -> None:
        self.keep_naive = keep_naive
        self.reference_compatible = reference_compatible
        self.faults = Faults()
        self.losses: list[Loss] = []

    def lost(self, path: str, what: str, message: str) -> None:
        self.losses.append(Loss(path[:200], what, message))

    # ------------------------------------------------------------ fields, items, keys and values

    def field(self, field: ArrowField, path: str, depth: int) -> DataField | None:
        encoded = self.nullable_type(field, path, depth)
        if encoded is None:
            return None
        if encoded.encoding is None:
            return DataField(field.name, encoded.type)
        return DataField(field.name, encoded.type, with_encoding(None, encoded.encoding))

    def nullable_type(self, field: ArrowField, path: str, depth: int) -> _EncodedType | None:
        """Read the type of a field, item, key or value, in an Option if it is nullable."""
        if field.metadata:
            self.lost(path, "metadata", "ODF has no place for the metadata of Arrow's fields.")
        encoded = self.type(field.type, path, depth)
        if encoded is None or not field.nullable:
            return encoded
        if isinstance(encoded.type, Option) and not self.reference_compatible:
            return encoded
        return _EncodedType(Option(encoded.type), encoded.encoding)

    def inside(self, field: ArrowField, usual: str, path: str, depth: int) -> DataType | None:
        """Read the type of an item, a key or a value, which can have no attribute."""
        path = joined(path, field.name)
        encoded = self.nullable_type(field, path, depth + 1)
        if encoded is None:
            return None
        if field.name != usual:
            self.lost(path, "name", f"ODF has no place for the name; it is written as {usual!r}.")
        if encoded.encoding is not None and encoded.encoding not in UNWRITTEN:
            self.lost(path, "layout", f"ODF has no place for {encoding_text(encoded.encoding)} inside a list or map.")
        return encoded.type

    def type(self, kind: ArrowType, path: str, depth: int) -> _EncodedType | None:
        if depth > MAX_DEPTH:
            self.faults.add("type.too-deep", path, f"types are nested deeper than {MAX_DEPTH} levels.", "Flatten the schema.")
            return None
        if kind.kind in SAME_OF:
            return _EncodedType(PLAIN[SAME_OF[kind.kind]])
        read = _READERS.get(kind.kind)
        if read is None:
            self.faults.add("odf.unsupported-type", path, f"ODF has no {kind.kind}.", _INSTEAD.get(kind.kind, _FIX))
            return None
        return read(self, kind, path, depth)

    # ------------------------------------------------------------ types

    def encoded(self, kind: ArrowType, path: str, depth: int) -> _EncodedType | None:
        del path, depth
        odf_kind, encoding = ENCODED[kind.kind]
        if odf_kind is Kind.DECIMAL:
            return _EncodedType(types.Decimal(kind.precision or 0, kind.scale or 0), encoding)
        if odf_kind is Kind.BINARY:
            return _EncodedType(types.Binary(), encoding)
        return _EncodedType(PLAIN[odf_kind], encoding)

    def time(self, kind: ArrowType, path: str, depth: int) -> _EncodedType | None:
        del path, depth
        return _EncodedType(types.Time(UNIT_OF[kind.unit or ""]))

    def duration(self, kind: ArrowType, path: str, depth: int) -> _EncodedType | None:
        del path, depth
        return _EncodedType(types.Duration(UNIT_OF[kind.unit or ""]))

    def timestamp(self, kind: ArrowType, path: str, depth: int) -> _EncodedType | None:
        del depth
        timezone = kind.timezone
        if timezone is None and self.keep_naive:
            timezone = ""
        elif timezone is None:
            self.lost(path, "timezone", "a timestamp without a timezone becomes one in UTC; naive='keep' keeps it.")
        return _EncodedType(types.Timestamp(UNIT_OF[kind.unit or ""], timezone))

    def fixed_binary(self, kind: ArrowType, path: str, depth: int) -> _EncodedType | None:
        del depth
        if not self.has_valid_length(kind, path):
            return None
        return _EncodedType(types.Binary(kind.length))

    def has_valid_length(self, kind: ArrowType, path: str) -> bool:
        is_valid = (kind.length or 0) >= 0
        if not is_valid:
            self.faults.add("odf.fixed-length", path, f"the length is {kind.length}.", "Use a length that is not negative.")
        return is_valid

    def list(self, kind: ArrowType, path: str, depth: int) -> _EncodedType | None:
        item = self.inside(kind.children[0], "item", path, depth)
        if item is None or not self.has_valid_length(kind, path):
            return None
        _, encoding = ENCODED.get(kind.kind, (Kind.LIST, None))
        return _EncodedType(types.List(item, kind.length), encoding)

    def map(self, kind: ArrowType, path: str, depth: int) -> _EncodedType | None:
        key_field, value_field = kind.entry
        before = len(self.faults)
        if self.reference_compatible:
            self.refuse_encoded(key_field, joined(path, key_field.name), depth)
            self.refuse_encoded(value_field, joined(path, value_field.name), depth)
        key = self.inside(key_field, "keys", path, depth)
        value = self.inside(value_field, "values", path, depth)
        if key is None or value is None or len(self.faults) > before:
            return None
        return _EncodedType(types.Map(key, value, kind.keys_sorted))

    def refuse_encoded(self, field: ArrowField, path: str, depth: int) -> None:
        """Refuse a key or value with an encoding, as the reference does: it has no place for it."""
        encoded = _ArrowReader(self.keep_naive, self.reference_compatible).type(field.type, path, depth + 1)
        if encoded is not None and encoded.encoding is not None:
            message = f"the reference does not take {encoding_text(encoded.encoding)} inside a map."
            self.faults.add("odf.encoding", path, message, "Leave reference_compatible out.")

    def struct(self, kind: ArrowType, path: str, depth: int) -> _EncodedType | None:
        read = [self.field(field, joined(path, field.name), depth + 1) for field in kind.children]
        fields = tuple(field for field in read if field is not None)
        if len(fields) < len(read):
            return None
        return _EncodedType(types.Struct(fields))

    def runs(self, kind: ArrowType, path: str, depth: int) -> _EncodedType | None:
        ends, values = kind.children
        bits = RUN_ENDS.get(ends.type.kind)
        encoded = self.nullable_type(values, path, depth + 1)
        if bits is None:
            self.faults.add("odf.unsupported-type", path, f"ODF has no run ends of {ends.type.kind}.", "Use run ends of int32 or int64.")
        if encoded is not None and encoded.encoding is not None:
            message = f"a field keeps one encoding, and {encoding_text(encoded.encoding)} stands in runs."
            self.faults.add("odf.encoding", path, message, "Cast the column to the type of its values.")
            return None
        if encoded is None or bits is None:
            return None
        return _EncodedType(encoded.type, BufferEncoding(BufferKind.RUN_END, bits))


_READERS: Final[dict[ArrowKind, Callable[[_ArrowReader, ArrowType, str, int], _EncodedType | None]]] = {
    **dict.fromkeys(ENCODED, _ArrowReader.encoded),
    **dict.fromkeys(LISTS, _ArrowReader.list),
    ArrowKind.TIME32: _ArrowReader.time,
    ArrowKind.TIME64: _ArrowReader.time,
    ArrowKind.DURATION: _ArrowReader.duration,
    ArrowKind.TIMESTAMP: _ArrowReader.timestamp,
    ArrowKind.FIXED_SIZE_BINARY: _ArrowReader.fixed_binary,
    ArrowKind.MAP: _ArrowReader.map,
    ArrowKind.STRUCT: _ArrowReader.struct,
    ArrowKind.RUN_END_ENCODED: _ArrowReader.runs,
}
