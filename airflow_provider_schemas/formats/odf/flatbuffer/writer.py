"""Blocks as flatbuffers, byte for byte as the reference writes them: the order in which tables are made is part of a hash.

What lies elsewhere is made first, depth first and in the order of the slots; then the table, with its slots in
ascending order. The flatbuffers library does the rest; it is needed for nothing but this.
"""

from typing import Any, Final

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
    Layout,
)
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.block_time import BlockTime
from airflow_provider_schemas.formats.odf.model.kinds import PARAMETERS, TAGS, UNITS, Form
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import DataField, DataType

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


def _builder() -> Any:
    try:
        from flatbuffers import Builder
    except ImportError:
        raise missing("blocks cannot be written", "flatbuffers", "odf") from None
    return Builder(1024)


class BlockWriter:
    """One buffer that is being written."""

    def __init__(self) -> None:
        self.builder = _builder()
        self.prepend = {MOMENT: self.time, **{code: getattr(self.builder, name) for code, name in _PREPEND.items()}}

    def manifest(self, block: bytes) -> bytes:
        """The whole file around the bytes of a block."""
        content = self.builder.CreateByteVector(block)
        return self.finished(self.table(MANIFEST, MANIFEST_KIND, WRITTEN_VERSION, content))

    def previous(self, digest: bytes | None) -> int | None:
        """The hash of the block before, which lies behind all else."""
        return None if digest is None else self.builder.CreateByteVector(digest)

    def block(self, time: BlockTime, previous: int | None, number: int, tag: int, event: int) -> bytes:
        """The bytes of a block whose event was written before."""
        return self.finished(self.table(METADATA_BLOCK, time, previous, number, tag, event))

    def empty(self) -> int:
        """An event with nothing set."""
        return self.table(EMPTY)

    def set_data_schema(self, raw: bytes | None, schema: DataSchema | None) -> int:
        """The event that sets a schema."""
        vector = None if raw is None else self.builder.CreateByteVector(raw)
        return self.table(SET_DATA_SCHEMA, vector, None if schema is None else self.schema(schema))

    def schema(self, schema: DataSchema) -> int:
        """A schema."""
        fields = self.fields(schema.fields)
        return self.table(DATA_SCHEMA, fields, self.attributes(schema.extra))

    # ------------------------------------------------------------ fields and types

    def fields(self, fields: tuple[DataField, ...]) -> int:
        found = [self.field(one) for one in fields]
        self.builder.StartVector(4, len(found), 4)
        for one in reversed(found):
            self.builder.PrependUOffsetTRelative(one)
        return int(self.builder.EndVector())

    def field(self, field: DataField) -> int:
        name = self.builder.CreateString(field.name)
        kind = self.type(field.type)
        return self.table(DATA_FIELD, name, TAGS[field.type.kind], kind, self.attributes(field.extra))

    def attributes(self, extra: Attributes | None) -> int | None:
        return None if extra is None else self.table(EXTRA_ATTRIBUTES, self.builder.CreateString(extra.text))

    def type(self, kind: DataType) -> int:
        values: list[Any] = []
        for one in PARAMETERS.get(kind.kind, ()):
            value = getattr(kind, one.name)
            if one.form is Form.TYPE:
                values.append(TAGS[value.kind])
            values.append(None if value is None else self.parameter(one.form, value))
        return self.table(TYPES.get(kind.kind, EMPTY), *values)

    def parameter(self, form: Form, value: Any) -> int:
        if form is Form.TYPE:
            return self.type(value)
        if form is Form.FIELDS:
            return self.fields(value)
        if form is Form.TEXT:
            return int(self.builder.CreateString(value))
        return UNITS[value] if form is Form.UNIT else int(value)

    # ------------------------------------------------------------ tables

    def table(self, layout: Layout, *values: Any) -> int:
        """A table with these values in its slots."""
        builder = self.builder
        builder.StartObject(len(values))
        for number, value in enumerate(values):
            if value or (value is not None and layout.slots[number].optional):
                self.prepend[layout.slots[number].code](number, value, None)
        return int(builder.EndObject())

    def time(self, number: int, time: BlockTime, _default: None = None) -> None:
        """A point in time, which lies in its table, with its first part in front."""
        builder = self.builder
        builder.Prep(TIMESTAMP_ALIGNMENT, TIMESTAMP.size)
        builder.head -= TIMESTAMP.size
        TIMESTAMP.pack_into(builder.Bytes, builder.head, *time)
        builder.PrependStructSlot(number, builder.Offset(), 0)

    def finished(self, root: int) -> bytes:
        self.builder.Finish(root)
        return bytes(self.builder.Output())
