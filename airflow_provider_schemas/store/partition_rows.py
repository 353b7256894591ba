"""Partitions as the manifests of a Paimon table name them: rows in Paimon's binary form, of which a few values are compared.

Such a row says more surely than the name of a folder to which partition a file belongs: a folder may bear a date as
a number of days, or lie outside the table.
"""

import struct
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from airflow_provider_schemas.core.kinds import Root
from airflow_provider_schemas.core.schema import TableSchema
from airflow_provider_schemas.core.text import shown
from airflow_provider_schemas.errors import ContractError, Fault, FormatError
from airflow_provider_schemas.store.avro_blocks import broken

_NO_PARTITION: Final = "__DEFAULT_PARTITION__"
_WORD: Final = 8
# Bits for NULL begin behind a byte that says what kind of row it is.
_HEADER_BITS: Final = 8
_EPOCH: Final = date(1970, 1, 1).toordinal()


class _Kind(NamedTuple):
    """How a value of a type is written by people, and how Paimon lays it into eight bytes. Without a layout it is text."""

    read: Callable[[Any], Any]
    layout: str = ""


def _text(value: Any) -> bytes:
    return str(value).encode()


def _whole(value: Any) -> int:
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
        raise ValueError
    return int(value)


def _days(value: Any) -> int:
    if isinstance(value, date):
        return (value.date() if isinstance(value, datetime) else value).toordinal() - _EPOCH
    return date.fromisoformat(str(value).strip()).toordinal() - _EPOCH


def _flag(value: Any) -> bool:
    return {"true": True, "false": False}[str(value).strip().lower()]


_KINDS: Final[Mapping[Root, _Kind]] = {
    Root.CHAR: _Kind(_text),
    Root.VARCHAR: _Kind(_text),
    Root.BOOLEAN: _Kind(_flag, "<?"),
    Root.TINYINT: _Kind(_whole, "<b"),
    Root.SMALLINT: _Kind(_whole, "<h"),
    Root.INTEGER: _Kind(_whole, "<i"),
    Root.BIGINT: _Kind(_whole, "<q"),
    Root.DATE: _Kind(_days, "<i"),
}


class Partition(NamedTuple):
    """Some of the values of a partition, by the place of their keys."""

    keys: int
    values: tuple[tuple[int, _Kind, Any], ...]

    def holds(self, row: bytes) -> bool:
        """Whether the partition of this row is meant. Whoever means none in particular means all."""
        return not self.values or all(_value(row, self.keys, at, kind) == value for at, kind, value in self.values)

    def within(self, least: bytes, most: bytes) -> bool:
        """Whether it may lie between these two, each of which holds the least or the most of every key. NULL lies anywhere."""
        try:
            return all(
                value is None or _between(value, _value(least, self.keys, at, kind), _value(most, self.keys, at, kind))
                for at, kind, value in self.values
            )
        except FormatError:  # whoever wrote them wrote no such rows
            return True


def _between(value: Any, least: Any, most: Any) -> bool:
    return least is None or most is None or bool(least <= value <= most)


def partition_of(schema: TableSchema, said: Mapping[str, Any] | None, table: str) -> Partition:
    """The partition that somebody named by some of the keys; ContractError with everything that is wrong about it."""
    keys, values = schema.partition_keys, []
    faults: list[Fault] = []
    for name, value in (said or {}).items():
        try:
            values.append(_read(schema, name, value, table))
        except ContractError as error:
            faults += error.faults
    if faults:
        raise ContractError.of(faults)
    return Partition(len(keys), tuple(values))


def _read(schema: TableSchema, name: str, value: Any, table: str) -> tuple[int, _Kind, Any]:
    keys = schema.partition_keys
    if name not in keys:
        known = f"Its keys are {', '.join(keys)}." if keys else "It has no partitions: leave partition out."
        raise _fault(name, f"{table} is not partitioned by {shown(str(name))}.", known)
    data_type = next(one.type for one in schema.fields if one.name == name)
    kind = _KINDS.get(data_type.root)
    if kind is None:
        raise _fault(name, f"{name} is {data_type}, by which no partition can be looked for.", "Name the other keys only.")
    if value is None or value in (_NO_PARTITION, schema.options.get("partition.default-name", _NO_PARTITION)):
        return keys.index(name), kind, None
    try:
        found = _said(kind, value)
    except (ValueError, TypeError, KeyError, OverflowError):
        raise _fault(name, f"{shown(str(value))} is no value of {name}, which is {data_type}.", "Write it as that type.") from None
    return keys.index(name), kind, found


def _said(kind: _Kind, value: Any) -> Any:
    """The value as that type; whatever else is raised, if it is none."""
    if not isinstance(value, str | int | float | date):
        raise TypeError
    return kind.read(value)


def _fault(name: object, message: str, fix: str) -> ContractError:
    return ContractError.of([Fault("contract.partition", f"partition.{name}", message, fix)])


# ---------------------------------------------------------------- bytes


def _value(row: bytes, keys: int, at: int, kind: _Kind) -> Any:
    """One value of a row: how many there are, which are NULL, eight bytes each, and behind them texts that need more."""
    body, bits = row[4:], (keys + 63 + _HEADER_BITS) // 64 * _WORD
    if len(row) < 4 + bits + keys * _WORD or int.from_bytes(row[:4], "big") != keys:
        raise broken("it names a partition that does not have the keys of its table")
    bit = at + _HEADER_BITS
    if body[bit // 8] >> bit % 8 & 1:
        return None
    slot = body[bits + at * _WORD : bits + (at + 1) * _WORD]
    return struct.unpack_from(kind.layout, slot)[0] if kind.layout else _written(body, slot)


def _written(body: bytes, slot: bytes) -> bytes:
    """A text: up to seven bytes stand in the slot, with their number behind them; longer ones where the slot says."""
    if slot[7] & 0x80:
        return slot[: min(slot[7] & 0x7F, 7)]
    length, start = struct.unpack("<II", slot)
    if start + length > len(body):
        raise broken("it names a partition by a text that is cut off")
    return body[start : start + length]


def names(said: Mapping[str, Any] | None) -> Iterator[str]:
    """A partition as people write it."""
    for name, value in (said or {}).items():
        yield f"{name}={value}"
