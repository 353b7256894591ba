"""The partition whose files are waited for, table by table. A value that a template left out is an error, and never any partition."""

from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from difflib import get_close_matches
from typing import Any

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import ContractError, Fault

_VALUES = (str, int, float, Decimal, date)
# What a template leaves behind that had nothing to say.
_EMPTY = frozenset({"", "none", "null"})
_FIX = 'Pass its keys with their values: {"dt": "{{ ds }}"}; to wait for the whole table, leave partition out.'


def by_table(partition: Any, tables: Iterable[str], until: str) -> dict[str, dict[str, Any]]:
    """The partition of each table that has one; ContractError with all that is wrong. None is the whole of every table, as is one left out.

    Either keys with their values, which are those of every table, or a mapping of tables to such mappings.
    """
    if partition is None:
        return {}
    names = tuple(tables)
    if problem := _problem_of_all(partition, until):
        raise ContractError.of([problem])
    mappings = any(isinstance(one, Mapping) for one in partition.values())
    faults = _of_tables(partition, names) if mappings else _of_keys(partition, "partition")
    if faults:
        raise ContractError.of(faults)
    return {table: dict(keys) for table, keys in partition.items()} if mappings else {name: dict(partition) for name in names}


def _problem_of_all(partition: Any, until: str) -> Fault | None:
    if until != "files":
        fix = "Pass until='files' to wait for files of it, or leave partition out."
        return _fault("partition", f"a schema has no partitions, and until is {until}.", fix)
    if isinstance(partition, Mapping):
        return None if partition else _fault("partition", "it is empty.")
    return _fault("partition", f"{shown(partition)} is no partition." if partition else "it has no value.")


def _of_tables(partition: Mapping[str, Any], names: tuple[str, ...]) -> list[Fault]:
    """What is wrong about a mapping of tables to partitions."""
    found: list[Fault] = []
    for table, keys in partition.items():
        path = f"partition.{table}"
        if table not in names:
            found.append(_fault(path, f"{shown(table)} is not among the tables that are read.", _meant(table, names)))
        elif not isinstance(keys, Mapping) or not keys:
            found.append(_fault(path, "it is no mapping of keys to values." if keys else "it is empty."))
        else:
            found += _of_keys(keys, path)
    return found


def _of_keys(keys: Mapping[str, Any], path: str) -> list[Fault]:
    """What is wrong about keys and their values."""
    return [_fault(f"{path}.{key}", problem) for key, value in keys.items() if (problem := _problem(value))]


def _problem(value: Any) -> str:
    if value is None or (isinstance(value, str) and value.strip().lower() in _EMPTY):
        return "it has no value."
    return "" if isinstance(value, _VALUES) else f"{shown(value)} is no value of a partition."


def _meant(table: Any, names: tuple[str, ...]) -> str:
    near = get_close_matches(str(table), names, n=1)
    return f"Did you mean {near[0]}?" if near else f"There are {', '.join(names[:5])}."


def _fault(path: str, message: str, fix: str = _FIX) -> Fault:
    return Fault("contract.partition", path, message, fix)
