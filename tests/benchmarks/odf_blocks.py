"""What a block of many fields costs to write and to read, against plain code on the flatbuffers library over the same bytes.

    python -m tests.benchmarks.odf_blocks [--fields 10000] [--rounds 7]

The plain code is what a compiler makes of the definitions: a call of the Builder for each slot, a Table for each
table. It checks nothing, and leaves attributes as text; ours checks all it follows, and gives values.
"""

import argparse
import gc
import os
import sys
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

from flatbuffers import Builder  # noqa: TID253  # the library itself is what is measured
from flatbuffers import number_types as n  # noqa: TID253  # likewise
from flatbuffers.table import Table  # noqa: TID253  # likewise

from airflow_provider_schemas.formats.odf.chain.block import SetDataSchema
from airflow_provider_schemas.formats.odf.chain.block_reader import read_block
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.kinds import Kind
from airflow_provider_schemas.formats.odf.model.schema import DataSchema
from airflow_provider_schemas.formats.odf.model.types import PLAIN, DataField, DataType, Decimal, List, Option, Timestamp
from tests.support.odf_blocks import schema_block

# What each type is to the plain code: its tag, and the one inside it.
_STRING, _INT64 = 24, 12
_MIXED: tuple[tuple[DataType, int], ...] = (
    (PLAIN[Kind.INT64], _INT64),
    (Option(PLAIN[Kind.STRING]), 20),
    (Timestamp(), 23),
    (Decimal(10, 2), 4),
    (List(PLAIN[Kind.STRING]), 17),
)


def _schema(count: int) -> DataSchema:
    return DataSchema(
        tuple(
            DataField(f"column_{number}", _MIXED[number % 5][0], None if number % 4 else Attributes({"x.com/d": f"text {number}"}))
            for number in range(count)
        )
    )


# ---------------------------------------------------------------- plain writing


def _plain_write(fields: list[tuple[str, int, str | None]]) -> bytes:
    builder = Builder(1024)
    tables = [_plain_field(builder, *one) for one in fields]
    builder.StartVector(4, len(tables), 4)
    for one in reversed(tables):
        builder.PrependUOffsetTRelative(one)
    vector = builder.EndVector()
    schema = _one_offset(builder, 2, 0, vector)
    event = _one_offset(builder, 2, 1, schema)
    builder.StartObject(5)
    builder.Prep(4, 16)
    for value, put in ((0, "Uint32"), (43_200, "Uint32")):
        getattr(builder, f"Prepend{put}")(value)
    builder.Pad(2)
    builder.PrependUint16(1)
    builder.PrependInt32(2020)
    builder.PrependStructSlot(0, builder.Offset(), 0)
    builder.PrependUint8Slot(3, 10, 0)
    builder.PrependUOffsetTRelativeSlot(4, event, 0)
    builder.Finish(builder.EndObject())
    return _plain_manifest(bytes(builder.Output()))


def _plain_manifest(block: bytes) -> bytes:
    builder = Builder(1024)
    content = builder.CreateByteVector(block)
    builder.StartObject(3)
    builder.PrependInt64Slot(0, 0x400000, 0)
    builder.PrependInt32Slot(1, 3, 0)
    builder.PrependUOffsetTRelativeSlot(2, content, 0)
    builder.Finish(builder.EndObject())
    return bytes(builder.Output())


def _plain_field(builder: Any, name: str, tag: int, extra: str | None) -> int:
    text = builder.CreateString(name)
    kind = _plain_type(builder, tag)
    attributes = None if extra is None else _one_offset(builder, 1, 0, builder.CreateString(extra))
    builder.StartObject(4)
    builder.PrependUOffsetTRelativeSlot(0, text, 0)
    builder.PrependUint8Slot(1, tag, 0)
    builder.PrependUOffsetTRelativeSlot(2, kind, 0)
    if attributes is not None:
        builder.PrependUOffsetTRelativeSlot(3, attributes, 0)
    return int(builder.EndObject())


def _plain_type(builder: Any, tag: int) -> int:
    inner = _plain_type(builder, _STRING) if tag in (17, 20) else None
    builder.StartObject(3)
    if inner is not None:
        builder.PrependUint8Slot(0, _STRING, 0)
        builder.PrependUOffsetTRelativeSlot(1, inner, 0)
    if tag == 4:
        builder.PrependUint32Slot(0, 10, 0)
        builder.PrependInt32Slot(1, 2, 0)
    return int(builder.EndObject())


