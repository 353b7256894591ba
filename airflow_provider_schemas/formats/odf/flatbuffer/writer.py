"""Blocks as flatbuffers, byte for byte as the reference writes them: the order in which tables are written changes the hash.

What a table points to is written first, depth first and in the order of the slots; then the table, with its slots in
ascending order. The flatbuffers library does the rest; only this module needs it.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from airflow_provider_schemas.formats.base import missing
from airflow_provider_schemas.formats.odf.flatbuffer.layout import (
    DATA_FIELD,
    DATA_SCHEMA,
    EMPTY,
    EXTRA_ATTRIBUTES,
    MANIFEST,
    MANIFEST_KIND,
    METADATA_BLOCK,
    MOMENT,
    OFFSET,
    SET_DATA_SCHEMA,
    TIMESTAMP,
    TIMESTAMP_ALIGNMENT,
    TYPES,
    WRITTEN_VERSION,
    TableLayout,
)
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.block_time import BlockTime
from airflow_provider_schemas.formats.odf.model.kinds import PARAMETERS, TAGS, UNITS, ParameterForm
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import DataField, DataType

if TYPE_CHECKING:
    from flatbuffers import Builder

SlotValue: TypeAlias = int | BlockTime | None
"""A number, the offset of something that was written before, a time, or nothing."""

# The methods of the library's Builder that put a value into a slot.
_PREPEND: Final = {
    OFFSET: "PrependUOffsetTRelativeSlot",
    "B": "PrependUint8Slot",
    "h": "PrependInt16Slot",
    "i": "PrependInt32Slot",
    "I": "PrependUint32Slot",
    "q": "PrependInt64Slot",
    "Q": "PrependUint64Slot",
}


def _builder() -> "Builder":
    try:
        from flatbuffers import Builder
    except ImportError:
        raise missing("blocks cannot be written", "flatbuffers", "odf") from None
    return Builder(1024)


class BlockWriter:
    """Writes one buffer. A method that writes something into it returns its offset."""

    def __init__(self) -> None:
        self.builder = _builder()
        self.prepend: dict[str, Callable[[int, Any, None], None]] = {code: getattr(self.builder, name) for code, name in _PREPEND.items()}
        self.prepend[MOMENT] = self.time

    def manifest(self, block: bytes) -> bytes:
        """Return the whole file around the bytes of a block."""
        return self.finished(self.table(MANIFEST, MANIFEST_KIND, WRITTEN_VERSION, self.vector(block)))

    def vector(self, data: bytes | None) -> int | None:
        """Write bytes, if there are any to write."""
        if data is None:
            return None
        return int(self.builder.CreateByteVector(data))

    def block(self, time: BlockTime, previous: int | None, number: int, tag: int, event: int) -> bytes:
        """Return the bytes of a block whose event was written before."""
        return self.finished(self.table(METADATA_BLOCK, time, previous, number, tag, event))

    def empty(self) -> int:
        """Write an event or type with nothing set."""
        return self.table(EMPTY)

    def set_data_schema(self, raw: bytes | None, schema: DataSchema | None) -> int:
        """Write the event that sets a schema."""
        vector = self.vector(raw)
        if schema is None:
            return self.table(SET_DATA_SCHEMA, vector, None)
        return self.table(SET_DATA_SCHEMA, vector, self.schema(schema))

    def schema(self, schema: DataSchema) -> int:
        fields = self.fields(schema.fields)
        return self.table(DATA_SCHEMA, fields, self.attributes(schema.extra))

    # ------------------------------------------------------------ fields and types

    def fields(self, fields: tuple[DataField, ...]) -> int:
        offsets = [self.field(field) for field in fields]
        self.builder.StartVector(4, len(offsets), 4)
        for offset in reversed(offsets):
            self.builder.PrependUOffsetTRelative(offset)
        return int(self.builder.EndVector())

    def field(self, field: DataField) -> int:
        name = self.builder.CreateString(field.name)
        kind = self.type(field.type)
        return self.table(DATA_FIELD, name, TAGS[field.type.kind], kind, self.attributes(field.extra))

    def attributes(self, extra: Attributes | None) -> int | None:
        if extra is None:
            return None
        return self.table(EXTRA_ATTRIBUTES, self.builder.CreateString(extra.text))

    def type(self, kind: DataType) -> int:
        values: list[int | None] = []
        for parameter in PARAMETERS.get(kind.kind, ()):
            value = getattr(kind, parameter.name)
            if parameter.form is ParameterForm.TYPE:
                values.append(TAGS[value.kind])
            values.append(None if value is None else self.parameter(parameter.form, value))
        return self.table(TYPES.get(kind.kind, EMPTY), *values)

    def parameter(self, form: ParameterForm, value: Any) -> int:
        if form is ParameterForm.TYPE:
            return self.type(value)
        if form is ParameterForm.FIELDS:
            return self.fields(value)
        if form is ParameterForm.TEXT:
            return int(self.builder.CreateString(value))
        if form is ParameterForm.UNIT:
            return UNITS[value]
        return int(value)

    # ------------------------------------------------------------ tables

    def table(self, layout: TableLayout, *values: SlotValue) -> int:
        """Write a table with these values in its slots."""
        builder = self.builder
        builder.StartObject(len(values))
        for number, value in enumerate(values):
            if value or (value is not None and layout.slots[number].optional):
                self.prepend[layout.slots[number].code](number, value, None)
        return int(builder.EndObject())

    def time(self, number: int, time: BlockTime, _default: None = None) -> None:
        """Write a point in time, which is inside its table, with its first part in front."""
        builder = self.builder
        builder.Prep(TIMESTAMP_ALIGNMENT, TIMESTAMP.size)
        builder.head -= TIMESTAMP.size
        TIMESTAMP.pack_into(builder.Bytes, builder.head, *time)
        builder.PrependStructSlot(number, builder.Offset(), 0)

    def finished(self, root: int) -> bytes:
        self.builder.Finish(root)
        return bytes(self.builder.Output())
