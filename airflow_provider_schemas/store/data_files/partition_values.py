"""The values of a partition as the manifests of a Paimon table give them: for every type that a partition key may have.

They are carriers, see `core.casts.carriers`: days for a DATE, so that a year that no program has a date for is a value too.
"""

import struct
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from typing import Any, Final, NamedTuple

from airflow_provider_schemas.core.casts.carriers import DECIMALS, Timestamp
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.errors import ProjectionError
from airflow_provider_schemas.store.paimon.avro_errors import broken
from airflow_provider_schemas.store.paimon.binary_row import behind, slot, written

# Up to here a decimal or a time stands in its eight bytes.
_COMPACT_DIGITS: Final = 18
_COMPACT_TIME: Final = 3
_MILLIS: Final = struct.Struct("<q")

# From the row, the eight bytes of a value and its type to the value.
Read = Callable[[bytes, bytes, Any], Any]


def _number(layout: str, _row: bytes, eight: bytes, _kind: Any) -> Any:
    return struct.unpack_from(layout, eight)[0]


def _text(row: bytes, eight: bytes, _kind: Any) -> str:
    try:
        return written(row, eight).decode("utf-8")
    except UnicodeDecodeError:
        raise broken("it names a partition by a text that is not in UTF-8") from None


def _bytes(row: bytes, eight: bytes, _kind: Any) -> bytes:
    return written(row, eight)


def _decimal(row: bytes, eight: bytes, kind: Any) -> Decimal | None:
    if kind.precision <= _COMPACT_DIGITS:
        unscaled = _MILLIS.unpack(eight)[0]
    else:
        unscaled = int.from_bytes(behind(row, eight, int.from_bytes(eight[:4], "little")), "big", signed=True)
    # What has too many digits reads as NULL, in Java too.
    return Decimal(unscaled).scaleb(-kind.scale, DECIMALS) if abs(unscaled) < 10**kind.precision else None


def _timestamp(row: bytes, eight: bytes, kind: Any) -> Timestamp:
    if kind.precision <= _COMPACT_TIME:
        return Timestamp(_MILLIS.unpack(eight)[0])
    nanos = int.from_bytes(eight[:4], "little")
    if nanos > 999_999:
        raise broken("it names a partition by a time that there is not")
    return Timestamp(_MILLIS.unpack(behind(row, eight, 8))[0], nanos)


_READ: Final[Mapping[Root, Read]] = {
    **dict.fromkeys((Root.CHAR, Root.VARCHAR), _text),
    **dict.fromkeys((Root.BINARY, Root.VARBINARY), _bytes),
    **dict.fromkeys((Root.TIMESTAMP, Root.TIMESTAMP_LTZ), _timestamp),
    **dict.fromkeys((Root.INTEGER, Root.DATE, Root.TIME), partial(_number, "<i")),
    Root.BOOLEAN: partial(_number, "<?"),
    Root.TINYINT: partial(_number, "<b"),
    Root.SMALLINT: partial(_number, "<h"),
    Root.BIGINT: partial(_number, "<q"),
    Root.FLOAT: partial(_number, "<f"),
    Root.DOUBLE: partial(_number, "<d"),
    Root.DECIMAL: _decimal,
}


class Key(NamedTuple):
    """A partition key."""

    name: str
    type: Any


def partition_keys(schema: TableSchema, table: str) -> tuple[Key, ...]:
    """The partition keys of a table; ProjectionError for one by whose type nothing is partitioned."""
    types = {one.name: one.type for one in schema.fields}
    for name in schema.partition_keys:
        if types[name].root not in _READ:
            message = f"{table} is partitioned by {name}, which is {types[name]}: no partition has a value of that type."
            raise ProjectionError(message, code="live.partition", path=name, fix="Look what made the table.")
    return tuple(Key(name, types[name]) for name in schema.partition_keys)


def values_of(row: bytes, keys: tuple[Key, ...]) -> tuple[Any, ...]:
    """The values of the keys in this row. A table without keys writes rows without values, or none at all."""
    return tuple(value_at(row, len(keys), at, key.type) for at, key in enumerate(keys))


def value_at(row: bytes, keys: int, at: int, kind: DataType) -> Any:
    """One value of a row of so many; None for NULL."""
    eight = slot(row, keys, at)
    return None if eight is None else _READ[kind.root](row, eight, kind)
