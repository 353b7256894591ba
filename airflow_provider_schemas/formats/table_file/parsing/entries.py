"""Readers for the values behind the keys of a table file: each takes every spelling of a value, and returns one.

Each function takes a value as YAML gave it and returns a plain value, or raises a TableFileError whose paths begin at
the entry. `form` tells editors what an entry takes.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any, TypeVar

from airflow_provider_schemas.core.common.deadlines import moment_text
from airflow_provider_schemas.core.common.text import MAX_NAME, shown
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.parsing import parse_any
from airflow_provider_schemas.errors import Fault, TableFileError, collect

_Read = TypeVar("_Read")

TEXT = {"type": "string"}
NULL = {"type": "null"}
DATE = {
    "type": "string",
    "pattern": "^[0-9]{4}-",
    "description": "A day, which lasts until its end in UTC, or a time.",
    "examples": ["2026-12-31"],
}


def refusal(message: str, fix: str, path: str = "") -> TableFileError:
    """Return the error about a value that does not fit."""
    return TableFileError(message, code="table-file.bad-value", path=path, fix=fix)


def describe(value: object) -> str:
    """Write a value as the beginning of a sentence."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | int | float):
        return shown(value)
    if isinstance(value, Mapping):
        return "a mapping"
    return "a list"


def read_text(value: object, noun: str = "text") -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise refusal(f"{describe(value)} is no {noun}.", "Write text, in quotes where it looks like something else.")
    return value


def read_optional_text(value: object) -> str | None:
    """Return a text, or None."""
    return None if value is None else read_text(value)


def read_each(read: Callable[[Any], _Read], values: Mapping[Any, Any]) -> dict[str, _Read]:
    """Read every value of a mapping; raise all faults at once."""
    faults: list[Fault] = []
    read_values = {str(key): collect(faults, partial(read, value), str(key)) for key, value in values.items()}
    if faults:
        raise TableFileError.of(faults)
    return read_values


# ---------------------------------------------------------------- names, types, dates


def read_name(value: object) -> str:
    """Return the name of a column."""
    name = read_text(value, "name")
    if not name.strip():
        raise refusal(f"{shown(name)} is no name.", "Give it a name.")
    if len(name) > MAX_NAME:
        raise refusal(f"a name has {len(name)} characters.", f"Keep names below {MAX_NAME}.")
    return name


def read_names(value: object) -> tuple[str, ...]:
    """Return one name, or several."""
    if isinstance(value, list | tuple) and value:
        return tuple(read_each(read_name, {f"[{number}]": name for number, name in enumerate(value)}).values())
    return (read_name(value),)


# Wide tables repeat their types.
@lru_cache(maxsize=1_000)
def parse_type(sql: str) -> DataType:
    """Return the type that a text names."""
    return parse_any(sql)


def read_type(value: object) -> str:
    """Return the text of a type, unchanged, once it has been parsed."""
    sql = read_text(value, "type")
    parse_type(sql)
    return sql


def read_moment(value: object) -> str:
    """Return a day or a time, as text."""
    try:
        return moment_text(value)
    except ValueError:
        raise refusal(f"{describe(value)} is no date.", "Write a date such as 2026-12-31, or a time such as 2026-12-31T09:00Z.") from None


# ---------------------------------------------------------------- earlier and other names


def read_earlier_names(value: object) -> dict[str, tuple[str, ...]]:
    """Return earlier names by the path of the field that had them; the path of the column itself is empty."""
    if isinstance(value, Mapping):
        return read_each(read_names, value)
    return {"": read_names(value)}


def read_aliases(value: object) -> dict[str, str] | None:
    """Return the other names that are valid, each with the day on which it ends; empty for no end."""
    if value is None:
        return None
    if isinstance(value, Mapping):
        return read_each(_read_end, value)
    return dict.fromkeys(read_names(value), "")


def _read_end(value: object) -> str:
    return "" if value is None else read_moment(value)


# ---------------------------------------------------------------- other keys of a column


def read_deprecated(value: object) -> bool | str | None:
    """Return whether a column is deprecated, or from which day on."""
    if value is None or isinstance(value, bool):
        return value
    return read_moment(value)


def read_plain_text(value: object) -> str | None:
    """Return a text; a whole number, true or false without quotes stands for its text."""
    if isinstance(value, bool | int):
        return str(value).lower()
    return read_optional_text(value)


def read_tags(value: object) -> tuple[str, ...] | None:
    """Return the tags of a column."""
    if value is None:
        return None
    if value in ([], ()):
        return ()
    return read_names(value)


# ---------------------------------------------------------------- keys of the table

_UNSAFE = frozenset("/\\ \t\n\r")


def read_table_name(value: object) -> str:
    """Return the name of a table, with its database."""
    name = read_text(value, "name")
    parts = name.split(".")
    if len(parts) < 2 or not all(parts) or _UNSAFE & set(name):
        raise refusal(f"{shown(name)} is no name of a table.", "Write the database, a dot and the table: shop.orders.")
    return name


# Options for which the file has a key of its own.
KEYS_OF_OPTIONS = {"primary-key": "primary_key", "partition": "partitioned_by", "schemas.policy": "policy", "schemas.table": "owner"}
ATTRIBUTES = "schemas.field."


def read_options(value: object) -> dict[str, str | None]:
    """Return the options of a table; null removes one."""
    if not isinstance(value, Mapping):
        raise refusal(f"{describe(value)} holds no options.", "Write a mapping of option and value.")
    keys = list(map(str, value))
    faults = [_own_key_fault(key) for key in keys if key in KEYS_OF_OPTIONS or key.startswith(ATTRIBUTES)]
    options: dict[str, str | None] | None = collect(faults, lambda: read_each(read_plain_text, value))
    if faults:
        raise TableFileError.of(faults)
    return options or {}


def _own_key_fault(key: str) -> Fault:
    instead = KEYS_OF_OPTIONS.get(key, "alias, deprecated, unit and tags of a column")
    return Fault("table-file.own-key", key, "a table file has a key of its own for this option.", f"Say it with {instead}.")