def _one_offset(builder: Any, slots: int, slot: int, value: int) -> int:
    builder.StartObject(slots)
    builder.PrependUOffsetTRelativeSlot(slot, value, 0)
    return int(builder.EndObject())


# ---------------------------------------------------------------- plain reading


def _plain_read(raw: bytes) -> list[Any]:
    manifest = Table(raw, n.UOffsetTFlags.py_type(int.from_bytes(raw[:4], "little")))
    place = manifest.Vector(manifest.Offset(8))
    size = manifest.VectorLen(manifest.Offset(8))
    content = raw[place : place + size]
    block = Table(content, int.from_bytes(content[:4], "little"))
    event = Table(bytearray(), 0)
    block.Union(event, block.Offset(12))
    schema = Table(content, event.Indirect(event.Offset(6) + event.Pos))
    fields = schema.Offset(4)
    start = schema.Vector(fields)
    return [_plain_read_field(content, schema.Indirect(start + 4 * number)) for number in range(schema.VectorLen(fields))]


def _plain_read_field(content: bytes, at: int) -> tuple[Any, ...]:
    table = Table(content, at)
    name = table.String(table.Offset(4) + table.Pos)
    tag, kind = _plain_union(table, 6)
    offset = table.Offset(10)
    extra = None
    if offset:
        attributes = Table(content, table.Indirect(offset + table.Pos))
        extra = attributes.String(attributes.Offset(4) + attributes.Pos)
    return name, _plain_read_type(tag, kind), extra


def _plain_union(table: Any, slot: int) -> tuple[int, Any]:
    tag = table.Get(n.Uint8Flags, table.Offset(slot) + table.Pos)
    found = Table(bytearray(), 0)
    table.Union(found, table.Offset(slot + 2))
    return tag, found


def _plain_read_type(tag: int, table: Any) -> Any:
    if tag in (17, 20):
        return tag, _plain_read_type(*_plain_union(table, 4))
    if tag == 4:
        numbers = ((n.Uint32Flags, table.Offset(4)), (n.Int32Flags, table.Offset(6)))
        return tag, *(table.Get(flags, offset + table.Pos) if offset else 0 for flags, offset in numbers)
    if tag == 23:
        unit, zone = table.Offset(4), table.Offset(6)
        return tag, table.Get(n.Int16Flags, unit + table.Pos) if unit else None, table.String(zone + table.Pos) if zone else None
    return tag


# ---------------------------------------------------------------- the contest


def main() -> None:
    """Write and read in turns, and print a line for each."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.odf_blocks", description="What a block of many fields costs.")
    parser.add_argument("--fields", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=7)
    asked = parser.parse_args()
    schema = _schema(asked.fields)
    plain = [(one.name, _MIXED[number % 5][1], None if one.extra is None else one.extra.text) for number, one in enumerate(schema.fields)]
    raw = schema_block(schema).raw
    assert _plain_write(plain) == raw
    assert [one[0].decode() for one in _plain_read(raw)] == list(schema.names)
    assert read_block(raw).event == SetDataSchema(schema)
    print(f"Python {sys.version.split()[0]}, {asked.fields:,} fields, {len(raw):,} bytes; load of the machine {os.getloadavg()[0]:.1f}\n")
    calls: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
        "write": (lambda: schema_block(schema), lambda: _plain_write(plain)),
        "read": (lambda: read_block(raw), lambda: _plain_read(raw)),
    }
    print(f"{'':8}{'ours min':>10}{'median':>10}{'plain min':>12}{'median':>10}{'ours / plain':>15}")
    for name, pair in calls.items():
        turns = [[_timed(one) for one in pair] for _ in range(asked.rounds)]
        ours, theirs = zip(*turns, strict=True)
        figures = f"{min(ours):10.1f}{median(ours):10.1f}{min(theirs):12.1f}{median(theirs):10.1f}"
        print(f"{name:8}{figures}{min(ours) / min(theirs):15.2f}")


def _timed(call: Callable[[], Any]) -> float:
    gc.collect()
    gc.disable()
    begin = process_time()
    call()
    took = process_time() - begin
    gc.enable()
    return took * 1000


if __name__ == "__main__":
    main()
