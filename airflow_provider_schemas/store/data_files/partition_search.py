"""A partition that somebody names, looked for among those that the manifests of a Paimon table name.

They name it by a row in Paimon's binary form, which says more surely than the name of a folder to which partition a file
belongs: a folder may bear a date as a number of days, or lie outside the table.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.errors import ContractError, Fault, FormatError
from airflow_provider_schemas.store.data_files.partition_names import null_names
from airflow_provider_schemas.store.data_files.partition_values import value_at

_EPOCH: Final = date(1970, 1, 1).toordinal()


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


# By type, how a value is written by people. What is compared is the carrier.
_SAID: Final[Mapping[Root, Callable[[Any], Any]]] = {
    **dict.fromkeys((Root.CHAR, Root.VARCHAR), str),
    **dict.fromkeys((Root.TINYINT, Root.SMALLINT, Root.INTEGER, Root.BIGINT), _whole),
    Root.BOOLEAN: _flag,
    Root.DATE: _days,
}


class Partition(NamedTuple):
    """Some of the values of a partition, by the place of their keys."""

    keys: int
    values: tuple[tuple[int, DataType, Any], ...]

    def holds(self, row: bytes) -> bool:
        """Whether the partition of this row is meant. Whoever means none in particular means all."""
        return not self.values or all(value_at(row, self.keys, at, kind) == value for at, kind, value in self.values)

    def within(self, least: bytes, most: bytes) -> bool:
        """Whether it may lie between these two, each of which holds the least or the most of every key. NULL lies anywhere."""
        try:
            return all(
                value is None or _between(value, value_at(least, self.keys, at, kind), value_at(most, self.keys, at, kind))
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


def _read(schema: TableSchema, name: str, value: Any, table: str) -> tuple[int, DataType, Any]:
    keys = schema.partition_keys
    if name not in keys:
        known = f"Its keys are {', '.join(keys)}." if keys else "It has no partitions: leave partition out."
        raise _fault(name, f"{table} is not partitioned by {shown(str(name))}.", known)
    data_type = next(one.type for one in schema.fields if one.name == name)
    said = _SAID.get(data_type.root)
    if said is None:
        raise _fault(name, f"{name} is {data_type}, by which no partition can be looked for.", "Name the other keys only.")
    if value is None or value in null_names(schema.options):
        return keys.index(name), data_type, None
    try:
        found = _said(said, value)
    except (ValueError, TypeError, KeyError, OverflowError):
        raise _fault(name, f"{shown(str(value))} is no value of {name}, which is {data_type}.", "Write it as that type.") from None
    return keys.index(name), data_type, found


def _said(read: Callable[[Any], Any], value: Any) -> Any:
    """The value as that type; whatever else is raised, if it is none."""
    if not isinstance(value, str | int | float | date):
        raise TypeError
    return read(value)


def _fault(name: object, message: str, fix: str) -> ContractError:
    return ContractError.of([Fault("contract.partition", f"partition.{name}", message, fix)])


def names(said: Mapping[str, Any] | None) -> Iterator[str]:
    """A partition as people write it."""
    for name, value in (said or {}).items():
        yield f"{name}={value}"
