"""The values of a partition as the manifests of a Paimon table give them: for every type that a partition key may have.

They are carriers, see `core.casts.carriers`: days for a DATE, so that a year that no program has a date for is a value too.
"""

import struct
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from typing import Final, NamedTuple

from airflow_provider_schemas.core.casts.carriers import DECIMALS, Timestamp
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import AtomicType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.errors import ProjectionError
from airflow_provider_schemas.formats.avro.errors import broken
from airflow_provider_schemas.store.paimon.binary_row import behind, slot, written

# Up to here a decimal or a time stands in its eight bytes.
_COMPACT_DIGITS: Final = 18
_COMPACT_TIME: Final = 3
_MILLIS: Final = struct.Struct("<q")

PartitionValue = bool | int | float | Decimal | str | bytes | Timestamp | None
# From the row, the eight bytes of a value and its type to the value.
Read = Callable[[bytes, bytes, AtomicType], PartitionValue]


def _read_number(layout: str, _row: bytes, eight: bytes, _kind: AtomicType) -> bool | int | float:
    number: bool | int | float = struct.unpack_from(layout, eight)[0]
    return number


def _read_text(row: bytes, eight: bytes, _kind: AtomicType) -> str:
    try:
        return written(row, eight).decode("utf-8")
    except UnicodeDecodeError:
        raise broken("it names a partition by a text that is not in UTF-8") from None


def _read_bytes(row: bytes, eight: bytes, _kind: AtomicType) -> bytes:
    return written(row, eight)


def _read_decimal(row: bytes, eight: bytes, kind: AtomicType) -> Decimal | None:
    precision = kind.precision or 0
    scale = kind.scale or 0
    if precision <= _COMPACT_DIGITS:
        unscaled = _MILLIS.unpack(eight)[0]
    else:
        unscaled = int.from_bytes(behind(row, eight, int.from_bytes(eight[:4], "little")), "big", signed=True)
    if abs(unscaled) >= 10**precision:  # what has too many digits reads as NULL, in Java too
        return None
    return Decimal(unscaled).scaleb(-scale, DECIMALS)


def _read_timestamp(row: bytes, eight: bytes, kind: AtomicType) -> Timestamp:
    if (kind.precision or 0) <= _COMPACT_TIME:
        return Timestamp(_MILLIS.unpack(eight)[0])
    nanos = int.from_bytes(eight[:4], "little")
    if nanos > 999_999:
        raise broken("it names a partition by a time that there is not")
    return Timestamp(_MILLIS.unpack(behind(row, eight, 8))[0], nanos)


_READ: Final[Mapping[Root, Read]] = {
    **dict.fromkeys((Root.CHAR, Root.VARCHAR), _read_text),
    **dict.fromkeys((Root.BINARY, Root.VARBINARY), _read_bytes),
    **dict.fromkeys((Root.TIMESTAMP, Root.TIMESTAMP_LTZ), _read_timestamp),
    **dict.fromkeys((Root.INTEGER, Root.DATE, Root.TIME), partial(_read_number, "<i")),
    Root.BOOLEAN: partial(_read_number, "<?"),
    Root.TINYINT: partial(_read_number, "<b"),
    Root.SMALLINT: partial(_read_number, "<h"),
    Root.BIGINT: partial(_read_number, "<q"),
    Root.FLOAT: partial(_read_number, "<f"),
    Root.DOUBLE: partial(_read_number, "<d"),
    Root.DECIMAL: _read_decimal,
}


class Key(NamedTuple):
    """A partition key."""

    name: str
    type: AtomicType


def partition_keys(schema: TableSchema, table: str) -> tuple[Key, ...]:
    """Return the partition keys of a table; raise ProjectionError for a type of which no partition has values."""
    types = {column.name: column.type for column in schema.fields}
    keys: list[Key] = []
    for name in schema.partition_keys:
        kind = types[name]
        if kind.root not in _READ or not isinstance(kind, AtomicType):
            message = f"{table} is partitioned by {name}, which is {kind}: no partition has a value of that type."
            raise ProjectionError(message, code="live.partition", path=name, fix="Look what made the table.")
        keys.append(Key(name, kind))
    return tuple(keys)


def read_values(row: bytes, keys: tuple[Key, ...]) -> tuple[PartitionValue, ...]:
    """Return the values of the keys in this row. A table without keys writes rows without values, or none at all."""
    return tuple(read_value(row, len(keys), position, key.type) for position, key in enumerate(keys))


def read_value(row: bytes, keys: int, position: int, kind: AtomicType) -> PartitionValue:
    """Return the value at a position of a row of so many keys; None for NULL."""
    eight = slot(row, keys, position)
    if eight is None:
        return None
    return _READ[kind.root](row, eight, kind)
