"""A partition that a user names, searched among those that the manifests of a Paimon table name.

Manifests name a partition by a row in Paimon's binary form, which is a surer sign of the partition of a file than the
name of a folder: a folder may bear a date as a number of days, or lie outside the table.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import AtomicType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.errors import ContractError, Fault, FormatError
from airflow_provider_schemas.store.data_files.partition_names import null_names
from airflow_provider_schemas.store.data_files.partition_values import PartitionValue, read_value

_EPOCH: Final = date(1970, 1, 1).toordinal()

# A value of a partition as users write it in Python, YAML or JSON.
GivenValue = str | int | float | date | None


def _to_integer(value: str | float | date) -> int:
    if isinstance(value, bool | date) or (isinstance(value, float) and not value.is_integer()):
        raise ValueError
    return int(value)


def _to_days(value: str | float | date) -> int:
    if isinstance(value, datetime):
        value = value.date()
    if not isinstance(value, date):
        value = date.fromisoformat(str(value).strip())
    return value.toordinal() - _EPOCH


def _to_boolean(value: str | float | date) -> bool:
    return {"true": True, "false": False}[str(value).strip().lower()]


# By type: from a value as users write it to the carrier, which is compared.
_PARSE: Final[Mapping[Root, Callable[[Any], PartitionValue]]] = {
    **dict.fromkeys((Root.CHAR, Root.VARCHAR), str),
    **dict.fromkeys((Root.TINYINT, Root.SMALLINT, Root.INTEGER, Root.BIGINT), _to_integer),
    Root.BOOLEAN: _to_boolean,
    Root.DATE: _to_days,
}


class KeyValue(NamedTuple):
    """The value that is searched for one partition key."""

    position: int
    """Of the key in the row."""
    type: AtomicType
    value: PartitionValue


class Partition(NamedTuple):
    """Some of the values of a partition; without any, every partition."""

    keys: int
    """How many partition keys the table has."""
    values: tuple[KeyValue, ...]

    def holds(self, row: bytes) -> bool:
        """Return whether the partition of this row is one of those."""
        return not self.values or all(read_value(row, self.keys, position, kind) == value for position, kind, value in self.values)

    def may_lie_between(self, least: bytes, most: bytes) -> bool:
        """Return whether it may lie between these rows, which hold the least and the greatest of every key. NULL lies anywhere."""
        try:
            return all(self._may_lie_between(key, least, most) for key in self.values)
        except FormatError:  # some writers put no such rows there
            return True

    def _may_lie_between(self, key: KeyValue, least: bytes, most: bytes) -> bool:
        if key.value is None:
            return True
        low: Any = read_value(least, self.keys, key.position, key.type)
        high: Any = read_value(most, self.keys, key.position, key.type)
        return low is None or high is None or bool(low <= key.value <= high)


def parse_partition(schema: TableSchema, given: Mapping[str, GivenValue] | None, table: str) -> Partition:
    """Parse the partition that a user names by some of its keys; raise ContractError with everything that is wrong about it."""
    values: list[KeyValue] = []
    faults: list[Fault] = []
    for name, value in (given or {}).items():
        try:
            values.append(_parse_key(schema, name, value, table))
        except ContractError as error:
            faults += error.faults
    if faults:
        raise ContractError.of(faults)
    return Partition(len(schema.partition_keys), tuple(values))


def _parse_key(schema: TableSchema, name: str, value: GivenValue, table: str) -> KeyValue:
    keys = schema.partition_keys
    if name not in keys:
        known = "It has no partitions: leave partition out."
        if keys:
            known = f"Its keys are {', '.join(keys)}."
        raise _fault(name, f"{table} is not partitioned by {shown(str(name))}.", known)
    data_type = next(column.type for column in schema.fields if column.name == name)
    parse = _PARSE.get(data_type.root)
    if parse is None or not isinstance(data_type, AtomicType):
        raise _fault(name, f"{name} is {data_type}, by which no partition can be looked for.", "Name the other keys only.")
    if value is None or value in null_names(schema.options):
        return KeyValue(keys.index(name), data_type, None)
    try:
        return KeyValue(keys.index(name), data_type, _parse_value(parse, value))
    except (ValueError, TypeError, KeyError, OverflowError):
        raise _fault(name, f"{shown(str(value))} is no value of {name}, which is {data_type}.", "Write it as that type.") from None


def _parse_value(parse: Callable[[Any], PartitionValue], value: object) -> PartitionValue:
    """Parse the value as a type; raise one of Python's errors if it is none of that type."""
    if not isinstance(value, str | int | float | date):
        raise TypeError
    return parse(value)


def _fault(name: str, message: str, fix: str) -> ContractError:
    return ContractError.of([Fault("contract.partition", f"partition.{name}", message, fix)])


def shown_keys(given: Mapping[str, GivenValue] | None) -> Iterator[str]:
    """Yield each key with its value, as users write a partition."""
    for name, value in (given or {}).items():
        yield f"{name}={value}"
