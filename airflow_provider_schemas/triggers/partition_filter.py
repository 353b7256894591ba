"""The partition whose files are waited for, table by table. An empty value out of a template is an error, and not any partition."""

from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from difflib import get_close_matches
from typing import Any

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import ContractError, Fault

_VALUE_TYPES = (str, int, float, Decimal, date)
# What a template without a value leaves behind.
_EMPTY = frozenset({"", "none", "null"})
_FIX = 'Pass its keys with their values: {"dt": "{{ ds }}"}; to wait for the whole table, leave partition out.'


def read_partitions(partition: Any, tables: Iterable[str], until: str) -> dict[str, dict[str, Any]]:
    """Return the partition of each table that has one; raise ContractError with all that is wrong. None means the whole of every table.

    Either keys with their values, which are those of every table, or a mapping of tables to such mappings.
    """
    if partition is None:
        return {}
    names = tuple(tables)
    fault = _check_whole(partition, until)
    if fault:
        raise ContractError.of([fault])
    is_by_table = any(isinstance(value, Mapping) for value in partition.values())
    faults = _check_tables(partition, names) if is_by_table else _check_keys(partition, "partition")
    if faults:
        raise ContractError.of(faults)
    if is_by_table:
        return {table: dict(keys) for table, keys in partition.items()}
    return {name: dict(partition) for name in names}


def _check_whole(partition: Any, until: str) -> Fault | None:
    if until != "files":
        fix = "Pass until='files' to wait for files of it, or leave partition out."
        return _fault("partition", f"a schema has no partitions, and until is {until}.", fix)
    if isinstance(partition, Mapping):
        if partition:
            return None
        return _fault("partition", "it is empty.")
    if not partition:
        return _fault("partition", "it has no value.")
    return _fault("partition", f"{shown(partition)} is no partition.")


def _check_tables(partition: Mapping[str, Any], names: tuple[str, ...]) -> list[Fault]:
    """Return what is wrong in a mapping of tables to partitions."""
    faults: list[Fault] = []
    for table, keys in partition.items():
        path = f"partition.{table}"
        if table not in names:
            faults.append(_fault(path, f"{shown(table)} is not among the tables that are read.", _suggest(table, names)))
        elif not keys:
            faults.append(_fault(path, "it is empty."))
        elif not isinstance(keys, Mapping):
            faults.append(_fault(path, "it is no mapping of keys to values."))
        else:
            faults += _check_keys(keys, path)
    return faults


def _check_keys(keys: Mapping[str, Any], path: str) -> list[Fault]:
    """Return what is wrong in keys and their values."""
    problems = ((key, _problem(value)) for key, value in keys.items())
    return [_fault(f"{path}.{key}", problem) for key, problem in problems if problem]


def _problem(value: Any) -> str:
    if value is None or (isinstance(value, str) and value.strip().lower() in _EMPTY):
        return "it has no value."
    if isinstance(value, _VALUE_TYPES):
        return ""
    return f"{shown(value)} is no value of a partition."


def _suggest(table: Any, names: tuple[str, ...]) -> str:
    near = get_close_matches(str(table), names, n=1)
    if near:
        return f"Did you mean {near[0]}?"
    return f"There are {', '.join(names[:5])}."


def _fault(path: str, message: str, fix: str = _FIX) -> Fault:
    return Fault("contract.partition", path, message, fix)
