"""What stands behind the keys of a table file, read one by one: the ways to write a thing become one.

Each function takes what YAML gave and answers with a plain value, or raises a TableFileError whose paths begin at
the entry. What an editor is told about an entry stands in `form`.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any

from airflow_provider_schemas.core.common.deadlines import moment_text
from airflow_provider_schemas.core.common.text import MAX_NAME, shown
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.parsing import parse_any
from airflow_provider_schemas.errors import Fault, TableFileError, collect

TEXT = {"type": "string"}
NULL = {"type": "null"}
DATE = {
    "type": "string",
    "pattern": "^[0-9]{4}-",
    "description": "A day, which lasts until its end in UTC, or a time.",
    "examples": ["2026-12-31"],
}


def refused(message: str, fix: str, path: str = "") -> TableFileError:
    """A value that does not fit."""
    return TableFileError(message, code="table-file.bad-value", path=path, fix=fix)


def what(value: object) -> str:
    """The value, as a sentence begins with it."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    return shown(value) if isinstance(value, str | int | float) else "a mapping" if isinstance(value, Mapping) else "a list"


def text(value: object, noun: str = "text") -> str:
    """A text."""
    if not isinstance(value, str):
        raise refused(f"{what(value)} is no {noun}.", "Write text, in quotes where it looks like something else.")
    return value


def words(value: object) -> str | None:
    """A text, or nothing."""
    return None if value is None else text(value)


def each(read: Callable[[Any], Any], values: Mapping[Any, Any]) -> dict[str, Any]:
    """What a function reads out of every value of a mapping; all faults at once."""
    faults: list[Fault] = []
    found = {str(key): collect(faults, partial(read, one), str(key)) for key, one in values.items()}
    if faults:
        raise TableFileError.of(faults)
    return found


# ---------------------------------------------------------------- names, types, dates


def name(value: object) -> str:
    """The name of a column."""
    if not text(value, "name").strip():
        raise refused(f"{shown(value)} is no name.", "Give it a name.")
    if len(str(value)) > MAX_NAME:
        raise refused(f"a name has {len(str(value))} characters.", f"Keep names below {MAX_NAME}.")
    return str(value)


def names(value: object) -> tuple[str, ...]:
    """One name, or several."""
    if isinstance(value, list | tuple) and value:
        return tuple(each(name, {f"[{number}]": one for number, one in enumerate(value)}).values())
    return (name(value),)


# Wide tables repeat their types.
@lru_cache(maxsize=1_000)
def kind_of(sql: str) -> DataType:
    """The type that a text says."""
    return parse_any(sql)


def sql_text(value: object) -> str:
    """The text of a type, as it is written."""
    kind_of(text(value, "type"))
    return str(value)


def moment(value: object) -> str:
    """A day or a time, as text."""
    try:
        return moment_text(value)
    except ValueError:
        raise refused(f"{what(value)} is no date.", "Write a date such as 2026-12-31, or a time such as 2026-12-31T09:00Z.") from None


# ---------------------------------------------------------------- earlier and other names


def earlier_names(value: object) -> dict[str, tuple[str, ...]]:
    """By the path of what has another name now; empty for the column itself."""
    return each(names, value) if isinstance(value, Mapping) else {"": names(value)}


def aliases(value: object) -> dict[str, str] | None:
    """The other names that are valid, each with the day until which it is; empty for no end."""
    if isinstance(value, Mapping):
        return each(lambda until: "" if until is None else moment(until), value)
    return None if value is None else dict.fromkeys(names(value), "")


# ---------------------------------------------------------------- what else is said about a column


def deprecated(value: object) -> bool | str | None:
    """Whether nobody should use it any more, or from which day on."""
    return value if value is None or isinstance(value, bool) else moment(value)


def plain_text(value: object) -> str | None:
    """A text; a whole number, true or false without quotes stands for its text."""
    if isinstance(value, bool | int):
        return str(value).lower()
    return None if value is None else text(value)


def tags(value: object) -> tuple[str, ...] | None:
    """What the values are, in words of somebody's own."""
    return None if value is None else () if value in ([], ()) else names(value)


# ---------------------------------------------------------------- what is said about the table

_UNSAFE = frozenset("/\\ \t\n\r")


def table_name(value: object) -> str:
    """The name of a table, with its database."""
    parts = text(value, "name").split(".")
    if len(parts) < 2 or not all(parts) or _UNSAFE & set(str(value)):
        raise refused(f"{shown(value)} is no name of a table.", "Write the database, a dot and the table: shop.orders.")
    return str(value)


# What has a key of its own.
KEYS_OF_OPTIONS = {"primary-key": "primary_key", "partition": "partitioned_by", "schemas.policy": "policy", "schemas.table": "owner"}
ATTRIBUTES = "schemas.field."


def options(value: object) -> dict[str, str | None]:
    """Options of a table; null takes one away."""
    if not isinstance(value, Mapping):
        raise refused(f"{what(value)} holds no options.", "Write a mapping of option and value.")
    keys = list(map(str, value))
    faults = [_own_key(key) for key in keys if key in KEYS_OF_OPTIONS or key.startswith(ATTRIBUTES)]
    found: dict[str, str | None] | None = collect(faults, lambda: each(plain_text, value))
    if faults:
        raise TableFileError.of(faults)
    return found or {}


def _own_key(key: str) -> Fault:
    instead = KEYS_OF_OPTIONS.get(key, "alias, deprecated, unit and tags of a column")
    return Fault("table-file.own-key", key, "a table file has a key of its own for this option.", f"Say it with {instead}.")
